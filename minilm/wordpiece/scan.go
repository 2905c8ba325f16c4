// Cutting text into words: literals first, then characters by their classes, each
// word normalised into a buffer.

package wordpiece

import "unicode/utf8"

// scanner holds the place in a text and the word last read.
type scanner struct {
	text string
	pos  int // first byte not read

	start, end int   // place of the word in the text
	literal    int32 // id of the literal that the word is, or None
	tooLong    bool  // the word has more characters than are looked up
	n          int   // the normalised word is buf[:n]
	runes      int   // its characters
	work       int   // bytes read in the table so far

	// buf has room for the longest word, and for the two characters more that may
	// be written before it is known to be too long: one plain, one of three.
	buf [(largestMaxWordRunes + 4) * utf8.UTFMax]byte
}

// next reads the next word and reports whether there is one. Every byte is read
// once here, but for the few that a literal might have begun with.
func (t *Tokenizer) next(s *scanner) bool {
	s.literal, s.tooLong, s.n, s.runes = None, false, 0, 0
	for s.pos < len(s.text) {
		b := s.text[s.pos]
		if t.plain[b] != 0 {
			t.word(s)
			return true
		}
		if t.class[b] == spaces {
			s.pos++
			continue
		}
		if id, n := t.literalAt(s); n > 0 {
			s.literal = id
			s.place(n)
			return true
		}
		r, size := utf8.DecodeRuneInString(s.text[s.pos:])
		value := property(r)
		switch t.effects[value&classMask] {
		case joins:
			t.word(s)
			return true
		case splits:
			t.write(s, r, value, size)
			s.place(size)
			return true
		}
		s.pos += size
	}
	return false
}

// place says that the word is the next size bytes, and goes past them.
func (s *scanner) place(size int) {
	s.start = s.pos
	s.pos += size
	s.end = s.pos
}

// literalAt returns the longest literal that stands here and its length, 0 if there
// is none.
func (t *Tokenizer) literalAt(s *scanner) (id int32, n int) {
	if t.class[s.text[s.pos]]&opens == 0 {
		return None, 0
	}
	id, n, read := longest(t.table, asLiteral, s.text[s.pos:])
	s.work += read
	return id, n
}

// word reads the word whose first character is the next one. Of a word that is too
// long it keeps nothing, but goes on to the end.
func (t *Tokenizer) word(s *scanner) {
	s.start = s.pos
	for {
		t.plainRun(s)
		more := s.pos < len(s.text) && t.joined(s)
		if s.runes > t.maxRunes {
			s.tooLong = true
			s.n, s.runes = 0, 0
		}
		if !more {
			return
		}
	}
}

// plainRun reads bytes that are characters by themselves, no more of them than
// make the word too long.
func (t *Tokenizer) plainRun(s *scanner) {
	in := s.text[s.pos:]
	in = in[:min(len(in), t.maxRunes+1-s.runes)]
	out := s.buf[s.n:]
	i := 0
	for i < len(in) && i < len(out) {
		c := t.plain[in[i]]
		if c == 0 {
			break
		}
		out[i] = c
		i++
	}
	if i > 0 {
		s.pos += i
		s.n += i
		s.runes += i
		s.end = s.pos
	}
}

// joined reads one character of any kind and reports whether the word goes on; if
// not, the character is left for the next word.
func (t *Tokenizer) joined(s *scanner) bool {
	switch t.class[s.text[s.pos]] {
	case spaces, splits:
		return false
	}
	if _, n := t.literalAt(s); n > 0 {
		return false
	}
	r, size := utf8.DecodeRuneInString(s.text[s.pos:])
	value := property(r)
	switch t.effects[value&classMask] {
	case spaces, splits:
		return false
	case joins:
		t.write(s, r, value, size)
		s.end = s.pos + size
	}
	s.pos += size
	return true
}

// write adds the character that stands here to the normalised word.
func (t *Tokenizer) write(s *scanner, r rune, value uint16, size int) {
	out := s.buf[s.n:]
	switch {
	case t.cased || value <= classMask && value != hangul:
		s.n += copy(out, s.text[s.pos:s.pos+size])
		s.runes++
	case value == hangul:
		n, jamo := appendJamo(out, r)
		s.n += n
		s.runes += jamo
	default:
		text := mapped(value)
		s.n += copy(out, text)
		s.runes += utf8.RuneCountInString(text)
	}
}
