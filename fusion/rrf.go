// Reciprocal rank fusion, as published and as the reference implementation has
// it.

package fusion

// DefaultK is the constant of reciprocal rank fusion: k = 60, Cormack et al.
// 2009.
const DefaultK = 60

// RRF is reciprocal rank fusion: the score of a candidate is the sum over the
// lists of weight/(K + rank). Source: G. V. Cormack, C. L. A. Clarke, S. Büttcher,
// "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning
// Methods", SIGIR 2009.
//
// The zero value is the published rule with k = 60: a list that doesn't hold a
// candidate adds nothing to it. One list alone keeps its order under either rule.
type RRF struct {
	// K damps the difference between ranks. 0, a negative number, NaN and
	// infinity mean DefaultK.
	K float64
	// AbsentRank is the rank that stands in for a missing one; 0 or less means
	// that a missing rank adds nothing.
	AbsentRank int
	// Weights has one factor for each list; a missing one is 1, one that is
	// negative or not finite is 0.
	Weights []float64
}

// ReferenceRRF returns the rule of the reference implementation: k = 60, and an
// absent candidate counts as ranked just behind a list of limit candidates, so
// that with limit 50 a missing side still adds 1/111.
func ReferenceRRF(limit int) RRF { return RRF{K: DefaultK, AbsentRank: max(limit, 0) + 1} }

// Fuse implements Rule. Raw scores play no part.
func (r RRF) Fuse(lists int, legs []Leg, scores []float64) {
	k := r.K
	if !(k > 0) || !finite(k) {
		k = DefaultK
	}
	for i := range scores {
		sum := 0.0
		for l, leg := range legs[i*lists : (i+1)*lists] {
			rank := leg.Rank
			if rank <= 0 {
				rank = r.AbsentRank
			}
			if rank > 0 {
				sum += weight(r.Weights, l) / (k + float64(rank))
			}
		}
		scores[i] = sum
	}
}
