// Character sets and word borders.

package scrub

import (
	"unicode"
	"unicode/utf8"
)

// set is a set of characters: ASCII by table, the others by a predicate.
type set struct {
	ascii asciiSet
	other func(rune) bool // nil: none
}

type asciiSet [2]uint64

// chars reads a set such as "A-Za-z_-"; a hyphen at the end is itself.
func chars(spec string) asciiSet {
	var s asciiSet
	for i := 0; i < len(spec); i++ {
		lo, hi := spec[i], spec[i]
		if i+2 < len(spec) && spec[i+1] == '-' {
			hi = spec[i+2]
			i += 2
		}
		for c := lo; c <= hi; c++ {
			s[c>>6] |= 1 << (c & 63)
		}
	}
	return s
}

// next returns the length of the first character of text when it is in the
// set, and 0 otherwise.
func (s *set) next(text string) int {
	if text == "" {
		return 0
	}
	if c := text[0]; c < utf8.RuneSelf {
		return int(s.ascii[c>>6] >> (c & 63) & 1)
	}
	if s.other == nil {
		return 0
	}
	r, size := utf8.DecodeRuneInString(text)
	if r == utf8.RuneError && size == 1 || !s.other(r) {
		return 0
	}
	return size
}

func isDigit(r rune) bool { return unicode.Is(unicode.Nd, r) }

func isBlank(r rune) bool { return unicode.Is(unicode.White_Space, r) }

// isWord reports the word characters of Unicode Technical Standard #18, annex
// C: alphabetic characters, marks, decimal digits, connectors, joiners.
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '_' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Other_Alphabetic, unicode.Pc, unicode.Join_Control)
}

// wordBefore reports a word character that ends text.
func wordBefore(text string) bool {
	r, size := utf8.DecodeLastRuneInString(text)
	return size > 0 && !(r == utf8.RuneError && size == 1) && isWord(r)
}

// wordAfter reports a word character that begins text.
func wordAfter(text string) bool {
	r, size := utf8.DecodeRuneInString(text)
	return size > 0 && !(r == utf8.RuneError && size == 1) && isWord(r)
}
