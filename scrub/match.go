// Matching of one rule at one place, on a text in which some spans are already
// redacted. Every run of characters is measured once, so that many anchors in
// one run don't make the work quadratic.

package scrub

import (
	"slices"
	"strings"
)

// span is a byte range of the text.
type span struct{ start, end int }

// view is a text with holes: the spans that earlier rules redacted. To later
// rules a hole reads as "[REDACTED:…]", whose brackets belong to no set and are
// no word characters.
type view struct {
	text  string
	holes []span // ascending, disjoint
}

// limit returns where the text after pos is interrupted: the next hole, or the
// end.
func (v *view) limit(pos int) int {
	i, _ := slices.BinarySearchFunc(v.holes, pos, func(h span, pos int) int { return h.start - pos })
	if i < len(v.holes) {
		return v.holes[i].start
	}
	return len(v.text)
}

// floor returns where the text before pos begins: the end of the hole before
// it, or 0.
func (v *view) floor(pos int) int {
	i, _ := slices.BinarySearchFunc(v.holes, pos, func(h span, pos int) int { return h.start - pos })
	if i > 0 {
		return v.holes[i-1].end
	}
	return 0
}

// border reports a word border at pos, which lies in no hole.
func (v *view) border(pos int) bool {
	return wordBefore(v.text[v.floor(pos):pos]) != wordAfter(v.text[pos:v.limit(pos)])
}

// matcher matches one rule. It remembers the runs it measured.
type matcher struct {
	rule *rule
	runs []span // the last run of each element
	end  blockEnd
}

func newMatcher(r *rule) matcher {
	m := matcher{rule: r, runs: make([]span, len(r.rest))}
	m.forget()
	return m
}

// forget drops what was measured, for another view.
func (m *matcher) forget() {
	for i := range m.runs {
		m.runs[i] = span{-1, -1}
	}
	m.end = blockEnd{from: -1}
}

// match returns the end of the match that begins with an anchor of n bytes at
// start, or -1.
func (m *matcher) match(v *view, start, n int) int {
	if v.limit(start) < start+n {
		return -1
	}
	if m.rule.block != nil {
		return m.matchBlock(v, start+n)
	}
	if !v.border(start) {
		return -1
	}
	pos := start + n
	limit := v.limit(pos)
	for i := range m.rule.rest {
		e := &m.rule.rest[i]
		last := i == len(m.rule.rest)-1
		switch {
		case e.set == nil:
			if !strings.HasPrefix(v.text[pos:limit], e.literal) {
				return -1
			}
			pos += len(e.literal)
		case e.max > 0:
			pos = m.counted(v, e, pos, limit, last && !m.rule.openEnd)
		default:
			pos = m.open(v, i, pos, limit, last && !m.rule.openEnd)
		}
		if pos < 0 {
			return -1
		}
	}
	if !m.rule.openEnd && !v.border(pos) {
		return -1
	}
	return pos
}

// counted takes between min and max characters; the end must be a border when
// border is set.
func (m *matcher) counted(v *view, e *element, pos, limit int, border bool) int {
	best := -1
	for n := 0; ; n++ {
		if n >= e.min && (!border || v.border(pos)) {
			best = pos
		}
		size := e.set.next(v.text[pos:limit])
		if n == e.max || size == 0 {
			return best
		}
		pos += size
	}
}

// open takes the whole run of element i, at least min characters; when border
// is set, as much of it as ends at a border.
func (m *matcher) open(v *view, i, pos, limit int, border bool) int {
	e := &m.rule.rest[i]
	run := &m.runs[i]
	if pos < run.start || pos > run.end {
		end := pos
		for size := e.set.next(v.text[end:limit]); size > 0; size = e.set.next(v.text[end:limit]) {
			end += size
		}
		*run = span{pos, end}
	}
	least := pos
	for range e.min {
		size := e.set.next(v.text[least:run.end])
		if size == 0 {
			return -1
		}
		least += size
	}
	end := run.end
	for border && end >= least && !v.border(end) {
		end--
	}
	if end < least {
		return -1
	}
	return end
}

// blockEnd remembers a search for the end of a block: from is where it began
// (-1: none yet), at where the end marker stands, or the length of the text.
type blockEnd struct{ from, at, end int }

// matchBlock matches a block whose anchor ends at pos. Without an end marker it
// extends to the end of the text, provided that it holds key material: prose
// may quote the marker alone.
func (m *matcher) matchBlock(v *view, pos int) int {
	b := m.rule.block
	pos = markerEnd(v, pos, b.close)
	if pos < 0 {
		return -1
	}
	if m.end.from < 0 || pos < m.end.from || pos > m.end.at {
		m.end = findBlockEnd(v, b, pos)
	}
	if m.end.at == len(v.text) && !b.holdsKey(v.text[pos:v.limit(pos)]) {
		return -1
	}
	return m.end.end
}

// holdsKey reports whether body begins, after whatever separates it from the
// marker (blanks, line ends, escaped ones, quotes, other signs), with a run of
// base64 or with a header of an encrypted key.
func (b *block) holdsKey(body string) bool {
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case c == '\\':
			i++ // an escaped line end
		case alnum.next(body[i:]) > 0:
			n := 0
			for n < b.least && b.body.next(body[i+n:]) > 0 {
				n++
			}
			return n == b.least || slices.ContainsFunc(b.headers, func(h string) bool {
				return strings.HasPrefix(body[i:], h)
			})
		}
	}
	return false
}

func findBlockEnd(v *view, b *block, from int) blockEnd {
	for pos := from; ; {
		i := strings.Index(v.text[pos:], b.end)
		if i < 0 {
			return blockEnd{from, len(v.text), len(v.text)}
		}
		at := pos + i
		pos = at + len(b.end)
		if v.floor(at) > at || v.limit(at) < pos { // the marker itself was redacted
			continue
		}
		if end := markerEnd(v, pos, b.close); end >= 0 {
			return blockEnd{from, at, end}
		}
	}
}

// markerEnd returns the end of a marker line whose fixed beginning ends at pos:
// capitals and blanks that end in the words of close, then its dashes.
func markerEnd(v *view, pos int, close string) int {
	words := strings.TrimRight(close, "-")
	limit := v.limit(pos)
	end := pos
	for end < limit && (v.text[end] == ' ' || 'A' <= v.text[end] && v.text[end] <= 'Z') {
		end++
	}
	if !strings.HasSuffix(v.text[pos:end], words) || !strings.HasPrefix(v.text[end:limit], close[len(words):]) {
		return -1
	}
	return end + len(close) - len(words)
}
