package contextforge_test

// What the lexicon does to answers.

import (
	"fmt"
	"math"
	"sync/atomic"
	"testing"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/lexicon"
)

func persona(t *testing.T, text string) *lexicon.ConfigScorer {
	t.Helper()
	s, err := lexicon.Parse("persona", text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// answer saves texts of the same relevance, one second apart, and returns the
// contents of the answer to "deploy".
func answer(t *testing.T, cfg contextforge.Config, texts ...string) (contents []string, hits []contextforge.Hit) {
	t.Helper()
	c := newClock()
	cfg.Clock = c.Now
	m := open(t, cfg)
	for _, text := range texts {
		save(t, m, text, contextforge.SaveOptions{Timestamp: c.now})
	}
	hits, err := m.Query(ctx, "deploy", contextforge.QueryOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range hits {
		contents = append(contents, h.Content)
	}
	return contents, hits
}

func TestLexiconRows(t *testing.T) {
	const term = "[terms]\nkubernetes = 1.4\n"
	wide := contextforge.RankingDefault()
	wide.BoostMin, wide.BoostMax, wide.BoostHalf = -1, 2, 0
	for _, row := range []struct {
		name    string
		lexicon lexicon.Scorer
		ranking contextforge.Ranking
		texts   []string // of the same length, the best first
	}{
		{"rows 19 and 50: a confirmation above what is neutral", nil, contextforge.Ranking{}, []string{"deploy confirmed green today", "deploy happened green today"}},
		{"row 51: a persona without English", lexicon.Only(persona(t, term)), contextforge.Ranking{}, []string{"deploy kubernetes green today", "deploy confirmed green today"}},
		{"row 52: a persona and English", persona(t, term), wide, []string{"deploy kubernetes green today", "deploy confirmed green today", "deploy happened green today"}},
		{"row 53: a commitment above what is neutral", nil, contextforge.Ranking{}, []string{"deploy breaks i'll follow up", "deploy breaks we then woke up"}},
		{"row 54: what is not confirmed below what is", nil, contextforge.Ranking{}, []string{"deploy was confirmed green today", "deploy was not confirmed today"}},
		{"a dismissal below what is neutral", nil, contextforge.Ranking{}, []string{"deploy went fine since then it", "deploy went fine never mind it"}},
		{"more counts more, also beyond the limit of the reference", nil, contextforge.Ranking{}, []string{"deploy confirmed and noted, spot on", "deploy confirmed, and they came on", "deploy happened, and they came on"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			for _, flip := range []bool{false, true} { // whatever comes first
				texts := append([]string(nil), row.texts...)
				if flip {
					for i, j := 0, len(texts)-1; i < j; i, j = i+1, j-1 {
						texts[i], texts[j] = texts[j], texts[i]
					}
				}
				got, hits := answer(t, contextforge.Config{Lexicon: row.lexicon, Ranking: row.ranking}, texts...)
				if fmt.Sprint(got) != fmt.Sprint(row.texts) {
					t.Errorf("got %q, want %q; %+v", got, row.texts, hits[0].Explain)
				}
			}
		})
	}
}

func TestLexiconNoneIsPlainRelevance(t *testing.T) {
	_, hits := answer(t, contextforge.Config{Lexicon: lexicon.None}, "deploy confirmed", "deploy happened")
	for _, h := range hits {
		if h.Explain.Boost != 0 || h.Explain.Multiplier != 1 || h.Explain.Matches != nil {
			t.Errorf("%q: %+v", h.Content, h.Explain)
		}
	}
}

func TestExplanationNamesWhatMatched(t *testing.T) {
	_, hits := answer(t, contextforge.Config{Lexicon: persona(t, "[terms]\nmain = 0.25\n")}, "deploy of main confirmed, noted")
	e := hits[0].Explain
	sum := 0.0
	for _, m := range e.Matches {
		sum += m.Amount
		if got := hits[0].Content[m.Start:m.End]; got != m.Pattern {
			t.Errorf("%+v marks %q", m, got)
		}
	}
	if len(e.Matches) != 3 || sum != e.Boost || e.Boost != 1.25 {
		t.Errorf("%+v", e)
	}
	if want := 1 + 0.05*(1.25/2.25); math.Abs(e.Multiplier-want) > 1e-15 {
		t.Errorf("multiplier %v, want %v", e.Multiplier, want)
	}
}

// The factor grows with the boost and never leaves its limits.
func TestBoostIsSmooth(t *testing.T) {
	values := []float64{math.Inf(-1), -1e308, -3, -1, -0.3, -1e-9, 0, 1e-9, 0.1, 0.5, 1, 1.5, 3, 30, 1e308, math.Inf(1)}
	c := newClock()
	by := boosts{}
	m := open(t, contextforge.Config{Clock: c.Now, Lexicon: lexicon.Only(by)})
	for i, v := range values {
		text := fmt.Sprintf("deploy %c", 'a'+i)
		by[text] = v
		save(t, m, text, contextforge.SaveOptions{Timestamp: c.now})
	}
	nan := "deploy z"
	by[nan] = math.NaN()
	save(t, m, nan, contextforge.SaveOptions{Timestamp: c.now})
	hits, err := m.Query(ctx, "deploy", contextforge.QueryOptions{})
	if err != nil || len(hits) != len(values)+1 {
		t.Fatalf("%d hits, %v", len(hits), err)
	}
	factors := map[string]float64{}
	for _, h := range hits {
		factors[h.Content] = h.Explain.Multiplier
	}
	if factors[nan] != 1 {
		t.Errorf("NaN gives %v", factors[nan])
	}
	last := 0.95
	for i, v := range values {
		f := factors[fmt.Sprintf("deploy %c", 'a'+i)]
		if f < last || f > 1.05 || v == 0 && f != 1 {
			t.Errorf("boost %v gives %v after %v", v, f, last)
		}
		if i > 2 && i < 13 && f == last {
			t.Errorf("boost %v counts no more than %v", v, values[i-1])
		}
		last = f
	}
}

// counting is a scorer that counts how often it is asked.
type counting struct {
	static bool
	asked  atomic.Int64
}

func (c *counting) Static() bool { return c.static }

func (c *counting) Score(_ lexicon.Item, query string) float64 {
	c.asked.Add(1)
	return float64(len(query)) / 10
}

func TestBoostsAreRemembered(t *testing.T) {
	for _, static := range []bool{true, false} {
		s := &counting{static: static}
		m := open(t, contextforge.Config{Lexicon: lexicon.Only(s)})
		id := save(t, m, "deploy it", contextforge.SaveOptions{})
		boost := func(question string) float64 {
			hits, err := m.Query(ctx, question, contextforge.QueryOptions{})
			if err != nil || len(hits) != 1 {
				t.Fatalf("%d hits, %v", len(hits), err)
			}
			return hits[0].Explain.Boost
		}
		boost("deploy")
		again := boost("deploy now")
		asked := s.asked.Load()
		// Each answer also asks what its hit is explained by.
		if static && (asked != 3 || again != 0.6) || !static && (asked != 4 || again != 1) {
			t.Errorf("static %v: asked %d times, %v the second time", static, asked, again)
		}
		text := "deploy it again"
		if _, err := m.Update(ctx, id, contextforge.Change{Content: &text}); err != nil {
			t.Fatal(err)
		}
		boost("deploy")
		if s.asked.Load() != asked+2 {
			t.Errorf("static %v: a new content was not looked at", static)
		}
	}
}

// With a plugged Storage, whose entries have no lasting numbers, every query asks.
func TestBoostsOfPluggedStorage(t *testing.T) {
	s := &counting{static: true}
	m := open(t, contextforge.Config{Storage: &plugged{}, Lexicon: lexicon.Only(s)})
	save(t, m, "deploy it", contextforge.SaveOptions{})
	for range 2 {
		if _, err := m.Query(ctx, "deploy", contextforge.QueryOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if s.asked.Load() != 4 { // twice for the order, twice for the explanation
		t.Errorf("asked %d times", s.asked.Load())
	}
}
