// This file decides whose folder it is, and who may read it.

//go:build !js && !wasip1 && !solaris && !aix && !plan9

package pebblekv

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/contextforge-go/contextforge/kv"
)

const (
	formatName   = "CONTEXTFORGE"
	newName      = formatName + ".new" // there until a new store is complete
	lockName     = "LOCK"
	formatPrefix = "contextforge pebblekv "
	format       = 1
)

// errNewer reports a format of a later version.
var errNewer = fmt.Errorf("%w", kv.ErrForeign)

// privateFS creates files and folders that only their owner can read.
type privateFS struct{ vfs.FS }

func (p privateFS) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := p.FS.Create(name, c)
	if err == nil {
		// Where the platform has no such permissions the folder protects.
		_ = os.Chmod(name, 0o600)
	}
	return f, err
}

func (p privateFS) OpenReadWrite(name string, c vfs.DiskWriteCategory, opts ...vfs.OpenOption) (vfs.File, error) {
	f, err := p.FS.OpenReadWrite(name, c, opts...)
	if err == nil {
		_ = os.Chmod(name, 0o600)
	}
	return f, err
}

// Lock makes the lock file, and one of an earlier version, private too.
func (p privateFS) Lock(name string) (io.Closer, error) {
	lock, err := p.FS.Lock(name)
	if err == nil {
		_ = os.Chmod(name, 0o600)
	}
	return lock, err
}

func (p privateFS) MkdirAll(dir string, _ os.FileMode) error { return p.FS.MkdirAll(dir, 0o700) }

func (p privateFS) Unwrap() vfs.FS { return p.FS }

// makeFolder creates dir and its parents durably.
func makeFolder(fs vfs.FS, dir string) error {
	var missing []string
	for at := dir; ; at = fs.PathDir(at) {
		if _, err := fs.Stat(at); err == nil {
			missing = append(missing, at)
			break
		} else if !isNotExist(err) || at == fs.PathDir(at) {
			break
		}
		missing = append(missing, at)
	}
	if err := fs.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	// Every folder that was created is an entry of its parent.
	for _, at := range missing[1:] {
		if err := syncFolder(fs, at); err != nil {
			return err
		}
	}
	return nil
}

func syncFolder(fs vfs.FS, dir string) error {
	d, err := fs.OpenDir(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// checkFolder reports whether dir is free for a new store, or returns
// kv.ErrForeign, or kv.ErrCorrupt for a store of ours that has lost the file
// that says so. Files that systems and crashed programs strew (hidden ones,
// empty *.tmp, Thumbs.db ...) count as nothing.
func checkFolder(fs vfs.FS, dir string) (isNew bool, err error) {
	names, err := fs.List(dir)
	if err != nil {
		return false, err
	}
	foreign := ""
	for _, name := range names {
		switch {
		case name == formatName:
			return false, checkFormat(fs, dir)
		case name == lockName || name == formatName+".tmp" || name == newName || isStray(fs, dir, name):
		default:
			foreign = name
		}
	}
	if foreign == "" {
		return true, nil
	}
	if _, marked, err := readMark(fs, dir); err != nil || marked {
		return false, errors.Join(err, fmt.Errorf("%s is missing: %w", formatName, kv.ErrCorrupt))
	}
	return false, fmt.Errorf("the folder holds other files, such as %q: %w", foreign, kv.ErrForeign)
}

func isStray(fs vfs.FS, dir, name string) bool {
	switch strings.ToLower(name) {
	case "thumbs.db", "desktop.ini", "lost+found":
		return true
	}
	if strings.HasPrefix(name, ".") {
		return true
	}
	info, err := fs.Stat(fs.PathJoin(dir, name))
	return strings.HasSuffix(name, ".tmp") && err == nil && !info.IsDir() && info.Size() == 0
}

// checkFormat reads the format file.
func checkFormat(fs vfs.FS, dir string) error {
	f, err := fs.Open(fs.PathJoin(dir, formatName))
	if err != nil {
		return err
	}
	data, err := io.ReadAll(f)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	number, isOurs := strings.CutPrefix(strings.TrimSpace(string(data)), formatPrefix)
	n, err := strconv.Atoi(number)
	switch {
	case !isOurs || err != nil || n < 1:
		kind := kv.ErrForeign
		if _, marked, err := readMark(fs, dir); err == nil && marked {
			kind = kv.ErrCorrupt
		}
		return fmt.Errorf("%s doesn't name a format (%.40q): %w", formatName, data, kind)
	case n > format:
		return fmt.Errorf("the folder has format %d, this version knows %d; use a newer version (%w)", n, format, errNewer)
	}
	return nil
}

// beginCreation claims the folder. A crash from here on leaves either nothing
// or a folder known as ours and as unfinished.
func beginCreation(fs vfs.FS, dir string) error {
	f, err := fs.Create(fs.PathJoin(dir, newName), vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	if err := errors.Join(f.Close(), syncFolder(fs, dir)); err != nil {
		return err
	}
	return writeFormat(fs, dir)
}

// endCreation makes the folder a finished store, before anything is in it.
func endCreation(fs vfs.FS, dir string) error {
	if err := fs.Remove(fs.PathJoin(dir, newName)); err != nil {
		return err
	}
	return syncFolder(fs, dir)
}

// isUnfinished reports whether the creation of the store in dir was cut off.
func isUnfinished(fs vfs.FS, dir string) bool {
	_, err := fs.Stat(fs.PathJoin(dir, newName))
	return err == nil
}

// holdsData reports whether anything but the beginnings of a store is in dir,
// whatever else says that it is unfinished.
func holdsData(fs vfs.FS, dir string) (bool, error) {
	_, marked, err := readMark(fs, dir)
	if err != nil || marked {
		return marked, err
	}
	names, err := fs.List(dir)
	return slices.ContainsFunc(names, isTable), err
}

// writeFormat writes the file that says whose folder it is.
func writeFormat(fs vfs.FS, dir string) error {
	name := fs.PathJoin(dir, formatName)
	f, err := fs.Create(name+".tmp", vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "%s%d\n", formatPrefix, format)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := fs.Rename(name+".tmp", name); err != nil {
		return err
	}
	return syncFolder(fs, dir)
}
