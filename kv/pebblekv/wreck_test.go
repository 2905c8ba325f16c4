// This file checks how a damaged folder is held and how lost commits are
// counted in it.

//go:build !js && !wasip1 && !solaris && !aix && !plan9

package pebblekv

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	crdb "github.com/cockroachdb/errors"
	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/contextforge-go/contextforge/kv"
)

func hold(t *testing.T, dir string) *Wreck {
	t.Helper()
	w, err := Hold(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func release(t *testing.T, w *Wreck) {
	t.Helper()
	for range 2 {
		if err := w.Release(); err != nil {
			t.Error(err)
		}
	}
}

func TestHold(t *testing.T) {
	dir := settled(t)
	w := hold(t, dir)
	if !w.Ours() {
		t.Error("a store isn't known as one")
	}
	if _, err := Open(dir, Options{}); !errors.Is(err, kv.ErrLocked) {
		t.Errorf("opened while held: %v", err)
	}
	if _, err := Hold(dir, Options{}); !errors.Is(err, kv.ErrLocked) {
		t.Errorf("held twice: %v", err)
	}
	for _, name := range []string{"one", "two"} {
		report, err := w.Salvage(filepath.Join(t.TempDir(), name))
		if err != nil || report.Entries != 35 || report.LostCommits != 0 || len(report.Problems) != 0 {
			t.Errorf("salvaged %+v, %v", report, err)
		}
	}
	release(t, w)
	s := openStore(t, dir, Options{})
	if _, err := Hold(dir, Options{}); !errors.Is(err, kv.ErrLocked) {
		t.Errorf("held while open: %v", err)
	}
	mustClose(t, s)
}

// TestHoldForeign: what is not ours is refused or, if it may be, held without a
// trace in it.
func TestHoldForeign(t *testing.T) {
	tests := []struct {
		name  string
		files map[string]string
		isOK  bool
	}{
		{"nothing", nil, false},
		{"documents", map[string]string{"thesis.txt": "x", "app.log": "x"}, false},
		{"a newer format", map[string]string{formatName: formatPrefix + "2\n", "000001.sst": ""}, false},
		{"another's log", map[string]string{"thesis.txt": "x", "000123.log": "my log"}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range test.files {
				writeText(t, dir, name, text)
			}
			before := listing(t, dir)
			w, err := Hold(dir, Options{})
			if test.isOK {
				if err != nil || w.Ours() {
					t.Fatalf("held as %+v, %v", w, err)
				}
				if report, err := w.Salvage(filepath.Join(t.TempDir(), "to")); err != nil || report.Entries != 0 {
					t.Errorf("salvaged %+v, %v", report, err)
				}
				release(t, w)
			} else if !errors.Is(err, kv.ErrForeign) {
				t.Errorf("error: %v", err)
			}
			if after := listing(t, dir); after != before {
				t.Errorf("the folder changed from %s to %s", before, after)
			}
		})
	}
	if _, err := Hold(filepath.Join(t.TempDir(), "none"), Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
}

func TestFingerprint(t *testing.T) {
	dir := settled(t)
	print := func(dir string) string {
		t.Helper()
		w := hold(t, dir)
		defer release(t, w)
		f, err := w.Fingerprint()
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	first := print(dir)
	if again := print(dir); again != first {
		t.Error("it changed by being read")
	}
	moved := dir + "-moved"
	if err := os.Rename(dir, moved); err != nil {
		t.Fatal(err)
	}
	if again := print(moved); again != first {
		t.Error("it changed by being moved")
	}
	s := openStore(t, moved, Options{})
	setSync(t, s, "a", "1")
	mustClose(t, s)
	if again := print(moved); again == first {
		t.Error("it stayed when the store went on")
	}
}

// TestLostCommits loses a log, and asks Salvage before and after the store was
// opened, and after the loss was accepted.
func TestLostCommits(t *testing.T) {
	for _, how := range []string{"removed", "flipped"} {
		for _, opened := range []string{"never", "once", "twice", "accepted", "went on"} {
			t.Run(how+" "+opened, func(t *testing.T) {
				s := openStore(t, t.TempDir(), Options{})
				for i := range 20 {
					setSync(t, s, fmt.Sprintf("k%02d", i), strings.Repeat("v", 50))
				}
				dir := copyFolder(t, s.dir)
				mustClose(t, s)
				log := newest(t, dir, "*.log")
				if how == "removed" {
					if err := os.Remove(log); err != nil {
						t.Fatal(err)
					}
				} else {
					damage(t, log, func(b []byte) []byte { return flipAt(1, 2)(trimZeros(b)) })
				}
				reopen(t, dir, opened)
				report, err := Salvage(dir, filepath.Join(t.TempDir(), "to"), Options{})
				if err != nil {
					t.Fatal(err)
				}
				there := report.Entries
				if opened == "went on" {
					there--
				}
				if report.LostCommits == 0 || report.LostCommits+uint64(there) != 20 || len(report.Problems) == 0 {
					t.Errorf("report %+v", report)
				}
			})
		}
	}
}

func reopen(t *testing.T, dir, opened string) {
	t.Helper()
	rounds := map[string]int{"never": 0, "once": 1, "twice": 2, "accepted": 1, "went on": 1}[opened]
	for range rounds {
		s := openStore(t, dir, Options{})
		if s.LostCommits() == 0 {
			t.Error("the loss went unnoticed")
		}
		switch opened {
		case "went on":
			setSync(t, s, "z", "later")
			fallthrough
		case "accepted":
			if err := s.AcceptLoss(); err != nil {
				t.Fatal(err)
			}
		}
		mustClose(t, s)
	}
}

// TestSalvageNamesLostTables: a table that the manifest names and that is gone
// is a known loss.
func TestSalvageNamesLostTables(t *testing.T) {
	dir := settled(t)
	gone := largestTable(t, dir)
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	report, err := Salvage(dir, filepath.Join(t.TempDir(), "to"), Options{})
	if err != nil || report.DamagedTables != 1 || !strings.Contains(fmt.Sprint(report.Problems), strings.TrimSuffix(filepath.Base(gone), ".sst")) {
		t.Errorf("report %+v, %v", report, err)
	}
}

// TestLogLines: errors of the engine come with a stack, which no log line may
// show.
func TestLogLines(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))
	err := crdb.Wrap(crdb.New("disk on\nfire"), "write")
	l := pebbleLogger{log, nil}
	l.Infof("info: %+v", err)
	l.Errorf("error: %v", err)
	(&Store{logger: log}).events().BackgroundError(err)
	(&Store{logger: log}).events().DataCorruption(pebble.DataCorruptionInfo{Details: err})
	newGuard(vfs.NewMem(), "/db", log).fail(err)
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 5 || strings.Contains(out.String(), ".go:") {
		t.Fatalf("%d lines:\n%s", len(lines), out.String())
	}
	for _, line := range lines {
		if !strings.Contains(line, "write: disk on fire") || len(line) > 300 {
			t.Errorf("line %s", line)
		}
	}
}
