// This file decides what the store needs of a file system, and supplies it
// from the operating system's.

package memkv

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// fileSystem is the part of a file system that the store uses; tests inject
// faults and power losses here.
type fileSystem interface {
	MkdirAll(dir string) error
	List(dir string) ([]fs.DirEntry, error)
	ReadFile(name string) ([]byte, error)
	// Create opens an empty file, replacing what was there.
	Create(name string) (file, error)
	// OpenWrite opens an existing file without changing it.
	OpenWrite(name string) (file, error)
	Rename(from, to string) error
	Remove(name string) error
	// SyncDir makes the folder's entries durable where the platform can.
	SyncDir(dir string) error
	// Lock claims the folder; it returns an error that matches errLocked if
	// somebody else has it.
	Lock(name string) (io.Closer, error)
}

// file is an open file that is only written.
type file interface {
	io.WriterAt
	io.Closer
	Truncate(size int64) error
	Sync() error
}

// errLocked is returned by Lock when the folder is taken.
var errLocked = errors.New("lock held")

type osFiles struct{}

func (osFiles) MkdirAll(dir string) error              { return os.MkdirAll(dir, 0o700) }
func (osFiles) List(dir string) ([]fs.DirEntry, error) { return os.ReadDir(dir) }
func (osFiles) ReadFile(name string) ([]byte, error)   { return os.ReadFile(name) }
func (osFiles) Rename(from, to string) error           { return os.Rename(from, to) }
func (osFiles) Remove(name string) error               { return os.Remove(name) }
func (osFiles) Lock(name string) (io.Closer, error)    { return lockFile(name) }

func (osFiles) Create(name string) (file, error) {
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
}

func (osFiles) OpenWrite(name string) (file, error) {
	return os.OpenFile(name, os.O_RDWR, 0o600)
}

func (osFiles) SyncDir(dir string) error {
	switch runtime.GOOS {
	case "windows", "js", "wasip1", "plan9":
		return nil // a folder can't be synced there
	}
	d, err := os.Open(filepath.Clean(dir))
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
