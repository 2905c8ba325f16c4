package evalbench

// These tests decide what the intervals mean.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// column makes rows of one figure.
func column(values ...float64) (rows [][]float64) {
	for _, v := range values {
		rows = append(rows, []float64{v})
	}
	return rows
}

func TestBootstrap(t *testing.T) {
	none := math.NaN()
	for _, tt := range []struct {
		name        string
		base, other [][]float64
		want        Difference
	}{
		{"alike", column(1, 0, 0.5), column(1, 0, 0.5), Difference{}},
		{"always better by a quarter", column(0.25, 0.5, 0), column(0.5, 0.75, 0.25), Difference{0.25, 0.25, 0.25}},
		{"where one has no figure, the question doesn't count", column(0, none, 0, 0), column(1, 0, 1, none), Difference{1, 1, 1}},
		{"one question", column(1), column(0), Difference{-1, -1, -1}},
	} {
		if got := bootstrap(tt.base, tt.other, 200); len(got) != 1 || got[0] != tt.want {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
	if got := bootstrap(nil, nil, 10); got != nil {
		t.Errorf("nothing: %v", got)
	}
	if got := bootstrap(column(none), column(1), 10); !math.IsNaN(got[0].Mean) {
		t.Errorf("no figure at all: %v", got)
	}
}

// For many questions the interval is about 1.96 standard errors to either side.
func TestBootstrapInterval(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 8))
	const n = 400
	base, other := make([][]float64, n), make([][]float64, n)
	var sum, squares float64
	for i := range n {
		a, d := random.Float64(), 0.1+random.NormFloat64()
		base[i], other[i] = []float64{a, 0}, []float64{a + d, 0}
		sum, squares = sum+d, squares+float64(d*d)
	}
	mean := sum / n
	deviation := math.Sqrt((squares/n - float64(mean*mean)) / n)
	got := bootstrap(base, other, 4000)
	if math.Abs(got[0].Mean-mean) > 1e-9 || got[1] != (Difference{}) {
		t.Fatalf("%+v, the mean is %v", got, mean)
	}
	for _, side := range []float64{got[0].High - mean, mean - got[0].Low} {
		if ratio := side / (1.96 * deviation); ratio < 0.9 || ratio > 1.1 {
			t.Errorf("%+v: %.2f of 1.96 standard errors", got[0], ratio)
		}
	}
	if again := bootstrap(base, other, 4000); !slices.Equal(again, got) {
		t.Errorf("another time %+v", again)
	}
}

func BenchmarkBootstrap(b *testing.B) {
	for _, n := range []int{100, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			base, other := make([][]float64, n), make([][]float64, n)
			for i := range n {
				base[i], other[i] = make([]float64, 15), make([]float64, 15)
			}
			b.ReportAllocs()
			for b.Loop() {
				bootstrap(base, other, 1000)
			}
		})
	}
}
