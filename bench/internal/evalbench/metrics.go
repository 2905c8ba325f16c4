package evalbench

// This file decides how a ranking is judged: pure functions of the ranking and of
// what is relevant. A figure is NaN where nothing is relevant.

import (
	"math"

	"github.com/contextforge-go/contextforge/internal/fmath"
)

// Distinct returns the members of a list without repeats, in the order in which they
// first appear.
func Distinct[T comparable](list []T) []T {
	seen := make(map[T]bool, len(list))
	out := make([]T, 0, len(list))
	for _, item := range list {
		if !seen[item] {
			seen[item] = true
			out = append(out, item)
		}
	}
	return out
}

// Recall returns the part of the relevant members that are among the first k distinct
// ones of the ranking. The denominator is not limited to k.
func Recall[T comparable](ranked, relevant []T, k int) float64 {
	return RecallInSet(top(ranked, k), relevant)
}

// RecallInSet returns the part of the relevant members that a set has, in whatever
// order.
func RecallInSet[T comparable](set, relevant []T) float64 {
	wanted := members(relevant)
	if len(wanted) == 0 {
		return math.NaN()
	}
	found := 0
	for _, item := range Distinct(set) {
		if wanted[item] {
			found++
		}
	}
	return float64(found) / float64(len(wanted))
}

// NDCG returns the normalised discounted cumulative gain of the first k distinct
// members of the ranking, with gains of 0 and 1: the sum of 1/log2(rank+1) over the
// relevant ones, over that of a ranking that begins with all of them.
func NDCG[T comparable](ranked, relevant []T, k int) float64 {
	wanted := members(relevant)
	if len(wanted) == 0 || k <= 0 {
		return math.NaN()
	}
	var gain, ideal float64
	for i, item := range top(ranked, k) {
		if wanted[item] {
			gain += discount(i)
		}
	}
	for i := range min(k, len(wanted)) {
		ideal += discount(i)
	}
	return gain / ideal
}

// discount is the weight of the place i, the first of which is 0.
func discount(i int) float64 { return math.Ln2 / fmath.Log(float64(i+2)) }

// ReciprocalRank returns 1 over the rank of the first relevant member among the first k
// distinct ones, 0 when there is none.
func ReciprocalRank[T comparable](ranked, relevant []T, k int) float64 {
	wanted := members(relevant)
	if len(wanted) == 0 {
		return math.NaN()
	}
	for i, item := range top(ranked, k) {
		if wanted[item] {
			return 1 / float64(i+1)
		}
	}
	return 0
}

// Mean returns the mean of the values that are numbers, NaN when none is.
func Mean(values []float64) float64 {
	sum, n := 0.0, 0
	for _, v := range values {
		if !math.IsNaN(v) {
			sum, n = sum+v, n+1
		}
	}
	return sum / float64(n)
}

// Within returns the places of a ranking that a walk down it takes: each whose cost is
// not above what is left of the budget.
func Within(costs []int, budget int) (taken []int) {
	for i, cost := range costs {
		if cost <= budget {
			taken = append(taken, i)
			budget -= cost
		}
	}
	return taken
}

// top returns the first k distinct members.
func top[T comparable](ranked []T, k int) []T {
	distinct := Distinct(ranked)
	return distinct[:min(max(k, 0), len(distinct))]
}

func members[T comparable](list []T) map[T]bool {
	set := make(map[T]bool, len(list))
	for _, item := range list {
		set[item] = true
	}
	return set
}
