//go:build !js && !wasip1 && !solaris && !aix && !plan9

package contextforge_test

// Damaged stores and what comes back of them.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

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
	if err != nil || report.Lost == 0 || len(report.Problems) != report.Lost || report.Entries < n/2 || report.Entries > n {
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
	report, err := contextforge.Recover(ctx, contextforge.Config{Path: dir})
	if err != nil || report.Entries != 100 || report.Lost != 0 {
		t.Fatalf("recovered %+v, %v", report, err)
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

func TestRecoverGoesOnWhereItWasCutOff(t *testing.T) {
	dir := fill(t, 50)
	// The copy was complete and the damaged folder moved aside.
	if err := os.Rename(dir, dir+".recovered"); err != nil {
		t.Fatal(err)
	}
	report, err := contextforge.Recover(ctx, contextforge.Config{Path: dir})
	if err != nil || report.Entries != 50 {
		t.Fatalf("recovered %+v, %v", report, err)
	}
	// The copy was not complete yet.
	if err := os.MkdirAll(dir+".recovering", 0o700); err != nil {
		t.Fatal(err)
	}
	if report, err = contextforge.Recover(ctx, contextforge.Config{Path: dir}); err != nil || report.Entries != 50 {
		t.Fatalf("recovered %+v, %v", report, err)
	}
}
