// This file checks what damaged, foreign, locked and newer folders do.

package memkv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
)

// filled returns a closed folder with 100 synced commits in its log.
func filled(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	s := openDir(t, dir)
	for i := range 100 {
		b := s.NewBatch()
		b.Set(fmt.Appendf(nil, "k%03d", i), bytes.Repeat([]byte{byte(i)}, 50))
		if err := s.Commit(b, kv.Sync); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func rewrite(t testing.TB, name string, with func([]byte) []byte) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err == nil {
		err = os.WriteFile(name, with(data), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func count(t testing.TB, s *Store) (n int) {
	t.Helper()
	it, err := s.Iter(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for ok := it.First(); ok; ok = it.Next() {
		n++
	}
	if err := it.Close(); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestFlippedLog flips bytes all over the log, each in turn. Damage with intact
// records behind is refused; damage in the last record looks like a crash, and
// the mark tells that its commit is missing.
func TestFlippedLog(t *testing.T) {
	dir := filled(t)
	name := filepath.Join(dir, logName(1))
	good, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	mark, err := os.ReadFile(filepath.Join(dir, markName))
	if err != nil {
		t.Fatal(err)
	}
	lastRecord := bytes.LastIndex(good, []byte("k099")) - 2 - frameHeader
	for at := 0; at < len(good); at += 5 {
		bad := bytes.Clone(good)
		bad[at] ^= 0x20
		if err := errors.Join(os.WriteFile(name, bad, 0o600), os.WriteFile(filepath.Join(dir, markName), mark, 0o600)); err != nil {
			t.Fatal(err)
		}
		s, err := Open(dir, Options{})
		switch {
		case at < lastRecord:
			if !errors.Is(err, kv.ErrCorrupt) {
				t.Fatalf("byte %d of %d: %v", at, len(good), err)
			}
		case err != nil:
			t.Fatalf("byte %d in the last record: %v", at, err)
		default:
			if s.LostCommits() != 1 || count(t, s) != 99 {
				t.Fatalf("byte %d: %d lost, %d there", at, s.LostCommits(), count(t, s))
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			resetGeneration(t, dir, name, good)
		}
	}
}

// resetGeneration undoes the rotation that a loss causes.
func resetGeneration(t *testing.T, dir, log string, good []byte) {
	t.Helper()
	for _, n := range []string{snapshotName(2), logName(2)} {
		if err := os.Remove(filepath.Join(dir, n)); err != nil {
			t.Fatal(err)
		}
	}
	w := &generationWriter{files: osFiles{}, dir: dir, generation: 1}
	if err := w.write(context.Background(), newTree()); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.log.Close(), os.WriteFile(log, good, 0o600)); err != nil {
		t.Fatal(err)
	}
}

func TestDamagedSnapshot(t *testing.T) {
	dir := filled(t)
	s := openDir(t, dir)
	if err := errors.Join(s.Compact(context.Background()), s.Close()); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, snapshotName(2))
	good, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for at := 0; at < len(good); at += 3 {
		rewrite(t, name, func([]byte) []byte { b := bytes.Clone(good); b[at] ^= 1; return b })
		if _, err := Open(dir, Options{}); !errors.Is(err, kv.ErrCorrupt) {
			t.Fatalf("byte %d: %v", at, err)
		}
	}
	for _, n := range []int{0, 1, frameHeader, len(good) / 2, len(good) - 1} {
		rewrite(t, name, func([]byte) []byte { return good[:n] })
		if _, err := Open(dir, Options{}); !errors.Is(err, kv.ErrCorrupt) {
			t.Fatalf("cut to %d bytes: %v", n, err)
		}
	}
	rewrite(t, name, func([]byte) []byte { return append(bytes.Clone(good), 0) })
	if _, err := Open(dir, Options{}); !errors.Is(err, kv.ErrCorrupt) {
		t.Fatalf("one byte more: %v", err)
	}
	rewrite(t, name, func([]byte) []byte { return good })
	if err := os.Remove(filepath.Join(dir, logName(2))); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, Options{}); !errors.Is(err, kv.ErrCorrupt) {
		t.Fatalf("log gone: %v", err)
	}
}

// TestLostTail cuts the log: the loss is counted, kept until accepted, and
// new commits get numbers of their own.
func TestLostTail(t *testing.T) {
	dir := filled(t)
	rewrite(t, filepath.Join(dir, logName(1)), func(b []byte) []byte { return b[:len(b)/2] })
	var log bytes.Buffer
	o := Options{Logger: slog.New(slog.NewTextHandler(&log, nil))}
	ctx := context.Background()
	var lost uint64
	for round := range 3 {
		s, err := Open(dir, o)
		if err != nil {
			t.Fatal(err)
		}
		if round == 0 {
			lost = s.LostCommits()
		}
		if n := count(t, s); s.LostCommits() != lost || lost < 40 || n+int(lost) != 100+round {
			t.Fatalf("round %d: %d lost, %d there", round, s.LostCommits(), n)
		}
		if err := s.Verify(ctx); !errors.Is(err, kv.ErrCorrupt) || !strings.Contains(err.Error(), fmt.Sprint(lost)) {
			t.Fatalf("Verify: %v", err)
		}
		if (round == 0) != strings.Contains(log.String(), fmt.Sprint("missing=", lost)) {
			t.Errorf("round %d logged %q", round, log.String())
		}
		log.Reset()
		commitSet(t, s, fmt.Sprint("new", round), nil)
		if round == 2 {
			if err := errors.Join(s.AcceptLoss(), s.Verify(ctx)); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	s := openDir(t, dir)
	defer s.Close()
	if err := s.Verify(ctx); err != nil || s.LostCommits() != 0 {
		t.Fatalf("after AcceptLoss: %v, %d lost", err, s.LostCommits())
	}
}

// TestVerifyReadsDisk damages the files of an open store.
func TestVerifyReadsDisk(t *testing.T) {
	dir := filled(t)
	s := openDir(t, dir)
	defer s.Close()
	for _, name := range []string{logName(1), snapshotName(1)} {
		flip := func(b []byte) []byte { b[len(b)/2] ^= 1; return b }
		rewrite(t, filepath.Join(dir, name), flip)
		if err := s.Verify(context.Background()); !errors.Is(err, kv.ErrCorrupt) {
			t.Errorf("%s damaged: %v", name, err)
		}
		rewrite(t, filepath.Join(dir, name), flip)
	}
	if err := s.Verify(context.Background()); err != nil {
		t.Error(err)
	}
}

func TestForeignFolders(t *testing.T) {
	newer := appendFrame(nil, 0, tagged("CFKVSNP2", 1))
	tests := []struct{ name, file, text string }{
		{"documents", "report.txt", "x"},
		{"a full tmp file", "foo.tmp", "x"},
		{"a Pebble store", "CONTEXTFORGE", "contextforge pebblekv 1\n"},
		{"a newer snapshot", snapshotName(1), string(newer)},
		{"a newer file of ours", "memkv-index.bin", "x"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			name := filepath.Join(dir, test.file)
			if err := os.WriteFile(name, []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := Open(dir, Options{}); !errors.Is(err, kv.ErrForeign) {
				t.Fatalf("error %v", err)
			}
			if b, err := os.ReadFile(name); err != nil || string(b) != test.text {
				t.Errorf("file is now %q, %v", b, err)
			}
		})
	}
}

// TestStrayFiles checks case P13.
func TestStrayFiles(t *testing.T) {
	dir := t.TempDir()
	strays := map[string]string{"._x": "apple", ".DS_Store": "mac", "foo.tmp": "", "Thumbs.db": "win"}
	for name, text := range strays {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		s := openDir(t, dir)
		commitSet(t, s, "a", []byte("1"))
		if err := errors.Join(s.Compact(context.Background()), s.Close()); err != nil {
			t.Fatal(err)
		}
		for name, text := range strays {
			if b, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(b) != text {
				t.Errorf("%s is now %q, %v", name, b, err)
			}
		}
		strays["notes.txt"] = "put here later"
		if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("put here later"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLocked(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "down")
	s := openDir(t, dir)
	if _, err := Open(dir, Options{}); !errors.Is(err, kv.ErrLocked) || !strings.Contains(err.Error(), dir) {
		t.Errorf("second open: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openDir(t, dir)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 && filepath.Separator == '/' {
		t.Errorf("folder: %v, %v", info.Mode(), err)
	}
	if _, err := Open(filepath.Join(dir, markName), Options{}); err == nil {
		t.Error("a file was opened as a store")
	}
}

// TestCompactErases checks that no file holds a deleted value any more.
func TestCompactErases(t *testing.T) {
	dir := t.TempDir()
	s := openDir(t, dir)
	defer s.Close()
	secret := []byte("a secret that must go")
	commitSet(t, s, "k", secret)
	if err := s.Compact(context.Background()); err != nil {
		t.Fatal(err)
	}
	b := s.NewBatch()
	b.Delete([]byte("k"))
	if err := errors.Join(s.Commit(b, kv.Sync), s.Compact(context.Background())); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if bytes.Contains(data, secret) {
			t.Errorf("still in %s", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestBatchLimit checks the limit with a small one.
func TestBatchLimit(t *testing.T) {
	s, err := Open(t.TempDir(), Options{limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	b := s.NewBatch()
	b.Set([]byte("k"), make([]byte, 1000))
	if err := s.Commit(b, kv.Sync); !errors.Is(err, kv.ErrBatchTooLarge) {
		t.Fatalf("error %v", err)
	}
	b.Reset()
	b.Set([]byte("k"), make([]byte, 900))
	if err := s.Commit(b, kv.Sync); err != nil {
		t.Fatal(err)
	}
}

// TestForeignBatch commits a batch of another kind of store.
func TestForeignBatch(t *testing.T) {
	type other struct{ kv.Batch }
	if err := New().Commit(other{}, kv.Sync); err == nil {
		t.Fatal("accepted")
	}
}
