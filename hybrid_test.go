package contextforge_test

// What a question finds by words and by meaning together, and how the two are
// weighed.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/bm25/analyzer"
)

// all are options that leave nothing out.
func all() contextforge.QueryOptions {
	return contextforge.QueryOptions{TokenBudget: contextforge.Unlimited, MinSimilarity: -1}
}

func query(t testing.TB, m *contextforge.Memory, text string, o contextforge.QueryOptions) []contextforge.Hit {
	t.Helper()
	hits, err := m.Query(ctx, text, o)
	if err != nil {
		t.Fatal(err)
	}
	return hits
}

// cosine is that of two vectors, in float64.
func cosine(a, b []float32) float64 {
	dot, x, y := 0.0, 0.0, 0.0
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		x += float64(a[i]) * float64(a[i])
		y += float64(b[i]) * float64(b[i])
	}
	return dot / math.Sqrt(x*y)
}

func TestBothSearchesAreExplained(t *testing.T) {
	e := newBag()
	m := open(t, contextforge.Config{Embedder: e, Clock: newClock().Now})
	save(t, m, "my vehicle is red", contextforge.SaveOptions{ID: "both"})
	save(t, m, "the car stands in a garage", contextforge.SaveOptions{ID: "meaning"})
	save(t, m, "red roses and red wine of the red hill", contextforge.SaveOptions{ID: "words"})
	hits := query(t, m, "red vehicle", all())
	if len(hits) != 3 || hits[0].ID != "both" || hits[0].Score != 1 {
		t.Fatalf("got %+v", hits)
	}
	question := e.vector("red vehicle")
	like, bm := 0.0, 0.0
	for _, h := range hits {
		like, bm = max(like, h.Explain.Semantic.Score), max(bm, h.Explain.Lexical.Score)
	}
	for _, h := range hits {
		if want := cosine(question, e.vector(h.Content)); math.Abs(h.Explain.Semantic.Score-want) > 1e-6 {
			t.Errorf("%s: cosine %v, want %v", h.ID, h.Explain.Semantic.Score, want)
		}
		share := contextforge.RankingDefault().LexicalShare
		want := share*h.Explain.Lexical.Score/bm + (1-share)*(1+h.Explain.Semantic.Score)/(1+like)
		if math.Abs(h.Explain.Fused-want) > 1e-12 {
			t.Errorf("%s: fused %v, want %v", h.ID, h.Explain.Fused, want)
		}
		if h.ID == "meaning" && (h.Explain.Lexical.Rank != 0 || h.Explain.Lexical.Score != 0 || h.Explain.Semantic.Rank == 0) {
			t.Errorf("meaning: %v", h.Explain)
		}
		if h.ID == "words" && (h.Explain.Lexical.Rank == 0 || h.Explain.Semantic.Score == 0) {
			t.Errorf("words: %v", h.Explain)
		}
	}
}

// What one search lists beyond the pool of the other gets that one's score, too.
func TestMissingScoresAreLookedUp(t *testing.T) {
	e := newBag()
	m := open(t, contextforge.Config{Embedder: e, Clock: newClock().Now})
	for i := range 6 {
		save(t, m, fmt.Sprintf("red red red %d thing that one sees %d times", i, i), contextforge.SaveOptions{})
		save(t, m, fmt.Sprint("vehicle ", i), contextforge.SaveOptions{})
	}
	save(t, m, "the car and the vehicle and something red in the yard behind it, far away", contextforge.SaveOptions{ID: "deep"})
	full := map[string]contextforge.Explanation{}
	for _, h := range query(t, m, "red vehicle", all()) {
		full[h.ID] = h.Explain
	}
	r := contextforge.RankingDefault()
	r.CandidatePool = 4
	o := all()
	o.Ranking = &r
	lookedUp := 0
	for _, h := range query(t, m, "red vehicle", o) {
		want := full[h.ID]
		if h.Explain.Lexical.Score != want.Lexical.Score || h.Explain.Semantic.Score != want.Semantic.Score {
			t.Errorf("%q: %v, in full %v", h.Content, h.Explain, want)
		}
		for _, leg := range []contextforge.Leg{h.Explain.Lexical, h.Explain.Semantic} {
			if leg.Rank == 0 && leg.Score != 0 {
				lookedUp++
			}
		}
	}
	if lookedUp == 0 {
		t.Error("nothing had to be looked up")
	}
}

// An entry without a vector counts as usually like, not as unlike as can be.
func TestEntriesThatWaitAreNotPushedDown(t *testing.T) {
	e := newBag()
	m := open(t, contextforge.Config{Embedder: e, Clock: newClock().Now})
	for i := range 5 {
		save(t, m, fmt.Sprintf("something red %s and more", repeat("very ", i)), contextforge.SaveOptions{})
	}
	e.answer = failings()["error"]
	save(t, m, "red lamp", contextforge.SaveOptions{ID: "waits"})
	e.answer = nil
	hits := query(t, m, "red", all())
	var known []float64
	words := 0.0
	for _, h := range hits {
		words = max(words, h.Explain.Lexical.Score)
		if h.ID != "waits" {
			known = append(known, h.Explain.Semantic.Score)
		}
	}
	slices.Sort(known)
	usual, best := known[(len(known)-1)/2], known[len(known)-1]
	for _, h := range hits {
		share := contextforge.RankingDefault().LexicalShare
		want := share*h.Explain.Lexical.Score/words + (1-share)*(1+usual)/(1+best)
		if h.ID == "waits" && (h.Explain.Semantic != contextforge.Leg{} || math.Abs(h.Explain.Fused-want) > 1e-12) {
			t.Errorf("%v, want %v", h.Explain, want)
		}
	}
	if len(known) != 5 || len(hits) != 6 {
		t.Errorf("%d hits", len(hits))
	}
}

func TestWhenTheEmbedderIsAsked(t *testing.T) {
	e, log := newBag(), &logged{}
	m := open(t, contextforge.Config{Embedder: e, Logger: log.logger()})
	save(t, m, "the car is red", contextforge.SaveOptions{})
	e.take()
	for _, text := range []string{contextforge.MatchAll, "", "   ", "?!...", "-- ++", "\n\t", "🎉"} {
		hits := query(t, m, text, contextforge.QueryOptions{})
		if calls := e.take(); len(calls) != 0 || len(hits) != 0 && text != contextforge.MatchAll {
			t.Errorf("%q: %q embedded, %d hits", text, calls, len(hits))
		}
	}
	for i, text := range []string{"vehicle", "vehicle", "red vehicle", "vehicle"} {
		query(t, m, text, contextforge.QueryOptions{})
		if calls := e.take(); (len(calls) == 1) != (i == 0 || i == 2) {
			t.Errorf("question %d, %s: %q embedded", i, text, calls)
		}
	}
	for i := range 300 { // more than are kept
		query(t, m, fmt.Sprint("vehicle ", i), contextforge.QueryOptions{})
	}
	e.take()
	query(t, m, "vehicle 299", contextforge.QueryOptions{})
	query(t, m, "vehicle 0", contextforge.QueryOptions{})
	if calls := e.take(); len(calls) != 1 || calls[0][0] != "vehicle 0" {
		t.Errorf("embedded %q", calls)
	}
	log.take()
	e.answer = failings()["panic"]
	for range 2 { // a failure isn't kept
		if got := ask(t, m, "red things", contextforge.QueryOptions{}); len(got) != 1 || !strings.Contains(log.take(), "words alone") {
			t.Errorf("with an embedder that fails: %q", got)
		}
	}
	e.answer = nil
	query(t, m, "red things", contextforge.QueryOptions{})
	if text := log.take(); text != "" {
		t.Errorf("logged %s", text)
	}
}

// A question whose context ends is not answered by words alone.
func TestQueryCancelledWhileEmbedding(t *testing.T) {
	e := newBag()
	m := open(t, contextforge.Config{Embedder: e})
	save(t, m, "the car is red", contextforge.SaveOptions{})
	cancelled, cancel := context.WithCancel(ctx)
	e.answer = func(ctx context.Context, _ []string) ([][]float32, error) {
		cancel()
		return nil, ctx.Err()
	}
	if hits, err := m.Query(cancelled, "red", contextforge.QueryOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%d hits, %v", len(hits), err)
	}
}

func TestPoolFillsTheBudget(t *testing.T) {
	m := open(t, contextforge.Config{Embedder: newBag()})
	var items []contextforge.Item
	for i := range 3000 {
		items = append(items, contextforge.Item{Content: fmt.Sprintf("car %d %s", i, repeat(" x", i%5)), SaveOptions: contextforge.SaveOptions{TokenCount: 10}})
	}
	if _, err := m.SaveBatch(ctx, items); err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"car", "vehicle"} {
		for _, n := range []int{1, 50, 300, 2500, 5000} {
			if got := len(ask(t, m, word, contextforge.QueryOptions{TokenBudget: 10 * n, MinSimilarity: -1})); got != min(n, 3000) {
				t.Errorf("%s: a budget for %d holds %d", word, n, got)
			}
			if got := len(ask(t, m, word, contextforge.QueryOptions{TokenBudget: contextforge.Unlimited, Limit: n, MinSimilarity: -1})); got != min(n, 3000) {
				t.Errorf("%s: a limit of %d gives %d", word, n, got)
			}
		}
	}
}

// P24: filters restrict the search for vectors itself.
func TestCaseP24FiltersInsideTheScan(t *testing.T) {
	c := newClock()
	m := open(t, contextforge.Config{Embedder: newBag(), Clock: c.Now, MaxEntries: contextforge.Unlimited})
	var items []contextforge.Item
	for i := range 5000 {
		items = append(items, contextforge.Item{Content: fmt.Sprint("car ", i), Kind: "snapshot", SaveOptions: contextforge.SaveOptions{Scope: "a", Timestamp: c.now}})
	}
	for i := range 5 {
		items = append(items, contextforge.Item{Content: fmt.Sprintf("my car drives over the far hill number %d today", i), Kind: "fact", SaveOptions: contextforge.SaveOptions{
			Scope: "b", SessionID: "s", Metadata: map[string]int{"n": 5}, Timestamp: c.now.Add(-1000 * time.Hour),
		}})
	}
	for i := range 5 {
		items = append(items, contextforge.Item{Content: fmt.Sprint("car ", i), SaveOptions: contextforge.SaveOptions{Scope: "b", SessionID: "s", TTL: time.Minute}})
	}
	if _, err := m.SaveBatch(ctx, items); err != nil {
		t.Fatal(err)
	}
	later := c.now.Add(time.Hour)
	for name, f := range map[string]contextforge.Filter{
		"scope":    {Scope: "b"},
		"session":  {SessionID: "s"},
		"kind":     {Kinds: []string{"fact"}},
		"until":    {Until: c.now.Add(-time.Hour)},
		"range":    {Since: c.now.Add(-1001 * time.Hour), Until: c.now.Add(-999 * time.Hour)},
		"metadata": {Metadata: map[string]any{"n": 5}},
		"all":      {Scope: "b", SessionID: "s", Kinds: []string{"fact"}, Metadata: map[string]any{"n": 5}, Until: c.now},
	} {
		for _, word := range []string{"vehicle", "car"} {
			hits := query(t, m, word, contextforge.QueryOptions{Filter: f, Limit: 5, AsOf: later, MinSimilarity: -1})
			if len(hits) != 5 {
				t.Errorf("%s, %s: %d hits", name, word, len(hits))
			}
			for _, h := range hits {
				if h.Kind != "fact" {
					t.Errorf("%s, %s: %q", name, word, h.Content)
				}
			}
		}
	}
	if got := ask(t, m, "vehicle", contextforge.QueryOptions{Filter: contextforge.Filter{Scope: "b"}, MinSimilarity: -1}); len(got) != 10 {
		t.Errorf("before the expiry: %d", len(got))
	}
}

// W11: a question that nothing answers may find nothing.
func TestCaseW11NothingIsAnAnswer(t *testing.T) {
	m := open(t, contextforge.Config{Embedder: model(t)})
	for _, text := range []string{"My sister lives in Lisbon.", "The printer needs a new toner.", "We planted tomatoes behind the shed."} {
		save(t, m, text, contextforge.SaveOptions{})
	}
	if got := contents(t, m, "quantum chromodynamics lattice simulation", contextforge.QueryOptions{}); len(got) != 0 {
		t.Errorf("found %q", got)
	}
	if got := contents(t, m, "vegetables growing outside", contextforge.QueryOptions{}); len(got) != 1 || !strings.Contains(got[0], "tomatoes") {
		t.Errorf("found %q", got)
	}
	for least, want := range map[float64]int{-1: 3, -0.2: 3, 0.99: 0} {
		if got := ask(t, m, "quantum chromodynamics", contextforge.QueryOptions{MinSimilarity: least}); len(got) != want {
			t.Errorf("a least similarity of %v leaves %d, want %d", least, len(got), want)
		}
	}
	r := contextforge.RankingReference()
	if got := ask(t, m, "quantum chromodynamics", contextforge.QueryOptions{Ranking: &r}); len(got) != 3 {
		t.Errorf("the reference finds everything, not %d", len(got))
	}
	if got := ask(t, m, "vegetables growing outside", contextforge.QueryOptions{MinScore: 1.01}); len(got) != 0 {
		t.Errorf("found %q", got)
	}
}

// plane is an embedder of texts that say where their vector points: "words @0.5"
// has that cosine to "@1".
type plane struct{}

func (plane) Name() string   { return "plane" }
func (plane) Dimension() int { return 2 }
func (plane) MaxTokens() int { return 0 }

func (plane) Embed(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		_, number, _ := strings.Cut(text, "@")
		x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil {
			return nil, err
		}
		out[i] = []float32{float32(x), float32(math.Sqrt(1 - x*x))}
	}
	return out, nil
}

// fusedCase is one entry of the golden table: its ranks, age and boost, and what
// they come to.
type fusedCase struct {
	lexical, semantic int
	hours             float64
	boost             float64
}

// naive is behaviour §3, steps 6 to 9.
func (c fusedCase) naive(least, most float64) float64 {
	rank := func(r int) float64 {
		if r == 0 {
			r = 51
		}
		return 1 / (60 + float64(r))
	}
	return (rank(c.lexical) + rank(c.semantic)) * math.Exp2(-c.hours/72) * (1 + math.Max(least, math.Min(most, c.boost)))
}

// fusionCorpus saves 15 entries for each of the ways to be found: by words, by
// meaning, by both.
func fusionCorpus(t *testing.T) (*contextforge.Memory, map[string]fusedCase) {
	c := newClock()
	lexicon, known := boosts{}, map[string]fusedCase{}
	m := open(t, contextforge.Config{Clock: c.Now, Embedder: plane{}, Lexicon: lexicon, Analyzer: analyzer.NewText(analyzer.Options{})})
	for i := range 45 {
		text := fmt.Sprintf("pad%d @%.3f", i, 0.95-0.04*float64(i*7%45))
		if i%3 != 1 {
			text = fmt.Sprintf("term%s %s", repeat(" term", i%4), text) + repeat(" pad", i/4)
		}
		k := fusedCase{hours: float64(i * i % 50), boost: []float64{0, 0.7, -0.4, 2.5, -1.5}[i%5]}
		known[text], lexicon[text] = k, k.boost
		save(t, m, text, contextforge.SaveOptions{ID: fmt.Sprintf("e%02d", i), Timestamp: c.now.Add(-time.Duration(k.hours * float64(time.Hour)))})
	}
	return m, known
}

// RankingReference is the formula of the reference for what one search or both
// have found; the golden file has the numbers of 30 entries.
func TestRankingReferenceFusesBothLists(t *testing.T) {
	m, known := fusionCorpus(t)
	r := contextforge.RankingReference()
	r.CandidatePool = 20
	var golden strings.Builder
	golden.WriteString("# id: rank by words, by meaning (51 when absent), age in hours, boost: score\n")
	for _, preset := range []struct {
		ranking     contextforge.Ranking
		least, most float64
	}{{r, -1, 2}, {contextforge.RankingReference(), -1, 2}, {contextforge.RankingReference09(), -0.05, 0.05}} {
		hits := query(t, m, "term @1", contextforge.QueryOptions{Ranking: &preset.ranking, TokenBudget: contextforge.Unlimited, MinScore: -1})
		sides := map[[2]bool]int{}
		for i, h := range hits {
			k := known[h.Content]
			k.lexical, k.semantic = h.Explain.Lexical.Rank, h.Explain.Semantic.Rank
			sides[[2]bool{k.lexical > 0, k.semantic > 0}]++
			if want := k.naive(preset.least, preset.most); math.Abs(h.Score-want) > 1e-12 {
				t.Errorf("%s %+v: %v, want %v", h.ID, k, h.Score, want)
			}
			if preset.ranking.CandidatePool == 20 && i < 30 {
				fmt.Fprintf(&golden, "%s: %d %d %g %g: %.12f\n", h.ID, k.lexical, k.semantic, k.hours, k.boost, h.Score)
			}
		}
		if preset.ranking.CandidatePool == 20 && (len(sides) != 3 || len(hits) < 30) {
			t.Errorf("%d hits, found by %v", len(hits), sides)
		}
		if preset.ranking.CandidatePool == 50 && len(hits) != 45 {
			t.Errorf("%d hits, want all 45, those that point elsewhere, too", len(hits))
		}
	}
	sameAsGolden(t, "fusions.txt", golden.String())
}

func sameAsGolden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if line, a, b := firstDifference(got, string(want)); line > 0 {
		t.Errorf("%s, line %d:\n got %s\nwant %s", name, line, a, b)
	}
}

// Same memory, same bits, with the real model.
func TestGoldenHybridAnswers(t *testing.T) {
	m := open(t, contextforge.Config{Embedder: model(t), Clock: func() time.Time { return conversationEnd }, MaxEntries: contextforge.Unlimited})
	restore(t, m, readLines[contextforge.Entry](t, "turns.jsonl")[:60]...)
	questions := readLines[question](t, "questions.jsonl")[:12]
	for _, name := range []string{"default", "reference"} {
		got := hybridAnswers(t, m, rankings()[name], questions)
		if again := hybridAnswers(t, m, rankings()[name], questions); again != got {
			t.Errorf("%s: the second answers differ", name)
		}
		sameAsGolden(t, "hybrid-"+name+".txt", got)
	}
}

func hybridAnswers(t testing.TB, m *contextforge.Memory, r contextforge.Ranking, questions []question) string {
	var b strings.Builder
	b.WriteString("# question: number of hits; the best: id, bits of score, BM25, cosine\n")
	for _, q := range questions {
		hits := query(t, m, q.Text, contextforge.QueryOptions{TokenBudget: contextforge.Unlimited, AsOf: conversationEnd, Ranking: &r})
		fmt.Fprintf(&b, "%s: %d hits\n", q.ID, len(hits))
		for _, h := range hits[:min(goldenHits, len(hits))] {
			fmt.Fprintf(&b, "  %s %016x %016x %016x\n", h.ID, math.Float64bits(h.Score),
				math.Float64bits(h.Explain.Lexical.Score), math.Float64bits(h.Explain.Semantic.Score))
		}
	}
	return b.String()
}

// The bound on the codes in memory, and how the store is opened, change no answer.
func TestVectorMemoryChangesNoAnswer(t *testing.T) {
	turns := readLines[contextforge.Entry](t, "turns.jsonl")
	questions := readLines[question](t, "questions.jsonl")[:20]
	want := ""
	for i, cfg := range []contextforge.Config{{}, {VectorMemory: contextforge.Unlimited}, {VectorMemory: 1}, {VectorMemory: 20 << 10}, {SmallDevice: true}, {Warm: true}} {
		cfg.Embedder, cfg.Clock, cfg.Path = newBag(), func() time.Time { return conversationEnd }, filepath.Join(t.TempDir(), "memory")
		m := open(t, cfg)
		restore(t, m, turns...)
		m = reopen(t, m, cfg)
		if st := stats(t, m); (st.VectorBytes > 0) != cfg.Warm {
			t.Errorf("%d: %d bytes of vectors after Open", i, st.VectorBytes)
		}
		got := hybridAnswers(t, m, contextforge.RankingDefault(), questions)
		if want == "" {
			want = got
		}
		if line, a, b := firstDifference(got, want); line > 0 {
			t.Errorf("config %d, line %d:\n got %s\nwant %s", i, line, a, b)
		}
		if st := stats(t, m); cfg.VectorMemory == 1 && st.VectorBytes > 64<<10 {
			t.Errorf("%d bytes of vectors", st.VectorBytes)
		}
	}
}

// Questions beside saves see whole commits.
func TestHybridQueriesBesideSaves(t *testing.T) {
	m := open(t, contextforge.Config{Embedder: newBag()})
	save(t, m, "the car is red", contextforge.SaveOptions{})
	var everyone sync.WaitGroup
	for w := range 4 {
		everyone.Go(func() {
			for i := range 40 {
				pair := []contextforge.Item{{Content: fmt.Sprintf("car %d %d", w, i)}, {Content: fmt.Sprintf("cat %d %d", w, i)}}
				if _, err := m.SaveBatch(ctx, pair); err != nil {
					t.Error(err)
				}
			}
		})
		everyone.Go(func() {
			for i := range 40 {
				hits, err := m.Query(ctx, fmt.Sprint("vehicle feline ", i%3), contextforge.QueryOptions{TokenBudget: contextforge.Unlimited, MinSimilarity: -1})
				if err != nil || len(hits)%2 != 1 {
					t.Errorf("%d hits, %v", len(hits), err)
				}
			}
		})
	}
	everyone.Wait()
}
