// This file checks how much Salvage brings back from damaged folders.

//go:build !js && !wasip1 && !solaris && !aix && !plan9

package pebblekv

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/kvtest"
)

// wreck makes a store with a history in tables of all kinds and in its logs,
// and returns a crashed copy with the model of its contents.
func wreck(t *testing.T, seed uint64) (dir string, m kvtest.Model) {
	t.Helper()
	s := openStore(t, t.TempDir(), Options{SmallDevice: true})
	m = kvtest.NewModel()
	rng := rand.New(rand.NewPCG(seed, 3))
	for i := range 600 {
		b := s.NewBatch()
		key, value := fmt.Sprintf("n%05d", i*37%600), fmt.Sprintf("%d:%x", i, marked(i))
		b.Set([]byte(key), []byte(value))
		m[key] = value
		gone := fmt.Sprintf("n%05d", rng.IntN(600))
		switch rng.IntN(12) {
		case 0, 1, 2:
			b.Delete([]byte(gone))
			delete(m, gone)
		case 3:
			b.DeleteRange([]byte(gone), []byte(gone+"~"))
			delete(m, gone)
		}
		if err := s.Commit(b, kv.NoSync); err != nil {
			t.Fatal(err)
		}
		_ = b.Close()
		switch {
		case i%150 == 100:
			compact(t, s)
		case i%50 == 49:
			flush(t, s)
		}
	}
	for i := range 20 {
		key := fmt.Sprintf("late%02d", i)
		setSync(t, s, key, "in the log")
		m[key] = "in the log"
	}
	dir = copyFolder(t, s.dir)
	mustClose(t, s)
	return dir, m
}

// largestTable returns the largest table, which holds most of the data.
func largestTable(t testing.TB, dir string) string {
	t.Helper()
	best := ""
	for _, name := range files(t, dir, "*.sst") {
		if best == "" || len(readFile(t, name)) > len(readFile(t, best)) {
			best = name
		}
	}
	return best
}

func TestSalvage(t *testing.T) {
	tests := []struct {
		name  string
		wound func(t *testing.T, dir string)
		// exact means that nothing may be missing, changed or back again;
		// otherwise at least least of 100 entries must be right.
		exact bool
		least int
	}{
		{"nothing broken", func(*testing.T, string) {}, true, 100},
		{"manifest cut", func(t *testing.T, dir string) { damage(t, newest(t, dir, "MANIFEST-*"), cutInHalf) }, true, 100},
		{"manifest flipped", func(t *testing.T, dir string) { damage(t, newest(t, dir, "MANIFEST-*"), flipAt(1, 3)) }, true, 100},
		{"manifests and markers gone", func(t *testing.T, dir string) {
			for _, pattern := range []string{"MANIFEST-*", "marker.*", "OPTIONS-*", ackName, formatName} {
				for _, name := range files(t, dir, pattern) {
					_ = os.Remove(name)
				}
			}
		}, true, 100},
		{"table flipped in the middle", func(t *testing.T, dir string) { damage(t, largestTable(t, dir), flipAt(1, 3)) }, false, 80},
		{"table cut", func(t *testing.T, dir string) { damage(t, largestTable(t, dir), cutInHalf) }, false, 3},
		{"table empty", func(t *testing.T, dir string) { damage(t, largestTable(t, dir), func([]byte) []byte { return nil }) }, false, 3},
		{"table gone", func(t *testing.T, dir string) { _ = os.Remove(largestTable(t, dir)) }, false, 3},
		{"log cut", func(t *testing.T, dir string) {
			damage(t, newest(t, dir, "*.log"), func(b []byte) []byte { return cutInHalf(trimZeros(b)) })
		}, false, 80},
		{"log flipped", func(t *testing.T, dir string) {
			damage(t, newest(t, dir, "*.log"), func(b []byte) []byte { return flipAt(1, 2)(trimZeros(b)) })
		}, false, 80},
		{"log gone", func(t *testing.T, dir string) { _ = os.Remove(newest(t, dir, "*.log")) }, false, 80},
	}
	whole, m := wreck(t, 1)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := copyFolder(t, whole)
			test.wound(t, dir)
			before := contents(t, dir)
			to := filepath.Join(t.TempDir(), "rescued")
			report, err := Salvage(dir, to, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !maps.Equal(before, contents(t, dir)) {
				t.Error("the damaged folder was changed")
			}
			s := openStore(t, to, Options{})
			defer mustClose(t, s)
			if n := countKeys(t, s); n != report.Entries || report.Tables == 0 && test.name != "table gone" || report.Logs == 0 && test.name != "log gone" {
				t.Errorf("report %+v, %d entries", report, n)
			}
			if test.exact {
				if err := m.Equal(s); err != nil {
					t.Error(err)
				}
				return
			}
			if right := rightOf(t, s, m); right*100 < test.least*len(m) {
				t.Errorf("%d of %d entries came back right: %+v", right, len(m), report)
			}
			if len(report.Problems) == 0 && !strings.HasSuffix(test.name, "gone") && test.name != "log cut" {
				t.Error("no problem reported")
			}
		})
	}
}

// rightOf counts the model's entries that s has.
func rightOf(t testing.TB, s *Store, m kvtest.Model) (right int) {
	t.Helper()
	for key, value := range m {
		got, err := kv.GetCopy(s, nil, []byte(key))
		if err == nil && string(got) == value {
			right++
		} else if err != nil && !errors.Is(err, kv.ErrNotFound) {
			t.Fatal(err)
		}
	}
	return right
}

// TestSalvageRefuses checks what Salvage must not do.
func TestSalvageRefuses(t *testing.T) {
	s := openStore(t, t.TempDir(), Options{})
	setSync(t, s, "a", "1")
	if _, err := Salvage(s.dir, filepath.Join(t.TempDir(), "x"), Options{}); !errors.Is(err, kv.ErrLocked) {
		t.Errorf("from a store in use: %v", err)
	}
	mustClose(t, s)
	full := t.TempDir()
	writeText(t, full, "mine.txt", "mine")
	if _, err := Salvage(s.dir, full, Options{}); !errors.Is(err, kv.ErrForeign) {
		t.Errorf("into a full folder: %v", err)
	}
	if _, err := Salvage(s.dir, s.dir, Options{}); !errors.Is(err, kv.ErrForeign) {
		t.Errorf("into itself: %v", err)
	}
	if _, err := Salvage(filepath.Join(full, "none"), filepath.Join(full, "to"), Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("from nowhere: %v", err)
	}
}

// TestSalvageBytesAtRandom flips random bytes all over a folder: Salvage must
// return, and only values that were once written may appear.
func TestSalvageBytesAtRandom(t *testing.T) {
	dir, _ := wreck(t, 99)
	rng := rand.New(rand.NewPCG(5, 5))
	for range 12 {
		broken := copyFolder(t, dir)
		for _, name := range files(t, broken, "*") {
			if len(readFile(t, name)) == 0 || rng.IntN(2) == 0 {
				continue
			}
			damage(t, name, func(b []byte) []byte {
				b = bytes.Clone(b)
				for range 3 {
					b[rng.IntN(len(b))] ^= byte(rng.IntN(255) + 1)
				}
				return b
			})
		}
		to := filepath.Join(t.TempDir(), "rescued")
		if _, err := Salvage(broken, to, Options{}); err != nil {
			t.Fatal(err)
		}
		s := openStore(t, to, Options{})
		it, err := s.Iter([]byte("n"), []byte("o"))
		if err != nil {
			t.Fatal(err)
		}
		for ok := it.First(); ok; ok = it.Next() {
			v, err := it.Value()
			var i int
			if _, scanErr := fmt.Sscanf(string(v), "%d:", &i); err != nil || scanErr != nil || string(v) != fmt.Sprintf("%d:%x", i, marked(i)) {
				t.Errorf("%s = %.60q was never written", it.Key(), v)
			}
		}
		_ = it.Close()
		mustClose(t, s)
	}
}
