// How much of a memory is kept, and what must happen to it before.

package distill

import "strings"

// Limits of what [Cap] keeps, the reference's. A char is a Unicode code point,
// or one byte that isn't part of any.
const (
	MaxFacts        = 64
	MaxFactChars    = 2048
	MaxSummaryChars = 8192
)

// Cap returns m with the first MaxFacts facts, and texts that are too long cut
// behind the last whole grapheme cluster that fits. What is within the limits
// stays as it is, and m isn't changed.
//
// A cut can leave half of a secret that nothing recognises any more, so texts
// must be scrubbed before: see [Clean].
func Cap(m DistilledMemory) DistilledMemory {
	m.Summary = cut(m.Summary, MaxSummaryChars)
	if len(m.Facts) > MaxFacts {
		m.Facts = m.Facts[:MaxFacts:MaxFacts]
	}
	for i, fact := range m.Facts {
		if text := cut(fact.Text, MaxFactChars); len(text) != len(fact.Text) {
			facts := append([]Fact(nil), m.Facts...)
			for j := i; j < len(facts); j++ {
				facts[j].Text = cut(facts[j].Text, MaxFactChars)
			}
			m.Facts = facts
			break
		}
	}
	return m
}

// Clean makes a memory fit to be kept: it scrubs summary and facts, trims blanks
// around them, drops facts that are empty, then applies [Cap], in this order. A
// nil scrub leaves texts as they are. m isn't changed.
func Clean(m DistilledMemory, scrub func(string) string) DistilledMemory {
	return Cap(tidy(m, scrub))
}

// tidy is Clean without the cap.
func tidy(m DistilledMemory, scrub func(string) string) DistilledMemory {
	if scrub == nil {
		scrub = func(text string) string { return text }
	}
	facts := make([]Fact, 0, len(m.Facts))
	for _, fact := range m.Facts {
		fact.Text = strings.TrimSpace(scrub(fact.Text))
		// A text that is one endless cluster would be cut to nothing.
		if cut(fact.Text, MaxFactChars) != "" {
			facts = append(facts, fact)
		}
	}
	if len(facts) == 0 {
		facts = nil
	}
	return DistilledMemory{Summary: strings.TrimSpace(scrub(m.Summary)), Facts: facts}
}
