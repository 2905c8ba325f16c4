// Chinese and Japanese, which put no space between words: the words of the
// lexicon are looked for at every character.

package timex

import (
	"unicode"
	"unicode/utf8"
)

// ideographic reports whether a rune is written without spaces around words, so
// that no word of letters reaches over it.
func ideographic(r rune) bool {
	return r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// maxIdeographs is the number of characters of the longest word.
const maxIdeographs = 5

// ideographs reads the longest word of the lexicon that begins at the scanner's
// position, or one character.
func (s *scanner) ideographs(t *token) {
	hash, end := uint32(hashStart), s.pos
	for i := range maxIdeographs {
		_, size := utf8.DecodeRuneInString(s.text[end:])
		if size <= 1 {
			break
		}
		for _, c := range []byte(s.text[end : end+size]) {
			hash = (hash ^ uint32(c)) * hashPrime
		}
		end += size
		if e := s.lex.find(hash, s.text[s.pos:end]); e != nil {
			t.entry, t.kind, t.value, t.end = e, e.kind, int(e.value), end
		} else if i == 0 {
			t.end = end
		}
	}
	s.pos = t.end
}
