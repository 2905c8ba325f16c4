// This file decides which patterns an entry matches, and what a pattern needs for
// an occurrence to count: borders of words, and no negator before it.

package lexicon

import (
	"slices"
	"unicode/utf8"
)

// hit is the first occurrence of a pattern that counts: bytes of folded text.
type hit struct {
	id         int32
	start, end int
}

// scratch is the memory of one run over a text, used again by the next.
type scratch struct {
	folder
	hits []hit
	seen []bool // by pattern: it is among hits
	// next leads from pattern to pattern like that of the automaton but leaves
	// out, as far as it has been walked, those that are hits. changed lists the
	// patterns for which it differs.
	next    []int32
	changed []int32
	// examined counts the occurrences that were looked at, steps the links
	// followed: the work beside one step per byte.
	examined, steps int
}

// maxKept is the longest folded text, in bytes, whose memory is kept.
const maxKept = 1 << 16

// borrow takes a scratch from the pool.
func (s *ConfigScorer) borrow() *scratch {
	if c, ok := s.pool.Get().(*scratch); ok {
		return c
	}
	return &scratch{next: slices.Clone(s.automaton.next), seen: make([]bool, len(s.patterns))}
}

// giveBack makes the scratch as it was and puts it back.
func (s *ConfigScorer) giveBack(c *scratch) {
	for _, h := range c.hits {
		c.seen[h.id] = false
	}
	for _, id := range c.changed {
		c.next[id] = s.automaton.next[id]
	}
	c.hits, c.changed, c.trace, c.examined, c.steps = c.hits[:0], c.changed[:0], false, 0, 0
	if cap(c.out) > maxKept {
		c.out = nil
	}
	c.from = nil
	s.pool.Put(c)
}

// run finds what the content matches: c.hits, ordered as the patterns are.
func (s *ConfigScorer) run(c *scratch, content string) {
	c.fold(content)
	text := c.out
	a := &s.automaton
	state := int32(0)
	for i, b := range text {
		if b == '\n' {
			b = ' '
		}
		if state != 0 {
			state = a.step(state, b)
		} else {
			state = a.root[b]
		}
		if state == 0 {
			continue
		}
		if id := a.nodes[state].out; id != none && borderAt(text, i+1) {
			s.ending(c, id, i+1)
		}
	}
	slices.SortFunc(c.hits, func(a, b hit) int { return int(a.id - b.id) })
}

// ending looks at the patterns that end at a place of the text: pattern id and
// those that it ends in, but for those that are hits already.
func (s *ConfigScorer) ending(c *scratch, id int32, end int) {
	for id = c.unmet(s, id); id != none; {
		start := end - int(s.lengths[id])
		c.examined++
		if int(id) >= s.firstNegation || !negated(c.out, start, end) {
			c.seen[id] = true
			c.hits = append(c.hits, hit{id, start, end})
		}
		next := c.unmet(s, c.next[id])
		c.relink(s, id, next)
		id = next
	}
}

// unmet returns the first pattern of the list at id that is no hit. Links over
// hits are shortened on the way, so that a list isn't walked through again and
// again.
func (c *scratch) unmet(s *ConfigScorer, id int32) int32 {
	for id != none && c.seen[id] {
		c.steps++
		next := c.next[id]
		if next != none && c.seen[next] {
			next = c.next[next]
			c.relink(s, id, next)
		}
		id = next
	}
	return id
}

func (c *scratch) relink(s *ConfigScorer, id, next int32) {
	if c.next[id] == next {
		return
	}
	if c.next[id] == s.automaton.next[id] {
		c.changed = append(c.changed, id)
	}
	c.next[id] = next
}

// borderAt reports whether a pattern may end before text[at]: not inside of a
// word, and not between a character and its marks. Where a pattern may begin
// needs no look: the folded form of what begins a word differs from what goes on
// in one.
func borderAt(text []byte, at int) bool {
	if at == len(text) {
		return true
	}
	b := text[at]
	if b < utf8.RuneSelf {
		return !(b >= 'a' && b <= 'z' || b >= '0' && b <= '9')
	}
	r, _ := utf8.DecodeRune(text[at:])
	class := classOf(r)
	return class != word && class != mark
}
