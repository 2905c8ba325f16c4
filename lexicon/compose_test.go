// Scorers put together, and scorers of other things than the content.

package lexicon

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

// length is a scorer of an application that explains nothing.
type length float64

func (l length) Score(item Item, query string) float64 {
	return float64(l) * float64(len(item.Content)+len(query))
}

func TestComposite(t *testing.T) {
	mine := parsed(t, persona)
	item := Item{Content: "confirmed: deploy", Kind: "fact"}
	for _, row := range []struct {
		name             string
		scorer           Scorer
		score            float64
		static, defaults bool
	}{
		{"none", None, 0, true, false},
		{"empty", Composite(), 0, true, true},
		{"empty only", Only(), 0, true, false},
		{"nil", Composite(nil, nil), 0, true, true},
		{"a lexicon", mine, 0.8, true, true},
		{"one", Composite(mine), 0.8, true, true},
		{"two", Composite(English(), nil, mine), 1.3, true, true},
		{"only one", Only(mine), 0.8, true, false},
		{"with none", Composite(mine, None), 0.8, true, false},
		{"nested", Composite(Composite(mine), Only(English())), 1.3, true, false},
		{"kinds", Kinds(map[string]float64{"fact": 0.25}), 0.25, false, true},
		{"with kinds", Only(mine, Kinds(map[string]float64{"fact": 0.25})), 1.05, false, false},
		{"with one of the application", Composite(mine, length(0.01)), 0.8 + 0.01*17, false, true},
		{"a nil lexicon", Composite((*ConfigScorer)(nil), mine), 0.8, true, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := row.scorer.Score(item, "")
			if math.Abs(got-row.score) > 1e-15 {
				t.Errorf("score %v, want %v", got, row.score)
			}
			if Static(row.scorer) != row.static || UsesDefaults(row.scorer) != row.defaults {
				t.Errorf("static %v, defaults %v", Static(row.scorer), UsesDefaults(row.scorer))
			}
			sum := 0.0
			for _, m := range row.scorer.(Explainer).Explain(item, "") {
				sum += m.Amount
			}
			if math.Abs(sum-got) > 1e-15 {
				t.Errorf("explained %v of %v", sum, got)
			}
		})
	}
	if !UsesDefaults(nil) || !Static(nil) || Static(length(1)) || !UsesDefaults(length(1)) {
		t.Error("what holds of nil and of scorers that don't say")
	}
	got := Composite(length(1)).(Explainer).Explain(Item{Content: "abc"}, "")
	if !slices.Equal(got, []Match{{Sort: Signal, Amount: 3}}) {
		t.Errorf("a scorer that explains nothing: %+v", got)
	}
}

func TestNilLexicon(t *testing.T) {
	var s *ConfigScorer
	for range s.Terms() {
		t.Error("a term")
	}
	if s.Len() != 0 || s.Name() != "" || s.Affirmations() != nil || s.Negations() != nil || !s.Static() || score(s, "x") != 0 || s.Explain(Item{Content: "x"}, "") != nil {
		t.Error("a nil lexicon isn't empty")
	}
}

func TestMetadata(t *testing.T) {
	for _, row := range []struct {
		metadata string
		weight   float64
		want     float64
	}{
		{`{"importance": 0.5}`, 2, 1},
		{`{"importance": 3}`, -0.5, -1.5},
		{`{"importance": 1e2, "other": {}}`, 0.5, 50},
		{`{"other": 1, "importance": 1, "importance": 2}`, 1, 2},
		{` {"\u0069mportance": 1} `, 1, 1},
		{``, 1, 0},
		{` `, 1, 0},
		{`null`, 1, 0},
		{`{}`, 1, 0},
		{`[1]`, 1, 0},
		{`{"importance": "1"}`, 1, 0},
		{`{"importance": true}`, 1, 0},
		{`{"importance": null}`, 1, 0},
		{`{"importance": {"importance": 1}}`, 1, 0},
		{`{"importance": [1]}`, 1, 0},
		{`{"importance": NaN}`, 1, 0},
		{`{"importance": 1e999}`, 1, 0},
		{`{"importance": 1e308}`, 10, 0},
		{`{"importance": 1`, 1, 0},
		{`{"a": {"importance": 1}}`, 1, 0},
		{`{"importance": 1}`, math.NaN(), 0},
		{`{"importance": 1}`, math.Inf(1), 0},
		{`{"Importance": 1}`, 1, 0},
		{`{"importance": ` + strings.Repeat("[", 1<<16) + `}`, 1, 0},
	} {
		item := Item{Metadata: json.RawMessage(row.metadata)}
		s := Metadata("importance", row.weight)
		if got := s.Score(item, ""); got != row.want {
			t.Errorf("%.40s × %v: %v, want %v", row.metadata, row.weight, got, row.want)
		}
		var want []Match
		if row.want != 0 {
			want = []Match{{Lexicon: "metadata", Sort: Signal, Pattern: "importance", Amount: row.want}}
		}
		if got := s.(Explainer).Explain(item, ""); !reflect.DeepEqual(got, want) {
			t.Errorf("%.40s: %+v", row.metadata, got)
		}
	}
}

func TestKindsAndPrior(t *testing.T) {
	amounts := map[string]float64{"a": 0.5, "b": math.NaN(), "c": math.Inf(-1), "": 0.25}
	kinds, prior := Kinds(amounts), Prior(amounts)
	amounts["a"], amounts["d"] = 7, 7
	for name, want := range map[string]float64{"a": 0.5, "b": 0, "c": 0, "d": 0, "": 0.25} {
		if got := kinds.Score(Item{Kind: name, ID: "x"}, ""); got != want {
			t.Errorf("kind %q: %v", name, got)
		}
		if got := prior.Score(Item{Kind: "x", ID: name}, ""); got != want {
			t.Errorf("id %q: %v", name, got)
		}
	}
	if got := prior.(Explainer).Explain(Item{ID: "a"}, ""); !slices.Equal(got, []Match{{Lexicon: "prior", Sort: Signal, Pattern: "a", Amount: 0.5}}) {
		t.Errorf("%+v", got)
	}
	if Kinds(nil).Score(Item{}, "") != 0 || Static(prior) || Static(kinds) || Static(Metadata("x", 1)) {
		t.Error("signals")
	}
}

func TestMatchAsJSON(t *testing.T) {
	got, err := json.Marshal(English().Explain(Item{Content: "That’s right"}, ""))
	const want = `[{"lexicon":"english","sort":"affirmation","pattern":"that's right","amount":0.5,"start":0,"end":14}]`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
}

func TestConcurrentUse(t *testing.T) {
	s := parsed(t, largeText(500))
	contents := []string{average, strings.Repeat("not "+average, 20), "confirmed", strings.Repeat("x", maxKept+1)}
	for term := range s.Terms() {
		contents = append(contents, term+", not "+term)
	}
	type result struct {
		score   float64
		matches []Match
	}
	var want []result
	for _, c := range contents {
		want = append(want, result{s.Score(Item{Content: c}, ""), s.Explain(Item{Content: c}, "")})
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for i, c := range contents {
				if got := (result{s.Score(Item{Content: c}, ""), s.Explain(Item{Content: c}, "")}); !reflect.DeepEqual(got, want[i]) {
					t.Errorf("%.40q: %v, want %v", c, got, want[i])
				}
			}
		})
	}
	group.Wait()
}
