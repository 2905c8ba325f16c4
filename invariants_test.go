package contextforge_test

// What holds of every answer, whatever was stored and asked: random conversations and
// notes, times at the ends of the calendar, all options.

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge"
)

// oddTimes are at the ends of the calendar and beyond, beside "none".
var oddTimes = []time.Time{
	{}, time.Date(1, 1, 1, 0, 0, 1, 0, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC), time.Unix(0, 0),
	time.Date(-50, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(20000, 1, 1, 0, 0, 0, 0, time.UTC),
}

// oneOf picks one of some values.
func oneOf[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

// saveRandom fills a memory with entries of few words, in few scopes and sessions.
func saveRandom(t *testing.T, r *rand.Rand, m *contextforge.Memory) {
	words := strings.Fields("car red Lisbon Anna Jonas work bakery yesterday May 2026 rent euro trip now tea key deploy moved Siemens four room when where")
	items := make([]contextforge.Item, 1+r.IntN(300))
	for i := range items {
		text := make([]string, 1+r.IntN(12))
		for k := range text {
			text[k] = oneOf(r, words...)
		}
		at := time.Date(2026, 5, 1+r.IntN(30), 0, r.IntN(3), 0, 0, time.UTC)
		if r.IntN(10) == 0 {
			at = oneOf(r, oddTimes...)
		}
		items[i] = contextforge.Item{
			Content: strings.Join(text, " ") + oneOf(r, "", "?", "."),
			Kind:    oneOf(r, contextforge.KindSnapshot, contextforge.KindFact, contextforge.KindManual),
			SaveOptions: contextforge.SaveOptions{
				Scope: oneOf(r, "", "a", "b"), SessionID: oneOf(r, "", "s1", "s2", "s3"), Timestamp: at,
			},
		}
	}
	if _, err := m.SaveBatch(ctx, items); err != nil {
		t.Fatal(err)
	}
}

func randomOptions(r *rand.Rand) contextforge.QueryOptions {
	o := contextforge.QueryOptions{
		AsOf: time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC), Limit: oneOf(r, 0, 1, 3, 50),
		TokenBudget: oneOf(r, 0, 10, 100, contextforge.Unlimited), MinScore: oneOf(r, 0, 0.5, 0.9),
		Suspicious: oneOf(r, contextforge.SuspiciousKeep, contextforge.SuspiciousDownRank),
		Filter:     contextforge.Filter{Scope: oneOf(r, "", "a", "b"), SessionID: oneOf(r, "", "", "s2")},
	}
	if r.IntN(5) == 0 {
		o.AsOf = oneOf(r, oddTimes...)
	}
	if r.IntN(3) == 0 {
		o.Kinds = []string{contextforge.KindFact}
	}
	return o
}

// wrongHit says what is wrong with a hit, "" if nothing is.
func wrongHit(h *contextforge.Hit, o *contextforge.QueryOptions) string {
	x := &h.Explain
	most := 1 + contextforge.RankingDefault().BoostMax
	switch {
	case !(x.Fused >= 0 && x.Fused <= 1):
		return "fused score"
	case !(h.Score >= o.MinScore && h.Score <= most):
		return "score"
	case math.Abs(x.Fused*x.Decay*x.Multiplier*x.Suspicion-h.Score) > 1e-12:
		return "explanation"
	case o.Scope != "" && h.Scope != o.Scope, o.SessionID != "" && h.SessionID != o.SessionID, len(o.Kinds) > 0 && !slices.Contains(o.Kinds, h.Kind):
		return "filter"
	}
	return ""
}

func TestAnswersKeepTheirBounds(t *testing.T) {
	questions := []string{
		"where does Jonas work now?", "what happened in May 2026?", "when did Anna move?", "car", "red car currently in May 2026 when",
		"the of and", "what before the trip", "three weeks after the trip to Lisbon", "in 9999", "since May", "2026-05-02", "👍 💶", "أين السيارة",
		strings.Repeat("car rent ", 11_000),
	}
	for seed := range uint64(16) {
		r := rand.New(rand.NewPCG(seed, 7))
		cfg := contextforge.Config{MaxEntries: contextforge.Unlimited}
		if seed%3 > 0 {
			cfg.Embedder = newBag()
		}
		m := open(t, cfg)
		saveRandom(t, r, m)
		for _, text := range slices.Repeat(questions, 3) {
			o := randomOptions(r)
			hits := query(t, m, text, o)
			tokens, last := 0, math.Inf(1)
			for i := range hits {
				h := &hits[i]
				if wrong := wrongHit(h, &o); wrong != "" || h.Score > last {
					t.Fatalf("seed %d, %.40q, %+v: hit %d: %s: %q, score %v after %v, %+v", seed, text, o, i, wrong, h.Content, h.Score, last, h.Explain)
				}
				tokens, last = tokens+h.Explain.Tokens, h.Score
			}
			if o.Limit > 0 && len(hits) > o.Limit || o.TokenBudget > 0 && tokens > o.TokenBudget {
				t.Fatalf("seed %d, %.40q, %+v: %d hits, %d tokens", seed, text, o, len(hits), tokens)
			}
		}
	}
}
