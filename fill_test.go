package contextforge_test

// BackfillEmbeddings: what it reports, what cuts it off, and what happens to a
// store whose embedder is another one.

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/vecindex"
)

// unembedded returns the config of a closed store with n texts that have no
// vectors.
func unembedded(t *testing.T, n int) contextforge.Config {
	t.Helper()
	cfg := contextforge.Config{Path: filepath.Join(t.TempDir(), "memory"), MaxEntries: contextforge.Unlimited}
	m := open(t, cfg)
	var items []contextforge.Item
	for i := range n {
		items = append(items, contextforge.Item{Content: fmt.Sprint("the car number ", i)})
	}
	if _, err := m.SaveBatch(ctx, items); err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	return cfg
}

type step struct{ done, total int }

// backfill returns what it reported.
func backfill(t *testing.T, m *contextforge.Memory, batch, want int) (steps []step) {
	t.Helper()
	n, err := m.BackfillEmbeddings(ctx, batch, func(done, total int) { steps = append(steps, step{done, total}) })
	if err != nil || n != want {
		t.Errorf("stored %d, want %d; %v", n, want, err)
	}
	return steps
}

func TestBackfillReports(t *testing.T) {
	cfg := unembedded(t, 70)
	m := open(t, cfg)
	if n, err := m.BackfillEmbeddings(ctx, 8, func(int, int) { t.Error("progress without an embedder") }); n != 0 || err != nil {
		t.Errorf("without an embedder: %d, %v", n, err)
	}
	if err := m.Flush(ctx); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		batch int
		want  []step
	}{
		{0, []step{{32, 70}, {64, 70}, {70, 70}}},
		{-5, []step{{32, 70}, {64, 70}, {70, 70}}},
		{35, []step{{35, 70}, {70, 70}}},
		{1000, []step{{70, 70}}},
	} {
		e := newBag()
		e.name = fmt.Sprint("batch ", c.batch)
		cfg.Embedder = e
		m = reopen(t, m, cfg)
		if got := backfill(t, m, c.batch, 70); !slices.Equal(got, c.want) {
			t.Errorf("batch %d: progress %v, want %v", c.batch, got, c.want)
		}
		if got := backfill(t, m, c.batch, 0); len(got) != 0 {
			t.Errorf("nothing to do: progress %v", got)
		}
		if st := stats(t, m); st.Embedded != 70 || st.Waiting != 0 || len(st.OtherModels) != 0 {
			t.Errorf("stats %+v", st)
		}
	}
	if err := m.Verify(ctx); err != nil {
		t.Error(err)
	}
}

// What the embedder can't take is skipped, reported, and tried again the next
// time; it never holds up what comes behind.
func TestBackfillSkips(t *testing.T) {
	cfg := unembedded(t, 70)
	e := newBag()
	e.answer = func(_ context.Context, texts []string) ([][]float32, error) {
		for _, text := range texts {
			if strings.HasSuffix(text, "7") || strings.Contains(text, "number 1") {
				return nil, errors.New("bad number")
			}
		}
		return nil, nil
	}
	var failed []contextforge.EmbeddingFailure
	cfg.Embedder = e
	cfg.Hooks.EmbeddingFailed = func(_ context.Context, list []contextforge.EmbeddingFailure) { failed = append(failed, list...) }
	m := open(t, cfg)
	bad := 1 + 10 + 6 // 1, 10 to 19, 7 to 67 without 17
	steps := backfill(t, m, 16, 70-bad)
	if len(steps) != 5 || steps[4] != (step{70, 70}) || len(failed) != bad {
		t.Errorf("progress %v, %d failed, want %d", steps, len(failed), bad)
	}
	if st := stats(t, m); st.Embedded != 70-bad || st.EmbedFailures != int64(bad) {
		t.Errorf("stats %+v", st)
	}
	if steps := backfill(t, m, 16, 0); len(steps) == 0 || steps[len(steps)-1] != (step{bad, bad}) {
		t.Errorf("again: %v", steps)
	}
	e.answer = nil
	if steps := backfill(t, m, 0, bad); !slices.Equal(steps, []step{{bad, bad}}) {
		t.Errorf("healed: %v", steps)
	}
	if st := stats(t, m); st.Embedded != 70 || st.Waiting != 0 {
		t.Errorf("stats %+v", st)
	}
}

func TestBackfillGoesOn(t *testing.T) {
	cfg := unembedded(t, 100)
	e := newBag()
	cfg.Embedder = e
	m := open(t, cfg)
	stopped, cancel := context.WithCancel(ctx)
	n, err := m.BackfillEmbeddings(stopped, 10, func(done, _ int) {
		if done == 30 {
			cancel()
		}
	})
	if n != 30 || !errors.Is(err, context.Canceled) {
		t.Errorf("stored %d, %v", n, err)
	}
	m = reopen(t, m, cfg)
	e.take()
	if steps := backfill(t, m, 50, 70); !slices.Equal(steps, []step{{50, 70}, {70, 70}}) {
		t.Errorf("progress %v", steps)
	}
	for _, call := range e.take() {
		if slices.Contains(call, "the car number 29") {
			t.Error("embedded twice")
		}
	}
}

// Entries that come and go meanwhile neither stop it nor leave done behind total.
func TestBackfillBesidesWrites(t *testing.T) {
	cfg := unembedded(t, 100)
	cfg.Embedder = newBag()
	m := open(t, cfg)
	all, err := m.TopK(ctx, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var last step
	if _, err := m.BackfillEmbeddings(ctx, 10, func(done, total int) {
		last = step{done, total}
		if done == 20 {
			for _, e := range all[:30] {
				if _, err := m.Delete(ctx, e.ID); err != nil {
					t.Error(err)
				}
			}
			save(t, m, "a cat", contextforge.SaveOptions{})
			text := "a physician"
			if _, err := m.Update(ctx, all[50].ID, contextforge.Change{Content: &text}); err != nil {
				t.Error(err)
			}
			if got := ask(t, m, "feline", contextforge.QueryOptions{MinSimilarity: 0.5}); len(got) != 1 {
				t.Errorf("found %q meanwhile", got)
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	if last.done != last.total {
		t.Errorf("ended with %+v", last)
	}
	if st := stats(t, m); st.Entries != 71 || st.Embedded != 71 || st.Waiting != 0 {
		t.Errorf("stats %+v", st)
	}
}

// However many there are, only a batch is in memory.
func TestBackfillOfMany(t *testing.T) {
	cfg := unembedded(t, 5000)
	e := newBag()
	cfg.Embedder = e
	m := open(t, cfg)
	if steps := backfill(t, m, 128, 5000); len(steps) != 40 || steps[39] != (step{5000, 5000}) {
		t.Errorf("%d steps", len(steps))
	}
	if most := slices.Max(sizes(e.take())); most > 64 {
		t.Errorf("%d texts at once", most)
	}
	if got := ask(t, m, "vehicle", contextforge.QueryOptions{Limit: 5}); len(got) != 5 {
		t.Errorf("found %q", got)
	}
}

// P22, W5: the vectors of two models never meet, although their dimensions agree;
// nothing is deleted unasked, and the way back is open until the backfill.
func TestCaseP22AnotherModel(t *testing.T) {
	log := &logged{}
	a, b := newBag(), newBag()
	b.name = "b"
	cfg := contextforge.Config{Path: filepath.Join(t.TempDir(), "memory"), Embedder: a, Logger: log.logger()}
	m := open(t, cfg)
	id := save(t, m, "the car is red", contextforge.SaveOptions{ID: "id"})
	save(t, m, "a cat sleeps", contextforge.SaveOptions{})
	if text := log.take(); text != "" {
		t.Errorf("logged %s", text)
	}
	strict := contextforge.QueryOptions{MinSimilarity: 0.4}
	cfg.Embedder = b
	m = reopen(t, m, cfg)
	if text := log.take(); !strings.Contains(text, "level=WARN") || !strings.Contains(text, "BackfillEmbeddings") || !strings.Contains(text, "bag") {
		t.Errorf("logged %s", text)
	}
	if got := ask(t, m, "red", strict); !slices.Equal(got, []string{id}) {
		t.Errorf("by words: %q", got)
	}
	if got := ask(t, m, "vehicle", contextforge.QueryOptions{MinSimilarity: -1}); len(got) != 0 {
		t.Errorf("by vectors of another model: %q", got)
	}
	if _, err := m.MoreLike(ctx, id, strict); !errors.Is(err, contextforge.ErrNoEmbedder) {
		t.Errorf("more like: %v", err)
	}
	if hits, err := m.QueryByVector(ctx, b.vector("car"), strict); err != nil || len(hits) != 0 {
		t.Errorf("by vector: %v, %v", hits, err)
	}
	if st := stats(t, m); st.Model != "b" || st.Embedded != 0 || !slices.Equal(st.OtherModels, []string{"bag"}) {
		t.Errorf("stats %+v", st)
	}
	a.take()
	cfg.Embedder = a
	m = reopen(t, m, cfg)
	if got := ask(t, m, "vehicle", strict); !slices.Equal(got, []string{id}) || stats(t, m).Embedded != 2 {
		t.Errorf("back: %q", got)
	}
	if calls := a.take(); len(calls) != 1 {
		t.Errorf("embedded again: %q", calls)
	}
	cfg.Embedder = b
	m = reopen(t, m, cfg)
	backfill(t, m, 0, 2)
	if st := stats(t, m); st.Embedded != 2 || len(st.OtherModels) != 0 {
		t.Errorf("stats %+v", st)
	}
	if got := ask(t, m, "vehicle", strict); !slices.Equal(got, []string{id}) {
		t.Errorf("after the backfill: %q", got)
	}
	if err := m.Verify(ctx); err != nil {
		t.Error(err)
	}
	cfg.Embedder = a
	m = reopen(t, m, cfg)
	if st := stats(t, m); st.Embedded != 0 || len(ask(t, m, "vehicle", strict)) != 0 {
		t.Errorf("the old vectors are still there: %+v", st)
	}
}

// W5: the same name with another dimension is another model.
func TestCaseW05AnotherDimension(t *testing.T) {
	cfg := contextforge.Config{Path: filepath.Join(t.TempDir(), "memory"), Embedder: newBag()}
	m := open(t, cfg)
	save(t, m, "the car is red", contextforge.SaveOptions{})
	small := newBag()
	small.dim = 16
	cfg.Embedder = small
	m = reopen(t, m, cfg)
	save(t, m, "the car is blue", contextforge.SaveOptions{})
	if got := contents(t, m, "vehicle", contextforge.QueryOptions{}); !slices.Equal(got, []string{"the car is blue"}) {
		t.Errorf("found %q", got)
	}
	if _, err := m.QueryByVector(ctx, newBag().vector("car"), contextforge.QueryOptions{}); !errors.Is(err, vecindex.ErrDimension) {
		t.Errorf("a vector of 64: %v", err)
	}
	backfill(t, m, 0, 1)
	if got := contents(t, m, "vehicle", contextforge.QueryOptions{}); len(got) != 2 {
		t.Errorf("found %q", got)
	}
}

// A store opened without an embedder keeps its vectors.
func TestWithoutEmbedderVectorsStay(t *testing.T) {
	cfg := contextforge.Config{Path: filepath.Join(t.TempDir(), "memory"), Embedder: newBag()}
	m := open(t, cfg)
	save(t, m, "the car is red", contextforge.SaveOptions{ID: "red"})
	save(t, m, "the car is gone", contextforge.SaveOptions{ID: "gone"})
	e := cfg.Embedder
	cfg.Embedder = nil
	m = reopen(t, m, cfg)
	if _, err := m.Delete(ctx, "gone"); err != nil {
		t.Fatal(err)
	}
	save(t, m, "my vehicle is new", contextforge.SaveOptions{ID: "new"})
	if got := ask(t, m, "red", contextforge.QueryOptions{}); !slices.Equal(got, []string{"red"}) {
		t.Errorf("found %q", got)
	}
	if _, err := m.MoreLike(ctx, "red", contextforge.QueryOptions{}); !errors.Is(err, contextforge.ErrNoEmbedder) {
		t.Errorf("more like: %v", err)
	}
	if _, err := m.QueryByVector(ctx, []float32{1}, contextforge.QueryOptions{}); !errors.Is(err, contextforge.ErrNoEmbedder) {
		t.Errorf("by vector: %v", err)
	}
	cfg.Embedder = e
	m = reopen(t, m, cfg)
	if st := stats(t, m); st.Embedded != 1 || st.Entries != 2 {
		t.Errorf("stats %+v", st)
	}
	backfill(t, m, 0, 1)
	if got := ask(t, m, "car", contextforge.QueryOptions{}); len(got) != 2 {
		t.Errorf("found %q", got)
	}
	if err := m.Verify(ctx); err != nil {
		t.Error(err)
	}
}

// Equal contents are embedded once, whenever they get their vectors.
func TestFillEmbedsNoContentTwice(t *testing.T) {
	e := newBag()
	e.tokens = 10
	e.answer = failings()["error"]
	m := open(t, contextforge.Config{Embedder: e})
	var numbers strings.Builder
	for i := range 500 {
		fmt.Fprintf(&numbers, "n%d ", 1000+i)
	}
	huge := numbers.String() + "and then a cat"
	for i := range 90 {
		text := fmt.Sprint("car ", i%3)
		if i%30 == 7 {
			text = huge
		}
		save(t, m, text, contextforge.SaveOptions{})
	}
	e.answer = nil
	save(t, m, "car 1", contextforge.SaveOptions{})
	e.take()
	if err := m.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	whole(t, m, "flushed", 91, 0)
	seen := map[string]bool{}
	for _, call := range e.take() {
		for _, text := range call {
			if seen[text] || text == "car 1" {
				t.Errorf("%q is embedded twice", text)
			}
			seen[text] = true
		}
	}
	if got := ask(t, m, "feline", contextforge.QueryOptions{MinSimilarity: 0.4, TokenBudget: contextforge.Unlimited}); len(got) != 3 {
		t.Errorf("found %q", got)
	}
	if got := ask(t, m, "vehicle", contextforge.QueryOptions{MinSimilarity: 0.4, TokenBudget: contextforge.Unlimited}); len(got) < 88 {
		t.Errorf("found %d", len(got))
	}
}
