package contextforge

// This file decides which of the ranked candidates fill the token budget.

import (
	"context"
	"maps"
	"slices"

	"github.com/contextforge-go/contextforge/budget"
	"github.com/contextforge-go/contextforge/internal/twins"
)

// pack reads the entries that fit the budget and the limit, in the order of
// their scores. Those that do not fit are never read.
func (q *query) pack(ctx context.Context, src source, ranked []*candidate) ([]Hit, error) {
	whole := len(ranked)
	chosen, err := q.chooseDistinct(ctx, src, ranked)
	for round := 0; err == nil && q.judge(chosen); round++ {
		if err = q.judgeAhead(ctx, src, ranked, round); err != nil {
			break
		}
		ranked = q.settle(ranked)
		chosen, err = q.chooseDistinct(ctx, src, ranked)
	}
	if err != nil {
		return nil, err
	}
	q.starved = len(ranked) < whole && len(chosen) == len(ranked) && q.suspicious == SuspiciousExclude
	hits := make([]Hit, 0, len(chosen))
	for _, c := range chosen {
		c.explain.Tokens = c.tokens
		c.explain.Matches = q.importance.explain(q, c)
		hits = append(hits, Hit{Entry: *c.entry, Score: c.score, Explain: c.explain, Suspicious: c.reasons})
	}
	return hits, ctx.Err()
}

const (
	// mostRounds bounds how often what repeats another hit is replaced.
	mostRounds = 8
	// mostAhead bounds the candidates behind the chosen ones that are looked at
	// in a round, so that a hundred copies go in one.
	mostAhead = 512
)

// chooseDistinct chooses and reads entries. What repeats a better hit almost word
// for word makes room for others, and gets what they leave of the budget. Where
// everything fits there is nothing to do.
func (q *query) chooseDistinct(ctx context.Context, src source, ranked []*candidate) ([]*candidate, error) {
	distinct := ranked
	for round := 1; ; round++ {
		chosen := q.choose(distinct)
		if err := readAll(ctx, src, chosen); err != nil {
			return nil, err
		}
		repeats := false
		if len(chosen) < len(distinct) && q.ranking.MaxOverlap > 0 {
			ahead := q.ahead(distinct, chosen, round)
			if err := readAll(ctx, src, ahead); err != nil {
				return nil, err
			}
			repeats = q.markRepeats(chosen, ahead)
		}
		if repeats && round < mostRounds {
			distinct = slices.DeleteFunc(slices.Clone(distinct), func(c *candidate) bool { return c.repeats })
			continue
		}
		if len(distinct) < len(ranked) {
			chosen = q.fillUp(chosen, ranked)
		}
		return chosen, readAll(ctx, src, chosen)
	}
}

func readAll(ctx context.Context, src source, list []*candidate) error {
	for _, c := range list {
		if err := c.read(ctx, src); err != nil {
			return err
		}
	}
	return nil
}

// ahead returns the next candidates besides the chosen ones: none in the first
// round, then ever more.
func (q *query) ahead(distinct, chosen []*candidate, round int) (list []*candidate) {
	if round == 1 {
		return nil
	}
	taken := make(map[*candidate]bool, len(chosen))
	for _, c := range chosen {
		taken[c] = true
	}
	for _, c := range distinct {
		if len(list) == min(mostAhead, 32<<round) {
			break
		}
		if !taken[c] && (q.budget < 0 || c.tokens <= q.budget) {
			list = append(list, c)
		}
	}
	return list
}

// markRepeats finds what repeats a better one of the chosen, among them and
// ahead of them, and reports whether one of them does.
func (q *query) markRepeats(chosen, ahead []*candidate) (any bool) {
	var kept twins.Set
	for _, c := range chosen {
		c.repeats = !kept.Add(c.entry.Content, q.ranking.MaxOverlap)
		any = any || c.repeats
	}
	if !any {
		return false
	}
	for _, c := range ahead {
		c.repeats = kept.Has(c.entry.Content, q.ranking.MaxOverlap)
	}
	return true
}

// fillUp adds repetitions, best first, as far as the budget and the limit go.
func (q *query) fillUp(chosen, ranked []*candidate) []*candidate {
	left := q.budget
	for _, c := range chosen {
		left -= c.tokens
	}
	for _, c := range ranked {
		if q.limit > 0 && len(chosen) >= q.limit {
			break
		}
		if c.repeats && (q.budget < 0 || c.tokens <= left) && !slices.Contains(chosen, c) {
			chosen = append(chosen, c)
			left -= c.tokens
			q.crowded = true
		}
	}
	slices.SortFunc(chosen, compareCandidates)
	return chosen
}

const (
	// reservedShare is the part of the best score, and of the best BM25 score, that
	// an entry needs for a reserved place.
	reservedShare = 0.25
	// reservedLikeness is the part of the best cosine that does instead of the
	// latter: fused scores of unrelated entries are not far below those of related
	// ones.
	reservedLikeness = 0.6
)

// worthOf returns the test for reserved places beside the best hit.
func worthOf(ranked []*candidate, best *candidate) func(c *candidate) bool {
	var words, meaning float64
	for _, c := range ranked {
		words, meaning = max(words, c.legs[lexicalLeg].Score), max(meaning, c.legs[semanticLeg].Score)
	}
	return func(c *candidate) bool {
		if c.score < float64(reservedShare*best.score) {
			return false
		}
		if meaning <= 0 { // nothing was searched by meaning, or nothing is alike
			return true
		}
		return words > 0 && c.legs[lexicalLeg].Score >= float64(reservedShare*words) ||
			!c.assumed && c.legs[semanticLeg].Score >= float64(reservedLikeness*meaning)
	}
}

// choose takes the best entry that fits, then serves the reserved places, and
// fills the rest by score.
func (q *query) choose(ranked []*candidate) []*candidate {
	items := make([]budget.Item, len(ranked))
	for i, c := range ranked {
		items[i] = budget.Item{Cost: c.tokens, Kind: c.kind}
	}
	plain := q.cut(budget.Greedy(costs(items), q.budget), ranked, nil)
	floors := q.floors()
	if len(floors) == 0 || len(plain) == 0 {
		return pick(ranked, plain)
	}
	best := plain[0]
	worthy := worthOf(ranked, ranked[best])
	for i := range items {
		if !worthy(ranked[i]) {
			items[i].Kind = "" // competes by score alone; no floor has this kind
		}
	}
	left := q.budget
	if left >= 0 {
		left -= items[best].Cost
	}
	rest := budget.Pack(items[best+1:], left, budget.Policy{Floors: floors})
	taken := make([]int, 0, len(rest)+1)
	taken = append(taken, best)
	for _, i := range rest {
		taken = append(taken, best+1+i)
	}
	taken = q.cut(taken, ranked, floors)
	open := places(floors)
	for _, i := range taken {
		if kind := items[i].Kind; open[kind] > 0 {
			open[kind]--
			_, byScore := slices.BinarySearch(plain, i)
			ranked[i].explain.Reserved = !byScore
		}
	}
	return pick(ranked, taken)
}

func costs(items []budget.Item) []int {
	out := make([]int, len(items))
	for i, it := range items {
		out[i] = it.Cost
	}
	return out
}

func (q *query) floors() []budget.Floor {
	var floors []budget.Floor
	for _, kind := range slices.Sorted(maps.Keys(q.ranking.KindFloors)) {
		if n := q.ranking.KindFloors[kind]; n > 0 && kind != "" {
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
	if len(floors) == 0 {
		return taken[:q.limit]
	}
	kept, others := []int{taken[0]}, []int{} // the best comes before any reserved place
	open := places(floors)
	worthy := worthOf(ranked, ranked[taken[0]])
	for _, i := range taken[1:] {
		if kind := ranked[i].kind; open[kind] > 0 && len(kept) < q.limit && worthy(ranked[i]) {
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
