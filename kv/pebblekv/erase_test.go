// This file checks that deleted values are on the disk nowhere after Compact.

//go:build !js && !wasip1 && !solaris && !aix && !plan9

package pebblekv

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
)

// marked returns a value that compression can't hide: the marker is found in
// the raw bytes of whatever file holds it.
func marked(n int) []byte {
	v := make([]byte, 0, 200)
	x := uint64(n+1) * 0x9E3779B97F4A7C15
	for len(v) < 160 {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		v = append(v, byte(x), byte(x>>8), byte(x>>16), byte(x>>24), byte(x>>32))
	}
	return append(v, fmt.Sprintf("MARKER-%d", n)...)
}

// traces returns the files below dir that contain the essence of any of the
// values, which is random and so survives compression byte by byte.
func traces(t testing.TB, dir string, values ...[]byte) (found []string) {
	t.Helper()
	err := filepath.Walk(dir, func(name string, info os.FileInfo, err error) error {
		if os.IsNotExist(err) || err == nil && info.IsDir() {
			return nil // compactions go on meanwhile
		}
		data, err := os.ReadFile(name)
		if err != nil && !os.IsNotExist(err) {
			return err
		}
		for _, v := range values {
			if bytes.Contains(data, v[20:60]) {
				found = append(found, filepath.Base(name))
				break
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func put(t testing.TB, s *Store, key string, value []byte) {
	t.Helper()
	b := s.NewBatch()
	defer b.Close()
	b.Set([]byte(key), value)
	if err := s.Commit(b, kv.NoSync); err != nil {
		t.Fatal(err)
	}
}

func remove(t testing.TB, s *Store, key string) {
	t.Helper()
	b := s.NewBatch()
	defer b.Close()
	b.Delete([]byte(key))
	if err := s.Commit(b, kv.NoSync); err != nil {
		t.Fatal(err)
	}
}

func compact(t testing.TB, s *Store) {
	t.Helper()
	if err := s.Compact(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func flush(t testing.TB, s *Store) {
	t.Helper()
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
}

// TestCompactErases writes values in every way that leaves traces, deletes or
// overwrites them, and searches every file.
func TestCompactErases(t *testing.T) {
	secret := marked(0)
	tests := []struct {
		name string
		run  func(t *testing.T, s *Store)
	}{
		{"only in the log", func(t *testing.T, s *Store) {
			put(t, s, "k", secret)
			remove(t, s, "k")
		}},
		{"flushed, then deleted", func(t *testing.T, s *Store) {
			put(t, s, "k", secret)
			flush(t, s)
			remove(t, s, "k")
		}},
		{"at the bottom, then deleted", func(t *testing.T, s *Store) {
			put(t, s, "k", secret)
			compact(t, s)
			remove(t, s, "k")
		}},
		{"overwritten", func(t *testing.T, s *Store) {
			put(t, s, "k", secret)
			flush(t, s)
			put(t, s, "k", []byte("harmless"))
		}},
		{"deleted with its range", func(t *testing.T, s *Store) {
			put(t, s, "k", secret)
			compact(t, s)
			b := s.NewBatch()
			b.DeleteRange([]byte("j"), []byte("l"))
			if err := s.Commit(b, kv.Sync); err != nil {
				t.Fatal(err)
			}
			_ = b.Close()
		}},
		{"kept at the bottom by a snapshot, since closed", func(t *testing.T, s *Store) {
			put(t, s, "k", secret)
			snap, err := s.Snapshot()
			if err != nil {
				t.Fatal(err)
			}
			put(t, s, "k", []byte("harmless"))
			compact(t, s)
			if len(traces(t, s.dir, secret)) == 0 {
				t.Error("the snapshot's value is gone")
			}
			if err := snap.Close(); err != nil {
				t.Fatal(err)
			}
		}},
		{"in recycled logs", func(t *testing.T, s *Store) {
			for i := range 60 {
				put(t, s, "k", secret)
				put(t, s, fmt.Sprint("filler", i%5), bytes.Repeat(marked(i+1), 400))
				if i%10 == 9 {
					flush(t, s)
				}
			}
			remove(t, s, "k")
			flush(t, s)
		}},
		{"before reopening", func(t *testing.T, s *Store) {
			put(t, s, "k", secret)
			mustClose(t, s)
			*s = *openStore(t, s.dir, s.opts)
			remove(t, s, "k")
		}},
		{"in a batch larger than the write buffer", func(t *testing.T, s *Store) {
			b := s.NewBatch()
			b.Set([]byte("k"), secret)
			b.Set([]byte("big"), bytes.Repeat(marked(1), 20_000))
			if err := s.Commit(b, kv.Sync); err != nil {
				t.Fatal(err)
			}
			_ = b.Close()
			remove(t, s, "k")
		}},
	}
	for _, test := range tests {
		for _, small := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/small=%v", test.name, small), func(t *testing.T) {
				s := openStore(t, t.TempDir(), Options{SmallDevice: small})
				put(t, s, "a", marked(1000))
				put(t, s, "z", marked(1001))
				test.run(t, s)
				compact(t, s)
				if found := traces(t, s.dir, secret); found != nil {
					t.Errorf("still in %v", found)
				}
				if found := traces(t, s.dir, marked(1000)); found == nil {
					t.Error("the search finds nothing at all")
				}
				if err := s.Verify(context.Background()); err != nil {
					t.Error(err)
				}
				mustClose(t, s)
			})
		}
	}
}

// TestCompactErasesManySegments deletes half of many values that are spread
// over all levels while other goroutines write, and searches for each.
func TestCompactErasesManySegments(t *testing.T) {
	s := openStore(t, t.TempDir(), Options{SmallDevice: true})
	const n = 4000
	for i := range n {
		put(t, s, fmt.Sprintf("k%05d", i*7919%n), append(marked(i*7919%n), make([]byte, 800)...))
	}
	compact(t, s)
	var group sync.WaitGroup
	stop := make(chan struct{})
	group.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			b := s.NewBatch()
			b.Set(fmt.Appendf(nil, "w%03d", i%100), make([]byte, 2000))
			if err := s.Commit(b, kv.NoSync); err != nil {
				t.Error(err)
				return
			}
			_ = b.Close()
		}
	})
	var gone [][]byte
	for i := 0; i < n; i += 2 {
		remove(t, s, fmt.Sprintf("k%05d", i))
		if i%40 == 0 {
			gone = append(gone, marked(i))
		}
	}
	compact(t, s)
	close(stop)
	group.Wait()
	if found := traces(t, s.dir, gone...); found != nil {
		t.Errorf("deleted values are still in %v", found)
	}
	if got := countKeys(t, s); got < n/2 {
		t.Errorf("%d keys left, want at least %d", got, n/2)
	}
	mustClose(t, s)
}

// TestCompactForgetsKeys checks that a deleted key isn't kept as a table's
// bound in a manifest either.
func TestCompactForgetsKeys(t *testing.T) {
	s := openStore(t, t.TempDir(), Options{})
	for _, key := range []string{"aaa-secret-name-first", "zzz-secret-name-last"} {
		put(t, s, key, []byte("v"))
		flush(t, s)
	}
	put(t, s, "m", []byte("stays"))
	compact(t, s)
	remove(t, s, "aaa-secret-name-first")
	remove(t, s, "zzz-secret-name-last")
	compact(t, s)
	for _, name := range files(t, s.dir, "*") {
		if bytes.Contains(readFile(t, name), []byte("secret-name")) {
			t.Errorf("a deleted key is in %s", filepath.Base(name))
		}
	}
	mustClose(t, s)
}
