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
	intern *internTable
}

// NewStandard returns a Standard analyzer.
func NewStandard() *Standard { return &Standard{intern: newInternTable()} }

// Name implements [Analyzer].
func (s *Standard) Name() string { return "standard/1 unicode=" + unicode.Version }

// Query implements [Analyzer]: the same terms as Document.
func (s *Standard) Query(dst []string, text string) []string { return s.Document(dst, text) }

// Document implements [Analyzer].
func (s *Standard) Document(dst []string, text string) []string {
	var (
		w   longWord
		buf [maxTerm]byte
		low [2 * utf8.UTFMax]byte
	)
	w.buf = buf[:0]
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		if isAlphanumeric(r) {
			w.write(appendLower(low[:0], r))
			i += size
			continue
		}
		dst = s.end(dst, &w)
		if r == utf8.RuneError && size == 1 {
			size = invalidRun(text[i:])
			dst = append(dst, s.intern.intern(invalidTerm(&w, text[i:i+size])))
			w.reset()
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

// isAlphanumeric is the union of the Unicode property Alphabetic (letters, Nl
// and Other_Alphabetic) and the numeric categories.
func isAlphanumeric(r rune) bool {
	if r < utf8.RuneSelf {
		return asciiWord(byte(r))
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.Other_Alphabetic, r)
}

// appendLower appends the full lower case of one character. Only İ has a
// lower case of two characters; final sigma depends on context and stays σ.
func appendLower(dst []byte, r rune) []byte {
	if r < utf8.RuneSelf {
		return append(dst, lowerASCII(byte(r)))
	}
	if r == 'İ' {
		return append(dst, "i\u0307"...)
	}
	return utf8.AppendRune(dst, unicode.ToLower(r))
}
