// This file decides what snapshots, closing, maintenance and reopening must do.

package kvtest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
)

func testSnapshotIsolation(t *testing.T, h Harness) {
	s := h.open(t)
	set(t, s, "a", "1")
	set(t, s, "b", "1")
	first, err := s.Snapshot()
	must(t, err)
	commit(t, s, kv.NoSync, func(b kv.Batch) {
		b.Set([]byte("a"), []byte("2"))
		b.Delete([]byte("b"))
		b.Set([]byte("c"), []byte("2"))
	})
	second, err := s.Snapshot()
	must(t, err)
	must(t, s.Flush())
	commit(t, s, kv.NoSync, func(b kv.Batch) { b.DeleteRange(nil, nil) })
	must(t, s.Compact(context.Background()))
	wantScan(t, first, nil, nil, "a=1", "b=1")
	wantValue(t, first, "a", "1")
	wantMissing(t, first, "c")
	wantScan(t, second, nil, nil, "a=2", "c=2")
	wantMissing(t, second, "b")
	wantScan(t, s, nil, nil)
	must(t, first.Close())
	wantScan(t, second, nil, nil, "a=2", "c=2")
	must(t, second.Close())
}

func testClosedStore(t *testing.T, h Harness) {
	s := h.open(t)
	set(t, s, "a", "1")
	b := s.NewBatch()
	b.Set([]byte("b"), []byte("2"))
	must(t, s.Close())
	ctx := context.Background()
	calls := []struct {
		name string
		call func() error
	}{
		{"Get", func() error { _, _, err := s.Get([]byte("a")); return err }},
		{"Iter", func() error { _, err := s.Iter(nil, nil); return err }},
		{"Snapshot", func() error { _, err := s.Snapshot(); return err }},
		{"Commit", func() error { return s.Commit(b, kv.Sync) }},
		{"Commit a new batch", func() error { return s.Commit(s.NewBatch(), kv.Sync) }},
		{"Flush", s.Flush},
		{"Compact", func() error { return s.Compact(ctx) }},
		{"Checkpoint", func() error { return s.Checkpoint(ctx, h.dir(t)) }},
		{"Verify", func() error { return s.Verify(ctx) }},
		{"Close", s.Close},
	}
	for _, c := range calls {
		wantError(t, c.name, c.call(), kv.ErrClosed)
	}
	s.Metrics()
	must(t, b.Close())
}

func testClosedReaders(t *testing.T, h Harness) {
	s := h.open(t)
	set(t, s, "a", "1")
	snap, err := s.Snapshot()
	must(t, err)
	it, err := snap.Iter(nil, nil)
	must(t, err)
	it.First()
	must(t, snap.Close())
	_, _, err = snap.Get([]byte("a"))
	wantError(t, "Get", err, kv.ErrClosed)
	_, err = snap.Iter(nil, nil)
	wantError(t, "Iter", err, kv.ErrClosed)
	wantError(t, "Close", snap.Close(), kv.ErrClosed)
	if !it.First() || item(t, it) != "a=1" {
		t.Fatal("an iterator ended with its snapshot")
	}
	must(t, it.Close())
	wantError(t, "iterator Close", it.Close(), kv.ErrClosed)
	if it.First() || it.Last() || it.Next() || it.Prev() || it.SeekGE([]byte("a")) || it.SeekLT([]byte("b")) || it.Valid() {
		t.Fatal("a closed iterator is positioned")
	}
	wantError(t, "iterator Error", it.Error(), kv.ErrClosed)
}

// testCloseWithOpenReaders closes underneath readers: an error, no panic, and
// the readers stay usable until they are closed.
func testCloseWithOpenReaders(t *testing.T, h Harness) {
	s := h.open(t)
	set(t, s, "a", "1")
	snap, err := s.Snapshot()
	must(t, err)
	it, err := s.Iter(nil, nil)
	must(t, err)
	if err := s.Close(); err == nil {
		t.Fatal("Close with an open snapshot and iterator returned nil")
	}
	wantValue(t, snap, "a", "1")
	wantScan(t, snap, nil, nil, "a=1")
	if !it.First() || item(t, it) != "a=1" {
		t.Fatal("iterator lost its state")
	}
	must(t, it.Close())
	must(t, snap.Close())
	wantError(t, "second Close", s.Close(), kv.ErrClosed)
}

func testFlush(t *testing.T, h Harness) {
	s := h.open(t)
	must(t, s.Flush())
	for i := range 3 {
		set(t, s, fmt.Sprint("k", i), "v")
		must(t, s.Flush())
		must(t, s.Flush())
	}
	wantScan(t, s, nil, nil, "k0=v", "k1=v", "k2=v")
}

func testCompact(t *testing.T, h Harness) {
	s := h.open(t)
	ctx := context.Background()
	must(t, s.Compact(ctx))
	for round := range 3 {
		for i := range 300 {
			set(t, s, fmt.Sprintf("k%04d", i), fmt.Sprint(round))
		}
		must(t, s.Flush())
	}
	commit(t, s, kv.NoSync, func(b kv.Batch) { b.DeleteRange([]byte("k0010"), []byte("k0290")) })
	must(t, s.Compact(ctx))
	must(t, s.Verify(ctx))
	if got := len(scan(t, s, nil, nil)); got != 20 {
		t.Fatalf("%d entries after Compact, want 20", got)
	}
	wantValue(t, s, "k0299", "2")
	must(t, s.Compact(ctx))
	wantValue(t, s, "k0000", "2")
}

func testCanceled(t *testing.T, h Harness) {
	s := h.open(t)
	set(t, s, "a", "1")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	wantError(t, "Compact", s.Compact(ctx), context.Canceled)
	wantError(t, "Checkpoint", s.Checkpoint(ctx, h.dir(t)), context.Canceled)
	wantError(t, "Verify", s.Verify(ctx), context.Canceled)
	set(t, s, "b", "2")
	wantScan(t, s, nil, nil, "a=1", "b=2")
}

func testCheckpoint(t *testing.T, h Harness) {
	if h.OpenDir == nil {
		return
	}
	s := h.open(t)
	ctx := context.Background()
	for i := range 200 {
		set(t, s, fmt.Sprintf("k%04d", i), "flushed")
	}
	must(t, s.Flush())
	for i := 100; i < 300; i++ {
		set(t, s, fmt.Sprintf("k%04d", i), "in the log")
	}
	want := scan(t, s, nil, nil)
	dir := h.dir(t)
	must(t, s.Checkpoint(ctx, dir))
	set(t, s, "later", "x")
	c := h.OpenDir(t, dir)
	if got := scan(t, c, nil, nil); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("checkpoint holds %d entries, want %d", len(got), len(want))
	}
	must(t, c.Verify(ctx))
	set(t, c, "own", "y")
	wantMissing(t, s, "own")
	must(t, c.Close())
	if err := s.Checkpoint(ctx, dir); err == nil {
		t.Fatal("checkpoint into a folder in use succeeded")
	}
	wantValue(t, s, "later", "x")
	if h.Dir == nil {
		testCheckpointIntoEmpty(t, h, s)
	}
}

func testCheckpointIntoEmpty(t *testing.T, h Harness, s kv.Store) {
	dir := filepath.Join(t.TempDir(), "sub")
	must(t, os.Mkdir(dir, 0o700))
	must(t, s.Checkpoint(context.Background(), dir))
	c := h.OpenDir(t, dir)
	wantValue(t, c, "later", "x")
	must(t, c.Close())
	other := t.TempDir()
	must(t, os.WriteFile(filepath.Join(other, "mine.txt"), []byte("mine"), 0o600))
	if err := s.Checkpoint(context.Background(), other); err == nil {
		t.Fatal("checkpoint into a folder with files succeeded")
	}
	if b, err := os.ReadFile(filepath.Join(other, "mine.txt")); err != nil || string(b) != "mine" {
		t.Fatalf("foreign file after a refused checkpoint: %q, %v", b, err)
	}
}

func testReopen(t *testing.T, h Harness) {
	if h.Reopen == nil {
		return
	}
	s := h.Open(t)
	for round := range 4 {
		commit(t, s, kv.Sync, func(b kv.Batch) {
			b.Set([]byte(fmt.Sprint("k", round)), []byte("v"))
			b.Delete([]byte(fmt.Sprint("k", round-1)))
		})
		set(t, s, "round", fmt.Sprint(round))
		if round == 1 {
			must(t, s.Compact(context.Background()))
		}
		s = h.Reopen(t, s)
		wantScan(t, s, nil, nil, fmt.Sprintf("k%d=v", round), fmt.Sprintf("round=%d", round))
		must(t, s.Verify(context.Background()))
	}
	must(t, s.Close())
}

func testMetrics(t *testing.T, h Harness) {
	s := h.open(t)
	commit(t, s, kv.Sync, func(b kv.Batch) { b.Set([]byte("a"), noise(1, 1<<20)) })
	m := s.Metrics()
	if m.MemoryBytes <= 0 {
		t.Errorf("memory %d", m.MemoryBytes)
	}
	if h.Reopen != nil && (m.DiskBytes < 1<<20 || m.Syncs < 1) {
		t.Errorf("disk %d, syncs %d after a synced commit of 1 MiB", m.DiskBytes, m.Syncs)
	}
}
