package main

// This file decides where an import reads from and what it reports.

import (
	"context"
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

What can't be read is reported with its line and skipped; the rest is imported
all the same, and the exit code is 6.`,
		Args: cobra.MaximumNArgs(1),
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
	imp := &importer{
		defaults: contextforge.Entry{Kind: f.kind, Scope: f.scope, SessionID: f.session},
		now:      a.clock().UTC(),
		verbatim: cfg.Scrub.Disabled,
		app:      a,
		bar:      a.progress(size),
	}
	err = withMemory(ctx, cfg, func(ctx context.Context, m *contextforge.Memory) error {
		imp.memory = m
		return imp.run(ctx, src)
	})
	if err != nil {
		imp.clearBar()
		a.note("the import stopped: imported %d, unchanged %d, skipped %d", imp.Imported, imp.Unchanged, imp.Skipped)
		return err
	}
	return a.printImported(&imp.counts, f.json)
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
func (a *app) progress(size int64) *progressbar.ProgressBar {
	if !a.stderrTerminal {
		return nil
	}
	return progressbar.NewOptions64(size,
		progressbar.OptionSetWriter(a.stderr),
		progressbar.OptionSetDescription("importing"),
		progressbar.OptionShowBytes(true),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionThrottle(barInterval),
	)
}

func (a *app) printImported(c *counts, asJSON bool) error {
	var err error
	if asJSON {
		err = a.printJSON(c)
	} else {
		err = a.printf("imported %d, unchanged %d, skipped %d\n", c.Imported, c.Unchanged, c.Skipped)
	}
	if err == nil && c.Skipped > 0 {
		return exitCode(exitPartial)
	}
	return err
}
