//go:build !js && !wasip1 && !solaris && !aix && !plan9

package contextforge_test

// Damaged stores and what comes back of them.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"

	"github.com/contextforge-go/contextforge"
)

// fill makes a store of n entries on disk and returns its folder.
func fill(t *testing.T, n int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "m")
	m, err := contextforge.Open(ctx, contextforge.Config{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	items := make([]contextforge.Item, n)
	for i := range items {
		items[i] = contextforge.Item{Content: fmt.Sprintf("salvaged word%d from the sea", i), Kind: "fact", SaveOptions: contextforge.SaveOptions{ID: fmt.Sprint(i), Scope: "s"}}
	}
	if _, err := m.SaveBatch(ctx, items); err != nil {
		t.Fatal(err)
	}
	if err := m.Compact(ctx); err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func damage(t *testing.T, dir, pattern string, spoil func([]byte) []byte) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(names) == 0 {
		t.Fatalf("no %s: %v", pattern, err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, spoil(b), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestRecoverAfterALostManifest(t *testing.T) {
	const n = 3000
	dir := fill(t, n)
	damage(t, dir, "MANIFEST-*", func([]byte) []byte { return []byte("nothing of use") })
	if _, err := contextforge.Open(ctx, contextforge.Config{Path: dir}); err == nil {
		t.Fatal("a store without a manifest opens")
	}
	report, err := contextforge.Recover(ctx, contextforge.Config{Path: dir})
	if err != nil || report.Entries != n {
		t.Fatalf("recovered %+v, %v", report, err)
	}
	if _, err := os.Stat(report.Damaged); err != nil {
		t.Errorf("the damaged store is gone: %v", err)
	}
	m := open(t, contextforge.Config{Path: dir})
	if err := m.Verify(ctx); err != nil {
		t.Error(err)
	}
	if got := ask(t, m, "word1234", contextforge.QueryOptions{Limit: 1}); !slices.Equal(got, []string{"1234"}) {
		t.Errorf("found %q", got)
	}
}

func TestRecoverAfterADamagedTable(t *testing.T) {
	const n = 20_000
	dir := fill(t, n)
	damage(t, dir, "*.sst", func(b []byte) []byte {
		copy(b[len(b)/2:], "damage in the middle of a table")
		return b
	})
	report, err := contextforge.Recover(ctx, contextforge.Config{Path: dir})
	if err != nil || report.Lost == 0 || len(report.Problems) == 0 || report.Entries < n/2 || report.Entries > n {
		t.Fatalf("recovered %+v, %v", report, err)
	}
	m := open(t, contextforge.Config{Path: dir, MaxEntries: contextforge.Unlimited})
	if err := m.Verify(ctx); err != nil {
		t.Error(err)
	}
	found := ask(t, m, "sea", contextforge.QueryOptions{TokenBudget: contextforge.Unlimited})
	if len(found) != report.Entries {
		t.Errorf("%d entries, %d found", report.Entries, len(found))
	}
}

func TestRecoverOfASoundStoreKeepsAll(t *testing.T) {
	dir := fill(t, 100)
	var log bytes.Buffer
	report, err := contextforge.Recover(ctx, contextforge.Config{Path: dir, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil || report.Entries != 100 || report.Lost != 0 || report.Problems == nil || len(report.Problems) != 0 {
		t.Fatalf("recovered %+v, %v", report, err)
	}
	if log.Len() > 0 {
		t.Errorf("it logs %s", log.String())
	}
}

func TestRecoverRefuses(t *testing.T) {
	dir := fill(t, 3)
	m := open(t, contextforge.Config{Path: dir})
	if _, err := contextforge.Recover(ctx, contextforge.Config{Path: dir}); !errors.Is(err, contextforge.ErrLocked) {
		t.Errorf("an open store: %v", err)
	}
	if n := count(t, m); n != 3 {
		t.Errorf("%d entries", n)
	}
	for _, path := range []string{"", contextforge.MemoryPath} {
		if _, err := contextforge.Recover(ctx, contextforge.Config{Path: path}); !errors.Is(err, contextforge.ErrInvalidConfig) {
			t.Errorf("%q: %v", path, err)
		}
	}
	foreign := t.TempDir()
	if err := os.WriteFile(filepath.Join(foreign, "letter.txt"), []byte("dear"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := contextforge.Recover(ctx, contextforge.Config{Path: foreign}); !errors.Is(err, contextforge.ErrForeign) {
		t.Errorf("a foreign folder: %v", err)
	}
	if _, err := os.Stat(filepath.Join(foreign, "letter.txt")); err != nil {
		t.Error(err)
	}
	if _, err := contextforge.Recover(ctx, contextforge.Config{Path: filepath.Join(t.TempDir(), "none")}); err == nil {
		t.Error("a folder that is not there is recovered")
	}
}

// tree lists everything under a folder with the contents of its files.
func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.Name() == "LOCK" {
			return err
		}
		name, err := filepath.Rel(root, path)
		if e.Type().IsRegular() {
			b, readErr := os.ReadFile(path)
			all[name], err = string(b), errors.Join(err, readErr)
		} else {
			all[name] = e.Type().String()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestOpenWithoutTheMarker: a store without the file that names its manifest
// is damaged, not new.
func TestOpenWithoutTheMarker(t *testing.T) {
	dir := fill(t, 40)
	for _, name := range glob(t, dir, "marker.manifest.*") {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	before := tree(t, dir)
	if _, err := contextforge.Open(ctx, contextforge.Config{Path: dir}); !errors.Is(err, contextforge.ErrCorrupt) {
		t.Fatalf("opened: %v", err)
	}
	if after := tree(t, dir); !maps.Equal(before, after) {
		t.Error("Open changed the damaged folder")
	}
	report, err := contextforge.Recover(ctx, contextforge.Config{Path: dir})
	if err != nil || report.Entries != 40 || report.Lost != 0 || len(report.Problems) == 0 {
		t.Errorf("recovered %+v, %v", report, err)
	}
	if after := tree(t, report.Damaged); !maps.Equal(before, after) {
		t.Error("Recover changed the damaged folder")
	}
}

func glob(t *testing.T, dir, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(names) == 0 {
		t.Fatalf("no %s: %v", pattern, err)
	}
	return names
}

// TestRecoverWithoutItsMark: a store that has lost the file that says whose it
// is comes back, by what else tells.
func TestRecoverWithoutItsMark(t *testing.T) {
	for _, lost := range [][]string{{"CONTEXTFORGE"}, {"CONTEXTFORGE", "ACKNOWLEDGED"}} {
		dir := fill(t, 7)
		for _, name := range lost {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
		if report, err := contextforge.Recover(ctx, contextforge.Config{Path: dir}); err != nil || report.Entries != 7 {
			t.Errorf("without %q: %+v, %v", lost, report, err)
		}
	}
}

// TestRecoverForeign: what was never a store is not even renamed.
func TestRecoverForeign(t *testing.T) {
	tests := map[string]func(dir string) error{
		"somebody's log": func(dir string) error {
			return errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, "thesis.txt"), []byte("mine"), 0o600),
				os.WriteFile(filepath.Join(dir, "000123.log"), []byte("my log"), 0o600))
		},
		"another database": func(dir string) error {
			db, err := pebble.Open(dir, &pebble.Options{Logger: quiet{}})
			if err != nil {
				return err
			}
			return errors.Join(db.Set([]byte("hello"), []byte("w"), pebble.Sync), db.Set([]byte{0x10, 1}, []byte("w"), pebble.Sync),
				db.Flush(), db.Close())
		},
	}
	for name, prepare := range tests {
		t.Run(name, func(t *testing.T) {
			parent := t.TempDir()
			dir := filepath.Join(parent, "other")
			if err := prepare(dir); err != nil {
				t.Fatal(err)
			}
			before := tree(t, parent)
			report, err := contextforge.Recover(ctx, contextforge.Config{Path: dir})
			if !errors.Is(err, contextforge.ErrForeign) || report.Damaged != "" || report.Problems == nil {
				t.Errorf("%+v, %v", report, err)
			}
			if after := tree(t, parent); !maps.Equal(before, after) {
				t.Errorf("%v became %v", slices.Sorted(maps.Keys(before)), slices.Sorted(maps.Keys(after)))
			}
		})
	}
}

type quiet struct{}

func (quiet) Infof(string, ...any)  {}
func (quiet) Errorf(string, ...any) {}
func (quiet) Fatalf(string, ...any) {}

// TestRecoverForeignSideFolders: folders of the caller's own with the names
// that Recover uses stay as they are, copies of a store included.
func TestRecoverForeignSideFolders(t *testing.T) {
	for _, suffix := range []string{".recovered", ".recovering"} {
		for _, what := range []string{"diary", "file", "checkpoint", "forged"} {
			t.Run(what+suffix, func(t *testing.T) {
				dir := fill(t, 3)
				side := dir + suffix
				var err error
				switch what {
				case "diary":
					err = errors.Join(os.Mkdir(side, 0o700), os.WriteFile(filepath.Join(side, "diary.txt"), []byte("x"), 0o600))
				case "file":
					err = os.WriteFile(side, []byte("x"), 0o600)
				case "checkpoint":
					m := open(t, contextforge.Config{Path: dir})
					err = errors.Join(m.Checkpoint(ctx, side), m.Close())
				case "forged":
					err = errors.Join(os.MkdirAll(filepath.Join(side, "store"), 0o700), os.WriteFile(filepath.Join(side, "RECOVERY"), []byte("my own"), 0o600))
				}
				if err != nil {
					t.Fatal(err)
				}
				before := tree(t, filepath.Dir(dir))
				if _, err := contextforge.Recover(ctx, contextforge.Config{Path: dir}); !errors.Is(err, contextforge.ErrForeign) || !strings.Contains(err.Error(), side) {
					t.Errorf("error: %v", err)
				}
				if after := tree(t, filepath.Dir(dir)); !maps.Equal(before, after) {
					t.Error("something was changed")
				}
			})
		}
	}
}

// TestRecoverNamesLostCommits loses the log, and recovers before and after the
// store was opened once more.
func TestRecoverNamesLostCommits(t *testing.T) {
	for _, opened := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "m")
		m := open(t, contextforge.Config{Path: dir})
		for i := range 20 {
			if _, err := m.Save(ctx, fmt.Sprint("hello ", i), "note", contextforge.SaveOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		if err := m.Close(); err != nil {
			t.Fatal(err)
		}
		for _, name := range glob(t, dir, "*.log") {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
		if opened {
			if m, err := contextforge.Open(ctx, contextforge.Config{Path: dir}); err != nil {
				t.Fatal(err)
			} else if err := m.Close(); err != nil {
				t.Fatal(err)
			}
		}
		report, err := contextforge.Recover(ctx, contextforge.Config{Path: dir})
		if err != nil || report.Lost < 20 || !strings.Contains(fmt.Sprint(report.Problems), "acknowledged commits are missing") {
			t.Errorf("opened before: %v: %+v, %v", opened, report, err)
		}
		m = open(t, contextforge.Config{Path: dir})
		if err := m.Verify(ctx); err != nil {
			t.Errorf("afterwards: %v", err)
		}
	}
}

// TestRecoverPaths recovers by several spellings of the path: nothing is written
// inside the damaged folder, and a link stays one.
func TestRecoverPaths(t *testing.T) {
	for _, spelling := range []string{"m", "m/", "m/.", "./x/../m", ".", "link", "far"} {
		t.Run(spelling, func(t *testing.T) {
			dir := fill(t, 5)
			parent := filepath.Dir(dir)
			t.Chdir(parent)
			path := spelling
			switch spelling {
			case ".":
				t.Chdir(dir)
			case "./x/../m":
				path = filepath.Join(parent, "x") + "/../m"
			case "link", "far":
				link := filepath.Join(t.TempDir(), "link")
				if err := os.Symlink(dir, link); err != nil {
					return // the platform has none, or not for everybody
				}
				path = link
				if spelling == "far" {
					path += "/"
				}
			}
			before := tree(t, dir)
			report, err := contextforge.Recover(ctx, contextforge.Config{Path: path})
			if err != nil || report.Entries != 5 || !strings.HasPrefix(filepath.Base(report.Damaged), "m.damaged-") {
				t.Fatalf("recovered %+v, %v", report, err)
			}
			if after := tree(t, report.Damaged); !maps.Equal(before, after) {
				t.Error("the damaged folder was changed")
			}
			if entries, err := os.ReadDir(parent); err != nil || len(entries) != 2 {
				t.Errorf("beside it: %v, %v", entries, err)
			}
			if info, err := os.Lstat(strings.TrimRight(path, "/")); strings.HasSuffix(path, "link") && (err != nil || info.Mode()&os.ModeSymlink == 0) {
				t.Errorf("the link is %v, %v", info, err)
			}
			if n := count(t, open(t, contextforge.Config{Path: dir})); n != 5 {
				t.Errorf("%d entries", n)
			}
		})
	}
}

// TestCheckpointOfRAM: the copy of a memory in RAM opens like any other.
func TestCheckpointOfRAM(t *testing.T) {
	m := open(t, contextforge.Config{})
	for i := range 300 {
		if _, err := m.Save(ctx, fmt.Sprintf("word%d %s", i, strings.Repeat("x", 5000)), "note", contextforge.SaveOptions{ID: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
	}
	parent := t.TempDir()
	dir := filepath.Join(parent, "new", "copy")
	if err := m.Checkpoint(ctx, dir); err != nil {
		t.Fatal(err)
	}
	if err := m.Checkpoint(ctx, dir); err == nil || errors.Is(err, contextforge.ErrForeign) || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("a second one: %v", err)
	}
	if err := m.Checkpoint(ctx, ""); err == nil {
		t.Error("a copy without a name")
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	if err := m.Checkpoint(canceled, filepath.Join(parent, "new", "other")); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
	if entries, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(entries) != 1 {
		t.Errorf("left: %v, %v", entries, err)
	}
	c := open(t, contextforge.Config{Path: dir})
	if err := c.Verify(ctx); err != nil || count(t, c) != 300 {
		t.Errorf("the copy has %d entries, %v", count(t, c), err)
	}
	if got := ask(t, c, "word77", contextforge.QueryOptions{Limit: 1}); !slices.Equal(got, []string{"77"}) {
		t.Errorf("found %q", got)
	}
}

// TestCheckpointInsideTheStore would keep there what is deleted.
func TestCheckpointInsideTheStore(t *testing.T) {
	dir := fill(t, 1)
	m := open(t, contextforge.Config{Path: dir})
	if err := m.Checkpoint(ctx, filepath.Join(dir, "copy")); err == nil || !strings.Contains(err.Error(), "inside the store's folder") {
		t.Errorf("error: %v", err)
	}
}
