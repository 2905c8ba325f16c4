package evalbench

// This file decides how far a difference between two pipelines may be chance.

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Difference is how much a pipeline's mean lies above the first one's, and the interval
// that 95 % of the differences lie in when the questions are drawn anew.
type Difference struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// seed makes every run draw the same questions.
const seed = 1979

// bootstrap returns the difference of every figure between two pipelines, other less
// base; both have the figures of the same questions in the same order. The same
// questions are drawn for all figures. Where a figure is NaN the question doesn't count.
func bootstrap(base, other [][]float64, resamples int) []Difference {
	if len(base) == 0 {
		return nil
	}
	kinds := len(base[0])
	differences := make([][]float64, len(base))
	all := make([]int, len(base))
	for i := range base {
		all[i] = i
		differences[i] = make([]float64, kinds)
		for k := range kinds {
			differences[i][k] = other[i][k] - base[i][k]
		}
	}
	drawn := make([][]float64, kinds) // the means of each figure
	random := rand.New(rand.NewPCG(seed, 0))
	draw := make([]int, len(base))
	for range resamples {
		for i := range draw {
			draw[i] = int(random.Uint32N(uint32(len(base))))
		}
		for k, mean := range means(differences, draw, kinds) {
			if !math.IsNaN(mean) {
				drawn[k] = append(drawn[k], mean)
			}
		}
	}
	out := make([]Difference, kinds)
	for k, mean := range means(differences, all, kinds) {
		out[k] = Difference{mean, mean, mean}
		if n := len(drawn[k]); n > 0 {
			slices.Sort(drawn[k])
			tail := n / 40 // 2.5 % on either side
			out[k].Low, out[k].High = drawn[k][tail], drawn[k][n-1-tail]
		}
	}
	return out
}

// means returns the mean of every column over the drawn rows.
func means(rows [][]float64, drawn []int, columns int) []float64 {
	sums, counts := make([]float64, columns), make([]float64, columns)
	for _, i := range drawn {
		for k, v := range rows[i] {
			if !math.IsNaN(v) {
				sums[k] += v
				counts[k]++
			}
		}
	}
	for k := range sums {
		sums[k] /= counts[k]
	}
	return sums
}
