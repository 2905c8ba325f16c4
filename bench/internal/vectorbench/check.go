//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package vectorbench

// This file decides whether answers are right: by a scan in float64 that shares
// nothing with the index.

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/contextforge-go/contextforge/vecindex"
)

// tolerance is how far a cosine in float32 may be from the one in float64.
const tolerance = 2e-6

// scored is a vector with its cosine to a question.
type scored struct {
	num    uint64
	cosine float64
}

// nearest returns the best top vectors for each of some questions, of all scopes or
// of one.
func nearest(s *Source, questions []int, scope string, top int) [][]scored {
	asked := make([][]float64, len(questions))
	for k, j := range questions {
		asked[k] = wide(s.Query(j))
	}
	best := make([][]scored, len(questions))
	v := make([]float32, s.Dim)
	for i := range s.Vectors {
		if scope != "" && s.Scope(i) != scope {
			continue
		}
		s.Fill(v, i)
		row := wide(v)
		for k, q := range asked {
			best[k] = keep(best[k], scored{uint64(i), cosine(q, row)}, top)
		}
	}
	return best
}

func wide(v []float32) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = float64(x)
	}
	return out
}

func cosine(a, b []float64) float64 {
	var ab, aa, bb float64
	for i, x := range a {
		ab, aa, bb = ab+float64(x*b[i]), aa+float64(x*x), bb+float64(b[i]*b[i])
	}
	return ab / math.Sqrt(float64(aa*bb))
}

// keep adds a vector to the best, which are sorted.
func keep(best []scored, c scored, top int) []scored {
	if len(best) == top && c.cosine <= best[top-1].cosine {
		return best
	}
	at, _ := slices.BinarySearchFunc(best, c, func(a, b scored) int { return cmp.Compare(b.cosine, a.cosine) })
	best = slices.Insert(best, at, c)
	return best[:min(len(best), top)]
}

// compare returns an error unless hits are the best ones, in order; those whose
// cosines differ by less than float32 tells may change places.
func compare(hits []vecindex.Hit, best []scored) error {
	if len(hits) != len(best) {
		return fmt.Errorf("%d hits, want %d", len(hits), len(best))
	}
	known := map[uint64]float64{}
	for _, b := range best {
		known[b.num] = b.cosine
	}
	for i, h := range hits {
		if d := float64(h.Score) - best[i].cosine; math.Abs(d) > tolerance {
			return fmt.Errorf("hit %d has the cosine %v, want %v", i+1, h.Score, best[i].cosine)
		}
		exact, ok := known[h.Num]
		if !ok && best[i].cosine > best[len(best)-1].cosine+tolerance || ok && math.Abs(exact-float64(h.Score)) > tolerance {
			return fmt.Errorf("hit %d is vector %d, which isn't among the best with the cosine %v", i+1, h.Num, h.Score)
		}
	}
	return nil
}
