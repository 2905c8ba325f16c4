//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package storebench

// These tests decide that a run at small sizes has every figure, and that the
// floors do what they are said to do.

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/bench/internal/corpus"
	"github.com/contextforge-go/contextforge/internal/store"
)

func TestRun(t *testing.T) {
	var progress bytes.Buffer
	asked := 0
	dir := t.TempDir()
	r, err := Run(t.Context(), Options{
		Entries: []int{60, 120}, Rounds: 1, hold: 20 * time.Millisecond, Dir: dir, Progress: &progress,
		Resident: func(_ context.Context, _ int, _ string, small bool) (Memory, error) {
			asked++
			return Memory{Before: 1 << 20, Ingested: 2 << 20}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	keys := []string{
		"open", "open.kv", "open.query", "query.ids", "query.text.ids", "query.scoped.ids", "query.content.ids", "query.content.scoped.entries",
		"query.entries", "query.content.budget", "matchall", "list", "save", "save.append", "open.crash", "delete", "concurrent",
		"concurrent.bare", "concurrent.syncs", "disk", "disk.compact", "memory", "memory.small",
	}
	for _, table := range r.Tables {
		for _, key := range keys {
			if row, ok := table.Find(key); !ok || row.P50 <= 0 {
				t.Errorf("%s: %q is %+v", table.Title, key, row)
			}
		}
	}
	if len(r.Tables) != 2 || len(r.Curves) != 3 || asked != 4 {
		t.Errorf("%d tables, %d curves, memory measured %d times", len(r.Tables), len(r.Curves), asked)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if !strings.Contains(progress.String(), "120 entries: concurrent took") {
		t.Errorf("progress:\n%s", &progress)
	}
}

func TestOnly(t *testing.T) {
	profile := filepath.Join(t.TempDir(), "p")
	r, err := Run(t.Context(), Options{
		Entries: []int{50}, Rounds: 1, Dir: t.TempDir(), Only: []string{"query"}, CPUProfile: profile, Progress: &bytes.Buffer{},
	})
	if err != nil {
		t.Fatal(err)
	}
	if written, err := filepath.Glob(profile + "*"); err != nil || len(written) != 1 {
		t.Errorf("profiles %v, %v", written, err)
	}
	for _, row := range r.Tables[0].Rows {
		if !strings.HasPrefix(row.Key, "query") {
			t.Errorf("row %q was not asked for", row.Key)
		}
	}
	if _, err := Run(t.Context(), Options{Only: []string{"queries"}}); err == nil || !strings.Contains(err.Error(), "queries") {
		t.Errorf("an unknown group: %v", err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Run(ctx, Options{Entries: []int{50}, Rounds: 1, Dir: t.TempDir(), Progress: &bytes.Buffer{}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestMeasureMemory(t *testing.T) {
	for _, small := range []bool{false, true} {
		u, err := MeasureMemory(t.Context(), 50, t.TempDir(), small)
		if err != nil || u.Heap <= 0 || u.Disk <= 0 {
			t.Errorf("small %v: %+v, %v", small, u, err)
		}
	}
}

// The keys of the bare Pebble are new, as long as ids, and ascend.
func TestBareKeys(t *testing.T) {
	p := &bare{}
	last := []byte{}
	for range 3000 {
		key := p.key()
		if len(key) != 36 || bytes.Compare(key, last) <= 0 || key[8] != '-' {
			t.Fatalf("key %q after %q", key, last)
		}
		last = key
	}
}

// What is copied from an open store is a store with all that was saved.
func TestCopyFolder(t *testing.T) {
	b := &bench{n: 200, dir: t.TempDir(), corpus: corpus.New(1)}
	m, err := b.open(t.Context(), b.main())
	if err != nil {
		t.Fatal(err)
	}
	ids, err := m.SaveBatch(t.Context(), items(b.corpus, 0, b.n))
	if err != nil {
		t.Fatal(err)
	}
	err = copyFolder(b.main(), b.path("copy"))
	if err := errors.Join(err, m.Close()); err != nil {
		t.Fatal(err)
	}
	copied, err := b.open(t.Context(), b.path("copy"))
	if err != nil {
		t.Fatal(err)
	}
	defer copied.Close()
	var got []string
	for e, err := range copied.List(t.Context(), contextforge.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, e.ID)
	}
	slices.Sort(got)
	slices.Sort(ids)
	if !slices.Equal(got, ids) {
		t.Errorf("the copy has %d entries, want %d", len(got), len(ids))
	}
}

// The engine that yields ids alone opens the memory's store and finds the
// entries that the questions are from.
func TestEngine(t *testing.T) {
	b := &bench{n: 300, dir: t.TempDir(), corpus: corpus.New(2)}
	b.Progress = &bytes.Buffer{}
	if _, err := b.fill(t.Context(), b.main(), 100, func([]string) {}); err != nil {
		t.Fatal(err)
	}
	s, err := b.openEngine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	v, err := s.SearchView(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if st := v.Stats(); st.Entries != b.n {
		t.Errorf("%d entries, want %d", st.Entries, b.n)
	}
	for _, q := range b.corpus.QueriesFromText(20, b.n) {
		hits, err := v.Search(t.Context(), q.Text, store.Filter{}, topK)
		if err != nil || len(hits) == 0 {
			t.Errorf("%q: %d hits, %v", q.Text, len(hits), err)
		}
	}
}

func TestHammer(t *testing.T) {
	broken := errors.New("broken")
	_, calls, err := hammer(3, time.Minute, func(g, i int) error {
		if i == 2 {
			return broken
		}
		return nil
	})
	if !errors.Is(err, broken) || calls != 9 {
		t.Errorf("%d calls, %v", calls, err)
	}
}
