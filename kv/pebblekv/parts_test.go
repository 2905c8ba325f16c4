// This file checks the small parts: the brake, the logger, the mark's file,
// bounds and batch limits.

//go:build !js && !wasip1 && !solaris && !aix && !plan9

package pebblekv

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/internal/ackmark"
)

// TestBrake checks when a commit counts layers, and what ends its wait.
func TestBrake(t *testing.T) {
	var b brake
	asked, layers := 0, maxSublevels+1
	sublevels := func() int {
		asked++
		if asked == 3 {
			layers = maxSublevels
		}
		return layers
	}
	open := make(chan struct{})
	b.wait(sublevels, open)
	b.flushEnd(pebble.FlushInfo{Output: make([]pebble.TableInfo, checkEvery-1)})
	b.wait(sublevels, open)
	if asked != 0 {
		t.Fatalf("asked %d times before %d flushes", asked, checkEvery)
	}
	b.flushEnd(pebble.FlushInfo{Output: make([]pebble.TableInfo, 1)})
	b.wait(sublevels, open)
	if asked != 3 {
		t.Fatalf("asked %d times, want until the layers fell", asked)
	}
	b.wait(sublevels, open)
	if asked != 3 {
		t.Fatal("asked again without new flushes")
	}
	failed := make(chan struct{})
	close(failed)
	asked, layers = 10, maxSublevels+1
	b.flushEnd(pebble.FlushInfo{Output: make([]pebble.TableInfo, checkEvery)})
	b.wait(sublevels, failed)
	if asked > 12 {
		t.Errorf("asked %d times on a failed store", asked-10)
	}
	b.flushEnd(pebble.FlushInfo{Output: make([]pebble.TableInfo, checkEvery)})
	b.wait(sublevels, open) // returns though nothing changes
}

// TestFatalIsFailure checks that Pebble's wish to end the process fails the
// store instead.
func TestFatalIsFailure(t *testing.T) {
	var log bytes.Buffer
	o := Options{FS: vfs.NewMem(), Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))}
	s := openStore(t, "/db", o)
	setSync(t, s, "a", "1")
	l := pebbleLogger{s.logger, s.guard.fail}
	l.Infof("number %d", 1)
	l.Errorf("number %d", 2)
	l.Fatalf("number %d", 3)
	b := s.NewBatch()
	if err := s.Commit(b, kv.Sync); !errors.Is(err, kv.ErrFailed) || !strings.Contains(err.Error(), "number 3") {
		t.Errorf("commit: %v", err)
	}
	if v, err := kv.GetCopy(s, nil, []byte("a")); err != nil || string(v) != "1" {
		t.Errorf("get: %q, %v", v, err)
	}
	if err := s.Close(); !errors.Is(err, kv.ErrFailed) {
		t.Errorf("close: %v", err)
	}
	for _, want := range []string{"level=DEBUG msg=\"pebble: number 1\"", "level=WARN msg=\"pebble: number 2\"", "level=ERROR"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %s", want)
		}
	}
	pebbleLogger{s.logger, nil}.Fatalf("nobody to fail")
}

// TestPanicIsFailure checks that a panic inside Pebble fails the store and
// that Close then returns without touching Pebble's locks.
func TestPanicIsFailure(t *testing.T) {
	o := Options{FS: vfs.NewMem()}
	s := openStore(t, "/db", o)
	setSync(t, s, "a", "1")
	err := func() (err error) {
		defer s.recoverPanic(&err)
		panic("broken")
	}()
	if !errors.Is(err, kv.ErrFailed) || !strings.Contains(err.Error(), "broken") {
		t.Errorf("error %v", err)
	}
	s.Metrics()
	if err := s.Close(); !errors.Is(err, kv.ErrFailed) {
		t.Errorf("close: %v", err)
	}
	if _, err := o.FS.Lock("/db/LOCK"); err != nil {
		t.Errorf("the folder is still locked: %v", err)
	}
}

// TestClampBounds checks every kind of pair.
func TestClampBounds(t *testing.T) {
	tests := []struct{ lower, upper, wantLower, wantUpper string }{
		{"-", "-", "-", "\xff"},
		{"a", "b", "a", "b"},
		{"", "b", "-", "b"},
		{"a", "\xff\x01", "a", "\xff"},
		{"a", "", "\xff", "\xff"},
		{"b", "a", "\xff", "\xff"},
		{"a", "a", "\xff", "\xff"},
		{"\xff\x00", "-", "\xff", "\xff"},
	}
	text := func(b []byte) string {
		if b == nil {
			return "-"
		}
		return string(b)
	}
	in := func(s string) []byte {
		if s == "-" {
			return nil
		}
		return []byte(s)
	}
	for _, test := range tests {
		lower, upper := clampBounds(in(test.lower), in(test.upper))
		if text(lower) != test.wantLower || text(upper) != test.wantUpper {
			t.Errorf("[%q,%q) became [%q,%q)", test.lower, test.upper, text(lower), text(upper))
		}
	}
}

// TestBatchLimit checks the limit with a small one.
func TestBatchLimit(t *testing.T) {
	s := openStore(t, "/db", Options{FS: vfs.NewMem()})
	defer mustClose(t, s)
	s.limit = 1000
	b := s.NewBatch()
	b.Set([]byte("k"), make([]byte, 1000))
	b.Set([]byte("l"), nil)
	if err := s.Commit(b, kv.Sync); !errors.Is(err, kv.ErrBatchTooLarge) {
		t.Fatalf("error %v", err)
	}
	if n := countKeys(t, s); n != 0 {
		t.Fatalf("%d keys", n)
	}
	b.Reset()
	b.Set([]byte("k"), make([]byte, 900))
	if err := s.Commit(b, kv.Sync); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Commit(b, kv.Sync); err == nil {
		t.Fatal("a closed batch was committed")
	}
	type other struct{ kv.Batch }
	if err := s.Commit(other{}, kv.Sync); err == nil {
		t.Fatal("a foreign batch was committed")
	}
}

// TestMarkFile checks that the mark follows acknowledged commits only.
func TestMarkFile(t *testing.T) {
	fs := vfs.NewMem()
	s := openStore(t, "/db", Options{FS: fs})
	read := func() ackmark.Mark {
		t.Helper()
		m, _, err := readMark(fs, "/db")
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	setSync(t, s, "a", "1")
	if got := read(); got.Acknowledged != 1 {
		t.Errorf("after a synced commit: %+v", got)
	}
	put(t, s, "b", []byte("2"))
	put(t, s, "c", []byte("3"))
	if got := read(); got.Acknowledged != 1 {
		t.Errorf("after commits without sync: %+v", got)
	}
	setSync(t, s, "d", "4")
	if got := read(); got.Acknowledged != 4 {
		t.Errorf("after the next synced commit: %+v", got)
	}
	put(t, s, "e", []byte("5"))
	flush(t, s)
	if got := read(); got.Acknowledged != 5 {
		t.Errorf("after a flush: %+v", got)
	}
	put(t, s, "f", []byte("6"))
	mustClose(t, s)
	if got := read(); got != (ackmark.Mark{Acknowledged: 6}) {
		t.Errorf("after close: %+v", got)
	}
}
