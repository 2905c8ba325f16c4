// This file decides what the words of a passage are when it is classified.

package analysis

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// word is a run of characters between what separates tokens, or the punctuation
// of East Asia. In scripts written without blanks every character, with its
// marks, is a word.
type word struct {
	start, end       int // in the text, from the first letter or digit to the last
	keyStart, keyEnd int // in wordScanner.keys
}

// wordScanner splits texts into words. The key of a word is its letters, marks and
// digits in lower case, so "Don't" and "DON’T" are both "dont". Its buffers are
// used again; keys stay valid.
type wordScanner struct {
	text  string
	words []word
	keys  string
	buf   []byte

	// The word that is being read.
	word   word
	open   bool // there is one
	marked bool // it has a mark
	single bool // it is a character of a script without blanks
}

// key returns what word i is compared by.
func (s *wordScanner) key(i int) string { return s.keys[s.words[i].keyStart:s.words[i].keyEnd] }

// scan replaces what the scanner holds by the words of a text.
func (s *wordScanner) scan(text string) {
	s.text, s.words, s.buf, s.open = text, s.words[:0], s.buf[:0], false
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		s.read(r, i, size)
		i += size
	}
	s.end()
	s.keys = string(s.buf)
}

// read takes the character at byte i.
func (s *wordScanner) read(r rune, i, size int) {
	switch {
	case partsWords(r):
		s.end()
		return
	case !inKey(r):
		return
	case r >= utf8.RuneSelf && unicode.IsMark(r):
		s.marked = true
	default:
		if unspaced := isUnspaced(r); unspaced || s.single {
			s.end()
			s.single = unspaced
		}
	}
	if !s.open {
		s.open = true
		s.word = word{start: i, keyStart: len(s.buf)}
	}
	s.word.end = i + size
	s.buf = appendKey(s.buf, r)
}

// end ends the word that is being read, if any.
func (s *wordScanner) end() {
	if s.open {
		if s.marked { // accents may be characters of their own
			key := norm.NFC.Bytes(s.buf[s.word.keyStart:])
			s.buf = append(s.buf[:s.word.keyStart], key...)
		}
		s.word.keyEnd = len(s.buf)
		s.words = append(s.words, s.word)
	}
	s.open, s.marked, s.single = false, false, false
}

// appendKey appends a character in lower case.
func appendKey(buf []byte, r rune) []byte {
	switch {
	case r >= utf8.RuneSelf:
		return utf8.AppendRune(buf, unicode.ToLower(r))
	case 'A' <= r && r <= 'Z':
		r += 'a' - 'A'
	}
	return append(buf, byte(r))
}

// inKey reports whether a character belongs to the key of a word.
func inKey(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// partsWords reports whether words end at a character.
func partsWords(r rune) bool {
	if r < utf8.RuneSelf {
		return r == ' ' || '\t' <= r && r <= '\r'
	}
	switch r {
	case '、', '。', '，', '！', '？', '；', '：', '・':
		return true
	}
	return isSeparator(r)
}

func isQuoteMark(r rune) bool {
	switch r {
	case '\'', '’', '‘', 'ʼ', '＇', '`', '´':
		return true
	}
	return false
}
