// Chinese and Japanese, which put no space between words.

package timex

import "unicode"

// ideographic reports whether a rune is written without spaces around words, so
// that it is a word of its own to the scanner.
func ideographic(r rune) bool {
	return r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

// ideographs reads the word that begins at the scanner's position.
func (s *scanner) ideographs(t *token) {
	for i := range s.text[s.pos:] {
		if i > 0 {
			t.end = s.pos + i
			s.pos = t.end
			return
		}
	}
	t.end = len(s.text)
	s.pos = t.end
}
