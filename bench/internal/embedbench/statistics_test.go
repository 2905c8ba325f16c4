package embedbench

// These tests decide that the statistics are the ones named, on examples that can be
// worked out by hand.

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestRanks(t *testing.T) {
	for _, tt := range []struct{ values, want []float64 }{
		{nil, []float64{}},
		{[]float64{7}, []float64{1}},
		{[]float64{3, 1, 2}, []float64{3, 1, 2}},
		{[]float64{5, 5, 5}, []float64{2, 2, 2}},
		{[]float64{1, 2, 2, 0}, []float64{2, 3.5, 3.5, 1}},
		{[]float64{4, -1, 4, -1, 4}, []float64{4, 1.5, 4, 1.5, 4}},
	} {
		if got := ranks(tt.values); !slices.Equal(got, tt.want) {
			t.Errorf("%v: %v, want %v", tt.values, got, tt.want)
		}
	}
}

func TestSpearman(t *testing.T) {
	for _, tt := range []struct {
		a, b []float64
		want float64
	}{
		{[]float64{1, 2, 3}, []float64{10, 100, 1000}, 1},
		{[]float64{1, 2, 3}, []float64{3, 2, 1}, -1},
		{[]float64{1, 2, 3}, []float64{5, 5, 5}, 0},
		// Without ties it is 1 - 6 sum(d²) / (n(n²-1)): d² add up to 194 here.
		{
			[]float64{106, 100, 86, 101, 99, 103, 97, 113, 112, 110},
			[]float64{7, 27, 2, 50, 28, 29, 20, 12, 6, 17}, 1 - 6*194.0/990,
		},
		// Ranks 1, 2.5, 2.5, 4 and 1, 2, 3, 4: 4.5 / sqrt(4.5 · 5).
		{[]float64{1, 2, 2, 3}, []float64{1, 2, 3, 4}, 4.5 / math.Sqrt(22.5)},
		{[]float64{}, []float64{}, 0},
	} {
		if got := spearman(tt.a, tt.b); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%v and %v: %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

// TestSpearmanByDefinition compares with ranks counted one by one.
func TestSpearmanByDefinition(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 2 + random.IntN(30)
		a, b := make([]float64, n), make([]float64, n)
		for i := range n {
			a[i], b[i] = float64(random.IntN(8)), float64(random.IntN(8))
		}
		want := pearson(countedRanks(a), countedRanks(b))
		if got := spearman(a, b); got != want {
			t.Fatalf("%v and %v: %v, want %v", a, b, got, want)
		}
		// Only the order counts.
		for i := range a {
			a[i] = a[i]*a[i]*a[i] + 5
		}
		if got := spearman(a, b); got != want {
			t.Fatalf("%v and %v: %v after a change that keeps the order, %v before", a, b, got, want)
		}
	}
}

func countedRanks(values []float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		less, equal := 0, 0
		for _, other := range values {
			if other < v {
				less++
			} else if other == v {
				equal++
			}
		}
		out[i] = float64(less) + float64(equal+1)/2
	}
	return out
}

func TestAgreement(t *testing.T) {
	want := [][]float32{{1, 0}, {0, 2}, {3, 4}}
	got := [][]float32{{5, 0}, {1, 1}, {0, 0}}
	a := agreement(got, want)
	if mean := (1 + math.Sqrt(0.5)) / 3; a.Texts != 3 || a.Min != 0 || math.Abs(a.Mean-mean) > 1e-12 {
		t.Errorf("%+v", a)
	}
	if a := agreement(nil, nil); a.Mean != 0 || a.Texts != 0 {
		t.Errorf("of nothing: %+v", a)
	}
	if d := largestDifference(got, want); d != 4 {
		t.Errorf("largest difference %v", d)
	}
}
