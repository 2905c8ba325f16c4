// This file checks what a damaged log, table or manifest does to a store.

//go:build !js && !wasip1 && !solaris && !aix && !plan9

package pebblekv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge/kv"
)

// files returns the names in dir that match the pattern, sorted.
func files(t testing.TB, dir, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil {
		t.Fatal(err)
	}
	sort.Strings(names)
	return names
}

// newest returns the last of files.
func newest(t testing.TB, dir, pattern string) string {
	t.Helper()
	names := files(t, dir, pattern)
	if len(names) == 0 {
		t.Fatalf("no %s in %s", pattern, dir)
	}
	return names[len(names)-1]
}

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// damage rewrites a file.
func damage(t testing.TB, name string, change func([]byte) []byte) {
	t.Helper()
	if err := os.WriteFile(name, change(readFile(t, name)), 0o600); err != nil {
		t.Fatal(err)
	}
}

func cutInHalf(b []byte) []byte { return b[:len(b)/2] }

// flipAt flips one bit at a fraction of the file.
func flipAt(part, of int) func([]byte) []byte {
	return func(b []byte) []byte {
		b = bytes.Clone(b)
		b[len(b)*part/of] ^= 4
		return b
	}
}

// copyFolder copies the files of a store that is in use, as a crash would
// leave them, and returns the copy. A crash stops all files at one moment, so a
// copy during which the folder changed is made again.
func copyFolder(t testing.TB, dir string) string {
	t.Helper()
	for {
		to := t.TempDir()
		if copyFiles(t, dir, to) && maps.Equal(contents(t, dir), contents(t, to)) {
			return to
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// copyFiles reports whether all files were still there.
func copyFiles(t testing.TB, dir, to string) bool {
	t.Helper()
	for _, name := range files(t, dir, "*") {
		data, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(filepath.Join(to, filepath.Base(name)), data, 0o600)
		}
		if os.IsNotExist(err) {
			return false
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return true
}

// contents returns what the files in dir hold, but for the lock.
func contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range files(t, dir, "*") {
		data, err := os.ReadFile(name)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if base := filepath.Base(name); err == nil && base != lockName {
			all[base] = string(data)
		}
	}
	return all
}

func setSync(t testing.TB, s *Store, key, value string) {
	t.Helper()
	b := s.NewBatch()
	defer b.Close()
	b.Set([]byte(key), []byte(value))
	if err := s.Commit(b, kv.Sync); err != nil {
		t.Fatal(err)
	}
}

// trimZeros removes the space that was allocated in advance.
func trimZeros(b []byte) []byte { return bytes.TrimRight(b, "\x00") }

// TestLostTail cuts and flips the log of a store that crashed; the commits
// that were acknowledged and are gone must be counted, in the first session of
// a new store as in later ones.
func TestLostTail(t *testing.T) {
	for _, session := range []string{"first", "second"} {
		t.Run(session, func(t *testing.T) {
			dir := t.TempDir()
			s := openStore(t, dir, Options{})
			if session == "second" {
				setSync(t, s, "before", "x")
				mustClose(t, s)
				s = openStore(t, dir, Options{})
			}
			for i := range 200 {
				setSync(t, s, fmt.Sprintf("k%04d", i), strings.Repeat("v", 100))
			}
			crashed := copyFolder(t, dir)
			mustClose(t, s)
			damage(t, newest(t, crashed, "*.log"), func(b []byte) []byte { return cutInHalf(trimZeros(b)) })
			checkLost(t, crashed)
		})
	}
}

// checkLost opens a folder whose log lost about half of 200 commits and goes
// through reporting, going on, and accepting.
func checkLost(t *testing.T, dir string) {
	t.Helper()
	var log bytes.Buffer
	o := Options{Logger: slog.New(slog.NewTextHandler(&log, nil))}
	s := openStore(t, dir, o)
	lost := s.LostCommits()
	if lost < 80 || lost > 120 || !strings.Contains(log.String(), fmt.Sprint("missing=", lost)) {
		t.Fatalf("%d commits lost, logged: %s", lost, log.String())
	}
	present := 0
	for i := range 200 {
		if _, err := kv.GetCopy(s, nil, fmt.Appendf(nil, "k%04d", i)); err == nil {
			present++
		}
	}
	if present+int(lost) != 200 {
		t.Fatalf("%d present and %d lost of 200", present, lost)
	}
	ctx := context.Background()
	err := s.Verify(ctx)
	if !errors.Is(err, kv.ErrCorrupt) || !strings.Contains(err.Error(), fmt.Sprint(lost)) {
		t.Fatalf("Verify: %v", err)
	}
	setSync(t, s, "after", "the loss")
	mustClose(t, s)
	for range 2 {
		log.Reset()
		s = openStore(t, dir, o)
		if s.LostCommits() != lost || log.Len() > 0 {
			t.Fatalf("%d lost after reopening, logged: %s", s.LostCommits(), log.String())
		}
		mustClose(t, s)
	}
	s = openStore(t, dir, o)
	if err := s.AcceptLoss(); err != nil {
		t.Fatal(err)
	}
	if err := s.Verify(ctx); err != nil {
		t.Fatalf("Verify after AcceptLoss: %v", err)
	}
	mustClose(t, s)
	s = openStore(t, dir, o)
	if err := s.Verify(ctx); err != nil || s.LostCommits() != 0 {
		t.Fatalf("after AcceptLoss and reopening: %v, %d lost", err, s.LostCommits())
	}
	mustClose(t, s)
}

// TestFlippedLog flips one bit at several places of a crashed store's log:
// Open refuses with kv.ErrCorrupt, or the loss is counted; nothing is ever
// silently missing.
func TestFlippedLog(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir, Options{})
	for i := range 400 {
		setSync(t, s, fmt.Sprintf("k%04d", i), strings.Repeat("v", 100))
	}
	crashed := copyFolder(t, dir)
	mustClose(t, s)
	refused := 0
	for part := 1; part < 20; part++ {
		broken := copyFolder(t, crashed)
		damage(t, newest(t, broken, "*.log"), func(b []byte) []byte { return flipAt(part, 20)(trimZeros(b)) })
		s, err := Open(broken, Options{})
		if err != nil {
			if !errors.Is(err, kv.ErrCorrupt) {
				t.Fatalf("part %d: %v", part, err)
			}
			refused++
			continue
		}
		present := countKeys(t, s)
		if lost := int(s.LostCommits()); lost == 0 || present+lost != 400 {
			t.Errorf("part %d: %d present, %d lost", part, present, lost)
		}
		mustClose(t, s)
	}
	if refused == 0 {
		t.Error("no flip was found by the log itself: sync chunks are off")
	}
}

func countKeys(t testing.TB, r kv.Reader) int {
	t.Helper()
	it, err := r.Iter(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer it.Close()
	n := 0
	for ok := it.First(); ok; ok = it.Next() {
		n++
	}
	if err := it.Error(); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestCleanCrash checks that a crash without damage is no loss, however the
// commits were made.
func TestCleanCrash(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir, Options{SmallDevice: true})
	for i := range 300 {
		b := s.NewBatch()
		b.Set(fmt.Appendf(nil, "k%04d", i), bytes.Repeat([]byte("v"), 3000))
		if err := s.Commit(b, kv.Durability(i%2)); err != nil {
			t.Fatal(err)
		}
		_ = b.Close()
		if i%60 == 30 {
			copied := copyFolder(t, dir)
			c := openStore(t, copied, Options{})
			if c.LostCommits() != 0 || c.Verify(context.Background()) != nil {
				t.Fatalf("%d commits lost by a crash", c.LostCommits())
			}
			mustClose(t, c)
		}
	}
	mustClose(t, s)
}

// TestMarkGone checks that a missing or damaged mark is no damage of the store.
func TestMarkGone(t *testing.T) {
	for _, how := range []string{"missing", "damaged", "empty"} {
		dir := t.TempDir()
		s := openStore(t, dir, Options{})
		setSync(t, s, "a", "1")
		mustClose(t, s)
		name := filepath.Join(dir, ackName)
		switch how {
		case "missing":
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		case "damaged":
			damage(t, name, flipAt(1, 2))
		case "empty":
			damage(t, name, func([]byte) []byte { return nil })
		}
		s = openStore(t, dir, Options{})
		if err := s.Verify(context.Background()); err != nil {
			t.Errorf("%s: %v", how, err)
		}
		mustClose(t, s)
	}
}

// TestDamagedTable flips a bit in a table: Verify and reading report it, and
// the process and the other data live.
func TestDamagedTable(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir, Options{})
	for i := range 500 {
		setSync(t, s, fmt.Sprintf("k%04d", i), strings.Repeat(fmt.Sprint(i), 30))
	}
	if err := s.Compact(context.Background()); err != nil {
		t.Fatal(err)
	}
	mustClose(t, s)
	tables := files(t, dir, "*.sst")
	largest := tables[0]
	for _, name := range tables {
		if len(readFile(t, name)) > len(readFile(t, largest)) {
			largest = name
		}
	}
	damage(t, largest, flipAt(1, 4))
	s = openStore(t, dir, Options{})
	if err := s.Verify(context.Background()); !errors.Is(err, kv.ErrCorrupt) || !strings.Contains(err.Error(), filepath.Base(largest)) {
		t.Fatalf("Verify: %v", err)
	}
	broken := 0
	for i := range 500 {
		_, err := kv.GetCopy(s, nil, fmt.Appendf(nil, "k%04d", i))
		if errors.Is(err, kv.ErrCorrupt) {
			broken++
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if broken == 0 || broken == 500 {
		t.Errorf("%d of 500 values unreadable", broken)
	}
	setSync(t, s, "new", "value")
	mustClose(t, s)
}

// TestDamagedManifest damages what names the tables: Open says kv.ErrCorrupt,
// or the store verifies.
func TestDamagedManifest(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir, Options{})
	for i := range 50 {
		setSync(t, s, fmt.Sprintf("k%04d", i), "v")
	}
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	mustClose(t, s)
	changes := map[string]func([]byte) []byte{
		"half": cutInHalf, "empty": func([]byte) []byte { return nil },
		"flip 1/8": flipAt(1, 8), "flip 1/2": flipAt(1, 2), "flip 7/8": flipAt(7, 8),
	}
	for name, change := range changes {
		broken := copyFolder(t, dir)
		damage(t, newest(t, broken, "MANIFEST-*"), change)
		s, err := Open(broken, Options{})
		if err == nil {
			n, lost := countKeys(t, s), int(s.LostCommits())
			if n+lost < 50 {
				t.Errorf("%s: %d keys and %d lost of 50", name, n, lost)
			}
			mustClose(t, s)
		} else if !errors.Is(err, kv.ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
