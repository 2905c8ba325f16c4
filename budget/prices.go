// Tables of the estimate: kinds of ASCII bytes, blocks of Unicode, and the price
// of each class.

package budget

// Classes of pieces, each with one price.
const (
	word          = iota // a word of ASCII letters
	letters6to9          // each letter of a word from the sixth to the ninth
	letters10to16        // each one from the tenth to the sixteenth
	lettersBeyond        // each one after that
	capitals             // each letter after the second, when the second is a capital
	foreignLetter        // each letter after the third, in a text that isn't English
	glued                // a word that doesn't follow a blank
	digits               // up to three digits
	punct                // the first mark of a run of punctuation
	punctInWord          // one between a letter or digit and a letter
	punctRepeated        // the same mark again, up to the fourth
	punctLine            // the same mark once more, as in a ruled line
	punctOther           // another mark
	blanks               // a run of blanks, without one that belongs to the next piece
	blankBeforeDigit
	blankBeforeOther // before a rune beyond ASCII
	control
	// Runes beyond ASCII.
	// The letters up to cyrillic have two bytes.
	latin     // Western European letters
	latinMore // other Latin letters
	greek
	cyrillic
	repeatedLetter // one of these for the fourth time in a row and more
	vietnamese     // Latin Extended Additional
	sign           // Latin-1 signs, general punctuation
	symbol         // arrows, mathematical and technical symbols, dingbats
	mark           // combining marks
	hebrew
	arabic
	devanagari
	indic // the other scripts of India
	thai
	kana
	han
	hangul
	cjkPunct
	emoji
	selector // variation selectors, joiners
	rare2    // two bytes
	rare3    // three bytes
	rare4    // four bytes
	classes
)

// priceUnit is the price of one token.
const priceUnit = 64

// Kinds of ASCII bytes.
const (
	asciiOther = iota // not ASCII
	asciiLetter
	asciiDigit
	asciiBlank
	asciiPunct
	asciiControl
)

// asciiKinds maps a byte to its kind, by the numbers above and sixteen a line;
// bytes of 128 and more are asciiOther.
var asciiKinds = [256]uint8{
	5, 5, 5, 5, 5, 5, 5, 5, 5, 3, 3, 3, 3, 3, 5, 5,
	5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5,
	3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
	2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 4, 4, 4, 4, 4, 4,
	4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4, 4, 4, 4, 4,
	4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4, 4, 4, 4, 5,
}

// blocks lists where each class of runes begins; the class holds up to the next
// entry.
var blocks = [...]struct {
	first rune
	class int
}{
	{0x80, rare2}, {0xA0, sign}, {0xC0, latin}, {0x100, latinMore}, {0x250, rare2}, {0x300, mark}, {0x370, greek},
	{0x400, cyrillic}, {0x460, rare2}, {0x590, rare2}, {0x5B0, mark}, {0x5D0, hebrew}, {0x600, arabic}, {0x700, rare2}, {0x800, rare3},
	{0x900, devanagari}, {0x980, indic}, {0xE00, thai}, {0xE80, rare3}, {0x10A0, indic}, {0x1100, rare3}, {0x1780, indic}, {0x1800, rare3}, {0x1E00, vietnamese}, {0x1F00, rare3},
	{0x2000, sign}, {0x200B, selector}, {0x2010, sign}, {0x2028, rare3}, {0x2030, sign}, {0x2060, rare3}, {0x2190, symbol}, {0x2C00, rare3},
	{0x3000, cjkPunct}, {0x3040, kana}, {0x3100, rare3}, {0x4E00, han}, {0xA000, rare3}, {0xAC00, hangul}, {0xD7A4, rare3},
	{0xFE00, selector}, {0xFE10, rare3}, {0xFEFF, selector}, {0xFF00, cjkPunct}, {0xFF10, rare2}, {0xFF1A, cjkPunct}, {0xFF20, rare2}, {0xFF61, cjkPunct}, {0xFF65, kana}, {0xFFA0, rare3}, {0xFFF0, rare3}, {0xFFFD, sign}, {0xFFFE, rare3}, {0x10000, rare4},
	{0x1F000, rare4}, {0x1F300, emoji}, {0x1F650, rare4}, {0x1F680, emoji}, {0x1F700, rare4}, {0x1F900, emoji}, {0x1FA00, rare4},
}

// prices are in units of 1/64 token.
var prices = [classes]int{
	word: 62, letters6to9: 5, letters10to16: 18, lettersBeyond: 29, capitals: 9, foreignLetter: 11, glued: 5,
	digits: 63, punct: 48, punctInWord: 17, punctRepeated: 21, punctLine: 8, punctOther: 23,
	blanks: 64, blankBeforeDigit: 65, blankBeforeOther: 31, control: 48,
	latin: 59, latinMore: 100, greek: 76, cyrillic: 32, repeatedLetter: 54, vietnamese: 78,
	sign: 83, symbol: 119, mark: 121, hebrew: 73, arabic: 58, devanagari: 80, indic: 114, thai: 61,
	kana: 74, han: 87, hangul: 78, cjkPunct: 80, emoji: 165, selector: 81, rare2: 126, rare3: 179, rare4: 249,
}
