package embedbench

// This file decides how vectors and judgements are compared.

import (
	"cmp"
	"math"
	"slices"
)

// Agreement sums up cosines to vectors that are wanted.
type Agreement struct {
	Texts int     `json:"texts"`
	Mean  float64 `json:"mean"`
	Min   float64 `json:"min"`
}

// agreement returns how near vectors are to those wanted, which are as many.
func agreement(got, want [][]float32) Agreement {
	a := Agreement{Texts: len(want), Min: 1}
	for i := range want {
		c := cosine(got[i], want[i])
		a.Mean, a.Min = a.Mean+c, min(a.Min, c)
	}
	a.Mean /= float64(max(1, len(want)))
	return a
}

// cosine returns the cosine of two vectors in float64; 0 when one is 0.
func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		ab += float64(x * y)
		aa += float64(x * x)
		bb += float64(y * y)
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(float64(aa*bb))
}

// largestDifference returns that of any two components.
func largestDifference(got, want [][]float32) float64 {
	most := 0.0
	for i := range want {
		for j := range want[i] {
			most = max(most, math.Abs(float64(got[i][j])-float64(want[i][j])))
		}
	}
	return most
}

// spearman returns Spearman's rank correlation of two lists of the same length:
// Pearson's of the ranks, where equal values share the mean of their ranks. It
// is 0 when all values of a list are equal.
func spearman(a, b []float64) float64 { return pearson(ranks(a), ranks(b)) }

// ranks returns the rank of every value, from 1 for the least.
func ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
	out := make([]float64, len(values))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			out[i] = float64(from+1+to) / 2
		}
		from = to
	}
	return out
}

func pearson(a, b []float64) float64 {
	n := float64(len(a))
	var meanA, meanB float64
	for i := range a {
		meanA, meanB = meanA+a[i], meanB+b[i]
	}
	meanA, meanB = meanA/n, meanB/n
	var ab, aa, bb float64
	for i := range a {
		x, y := a[i]-meanA, b[i]-meanB
		ab += float64(x * y)
		aa += float64(x * x)
		bb += float64(y * y)
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(float64(aa*bb))
}
