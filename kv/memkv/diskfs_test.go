// This file supplies a file system in memory that loses power and refuses
// writes on demand.

package memkv

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"sort"
	"sync"
	"time"
)

// diskFS is a flat file system: what is in a folder is what has its name as
// path. It remembers what a power loss would leave.
type diskFS struct {
	mu      sync.Mutex
	names   map[string]*diskFile // what programs see
	durable map[string]*diskFile // entries after the last SyncDir
	locked  map[string]bool
	changes int // changing operations so far
	from    int // the first refused, 0 for none
	until   int // the last refused, 0 for no end
}

type diskFile struct {
	fs     *diskFS
	data   []byte
	synced []byte
}

func newDiskFS() *diskFS {
	return &diskFS{names: map[string]*diskFile{}, durable: map[string]*diskFile{}, locked: map[string]bool{}}
}

// errNoSpace is the refusal; not every platform has a number for it.
var errNoSpace = errors.New("no space left on the test device")

// change counts a changing operation and says whether the disk refuses it.
func (d *diskFS) change() error {
	d.changes++
	if d.from > 0 && d.changes >= d.from && (d.until == 0 || d.changes <= d.until) {
		return errNoSpace
	}
	return nil
}

// crash returns the disk after a power loss. Of unsynced data and entries an
// arbitrary part has reached it, none if rng is nil.
func (d *diskFS) crash(rng *rand.Rand) *diskFS {
	d.mu.Lock()
	defer d.mu.Unlock()
	after := newDiskFS()
	all := map[string]bool{}
	for name := range d.names {
		all[name] = true
	}
	for name := range d.durable {
		all[name] = true
	}
	sorted := make([]string, 0, len(all))
	for name := range all {
		sorted = append(sorted, name)
	}
	sort.Strings(sorted)
	for _, name := range sorted {
		f := d.durable[name]
		if now := d.names[name]; rng != nil && now != f && rng.IntN(2) == 0 {
			f = now
		}
		if f == nil {
			continue
		}
		data := bytes.Clone(f.synced)
		if n := len(f.data) - len(data); rng != nil && n > 0 {
			data = append(data, f.data[len(data):len(data)+rng.IntN(n+1)]...)
		}
		left := &diskFile{fs: after, data: data, synced: bytes.Clone(data)}
		after.names[name], after.durable[name] = left, left
	}
	return after
}

func (d *diskFS) MkdirAll(string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.change()
}

func (d *diskFS) List(dir string) (entries []fs.DirEntry, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for name, f := range d.names {
		if filepath.Dir(name) == filepath.Clean(dir) {
			entries = append(entries, fs.FileInfoToDirEntry(diskInfo{filepath.Base(name), int64(len(f.data))}))
		}
	}
	sort.Slice(entries, func(i, j int) bool { return entries[i].Name() < entries[j].Name() })
	return entries, nil
}

func (d *diskFS) ReadFile(name string) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f := d.names[name]
	if f == nil {
		return nil, fs.ErrNotExist
	}
	return bytes.Clone(f.data), nil
}

func (d *diskFS) Create(name string) (file, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.change(); err != nil {
		return nil, err
	}
	f := d.names[name]
	if f == nil {
		f = &diskFile{fs: d}
		d.names[name] = f
	}
	f.data = nil
	return f, nil
}

func (d *diskFS) OpenWrite(name string) (file, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if f := d.names[name]; f != nil {
		return f, nil
	}
	return nil, fs.ErrNotExist
}

func (d *diskFS) Rename(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.change(); err != nil {
		return err
	}
	if d.names[from] == nil {
		return fs.ErrNotExist
	}
	d.names[to] = d.names[from]
	delete(d.names, from)
	return nil
}

func (d *diskFS) Remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.change(); err != nil {
		return err
	}
	if d.names[name] == nil {
		return fs.ErrNotExist
	}
	delete(d.names, name)
	return nil
}

func (d *diskFS) SyncDir(string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.change(); err != nil {
		return err
	}
	clear(d.durable)
	for name, f := range d.names {
		d.durable[name] = f
	}
	return nil
}

func (d *diskFS) Lock(name string) (io.Closer, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.locked[name] {
		return nil, errLocked
	}
	d.locked[name] = true
	return unlock(func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.locked, name)
	}), nil
}

type unlock func()

func (u unlock) Close() error {
	u()
	return nil
}

func (f *diskFile) WriteAt(p []byte, offset int64) (int, error) {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	n := len(p)
	err := f.fs.change()
	if err != nil {
		n /= 2 // a full disk takes a part
	}
	if need := int(offset) + n; need > len(f.data) {
		f.data = append(f.data, make([]byte, need-len(f.data))...)
	}
	copy(f.data[offset:], p[:n])
	// Overwritten bytes that were synced may be old or new; new is simpler.
	copy(f.synced[min(int(offset), len(f.synced)):], p[:n])
	return n, err
}

func (f *diskFile) Truncate(size int64) error {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	if err := f.fs.change(); err != nil {
		return err
	}
	f.data = f.data[:size]
	f.synced = f.synced[:min(int(size), len(f.synced))]
	return nil
}

func (f *diskFile) Sync() error {
	f.fs.mu.Lock()
	defer f.fs.mu.Unlock()
	if err := f.fs.change(); err != nil {
		return err
	}
	f.synced = bytes.Clone(f.data)
	return nil
}

func (f *diskFile) Close() error { return nil }

type diskInfo struct {
	name string
	size int64
}

func (i diskInfo) Name() string       { return i.name }
func (i diskInfo) Size() int64        { return i.size }
func (i diskInfo) Mode() fs.FileMode  { return 0o600 }
func (i diskInfo) ModTime() time.Time { return time.Time{} }
func (i diskInfo) IsDir() bool        { return false }
func (i diskInfo) Sys() any           { return nil }
