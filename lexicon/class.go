// This file decides which characters make words, which are passed over, and which
// end a sentence.

package lexicon

import "unicode"

// class is what a character does in a text.
type class uint8

const (
	other   class = iota // punctuation and whatever makes no word
	symbol               // emoji, signs, superscripts: kept as they are written
	word                 // letter or digit of a script written with spaces
	dense                // letter of a script written without spaces
	mark                 // belongs to the character before it
	space                // separates; runs of it equal one space
	newline              // space that ends a line
	dropped              // apostrophes and what can't be seen
)

// classOf returns the class of a character that isn't ASCII. The ranges at the
// beginning are there for speed: they say what the Unicode tables say.
func classOf(r rune) class {
	switch {
	case r >= 0x0300 && r <= 0x036F && r != 0x034F:
		return mark
	case r >= 0x00DF && r <= 0x00F6, r >= 0x03B1 && r <= 0x03C9, r >= 0x0410 && r <= 0x044F, r >= 0x05D0 && r <= 0x05EA,
		r >= 0x1100 && r <= 0x1112, r >= 0x1161 && r <= 0x1175, r >= 0x11A8 && r <= 0x11C2, r >= 0xAC00 && r <= 0xD7A3:
		return word
	case isIdeograph(r), r >= 0x3041 && r <= 0x3096, r >= 0x30A1 && r <= 0x30FA, r >= 0x0E01 && r <= 0x0E2E:
		return dense
	case isApostrophe(r), unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector):
		return dropped
	case r == 0x85 || r == 0x2028 || r == 0x2029:
		return newline
	case unicode.In(r, unicode.White_Space, unicode.Cc):
		return space
	case unicode.Is(unicode.M, r):
		return mark
	case unicode.In(r, unicode.S, unicode.No):
		return symbol
	case isDense(r):
		return dense
	case unicode.In(r, unicode.L, unicode.Nd, unicode.Nl):
		return word
	}
	return other
}

// isIdeograph reports the ideographs that have no other form.
func isIdeograph(r rune) bool {
	return r >= 0x4E00 && r <= 0x9FFF || r >= 0x3400 && r <= 0x4DBF || r >= 0x20000 && r <= 0x2A6DF
}

// isDense reports letters of the scripts that don't separate words, with the
// iteration and length marks of Han and Kana.
func isDense(r rune) bool {
	switch {
	case r >= 0x3005 && r <= 0x3007, r >= 0x3031 && r <= 0x3035, r == 0x303B, r == 0x303C, r == 0x30FC, r == 0xFF70:
		return true
	}
	return unicode.In(r, unicode.L, unicode.Nl) && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// isApostrophe reports the signs that people type for an apostrophe, which also
// serve as single quotes, and the letters that stand for one.
func isApostrophe(r rune) bool {
	switch r {
	case '\'', '`', 0x00B4, 0x02B9, 0x02BB, 0x02BC, 0x02BD, 0x02C8, 0x02CA, 0x02CB, 0x055A, 0x05F3,
		0x2018, 0x2019, 0x201B, 0x2032, 0x2035, 0xA78B, 0xA78C, 0xFF07, 0xFF40:
		return true
	}
	return false
}

// endsSentence reports the characters, folded and without the full stop, that
// end a sentence wherever they stand.
func endsSentence(r rune) bool {
	switch r {
	case '!', '?', ';', '\n':
		return true
	}
	return r >= 0x80 && unicode.Is(unicode.Sentence_Terminal, r)
}
