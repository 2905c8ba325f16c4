// Character classes: which code points make words, which separate, which are
// terms of their own, and which vanish. The table follows the Unicode version
// of the Go toolchain and is built once, on first use.

package analyzer

import (
	"sync"
	"unicode"
)

// class says what a code point does in a text.
type class uint8

const (
	separator  class = iota // ends a word
	letter                  // part of a word
	digit                   // decimal digit, part of a word
	dense                   // letter of a script written without spaces
	mark                    // vowel sign or other mark that distinguishes words
	ignored                 // accent, format character: part of a word, then dropped
	apostrophe              // joins letters on both sides
	emoji                   // a term of its own
	flag                    // regional indicator: two make one term
	compat                  // sign that stands for letters or digits: ½, ㎏, ①
)

// alphanumeric is a bit beside the class: the Unicode property Alphabetic or a
// numeric category.
const alphanumeric class = 0x80

// tableSize covers planes 0 and 1; classOf decides the others by rule.
const tableSize = 0x20000

type classTable [tableSize]class

// classes returns the table, about 128 KB, shared by all analyzers.
var classes = sync.OnceValue(buildClasses)

// of returns the class of r.
func (t *classTable) of(r rune) class {
	switch {
	case r < tableSize:
		return t[r] &^ alphanumeric
	case r >= 0xE0000 && r <= 0xE0FFF: // tags, variation selectors
		return ignored
	case r >= 0xF0000: // private use
		return letter
	}
	return dense // planes 2 and 3 hold ideographs only
}

// isAlphanumeric reports whether r is Alphabetic (letters, Nl and
// Other_Alphabetic) or of a numeric category.
func (t *classTable) isAlphanumeric(r rune) bool {
	if r < tableSize {
		return t[r]&alphanumeric != 0
	}
	return alphabeticOrNumeric(r)
}

// alphabeticOrNumeric is isAlphanumeric without the table.
func alphabeticOrNumeric(r rune) bool {
	return unicode.In(r, unicode.L, unicode.N, unicode.Other_Alphabetic)
}

// buildClasses fills the table from the general categories and then applies
// the exceptions. What is unassigned or private counts as a letter: the text
// may come from a newer Unicode version or an icon font and must stay findable.
func buildClasses() *classTable {
	t := new(classTable)
	for i := range t {
		t[i] = letter
	}
	t.setTable(unicode.Z, separator)
	t.setTable(unicode.P, separator)
	t.setTable(unicode.S, separator)
	t.setTable(unicode.Cc, separator)
	t.setTable(unicode.Cs, separator)
	t.setTable(unicode.Noncharacter_Code_Point, separator)
	t.setTable(unicode.Cf, ignored)
	t.setTable(unicode.M, mark)
	t.setTable(unicode.Nd, digit)
	t.setTable(unicode.No, compat)
	for _, table := range denseScripts() {
		t.replaceTable(table, letter, dense)
	}
	t.setRanges(denseMarks, dense)
	t.setRanges(accents, ignored)
	t.setRanges(compatSigns, compat)
	t.setRanges(emojiRanges, emoji)
	t.setRanges(singles, 0)
	for _, table := range []*unicode.RangeTable{unicode.L, unicode.N, unicode.Other_Alphabetic} {
		eachRune(table, func(r rune) { t[r] |= alphanumeric })
	}
	return t
}

func (t *classTable) setTable(table *unicode.RangeTable, c class) {
	eachRune(table, func(r rune) { t[r] = c })
}

func (t *classTable) replaceTable(table *unicode.RangeTable, from, to class) {
	eachRune(table, func(r rune) {
		if t[r] == from {
			t[r] = to
		}
	})
}

// setRanges sets every range to c, or to the range's own class when it has one.
func (t *classTable) setRanges(ranges []classRange, c class) {
	for _, x := range ranges {
		for r := x.lo; r <= x.hi; r++ {
			if t[r] = c; x.own {
				t[r] = x.class
			}
		}
	}
}

// eachRune calls f for the members of table that classTable holds.
func eachRune(table *unicode.RangeTable, f func(rune)) {
	for _, x := range table.R16 {
		for r := rune(x.Lo); r <= rune(x.Hi); r += rune(x.Stride) {
			f(r)
		}
	}
	for _, x := range table.R32 {
		for r := rune(x.Lo); r <= rune(x.Hi) && r < tableSize; r += rune(x.Stride) {
			f(r)
		}
	}
}

// denseScripts lists the scripts written without spaces between words, and
// Hangul, whose words carry their particles.
func denseScripts() []*unicode.RangeTable {
	return []*unicode.RangeTable{
		unicode.Ideographic, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Bopomofo,
		unicode.Hangul, unicode.Yi, unicode.Nushu, unicode.Tangut, unicode.Khitan_Small_Script,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Ahom,
		unicode.Tai_Le, unicode.New_Tai_Lue, unicode.Tai_Tham, unicode.Tai_Viet,
		unicode.Javanese, unicode.Balinese,
	}
}

type classRange struct {
	lo, hi rune
	own    bool // class is set
	class  class
}

// denseMarks are letters used inside kana and ideograph runs that belong to no
// single script: iteration and prolonged-sound marks.
var denseMarks = []classRange{
	{lo: 0x3005, hi: 0x3007}, {lo: 0x3031, hi: 0x3035}, {lo: 0x303B, hi: 0x303C},
	{lo: 0x30FC, hi: 0x30FC}, {lo: 0xFF70, hi: 0xFF70},
}

// accents are the marks that accent folding removes: diacritics of Latin,
// Greek and Cyrillic, vowel points of Hebrew, Arabic and Syriac, the Arabic
// tatweel, and variation selectors.
var accents = []classRange{
	{lo: 0x0300, hi: 0x0344}, {lo: 0x0346, hi: 0x036F}, {lo: 0x0483, hi: 0x0489},
	{lo: 0x0591, hi: 0x05BD}, {lo: 0x05BF, hi: 0x05BF}, {lo: 0x05C1, hi: 0x05C2},
	{lo: 0x05C4, hi: 0x05C5}, {lo: 0x05C7, hi: 0x05C7},
	{lo: 0x0610, hi: 0x061A}, {lo: 0x0640, hi: 0x0640}, {lo: 0x064B, hi: 0x065F},
	{lo: 0x0670, hi: 0x0670}, {lo: 0x06D6, hi: 0x06DC}, {lo: 0x06DF, hi: 0x06E4},
	{lo: 0x06E7, hi: 0x06E8}, {lo: 0x06EA, hi: 0x06ED}, {lo: 0x0711, hi: 0x0711},
	{lo: 0x0730, hi: 0x074A}, {lo: 0x08D3, hi: 0x08FF}, {lo: 0x180B, hi: 0x180F},
	{lo: 0x1AB0, hi: 0x1AFF}, {lo: 0x1DC0, hi: 0x1DFF}, {lo: 0x20D0, hi: 0x20FF},
	{lo: 0xFE00, hi: 0xFE0F}, {lo: 0xFE20, hi: 0xFE2F},
}

// compatSigns are symbols that stand for letters or digits.
var compatSigns = []classRange{
	{lo: 0x2100, hi: 0x2101}, {lo: 0x2103, hi: 0x2106}, {lo: 0x2109, hi: 0x2109},
	{lo: 0x2116, hi: 0x2117}, {lo: 0x2120, hi: 0x2122}, {lo: 0x213A, hi: 0x213B},
	{lo: 0x24B6, hi: 0x24E9}, {lo: 0x3200, hi: 0x33FF}, {lo: 0x1F100, hi: 0x1F16F},
}

// emojiRanges are the pictographs; each is a term.
var emojiRanges = []classRange{
	{lo: 0x00A9, hi: 0x00A9}, {lo: 0x00AE, hi: 0x00AE}, {lo: 0x203C, hi: 0x203C},
	{lo: 0x2049, hi: 0x2049}, {lo: 0x2195, hi: 0x2199}, {lo: 0x21A9, hi: 0x21AA},
	{lo: 0x231A, hi: 0x231B}, {lo: 0x2328, hi: 0x2328}, {lo: 0x23CF, hi: 0x23CF},
	{lo: 0x23E9, hi: 0x23FA}, {lo: 0x25AA, hi: 0x25AB}, {lo: 0x25B6, hi: 0x25B6},
	{lo: 0x25C0, hi: 0x25C0}, {lo: 0x25FB, hi: 0x25FE}, {lo: 0x2600, hi: 0x27BF},
	{lo: 0x2934, hi: 0x2935}, {lo: 0x2B05, hi: 0x2B07}, {lo: 0x2B1B, hi: 0x2B1C},
	{lo: 0x2B50, hi: 0x2B50}, {lo: 0x2B55, hi: 0x2B55}, {lo: 0x3030, hi: 0x3030},
	{lo: 0x303D, hi: 0x303D}, {lo: 0xFFFD, hi: 0xFFFD},
	{lo: 0x1F000, hi: 0x1F0FF}, {lo: 0x1F170, hi: 0x1F1E5}, {lo: 0x1F210, hi: 0x1FAFF},
}

// singles are exceptions of one kind each.
var singles = []classRange{
	{lo: '\'', hi: '\'', own: true, class: apostrophe},
	{lo: 0x02BB, hi: 0x02BC, own: true, class: apostrophe}, // okina, modifier apostrophe
	{lo: 0x05F3, hi: 0x05F3, own: true, class: apostrophe}, // geresh
	{lo: 0x2019, hi: 0x2019, own: true, class: apostrophe}, // right single quote
	{lo: 0xFF07, hi: 0xFF07, own: true, class: apostrophe}, // full width
	{lo: 0x0345, hi: 0x0345, own: true, class: letter},     // iota subscript folds to a letter
	{lo: 0x200B, hi: 0x200B, own: true, class: separator},  // zero-width space: a word border
	{lo: 0xFF9E, hi: 0xFF9F, own: true, class: mark},       // half-width voiced marks
	{lo: 0x1F1E6, hi: 0x1F1FF, own: true, class: flag},     // regional indicators
	{lo: 0x1F3FB, hi: 0x1F3FF, own: true, class: ignored},  // skin tones
}
