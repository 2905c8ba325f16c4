// This file measures the store on disk, beside a bare Pebble where that is the
// floor.

//go:build !js && !wasip1 && !solaris && !aix && !plan9

package pebblekv

import (
	"fmt"
	"os"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/kvtest"
)

func BenchmarkDisk(b *testing.B) {
	kvtest.Bench(b, func(b *testing.B) kv.Store { return openStore(b, b.TempDir(), Options{}) })
}

func BenchmarkDiskSmall(b *testing.B) {
	kvtest.Bench(b, func(b *testing.B) kv.Store { return openStore(b, b.TempDir(), Options{SmallDevice: true}) })
}

// prepare makes a folder with n entries of 300 bytes, closed cleanly or left
// as a crash would.
func prepare(b *testing.B, n int, crashed bool) string {
	b.Helper()
	dir := b.TempDir()
	s := openStore(b, dir, Options{})
	batch := s.NewBatch()
	for i := range n {
		batch.Set(fmt.Appendf(nil, "k%08d", i), marked(i))
		if i%500 == 499 || i == n-1 {
			if err := s.Commit(batch, kv.NoSync); err != nil {
				b.Fatal(err)
			}
			batch.Reset()
		}
	}
	if crashed {
		setSync(b, s, "last", "x")
		dir = copyFolder(b, dir)
	}
	mustClose(b, s)
	return dir
}

func BenchmarkOpen(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		dir := prepare(b, n, false)
		b.Run(fmt.Sprintf("store/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				mustClose(b, openStore(b, dir, Options{}))
			}
		})
		b.Run(fmt.Sprintf("bare/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				db, err := pebble.Open(dir, Options{}.pebbleOptions(vfs.Default))
				if err != nil {
					b.Fatal(err)
				}
				if err := db.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkOpenAfterCrash(b *testing.B) {
	for _, n := range []int{1_000, 100_000} {
		dir := prepare(b, n, true)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				again := copyFolder(b, dir)
				b.StartTimer()
				s := openStore(b, again, Options{})
				b.StopTimer()
				mustClose(b, s)
				_ = os.RemoveAll(again)
				b.StartTimer()
			}
		})
	}
}

// BenchmarkBareGet is the floor of GetHot.
func BenchmarkBareGet(b *testing.B) {
	db, err := pebble.Open(b.TempDir(), Options{}.pebbleOptions(vfs.Default))
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	for i := range 10_000 {
		if err := db.Set(fmt.Appendf(nil, "k%08d", i), marked(i), pebble.NoSync); err != nil {
			b.Fatal(err)
		}
	}
	if err := db.Flush(); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	key := []byte("k00000000")
	for i := 0; b.Loop(); i++ {
		key[8] = byte('0' + i%10)
		v, closer, err := db.Get(key)
		if err != nil || len(v) == 0 {
			b.Fatal(err)
		}
		_ = closer.Close()
	}
}

// BenchmarkBareCommit is the floor of CommitNoSync: the same batch.
func BenchmarkBareCommit(b *testing.B) {
	db, err := pebble.Open(b.TempDir(), Options{}.pebbleOptions(vfs.Default))
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	value := make([]byte, 300)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		batch := db.NewBatch()
		for k := range 6 {
			_ = batch.Set(fmt.Appendf(nil, "%c%08d", 'e'+k, i*7919%10_000), value[:300-k*50], nil)
		}
		if err := db.Apply(batch, pebble.NoSync); err != nil {
			b.Fatal(err)
		}
		_ = batch.Close()
	}
}

// BenchmarkBarePut is the floor of CommitSync: the same bytes, one key.
func BenchmarkBarePut(b *testing.B) {
	db, err := pebble.Open(b.TempDir(), Options{}.pebbleOptions(vfs.Default))
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	value := make([]byte, 450)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if err := db.Set(fmt.Appendf(nil, "k%08d", i%100_000), value, pebble.Sync); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCompact(b *testing.B) {
	s := openStore(b, prepare(b, 100_000, false), Options{})
	defer mustClose(b, s)
	b.ReportAllocs()
	for b.Loop() {
		compact(b, s)
	}
}
