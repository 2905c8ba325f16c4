// Standard, the reference's analysis: runs of letters and digits in lower case.

package analyzer

import (
	"unicode"
	"unicode/utf8"
)

// Standard splits text into maximal runs of alphabetic or numeric characters
// (Unicode: derived property Alphabetic, categories Nd, Nl, No) and lower-cases
// each character. It has no stop words, no stemming and no folding of accents.
// The Rust implementation drops words of 40 bytes or more; here they are kept,
// up to 255 bytes as they are and beyond that in the short form the package
// comment describes. Create it with [NewStandard].
type Standard struct {
	classes *classTable
	intern  *internTable
}

// NewStandard returns a Standard analyzer.
func NewStandard() *Standard { return &Standard{classes: classes(), intern: newInternTable()} }

// Name implements [Analyzer].
func (s *Standard) Name() string { return "standard/1 unicode=" + unicode.Version }

// Query implements [Analyzer]: the same terms as Document.
func (s *Standard) Query(dst []string, text string) []string { return s.Document(dst, text) }

// Document implements [Analyzer].
func (s *Standard) Document(dst []string, text string) []string {
	var (
		w   longWord
		buf [MaxTermBytes]byte
		low [2 * utf8.UTFMax]byte
	)
	w.buf = buf[:0]
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			if asciiWord(c) {
				w.writeByte(lowerASCII(c))
			} else {
				dst = s.end(dst, &w)
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case s.classes.isAlphanumeric(r):
			w.write(appendLower(low[:0], r))
		case r == utf8.RuneError && size == 1:
			dst = s.end(dst, &w)
			size = invalidRun(text[i:])
			dst = append(dst, invalidTerm(text[i:i+size]))
		default:
			dst = s.end(dst, &w)
		}
		i += size
	}
	return s.end(dst, &w)
}

// end appends the word under way, if any, and begins a new one.
func (s *Standard) end(dst []string, w *longWord) []string {
	if len(w.buf) > 0 {
		dst = append(dst, s.intern.intern(w.term()))
		w.reset()
	}
	return dst
}

// appendLower appends the full lower case of one character above ASCII. Only İ has a
// lower case of two characters; final sigma depends on context and stays σ.
func appendLower(dst []byte, r rune) []byte {
	if r == 'İ' {
		return append(dst, "i\u0307"...)
	}
	return utf8.AppendRune(dst, unicode.ToLower(r))
}
