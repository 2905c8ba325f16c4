package contextforge_test

// When texts get their vectors: with a save, in the background, the rest of huge
// ones later.

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/contextforge-go/contextforge"
)

func TestEveryWriteEmbeds(t *testing.T) {
	e := newBag()
	m := open(t, contextforge.Config{Embedder: e})
	id := save(t, m, "the car is red", contextforge.SaveOptions{})
	found := func(what, query string, want ...string) {
		t.Helper()
		got := ask(t, m, query, contextforge.QueryOptions{MinSimilarity: 0.4})
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q finds %q, want %q", what, query, got, want)
		}
	}
	found("save", "vehicle", id)
	text := "a cat sleeps"
	if _, err := m.Update(ctx, id, contextforge.Change{Content: &text}); err != nil {
		t.Fatal(err)
	}
	found("update", "feline", id)
	found("update", "vehicle")
	e.take()
	kind := "fact"
	if _, err := m.Update(ctx, id, contextforge.Change{Kind: &kind}); err != nil || len(e.take()) != 0 {
		t.Errorf("a new kind asked the embedder, %v", err)
	}
	found("update of the kind", "feline", id)
	restore(t, m, contextforge.Entry{ID: "r", Content: "my doctor said so"})
	found("restore", "physician", "r")
	if n, err := m.Restore(ctx, []contextforge.Entry{{ID: "r", Content: "a house"}}); n != 1 || err != nil {
		t.Error(n, err)
	}
	found("restore over it", "abode", "r")
	found("restore over it", "physician")
	save(t, m, "the car is back", contextforge.SaveOptions{ID: "r"})
	found("save over it", "vehicle", "r")
	if _, err := m.Delete(ctx, "r"); err != nil {
		t.Fatal(err)
	}
	found("delete", "vehicle")
	if st := stats(t, m); st.Embedded != 1 || st.Vectors != 1 || st.Waiting != 0 {
		t.Errorf("stats %+v", st)
	}
	if err := m.Verify(ctx); err != nil {
		t.Error(err)
	}
}

// W17: texts are embedded many at a time, and none twice.
func TestCaseW17Batches(t *testing.T) {
	e := newBag()
	m := open(t, contextforge.Config{Embedder: e})
	var items []contextforge.Item
	for i := range 200 {
		items = append(items, contextforge.Item{Content: fmt.Sprint("text ", i)})
	}
	batch := func(what string, want []int, items ...contextforge.Item) {
		t.Helper()
		if _, err := m.SaveBatch(ctx, items); err != nil {
			t.Fatal(err)
		}
		if got := sizes(e.take()); !slices.Equal(got, want) {
			t.Errorf("%s: calls of %v texts, want %v", what, got, want)
		}
	}
	batch("200 texts", []int{64, 64, 64, 8}, items...)
	batch("stored before", nil, items...)
	batch("the same ten times", []int{1}, slices.Repeat([]contextforge.Item{{Content: "one text"}}, 10)...)
	batch("a new one among them", []int{1}, append(items[:50:50], contextforge.Item{Content: "new"})...)
	restore(t, m, contextforge.Entry{Content: "one text"}, contextforge.Entry{Content: "text 7"})
	id := save(t, m, "text 8", contextforge.SaveOptions{Scope: "elsewhere"})
	text := "text 9"
	if _, err := m.Update(ctx, id, contextforge.Change{Content: &text}); err != nil {
		t.Fatal(err)
	}
	if calls := e.take(); len(calls) != 0 {
		t.Errorf("known texts were embedded: %q", calls)
	}
	n := 200 + 200 + 10 + 51 + 2 + 1
	if st := stats(t, m); st.Embedded != n || st.Vectors != n || st.Waiting != 0 {
		t.Errorf("stats %+v, want %d", st, n)
	}
	if err := m.Verify(ctx); err != nil {
		t.Error(err)
	}
}

// Texts that are equal only by the redaction of their secrets are equal.
func TestWhatIsEmbeddedIsRedacted(t *testing.T) {
	e := newBag()
	m := open(t, contextforge.Config{Embedder: e})
	save(t, m, "key AKIAIOSFODNN7EXAMPLQ here", contextforge.SaveOptions{})
	if calls := e.take(); len(calls) != 1 || strings.Contains(calls[0][0], "AKIA") {
		t.Errorf("embedded %q", calls)
	}
}

// gate is an embedder that waits until it's opened, or told to stop.
func gate(e *bag) (opened func()) {
	open := make(chan struct{})
	e.answer = func(ctx context.Context, _ []string) ([][]float32, error) {
		select {
		case <-open:
			return nil, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return sync.OnceFunc(func() { close(open) })
}

func TestBackground(t *testing.T) {
	e := newBag()
	opened := gate(e)
	m := open(t, contextforge.Config{Embedder: e, EmbedMode: contextforge.EmbedInBackground})
	var ids []string
	for i := range 20 {
		ids = append(ids, save(t, m, fmt.Sprint("the car number ", i), contextforge.SaveOptions{}))
	}
	if st := stats(t, m); st.Waiting != 20 || st.Embedded != 0 {
		t.Errorf("before: %+v", st)
	}
	impatient, cancel := context.WithCancel(ctx)
	cancel()
	if err := m.Flush(impatient); !errors.Is(err, context.Canceled) {
		t.Errorf("flush that can't wait: %v", err)
	}
	opened()
	if err := m.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	if st := stats(t, m); st.Waiting != 0 || st.Embedded != 20 {
		t.Errorf("after: %+v", st)
	}
	got := ask(t, m, "vehicle", contextforge.QueryOptions{TokenBudget: contextforge.Unlimited})
	slices.Sort(got)
	slices.Sort(ids)
	if !slices.Equal(got, ids) {
		t.Errorf("found %d", len(got))
	}
}

// A Close in the middle loses nothing, and leaves no goroutine behind.
func TestBackgroundContinues(t *testing.T) {
	e := newBag()
	gate(e)
	cfg := contextforge.Config{Path: filepath.Join(t.TempDir(), "memory"), Embedder: e, EmbedMode: contextforge.EmbedInBackground}
	m := open(t, cfg)
	for i := range 150 {
		if _, err := m.SaveBatch(ctx, []contextforge.Item{{Content: fmt.Sprint("the car number ", i)}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	stacks := make([]byte, 1<<20)
	if text := string(stacks[:runtime.Stack(stacks, true)]); strings.Contains(text, "startBackground") {
		t.Errorf("still running:\n%s", text)
	}
	e.answer = func(_ context.Context, texts []string) ([][]float32, error) {
		if len(texts) > 64 {
			return nil, errors.New("too many at once")
		}
		return nil, nil
	}
	m = open(t, cfg)
	if err := m.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	if st := stats(t, m); st.Entries != 150 || st.Waiting != 0 || st.Embedded != 150 {
		t.Errorf("reopened: %+v", st)
	}
	if err := m.Verify(ctx); err != nil {
		t.Error(err)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	if err := m.Flush(ctx); !errors.Is(err, contextforge.ErrClosed) {
		t.Errorf("flush after close: %v", err)
	}
}

// Saves, updates, deletions and questions at once, while the background embeds.
func TestBackgroundBesidesEverything(t *testing.T) {
	for _, mode := range []contextforge.EmbedMode{contextforge.EmbedInBackground, contextforge.EmbedInCall} {
		m := open(t, contextforge.Config{Embedder: newBag(), EmbedMode: mode})
		var all sync.WaitGroup
		for w := range 6 {
			all.Go(func() {
				for i := range 25 {
					id := fmt.Sprintf("%d-%d", w, i)
					if _, err := m.Save(ctx, fmt.Sprintf("the car %d of %d", i, w), "", contextforge.SaveOptions{ID: id}); err != nil {
						t.Error(err)
					}
					if hits, err := m.Query(ctx, fmt.Sprint("vehicle ", i), contextforge.QueryOptions{}); err != nil || len(hits) == 0 && mode == contextforge.EmbedInCall {
						t.Errorf("%d hits, %v", len(hits), err)
					}
					text := fmt.Sprintf("a cat %d of %d", i, w)
					if _, err := m.Update(ctx, id, contextforge.Change{Content: &text}); i%3 == 0 && err != nil {
						t.Error(err)
					}
					if _, err := m.Delete(ctx, id); i%5 == 0 && err != nil {
						t.Error(err)
					}
				}
				if err := m.Flush(ctx); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if err := m.Flush(ctx); err != nil {
			t.Error(err)
		}
		if st := stats(t, m); st.Waiting != 0 || st.Embedded != st.Entries || st.Vectors != st.Entries {
			t.Errorf("stats %+v", st)
		}
		if err := m.Verify(ctx); err != nil {
			t.Error(err)
		}
	}
}

// Of a huge text 64 windows are embedded with the save, the rest by Flush.
func TestHugeText(t *testing.T) {
	e := newBag()
	e.tokens = 10 // 30 bytes
	m := open(t, contextforge.Config{Embedder: e})
	id := save(t, m, strings.Repeat("some words of no interest at all, ", 150)+"and then a cat", contextforge.SaveOptions{})
	if calls := sizes(e.take()); !slices.Equal(calls, []int{64}) {
		t.Errorf("calls of %v", calls)
	}
	if st := stats(t, m); st.Vectors != 64 || st.Waiting != 1 || st.Embedded != 1 || st.EmbedFailures != 0 {
		t.Errorf("saved: %+v", st)
	}
	strict := contextforge.QueryOptions{MinSimilarity: 0.4}
	if got := ask(t, m, "feline", strict); len(got) != 0 {
		t.Errorf("its end is found before it was embedded")
	}
	if err := m.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	st := stats(t, m)
	if st.Vectors < 150 || st.Waiting != 0 || st.Embedded != 1 {
		t.Errorf("flushed: %+v", st)
	}
	for _, n := range sizes(e.take()) {
		if n > 64 {
			t.Errorf("%d windows at once", n)
		}
	}
	if got := ask(t, m, "feline", strict); !slices.Equal(got, []string{id}) {
		t.Errorf("its end isn't found: %q", got)
	}
	again := save(t, m, strings.Repeat("some words of no interest at all, ", 150)+"and then a cat", contextforge.SaveOptions{})
	if calls := e.take(); len(calls) != 0 || stats(t, m).Vectors != 2*st.Vectors {
		t.Errorf("a huge text that is known: %v", sizes(calls))
	}
	if _, err := m.Delete(ctx, again); err != nil || stats(t, m).Vectors != st.Vectors {
		t.Errorf("deleted: %d vectors, %v", stats(t, m).Vectors, err)
	}
	if err := m.Verify(ctx); err != nil {
		t.Error(err)
	}
}

// A huge text of which a later window fails waits, keeps what it has, and is
// completed when it can be.
func TestHugeTextFailsLater(t *testing.T) {
	e := newBag()
	e.tokens = 10
	m := open(t, contextforge.Config{Embedder: e})
	save(t, m, strings.Repeat("some words of no interest at all, ", 150)+"and then a bad cat", contextforge.SaveOptions{})
	e.answer = refusing
	if err := m.Flush(ctx); !errors.Is(err, contextforge.ErrEmbedding) {
		t.Error(err)
	}
	if st := stats(t, m); st.Vectors < 64 || st.Waiting != 1 || st.EmbedFailures != 1 {
		t.Errorf("failed: %+v", st)
	}
	e.answer = nil
	if err := m.Flush(ctx); err != nil || stats(t, m).Waiting != 0 {
		t.Error(err)
	}
	if got := ask(t, m, "feline", contextforge.QueryOptions{MinSimilarity: 0.4}); len(got) != 1 {
		t.Errorf("found %q", got)
	}
}

// The last window of a long text counts as much as the first: the text with the
// sentence at its end is nearer than the same text without.
func TestCaseP21TheEndOfALongText(t *testing.T) {
	e := model(t)
	m := open(t, contextforge.Config{Embedder: e})
	subjects := strings.Fields("harvest railway accountant violin glacier senate recipe telescope carpet debate")
	var b strings.Builder
	for i := range 190 {
		fmt.Fprintf(&b, "Nothing much happened in the %s office today. ", subjects[i%10])
	}
	long := b.String()
	if n := len(strings.Fields(long)); n < 1500 {
		t.Fatalf("%d words", n)
	}
	for i := range 20 {
		save(t, m, fmt.Sprintf("The %s report number %d was filed.", subjects[i%10], i), contextforge.SaveOptions{})
	}
	save(t, m, long, contextforge.SaveOptions{})
	id := save(t, m, long+"On Sunday we visited the otter sanctuary.", contextforge.SaveOptions{})
	if st := stats(t, m); st.Waiting != 0 || st.Vectors < 20+12 {
		t.Errorf("stats %+v", st)
	}
	question := "place that protects otters"
	vector, err := e.EmbedQuery(ctx, question)
	if err != nil {
		t.Fatal(err)
	}
	o := contextforge.QueryOptions{MinSimilarity: -1, Limit: 3}
	byVector, err := m.QueryByVector(ctx, vector, o)
	if err != nil || len(byVector) != 3 || byVector[0].ID != id || byVector[0].Explain.Semantic.Score < byVector[1].Explain.Semantic.Score+0.02 {
		t.Errorf("by its vector: %d hits, %v", len(byVector), err)
		for _, h := range byVector {
			t.Errorf("%.30s: %v", h.Content, h.Explain)
		}
	}
	if got := ask(t, m, question, contextforge.QueryOptions{Limit: 3}); len(got) == 0 || got[0] != id {
		t.Errorf("found %q, want %q", got, id)
	}
}
