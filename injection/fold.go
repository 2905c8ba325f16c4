// Folding: what a character counts as when words are compared.

package injection

import "unicode"

// The results of fold that aren't letters.
const (
	skip  rune = -1 // as if it weren't there
	apart rune = 0  // ends a word
)

// asciiFold maps letters to lower case, and the digits and signs that stand for letters to these.
var asciiFold = foldASCII("0o1i3e4a5s7t@a$s")

func foldASCII(digits string) (table [128]byte) {
	for c := 'a'; c <= 'z'; c++ {
		table[c], table[c-'a'+'A'] = byte(c), byte(c)
	}
	for c := '0'; c <= '9'; c++ {
		table[c] = byte(c)
	}
	for i := 0; i < len(digits); i += 2 {
		table[digits[i]] = digits[i+1]
	}
	return table
}

// alphabetFold maps the letters of U+0080 to U+04FF: accents are taken off, capitals made
// small, and Cyrillic and Greek letters that look like Latin ones become these (Unicode Technical Standard #39).
var alphabetFold = foldAlphabets("aàáâãäåāăąǎаα bвβ cçćĉċčсϲ dďđԁ eèéêëēĕėęěеёεє fƒ gĝğġģ hĥħнһη iìíîïĩīĭįǐıіїι jĵј kķкκ lĺļľłӏ mмμ nñńņňŉ oòóôõöøōŏőǒоοσ pрρ rŕŗřг sśŝşšșѕ tţťțтτ uùúûüũūŭůűųǔυ vνѵ wŵԝω xхχ yýÿŷуү zźżžζ")

func foldAlphabets(groups string) (table [0x500 - 0x80]rune) {
	for i := range table {
		if r := rune(i + 0x80); unicode.IsLetter(r) {
			table[i] = unicode.ToLower(r)
		}
	}
	var letter rune
	for _, r := range groups {
		switch {
		case r == ' ':
			letter = 0
		case letter == 0:
			letter = r
		case r < 0x500:
			table[r-0x80] = letter
			if upper := unicode.ToUpper(r); 0x80 <= upper && upper < 0x500 {
				table[upper-0x80] = letter
			}
		}
	}
	return table
}

// fold returns the folded letter, skip or apart.
func fold(r rune) rune {
	switch {
	case r < 0x80:
		return rune(asciiFold[r&0x7F])
	case r == 0xAD, 0x300 <= r && r <= 0x36F, r == '’':
		return skip
	case r < 0x500:
		return alphabetFold[r-0x80]
	case 0x1E00 <= r && r <= 0x1EFF:
		return vietnamese(r)
	case 0x200B <= r && r <= 0x200F, 0x202A <= r && r <= 0x202E, 0x2060 <= r && r <= 0x2069, 0xFE00 <= r && r <= 0xFE0F, r == 0xFEFF:
		return skip
	case 0xE0000 <= r && r <= 0xE01EF:
		return skip
	}
	if 0x3041 <= r && r <= 0x9FFF || 0xAC00 <= r && r <= 0xD7A3 {
		return r // kana, ideographs, syllables
	}
	if letter := styled(r); letter != 0 {
		return letter
	}
	if unicode.IsLetter(r) {
		return r
	}
	return apart
}

// vietnamese takes the accents off the letters of Latin Extended Additional that have a vowel below them.
func vietnamese(r rune) rune {
	switch {
	case 0x1EA0 <= r && r <= 0x1EB7:
		return 'a'
	case 0x1EB8 <= r && r <= 0x1EC7:
		return 'e'
	case 0x1EC8 <= r && r <= 0x1ECB:
		return 'i'
	case 0x1ECC <= r && r <= 0x1EE3:
		return 'o'
	case 0x1EE4 <= r && r <= 0x1EF1:
		return 'u'
	}
	return unicode.ToLower(r)
}

// styled maps full-width, circled and mathematical letters to plain ones.
func styled(r rune) rune {
	switch {
	case 'Ａ' <= r && r <= 'Ｚ':
		return r - 'Ａ' + 'a'
	case 'ａ' <= r && r <= 'ｚ':
		return r - 'ａ' + 'a'
	case 'Ⓐ' <= r && r <= 'Ⓩ':
		return r - 'Ⓐ' + 'a'
	case 'ⓐ' <= r && r <= 'ⓩ':
		return r - 'ⓐ' + 'a'
	case 0x1D400 <= r && r <= 0x1D6A3:
		return (r-0x1D400)%26 + 'a'
	}
	return 0
}

// The hash of a word is that of its folded letters (FNV-1a, 64 bits).
const (
	hashStart uint64 = 14695981039346656037
	hashPrime uint64 = 1099511628211
)

func hashOf(word string) uint64 {
	h := hashStart
	for _, r := range word {
		if f := fold(r); f > apart {
			h = (h ^ uint64(f)) * hashPrime
		}
	}
	return h
}
