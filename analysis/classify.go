// This file decides which categories a passage has.

package analysis

import (
	"context"
	"slices"
	"strings"
)

// ClassifyConfig is how Classify works. The zero value is the reference's.
type ClassifyConfig struct {
	// Proximity is how many words a negation and a term may be apart in a
	// Corrective passage, first word to first word, in either order; 0 means 5, a
	// negative number 0.
	Proximity int
	// ReinforcingSessions is the number of sessions that have to confirm the same;
	// 0 and less mean 3.
	ReinforcingSessions int
	// ReinforcingOverlap is the share of word pairs, of the shorter passage, that
	// two have to exceed to say the same; 0 and NaN mean 0.6, a negative number any
	// pair at all. Nothing exceeds 1.
	ReinforcingOverlap float64
	// Lists replaces all the lists of words; nil means DefaultLists.
	Lists *Lists
	// Tokenizer is the one that made the terms; nil means that of the zero
	// TokenConfig. The words of a term may have its stop words between them.
	Tokenizer *Tokenizer
}

// resolved returns the configuration with the defaults written out.
func (c ClassifyConfig) resolved() ClassifyConfig {
	switch {
	case c.Proximity == 0:
		c.Proximity = 5
	case c.Proximity < 0:
		c.Proximity = 0
	}
	if c.ReinforcingSessions <= 0 {
		c.ReinforcingSessions = 3
	}
	if c.ReinforcingOverlap == 0 || c.ReinforcingOverlap != c.ReinforcingOverlap {
		c.ReinforcingOverlap = 0.6
	}
	c.ReinforcingOverlap = max(c.ReinforcingOverlap, 0)
	if c.Tokenizer == nil {
		c.Tokenizer = NewTokenizer(TokenConfig{})
	}
	return c
}

// Classify says of every passage in which ways it matters, and keeps their
// order. A passage may have no category or several:
//
//   - Corrective: a negation stands near one of its terms, and it doesn't end as a
//     question;
//   - Stateful: an operator such as "is set to" gives an entity a value. The first
//     that does counts. Entities are written in lower case without what merely
//     introduces them, so that "the API port is now 80" and "API port = 81" are
//     about one;
//   - Decisive: it compares and gives a reason. Pair is the first two names in it,
//     or else the first two terms;
//   - Reinforcing: it confirms something, and enough sessions do so in nearly the
//     same words.
//
// Of Stateful passages about one entity, and of Decisive ones about one pair, all
// but the newest are superseded in that category; of equally old ones the last in
// order stands.
//
// The passages are only read. The result depends on nothing but the arguments.
// It takes time linear in the text, but for passages that confirm with many words
// in common and still don't say the same.
func Classify(passages []Passage, cfg ClassifyConfig) []Classified {
	// Without an end to the context there is no error.
	out, _ := classify(context.Background(), 1, passages, cfg)
	return out
}

// classify is Classify by several workers. The only error is that of ctx.
func classify(ctx context.Context, workers int, passages []Passage, cfg ClassifyConfig) ([]Classified, error) {
	cfg = cfg.resolved()
	voc := newVocabulary(cfg.Lists)
	out := make([]Classified, len(passages))
	confirming := make([]confirmed, len(passages))
	err := inParallel(ctx, workers, len(passages), func() func(int) {
		c := classifier{voc: voc, tokenizer: cfg.Tokenizer, proximity: cfg.Proximity}
		return func(i int) { out[i], confirming[i] = c.classify(&passages[i]) }
	})
	if err != nil {
		return nil, err
	}
	marks, _ := reinforced(ctx, passages, confirming, cfg.ReinforcingSessions, cfg.ReinforcingOverlap)
	for i := range out {
		if marks[i] {
			out[i].Categories = append(out[i].Categories, Reinforcing)
		}
	}
	supersede(out)
	return out, ctx.Err()
}

// classifier classifies one passage after another. Its buffers are used again.
type classifier struct {
	voc       *vocabulary
	tokenizer *Tokenizer
	proximity int
	words     wordScanner
	found     findings
	near      nearness
	terms     wordScanner
}

// findings are the markers in a passage.
type findings struct {
	negations     []int // where they start
	compares      bool
	causes        bool
	confirmations []int32     // members of the list, sorted
	operators     []operation // those without a sign, in order
}

// classify gives a passage every category but Reinforcing, for which it returns
// what the others have to be compared with.
func (c *classifier) classify(p *Passage) (Classified, confirmed) {
	out := Classified{Passage: *p}
	c.words.scan(p.Text)
	c.find()
	f := &c.found
	if len(f.negations) > 0 && !asks(p.Text) && c.nearTerm(p.Terms) {
		out.Categories = append(out.Categories, Corrective)
	}
	if entity, value, ok := c.state(); ok {
		out.Categories = append(out.Categories, Stateful)
		out.Entity, out.Value = entity, value
	}
	if f.compares && f.causes {
		out.Categories = append(out.Categories, Decisive)
		out.Pair = c.pair(p.Terms)
	}
	if len(f.confirmations) == 0 {
		return out, confirmed{}
	}
	return out, confirmed{by: slices.Clone(f.confirmations), words: c.words.keyList()}
}

// find looks for the markers of the passage.
func (c *classifier) find() {
	f := &c.found
	*f = findings{negations: f.negations[:0], confirmations: f.confirmations[:0], operators: f.operators[:0]}
	for i := range c.words.words {
		for _, m := range c.voc.byFirst[c.words.key(i)] {
			if m.follows(&c.words, i+1) {
				f.add(&c.words, i, &m)
			}
		}
	}
	slices.Sort(f.confirmations)
	f.confirmations = slices.Compact(f.confirmations)
}

func (f *findings) add(s *wordScanner, i int, m *marker) {
	switch m.list {
	case negation:
		if n := len(f.negations); n == 0 || f.negations[n-1] != i {
			f.negations = append(f.negations, i)
		}
	case comparison:
		f.compares = true
	case cause:
		f.causes = true
	case confirmation:
		f.confirmations = append(f.confirmations, m.id)
	case stateOperator:
		f.operators = append(f.operators, operation{start: s.words[i].start, end: s.words[i+len(m.rest)].end})
	}
}

// keyList returns the keys of all words.
func (s *wordScanner) keyList() []string {
	list := make([]string, len(s.words))
	for i := range list {
		list[i] = s.key(i)
	}
	return list
}

// asks reports whether a text ends as a question.
func asks(text string) bool {
	text = strings.TrimRight(text, " \t\r\n\"'”’»)]}」』）*_`")
	for _, mark := range []string{"?", "？", "؟", "՞"} {
		if strings.HasSuffix(text, mark) {
			return true
		}
	}
	return false
}

// nearness marks the words near a negation, by their keys.
type nearness struct {
	at   map[string]int32 // the first place of a word, plus one
	next []int32          // the following place of the same word, plus one
}

// nearTerm reports whether a term starts near a negation. Only the words near one
// are looked at, and each once per term that it begins.
func (c *classifier) nearTerm(terms []string) bool {
	c.markNear()
	for _, term := range terms {
		c.terms.scan(term)
		if len(c.terms.words) == 0 {
			continue
		}
		for at := c.near.at[c.terms.key(0)]; at > 0; at = c.near.next[at-1] {
			if c.termAt(int(at - 1)) {
				return true
			}
		}
	}
	return false
}

// markNear chains the places near a negation by word.
func (c *classifier) markNear() {
	n := &c.near
	if n.at == nil {
		n.at = map[string]int32{}
	}
	clear(n.at)
	n.next = slices.Grow(n.next[:0], len(c.words.words))[:len(c.words.words)]
	done := 0
	for _, negation := range c.found.negations {
		last := len(c.words.words) - 1
		if c.proximity < last-negation { // no sum, which could overflow
			last = negation + c.proximity
		}
		for i := max(done, negation-c.proximity); i <= last; i++ {
			key := c.words.key(i)
			n.next[i] = n.at[key]
			n.at[key] = int32(i + 1)
		}
		done = max(done, last+1)
	}
}

// termAt reports whether the scanned term stands from a word on, stop words
// between its own left out.
func (c *classifier) termAt(at int) bool {
	for k := 1; k < len(c.terms.words); k++ {
		for at++; at < len(c.words.words) && c.terms.key(k) != c.words.key(at); at++ {
			if !c.tokenizer.stop[c.words.key(at)] {
				return false
			}
		}
	}
	return at < len(c.words.words)
}
