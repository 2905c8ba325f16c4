// Which passages confirm the same: rows 181 to 184, weakness W43.

package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// reinforcing classifies texts, each of another session, and tells which ones
// reinforce.
func reinforcing(cfg ClassifyConfig, texts ...string) (marks []bool) {
	var passages []Passage
	for i, text := range texts {
		passages = append(passages, Passage{Text: text, SessionID: fmt.Sprint(i)})
	}
	for _, c := range Classify(passages, cfg) {
		marks = append(marks, has(c, Reinforcing))
	}
	return marks
}

func TestReinforcing(t *testing.T) {
	const text = "Yes, the nightly backup to the second disk works"
	long := strings.Repeat("word ", 1) + "yes " + "one two three four five six seven eight nine"
	tests := []struct {
		name  string
		cfg   ClassifyConfig
		texts []string
		want  string // x for those that reinforce
	}{
		{"row 181: three sessions", ClassifyConfig{}, []string{text, text + "!", strings.ToUpper(text)}, "xxx"},
		{"row 181: others stay out", ClassifyConfig{}, []string{text, "something else", text, text}, "x.xx"},
		{"row 182: two sessions", ClassifyConfig{}, []string{text, text}, ".."},
		{"row 182: fewer asked for", ClassifyConfig{ReinforcingSessions: 2}, []string{text, text}, "xx"},
		{
			"row 183: other wording", ClassifyConfig{},
			[]string{"yes backup the disk", "the disk, yes, we backup", "disk backup: yes the first"}, "...",
		},
		{"row 184: imperfect overlap", ClassifyConfig{}, []string{text, "Now " + text + " well", text + " for now"}, "xxx"},
		{"no confirmation", ClassifyConfig{}, []string{"the backup works", "the backup works", "the backup works"}, "..."},
		{
			"other confirmations", ClassifyConfig{},
			[]string{"yes one two three four five", "correct one two three four five", "perfect one two three four five"}, "...",
		},
		{
			"linked over another one", ClassifyConfig{ReinforcingOverlap: 0.5},
			[]string{"yes a b c d e f", "e f g h i yes", "yes a b c d e f g h i yes"}, "xxx",
		},
		{"overlap of exactly the limit", ClassifyConfig{ReinforcingOverlap: 0.5}, []string{"yes a b c d", "yes a b x y", "yes a b v w"}, "..."},
		{"overlap above it", ClassifyConfig{ReinforcingOverlap: 0.49}, []string{"yes a b c d", "yes a b x y", "yes a b v w"}, "xxx"},
		{"any overlap", ClassifyConfig{ReinforcingOverlap: -1}, []string{"yes a c d e f", "yes a x y z", "yes a u v w"}, "xxx"},
		{"not a number is the default", ClassifyConfig{ReinforcingOverlap: math.NaN()}, []string{text, text, text}, "xxx"},
		{"nothing exceeds 1", ClassifyConfig{ReinforcingOverlap: 1}, []string{text, text, text}, "..."},
		{"within a longer one", ClassifyConfig{}, []string{long, long + " and so forth with more of it", "well " + long}, "xxx"},
		{"single words", ClassifyConfig{}, []string{"yes", "yes", "yes"}, "..."},
		{"one session is enough", ClassifyConfig{ReinforcingSessions: 1}, []string{text, "yes it is"}, "xx"},
		{"other scripts", ClassifyConfig{}, []string{"yes 数据库可用", "yes 数据库可用了", "yes 数据库可用"}, "xxx"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			for _, mark := range reinforcing(tt.cfg, tt.texts...) {
				got += map[bool]string{true: "x", false: "."}[mark]
			}
			if got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

func TestReinforcingCountsSessions(t *testing.T) {
	const text = "yes, the backup works"
	passages := []Passage{{Text: text, SessionID: "a"}, {Text: text, SessionID: "a"}, {Text: text, SessionID: "b"}}
	for _, c := range Classify(passages, ClassifyConfig{}) {
		if has(c, Reinforcing) {
			t.Error("three passages of two sessions reinforce")
		}
	}
}

// naivelyReinforced is the definition: every pair is compared.
func naivelyReinforced(passages []Passage, list []confirmed, sessions int, overlap float64) []bool {
	pairs := make([]map[[2]string]bool, len(list))
	for i, c := range list {
		pairs[i] = map[[2]string]bool{}
		for k := 1; k < len(c.words); k++ {
			pairs[i][[2]string{c.words[k-1], c.words[k]}] = true
		}
	}
	component := make([]int, len(list))
	for i := range component {
		component[i] = i
	}
	for i := range list {
		for k := range i {
			common := 0
			for p := range pairs[i] {
				if pairs[k][p] {
					common++
				}
			}
			if least := min(len(pairs[i]), len(pairs[k])); least == 0 || !shares(list[i].by, list[k].by) || !(float64(common)/float64(least) > overlap) {
				continue
			}
			from, to := component[i], component[k]
			for n := range component {
				if component[n] == from {
					component[n] = to
				}
			}
		}
	}
	marks := make([]bool, len(list))
	for i := range list {
		in := map[string]bool{}
		for k := range list {
			if component[k] == component[i] && len(list[k].by) > 0 && len(pairs[k]) > 0 {
				in[passages[k].SessionID] = true
			}
		}
		marks[i] = len(in) >= sessions && len(list[i].by) > 0 && len(pairs[i]) > 0
	}
	return marks
}

// Random passages of few words, so that overlaps of every size occur, against the
// definition.
func TestW43Model(t *testing.T) {
	rng := rand.New(rand.NewPCG(43, 1))
	rounds := 1500
	if testing.Short() {
		rounds = 300
	}
	for round := range rounds {
		vocabulary := 2 + rng.IntN(12)
		passages := make([]Passage, rng.IntN(30))
		list := make([]confirmed, len(passages))
		for i := range list {
			passages[i].SessionID = fmt.Sprint(rng.IntN(6))
			for range rng.IntN(9) {
				list[i].words = append(list[i].words, fmt.Sprint(rng.IntN(vocabulary)))
			}
			for id := range int32(3) {
				if rng.IntN(3) == 0 {
					list[i].by = append(list[i].by, id)
				}
			}
			if i > 0 && rng.IntN(4) == 0 {
				list[i] = list[rng.IntN(i)]
			}
		}
		overlap := []float64{0, 0.1, 0.25, 1. / 3, 0.5, 0.6, 2. / 3, 0.75, 0.9, 0.99, 1}[rng.IntN(11)]
		sessions := 1 + rng.IntN(4)
		want := naivelyReinforced(passages, list, sessions, overlap)
		got, _ := reinforced(t.Context(), passages, list, sessions, overlap)
		if !slices.Equal(got, want) {
			t.Fatalf("round %d: sessions %d, overlap %v, %+v: %v, want %v", round, sessions, overlap, list, got, want)
		}
	}
}

// How often sets are compared, in cases that are quadratic when done naively.
func TestW43Comparisons(t *testing.T) {
	const n = 4000
	tests := []struct {
		name   string
		text   func(i int) string
		most   int
		marked bool
	}{
		{"identical", func(int) string { return "yes the backup of the night works" }, 0, true},
		{"nearly identical", func(i int) string { return fmt.Sprintf("yes the backup of night %d works well", i) }, 6 * n, true},
		{"a common beginning", func(i int) string { return fmt.Sprintf("yes the backup a%d b%d c%d d%d e%d", i, i, i, i, i) }, n, false},
		{"nothing in common", func(i int) string { return fmt.Sprintf("yes a%d b%d c%d", i, i, i) }, n, false},
		{"one contains all", func(i int) string { return strings.Repeat(fmt.Sprintf("yes the backup of %d ", i%50), 1+i%2) }, 8 * n, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			passages := make([]Passage, n)
			list := make([]confirmed, n)
			for i := range n {
				passages[i].SessionID = fmt.Sprint(i % 10)
				list[i] = confirmed{by: []int32{0}, words: strings.Fields(tt.text(i))}
			}
			marks, comparisons := reinforced(t.Context(), passages, list, 3, 0.6)
			if comparisons > tt.most {
				t.Errorf("%d comparisons, want at most %d of %d pairs", comparisons, tt.most, n*(n-1)/2)
			}
			if slices.Contains(marks, !tt.marked) {
				t.Errorf("not all are %v", tt.marked)
			}
		})
	}
}

func TestNeeded(t *testing.T) {
	for n := 1; n < 200; n++ {
		for _, overlap := range []float64{0, 1e-9, 0.1, 0.3, 1. / 3, 0.5, 0.6, 2. / 3, 0.7, 0.9, 0.999} {
			want := 1
			for !exceeds(want, n, overlap) {
				want++
			}
			if got := (&join{overlap: overlap}).needed(n); got != want {
				t.Errorf("%d of %d exceed %v, got %d", want, n, overlap, got)
			}
		}
	}
}

func BenchmarkReinforced(b *testing.B) {
	for _, n := range []int{100, 1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			passages := make([]Passage, n)
			list := make([]confirmed, n)
			for i := range n {
				passages[i].SessionID = fmt.Sprint(i % 50)
				list[i] = confirmed{by: []int32{int32(i % 3)}, words: strings.Fields(sample(uint64(i), 400))}
			}
			b.ReportAllocs()
			for b.Loop() {
				reinforced(b.Context(), passages, list, 3, 0.6)
			}
		})
	}
}
