// What each character is to the tokenizer: the classes, and how a character of
// more than one byte is looked up in the two-stage tables.

package wordpiece

import "unicode/utf8"

// The classes of characters. A value of the tables is class | index<<classBits,
// where index 0 says that the character stands for itself and any other that
// mapText[mapEnds[index-1]:mapEnds[index]] replaces it in uncased text.
const (
	joins   = iota // part of a word
	drops          // removed: controls, private use, U+FFFD
	marks          // removed with the accents, part of a word in cased text
	spaces         // ends a word
	splits         // a word of its own: punctuation, ideographs
	hangul         // a syllable: its jamo in uncased text, part of a word as it is otherwise
	overlay        // a sign under a stroke, as ≠: the bare sign is a word of its own in uncased text, a letter like others in cased text

	classBits = 3
	classMask = 1<<classBits - 1
)

// The geometry of the tables: a page holds the values of 1<<pageBits characters.
const pageBits = 6

// property returns the table's value of a character, which must not exceed
// U+10FFFF.
func property(r rune) uint16 {
	page := int(pageOf[r>>pageBits])
	return pages[page<<pageBits|int(r)&(1<<pageBits-1)]
}

// mapped returns what stands for a character with this property value in uncased
// text, or "" if the character stands for itself.
func mapped(value uint16) string {
	i := value >> classBits
	if i == 0 {
		return ""
	}
	return mapText[mapEnds[i-1]:mapEnds[i]]
}

// Hangul syllables are laid out so that their jamo follow by arithmetic (The
// Unicode Standard, section 3.12).
const (
	syllableBase = 0xAC00
	leadBase     = 0x1100
	vowelBase    = 0x1161
	tailBase     = 0x11A7
	vowels       = 21
	tails        = 28
)

// appendJamo writes the two or three jamo of a syllable to dst, nine bytes at
// most, and returns the bytes written and the number of jamo.
func appendJamo(dst []byte, syllable rune) (n, jamo int) {
	i := syllable - syllableBase
	n = utf8.EncodeRune(dst, leadBase+i/(vowels*tails))
	n += utf8.EncodeRune(dst[n:], vowelBase+i%(vowels*tails)/tails)
	if tail := i % tails; tail != 0 {
		return n + utf8.EncodeRune(dst[n:], tailBase+tail), 3
	}
	return n, 2
}
