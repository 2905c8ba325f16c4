// This file decides which of many terms a text contains, in one pass over it.

package analysis

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// matcher finds many patterns at once, by the automaton of A. V. Aho and M. J.
// Corasick, "Efficient String Matching: An Aid to Bibliographic Search", CACM
// 18(6), 1975. It is safe for concurrent use; each goroutine has its own finder.
//
// State 0 is the root. The states are numbered breadth first, so the children of
// a state are neighbours: those of n are first[n] to first[n+1]-1. A state takes
// 17 bytes, whatever the number of its children.
type matcher struct {
	label []byte  // the byte that leads to the state
	first []int32 // one more than there are states
	fail  []int32 // the state of the longest proper suffix
	out   []int32 // the state itself or the longest suffix where a pattern ends, 0 for none
	ends  []int32 // 1 + the pattern that ends in the state, 0 for none
	root  [256]int32

	ids   []int32 // of terms; those of pattern p are ids[start[p]:start[p+1]]
	start []int32
}

// newMatcher returns a matcher of terms, whose ids are their indexes. Case is
// ignored. A blank term is never found.
func newMatcher(terms []string) *matcher {
	m := &matcher{}
	folded := make([]string, len(terms))
	var buf []byte
	for i, term := range terms {
		if strings.TrimSpace(term) == "" {
			continue
		}
		buf = appendLower(buf[:0], term)
		folded[i] = string(buf)
		m.ids = append(m.ids, int32(i))
	}
	slices.SortStableFunc(m.ids, func(a, b int32) int { return strings.Compare(folded[a], folded[b]) })
	var patterns []string
	for i, id := range m.ids {
		if i == 0 || folded[id] != patterns[len(patterns)-1] {
			patterns = append(patterns, folded[id])
			m.start = append(m.start, int32(i))
		}
	}
	m.start = append(m.start, int32(len(m.ids)))
	m.build(patterns)
	return m
}

// build makes the states from the patterns, which are sorted and differ, one
// level after the other. Beside the states it needs memory for one level.
func (m *matcher) build(patterns []string) {
	n := countStates(patterns)
	m.label, m.first, m.ends = make([]byte, 1, n), make([]int32, 0, n+1), make([]int32, 0, n)
	m.fail, m.out = make([]int32, n), make([]int32, 0, n)
	level := []patternRange{{to: int32(len(patterns))}}
	for depth := 0; len(level) > 0; depth++ {
		var below []patternRange
		for _, r := range level {
			below = m.expand(below, patterns, r, depth)
		}
		level = below
	}
	m.first = append(m.first, int32(n))
}

// patternRange stands for the patterns with a common beginning.
type patternRange struct{ from, to int32 }

// countStates returns how many different beginnings the patterns have, the empty
// one included.
func countStates(patterns []string) int {
	n, before := 1, ""
	for _, p := range patterns {
		shared := 0
		for shared < min(len(p), len(before)) && p[shared] == before[shared] {
			shared++
		}
		n += len(p) - shared
		before = p
	}
	return n
}

// expand completes the next state, whose beginning has so many bytes and the
// patterns of r, and makes its children. All states above it are complete.
func (m *matcher) expand(below []patternRange, patterns []string, r patternRange, depth int) []patternRange {
	n := len(m.first)
	m.first = append(m.first, int32(len(m.label)))
	end, out := int32(0), int32(0)
	if n > 0 {
		out = m.out[m.fail[n]]
	}
	if r.from < r.to && len(patterns[r.from]) == depth { // the shortest comes first
		r.from++
		end, out = r.from, int32(n)
	}
	m.ends, m.out = append(m.ends, end), append(m.out, out)
	for r.from < r.to {
		c, to := patterns[r.from][depth], r.from+1
		for to < r.to && patterns[to][depth] == c {
			to++
		}
		child := len(m.label)
		m.label = append(m.label, c)
		if n == 0 {
			m.root[c] = int32(child)
		} else {
			m.fail[child], _ = m.next(m.fail[n], c)
		}
		below = append(below, patternRange{r.from, to})
		r.from = to
	}
	return below
}

// child returns the state to which c leads from n, 0 when there is none.
func (m *matcher) child(n int32, c byte) int32 {
	from, to := m.first[n], m.first[n+1]
	switch {
	case n == 0:
		return m.root[c]
	case from == to:
		return 0
	case m.label[from] == c:
		return from
	case to-from > 1:
		if i := bytes.IndexByte(m.label[from+1:to], c); i >= 0 {
			return from + 1 + int32(i)
		}
	}
	return 0
}

// next returns the state behind c, and the number of states that were tried.
func (m *matcher) next(n int32, c byte) (state int32, tried int) {
	for tried = 1; ; tried++ {
		if child := m.child(n, c); child != 0 || n == 0 {
			return child, tried
		}
		n = m.fail[n]
	}
}

// finder looks for the terms of a matcher in texts one after another.
type finder struct {
	m     *matcher
	round uint32
	seen  []uint32 // by pattern: the round in which it was found last
	found []int32  // ids of the terms found in this round
	buf   []byte
	work  int // states visited so far
}

func (m *matcher) finder() *finder { return &finder{m: m, seen: make([]uint32, len(m.start)-1)} }

// begin forgets what was found.
func (f *finder) begin() {
	f.found = f.found[:0]
	f.round++
	if f.round == 0 { // after 2^32 rounds
		clear(f.seen)
		f.round = 1
	}
}

// fold looks for the terms in text in any case.
func (f *finder) fold(text string) {
	f.buf = appendLower(f.buf[:0], text)
	f.find(f.buf)
}

// find looks for the terms in text, which is in lower case. Each is found once
// in a round, and behind one that was found already nothing new can follow, so
// the work is linear in the text and in what is found.
func (f *finder) find(text []byte) {
	n, tried := int32(0), 0
	for _, c := range text {
		n, tried = f.m.next(n, c)
		f.work += tried
		for s := f.m.out[n]; s != 0; s = f.m.out[f.m.fail[s]] {
			p := f.m.ends[s] - 1
			if f.seen[p] == f.round {
				break
			}
			f.seen[p] = f.round
			f.found = append(f.found, f.m.ids[f.m.start[p]:f.m.start[p+1]]...)
			f.work++
		}
	}
}

// appendLower appends text in lower case, letter by letter as Tokens does it.
// Bytes that aren't UTF-8 stay.
func appendLower(dst []byte, text string) []byte {
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			dst = append(dst, c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 {
			dst = append(dst, c)
		} else {
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		}
		i += size
	}
	return dst
}
