package contextforge

// This file decides which of the ranked candidates fill the token budget.

import (
	"context"
	"maps"
	"slices"

	"github.com/contextforge-go/contextforge/budget"
)

// pack reads the entries that fit the budget and the limit, in the order of
// their scores. Those that do not fit are never read.
func (q *query) pack(ctx context.Context, src source, ranked []*candidate) ([]Hit, error) {
	chosen := q.choose(ranked)
	hits := make([]Hit, 0, len(chosen))
	for _, c := range chosen {
		if err := c.read(ctx, src); err != nil {
			return nil, err
		}
		c.explain.Tokens = c.tokens
		hits = append(hits, Hit{Entry: *c.entry, Score: c.score, Explain: c.explain})
	}
	return hits, ctx.Err()
}

// choose serves the reserved places first and fills the rest by score.
func (q *query) choose(ranked []*candidate) []*candidate {
	items := make([]budget.Item, len(ranked))
	for i, c := range ranked {
		items[i] = budget.Item{Cost: c.tokens, Kind: c.kind}
	}
	plain := q.cut(budget.Pack(items, q.budget, budget.Policy{}), ranked, nil)
	floors := q.floors()
	if len(floors) == 0 {
		return pick(ranked, plain)
	}
	taken := q.cut(budget.Pack(items, q.budget, budget.Policy{Floors: floors}), ranked, floors)
	open := places(floors)
	for _, i := range taken {
		if kind := ranked[i].kind; open[kind] > 0 {
			open[kind]--
			_, byScore := slices.BinarySearch(plain, i)
			ranked[i].explain.Reserved = !byScore
		}
	}
	return pick(ranked, taken)
}

func (q *query) floors() []budget.Floor {
	var floors []budget.Floor
	for _, kind := range slices.Sorted(maps.Keys(q.ranking.KindFloors)) {
		if n := q.ranking.KindFloors[kind]; n > 0 {
			floors = append(floors, budget.Floor{Kind: kind, Entries: n})
		}
	}
	return floors
}

// cut keeps at most limit of the taken indexes: the reserved places, then the
// best others. The result ascends.
func (q *query) cut(taken []int, ranked []*candidate, floors []budget.Floor) []int {
	if q.limit <= 0 || len(taken) <= q.limit {
		return taken
	}
	var kept, others []int
	open := places(floors)
	for _, i := range taken {
		if kind := ranked[i].kind; open[kind] > 0 && len(kept) < q.limit {
			open[kind]--
			kept = append(kept, i)
		} else {
			others = append(others, i)
		}
	}
	kept = append(kept, others[:q.limit-len(kept)]...)
	slices.Sort(kept)
	return kept
}

// places returns the number of reserved places by kind.
func places(floors []budget.Floor) map[string]int {
	open := make(map[string]int, len(floors))
	for _, f := range floors {
		open[f.Kind] = f.Entries
	}
	return open
}

func pick(ranked []*candidate, indexes []int) []*candidate {
	out := make([]*candidate, len(indexes))
	for i, at := range indexes {
		out[i] = ranked[at]
	}
	return out
}
