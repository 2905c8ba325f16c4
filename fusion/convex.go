// Convex combination of normalised scores.

package fusion

import "math"

// Norm maps the raw scores of one list into [0, 1]: (score - low)/(high - low),
// high being the largest score of the list. The two choices of low are those of
// S. Bruch, S. Gai, A. Ingber, "An Analysis of Fusion Functions for Hybrid
// Retrieval", ACM TOIS 42(1), 2023, section 3, who find the theoretical minimum
// the robust one: it doesn't move when the tail of a list changes.
type Norm struct {
	// Observed takes the smallest score of the list as the lower end (min-max);
	// otherwise Min is it.
	Observed bool
	// Min is the smallest score the search could give at all: 0 for BM25, -1 for
	// a cosine. A value that isn't finite counts as 0.
	Min float64
}

// TheoreticalMin returns the norm (score - min)/(max - min), max being the
// largest score of the list.
func TheoreticalMin(min float64) Norm { return Norm{Min: min} }

// MinMax returns the norm (score - min)/(max - min) with both ends taken from
// the list.
func MinMax() Norm { return Norm{Observed: true} }

// Convex scores a candidate with the weighted mean of its normalised scores,
// Bruch et al. 2023, equation (2), for any number of lists.
//
// A candidate whose score in a list is not known counts there as the lower end,
// 0. The weights are divided by the sum of those of the lists that know any
// score: with one list alone (no embedder, or nothing found) the best candidate
// still scores 1 (0 if its score is the minimum) and the order is that of the
// list's scores. When all of these lists have weight 0 they count alike, so that
// a missing half never makes every score 0.
type Convex struct {
	// Weights has one factor for each list; a missing one is 1, one that is
	// negative or not finite is 0.
	Weights []float64
	// Norms has one normalisation for each list; a missing one is
	// TheoreticalMin(0).
	Norms []Norm
}

// Hybrid returns the rule for a BM25 list and a cosine list, in this order:
// lexical·bm25/max + (1 - lexical)·(1 + cos)/(1 + max cos). 0.3 is a good share
// for the lexical side. A value outside [0, 1] is brought to the nearer end,
// NaN to 0.3.
func Hybrid(lexical float64) Convex {
	if lexical != lexical {
		lexical = 0.3
	}
	lexical = min(max(lexical, 0), 1)
	return Convex{
		Weights: []float64{lexical, 1 - lexical},
		Norms:   []Norm{TheoreticalMin(0), TheoreticalMin(-1)},
	}
}

// Fuse implements Rule. Ranks play no part; every known score counts, whether
// the list returned the candidate or the score was looked up.
func (c Convex) Fuse(lists int, legs []Leg, scores []float64) {
	scales := make([]scale, lists)
	total := 0.0
	for l := range scales {
		scales[l] = c.scale(l, lists, legs)
		if scales[l].known {
			total += weight(c.Weights, l)
		}
	}
	weights := c.Weights
	if total == 0 { // only lists of weight 0 know a score: they count alike
		weights = nil
		for _, s := range scales {
			if s.known {
				total++
			}
		}
	}
	for i := range scores {
		sum := 0.0
		for l, leg := range legs[i*lists : (i+1)*lists] {
			sum += float64(weight(weights, l) * scales[l].of(leg))
		}
		if total > 0 {
			sum /= total
		}
		scores[i] = sum
	}
}

// scale is a Norm with its ends filled in.
type scale struct {
	low, high float64
	known     bool
	// flat is what a score is worth when both ends coincide: 1 when they were
	// observed, as all are the best then; 0 when no score exceeds the minimum.
	flat float64
}

// scale returns the ends of list l.
func (c Convex) scale(l, lists int, legs []Leg) scale {
	s := scale{low: math.Inf(1), high: math.Inf(-1)}
	for i := l; i < len(legs); i += lists {
		if leg := legs[i]; leg.Known && finite(leg.Score) {
			s.known = true
			s.low = min(s.low, leg.Score)
			s.high = max(s.high, leg.Score)
		}
	}
	var norm Norm
	if l < len(c.Norms) {
		norm = c.Norms[l]
	}
	s.flat = 1
	if !norm.Observed {
		s.flat = 0
		s.low = norm.Min
		if !finite(s.low) {
			s.low = 0
		}
	}
	return s
}

// of returns the normalised score of a leg, 0 when it is not known.
func (s scale) of(leg Leg) float64 {
	switch {
	case !leg.Known || !finite(leg.Score) || leg.Score < s.low:
		return 0
	case s.high <= s.low:
		return s.flat
	}
	// Halving keeps the differences finite for the largest float64 values.
	low := float64(s.low * 0.5)
	return (float64(leg.Score*0.5) - low) / (float64(s.high*0.5) - low)
}
