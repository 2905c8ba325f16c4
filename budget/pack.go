// Packing: which entries of a ranking go into the budget.

package budget

import (
	"math"
	"slices"
)

// Unlimited as a budget takes everything; so does any negative number.
const Unlimited = -1

// Greedy walks costs in order and takes every entry that still fits, skipping
// those that don't: an entry too big for what is left never blocks smaller ones
// behind it. It returns the indexes of what it took, ascending. This is the
// reference implementation's rule.
//
// A negative cost counts as 0, and an entry of cost 0 always fits. A budget of 0
// takes nothing else; a negative one, and the largest int, take everything.
func Greedy(costs []int, budget int) []int {
	taken := make([]int, 0, len(costs))
	left := room(budget)
	for i, cost := range costs {
		if left.take(cost) {
			taken = append(taken, i)
		}
	}
	return taken
}

// Item is an entry to be packed.
type Item struct {
	// Cost in tokens; a negative one counts as 0.
	Cost int
	// Kind is what floors refer to.
	Kind string
}

// Floor reserves room for one kind: before anything else the best entries of the
// kind are taken, until Entries of them are in or the next one would bring their
// cost above Share of the budget. What doesn't fit is passed over. Further
// entries of the kind compete like all others.
type Floor struct {
	Kind string
	// Entries is the number to take; 0 or less sets no number, so that Share
	// alone bounds the floor.
	Entries int
	// Share is the part of the budget that may be reserved, from 0 to 1; 0 or
	// less and NaN set no bound but the budget. With neither Entries nor Share
	// the floor is off.
	Share float64
}

// Policy says how Pack departs from Greedy. The zero value doesn't.
type Policy struct {
	// Floors are served in their order, of which the first gets the most.
	Floors []Floor
	// MaxShare bounds what one entry may cost to a part of the budget, such as
	// 0.25. Bigger entries are considered last, with what is left. 0 or less, 1
	// or more and NaN mean no bound.
	MaxShare float64
}

// Pack chooses among items, best first, what goes into the budget, and returns
// the indexes ascending. Budget and costs mean what they mean to Greedy: with
// the zero Policy the result is Greedy's.
//
// First the floors are served, in order; then what is left of the budget is
// filled in ranking order; then, if MaxShare is set, with the entries above it.
func Pack(items []Item, budget int, policy Policy) []int {
	p := packing{items: items, taken: make([]bool, len(items)), left: room(budget), largest: math.MaxInt}
	if policy.MaxShare > 0 && policy.MaxShare < 1 {
		p.largest = share(budget, policy.MaxShare)
	}
	for _, floor := range policy.Floors {
		p.reserve(floor, budget)
	}
	p.fill()
	if p.largest < math.MaxInt {
		p.largest = math.MaxInt
		p.fill()
	}
	indexes := make([]int, 0, len(items))
	for i, taken := range p.taken {
		if taken {
			indexes = append(indexes, i)
		}
	}
	return slices.Clip(indexes)
}

// packing is the state of one Pack.
type packing struct {
	items   []Item
	taken   []bool
	left    space
	largest int
}

// reserve serves one floor.
func (p *packing) reserve(floor Floor, budget int) {
	wanted, limit := floor.Entries, space{unlimited: true}
	if floor.Share > 0 {
		limit = room(share(budget, floor.Share))
		if wanted <= 0 {
			wanted = len(p.items)
		}
	}
	for i, item := range p.items {
		if wanted <= 0 {
			return
		}
		if item.Kind != floor.Kind || p.taken[i] || item.Cost > p.largest || !limit.fits(item.Cost) || !p.left.take(item.Cost) {
			continue
		}
		limit.take(item.Cost)
		p.taken[i] = true
		wanted--
	}
}

// fill takes what fits and isn't larger than allowed, in ranking order.
func (p *packing) fill() {
	for i, item := range p.items {
		if !p.taken[i] && item.Cost <= p.largest && p.left.take(item.Cost) {
			p.taken[i] = true
		}
	}
}

// space is what is left of a budget.
type space struct {
	tokens    int
	unlimited bool
}

// room returns the space of a whole budget. The largest int is no limit either:
// the reference adds costs with saturation, so that no sum exceeds it.
func room(budget int) space {
	return space{tokens: budget, unlimited: budget < 0 || budget == math.MaxInt}
}

// fits reports whether an entry of the cost still goes in.
func (s *space) fits(cost int) bool { return s.unlimited || max(cost, 0) <= s.tokens }

// take uses up the cost if it fits and reports whether it did.
func (s *space) take(cost int) bool {
	if !s.fits(cost) {
		return false
	}
	if !s.unlimited {
		s.tokens -= max(cost, 0)
	}
	return true
}

// share returns part·budget in whole tokens, the budget itself when there is no
// limit.
func share(budget int, part float64) int {
	if budget < 0 || part >= 1 {
		return budget
	}
	// Above 2^53 the product is rounded and could exceed the budget.
	return min(int(float64(budget)*part), budget)
}
