// This file decides what writing to one open file does before and after the
// disk has refused a write.

//go:build !js && !wasip1 && !solaris && !aix && !plan9

package pebblekv

import (
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// guardedFile is a file of the store that Pebble writes, or its folder.
type guardedFile struct {
	vfs.File
	g     *guard
	name  string
	table bool // errors are reported: Pebble writes the table again
	log   bool // syncs are counted
}

// do runs one change of the file. The first refusal freezes the store; then,
// as after it, a table reports the failure and everything else success.
func (f *guardedFile) do(op string, change func() error) error {
	if f.g.cause.Load() == nil {
		if f.g.check(op, f.name, change()) == nil {
			return nil
		}
	}
	if f.table {
		return f.g.failure()
	}
	return nil
}

func (f *guardedFile) Write(p []byte) (n int, err error) {
	size := len(p) // the file may change p, not its length
	err = f.do("write", func() error { n, err = f.File.Write(p); return err })
	if err == nil {
		n = size
	}
	return n, err
}

func (f *guardedFile) WriteAt(p []byte, offset int64) (n int, err error) {
	err = f.do("write", func() error { n, err = f.File.WriteAt(p, offset); return err })
	if err == nil {
		n = len(p)
	}
	return n, err
}

func (f *guardedFile) Sync() error {
	f.countSync()
	return f.do("sync", f.File.Sync)
}

func (f *guardedFile) SyncData() error {
	f.countSync()
	return f.do("sync", f.File.SyncData)
}

func (f *guardedFile) countSync() {
	if f.log {
		f.g.syncs.Add(1)
	}
}

func (f *guardedFile) SyncTo(length int64) (full bool, err error) {
	err = f.do("sync", func() error { full, err = f.File.SyncTo(length); return err })
	return full, err
}

// Preallocate is a hint: the write that needs the space will tell.
func (f *guardedFile) Preallocate(offset, length int64) error {
	if f.g.cause.Load() == nil {
		_ = f.File.Preallocate(offset, length)
	}
	return nil
}

func (f *guardedFile) Close() error {
	if err := f.File.Close(); err != nil && f.g.cause.Load() == nil {
		f.g.fail(err)
	}
	return nil
}

// discardFile stands for a file that a failed store would have created: all
// writes succeed and go nowhere.
type discardFile struct{}

func (discardFile) Close() error                           { return nil }
func (discardFile) Read([]byte) (int, error)               { return 0, io.EOF }
func (discardFile) ReadAt([]byte, int64) (int, error)      { return 0, io.EOF }
func (discardFile) Write(p []byte) (int, error)            { return len(p), nil }
func (discardFile) WriteAt(p []byte, _ int64) (int, error) { return len(p), nil }
func (discardFile) Preallocate(int64, int64) error         { return nil }
func (discardFile) Stat() (vfs.FileInfo, error)            { return discardInfo{}, nil }
func (discardFile) Sync() error                            { return nil }
func (discardFile) SyncTo(int64) (bool, error)             { return true, nil }
func (discardFile) SyncData() error                        { return nil }
func (discardFile) Prefetch(int64, int64) error            { return nil }
func (discardFile) Fd() uintptr                            { return vfs.InvalidFd }

// discardInfo describes a discardFile: an empty one.
type discardInfo struct{}

func (discardInfo) Name() string           { return "" }
func (discardInfo) Size() int64            { return 0 }
func (discardInfo) Mode() fs.FileMode      { return 0o600 }
func (discardInfo) ModTime() time.Time     { return time.Time{} }
func (discardInfo) IsDir() bool            { return false }
func (discardInfo) Sys() any               { return nil }
func (discardInfo) DeviceID() vfs.DeviceID { return vfs.DeviceID{} }

var (
	_ vfs.File    = discardFile{}
	_ os.FileInfo = discardInfo{}
)
