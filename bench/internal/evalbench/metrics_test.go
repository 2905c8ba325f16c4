package evalbench

// These tests decide that the figures are the ones that the package comment defines.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// near compares figures; NaN is like NaN.
func near(a, b float64) bool {
	return math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) < 1e-12
}

func letters(s string) (list []string) {
	for _, r := range s {
		list = append(list, string(r))
	}
	return list
}

func TestMetrics(t *testing.T) {
	none := math.NaN()
	for _, tt := range []struct {
		name      string
		got, want float64
	}{
		{"row 208: recall full", Recall(letters("abc"), letters("ac"), 3), 1},
		{"row 208: recall partial", Recall(letters("abc"), letters("axyz"), 3), 0.25},
		{"row 208: recall cut off", Recall(letters("xyab"), letters("ab"), 3), 0.5},
		{"row 208: recall nothing found", Recall(letters("xyz"), letters("a"), 3), 0},
		{"row 208: repeats go before the cut-off", Recall(letters("aaab"), letters("ab"), 2), 1},
		{"row 208: abstention has no recall", Recall(letters("abc"), nil, 3), none},
		{"row 208: abstention has no NDCG", NDCG(letters("abc"), nil, 3), none},
		{"row 208: abstention has no rank", ReciprocalRank(letters("abc"), nil, 3), none},
		{"row 208: abstention has no recall in a set", RecallInSet(letters("abc"), nil), none},
		{"row 208: NDCG of the ideal", NDCG(letters("abxy"), letters("ba"), 10), 1},
		{"row 208: NDCG of rank 3", NDCG(letters("xya"), letters("a"), 10), 0.5},
		{"row 208: NDCG cut off", NDCG(letters("xya"), letters("a"), 2), 0},
		{"row 208: NDCG, repeats go before the cut-off", NDCG(letters("xxa"), letters("a"), 2), 1 / math.Log2(3)},
		{"row 208: NDCG, more relevant than the cut-off", NDCG(letters("abc"), letters("abc"), 1), 1},
		{"row 208: a mean ignores what is missing", Mean([]float64{1, none, 0, none}), 0.5},
		{"row 208: a mean of nothing", Mean([]float64{none}), none},
		{"row 208: recall in a set ignores the order", RecallInSet(letters("zyxa"), letters("ax")), 1},
		{"recall in a set counts repeats once", RecallInSet(letters("aaa"), letters("ab")), 0.5},
		{"relevant repeats count once", Recall(letters("a"), letters("aa"), 1), 1},
		{"reciprocal rank", ReciprocalRank(letters("xya"), letters("a"), 50), 1.0 / 3},
		{"reciprocal rank cut off", ReciprocalRank(letters("xya"), letters("a"), 2), 0},
		{"recall at 0", Recall(letters("a"), letters("a"), 0), 0},
		{"NDCG at 0", NDCG(letters("a"), letters("a"), 0), none},
		{"empty ranking", NDCG(nil, letters("a"), 10), 0},
	} {
		if !near(tt.got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, tt.got, tt.want)
		}
	}
}

func TestDistinct(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"row 208: in the order of the first appearance", "bacab", "bac"},
		{"all alike", "aaa", "a"},
		{"nothing", "", ""},
	} {
		if got := Distinct(letters(tt.in)); !slices.Equal(got, letters(tt.want)) {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}

func TestWithin(t *testing.T) {
	for _, tt := range []struct {
		costs  []int
		budget int
		want   []int
	}{
		{nil, 10, nil},
		{[]int{4, 7, 6}, 10, []int{0, 2}},
		{[]int{11, 10, 1}, 10, []int{1}},
		{[]int{5, 5, 0, 1}, 10, []int{0, 1, 2}},
		{[]int{1}, 0, nil},
	} {
		if got := Within(tt.costs, tt.budget); !slices.Equal(got, tt.want) {
			t.Errorf("%v within %d: %v, want %v", tt.costs, tt.budget, got, tt.want)
		}
	}
}

// The figures against their definitions, spelled out on random rankings.
func TestMetricsByDefinition(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	for range 2000 {
		ranked := random.Perm(12)[:random.IntN(12)]
		relevant := random.Perm(12)[:1+random.IntN(6)]
		k := 1 + random.IntN(12)
		found, gain, ideal, first := 0.0, 0.0, 0.0, 0.0
		for rank := 1; rank <= min(k, len(ranked)); rank++ {
			if slices.Contains(relevant, ranked[rank-1]) {
				found++
				gain += 1 / math.Log2(float64(rank+1))
				first = max(first, 1/float64(rank))
			}
		}
		for rank := 1; rank <= min(k, len(relevant)); rank++ {
			ideal += 1 / math.Log2(float64(rank+1))
		}
		if !near(Recall(ranked, relevant, k), found/float64(len(relevant))) || !near(NDCG(ranked, relevant, k), gain/ideal) || !near(ReciprocalRank(ranked, relevant, k), first) {
			t.Fatalf("%v, relevant %v, k %d", ranked, relevant, k)
		}
	}
}

func BenchmarkNDCG(b *testing.B) {
	for _, n := range []int{50, 500} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			ranked := rand.New(rand.NewPCG(1, 1)).Perm(n)
			b.ReportAllocs()
			for b.Loop() {
				NDCG(ranked, []int{3, 14, 15}, 10)
			}
		})
	}
}
