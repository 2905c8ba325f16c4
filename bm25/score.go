// This file decides the score: BM25 in float64, every operation rounded on its
// own and always in the same order, so that a document's score has the same bits
// on every platform and however the index is cut into segments.

package bm25

import (
	"github.com/contextforge-go/contextforge/internal/fmath"
)

// boundSlack lifts upper bounds over what rounding may do to a sum of
// contributions taken in another order: a sum of m terms is off by less than
// m·2⁻⁵², relatively.
const boundSlack = 1 + 1e-10

// scorer holds what scores depend on beside the query.
type scorer struct {
	k1p1   float64
	c0, c1 float64 // tf/(tf + c0 + c1·length)
}

// newScorer prepares the saturation k1·(1 − b + b·length/average) as
// c0 + c1·length.
func newScorer(p Params, docs, tokens uint64) scorer {
	average := 1.0
	if docs > 0 && tokens > 0 {
		average = float64(tokens) / float64(docs)
	}
	return scorer{k1p1: p.K1 + 1, c0: float64(p.K1 * (1 - p.B)), c1: float64(p.K1 * float64(p.B/average))}
}

// saturation is tf/(tf + k1·(1 − b + b·length/average)).
func (s *scorer) saturation(tf float64, length uint32) float64 {
	return tf / (tf + (s.c0 + float64(s.c1*float64(length))))
}

// weight is the factor of a term's saturation: (k1+1)·qtf·idf with
// idf = ln(1 + (N − n + 0.5)/(n + 0.5)), which is positive for every n ≤ N
// (Robertson and Zaragoza 2009, §3.3, with 1 added as in Lucene).
func (s *scorer) weight(qtf int, docs, df uint64) float64 {
	return float64(float64(float64(qtf)*idf(docs, df)) * s.k1p1)
}

func idf(docs, df uint64) float64 {
	n := float64(df)
	return fmath.Log(1 + (float64(docs)-n+0.5)/(n+0.5))
}

// Saturations of the shortest documents and lowest frequencies are tabulated,
// as nearly all postings are of these.
const (
	tableTFs  = 4
	tableLens = 256
)

// satTable is a scorer with its table: entry (tf-1)·tableLens + length.
type satTable struct {
	scorer
	of [tableTFs * tableLens]float64
}

func newSatTable(s scorer) *satTable {
	t := &satTable{scorer: s}
	for i := range t.of {
		t.of[i] = s.saturation(float64(i/tableLens+1), uint32(i%tableLens))
	}
	return t
}

// sat is saturation by way of the table; tf1 is tf-1.
func (t *satTable) sat(tf1, length uint32) float64 {
	if tf1 < tableTFs && length < tableLens {
		return t.of[tf1*tableLens+length]
	}
	return t.saturation(float64(tf1)+1, length)
}

// most is the greatest saturation in a document of this length of a term that
// occurs at most maxTF times; 255 stands for any number.
func (t *satTable) most(maxTF, length uint32) float64 {
	switch maxTF {
	case 0:
		return 0
	case 255:
		return 1
	}
	return t.sat(maxTF-1, length)
}

// bound is the greatest saturation that a posting under the frontier can have,
// before slack, and its greatest frequency.
func (t *satTable) bound(p *pairs) (best float64, maxTF uint32) {
	for i := range 4 {
		tf := p.tf(i)
		if tf == 0 {
			break
		}
		best, maxTF = max(best, t.most(tf, p.length(i))), tf
	}
	return best, maxTF
}
