// Matching of a token format at one of its anchors.

package scrub

import "strings"

// token matches a format. Without loose, its borders are word borders as in the
// reference; with it, the token may also begin or end in a hyphen, and begin
// behind an escape.
type token struct {
	format
	tight bool
	open  bool                     // the match may end inside a word
	skip  int                      // bytes at the start of the match that stay
	check func(secret string) bool // what else must hold; nil: nothing
}

func (t *token) match(s *scan, at int, anchor string, _ int) {
	limit := s.limit(at)
	if limit < at+len(anchor) {
		return
	}
	start := t.back(s, at)
	if start < 0 || !s.begins(start) {
		return
	}
	end := at + len(anchor)
	for i := range t.rest {
		if end = t.step(s, i, end, limit); end < 0 {
			return
		}
	}
	if s.before(start, 2) == "__" && strings.HasSuffix(s.text[start:end], "__") {
		end -= 2
	}
	if !t.open && !s.endsAt(end) || t.tight && !t.open && !s.closes(end) {
		return
	}
	if start += t.skip; t.check == nil || t.check(s.text[start:end]) {
		s.hit(start, end)
	}
}

// back matches the elements before the anchor, from right to left, and returns
// where the match begins, or -1.
func (t *token) back(s *scan, at int) int {
	floor := s.floor(at)
	for i := range t.before {
		e := &t.before[i]
		if e.set == nil {
			if !strings.HasSuffix(s.text[floor:at], e.literal) {
				return -1
			}
			at -= len(e.literal)
			continue
		}
		n := 0
		for n < e.max && at > floor && e.set.ascii.has(s.text[at-1]) {
			at--
			n++
		}
		s.work += n
		if n < e.min {
			return -1
		}
		if n > e.min {
			at += s.foreign(at, min(n-e.min, 6))
		}
	}
	return at
}

// foreign returns how many of the n characters at pos belong to what stands before
// a token: the end of an escape, the __ of Markdown.
func (s *scan) foreign(pos, n int) int {
	for i := 1; i <= n; i++ {
		if escaped(s.before(pos+i, 16)) {
			return i
		}
	}
	return 0
}

// step matches element i at pos and returns its end, or -1.
func (t *token) step(s *scan, i, pos, limit int) int {
	e := &t.rest[i]
	if e.set == nil {
		if !strings.HasPrefix(s.text[pos:limit], e.literal) {
			return -1
		}
		return pos + len(e.literal)
	}
	last := i == len(t.rest)-1 && !t.open
	switch {
	case e.set.other != nil && e.max > 0:
		return t.counted(s, e, pos, limit)
	case e.max > 0:
		return t.bounded(s, e, pos, limit, last)
	}
	return t.unbounded(s, e, pos, limit, last)
}

// counted takes exactly max characters, of which some may have several bytes.
func (t *token) counted(s *scan, e *element, pos, limit int) int {
	for n := 0; n < e.max; n++ {
		size := e.set.next(s.text[pos:limit])
		if size == 0 {
			if n < e.min {
				return -1
			}
			break
		}
		pos += size
	}
	s.work += e.max
	return pos
}

// bounded takes between min and max bytes, and the last element so many that the
// token can end there.
func (t *token) bounded(s *scan, e *element, pos, limit int, last bool) int {
	stop, _ := s.run(e.set, pos, limit)
	end := min(stop, pos+e.max)
	if !last {
		if end-pos < e.min {
			return -1
		}
		return end
	}
	for ; end-pos >= e.min; end-- {
		s.work++
		if t.tight && s.closes(end) || !t.tight && s.endsAt(end) {
			return end
		}
	}
	return -1
}

// unbounded takes the whole run, at least min characters, and of the last one as
// much as a token can end with.
func (t *token) unbounded(s *scan, e *element, pos, limit int, last bool) int {
	least := pos
	for range e.min {
		size := e.set.next(s.text[least:limit])
		if size == 0 {
			return -1
		}
		least += size
	}
	s.work += e.min
	end, trimmed := s.run(e.set, pos, limit)
	if !last {
		return end
	}
	// One hyphen at the end belongs to a random token more often than not, a row
	// of them is a dash.
	if !t.tight && s.endsAt(end) && closesToken(s.text[max(trimmed, pos):end]) {
		return end
	}
	if trimmed < least {
		return -1
	}
	return trimmed
}

// closesToken reports signs that a token may end with.
func closesToken(signs string) bool {
	return signs == "" || len(signs) == 1 && signs != "." || signs == "==" || signs == "==="
}
