package contextforge

// This file decides where candidates come from, how many are enough, and how
// the best of them fill the token budget.

import (
	"context"
	"iter"
	"maps"
	"math"
	"slices"

	"github.com/contextforge-go/contextforge/bm25"
	"github.com/contextforge-go/contextforge/internal/store"
)

// firstPool is the size of the candidate list that a query asks for first when
// the ranking leaves it open; it grows fourfold until the budget is covered.
const firstPool = 200

// smallestPool is what a query with a small limit asks for.
const smallestPool = 50

// maxMisses ends MatchAll when so many entries in a row did not fit what is left
// of the budget, so that a few tokens left over don't cost a walk over a million
// entries.
const maxMisses = 4096

// found is an entry as a search or an order yields it, not read yet.
type found struct {
	num    uint64
	id     string
	kind   string
	time   store.Time
	tokens int
	score  float64
}

// source is one consistent state of the memory to ask.
type source interface {
	search(ctx context.Context, text string, f store.Filter, limit int) ([]found, error)
	// newest yields what the filter allows, newest first, then by id.
	newest(ctx context.Context, f store.Filter) iter.Seq2[found, error]
	entry(ctx context.Context, num uint64) (*Entry, error)
	// filters reports whether search can restrict more than the scope.
	filters() bool
	close() error
}

func (m *Memory) source(ctx context.Context, f Filter) (source, error) {
	if m.searcher != nil {
		return &pluggedSource{searcher: m.searcher, counter: m.cfg.Counter, filter: f}, nil
	}
	v, err := m.store.SearchView(ctx)
	if err != nil {
		return nil, err
	}
	return viewSource{v}, nil
}

// viewSource is a view of the built-in store.
type viewSource struct{ v *store.View }

func (s viewSource) search(ctx context.Context, text string, f store.Filter, limit int) ([]found, error) {
	hits, err := s.v.Search(ctx, text, f, limit)
	if err != nil {
		return nil, err
	}
	out := make([]found, len(hits))
	for i, h := range hits {
		out[i] = foundOf(h)
	}
	return out, nil
}

func foundOf(h bm25.Hit) found {
	return found{
		num: h.Num, id: h.ID, kind: h.Kind, time: store.Time{Sec: h.Sec, Nsec: h.Nsec},
		tokens: int(h.Cost), score: h.Score,
	}
}

func (s viewSource) newest(_ context.Context, f store.Filter) iter.Seq2[found, error] {
	return func(yield func(found, error) bool) {
		for p, err := range s.v.Order(f) {
			if !yield(found{num: p.Num, time: p.Time, tokens: p.Tokens, score: 1}, err) {
				return
			}
		}
	}
}

func (s viewSource) entry(_ context.Context, num uint64) (*Entry, error) {
	rec, err := s.v.Record(num)
	return (*Entry)(rec), err
}

func (s viewSource) filters() bool { return true }

func (s viewSource) close() error { return s.v.Close() }

// lexical returns the BM25 candidates: as many as the ranking says, or enough
// to fill the budget, and the best of the kinds that have a place reserved.
func (q *query) lexical(ctx context.Context, src source) ([]found, error) {
	pool := q.ranking.CandidatePool
	open := pool == 0
	if open {
		pool = firstPool
		if q.limit > 0 { // twice as many, as age and importance change the order
			pool = max(smallestPool, 2*min(q.limit, math.MaxInt/2))
		}
	}
	for {
		if open && q.budget < 0 && q.limit <= 0 {
			pool = -1
		}
		list, err := src.search(ctx, q.text, q.filter, pool)
		if err != nil {
			return nil, err
		}
		all := pool < 0 || len(list) < pool
		if all || !open || q.covers(list) {
			if all {
				return list, nil
			}
			return q.withReserved(ctx, src, list)
		}
		pool = 4 * min(pool, math.MaxInt/4)
	}
}

// covers reports whether the list holds enough to fill what was asked for.
func (q *query) covers(list []found) bool {
	if q.limit > 0 && len(list)/2 >= q.limit {
		return true
	}
	sum := 0
	for _, f := range list {
		if q.budget < 0 || f.tokens > q.budget {
			continue // can't be part of the answer
		}
		if sum += f.tokens; sum-q.budget >= q.budget {
			return true
		}
	}
	return false
}

// withReserved adds the best entries of kinds with a reserved place that the
// cut of the list left out.
func (q *query) withReserved(ctx context.Context, src source, list []found) ([]found, error) {
	if !src.filters() {
		return list, nil
	}
	for _, kind := range slices.Sorted(maps.Keys(q.ranking.KindFloors)) {
		want := q.ranking.KindFloors[kind]
		have := 0
		for _, f := range list {
			if f.kind == kind {
				have++
			}
		}
		if have >= want || len(q.filter.Kinds) > 0 && !slices.Contains(q.filter.Kinds, kind) {
			continue
		}
		f := q.filter
		f.Kinds = []string{kind}
		more, err := src.search(ctx, q.text, f, want)
		if err != nil {
			return nil, err
		}
		list = append(list, more[min(have, len(more)):]...)
	}
	return list, nil
}

// newest answers MatchAll.
func (q *query) newest(ctx context.Context, src source) ([]Hit, error) {
	var hits []Hit
	left, misses := q.budget, 0
	for f, err := range src.newest(ctx, q.filter) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		if left == 0 || q.limit > 0 && len(hits) == q.limit || q.min > 1 {
			break
		}
		if left > 0 && f.tokens > left {
			if misses++; misses == maxMisses {
				break
			}
			continue
		}
		misses = 0
		e, err := src.entry(ctx, f.num)
		if err != nil {
			return nil, err
		}
		if left > 0 {
			left -= f.tokens
		}
		hits = append(hits, Hit{Entry: *e, Score: f.score, Explain: Explanation{Fused: 1, Decay: 1, Multiplier: 1, Tokens: f.tokens}})
	}
	return hits, nil
}
