// The union of ranked lists, its total order, and the one call that does all.

package fusion

import (
	"cmp"
	"math"
	"slices"
)

// Key is what identifies a candidate: a document number or an id.
type Key interface {
	~string | ~int | ~int32 | ~int64 | ~uint | ~uint32 | ~uint64
}

// Scored is one candidate of a list with the raw score of the search that found
// it, in that search's own unit; larger is better.
type Scored[K Key] struct {
	ID    K
	Score float64
}

// List is what one search found, best first. Positions give the ranks; the
// scores are expected to descend, and no rule here depends on that.
type List[K Key] []Scored[K]

// Leg is what one list says of one candidate. The zero value means absent.
type Leg struct {
	// Rank is the position in the list, 1 for the best; 0 when the list doesn't
	// hold the candidate.
	Rank int
	// Score is the raw score, valid when Known is set.
	Score float64
	// Known says that Score is set. A leg with a Score and no Rank belongs to a
	// candidate whose score was looked up although the list didn't return it.
	Known bool
}

// Candidate is one member of the union.
type Candidate[K Key] struct {
	ID K
	// Legs has one element for each list, in the order of the lists.
	Legs []Leg
	// Score is the fused score, set by Score.
	Score float64
}

// Rule computes a fused score from the legs of every candidate. legs holds
// len(scores) rows of lists legs each; Fuse writes scores[i] from row i. It must
// be a pure function with finite results.
type Rule interface {
	Fuse(lists int, legs []Leg, scores []float64)
}

// Union returns every candidate of the lists once, in the order of first
// appearance (the first list by rank, then what is new in the second, …), with
// a leg for each list. Scores are not set yet.
func Union[K Key](lists ...List[K]) []Candidate[K] {
	total := 0
	for _, list := range lists {
		total += len(list)
	}
	candidates := make([]Candidate[K], 0, total)
	legs := make([]Leg, 0, total*len(lists))
	place := make(map[K]int, total)
	for l, list := range lists {
		rank := 0
		for _, item := range list {
			if !finite(item.Score) {
				continue
			}
			i, seen := place[item.ID]
			if !seen {
				i = len(candidates)
				place[item.ID] = i
				legs = legs[:len(legs)+len(lists)]
				row := legs[len(legs)-len(lists) : len(legs) : len(legs)]
				candidates = append(candidates, Candidate[K]{ID: item.ID, Legs: row})
			}
			leg := &candidates[i].Legs[l]
			if leg.Rank != 0 {
				continue
			}
			rank++
			*leg = Leg{Rank: rank, Score: item.Score, Known: true}
		}
	}
	return candidates
}

// Score sets the fused score of every candidate by the rule. Every candidate
// must have the same number of legs, as those of one Union have; a candidate
// that differs from the first is scored by the legs that both have.
func Score[K Key](rule Rule, candidates []Candidate[K]) {
	if len(candidates) == 0 {
		return
	}
	lists := len(candidates[0].Legs)
	legs := make([]Leg, len(candidates)*lists)
	scores := make([]float64, len(candidates))
	for i := range candidates {
		copy(legs[i*lists:(i+1)*lists], candidates[i].Legs)
	}
	rule.Fuse(lists, legs, scores)
	for i := range candidates {
		candidates[i].Score = scores[i]
	}
}

// Sort orders candidates by score descending, then id ascending: a total order,
// since ids are unique.
func Sort[K Key](candidates []Candidate[K]) {
	slices.SortFunc(candidates, func(a, b Candidate[K]) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
}

// Fuse returns the union of the lists, scored by the rule and sorted.
func Fuse[K Key](rule Rule, lists ...List[K]) []Candidate[K] {
	candidates := Union(lists...)
	Score(rule, candidates)
	Sort(candidates)
	return candidates
}

// finite reports whether x is neither NaN nor infinite.
func finite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

// maxWeight keeps sums of weights finite.
const maxWeight = 1e100

// weight returns the weight of list l: 1 where none is given, 0 for one that is
// negative, NaN or infinite, maxWeight at most.
func weight(weights []float64, l int) float64 {
	if l >= len(weights) {
		return 1
	}
	if w := weights[l]; w > 0 && finite(w) {
		return min(w, maxWeight)
	}
	return 0
}
