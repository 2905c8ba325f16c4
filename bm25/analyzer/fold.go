// Folding of one character: case, accents, width, digits, and the letters that
// are spelled out in ASCII.

package analyzer

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// foldRune appends the folded form of r, a character of text in NFKC, to dst.
func foldRune(t *classTable, dst []byte, r rune) []byte {
	switch c := t.of(r); {
	case r < utf8.RuneSelf:
		return append(dst, lowerASCII(byte(r)))
	case c == ignored:
		return dst
	case c == digit:
		return append(dst, '0'+decimal(r))
	case c == dense || c == mark:
		return utf8.AppendRune(dst, r)
	case distinctCyrillic(r):
		return foldLetter(dst, r)
	}
	var buf [utf8.UTFMax]byte
	parts := norm.NFD.Properties(utf8.AppendRune(buf[:0], r)).Decomposition()
	if parts == nil {
		return foldLetter(dst, r)
	}
	for len(parts) > 0 {
		p, size := utf8.DecodeRune(parts)
		if t.of(p) != ignored {
			dst = foldLetter(dst, p)
		}
		parts = parts[size:]
	}
	return dst
}

// distinctCyrillic reports the composed Cyrillic letters that are letters of
// their alphabet (й, ї, ў) rather than accented ones (ё, ѐ, ѝ): й is not и to
// a reader, but е commonly stands for ё.
func distinctCyrillic(r rune) bool {
	if r < 0x0400 || r > 0x052F {
		return false
	}
	switch r {
	case 'Ѐ', 'Ё', 'Ѝ', 'ѐ', 'ё', 'ѝ':
		return false
	}
	return true
}

// foldLetter appends the case-folded form of a letter without accents.
func foldLetter(dst []byte, r rune) []byte {
	r = foldCase(r)
	if s, ok := spelled(r); ok {
		return append(dst, s...)
	}
	return utf8.AppendRune(dst, r)
}

// foldCase returns the representative of all letters that differ only in case:
// the lower case of the smallest of them (Unicode simple case folding, up to
// the choice of the representative).
func foldCase(r rune) rune {
	least := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		least = min(least, next)
	}
	return unicode.ToLower(least)
}

// spelled returns the spelling of letters that have no decomposition but are
// commonly typed otherwise: ß as in full case folding, the Latin letters with
// strokes and ligatures, and the Arabic letters that keyboards confuse.
func spelled(r rune) (string, bool) {
	switch r {
	case 'ß', 'ẞ':
		return "ss", true
	case 'æ':
		return "ae", true
	case 'œ':
		return "oe", true
	case 'ø':
		return "o", true
	case 'đ', 'ð':
		return "d", true
	case 'þ':
		return "th", true
	case 'ł':
		return "l", true
	case 'ħ':
		return "h", true
	case 'ŧ':
		return "t", true
	case 'ı':
		return "i", true
	case 0x0345: // iota subscript
		return "ι", true
	case 'ى', 'ی':
		return "ي", true
	case 'ک':
		return "ك", true
	case 'ة':
		return "ه", true
	}
	return "", false
}

func lowerASCII(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// decimal returns the value of a decimal digit of any script. Unicode keeps
// them in runs of ten in ascending order (standard, section 4.6), so the value
// follows from the start of the range.
func decimal(r rune) byte {
	for _, x := range unicode.Nd.R16 {
		if rune(x.Lo) <= r && r <= rune(x.Hi) {
			return byte((r - rune(x.Lo)) % 10)
		}
	}
	for _, x := range unicode.Nd.R32 {
		if rune(x.Lo) <= r && r <= rune(x.Hi) {
			return byte((r - rune(x.Lo)) % 10)
		}
	}
	return 0
}
