package contextforge

// This file decides which candidates a query has: those of both searches, as
// many as the budget can hold, each with what both say of it.

import (
	"context"
	"maps"
	"math"
	"slices"
	"sync"

	"github.com/contextforge-go/contextforge/fusion"
)

// firstPool is the size of the candidate list that a query asks for first when
// the ranking leaves it open; it grows fourfold until the budget is covered.
const firstPool = 200

// wider is how many times as many candidates a query asks for at first when those
// that it had repeat each other, or were excluded.
const wider = 8

// smallestPool is what a query with a small limit asks for.
const smallestPool = 50

// The legs of a candidate.
const (
	lexicalLeg = iota
	semanticLeg
)

// candidates returns the union of both searches.
func (q *query) candidates(ctx context.Context, src source) ([]*candidate, error) {
	pool := q.ranking.CandidatePool
	open := pool == 0
	if open {
		pool = firstPool
		if q.limit > 0 { // twice as many, as age and importance change the order
			pool = max(smallestPool, 2*min(q.limit, math.MaxInt/2))
		}
		for range q.widened {
			pool = wider * min(pool, math.MaxInt/wider)
		}
	}
	s := searches{q: q, src: src}
	for {
		if open && q.budget < 0 && q.limit <= 0 {
			pool = -1
		}
		if err := s.run(ctx, pool); err != nil {
			return nil, err
		}
		if s.exhausted(pool) || !open || q.covers(s.union) {
			break
		}
		pool = 4 * min(pool, math.MaxInt/4)
	}
	q.more = open && !s.exhausted(pool)
	if !s.exhausted(pool) {
		if err := s.addReserved(ctx); err != nil {
			return nil, err
		}
	}
	q.trace.Lexical, q.trace.Semantic, q.trace.Union = len(s.lexical), len(s.semantic), len(s.union)
	return s.union, s.lookUp(ctx)
}

// searches is both searches of a query and their union.
type searches struct {
	q   *query
	src source

	vector            []float32 // nil: words alone
	embedded          bool
	lexical, semantic []found
	union             []*candidate // in order of first appearance
	place             map[uint64]*candidate
}

// run searches by words and, beside it, by meaning. A failure of the latter is
// logged, and the words decide alone.
func (s *searches) run(ctx context.Context, pool int) (err error) {
	var meant error
	var beside sync.WaitGroup
	if s.q.meaning != nil {
		beside.Go(func() { s.semantic, meant = s.similar(ctx, pool) })
	}
	if s.q.text != "" {
		s.lexical, err = s.src.search(ctx, s.q.words, s.q.filter, pool)
	}
	beside.Wait()
	if err != nil {
		return err
	}
	if meant != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		s.q.log.WarnContext(ctx, "contextforge: the query is answered by words alone", "err", meant)
		s.semantic, s.q.meaning, s.vector = nil, nil, nil
	}
	s.join()
	return nil
}

// join makes the union of both lists.
func (s *searches) join() {
	s.union, s.place = nil, make(map[uint64]*candidate, len(s.lexical)+len(s.semantic))
	s.add(lexicalLeg, s.lexical)
	s.add(semanticLeg, s.semantic)
	s.dropUnlike()
}

func (s *searches) similar(ctx context.Context, pool int) (list []found, err error) {
	if !s.embedded {
		if s.vector, err = s.q.meaning(ctx); err != nil {
			return nil, err
		}
		s.embedded = true
	}
	if s.vector == nil {
		return nil, nil
	}
	return s.q.similarTo(ctx, s.src, s.vector, pool)
}

// add joins a list into the union.
func (s *searches) add(leg int, list []found) {
	rank := 0
	var fresh []candidate // many in one piece of memory
	for _, f := range list {
		if f.num == s.q.except && f.num != 0 {
			continue
		}
		rank++
		c, seen := s.place[f.num]
		if !seen {
			if len(fresh) == 0 {
				fresh = make([]candidate, min(len(list), 64))
			}
			c, fresh = &fresh[0], fresh[1:]
			c.found = f
			s.place[f.num] = c
			s.union = append(s.union, c)
		}
		if c.legs[leg].Rank == 0 {
			c.legs[leg] = fusion.Leg{Rank: rank, Score: f.score, Known: true}
		}
	}
}

// dropUnlike removes what only its meaning found and which isn't like enough.
func (s *searches) dropUnlike() {
	if s.q.similar <= -1 { // rounding may put an opposite's cosine below
		return
	}
	s.union = slices.DeleteFunc(s.union, func(c *candidate) bool {
		unlike := c.legs[lexicalLeg].Rank == 0 && s.q.alike(c) < s.q.similar
		if unlike {
			delete(s.place, c.num)
		}
		return unlike
	})
}

// exhausted reports whether neither search has more than the pool took.
func (s *searches) exhausted(pool int) bool {
	return pool < 0 || len(s.lexical) < pool && len(s.semantic) < pool
}

// covers reports whether the candidates hold enough to fill what was asked for.
func (q *query) covers(list []*candidate) bool {
	if q.limit > 0 && len(list)/2 >= q.limit {
		return true
	}
	sum := 0
	for _, c := range list {
		if q.budget < 0 || c.tokens > q.budget {
			continue // can't be part of the answer
		}
		if sum += c.tokens; sum-q.budget >= q.budget {
			return true
		}
	}
	return false
}

// addReserved adds the best entries of kinds with a reserved place that the cut
// of the lists left out.
func (s *searches) addReserved(ctx context.Context) error {
	if !s.src.filters() || s.q.text == "" {
		return nil
	}
	listed := len(s.lexical)
	for _, kind := range slices.Sorted(maps.Keys(s.q.ranking.KindFloors)) {
		want := s.q.ranking.KindFloors[kind]
		have := 0
		for _, f := range s.lexical {
			if f.kind == kind {
				have++
			}
		}
		if have >= want || len(s.q.filter.Kinds) > 0 && !slices.Contains(s.q.filter.Kinds, kind) {
			continue
		}
		f := s.q.filter
		f.Kinds = []string{kind}
		more, err := s.src.search(ctx, s.q.words, f, want)
		if err != nil {
			return err
		}
		s.lexical = append(s.lexical, more[min(have, len(more)):]...)
	}
	if len(s.lexical) > listed {
		s.join()
	}
	return nil
}

// lookUp completes the legs: the score that a search would have given a
// candidate which only the other one listed. An entry without a vector counts
// as like as the candidates usually are, not as unlike as can be.
func (s *searches) lookUp(ctx context.Context) error {
	if s.q.vector = nil; s.vector == nil {
		return nil
	}
	if s.q.text != "" {
		some, nums := s.without(lexicalLeg)
		scores, known, err := s.src.scores(ctx, s.q.words, nums)
		if err != nil {
			return err
		}
		for i, c := range some {
			c.legs[lexicalLeg].Score, c.legs[lexicalLeg].Known = scores[i], known[i]
		}
	}
	some, nums := s.without(semanticLeg)
	cosines, known, err := s.src.cosines(ctx, s.vector, nums)
	if err != nil {
		return err
	}
	var lacking []*candidate
	for i, c := range some {
		if known[i] {
			c.legs[semanticLeg].Score, c.legs[semanticLeg].Known = float64(cosines[i]), true
		} else {
			lacking = append(lacking, c)
		}
	}
	s.q.vector = s.vector
	if s.q.usual, s.q.usualKnown = s.usualCosine(); s.q.usualKnown {
		for _, c := range lacking {
			c.legs[semanticLeg].Score, c.legs[semanticLeg].Known, c.assumed = s.q.usual, true, true
		}
	}
	return nil
}

// without returns the candidates that a search didn't list.
func (s *searches) without(leg int) (some []*candidate, nums []uint64) {
	for _, c := range s.union {
		if !c.legs[leg].Known {
			some, nums = append(some, c), append(nums, c.num)
		}
	}
	return some, nums
}

// usualCosine is the median of those that are known, the lower one of two.
func (s *searches) usualCosine() (float64, bool) {
	var known []float64
	for _, c := range s.union {
		if c.legs[semanticLeg].Known {
			known = append(known, c.legs[semanticLeg].Score)
		}
	}
	if len(known) == 0 {
		return 0, false
	}
	slices.Sort(known)
	return known[(len(known)-1)/2], true
}
