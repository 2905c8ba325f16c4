// This file decides how the scores of a whole scope are summed up: by the
// approximate scores of a sample that depends on which documents there are, and on
// nothing else.

package vecindex

import (
	"context"
	"math"
	"sync"
	"sync/atomic"

	"github.com/contextforge-go/contextforge/kv"
)

// Distribution says how similar the documents of a scope are to a query, the hits
// and all others.
type Distribution struct {
	N         int     // documents that were counted
	Mean      float64 // of their scores
	Deviation float64 // the standard deviation, the squares being divided by N
}

// Survey is Search that also returns the distribution of the query's scores over
// the documents of f.Scope, or over all; the rest of the filter doesn't matter for
// it, nor does limit.
//
// A document counts with its first window, and with its score by the codes, as in
// Approximate. Of more than 1024 documents a part is counted, at least 500 or so:
// those whose number times an odd constant, which spreads numbers evenly, has so
// many leading zeros that no more than 1024 are left. The distribution has the
// same bits for the same documents in the scope, on every platform, however they
// came there, whatever was deleted and whatever is in memory.
func (v *View) Survey(ctx context.Context, r kv.Reader, vector []float32, f Filter, limit int) ([]Hit, Distribution, error) {
	s := v.ix.getSample()
	defer v.ix.samples.Put(s)
	hits, err := v.search(ctx, r, vector, f, limit, s)
	if err != nil {
		return nil, Distribution{}, err
	}
	return hits, s.distribution(), nil
}

const (
	// maxSample is the most documents that are counted.
	maxSample = 1024
	// spread is odd and next to 2^64 divided by the golden ratio: its multiples
	// fall evenly into the numbers below 2^64 (Knuth, The Art of Computer
	// Programming, volume 3, section 6.4, multiplicative hashing).
	spread = 0x9E3779B97F4A7C15
	// scoreUnit is what scores are counted in, one part of so many: sums of
	// integers don't depend on the order.
	scoreUnit = 1 << 24
)

// sampled is a document that may count.
type sampled struct {
	place uint64 // its number times spread
	score int64  // in parts of scoreUnit
}

// sample collects documents; its methods may be called concurrently.
type sample struct {
	last atomic.Uint64 // the greatest place that counts: 2^64-1, halved as often as need be

	mu   sync.Mutex
	docs []sampled
}

// getSample returns an empty sample.
func (ix *Index) getSample() *sample {
	s, ok := ix.samples.Get().(*sample)
	if !ok {
		s = &sample{docs: make([]sampled, 0, maxSample+1)}
	}
	s.docs = s.docs[:0]
	s.last.Store(math.MaxUint64)
	return s
}

// add adds documents of distinct numbers. The last place that counts is halved only
// when too many documents count, so it ends where they are few enough whatever came
// first.
func (s *sample) add(docs []sampled) {
	if len(docs) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	last := s.last.Load()
	for _, d := range docs {
		if d.place > last {
			continue
		}
		s.docs = append(s.docs, d)
		for len(s.docs) > maxSample && last > 0 {
			last /= 2
			s.drop(last)
		}
	}
	s.last.Store(last)
}

// drop forgets the documents behind a place.
func (s *sample) drop(last uint64) {
	kept := s.docs[:0]
	for _, d := range s.docs {
		if d.place <= last {
			kept = append(kept, d)
		}
	}
	s.docs = kept
}

func (s *sample) distribution() Distribution {
	n := int64(len(s.docs))
	if n == 0 {
		return Distribution{}
	}
	sum, squares := int64(0), int64(0)
	for _, d := range s.docs {
		sum += d.score
	}
	middle := sum / n // a fraction of scoreUnit doesn't matter
	for _, d := range s.docs {
		squares += (d.score - middle) * (d.score - middle)
	}
	return Distribution{
		N:         int(n),
		Mean:      float64(sum) / float64(n) / scoreUnit,
		Deviation: math.Sqrt(float64(squares)/float64(n)) / scoreUnit,
	}
}

// survey counts those of a chunk's rows that belong to the sample: as many from
// first on as there are products, or those listed. at is nil for rows that were
// read from the snapshot, all of which live.
func (s *scan) survey(c *chunk, first int, rows []uint32, products []int32, at *position, tmp *scratch) {
	last, out := s.sample.last.Load(), tmp.sampled[:0]
	of := func(j, i int) sampled {
		score := float32(s.q.middle(products[j], c.scale[i]) * scoreUnit)
		return sampled{c.nums[i] * spread, int64(score)}
	}
	counts := func(i int) bool { return c.windows[i] == 0 && (at == nil || at.alive(c, i)) }
	if rows == nil {
		for j, num := range c.nums[first:][:len(products)] {
			if num*spread <= last && counts(first+j) {
				out = append(out, of(j, first+j))
			}
		}
	}
	for j, row := range rows {
		if c.nums[row]*spread <= last && counts(int(row)) {
			out = append(out, of(j, int(row)))
		}
	}
	tmp.sampled = out
	s.sample.add(out)
}
