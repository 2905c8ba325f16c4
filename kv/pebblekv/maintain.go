// This file decides how the store is flushed, compacted, copied and checked.

//go:build !js && !wasip1 && !solaris && !aix && !plan9

package pebblekv

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/internal/ackmark"
)

// Flush writes all commits into tables and makes them durable.
func (s *Store) Flush() error {
	if err := s.begin(); err != nil {
		return err
	}
	defer s.gate.Leave()
	return s.flush()
}

func (s *Store) flush() (err error) {
	defer s.recoverPanic(&err)
	s.commitMu.Lock()
	sequence := s.sequence
	s.commitMu.Unlock()
	done, err := s.db.AsyncFlush()
	if err != nil {
		return s.writeError(err)
	}
	select {
	case <-done:
	case <-s.guard.failed:
	}
	if err := s.guard.failure(); err != nil {
		return err
	}
	s.ack.advance(sequence)
	return s.writeError(s.ack.sync())
}

// Compact rewrites all tables and removes old logs; see kv.Store. It takes
// time and disk space in proportion to the store.
func (s *Store) Compact(ctx context.Context) error {
	if err := s.begin(); err != nil {
		return err
	}
	defer s.gate.Leave()
	if err := ctx.Err(); err != nil {
		return err
	}
	s.brake.whole.Add(1)
	defer s.brake.whole.Add(-1)
	s.guard.freshLogs.Store(true)
	defer s.guard.freshLogs.Store(false)
	// First everything into tables: one that Pebble moves down unread keeps the
	// keys of what was deleted.
	if err := s.flush(); err != nil {
		return err
	}
	oldLogs := s.guard.lastLog.Load()
	if err := s.touchTables(); err != nil {
		return err
	}
	if err := s.flush(); err != nil {
		return err
	}
	if err := s.compactPebble(ctx); err != nil {
		return err
	}
	// One more change of the table set makes Pebble begin a new manifest.
	if _, err := s.applyEmpty(); err != nil {
		return err
	}
	if err := s.flush(); err != nil {
		return err
	}
	if err := s.removeOld(oldLogs); err != nil {
		return err
	}
	return s.awaitRemoval(ctx)
}

func (s *Store) applyEmpty() (uint64, error) {
	b := s.db.NewBatch()
	defer b.Close()
	return s.apply(b, kv.NoSync)
}

// touchTables writes the first key of every table again, unchanged. Pebble
// leaves the lowest level alone when nothing above overlaps it; now something
// overlaps every table, so that all are rewritten without what a snapshot, since
// closed, once made it keep.
func (s *Store) touchTables() (err error) {
	defer s.recoverPanic(&err)
	b := s.db.NewBatch()
	defer b.Close()
	s.commitMu.Lock()
	defer s.commitMu.Unlock()
	levels, err := s.db.SSTables()
	if err != nil {
		return readError(err)
	}
	for _, level := range levels {
		for _, table := range level {
			if err := s.touch(b, table.Smallest.UserKey); err != nil {
				return readError(err)
			}
		}
	}
	_, err = s.enqueueLocked(b, kv.NoSync)
	return s.writeError(err)
}

func (s *Store) touch(b *pebble.Batch, key []byte) error {
	v, closer, err := s.db.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return b.Delete(key, nil)
	}
	if err != nil {
		return err
	}
	return errors.Join(b.Set(key, v, nil), closer.Close())
}

// compactPebble compacts the whole key space. In a failed store Pebble's call
// would not return before Close, so it is left behind.
func (s *Store) compactPebble(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	s.work.Go(func() {
		var err error
		defer func() { done <- err }()
		defer s.recoverPanic(&err)
		err = s.db.Compact(ctx, []byte{0}, []byte{0xFF, 0xFF}, false)
	})
	select {
	case err := <-done:
		if failed := s.guard.failure(); failed != nil {
			return failed
		}
		return readError(err)
	case <-ctx.Done():
		return ctx.Err()
	case <-s.guard.failed:
		return s.guard.failure()
	}
}

// logNumber returns the number in the name of a log.
func logNumber(name string) (uint64, bool) {
	digits, isLog := strings.CutSuffix(name, ".log")
	n, err := strconv.ParseUint(digits, 10, 64)
	return n, isLog && err == nil
}

// removeOld removes logs up to the given number, whose contents are in tables
// by now though Pebble keeps some to recycle them, and manifests but the
// newest, which Pebble keeps for debugging. It copes with their absence.
func (s *Store) removeOld(lastLog uint64) error {
	s.removeMu.Lock()
	defer s.removeMu.Unlock()
	names, err := s.guard.List(s.dir)
	if err != nil {
		return err
	}
	// The manifest in use is the one that the marker names. A newer one may be
	// under way in the background: until the marker has moved, durably, it is
	// this one that must stay.
	desc, err := pebble.Peek(s.dir, s.guard)
	if err != nil {
		return readError(err)
	}
	current := s.guard.PathBase(desc.ManifestFilename)
	if err := syncFolder(s.guard, s.dir); err != nil {
		return s.writeError(err)
	}
	for _, name := range names {
		n, isLog := logNumber(name)
		if isLog && n <= lastLog || isOlderManifest(name, current) {
			if err := s.guard.Remove(s.guard.PathJoin(s.dir, name)); err != nil && !isNotExist(err) {
				return s.writeError(err)
			}
		}
	}
	return s.writeError(syncFolder(s.guard, s.dir))
}

// isOlderManifest compares names whose numbers grow in length too.
func isOlderManifest(name, current string) bool {
	return strings.HasPrefix(name, "MANIFEST-") &&
		(len(name) < len(current) || len(name) == len(current) && name < current)
}

// awaitRemoval waits until Pebble has removed the tables that were replaced.
// An open reader may keep some for as long as it likes, so then it doesn't.
func (s *Store) awaitRemoval(ctx context.Context) error {
	for s.guard.failure() == nil {
		m := s.db.Metrics()
		if m.Table.ObsoleteCount == 0 && (m.Table.ZombieCount == 0 || s.gate.Readers() > 0) {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Millisecond):
		}
	}
	return s.guard.failure()
}

// Checkpoint writes a copy into dir, sharing unchanged tables by hard links
// where the file system can; see kv.Store.
func (s *Store) Checkpoint(ctx context.Context, dir string) error {
	if err := s.begin(); err != nil {
		return err
	}
	defer s.gate.Leave()
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.checkpoint(dir); err != nil {
		return fmt.Errorf("pebblekv: checkpoint into %s: %w", dir, err)
	}
	return nil
}

func (s *Store) checkpoint(dir string) (err error) {
	defer s.recoverPanic(&err)
	fs := s.guard.FS
	if dir, err = s.outside(dir); err != nil {
		return err
	}
	if names, err := fs.List(dir); err == nil {
		if len(names) > 0 {
			return errors.New("the folder for the copy is not empty")
		}
		if err := fs.Remove(dir); err != nil {
			return err
		}
	}
	if err := makeFolder(fs, fs.PathDir(dir)); err != nil {
		return err
	}
	s.commitMu.Lock()
	mark := ackmark.Mark{Acknowledged: s.sequence}
	s.commitMu.Unlock()
	s.removeMu.Lock()
	defer s.removeMu.Unlock()
	s.guard.outer.Store(nil)
	if err := s.db.Checkpoint(dir, pebble.WithFlushedWAL()); err != nil {
		return err
	}
	if err := s.guard.outer.Load(); err != nil {
		return *err
	}
	if err := s.guard.failure(); err != nil {
		return err
	}
	if err := writeMarkFile(fs, dir, mark); err != nil {
		return err
	}
	return writeFormat(fs, dir) // last: a folder without it is no store
}

// outside returns the real path of a folder for a copy. In the store's own
// folder a copy would outlive what is deleted and compacted away.
func (s *Store) outside(dir string) (_ string, err error) {
	if dir == "" {
		return "", errors.New("the folder for the copy has no name")
	}
	if s.opts.FS == nil {
		if dir, err = realPath(dir); err != nil {
			return "", err
		}
	}
	fs := s.guard.FS
	for at := fs.PathDir(dir); ; at = fs.PathDir(at) {
		if at == s.dir {
			return "", fmt.Errorf("the folder for the copy is inside the store's folder %s", s.dir)
		}
		if at == fs.PathDir(at) {
			return dir, nil
		}
	}
}

// AcceptLoss makes Verify forget acknowledged commits that were found missing
// when the store was opened, after the caller has dealt with the loss.
func (s *Store) AcceptLoss() error {
	if err := s.begin(); err != nil {
		return err
	}
	defer s.gate.Leave()
	return s.writeError(s.ack.acceptLoss())
}

// LostCommits returns how many acknowledged commits were found missing and
// have not been accepted yet.
func (s *Store) LostCommits() uint64 { return s.ack.lost() }

// Metrics returns the current figures. It lists the folder, so it is not for
// hot paths.
func (s *Store) Metrics() kv.Metrics {
	m := kv.Metrics{Syncs: s.guard.syncs.Load()}
	if s.gate.Enter() != nil {
		return m
	}
	defer s.gate.Leave()
	m.DiskBytes = diskBytes(s.guard.FS, s.dir)
	if s.wedged.Load() {
		return m
	}
	p := s.db.Metrics()
	m.MemoryBytes = p.BlockCache.Size + int64(p.MemTable.Size+p.MemTable.ZombieSize)
	return m
}

// diskBytes sums the sizes of the files in dir, as far as they can be seen.
func diskBytes(fs vfs.FS, dir string) (total int64) {
	names, _ := fs.List(dir)
	for _, name := range names {
		if info, err := fs.Stat(fs.PathJoin(dir, name)); err == nil && !info.IsDir() {
			total += info.Size()
		}
	}
	return total
}
