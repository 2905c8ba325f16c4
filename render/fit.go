// As many hits as a budget of tokens holds.

package render

// Fit renders the hits that fit into budget, and returns the block with the hits in it: block is
// Block(kept, o). It goes through the hits in their order, keeps each with which the whole block, its frame, labels
// and escapes included, still counts at most budget, and goes on after one that doesn't fit. A budget below 0 is
// unlimited; when nothing fits, block is empty.
//
// count counts the tokens of a text; nil counts a quarter of the bytes, rounded up. The block returned has
// been counted as it is and is never over budget. So that not every attempt is rendered, count is trusted
// to be nearly additive: the parts of a block cut after line ends (of JSON, after commas) may count one token more or less
// each than the whole does. One for which that isn't so may leave out a hit that would have fitted.
func Fit(hits []Hit, budget int, count func(string) int, o Options) (block string, kept []Hit) {
	if budget < 0 {
		return Block(hits, o), append(kept, hits...)
	}
	f := fitter{style: styleOf(o), budget: budget, count: count}
	if count != nil {
		f.low = count(f.style.assemble(nil))
		f.high = f.low
	}
	for i := range hits {
		if f.try(newPiece(&hits[i], o)) {
			kept = append(kept, hits[i])
		}
	}
	return f.finish(kept)
}

// fitter holds what was kept so far.
type fitter struct {
	style     style
	budget    int
	count     func(string) int
	pieces    []piece
	total     total
	low, high int // bounds of the count of what was kept
}

// defaultCount is a quarter of the bytes, rounded up.
func defaultCount(bytes int) int { return bytes/4 + (bytes%4+3)/4 }

// try keeps p if it fits.
func (f *fitter) try(p piece) bool {
	if t := f.total.plus(p); f.count == nil {
		return defaultCount(f.style.size(t)) <= f.budget && f.keep(p)
	}
	tokens := f.count(p.text)
	// The frame grows by a number, a comma or a longer fence, whose bytes count a token each at most.
	frame := f.style.size(f.total.plus(p)) - f.style.size(f.total) - len(p.text)
	low, high := f.low+max(0, tokens-1), f.high+tokens+frame+1
	switch {
	case low-f.style.varying() > f.budget:
		return false
	case high+f.style.varying() <= f.budget:
		f.low, f.high = low, high
		return f.keep(p)
	}
	exact := f.count(f.style.assemble(append(f.pieces[:len(f.pieces):len(f.pieces)], p)))
	if exact > f.budget {
		return false
	}
	f.low, f.high = exact, exact
	return f.keep(p)
}

func (f *fitter) keep(p piece) bool {
	f.pieces = append(f.pieces, p)
	f.total = f.total.plus(p)
	return true
}

// finish gives up the last hits while the block is over budget.
func (f *fitter) finish(kept []Hit) (string, []Hit) {
	for n := len(kept); n > 0; n-- {
		block := f.style.assemble(f.pieces[:n])
		if f.count == nil || f.count(block) <= f.budget {
			return block, kept[:n]
		}
	}
	return "", nil
}
