package main

// This file decides where an import reads from and what it reports.

import (
	"bufio"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"github.com/contextforge-go/contextforge"
)

// shownFaults is the number of faulty records that are described unless -v asks
// for all of them.
const shownFaults = 100

type importFlags struct {
	kind, scope, session string
	json                 bool
}

func (a *app) importCommand() *cobra.Command {
	var f importFlags
	cmd := &cobra.Command{
		Use:   "import [FILE|-]",
		Short: "Add the entries of a JSON Lines file or a JSON array",
		Long: `Add entries from JSON Lines or a JSON array, such as export writes, from FILE or
stdin. Only "content" is needed. An entry without an id gets one that is derived
from its content, timestamp, kind, scope and session, so that importing a file
twice adds nothing; one without a timestamp gets the present time.

When several records have one id, the last one counts. What can't be read is
reported with its line and skipped; the rest is imported all the same, and the
exit code is 6.

Nearly all of the time goes into the vectors. With --embedder none the entries
are there, and found by their words, in a fraction of it; backfill makes the
vectors later.`,
		Args: operands("FILE", 0, 1),
		RunE: runs(func(ctx context.Context, args []string) error { return a.importFrom(ctx, args, &f) }),
	}
	fs := cmd.Flags()
	fs.StringVar(&f.kind, "kind", contextforge.KindManual, "kind of entries without one")
	fs.StringVar(&f.scope, "scope", "", "scope of entries without one (default the global one)")
	fs.StringVar(&f.session, "session", "", "session of entries without one")
	fs.BoolVar(&f.json, "json", false, "print the counts as JSON")
	return cmd
}

func (a *app) importFrom(ctx context.Context, args []string, f *importFlags) (err error) {
	cfg, err := a.settings()
	if err != nil {
		return err
	}
	src, size, err := a.source(ctx, args)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	in := bufio.NewReader(src)
	if size < 0 {
		// The store stays free for whoever makes the input until it begins.
		_, _ = in.Peek(1) // an error comes again with the first read
	}
	if err = a.embedWith(&cfg); err != nil {
		return err
	}
	m, input, err := a.openForImport(ctx, cfg, in, size)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, input.Close()) }()
	imp := &importer{
		memory:   m,
		defaults: contextforge.Entry{Kind: f.kind, Scope: f.scope, SessionID: f.session},
		now:      a.clock().UTC(),
		secrets:  m.Scrubber(),
		app:      a,
		perWrite: batchEntries,
		bar:      a.progress(size, cfg.Embedder != nil),
	}
	if cfg.Embedder != nil {
		imp.perWrite = embedEntries
	}
	if err := errors.Join(imp.run(ctx, input), m.Close()); err != nil {
		imp.clearBar()
		a.note("the import stopped: %s", &imp.counts)
		return err
	}
	return a.printImported(&imp.counts, f.json)
}

// openForImport opens the store and returns what to read from. While it waits
// for a store in use, it takes a stream that may come from the very process that
// uses the store into a temporary file, so that the process can end.
func (a *app) openForImport(ctx context.Context, cfg contextforge.Config, in io.Reader, size int64) (*contextforge.Memory, io.ReadCloser, error) {
	m, err := contextforge.Open(ctx, cfg)
	if !errors.Is(err, contextforge.ErrLocked) || a.global.wait == 0 {
		return m, io.NopCloser(in), err
	}
	input := io.NopCloser(in)
	if size < 0 {
		if input, err = spool(in); err != nil {
			return nil, nil, err
		}
	}
	if m, err = a.openMemory(ctx, cfg); err != nil {
		return nil, nil, errors.Join(err, input.Close())
	}
	return m, input, nil
}

// spooled is a temporary file that is gone once it is closed.
type spooled struct {
	io.Reader
	file *os.File
}

// Close implements io.Closer.
func (s spooled) Close() error { return errors.Join(s.file.Close(), os.Remove(s.file.Name())) }

// spool reads all of a stream into a temporary file. What is in it is enciphered
// with a key that nothing but this process has, for the secrets in the stream are
// not redacted yet, and a file may outlive its process.
func spool(in io.Reader) (io.ReadCloser, error) {
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	stream := func() cipher.Stream { return cipher.NewCTR(block, make([]byte, aes.BlockSize)) } // the key is used once
	f, err := os.CreateTemp("", "contextforge-import-*")
	if err != nil {
		return nil, err
	}
	s := spooled{cipher.StreamReader{S: stream(), R: f}, f}
	if _, err = io.Copy(cipher.StreamWriter{S: stream(), W: f}, in); err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// source opens what is to be imported; its size is -1 when unknown.
func (a *app) source(ctx context.Context, args []string) (io.ReadCloser, int64, error) {
	if len(args) == 0 && a.stdinTerminal {
		return nil, 0, usagef("name a file, or give the entries on stdin")
	}
	if len(args) == 0 || args[0] == "-" {
		return io.NopCloser(a.interruptible(ctx)), -1, nil
	}
	f, err := os.Open(args[0])
	if err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	if !info.Mode().IsRegular() {
		return f, -1, nil
	}
	return f, info.Size(), nil
}

// progress returns a bar on stderr, nil when nobody watches.
func (a *app) progress(size int64, embeds bool) *progressbar.ProgressBar {
	if !a.stderrTerminal {
		return nil
	}
	what := "importing"
	if embeds {
		what = "importing and embedding"
	}
	return progressbar.NewOptions64(size,
		progressbar.OptionSetWriter(a.stderr),
		progressbar.OptionSetDescription(what),
		progressbar.OptionShowBytes(true),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionThrottle(barInterval),
	)
}

func (a *app) printImported(c *counts, asJSON bool) error {
	c.Redacted = a.redacted
	var err error
	if asJSON {
		err = a.printJSON(c)
	} else {
		err = a.printf("%s\n", c)
	}
	if err == nil && c.Skipped > 0 {
		return exitCode(exitPartial)
	}
	return err
}
