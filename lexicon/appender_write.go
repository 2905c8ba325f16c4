// This file decides how a changed lexicon file gets to disk: under a lock, as a
// whole, and never over what somebody else has written meanwhile.

package lexicon

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/contextforge-go/contextforge/internal/tomledit"
)

const (
	maxLinks    = 40 // symbolic links in a row
	maxAttempts = 10 // at replacing a file that others change
)

// version is what a file holds at some moment.
type version struct {
	text []byte
	info fs.FileInfo // nil if there is no file
}

// same reports whether two versions hold the same.
func (v version) same(w version) bool {
	return (v.info == nil) == (w.info == nil) && bytes.Equal(v.text, w.text)
}

// edit changes the file. It looks first, without a lock, whether there is anything
// to do; under the lock it looks again if the file has changed.
func (a *Appender) edit(ctx context.Context, change func(*lexiconFile) error) (changed bool, err error) {
	target, err := a.target()
	if err != nil {
		return false, a.failure(err)
	}
	before, after, err := a.plan(target, change)
	if err != nil || after == nil {
		return false, err
	}
	unlock, err := a.lock(ctx, target)
	if err != nil {
		return false, a.failure(err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	for range maxAttempts {
		now, err := a.read(target)
		if err != nil {
			return false, a.failure(err)
		}
		if !now.same(before) {
			before = now
			if after, err = a.apply(before.text, change); err != nil || after == nil {
				return false, err
			}
		}
		if changed, err = a.replace(target, before, after); err != nil {
			return changed, a.failure(err)
		}
		if changed {
			return true, nil
		}
	}
	return false, a.failure(ErrContended)
}

// plan reads the file and makes the change to its text, nil for no change.
func (a *Appender) plan(target string, change func(*lexiconFile) error) (before version, after []byte, err error) {
	if before, err = a.read(target); err != nil {
		return before, nil, a.failure(err)
	}
	after, err = a.apply(before.text, change)
	return before, after, err
}

// apply returns the text after a change, nil if it is the same.
func (a *Appender) apply(text []byte, change func(*lexiconFile) error) ([]byte, error) {
	doc, err := tomledit.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrLexicon, syntaxFailure(a.path, err))
	}
	l := lexiconFile{doc: doc}
	err = change(&l)
	switch {
	case err != nil:
		return nil, a.failure(err)
	case !l.changed || bytes.Equal(l.doc.Bytes(), text):
		return nil, nil
	case len(l.doc.Bytes()) > MaxFileBytes:
		return nil, a.failure(errTooLarge(MaxFileBytes))
	}
	return l.doc.Bytes(), nil
}

// target returns the file that the path leads to.
func (a *Appender) target() (string, error) {
	path := a.path
	for range maxLinks {
		to, err := a.fs.Readlink(path)
		if err != nil {
			return "", err
		}
		if to == "" {
			return path, nil
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return "", errors.New("too many symbolic links")
}

// read returns what a file holds now; one that is missing, nothing.
func (a *Appender) read(target string) (version, error) {
	text, info, err := a.fs.Read(target, MaxFileBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return version{}, nil
	}
	return version{text, info}, err
}

// lock waits for the right to change the file. The lock is a file beside it, so
// that the file itself can be replaced, and is gone afterwards.
func (a *Appender) lock(ctx context.Context, target string) (unlock func() error, err error) {
	select {
	case a.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	done, err := a.fs.Lock(ctx, filepath.Join(filepath.Dir(target), "."+filepath.Base(target)+".lock"))
	if err != nil {
		<-a.turn
		return nil, explained(err)
	}
	return func() error {
		defer func() { <-a.turn }()
		return done()
	}, nil
}

// replace puts a text in the place of a version, and returns false if there is
// another version by then.
func (a *Appender) replace(target string, before version, after []byte) (changed bool, err error) {
	if before.info != nil {
		if err := a.fs.Writable(target); err != nil {
			return false, err
		}
	}
	temporary, err := a.write(filepath.Dir(target), before.info, after)
	if err != nil {
		return false, err
	}
	defer func() {
		if !changed {
			err = errors.Join(err, a.fs.Remove(temporary))
		}
	}()
	switch now, err := a.read(target); {
	case err != nil:
		return false, err
	case !now.same(before):
		return false, nil
	}
	if err := a.fs.Rename(temporary, target); err != nil {
		return false, err
	}
	return true, a.fs.SyncDir(filepath.Dir(target))
}

// write makes a synced file beside the target, with the mode and owner of what it
// is to replace.
func (a *Appender) write(dir string, like fs.FileInfo, text []byte) (name string, err error) {
	file, err := a.fs.Create(dir, like == nil)
	if err != nil {
		return "", explained(err)
	}
	err = func() error {
		if like != nil {
			if err := file.Imitate(like); err != nil {
				return err
			}
		}
		if _, err := file.Write(text); err != nil {
			return err
		}
		return file.Sync()
	}()
	if err = errors.Join(err, file.Close()); err != nil {
		return "", errors.Join(err, a.fs.Remove(file.Name()))
	}
	return file.Name(), nil
}

// explained says what it means when a new file can't be made.
func explained(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the folder must be there: %w", err)
	}
	return err
}

// errTooLarge refuses a file.
type errTooLarge int

// Error implements error.
func (n errTooLarge) Error() string { return fmt.Sprintf("the file is larger than %d bytes", int(n)) }
