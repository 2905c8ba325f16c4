package contextforge_test

// The presets against their formulas, and the total order of answers.

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/lexicon"
)

// boosts is a Scorer with fixed values by content.
type boosts map[string]float64

func (b boosts) Score(e lexicon.Item, _ string) float64 { return b[e.Content] }

func TestRankingReferenceIsTheFormula(t *testing.T) {
	c := newClock()
	by := boosts{}
	m := open(t, contextforge.Config{Clock: c.Now, Lexicon: lexicon.Only(by)})
	ages := map[string]time.Duration{}
	values := []float64{0, 0.5, -0.3, 2.6, -1.7, 0.04, -0.05, math.NaN(), math.Inf(1), math.Inf(-1)}
	for i := range 60 { // more than the pool of 50
		text := fmt.Sprintf("term%s filler", repeat(" term", i%7))
		text += repeat(" pad", i)
		age := time.Duration(i*i) * 37 * time.Minute
		if i%11 == 0 {
			age = -time.Hour // the future
		}
		ages[text] = age
		by[text] = values[i%len(values)]
		save(t, m, text, contextforge.SaveOptions{Timestamp: c.now.Add(-age)})
	}
	for name, preset := range map[string]struct {
		ranking  contextforge.Ranking
		min, max float64
	}{
		"0.8.0": {contextforge.RankingReference(), -1, 2},
		"0.9.0": {contextforge.RankingReference09(), -0.05, 0.05},
	} {
		hits, err := m.Query(ctx, "term", contextforge.QueryOptions{Ranking: &preset.ranking, TokenBudget: contextforge.Unlimited, MinScore: -1})
		if err != nil || len(hits) != 50 {
			t.Fatalf("%s: %d hits, %v", name, len(hits), err)
		}
		for i, h := range hits {
			age := max(0, ages[h.Content].Seconds())
			boost := by[h.Content]
			mult := 1.0
			if !math.IsNaN(boost) {
				mult = 1 + math.Min(math.Max(boost, preset.min), preset.max)
			}
			want := (1/(60+float64(h.Explain.Lexical.Rank)) + 1.0/111) * math.Pow(0.5, age/259200) * mult
			if math.Abs(h.Score-want) > 1e-12*math.Abs(want) {
				t.Errorf("%s: rank %d, age %v, boost %v: %v, want %v", name, h.Explain.Lexical.Rank, age, boost, h.Score, want)
			}
			if i > 0 && hits[i-1].Score < h.Score {
				t.Errorf("%s: place %d scores more than the one before", name, i)
			}
		}
	}
}

func repeat(s string, n int) (out string) {
	for range n {
		out += s
	}
	return out
}

func TestRankingDefaultKeepsRelevance(t *testing.T) {
	m := open(t, contextforge.Config{Clock: newClock().Now})
	for _, text := range []string{"rust rust rust", "go and rust", "python"} {
		save(t, m, text, contextforge.SaveOptions{})
	}
	hits, err := m.Query(ctx, "rust", contextforge.QueryOptions{})
	if err != nil || len(hits) != 2 {
		t.Fatal(hits, err)
	}
	for _, h := range hits {
		if got := h.Explain.Fused * h.Explain.Decay * h.Explain.Multiplier; got != h.Score {
			t.Errorf("explained %v, scored %v", got, h.Score)
		}
		if h.Score > 1 {
			t.Errorf("score %v above 1", h.Score)
		}
	}
	if got := ask(t, m, "rust", contextforge.QueryOptions{MinScore: hits[0].Score}); len(got) != 1 {
		t.Errorf("minimum score leaves %q", got)
	}
}

func TestRankingOfKinds(t *testing.T) {
	c := newClock()
	r := contextforge.RankingDefault()
	r.DecayFloor = 0
	r.KindHalfLife = map[string]time.Duration{contextforge.KindFact: 10_000 * time.Hour}
	m := open(t, contextforge.Config{Clock: c.Now, Ranking: r})
	old := contextforge.SaveOptions{Timestamp: c.now.Add(-720 * time.Hour)}
	for _, kind := range []string{contextforge.KindSnapshot, contextforge.KindFact} {
		if _, err := m.Save(ctx, "the same words", kind, old); err != nil {
			t.Fatal(err)
		}
	}
	hits, err := m.Query(ctx, "words", contextforge.QueryOptions{})
	if err != nil || len(hits) != 2 || hits[0].Kind != contextforge.KindFact || hits[1].Explain.Decay > 0.01 {
		t.Errorf("got %+v, %v", hits, err)
	}
}

func TestRankingRefusesNonsense(t *testing.T) {
	for _, change := range []func(*contextforge.Ranking){
		func(r *contextforge.Ranking) { r.Fusion = "" },
		func(r *contextforge.Ranking) { r.LexicalShare = math.NaN() },
		func(r *contextforge.Ranking) { r.DecayFloor = 1.5 },
		func(r *contextforge.Ranking) { r.BoostMin, r.BoostMax = 1, 0 },
		func(r *contextforge.Ranking) { r.BoostMax = math.Inf(1) },
		func(r *contextforge.Ranking) { r.BoostHalf = -1 },
		func(r *contextforge.Ranking) { r.BoostHalf = math.NaN() },
		func(r *contextforge.Ranking) { r.RRFK = -1 },
		func(r *contextforge.Ranking) { r.AbsentRank = -1 },
		func(r *contextforge.Ranking) { r.CandidatePool = -1 },
	} {
		r := contextforge.RankingDefault()
		change(&r)
		if _, err := contextforge.Open(ctx, contextforge.Config{Ranking: r}); !errors.Is(err, contextforge.ErrInvalidConfig) {
			t.Errorf("%+v: %v", r, err)
		}
		m := open(t, contextforge.Config{})
		if _, err := m.Query(ctx, "x", contextforge.QueryOptions{Ranking: &r}); !errors.Is(err, contextforge.ErrInvalidConfig) {
			t.Errorf("query with %+v: %v", r, err)
		}
	}
}

func TestPartialRankingKeepsDefaults(t *testing.T) {
	var cfg contextforge.Config
	if err := json.Unmarshal([]byte(`{"ranking":{"decay_floor":0.5}}`), &cfg); err != nil {
		t.Fatal(err)
	}
	want := contextforge.RankingDefault()
	want.DecayFloor = 0.5
	if fmt.Sprint(cfg.Ranking) != fmt.Sprint(want) {
		t.Errorf("got %+v, want %+v", cfg.Ranking, want)
	}
	for _, r := range []contextforge.Ranking{contextforge.RankingReference(), want} { // zeros survive
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var back contextforge.Ranking
		if err := json.Unmarshal(text, &back); err != nil || fmt.Sprint(back) != fmt.Sprint(r) {
			t.Errorf("%s came back as %+v, %v", text, back, err)
		}
	}
	noLexical := contextforge.RankingDefault()
	noLexical.LexicalShare = 0
	m, ids := remember(t, "rust rust rust", "rust and go and more")
	if got := ask(t, m, "rust", contextforge.QueryOptions{Ranking: &noLexical}); len(got) != 2 || got[0] != ids[0] {
		t.Errorf("without a lexical share: %q", got)
	}
}

func TestReservedPlacesStandBehindTheBest(t *testing.T) {
	m := open(t, contextforge.Config{Clock: newClock().Now})
	best, err := m.Save(ctx, "dentist appointment", contextforge.KindSnapshot, contextforge.SaveOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		if _, err := m.Save(ctx, fmt.Sprintf("dentist appointment number %d and his story", i), contextforge.KindSnapshot, contextforge.SaveOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	note := save(t, m, "a note about the next appointment at the dentist with a great many words that say little of use to anybody today", contextforge.SaveOptions{})
	far := "a dentist " + repeat("among very many other words ", 60)
	if _, err := m.Save(ctx, far, contextforge.KindFact, contextforge.SaveOptions{}); err != nil {
		t.Fatal(err)
	}
	for limit, want := range map[int][]string{1: {best}, 2: {best, note}} {
		if got := ask(t, m, "dentist appointment", contextforge.QueryOptions{Limit: limit}); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("limit %d: %q, want %q", limit, got, want)
		}
	}
}

func TestMultiplierOfLongTexts(t *testing.T) {
	r := contextforge.RankingDefault()
	for _, test := range []struct {
		boost  float64
		tokens int
		counts float64 // of the boost
	}{{1, 0, 1}, {1, 30, 1}, {1, 60, 0.5}, {-2, 120, -0.5}, {0, 500, 0}} {
		if got, want := r.Multiplier(test.boost, test.tokens), r.Factor(test.counts); got != want {
			t.Errorf("boost %v in %d tokens: %v, want %v", test.boost, test.tokens, got, want)
		}
	}
	r.BoostSize = 0
	if got := r.Multiplier(1, 1000); got != r.Factor(1) {
		t.Errorf("without BoostSize: %v", got)
	}
	m, _ := remember(t, "we confirmed that the plan holds", "we confirmed it "+repeat("and then some ", 40))
	for _, h := range query(t, m, "confirmed", contextforge.QueryOptions{}) {
		r := contextforge.RankingDefault()
		if x := h.Explain; x.Boost <= 0 || x.Multiplier != r.Multiplier(x.Boost, h.TokenCount) {
			t.Errorf("%.30q: boost %v, multiplier %v", h.Content, x.Boost, x.Multiplier)
		}
	}
}
