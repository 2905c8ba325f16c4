// The text under examination: what is redacted already, runs that were measured,
// and what the rule at work has found.

package scrub

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// span is a byte range of the text.
type span struct{ start, end int }

// scan is one examination of one text. To a rule, a hole (a placeholder of the
// input, or what an earlier rule redacted) is where the text is interrupted: its
// brackets belong to no set and are no word characters.
type scan struct {
	text  string
	holes []span // ascending, disjoint
	done  int    // end of the last match of the group of rules at work
	hits  []span // what the rule at work has found
	runs  [setNumbers]run
	walls [len(wallSets)]run
	ends  [len(blockKinds)]blockEnd
	// work counts the characters that rules looked at, to hold the claim of
	// linear time against.
	work  int
	dirty bool // runs, walls or ends were measured
}

// run is a maximal stretch of characters of a set, from where it was first
// asked for; trimmed is its last end at a word border.
type run struct{ start, end, trimmed int }

// reset makes the scan fit for a text.
func (s *scan) reset(text string) {
	s.text, s.holes, s.done, s.hits = text, s.holes[:0], 0, s.hits[:0]
	if s.dirty {
		s.forget()
	}
}

// newScan returns a scan of no text.
func newScan() *scan {
	s := new(scan)
	s.forget()
	return s
}

// forget drops what was measured of a text.
func (s *scan) forget() {
	for i := range s.runs {
		s.runs[i].start = -1
	}
	for i := range s.walls {
		s.walls[i].start = -1
	}
	for i := range s.ends {
		s.ends[i].from = -1
	}
	s.dirty = false
}

// hit records a match.
func (s *scan) hit(start, end int) { s.hits = append(s.hits, span{start, end}) }

// limit returns where the text after pos is interrupted: the next hole, or the
// end.
func (s *scan) limit(pos int) int {
	if len(s.holes) == 0 {
		return len(s.text)
	}
	i, _ := slices.BinarySearchFunc(s.holes, pos, func(h span, pos int) int { return h.start - pos })
	if i < len(s.holes) {
		return s.holes[i].start
	}
	return len(s.text)
}

// floor returns where the text before pos begins: the end of the hole before
// it, or 0.
func (s *scan) floor(pos int) int {
	floor := 0
	if s.done <= pos {
		floor = s.done
	}
	if len(s.holes) == 0 {
		return floor
	}
	i, found := slices.BinarySearchFunc(s.holes, pos, func(h span, pos int) int { return h.end - pos })
	switch {
	case found:
		floor = max(floor, s.holes[i].end)
	case i > 0:
		floor = max(floor, s.holes[i-1].end)
	}
	return floor
}

// inHole reports whether a hole covers pos.
func (s *scan) inHole(pos int) bool {
	if len(s.holes) == 0 {
		return false
	}
	i, found := slices.BinarySearchFunc(s.holes, pos, func(h span, pos int) int { return h.start - pos })
	return found || i > 0 && s.holes[i-1].end > pos
}

// before returns up to n bytes of the text that ends at pos.
func (s *scan) before(pos, n int) string {
	return s.text[max(s.floor(pos), pos-n):pos]
}

// after returns up to n bytes of the text that begins at pos.
func (s *scan) after(pos, n int) string {
	return s.text[pos:min(s.limit(pos), pos+n)]
}

// border reports a word border at pos.
func (s *scan) border(pos int) bool {
	return wordBefore(s.before(pos, utf8.UTFMax)) != wordAfter(s.after(pos, utf8.UTFMax))
}

// begins reports whether a token may begin at pos: not inside a word, unless
// what looks like the word's beginning is an escape.
func (s *scan) begins(pos int) bool {
	before := s.before(pos, 16)
	return !wordBefore(before) || !wordAfter(s.after(pos, utf8.UTFMax)) || escaped(before)
}

// ends reports whether a token may end at pos: not inside a word.
func (s *scan) endsAt(pos int) bool {
	return !wordBefore(s.before(pos, utf8.UTFMax)) || !wordAfter(s.after(pos, utf8.UTFMax)) || s.emphasised(pos)
}

// closes reports a word border at pos, or the end of Markdown's emphasis.
func (s *scan) closes(pos int) bool { return s.border(pos) || s.emphasised(pos) }

// emphasised reports that Markdown's emphasis ends behind pos.
func (s *scan) emphasised(pos int) bool {
	after := s.after(pos, 2+utf8.UTFMax)
	return strings.HasPrefix(after, "__") && !wordAfter(after[2:])
}

// run returns the end of the run of a set at pos, and its last end at a word
// border at or after pos (pos - 1 when there is none). Each run is measured
// once, so that many anchors in one run don't make the work quadratic.
func (s *scan) run(set *set, pos, limit int) (end, trimmed int) {
	r := &s.runs[set.number]
	if r.start < 0 || pos < r.start || pos > r.end {
		*r, s.dirty = run{start: pos, end: pos}, true
		for r.end < len(s.text) {
			size := set.next(s.text[r.end:])
			if size == 0 {
				break
			}
			r.end += size
		}
		s.work += r.end - pos + 1
		r.trimmed = s.trim(pos, r.end)
	}
	if r.end <= limit && r.trimmed >= pos {
		return r.end, r.trimmed
	}
	end = min(r.end, limit)
	return end, s.trim(pos, end)
}

// trim returns the last word border from least to end, or least - 1.
func (s *scan) trim(least, end int) int {
	for end >= least && !s.border(end) {
		end--
		s.work++
	}
	return end
}

// line returns the end of the line at pos, at most n bytes on.
func (s *scan) line(pos, n int) int {
	text := s.after(pos, n)
	for _, end := range [...]byte{'\n', '\r'} {
		if i := strings.IndexByte(text, end); i >= 0 {
			text = text[:i]
		}
	}
	s.work += len(text)
	return pos + len(text)
}
