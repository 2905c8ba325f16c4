// This file decides where and when the number of the newest acknowledged
// commit is noted.

//go:build !js && !wasip1 && !solaris && !aix && !plan9

package pebblekv

import (
	"errors"
	"io"
	"sync"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/contextforge-go/contextforge/kv/internal/ackmark"
)

const ackName = "ACKNOWLEDGED"

// acknowledged is the mark and its file.
type acknowledged struct {
	mu   sync.Mutex
	mark ackmark.Mark
	kept ackmark.Mark // what the disk is known to hold
	file vfs.File
}

// readMark returns the mark in dir; a missing or damaged file knows nothing.
func readMark(fs vfs.FS, dir string) (mark ackmark.Mark, known bool, err error) {
	f, err := fs.Open(fs.PathJoin(dir, ackName))
	if isNotExist(err) {
		return mark, false, nil
	}
	if err != nil {
		return mark, false, err
	}
	data, err := io.ReadAll(f)
	mark, known = ackmark.Decode(data)
	return mark, known, errors.Join(err, f.Close())
}

// openMark opens the mark's file, which holds before if that is known, and
// makes mark its durable content.
func openMark(fs vfs.FS, dir string, before, mark ackmark.Mark, known bool) (*acknowledged, error) {
	f, err := fs.OpenReadWrite(fs.PathJoin(dir, ackName), vfs.WriteCategoryUnspecified)
	if err != nil {
		return nil, err
	}
	a := &acknowledged{mark: mark, kept: before, file: f}
	if known {
		err = a.sync()
	} else {
		a.kept = mark
		err = errors.Join(a.write(), f.Sync(), syncFolder(fs, dir))
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return a, nil
}

// advance notes that commit n is durable. It costs one write into the page
// cache; an error has failed the store by way of the guard.
func (a *acknowledged) advance(n uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if n <= a.mark.Acknowledged {
		return
	}
	a.mark.Acknowledged = n
	_ = a.write()
}

func (a *acknowledged) write() error {
	b := a.mark.Encode()
	_, err := a.file.WriteAt(b[:], 0)
	return err
}

// sync makes the mark durable, if it isn't.
func (a *acknowledged) sync() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.mark == a.kept {
		return nil
	}
	if err := errors.Join(a.write(), a.file.Sync()); err != nil {
		return err
	}
	a.kept = a.mark
	return nil
}

// lost returns how many acknowledged commits were found missing.
func (a *acknowledged) lost() uint64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.mark.Lost
}

func (a *acknowledged) acceptLoss() error {
	a.mu.Lock()
	a.mark.Lost = 0
	a.mu.Unlock()
	return a.sync()
}

// writeMarkFile writes mark as a new file.
func writeMarkFile(fs vfs.FS, dir string, mark ackmark.Mark) error {
	a, err := openMark(fs, dir, ackmark.Mark{}, mark, false)
	if err != nil {
		return err
	}
	return a.file.Close()
}
