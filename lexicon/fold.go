// This file decides which spellings are one: folded, they are the same bytes.
//
// Folding is Unicode's caseless matching (standard, section 3.13: full case
// folding of the NFKD form) with these differences: apostrophes and what can't be
// seen are dropped, runs of white space and control characters are one space,
// hyphens are one, and symbols (™, ², ①) keep their form, since a sign after a
// word must not change the word.
//
// So that a search finds words and not parts of words, the first character of a
// word is written apart from the others. After folding the codes for capitals and
// controls are free:
//
//	a … z          at the beginning of a word: A … Z
//	0 … 9          at the beginning of a word: bytes 10 … 19 (hexadecimal)
//	other letters  at the beginning of a word: byte 01, then the letter in UTF-8
//	white space    ' ', or '\n' where it holds the end of a line
//
// A letter of a script written without spaces isn't part of a word in this sense,
// and a mark belongs to what it follows.

package lexicon

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// wideBegin stands before a letter that isn't ASCII and begins a word;
// digitBegin is the code of a 0 that does.
const (
	wideBegin  = 0x01
	digitBegin = 0x10
)

// What ASCII characters fold to at the beginning of a word and inside of one; 0
// where they are dropped. Other characters than letters and digits are the same
// in both.
var (
	asciiBegin  = asciiForms(true)
	asciiInside = asciiForms(false)
)

func asciiForms(begin bool) (forms [utf8.RuneSelf]byte) {
	for c := range forms {
		b := byte(c)
		switch {
		case 'A' <= b && b <= 'Z':
			b += 'a' - 'A'
		case b == '\n' || b == '\r' || b == '\v' || b == '\f':
			b = '\n'
		case b < ' ' || b == 0x7F:
			b = ' '
		case isApostrophe(rune(b)):
			b = 0
		}
		switch {
		case begin && 'a' <= b && b <= 'z':
			b -= 'a' - 'A'
		case begin && '0' <= b && b <= '9':
			b = b - '0' + digitBegin
		}
		forms[c] = b
	}
	return forms
}

// folder folds a text piece by piece. With trace it keeps where every byte comes
// from.
type folder struct {
	out    []byte
	inWord bool // the last character belongs to a word
	trace  bool
	from   []span     // the bytes of the text that made each byte of out
	iter   *norm.Iter // made when it is needed
}

// span is a range of bytes, [start, end).
type span struct{ start, end int }

// foldKey returns the folded form of a pattern.
func foldKey(pattern string) string {
	var f folder
	f.fold(pattern)
	return strings.ReplaceAll(strings.Trim(string(f.out), " \n"), "\n", " ")
}

// fold replaces what the folder holds by the folded form of s.
func (f *folder) fold(s string) {
	f.out, f.from, f.inWord = f.out[:0], f.from[:0], false
	for i := 0; i < len(s); {
		switch r, size := utf8.DecodeRuneInString(s[i:]); {
		case r < utf8.RuneSelf:
			i = f.ascii(s, i)
		case isIdeograph(r):
			f.inWord = false
			f.write(span{i, i + size}, s[i:i+size])
			i += size
		default:
			i = f.wide(s, i, r, size)
		}
	}
}

// ascii folds the ASCII characters from i on and returns where they end.
func (f *folder) ascii(s string, i int) int {
	f.out = slices.Grow(f.out, len(s)-i)
	if f.trace {
		for ; i < len(s) && s[i] < utf8.RuneSelf; i++ {
			f.asciiByte(s[i], span{i, i + 1})
		}
		return i
	}
	out, inWord := f.out, f.inWord
	for ; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf {
			break
		}
		b := asciiBegin[c]
		if inWord {
			b = asciiInside[c]
		}
		switch {
		case b > ' ':
			inWord = b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
			out = append(out, b)
		case b >= digitBegin && b < digitBegin+10:
			inWord = true
			out = append(out, b)
		case b != 0:
			inWord = false
			out = appendSpace(out, b)
		}
	}
	f.out, f.inWord = out, inWord
	return i
}

// appendSpace appends ' ' or '\n' unless white space is there already.
func appendSpace(out []byte, b byte) []byte {
	last := len(out) - 1
	if last < 0 || out[last] != ' ' && out[last] != '\n' {
		return append(out, b)
	}
	if b == '\n' {
		out[last] = b
	}
	return out
}

// asciiByte folds one ASCII character.
func (f *folder) asciiByte(c byte, at span) {
	b := asciiBegin[c]
	if f.inWord {
		b = asciiInside[c]
	}
	switch b {
	case 0:
	case ' ', '\n':
		f.space(b, at)
	default:
		f.inWord = isWordByte(b)
		f.out = append(f.out, b)
		f.traced(at)
	}
}

// isWordByte reports the bytes of folded text that are ASCII letters or digits,
// at the beginning of a word or inside.
func isWordByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b >= digitBegin && b < digitBegin+10
}

func (f *folder) space(b byte, at span) {
	f.inWord = false
	f.out = appendSpace(f.out, b)
	if f.trace && len(f.from) == len(f.out) {
		f.from[len(f.from)-1].end = at.end
		return
	}
	f.traced(at)
}

func (f *folder) write(at span, s string) {
	f.out = append(f.out, s...)
	f.traced(at)
}

// traced notes that the bytes of out that have no origin yet come from at.
func (f *folder) traced(at span) {
	for f.trace && len(f.from) < len(f.out) {
		f.from = append(f.from, at)
	}
}

// wide folds the character r at i, which isn't ASCII, together with the marks that
// follow it, and returns where they end.
func (f *folder) wide(s string, i int, r rune, size int) int {
	end := i + size
	form := norm.NFKD
	switch classOf(r) {
	case dropped:
		return end
	case space:
		f.space(' ', span{i, end})
		return end
	case newline:
		f.space('\n', span{i, end})
		return end
	case symbol:
		form = norm.NFD
	}
	marks := marksEnd(s, end)
	at := span{i, marks}
	switch {
	case r >= hangulFirst && r <= hangulLast && marks == end:
		f.hangul(r, at)
	case marks == end:
		f.alone(form, s[i:end], r, at)
	default:
		f.cluster(form, s[i:marks], at)
	}
	return marks
}

// marksEnd returns where the marks that begin at i end.
func marksEnd(s string, i int) int {
	for i < len(s) && s[i] >= utf8.RuneSelf {
		r, size := utf8.DecodeRuneInString(s[i:])
		if classOf(r) != mark {
			break
		}
		i += size
	}
	return i
}

// Syllables of Hangul are composed of the letters that begin at these codes
// (Unicode standard, section 3.12).
const (
	hangulFirst, hangulLast = 0xAC00, 0xD7A3
	leading, vowel, final   = 0x1100, 0x1161, 0x11A7
	vowels, finals          = 21, 28
)

// hangul writes the letters of a syllable.
func (f *folder) hangul(r rune, at span) {
	r -= hangulFirst
	f.letter(leading+r/(vowels*finals), at)
	f.letter(vowel+r/finals%vowels, at)
	if r%finals != 0 {
		f.letter(final+r%finals, at)
	}
}

// alone folds a character without marks, which text consists of.
func (f *folder) alone(form norm.Form, text string, r rune, at span) {
	parts := form.PropertiesString(text).Decomposition()
	if parts == nil {
		f.character(r, at)
		return
	}
	for len(parts) > 0 {
		r, size := utf8.DecodeRune(parts)
		f.character(r, at)
		parts = parts[size:]
	}
}

// cluster folds a text that has to be brought into the normal form as a whole: a
// character with marks, whose order may differ.
func (f *folder) cluster(form norm.Form, text string, at span) {
	if form.QuickSpanString(text) == len(text) {
		for _, r := range text {
			f.character(r, at)
		}
		return
	}
	if f.iter == nil {
		f.iter = new(norm.Iter)
	}
	f.iter.InitString(form, text)
	for !f.iter.Done() {
		for segment := f.iter.Next(); len(segment) > 0; {
			r, size := utf8.DecodeRune(segment)
			f.character(r, at)
			segment = segment[size:]
		}
	}
}

// character folds a character of normalised text.
func (f *folder) character(r rune, at span) {
	r = foldCase(r)
	if r < utf8.RuneSelf {
		f.asciiByte(byte(r), at)
		return
	}
	if r == 'ß' {
		f.asciiByte('s', at)
		f.asciiByte('s', at)
		return
	}
	switch classOf(r) {
	case dropped:
	case space:
		f.space(' ', at)
	case newline:
		f.space('\n', at)
	case word:
		f.letter(r, at)
	case mark:
		f.rune(r, at)
	default:
		f.inWord = false
		f.rune(r, at)
	}
}

// letter writes a folded letter that belongs to a word.
func (f *folder) letter(r rune, at span) {
	if !f.inWord {
		f.out = append(f.out, wideBegin)
	}
	f.inWord = true
	f.rune(r, at)
}

func (f *folder) rune(r rune, at span) {
	f.out = utf8.AppendRune(f.out, r)
	f.traced(at)
}

// foldCase returns one character for all that differ in case alone: simple case
// folding up to the choice of the character, ß for the only letter of NFKD text
// that full case folding spells out. Hyphens become '-'.
func foldCase(r rune) rune {
	switch {
	case r >= 'а' && r <= 'я', r >= 0x0300 && r <= 0x0344, r >= 0x0E00 && r <= 0x0EFF, r >= 0x3040 && r <= 0x30FF, r < utf8.RuneSelf:
		return r // also capitals of ASCII, which the tables fold
	case r == 0x2010: // to which the others decompose
		return '-'
	case r == 'ı': // no case pair of i but in Turkish
		return r
	case r == 'ẞ':
		return 'ß'
	case r == 'ß':
		return r
	}
	return unicode.ToLower(unicode.ToUpper(r))
}
