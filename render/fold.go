// Letters that look like Latin ones.

package render

// foldLetter returns the lower-case Latin letter that r is, or looks like, and 0
// otherwise: full-width and mathematical letters, and the letters of Cyrillic and
// Greek that Unicode Technical Standard #39 calls confusable with one.
func foldLetter(r rune) byte {
	switch {
	case 'a' <= r && r <= 'z':
		return byte(r)
	case 'A' <= r && r <= 'Z':
		return byte(r) | 0x20
	case r < 0x80:
		return 0
	case 'Ａ' <= r && r <= 'Ｚ':
		return byte(r-'Ａ') + 'a'
	case 'ａ' <= r && r <= 'ｚ':
		return byte(r-'ａ') + 'a'
	case 0x1D400 <= r && r <= 0x1D6A3:
		return byte((r-0x1D400)%26) + 'a'
	case 'Ⓐ' <= r && r <= 'Ⓩ':
		return byte(r-'Ⓐ') + 'a'
	case 'ⓐ' <= r && r <= 'ⓩ':
		return byte(r-'ⓐ') + 'a'
	}
	return lookalikes[r]
}

var lookalikes = map[rune]byte{
	'а': 'a', 'А': 'a', 'α': 'a', 'Α': 'a', 'В': 'b', 'Β': 'b', 'с': 'c', 'С': 'c', 'ԁ': 'd', 'е': 'e', 'Е': 'e', 'Ε': 'e',
	'һ': 'h', 'Н': 'h', 'Η': 'h', 'і': 'i', 'І': 'i', 'ı': 'i', 'Ι': 'i', 'ι': 'i', 'ј': 'j', 'Ј': 'j', 'К': 'k', 'к': 'k', 'Κ': 'k',
	'ӏ': 'l', 'Ӏ': 'l', 'м': 'm', 'М': 'm', 'Μ': 'm', 'п': 'n', 'Ν': 'n', 'о': 'o', 'О': 'o', 'ο': 'o', 'Ο': 'o', 'р': 'p', 'Р': 'p',
	'ρ': 'p', 'Ρ': 'p', 'ѕ': 's', 'Ѕ': 's', 'т': 't', 'Т': 't', 'Τ': 't', 'τ': 't', 'υ': 'u', 'ѵ': 'v', 'ν': 'v', 'ԝ': 'w', 'х': 'x',
	'Х': 'x', 'χ': 'x', 'Χ': 'x', 'у': 'y', 'У': 'y', 'ү': 'y', 'Υ': 'y', 'Ζ': 'z', 'ſ': 's', 'ꜱ': 's',
}
