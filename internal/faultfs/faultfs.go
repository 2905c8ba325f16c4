// This file decides which calls count as changes.

//go:build !js && !wasip1 && !solaris && !aix && !plan9

package faultfs

import (
	"errors"
	"os"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// ErrShort, when wrapped by what the function returns for a write, lets half of
// the bytes through.
var ErrShort = errors.New("faultfs: short write")

// Kind is a kind of change.
type Kind string

// The kinds of changes.
const (
	Create      Kind = "create"
	Link        Kind = "link"
	Remove      Kind = "remove"
	Rename      Kind = "rename"
	Reuse       Kind = "reuse" // of a file under another name
	Mkdir       Kind = "mkdir"
	OpenWrite   Kind = "open for writing"
	Write       Kind = "write"
	Preallocate Kind = "preallocate"
	Sync        Kind = "sync" // of a file or a folder
)

// Op is one change. Path is the file or folder that is written, created or
// removed; of two the new one.
type Op struct {
	Kind Kind
	Path string
}

// FS is a file system whose changes are announced.
type FS struct {
	vfs.FS
	before func(Op) error
}

// Wrap returns fs with before called ahead of every change; an error of it
// makes the change fail.
func Wrap(fs vfs.FS, before func(Op) error) *FS { return &FS{fs, before} }

// Unwrap implements vfs.FS.
func (f *FS) Unwrap() vfs.FS { return f.FS }

func (f *FS) file(name string, open func() (vfs.File, error), kind Kind) (vfs.File, error) {
	if err := f.before(Op{kind, name}); err != nil {
		return nil, err
	}
	inner, err := open()
	if err != nil {
		return nil, err
	}
	return &file{inner, name, f.before}, nil
}

// Create implements vfs.FS.
func (f *FS) Create(name string, c vfs.DiskWriteCategory) (vfs.File, error) {
	return f.file(name, func() (vfs.File, error) { return f.FS.Create(name, c) }, Create)
}

// OpenReadWrite implements vfs.FS.
func (f *FS) OpenReadWrite(name string, c vfs.DiskWriteCategory, o ...vfs.OpenOption) (vfs.File, error) {
	return f.file(name, func() (vfs.File, error) { return f.FS.OpenReadWrite(name, c, o...) }, OpenWrite)
}

// ReuseForWrite implements vfs.FS.
func (f *FS) ReuseForWrite(from, to string, c vfs.DiskWriteCategory) (vfs.File, error) {
	return f.file(to, func() (vfs.File, error) { return f.FS.ReuseForWrite(from, to, c) }, Reuse)
}

// OpenDir implements vfs.FS; what is announced is a sync of the folder.
func (f *FS) OpenDir(name string) (vfs.File, error) {
	inner, err := f.FS.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return &file{inner, name, f.before}, nil
}

// Link implements vfs.FS.
func (f *FS) Link(from, to string) error {
	return f.change(Link, to, func() error { return f.FS.Link(from, to) })
}

// Rename implements vfs.FS.
func (f *FS) Rename(from, to string) error {
	return f.change(Rename, to, func() error { return f.FS.Rename(from, to) })
}

// Remove implements vfs.FS.
func (f *FS) Remove(name string) error {
	return f.change(Remove, name, func() error { return f.FS.Remove(name) })
}

// RemoveAll implements vfs.FS.
func (f *FS) RemoveAll(name string) error {
	return f.change(Remove, name, func() error { return f.FS.RemoveAll(name) })
}

// MkdirAll implements vfs.FS.
func (f *FS) MkdirAll(dir string, mode os.FileMode) error {
	return f.change(Mkdir, dir, func() error { return f.FS.MkdirAll(dir, mode) })
}

func (f *FS) change(kind Kind, name string, do func() error) error {
	if err := f.before(Op{kind, name}); err != nil {
		return err
	}
	return do()
}

// file announces the changes of one open file or folder.
type file struct {
	vfs.File
	name   string
	before func(Op) error
}

func (f *file) Write(p []byte) (int, error) {
	if err := f.before(Op{Write, f.name}); err != nil {
		return f.short(err, p, f.File.Write)
	}
	return f.File.Write(p)
}

func (f *file) WriteAt(p []byte, offset int64) (int, error) {
	if err := f.before(Op{Write, f.name}); err != nil {
		return f.short(err, p, func(p []byte) (int, error) { return f.File.WriteAt(p, offset) })
	}
	return f.File.WriteAt(p, offset)
}

// short writes what a refused write leaves behind.
func (f *file) short(refused error, p []byte, write func([]byte) (int, error)) (int, error) {
	if !errors.Is(refused, ErrShort) {
		return 0, refused
	}
	n, err := write(p[:len(p)/2])
	return n, errors.Join(refused, err)
}

func (f *file) Preallocate(offset, length int64) error {
	if err := f.before(Op{Preallocate, f.name}); err != nil {
		return err
	}
	return f.File.Preallocate(offset, length)
}

func (f *file) Sync() error {
	if err := f.before(Op{Sync, f.name}); err != nil {
		return err
	}
	return f.File.Sync()
}

func (f *file) SyncData() error {
	if err := f.before(Op{Sync, f.name}); err != nil {
		return err
	}
	return f.File.SyncData()
}

func (f *file) SyncTo(length int64) (bool, error) {
	if err := f.before(Op{Sync, f.name}); err != nil {
		return false, err
	}
	return f.File.SyncTo(length)
}
