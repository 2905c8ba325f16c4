// How important segments are, and what a budget holds: rows 186 to 199.

package analysis

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

const week = 7 * 24 * time.Hour

var scoredTerms = []Term{{"queue", 4, 0.5}, {"job", 6, 0.75}, {"disk", 7, 0.25}}

func TestScore(t *testing.T) {
	now := at(1000)
	passage := func(terms []string, categories ...Category) Classified {
		return Classified{Passage: Passage{Text: "text", Terms: terms, Timestamp: now}, Categories: categories}
	}
	tests := []struct {
		name      string
		in        Classified
		want      float64
		frequency int
	}{
		{"row 187: uncategorised", passage([]string{"queue"}), 0.5 * 0.5, 4},
		{"row 188: one category", passage([]string{"queue"}, Stateful), 0.5 * 1.2, 4},
		{"row 188: the greatest of several", passage([]string{"queue"}, Stateful, Decisive, Reinforcing), 0.5 * 1.3, 4},
		{"row 188: the greatest of all", passage([]string{"queue"}, Corrective, Stateful, Decisive, Reinforcing), 0.5 * 1.5, 4},
		{"row 188: reinforcing", passage([]string{"queue"}, Reinforcing), 0.5, 4},
		{"row 189: several terms", passage([]string{"disk", "job", "queue"}, Reinforcing), 0.75, 7},
		{"row 190: unknown terms", passage([]string{"unknown"}, Corrective), 0, 0},
		{"row 190: no terms", passage(nil, Corrective), 0, 0},
		{"row 190: unknown besides known", passage([]string{"unknown", "queue"}, Reinforcing), 0.5, 4},
		{"unknown category", passage([]string{"queue"}, "other"), 0, 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Score([]Classified{tt.in}, scoredTerms, now, ScoreConfig{})
			if len(got) != 1 || got[0].Importance != tt.want || got[0].SessionFrequency != tt.frequency {
				t.Errorf("%+v, want %v, %d", got, tt.want, tt.frequency)
			}
		})
	}
}

func TestScoreNothing(t *testing.T) {
	old := func(all ...Category) Classified { return Classified{Categories: all, Superseded: all} }
	for name, in := range map[string][]Classified{
		"row 186: empty":          nil,
		"row 186: all superseded": {old(Stateful), old(Decisive), old(Stateful, Decisive)},
	} {
		if got := Score(in, scoredTerms, at(0), ScoreConfig{}); len(got) != 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestScoreSuperseded(t *testing.T) {
	now := at(0)
	make1 := func(text string, all, old []Category) Classified {
		return Classified{Passage: Passage{Text: text, Terms: []string{"job"}, Timestamp: now}, Categories: all, Superseded: old}
	}
	tests := []struct {
		name   string
		in     Classified
		weight float64 // 0 if it is left out
		stand  []Category
	}{
		{"row 193: superseded", make1("a", []Category{Stateful}, []Category{Stateful}), 0, nil},
		{"row 193: active", make1("a", []Category{Stateful}, nil), 1.2, []Category{Stateful}},
		{"row 193: uncategorised", make1("a", nil, nil), 0.5, []Category{}},
		{"W44: one of two", make1("a", []Category{Stateful, Decisive}, []Category{Decisive}), 1.2, []Category{Stateful}},
		{"W44: the other of two", make1("a", []Category{Stateful, Decisive}, []Category{Stateful}), 1.3, []Category{Decisive}},
		{"W44: both", make1("a", []Category{Stateful, Decisive}, []Category{Stateful, Decisive}), 0, nil},
		{"W44: corrective stands", make1("a", []Category{Corrective, Stateful}, []Category{Stateful}), 1.5, []Category{Corrective}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			other := make1("other", []Category{Reinforcing}, nil)
			got := Score([]Classified{tt.in, other}, scoredTerms, now, ScoreConfig{})
			got = slices.DeleteFunc(got, func(s Segment) bool { return s.Text == "other" })
			if tt.weight == 0 {
				if len(got) > 0 {
					t.Errorf("%+v", got)
				}
				return
			}
			if len(got) != 1 || got[0].CategoryWeight != tt.weight || !reflect.DeepEqual(got[0].Categories, tt.stand) {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestRecency(t *testing.T) {
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	tests := []struct {
		name     string
		age      time.Duration
		halfLife time.Duration
		want     float64
	}{
		{"row 191: new", 0, 0, 1},
		{"row 191: one half-life", week, 0, 0.5},
		{"row 191: two half-lives", 2 * week, 0, 0.25},
		{"row 191: invalid half-life", week, -5, 0.5},
		{"another half-life", time.Hour, time.Hour, 0.5},
		{"in the future", -week, 0, 1},
		{"very old", 200 * 365 * 24 * time.Hour, time.Second, 0},
		{"one nanosecond", 1100, 1, 0},
		{"small numbers", 1070, 1, math.Ldexp(1, -1070)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := []Classified{{Passage: Passage{Terms: []string{"job"}, Timestamp: now.Add(-tt.age)}}}
			if got := Score(in, scoredTerms, now, ScoreConfig{HalfLife: tt.halfLife})[0].Recency; got != tt.want {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
	half := Score([]Classified{{Passage: Passage{Timestamp: now.Add(-week / 2)}}}, nil, now, ScoreConfig{})[0].Recency
	if math.Abs(half-math.Sqrt2/2) > 1e-15 {
		t.Errorf("after half a half-life %v", half)
	}
	if got := recency(time.Time{}, time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), week); got != 0 {
		t.Errorf("after a very long time %v", got)
	}
}

func TestScoreOrder(t *testing.T) {
	now := at(0)
	in := []Classified{
		{Passage: Passage{Text: "b", EntryID: "2", Timestamp: now}},
		{Passage: Passage{Text: "a", EntryID: "9", Timestamp: now}},
		{Passage: Passage{Text: "b", EntryID: "1", Timestamp: now}},
		{Passage: Passage{Text: "a", EntryID: "9", Timestamp: now, SessionID: "later in the input"}},
		{Passage: Passage{Text: "z", EntryID: "0", Timestamp: now.Add(time.Second)}},
		{Passage: Passage{Text: "zz", EntryID: "0", Timestamp: now.Add(-week), Terms: []string{"job"}}},
	}
	got := ""
	for _, s := range Score(in, scoredTerms, now, ScoreConfig{}) {
		got += s.Text + s.EntryID + s.SessionID + " "
	}
	if want := "zz0 z0 a9 a9later in the input b1 b2 "; got != want {
		t.Errorf("row 192: %q, want %q", got, want)
	}
}

func TestScoreFields(t *testing.T) {
	in := Classified{
		Passage:    Passage{Text: "12345", Terms: []string{"job"}, EntryID: "e", SessionID: "s", Timestamp: at(0)},
		Categories: []Category{Corrective, Stateful}, Superseded: []Category{Stateful},
	}
	want := []Segment{{
		Text: "12345", Categories: []Category{Corrective}, Importance: 0.75 * 1.5 * 0.5, Recurrence: 0.75, SessionFrequency: 6,
		CategoryWeight: 1.5, Recency: 0.5, Terms: []string{"job"}, EntryID: "e", SessionID: "s", Timestamp: at(0), Tokens: 2,
	}}
	if got := Score([]Classified{in}, scoredTerms, at(7*24), ScoreConfig{}); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestScoreConfigDefaults(t *testing.T) {
	standard := ScoreConfig{Corrective: 1.5, Decisive: 1.3, Stateful: 1.2, Reinforcing: 1, Uncategorised: 0.5, HalfLife: week}
	nan, inf := math.NaN(), math.Inf(1)
	for _, cfg := range []ScoreConfig{{}, {nan, inf, -inf, nan, nan, -1}} {
		if got := cfg.resolved(); got != standard {
			t.Errorf("%+v", got)
		}
	}
	none := ScoreConfig{Corrective: -1, Uncategorised: -2}
	for _, c := range [][]Category{nil, {Corrective}} {
		if got := Score([]Classified{{Passage: Passage{Terms: []string{"job"}}, Categories: c}}, scoredTerms, at(0), none); got[0].Importance != 0 {
			t.Errorf("%v with a negative weight: %+v", c, got)
		}
	}
}

func TestPack(t *testing.T) {
	var segments []Segment
	for i, n := range []int{5, 9, 3, 0, 2, 1} {
		segments = append(segments, Segment{Text: string(rune('a' + i)), Tokens: n})
	}
	tests := []struct {
		name   string
		budget int
		want   string
	}{
		{"row 194: all", 20, "abcdef"},
		{"row 194: skip, then fit", 10, "acde"},
		{"row 194: the first skipped", 4, "cdf"},
		{"row 194: zero", 0, ""},
		{"exactly", 9, "acdf"},
		{"unlimited", -1, "abcdef"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			for _, s := range Pack(segments, tt.budget) {
				got += s.Text
			}
			if got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
	huge := []Segment{{Tokens: math.MaxInt}, {Tokens: math.MaxInt}, {Tokens: 1}}
	if got := Pack(huge, math.MaxInt); len(got) != 1 {
		t.Errorf("%d segments in the greatest budget", len(got))
	}
	all := Pack(segments, -1)
	all[0].Text = "changed"
	if segments[0].Text != "a" {
		t.Error("the result is the argument")
	}
}

func TestScaleBudget(t *testing.T) {
	tests := []struct {
		name              string
		base, compactions int
		cfg               ScaleConfig
		want              int
	}{
		{"row 195: absent", 2048, 0, ScaleConfig{}, 2048},
		{"row 195: 1", 2048, 1, ScaleConfig{}, 2048},
		{"row 195: negative", 2048, -3, ScaleConfig{}, 2048},
		{"row 195: least", 2048, math.MinInt, ScaleConfig{}, 2048},
		{"row 196: 2", 2048, 2, ScaleConfig{}, 2560},
		{"row 196: 3", 2048, 3, ScaleConfig{}, 3072},
		{"row 196: 5", 2048, 5, ScaleConfig{}, 4096},
		{"row 196: cap", 2048, 5, ScaleConfig{Cap: 3000}, 3000},
		{"row 196: cap above", 2048, 5, ScaleConfig{Cap: 5000}, 4096},
		{"row 197: off", 2048, 5, ScaleConfig{Factor: -1}, 2048},
		{"row 197: not a number", 2048, 5, ScaleConfig{Factor: math.NaN()}, 2048},
		{"row 197: smallest", 2048, 5, ScaleConfig{Factor: math.SmallestNonzeroFloat64}, 2048},
		{"cap without compactions", 2048, 1, ScaleConfig{Cap: 1000}, 1000},
		{"cap with scaling off", 2048, 5, ScaleConfig{Factor: -1, Cap: 1000}, 1000},
		{"rounded up", 10, 2, ScaleConfig{Factor: 0.01}, 11},
		{"zero", 0, 5, ScaleConfig{}, 0},
		{"unlimited", -1, 5, ScaleConfig{}, -1},
		{"unlimited with cap", -1, 0, ScaleConfig{Cap: 7}, 7},
		{"overflow", math.MaxInt, math.MaxInt, ScaleConfig{}, math.MaxInt},
		{"infinite factor", 1, 2, ScaleConfig{Factor: math.Inf(1)}, math.MaxInt},
		{"not less for its size", math.MaxInt - 1, 2, ScaleConfig{Factor: 1e-300}, math.MaxInt},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ScaleBudget(tt.base, tt.compactions, tt.cfg)
			if tt.name == "not less for its size" {
				if got < tt.base {
					t.Errorf("%d", got)
				}
			} else if got != tt.want {
				t.Errorf("%d, want %d", got, tt.want)
			}
		})
	}
}

func TestAdjustWeights(t *testing.T) {
	tests := []struct {
		name        string
		compactions []int
		order       string // of Corrective, Decisive, Stateful, Reinforcing by weight
	}{
		{"row 198: unchanged", []int{-1, 0, 1}, "CDSR"},
		{"row 198: two", []int{2}, "RCSD"},
		{"row 198: three and more", []int{3, 10}, "RSCD"},
	}
	for _, tt := range tests {
		for _, n := range tt.compactions {
			for _, cfg := range []ScoreConfig{{}, {Uncategorised: 0.1, HalfLife: time.Hour}, {Corrective: 9, Decisive: 8, Stateful: 7, Reinforcing: -1}} {
				got := AdjustWeights(cfg, n)
				full := got.resolved()
				names := strings.Split("CDSR", "")
				weight := map[string]float64{"C": full.Corrective, "D": full.Decisive, "S": full.Stateful, "R": full.Reinforcing}
				slices.SortStableFunc(names, func(a, b string) int {
					return map[bool]int{true: -1, false: 1}[weight[a] > weight[b]]
				})
				if order := strings.Join(names, ""); order != tt.order {
					t.Errorf("%s: %d of %+v: %s", tt.name, n, cfg, order)
				}
				if got.Uncategorised != cfg.Uncategorised || got.HalfLife != cfg.HalfLife {
					t.Errorf("row 199: %+v became %+v", cfg, got)
				}
			}
		}
	}
}

// Random segments against the definition: what is skipped does not fit into what
// is left.
func TestPackModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 194))
	for range 300 {
		segments := make([]Segment, rng.IntN(30))
		for i := range segments {
			segments[i] = Segment{Tokens: rng.IntN(20), SessionFrequency: i}
		}
		left := 1 + rng.IntN(120)
		var want []Segment
		packed := Pack(segments, left)
		for _, s := range segments {
			if s.Tokens <= left {
				want, left = append(want, s), left-s.Tokens
			}
		}
		if !reflect.DeepEqual(packed, want) {
			t.Fatalf("%v, want %v", packed, want)
		}
	}
}
