// The default token estimate: pieces of text are priced by script and length.

package budget

import (
	"sort"
	"unicode/utf8"
)

// Estimate counts tokens as two byte-pair vocabularies in common use do,
// cl100k and o200k, whichever needs more, without having either: text falls
// into the pieces that their splitting rules make (a word with the blank before
// it, up to three digits, a run of punctuation, a run of blanks), and each piece
// has a price by its script and length. Words in Latin letters cost more where
// a text has next to none of the commonest words of English, since those
// vocabularies hold English words whole and split others.
//
// The package documentation has the measured errors.
type Estimate struct{}

// Count returns the estimate, 0 only for the empty text. It takes time linear in
// the text, uses integers alone and allocates nothing. Bytes that aren't UTF-8
// count like the replacement character.
func (Estimate) Count(text string) int {
	return (price(text, &prices) + priceUnit - 1) / priceUnit
}

// tally is what has been added up so far.
type tally struct {
	prices  *[classes]int
	total   int
	words   int // words of small letters after a blank
	common  int // of these, those of commonWords
	foreign int // surcharge due if the text turns out not to be English
}

// price adds the prices of all pieces.
func price(text string, prices *[classes]int) int {
	t := tally{prices: prices}
	for i := 0; i < len(text); {
		switch asciiKinds[text[i]] {
		case asciiLetter:
			i += t.word(text, i)
		case asciiDigit:
			n := runLength(text[i:], asciiDigit)
			t.total += (n + 2) / 3 * prices[digits]
			i += n
		case asciiBlank:
			i += t.blanks(text, i)
		case asciiPunct:
			t.total += prices[punctClass(text, i)]
			i++
		case asciiControl:
			t.total += prices[control]
			i++
		default:
			i += t.runes(text, i)
		}
	}
	// English prose has a common word in three, code a keyword in five.
	const fewestWords, commonShare = 4, 9
	if t.words >= fewestWords && t.common*commonShare < t.words {
		t.total += t.foreign
	}
	return t.total
}

// word adds the word that begins at i and returns its length: ASCII letters, up
// to where a capital follows a small letter. Capitals and words that no blank
// precedes are split sooner than others.
func (t *tally) word(text string, i int) int {
	n := 1
	for i+n < len(text) && asciiKinds[text[i+n]] == asciiLetter && !(isUpper(text[i+n]) && !isUpper(text[i+n-1])) {
		n++
	}
	t.total += t.prices[word]
	if n > 5 {
		t.total += min(n-5, 4)*t.prices[letters6to9] + min(max(n-9, 0), 7)*t.prices[letters10to16] + max(n-16, 0)*t.prices[lettersBeyond]
	}
	if n > 2 && isUpper(text[i+1]) {
		t.total += (n - 2) * t.prices[capitals]
	}
	if i > 0 && text[i-1] != ' ' {
		t.total += t.prices[glued]
		return n
	}
	t.words++
	if n <= 6 && isCommonWord(text[i:i+n]) {
		t.common++
	}
	t.foreign += max(n-3, 0) * t.prices[foreignLetter]
	return n
}

// isCommonWord tells the words that mark a text as English or as code; those
// that are frequent in another language too are left out.
func isCommonWord(s string) bool {
	switch s {
	case "the", "The", "of", "and", "to", "that", "it", "It", "I", "is", "are", "with", "be", "by", "or", "not",
		"from", "this", "This", "you", "You", "your", "we", "We", "my", "he", "she", "they", "have", "has", "for", "at",
		"if", "else", "return", "func", "err", "nil", "const", "var", "let", "int", "def", "import", "self", "string", "new":
		return true
	}
	return false
}

// runLength returns how many bytes of the kind text starts with.
func runLength(text string, kind uint8) int {
	n := 1
	for n < len(text) && asciiKinds[text[n]] == kind {
		n++
	}
	return n
}

// blanks adds the run of blanks that begins at i and returns its length. One
// blank before a letter or a punctuation mark belongs to that piece.
func (t *tally) blanks(text string, i int) int {
	n := runLength(text[i:], asciiBlank)
	own := n
	if end := i + n; end < len(text) && text[end-1] == ' ' {
		own--
		switch asciiKinds[text[end]] {
		case asciiDigit:
			t.total += t.prices[blankBeforeDigit]
		case asciiOther:
			t.total += t.prices[blankBeforeOther]
		}
	}
	if own > 0 {
		t.total += t.prices[blanks]
	}
	return n
}

// punctClass tells the first mark of a run from a repeated and another one, and
// a mark inside a word, such as a dot or an underscore in a name, which goes
// with the letters behind it.
func punctClass(text string, i int) int {
	before, after := uint8(asciiBlank), uint8(asciiBlank)
	if i > 0 {
		before = asciiKinds[text[i-1]]
	}
	if i+1 < len(text) {
		after = asciiKinds[text[i+1]]
	}
	switch {
	case before != asciiPunct && before != asciiBlank && after == asciiLetter:
		return punctInWord
	case before != asciiPunct:
		return punct
	case text[i-1] != text[i]:
		return punctOther
	case i >= 4 && text[i-2] == text[i] && text[i-3] == text[i] && text[i-4] == text[i]:
		return punctLine
	default:
		return punctRepeated
	}
}

// runes adds a rune beyond ASCII and its repetitions, which no vocabulary holds,
// and returns their length.
func (t *tally) runes(text string, i int) int {
	r, size := utf8.DecodeRuneInString(text[i:])
	class := runeClass(r)
	t.total += t.prices[class]
	n := size
	for repeats := 0; i+n+size <= len(text) && text[i+n:i+n+size] == text[i:i+size]; n += size {
		if repeats++; repeats > 2 && class <= cyrillic {
			class = repeatedLetter
		}
		t.total += t.prices[class]
	}
	return n
}

// runeClass returns the class of a rune beyond ASCII.
func runeClass(r rune) int {
	i := sort.Search(len(blocks), func(i int) bool { return blocks[i].first > r })
	return blocks[i-1].class
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
