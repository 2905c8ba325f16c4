// This file decides what happens when the disk refuses a write: the file
// system freezes, and Pebble is kept from noticing.

//go:build !js && !wasip1 && !solaris && !aix && !plan9

package pebblekv

import (
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/contextforge-go/contextforge/kv"
)

// Categories under which Pebble creates files.
const (
	categoryLog        = "pebble-wal"
	categoryFlush      = "pebble-memtable-flush"
	categoryCompaction = "pebble-compaction"
)

// guard wraps the file system of one store. While the disk obeys, it passes
// everything through. Pebble's answers to a refused write are to end the
// process (log, manifest), to panic holding locks (log rotation), or to retry
// without pause (tables), so the first refusal freezes the folder instead:
//
//   - The disk is not changed any more: no write, no sync, no removal. What is
//     there is what a crash at that moment would have left, which Pebble
//     recovers from, with every acknowledged commit.
//   - Writes to logs, manifests and markers report success and go nowhere. The
//     commits behind them are refused by Commit, which looks at the guard
//     before it acknowledges anything.
//   - Tables of a flush go to memory, so that commits which wait for one can
//     finish and what readers see stays complete. That is at most the write
//     buffers, as no new commits are admitted.
//   - Compactions wait for the store to be closed; while it is being opened, their
//     tables go to memory too.
//
// Only files directly inside the folder are guarded: a checkpoint elsewhere
// fails on its own.
type guard struct {
	vfs.FS
	dir    string
	logger *slog.Logger

	cause     atomic.Pointer[error] // why the store failed
	failed    chan struct{}         // closed on failure
	closing   chan struct{}         // closed when the store begins to close
	closeOnce sync.Once
	memory    *vfs.MemFS            // tables written after the failure
	outer     atomic.Pointer[error] // why a folder elsewhere could not be synced

	// opening is set until Pebble has opened the folder. What it writes meanwhile
	// is waited for, logs that are replayed into tables of any category included,
	// and nobody could close the store to end that.
	opening atomic.Bool

	syncs     atomic.Int64  // of logs
	lastLog   atomic.Uint64 // highest log number created
	freshLogs atomic.Bool   // don't recycle logs
}

func newGuard(fs vfs.FS, dir string, logger *slog.Logger) *guard {
	return &guard{
		FS: fs, dir: dir, logger: logger,
		failed: make(chan struct{}), closing: make(chan struct{}), memory: vfs.NewMem(),
	}
}

// failure returns the error of a failed store, or nil.
func (g *guard) failure() error {
	if err := g.cause.Load(); err != nil {
		return *err
	}
	return nil
}

// fail freezes the folder because of err; only the first call counts.
func (g *guard) fail(err error) {
	wrapped := fmt.Errorf("pebblekv: %s: %w; what was committed before is safe: "+
		"close the store, free space or repair the disk, and open it again (%w)", g.dir, kv.ErrFailed, err)
	if g.cause.CompareAndSwap(nil, &wrapped) {
		close(g.failed)
		g.logger.Error("store failed, writes are refused", "folder", g.dir, "error", oneLine(err.Error()))
	}
}

// check passes a success on and turns a refusal into the failed state.
func (g *guard) check(op, name string, err error) error {
	if err != nil {
		g.fail(fmt.Errorf("%s %s: %w", op, g.PathBase(name), err))
	}
	return err
}

// beginClose lets compactions that wait in a failed store end with an error.
func (g *guard) beginClose() { g.closeOnce.Do(func() { close(g.closing) }) }

// guarded reports whether name is a file of the store.
func (g *guard) guarded(name string) bool { return g.PathDir(name) == g.dir }

func isTable(name string) bool { return strings.HasSuffix(name, ".sst") }

// isFrozen reports whether changes of name must be swallowed.
func (g *guard) isFrozen(name string) bool { return g.guarded(name) && g.cause.Load() != nil }

func (g *guard) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if !g.guarded(name) {
		return g.FS.Create(name, category)
	}
	if g.cause.Load() == nil && g.syncBeforeMarker(name) {
		f, err := g.FS.Create(name, category)
		if g.check("create", name, err) == nil {
			return g.wrap(f, name, category), nil
		}
	}
	return g.createFrozen(name, category)
}

// syncBeforeMarker makes the folder durable before a marker is created in it.
// Pebble syncs it only afterwards, so a file system that doesn't keep the order
// of new names could lose the manifest that the marker points to.
func (g *guard) syncBeforeMarker(name string) bool {
	if !strings.HasPrefix(g.PathBase(name), "marker.") {
		return true
	}
	return g.check("sync", g.dir, syncFolder(g.FS, g.dir)) == nil
}

// createFrozen creates a file of a failed store anywhere but on disk.
func (g *guard) createFrozen(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if !isTable(name) {
		return discardFile{}, nil
	}
	if category == categoryFlush || g.opening.Load() {
		if err := g.memory.MkdirAll(g.dir, 0o700); err != nil {
			return nil, err
		}
		return g.memory.Create(name, category)
	}
	<-g.closing
	time.Sleep(time.Millisecond) // Pebble retries at once until it is closed
	return nil, g.failure()
}

func (g *guard) wrap(f vfs.File, name string, category vfs.DiskWriteCategory) vfs.File {
	if category == categoryLog {
		g.noteLog(name)
	}
	return &guardedFile{File: f, g: g, name: name, table: isTable(name), log: category == categoryLog}
}

// noteLog remembers the highest log number, the digits of its name.
func (g *guard) noteLog(name string) {
	if n, ok := logNumber(g.PathBase(name)); ok && n > g.lastLog.Load() {
		g.lastLog.Store(n)
	}
}

func (g *guard) ReuseForWrite(oldname, newname string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if !g.guarded(newname) {
		return g.FS.ReuseForWrite(oldname, newname, category)
	}
	// A recycled log still holds old values behind its end, and the old file
	// may have been removed for that reason.
	if _, err := g.FS.Stat(oldname); err != nil || g.freshLogs.Load() {
		if err == nil {
			_ = g.Remove(oldname)
		}
		return g.Create(newname, category)
	}
	if g.cause.Load() == nil {
		f, err := g.FS.ReuseForWrite(oldname, newname, category)
		if g.check("recycle", newname, err) == nil {
			return g.wrap(f, newname, category), nil
		}
	}
	return g.createFrozen(newname, category)
}

func (g *guard) OpenReadWrite(name string, category vfs.DiskWriteCategory, opts ...vfs.OpenOption) (vfs.File, error) {
	if !g.guarded(name) {
		return g.FS.OpenReadWrite(name, category, opts...)
	}
	if g.cause.Load() == nil {
		f, err := g.FS.OpenReadWrite(name, category, opts...)
		if g.check("open", name, err) == nil {
			return g.wrap(f, name, category), nil
		}
	}
	return discardFile{}, nil
}

// Open prefers a table written to memory: a file of that name on disk is what
// the failed attempt left.
func (g *guard) Open(name string, opts ...vfs.OpenOption) (vfs.File, error) {
	if g.isFrozen(name) && isTable(name) {
		if f, err := g.memory.Open(name, opts...); err == nil {
			return f, nil
		}
	}
	return g.FS.Open(name, opts...)
}

func (g *guard) Stat(name string) (vfs.FileInfo, error) {
	if g.isFrozen(name) && isTable(name) {
		if info, err := g.memory.Stat(name); err == nil {
			return info, nil
		}
	}
	return g.FS.Stat(name)
}

func (g *guard) OpenDir(name string) (vfs.File, error) {
	f, err := g.FS.OpenDir(name)
	switch {
	case err != nil:
		return nil, err
	case name != g.dir:
		return &outerFolder{f, g}, nil
	}
	return &guardedFile{File: f, g: g, name: name}, nil
}

// outerFolder is the folder of a checkpoint. Pebble panics when a folder can't
// be synced, so the error is kept for the checkpoint to return.
type outerFolder struct {
	vfs.File
	g *guard
}

func (f *outerFolder) Sync() error {
	if err := f.File.Sync(); err != nil {
		f.g.outer.CompareAndSwap(nil, &err)
	}
	return nil
}

func (g *guard) Remove(name string) error {
	if g.isFrozen(name) {
		_ = g.memory.Remove(name)
		return nil
	}
	err := g.FS.Remove(name)
	if g.guarded(name) && !isNotExist(err) {
		// Pebble shrugs such an error off, but a deleted value would stay.
		_ = g.check("remove", name, err)
	}
	return err
}

func (g *guard) RemoveAll(name string) error {
	if g.isFrozen(name) {
		return nil
	}
	return g.FS.RemoveAll(name)
}

func (g *guard) Rename(oldname, newname string) error {
	if !g.guarded(newname) {
		return g.FS.Rename(oldname, newname)
	}
	if g.cause.Load() == nil {
		_ = g.check("rename", newname, g.FS.Rename(oldname, newname))
	}
	return nil
}

func (g *guard) Link(oldname, newname string) error {
	if !g.guarded(newname) {
		return g.FS.Link(oldname, newname)
	}
	if g.cause.Load() == nil {
		_ = g.check("link", newname, g.FS.Link(oldname, newname))
	}
	return nil
}

func (g *guard) Unwrap() vfs.FS { return g.FS }
