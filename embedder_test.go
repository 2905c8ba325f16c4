package contextforge_test

// Embedders that tests can look into, and what a memory asks of an embedder.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/minilm"
	"github.com/contextforge-go/contextforge/minilm/allminilm"
)

// bag is an embedder that adds one to a place of the vector for every word; a
// word and its synonym have the same place.
type bag struct {
	name        string
	dim, tokens int
	// answer is asked first; it may leave the answer to the words by returning
	// nothing.
	answer func(ctx context.Context, texts []string) ([][]float32, error)

	mu    sync.Mutex
	calls [][]string
}

var synonyms = map[string]string{"vehicle": "car", "feline": "cat", "physician": "doctor", "abode": "house"}

func newBag() *bag { return &bag{name: "bag", dim: 64} }

func (b *bag) Name() string   { return b.name }
func (b *bag) Dimension() int { return b.dim }
func (b *bag) MaxTokens() int { return b.tokens }

func (b *bag) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	b.mu.Lock()
	b.calls = append(b.calls, slices.Clone(texts))
	b.mu.Unlock()
	if b.answer != nil {
		if vectors, err := b.answer(ctx, texts); vectors != nil || err != nil {
			return vectors, err
		}
	}
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = b.vector(text)
	}
	return out, nil
}

func (b *bag) vector(text string) []float32 {
	v := make([]float32, b.dim)
	v[0] = 0.1 // so that a text without words has a direction
	for _, w := range strings.Fields(strings.ToLower(text)) {
		if s := synonyms[w]; s != "" {
			w = s
		}
		h := fnv.New64a()
		h.Write([]byte(w + b.name))
		v[1+h.Sum64()%uint64(b.dim-1)]++
	}
	return v
}

// take returns the calls since the last take.
func (b *bag) take() [][]string {
	b.mu.Lock()
	defer b.mu.Unlock()
	calls := b.calls
	b.calls = nil
	return calls
}

// sizes returns the number of texts of each call.
func sizes(calls [][]string) (n []int) {
	for _, c := range calls {
		n = append(n, len(c))
	}
	return n
}

// logged is a log that tests read.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) take() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.text.String()
	l.text.Reset()
	return s
}

func (l *logged) logger() *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }

func stats(t testing.TB, m *contextforge.Memory) contextforge.Stats {
	t.Helper()
	st, err := m.Stats(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

var loadModel = sync.OnceValues(func() (*minilm.Model, error) { return allminilm.New(minilm.Config{}) })

// model returns the built-in model.
func model(t testing.TB) *minilm.Model {
	t.Helper()
	m, err := loadModel()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func constant(x float32) func(context.Context, []string) ([][]float32, error) {
	return func(_ context.Context, texts []string) ([][]float32, error) {
		out := make([][]float32, len(texts))
		for i := range out {
			out[i] = slices.Repeat([]float32{x}, 64)
		}
		return out, nil
	}
}

// failings are the ways in which an embedder can fail.
func failings() map[string]func(context.Context, []string) ([][]float32, error) {
	with := func(x float32) func(context.Context, []string) ([][]float32, error) {
		return func(ctx context.Context, texts []string) ([][]float32, error) {
			out, err := constant(1)(ctx, texts)
			out[len(out)-1][7] = x
			return out, err
		}
	}
	return map[string]func(context.Context, []string) ([][]float32, error){
		"error":     func(context.Context, []string) ([][]float32, error) { return nil, errors.New("out of order") },
		"panic":     func(context.Context, []string) ([][]float32, error) { panic("out of order") },
		"nil panic": func(context.Context, []string) ([][]float32, error) { panic(nil) },
		"none":      func(context.Context, []string) ([][]float32, error) { return [][]float32{}, nil },
		"too many": func(_ context.Context, texts []string) ([][]float32, error) {
			return constant(1)(nil, append(texts, ""))
		},
		"nil vector": func(_ context.Context, texts []string) ([][]float32, error) {
			return make([][]float32, len(texts)), nil
		},
		"wrong length": func(_ context.Context, texts []string) ([][]float32, error) {
			return slices.Repeat([][]float32{{1, 2, 3}}, len(texts)), nil
		},
		"zeros":        constant(0),
		"NaN":          with(float32(math.NaN())),
		"infinity":     with(float32(math.Inf(-1))),
		"cancelled":    func(context.Context, []string) ([][]float32, error) { return nil, context.Canceled },
		"its deadline": func(context.Context, []string) ([][]float32, error) { return nil, context.DeadlineExceeded },
	}
}

// P23, W41: whatever an embedder does, a save succeeds, the entry is found by its
// words, the failure is seen, and Flush makes up for it.
func TestCaseP23EmbedderFails(t *testing.T) {
	for name, failing := range failings() {
		t.Run(name, func(t *testing.T) {
			e, log := newBag(), &logged{}
			e.answer = failing
			var failed []contextforge.EmbeddingFailure
			m := open(t, contextforge.Config{Embedder: e, Logger: log.logger(), Hooks: contextforge.Hooks{
				EmbeddingFailed: func(_ context.Context, list []contextforge.EmbeddingFailure) { failed = append(failed, list...) },
			}})
			id := save(t, m, "the car is red", contextforge.SaveOptions{})
			if len(failed) != 1 || failed[0].ID != id || !errors.Is(failed[0].Err, contextforge.ErrEmbedding) || !strings.Contains(failed[0].Err.Error(), "bag") {
				t.Errorf("reported %+v", failed)
			}
			if text := log.take(); strings.Count(text, "level=WARN") != 1 || !strings.Contains(text, id) {
				t.Errorf("logged %s", text)
			}
			if st := stats(t, m); st.Entries != 1 || st.Embedded != 0 || st.Waiting != 1 || st.EmbedFailures != 1 {
				t.Errorf("stats %+v", st)
			}
			hits, err := m.Query(ctx, "red", contextforge.QueryOptions{})
			if err != nil || len(hits) != 1 || hits[0].ID != id || !(hits[0].Score > 0) {
				t.Errorf("found %+v, %v", hits, err)
			}
			if text := log.take(); !strings.Contains(text, "words alone") {
				t.Errorf("the query logged %q", text)
			}
			if err := m.Flush(ctx); !errors.Is(err, contextforge.ErrEmbedding) || stats(t, m).Waiting != 1 {
				t.Errorf("flush: %v", err)
			}
			e.answer = nil
			if err := m.Flush(ctx); err != nil {
				t.Error(err)
			}
			if st := stats(t, m); st.Embedded != 1 || st.Waiting != 0 || st.EmbedFailures != 2 {
				t.Errorf("after the flush: %+v", st)
			}
			if got := ask(t, m, "vehicle", contextforge.QueryOptions{}); !slices.Equal(got, []string{id}) {
				t.Errorf("by its meaning: %q", got)
			}
		})
	}
}

// refusing fails on every batch with a text that says bad.
func refusing(_ context.Context, texts []string) ([][]float32, error) {
	for _, text := range texts {
		if strings.Contains(text, "bad") {
			return nil, errors.New("bad text")
		}
	}
	return nil, nil
}

func TestOneBadTextCostsNoOther(t *testing.T) {
	e := newBag()
	e.answer = refusing
	m := open(t, contextforge.Config{Embedder: e})
	for name, bad := range map[string]func(i int) bool{
		"one":           func(i int) bool { return i == 5 },
		"a third":       func(i int) bool { return i%3 == 0 },
		"the first ten": func(i int) bool { return i < 10 },
		"the last ten":  func(i int) bool { return i >= 70 },
	} {
		if _, err := m.Clear(ctx); err != nil {
			t.Fatal(err)
		}
		want := 0
		var items []contextforge.Item
		for i := range 80 {
			text := fmt.Sprint(name, " good ", i)
			if bad(i) {
				text = fmt.Sprint(name, " bad ", i)
			} else {
				want++
			}
			items = append(items, contextforge.Item{Content: text})
		}
		if _, err := m.SaveBatch(ctx, items); err != nil {
			t.Fatal(err)
		}
		if st := stats(t, m); st.Embedded != want || st.Waiting != 80-want {
			t.Errorf("%s: %d embedded, %d wait, want %d", name, st.Embedded, st.Waiting, want)
		}
	}
}

func TestDeadEmbedderIsLeftAlone(t *testing.T) {
	e := newBag()
	m := open(t, contextforge.Config{Embedder: e})
	e.answer = failings()["error"]
	items := make([]contextforge.Item, 640)
	for i := range items {
		items[i].Content = fmt.Sprint("text ", i)
	}
	if _, err := m.SaveBatch(ctx, items); err != nil {
		t.Fatal(err)
	}
	if calls := e.take(); len(calls) > 16 {
		t.Errorf("%d calls for ten batches: %v", len(calls), sizes(calls))
	}
	if err := m.Flush(ctx); !errors.Is(err, contextforge.ErrEmbedding) {
		t.Error(err)
	}
	if calls := e.take(); len(calls) > 60 {
		t.Errorf("%d calls for ten batches of a flush: %v", len(calls), sizes(calls))
	}
	e.answer = nil
	if err := m.Flush(ctx); err != nil || stats(t, m).Embedded != 640 {
		t.Errorf("%d embedded, %v", stats(t, m).Embedded, err)
	}
}

func TestSaveCancelledWhileEmbedding(t *testing.T) {
	e := newBag()
	m := open(t, contextforge.Config{Embedder: e})
	cancelled, cancel := context.WithCancel(ctx)
	e.answer = func(ctx context.Context, _ []string) ([][]float32, error) {
		cancel()
		<-ctx.Done()
		return nil, ctx.Err()
	}
	if _, err := m.Save(cancelled, "the car is red", "", contextforge.SaveOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if calls := e.take(); len(calls) != 1 {
		t.Errorf("asked %v", sizes(calls))
	}
	if st := stats(t, m); st.Entries != 0 || st.Waiting != 0 || st.EmbedFailures != 0 {
		t.Errorf("stats %+v", st)
	}
}

// splitter divides texts itself.
type splitter struct {
	*bag
	split func(text string) []string
}

func (s splitter) Split(text string) []string { return s.split(text) }

func TestSplitOfTheEmbedder(t *testing.T) {
	for name, c := range map[string]struct {
		split   func(string) []string
		vectors int
	}{
		"words":    {strings.Fields, 4},
		"none":     {func(string) []string { return nil }, 1},
		"panic":    {func(string) []string { panic("no text") }, 1},
		"too many": {func(string) []string { return slices.Repeat([]string{"same"}, 1<<16+100) }, 1 << 16},
	} {
		if name == "too many" && testing.Short() {
			continue
		}
		e := splitter{&bag{name: "splitter", dim: 2}, c.split}
		m := open(t, contextforge.Config{Embedder: e})
		save(t, m, "the car is red", contextforge.SaveOptions{})
		if err := m.Flush(ctx); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if st := stats(t, m); st.Vectors != c.vectors || st.Waiting != 0 {
			t.Errorf("%s: %d vectors, %d wait", name, st.Vectors, st.Waiting)
		}
	}
}

// questioner embeds questions in a way of its own.
type questioner struct {
	*bag
	asked []string
	fail  func()
}

func (q *questioner) EmbedQuery(_ context.Context, text string) ([]float32, error) {
	q.asked = append(q.asked, text)
	if q.fail != nil {
		q.fail()
	}
	return q.vector("car"), nil
}

func (q *questioner) ID() string { return "questioner of its own" }

func TestEmbedderWithQueriesAndID(t *testing.T) {
	e := &questioner{bag: newBag()}
	m := open(t, contextforge.Config{Embedder: e})
	id := save(t, m, "car", contextforge.SaveOptions{})
	e.take()
	if got := ask(t, m, "anything", contextforge.QueryOptions{}); !slices.Equal(got, []string{id}) || len(e.asked) != 1 || len(e.take()) != 0 {
		t.Errorf("found %q, asked %q", got, e.asked)
	}
	if st := stats(t, m); st.Model != "questioner of its own" || st.Dimension != 64 {
		t.Errorf("stats %+v", st)
	}
	e.fail = func() { panic("tired") }
	if got := ask(t, m, "something car", contextforge.QueryOptions{}); !slices.Equal(got, []string{id}) {
		t.Errorf("with a panic: %q", got)
	}
}

func TestConfigOfEmbedders(t *testing.T) {
	for name, cfg := range map[string]contextforge.Config{
		"no name":           {Embedder: &bag{dim: 64}},
		"no dimension":      {Embedder: &bag{name: "bag"}},
		"negative":          {Embedder: &bag{name: "bag", dim: -1}},
		"huge dimension":    {Embedder: &bag{name: "bag", dim: 1 << 20}},
		"unknown mode":      {Embedder: newBag(), EmbedMode: 7},
		"storage of others": {Embedder: newBag(), Storage: &plugged{}},
		"search of others":  {Embedder: newBag(), Searcher: &plugged{}},
		"similarity":        {Ranking: withRanking(func(r *contextforge.Ranking) { r.MinSimilarity = 1.5 })},
		"overlap":           {Ranking: withRanking(func(r *contextforge.Ranking) { r.MaxOverlap = math.NaN() })},
	} {
		if m, err := contextforge.Open(ctx, cfg); !errors.Is(err, contextforge.ErrInvalidConfig) || m != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func withRanking(change func(*contextforge.Ranking)) contextforge.Ranking {
	r := contextforge.RankingDefault()
	change(&r)
	return r
}
