// This file decides which folder may be salvaged, how others are kept out of it
// and how its state is recognised again.

//go:build !js && !wasip1 && !solaris && !aix && !plan9

package pebblekv

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/contextforge-go/contextforge/kv"
)

// Wreck is a damaged store's folder, in which nothing is ever changed. Its
// methods are for one goroutine.
type Wreck struct {
	fs   vfs.FS
	dir  string
	opts Options
	lock io.Closer // nil if there is nothing to lock
	ours bool
}

// Hold keeps everybody else out of the damaged store in dir until
// [Wreck.Release]. It returns kv.ErrLocked if the folder is in use, and
// kv.ErrForeign, touching nothing, if it has a newer format, or neither says
// that it is a store nor has a table or a log.
func Hold(dir string, o Options) (*Wreck, error) {
	w, err := newWreck(dir, o)
	if err == nil {
		err = w.claim()
	}
	if err != nil {
		return nil, fmt.Errorf("pebblekv: hold %s: %w", dir, err)
	}
	return w, nil
}

func newWreck(dir string, o Options) (*Wreck, error) {
	w := &Wreck{fs: o.FS, dir: dir, opts: o}
	if w.fs == nil {
		w.fs = privateFS{vfs.Default}
		var err error
		if w.dir, err = realPath(dir); err != nil {
			return nil, err
		}
	}
	names, err := w.fs.List(w.dir)
	if err != nil {
		return nil, err
	}
	return w, w.inspect(names)
}

// inspect finds out whose folder it is.
func (w *Wreck) inspect(names []string) error {
	_, marked, err := readMark(w.fs, w.dir)
	if err != nil {
		return err
	}
	w.ours = marked
	if slices.Contains(names, formatName) {
		err := checkFormat(w.fs, w.dir)
		switch {
		case errors.Is(err, errNewer):
			return err
		case err == nil:
			w.ours = true
		case !errors.Is(err, kv.ErrForeign) && !errors.Is(err, kv.ErrCorrupt):
			return err
		}
	}
	isData := func(name string) bool { _, isLog := logNumber(name); return isLog || isTable(name) }
	if !w.ours && !slices.ContainsFunc(names, isData) {
		return fmt.Errorf("it has no table and no log: %w", kv.ErrForeign)
	}
	return nil
}

// claim locks the folder. One that isn't known as a store's can't be open as
// one, so that no lock file need be made there.
func (w *Wreck) claim() (err error) {
	if !w.ours {
		if _, err := w.fs.Stat(w.fs.PathJoin(w.dir, lockName)); isNotExist(err) {
			return nil
		}
	}
	w.lock, err = lockFolder(w.fs, w.dir)
	return err
}

// Ours reports whether a file in the folder says that it is a store's. If not,
// it may be one that has lost that file, or another program's.
func (w *Wreck) Ours() bool { return w.ours }

// Fingerprint returns a text that changes when the folder does: it covers the
// names, sizes and times of the files and the newest acknowledged commit. It
// stays when the folder is moved.
func (w *Wreck) Fingerprint() (string, error) {
	names, err := w.fs.List(w.dir)
	if err != nil {
		return "", err
	}
	slices.Sort(names)
	h := sha256.New()
	for _, name := range names {
		if name == lockName { // reading it would give up the lock
			continue
		}
		info, err := w.fs.Stat(w.fs.PathJoin(w.dir, name))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%q %d %d\n", name, info.Size(), info.ModTime().UnixNano())
	}
	mark, known, err := readMark(w.fs, w.dir)
	if err != nil {
		return "", err
	}
	fmt.Fprintln(h, mark.Acknowledged, mark.Lost, known)
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Release lets others into the folder again, wherever it is by now. Further
// calls do nothing.
func (w *Wreck) Release() error {
	if w.lock == nil {
		return nil
	}
	lock := w.lock
	w.lock = nil
	return lock.Close()
}
