// This file decides what a compiled lexicon is and how its amounts are added up.

package lexicon

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"sync"
)

// ConfigScorer is a compiled lexicon: terms with weights, patterns that confirm,
// patterns that reject. Make one with Parse, Load, LoadFS or English. It doesn't
// change; all methods may be called concurrently. A nil *ConfigScorer is an empty
// lexicon.
type ConfigScorer struct {
	name string
	// patterns are ordered by sort (terms, affirmations, negations) and then by
	// their bytes. Scores are added up in this order.
	patterns                        []pattern
	lengths                         []uint16 // of the folded patterns, in bytes
	firstAffirmation, firstNegation int
	automaton                       automaton
	pool                            sync.Pool // of *scratch
}

// pattern is a term or a pattern of a lexicon.
type pattern struct {
	text    string // as the file spells it
	key     string // folded
	lexicon string // the name of the file
	sort    Sort
	amount  float64
}

// rank orders the sorts.
func (s Sort) rank() int {
	switch s {
	case Term:
		return 0
	case Affirmation:
		return 1
	}
	return 2
}

// compile makes a scorer of patterns of which no two of one sort have the same
// key. The keys are dropped.
func compile(name string, patterns []pattern) *ConfigScorer {
	slices.SortFunc(patterns, func(a, b pattern) int {
		return cmp.Or(cmp.Compare(a.sort.rank(), b.sort.rank()), strings.Compare(a.text, b.text))
	})
	s := &ConfigScorer{name: name, patterns: patterns, lengths: make([]uint16, len(patterns))}
	keys := make([]string, len(patterns))
	for i := range patterns {
		p := &patterns[i]
		keys[i], s.lengths[i], p.key = p.key, uint16(len(p.key)), ""
		switch p.sort {
		case Term:
			s.firstAffirmation++
			s.firstNegation++
		case Affirmation:
			s.firstNegation++
		}
	}
	s.automaton = newAutomaton(keys)
	return s
}

// Score implements Scorer: the weights of the terms found in the content, plus
// 0.5 for every affirmation, less 0.3 for every negation. A pattern counts once.
// The amounts are added in float64, terms first, then affirmations, then
// negations, each in the order of their bytes.
func (s *ConfigScorer) Score(item Item, _ string) (sum float64) {
	if s.Len() == 0 || item.Content == "" {
		return 0
	}
	c := s.borrow()
	s.run(c, item.Content)
	for _, h := range c.hits {
		sum += s.patterns[h.id].amount
	}
	s.giveBack(c)
	return sum
}

// Explain implements Explainer. The matches are in the order in which Score adds
// them; their sum is the score to the bit.
func (s *ConfigScorer) Explain(item Item, _ string) []Match {
	if s.Len() == 0 || item.Content == "" {
		return nil
	}
	c := s.borrow()
	s.run(c, item.Content)
	if len(c.hits) > 0 { // only then are places wanted, as many as there are bytes
		c.trace, c.from = true, make([]span, 0, len(c.out))
		c.fold(item.Content)
	}
	matches := make([]Match, len(c.hits))
	for i, h := range c.hits {
		p := &s.patterns[h.id]
		matches[i] = Match{p.lexicon, p.sort, p.text, p.amount, c.from[h.start].start, c.from[h.end-1].end}
	}
	s.giveBack(c)
	return matches
}

// Name returns the name of the lexicon; those of several files that were loaded
// together are joined by "+".
func (s *ConfigScorer) Name() string {
	if s == nil {
		return ""
	}
	return s.name
}

// Len returns the number of terms and patterns.
func (s *ConfigScorer) Len() int {
	if s == nil {
		return 0
	}
	return len(s.patterns)
}

// Static reports that a score depends on the content alone.
func (s *ConfigScorer) Static() bool { return true }

// Terms returns the terms with their weights, in the order of their bytes.
func (s *ConfigScorer) Terms() iter.Seq2[string, float64] {
	return func(yield func(string, float64) bool) {
		for i := 0; i < s.Len() && i < s.firstAffirmation; i++ {
			if !yield(s.patterns[i].text, s.patterns[i].amount) {
				return
			}
		}
	}
}

// Affirmations returns the patterns that confirm, in the order of their bytes.
func (s *ConfigScorer) Affirmations() []string { return s.texts(Affirmation) }

// Negations returns the patterns that reject, in the order of their bytes.
func (s *ConfigScorer) Negations() []string { return s.texts(Negation) }

func (s *ConfigScorer) texts(sort Sort) (out []string) {
	for i := range s.Len() {
		if s.patterns[i].sort == sort {
			out = append(out, s.patterns[i].text)
		}
	}
	return out
}
