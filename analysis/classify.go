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
	tree      termTree
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

// nearTerm reports whether a term starts near a negation. Only the words near one
// are looked at, each once, whatever the number of terms.
func (c *classifier) nearTerm(terms []string) bool {
	c.readTerms(terms)
	done := 0
	for _, negation := range c.found.negations {
		last := len(c.words.words) - 1
		if c.proximity < last-negation { // no sum, which could overflow
			last = negation + c.proximity
		}
		for i := max(done, negation-c.proximity); i <= last; i++ {
			if c.termAt(i) {
				return true
			}
		}
		done = max(done, last+1)
	}
	return false
}

// termTree holds the words of terms: a step leads from the words of a beginning,
// a number, over the next word to those of a longer one. 0 is the empty beginning.
type termTree struct {
	steps map[termStep]int32
	ends  []bool // by beginning: it is a term
	at    []int32
	next  []int32 // for the steps behind at
	work  int     // steps looked for so far
}

type termStep struct {
	from int32
	word string
}

// readTerms makes the tree of the terms.
func (c *classifier) readTerms(terms []string) {
	t := &c.tree
	t.steps, t.ends = make(map[termStep]int32, len(terms)), append(t.ends[:0], false)
	for _, term := range terms {
		c.terms.scan(term)
		at := int32(0)
		for k := range c.terms.words {
			step := termStep{at, c.terms.key(k)}
			to, known := t.steps[step]
			if !known {
				to = int32(len(t.ends))
				t.steps[step], t.ends = to, append(t.ends, false)
			}
			at = to
		}
		t.ends[at] = at != 0
	}
}

// termAt reports whether a term stands from a word on, stop words between its own
// left out. Several beginnings are followed at a time only where a term has a stop
// word itself.
func (c *classifier) termAt(i int) bool {
	t := &c.tree
	for t.at = append(t.at[:0], 0); i < len(c.words.words) && len(t.at) > 0; i++ {
		word := c.words.key(i)
		t.next = t.next[:0]
		t.work += len(t.at)
		for _, from := range t.at {
			if to, known := t.steps[termStep{from, word}]; known {
				if t.ends[to] {
					return true
				}
				t.next = append(t.next, to)
			}
		}
		if c.tokenizer.stop[word] {
			for _, from := range t.at {
				if from != 0 && !slices.Contains(t.next, from) {
					t.next = append(t.next, from)
				}
			}
		}
		t.at, t.next = t.next, t.at
	}
	return false
}
