// This file decides how a caller scores documents by itself: with the formula
// of Search, and other statistics or constants.

package bm25

// Scorer computes BM25 from statistics; its value is small, immutable and may be
// shared. Given View.Stats (or Statistics of all scopes) and the index's
// parameters, the sum over a query's distinct terms, in order of first
// appearance, of float64(Weight(qtf, df) * Saturation(tf, length)) is the score of
// Search, bit for bit.
type Scorer struct {
	scorer
	docs uint64
}

// NewScorer prepares scores for so many documents with so many tokens in all.
// The zero Params mean the defaults; others are not checked, see Params for
// their ranges.
func NewScorer(p Params, docs, tokens uint64) Scorer {
	return Scorer{newScorer(p.withDefaults(), docs, tokens), docs}
}

// IDF is ln(1 + (N − df + 0.5)/(df + 0.5)) for N documents (Robertson and
// Zaragoza 2009, §3.3, with 1 added): greater than 0 for every df ≤ N.
func (s *Scorer) IDF(df uint64) float64 { return idf(s.docs, df) }

// Weight is (k1 + 1)·qtf·IDF(df), what a term that the query holds qtf times
// contributes at most.
func (s *Scorer) Weight(qtf int, df uint64) float64 { return s.weight(qtf, s.docs, df) }

// Saturation is tf/(tf + k1·(1 − b + b·length/average)): from 0 for a term that
// the document doesn't have towards 1.
func (s *Scorer) Saturation(tf, length uint32) float64 {
	if tf == 0 {
		return 0
	}
	return s.saturation(float64(tf), length)
}
