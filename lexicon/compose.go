// This file decides how scorers are put together, and which of them switch the
// built-in English lexicon off.

package lexicon

// None scores 0 and switches the built-in English lexicon off.
var None Scorer = &composite{only: true}

// Only returns a scorer that is the sum of scorers, like Composite, and switches
// the built-in English lexicon off: exactly these count.
func Only(scorers ...Scorer) Scorer { return newComposite(true, scorers) }

// Composite returns a scorer that is the sum of scorers, added up in their order;
// the sum of none is 0. A nil among them is left out. It switches the built-in
// English lexicon off if one of them does.
func Composite(scorers ...Scorer) Scorer { return newComposite(false, scorers) }

// UsesDefaults reports whether the built-in English lexicon counts beside s: it
// does, unless s has a method WithoutDefaults that returns true. It counts beside
// nil.
func UsesDefaults(s Scorer) bool {
	w, ok := s.(interface{ WithoutDefaults() bool })
	return !ok || !w.WithoutDefaults()
}

// Static reports whether what s makes of an item depends on the item's content
// alone, so that a caller may keep the score of an entry: it does if s is nil or
// has a method Static that returns true.
func Static(s Scorer) bool {
	if s == nil {
		return true
	}
	w, ok := s.(interface{ Static() bool })
	return ok && w.Static()
}

// composite is a sum of scorers.
type composite struct {
	members []Scorer
	only    bool
}

func newComposite(only bool, scorers []Scorer) *composite {
	c := &composite{only: only}
	for _, s := range scorers {
		if s != nil {
			c.members = append(c.members, s)
		}
	}
	return c
}

// Score implements Scorer.
func (c *composite) Score(item Item, query string) (sum float64) {
	for _, s := range c.members {
		sum += s.Score(item, query)
	}
	return sum
}

// Explain implements Explainer. A member that can't explain itself is one signal
// without a name.
func (c *composite) Explain(item Item, query string) (matches []Match) {
	for _, s := range c.members {
		if e, ok := s.(Explainer); ok {
			matches = append(matches, e.Explain(item, query)...)
		} else if amount := s.Score(item, query); amount != 0 {
			matches = append(matches, Match{Sort: Signal, Amount: amount})
		}
	}
	return matches
}

// Static reports whether all members are.
func (c *composite) Static() bool {
	for _, s := range c.members {
		if !Static(s) {
			return false
		}
	}
	return true
}

// WithoutDefaults reports whether the composite or a member of it switches the
// built-in English lexicon off.
func (c *composite) WithoutDefaults() bool {
	if c.only {
		return true
	}
	for _, s := range c.members {
		if !UsesDefaults(s) {
			return true
		}
	}
	return false
}
