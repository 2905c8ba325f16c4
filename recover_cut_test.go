//go:build !js && !wasip1 && !solaris && !aix && !plan9

package contextforge

// A recovery that was cut off after each of its steps: nothing is lost, nothing
// newer is rolled back, and the next one ends it.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// stored makes a store of n entries.
func stored(t *testing.T, n int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "m")
	saveMore(t, dir, "first", n)
	return dir
}

func saveMore(t *testing.T, dir, name string, n int) {
	t.Helper()
	m, err := Open(t.Context(), Config{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if _, err := m.Save(t.Context(), "text", "note", SaveOptions{ID: fmt.Sprint(name, i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
}

// begin copies what is readable of dir and runs step, as a recovery that ends
// after it.
func begin(t *testing.T, dir string, step func(*recovery, wreck, sideNote) error) *recovery {
	t.Helper()
	r := &recovery{cfg: Config{Path: dir}, report: RecoverReport{Problems: []string{}}}
	if err := r.locate(); err != nil {
		t.Fatal(err)
	}
	from, err := hold(r.dir, r.cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Release()
	source, err := from.Fingerprint()
	if err != nil {
		t.Fatal(err)
	}
	note, err := r.makeCopy(t.Context(), from, source)
	if err := errors.Join(err, step(r, from, note)); err != nil {
		t.Fatal(err)
	}
	return r
}

// makeCopy begins and ends after the copy.
func makeCopy(t *testing.T, dir string) *recovery {
	t.Helper()
	return begin(t, dir, func(*recovery, wreck, sideNote) error { return nil })
}

// moveAside begins and moves the damaged folder aside.
func moveAside(t *testing.T, dir string) (damaged string) {
	t.Helper()
	return begin(t, dir, (*recovery).moveAside).report.Damaged
}

func recoverAll(t *testing.T, dir string, want int) RecoverReport {
	t.Helper()
	report, err := Recover(t.Context(), Config{Path: dir})
	if err != nil || report.Entries != want || report.Problems == nil {
		t.Fatalf("recovered %+v, %v; want %d entries", report, err, want)
	}
	m, err := Open(t.Context(), Config{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := m.Count(t.Context()); err != nil || n != want {
		t.Errorf("%d entries, %v", n, err)
	}
	if err := errors.Join(m.Verify(t.Context()), m.Close()); err != nil {
		t.Error(err)
	}
	for _, side := range []string{".recovering", ".recovered"} {
		if _, err := os.Lstat(dir + side); err == nil {
			t.Errorf("%s is left", side)
		}
	}
	return report
}

func TestRecoverAfterTheCopy(t *testing.T) {
	dir := stored(t, 4)
	r := makeCopy(t, dir)
	before, err := os.Stat(r.done.store())
	if err != nil {
		t.Fatal(err)
	}
	report := recoverAll(t, dir, 4)
	if after, err := os.Stat(dir); err != nil || !os.SameFile(before, after) {
		t.Error("the copy was made again")
	}
	if _, err := os.Stat(report.Damaged); err != nil {
		t.Error(err)
	}
}

// TestRecoverOfALaterState: the store went on after a copy was made, which must
// not take its place.
func TestRecoverOfALaterState(t *testing.T) {
	dir := stored(t, 4)
	makeCopy(t, dir)
	saveMore(t, dir, "later", 3)
	recoverAll(t, dir, 7)
}

// TestRecoverWhileOpen: with a copy of an earlier state beside it, a store in
// use stays what and where it is.
func TestRecoverWhileOpen(t *testing.T) {
	dir := stored(t, 4)
	makeCopy(t, dir)
	m, err := Open(t.Context(), Config{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	if report, err := Recover(t.Context(), Config{Path: dir}); !errors.Is(err, ErrLocked) || report.Damaged != "" {
		t.Errorf("%+v, %v", report, err)
	}
	if _, err := m.Save(t.Context(), "text", "note", SaveOptions{ID: "after"}); err != nil {
		t.Error(err)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	recoverAll(t, dir, 5)
}

func TestRecoverBetweenTheRenames(t *testing.T) {
	for _, at := range []string{"nothing", "an empty folder"} {
		t.Run(at, func(t *testing.T) {
			dir := stored(t, 4)
			damaged := moveAside(t, dir)
			if at != "nothing" {
				if err := os.Mkdir(dir, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			for _, path := range []string{dir, dir + "/", dir + "/."} {
				if _, err := Open(t.Context(), Config{Path: path}); !errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), "Recover") {
					t.Errorf("open %s: %v", path, err)
				}
			}
			if report := recoverAll(t, dir, 4); report.Damaged != damaged {
				t.Errorf("the damaged store is in %q, said %q", damaged, report.Damaged)
			}
		})
	}
}

// TestRecoverThroughADanglingLink: the folder that a link names was moved
// aside.
func TestRecoverThroughADanglingLink(t *testing.T) {
	dir := stored(t, 4)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		return // the platform has none, or not for everybody
	}
	moveAside(t, dir)
	if _, err := Open(t.Context(), Config{Path: link}); !errors.Is(err, ErrCorrupt) {
		t.Errorf("open: %v", err)
	}
	recoverAll(t, link, 4)
}

func TestRecoverAfterTheRenames(t *testing.T) {
	dir := stored(t, 4)
	moveAside(t, dir)
	if err := os.Rename(sideFolder(dir+".recovered").store(), dir); err != nil {
		t.Fatal(err)
	}
	saveMore(t, dir, "later", 1)
	recoverAll(t, dir, 5)
}

// TestRecoverWithHalfAFolder: the copy had only just begun, or its removal had.
func TestRecoverWithHalfAFolder(t *testing.T) {
	halves := map[string]func(s sideFolder) error{
		"empty": func(s sideFolder) error { return os.Mkdir(string(s), 0o700) },
		"half note": func(s sideFolder) error {
			return errors.Join(os.Mkdir(string(s), 0o700), os.WriteFile(filepath.Join(string(s), noteTemp), nil, 0o600))
		},
		"no store": func(s sideFolder) error { return s.create(sideNote{Complete: true}) },
		"empty store": func(s sideFolder) error {
			return errors.Join(s.create(sideNote{}), os.Mkdir(s.store(), 0o700))
		},
	}
	for name, prepare := range halves {
		for _, suffix := range []string{".recovering", ".recovered"} {
			t.Run(name+suffix, func(t *testing.T) {
				dir := stored(t, 2)
				if err := prepare(sideFolder(dir + suffix)); err != nil {
					t.Fatal(err)
				}
				recoverAll(t, dir, 2)
			})
		}
	}
}

// TestRecoverCanceled leaves nothing behind.
func TestRecoverCanceled(t *testing.T) {
	dir := stored(t, 2)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Recover(ctx, Config{Path: dir}); !errors.Is(err, context.Canceled) {
		t.Errorf("error: %v", err)
	}
	recoverAll(t, dir, 2)
}

// TestRecoverNames gives every damaged folder a name of its own, whatever the
// clock says.
func TestRecoverNames(t *testing.T) {
	dir := stored(t, 1)
	now := time.Unix(1_700_000_000, 0)
	seen := map[string]bool{}
	for range 3 {
		report, err := Recover(t.Context(), Config{Path: dir, Clock: func() time.Time { return now }})
		if err != nil || seen[report.Damaged] {
			t.Fatalf("%+v, %v", report, err)
		}
		seen[report.Damaged] = true
	}
}
