// Sets of characters, and where a token may begin and end.

package scrub

import (
	"unicode"
	"unicode/utf8"
)

// set is a set of characters: ASCII by table, the others by a predicate. Its
// number tells the runs of one set from those of another.
type set struct {
	number int
	ascii  asciiSet
	other  func(rune) bool // nil: none
}

type asciiSet [2]uint64

func (s *asciiSet) has(c byte) bool {
	return c < utf8.RuneSelf && s[c>>6]>>(c&63)&1 != 0
}

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

// joins reports a character that makes one word with a token beside it. In the
// scripts that write without blanks a neighbour says nothing: "密钥是AKIA…".
func joins(r rune) bool {
	if r < utf8.RuneSelf {
		return isWord(r)
	}
	return isWord(r) && r != 'ー' && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// wordBefore reports a word character that ends text.
func wordBefore(text string) bool {
	if text == "" {
		return false
	}
	if c := text[len(text)-1]; c < utf8.RuneSelf {
		return joins(rune(c))
	}
	r, size := utf8.DecodeLastRuneInString(text)
	return !(r == utf8.RuneError && size == 1) && joins(r)
}

// wordAfter reports a word character that begins text.
func wordAfter(text string) bool {
	if text == "" {
		return false
	}
	if c := text[0]; c < utf8.RuneSelf {
		return joins(rune(c))
	}
	r, size := utf8.DecodeRuneInString(text)
	return !(r == utf8.RuneError && size == 1) && joins(r)
}

// escaped reports whether text ends in an escape whose last character looks
// like a part of the word that follows: \n, \t, \u0022, %3D, a terminal's
// colour, =3D, the __ of Markdown. Transcripts and logs are full of tokens behind such an escape.
func escaped(text string) bool {
	n := len(text)
	if n < 2 {
		return false
	}
	switch c := text[n-1]; {
	case text[n-2] == '\\':
		return c == 'n' || c == 'r' || c == 't' || c == 'b' || c == 'f'
	case c == 'm':
		i := n - 2
		for i > 0 && n-i < 12 && (isDecimal(text[i]) || text[i] == ';') {
			i--
		}
		return i > 0 && text[i] == '[' && text[i-1] == 0x1b
	case n >= 3 && text[n-3] == '%':
		return isHex(text[n-2]) && isHex(c)
	case n >= 3 && text[n-3] == '=':
		return text[n-2] == '3' && c == 'D' || text[n-2] == '2' && c == '2' // of quoted-printable
	case c == '_' && text[n-2] == '_': // emphasis of Markdown
		return !wordBefore(text[:n-2])
	case n >= 6 && text[n-6] == '\\' && text[n-5] == 'u':
		return isHex(text[n-4]) && isHex(text[n-3]) && isHex(text[n-2]) && isHex(c)
	}
	return false
}

func isDecimal(c byte) bool { return '0' <= c && c <= '9' }

func isHex(c byte) bool { return isDecimal(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

func isLetter(c byte) bool { return isLower(c | 0x20) }

func lower(c byte) byte {
	if isUpper(c) {
		return c | 0x20
	}
	return c
}

// equalFold compares ASCII text with a lower-case literal of the same length.
func equalFold(text, literal string) bool {
	for i := range len(text) {
		if lower(text[i]) != literal[i] {
			return false
		}
	}
	return true
}

// hasPrefixFold reports whether text begins with a lower-case literal in any
// ASCII case.
func hasPrefixFold(text, literal string) bool {
	return len(text) >= len(literal) && equalFold(text[:len(literal)], literal)
}
