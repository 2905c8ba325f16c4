// How little a text looks like words: the evidence that a value was made at
// random.

package scrub

// letterCosts holds what a letter costs after another one, in half bits: minus
// twice the logarithm to base 2 of how often it follows, counted over the
// distinct words in each file of the Go standard library. A row is the letter
// before, the last row the beginning of a word; the digits count to base 36.
var letterCosts = [27]string{
	"ga88icalakc697lan686bagdcl", "7dce6dgj7bm5fg7ej87d6ffj9i", "6gbf6fc7ar79cf4eiab7adjjfn",
	"9dc73dei5gnaee8eg98eaedeck", "9e86bbciemj9a6gbd568gce9gl", "7fbc77fi5rl8be5cn8aa7jhicm",
	"afcf4ec67ojbd86ci88b9fghjj", "5hhd3hii6qledh6hoad6bkgmej", "bd89ab8mjng8847cka87lbkdsc",
	"7gcc4cchbigeac6dkf7d4gdfjl", "5fed3eaf6mjdd8ddif7cbhejek", "7ge94dfg6tf6hg6fke99afej8k",
	"5afc4ghj7sgeag75mg9c9hjjir", "8g876c6j9lccfc8fkg75bcjmdm", "cc89ecdlcod985a8r598799imp",
	"6hcd5ffd9re7fi68l698ahgjar", "ddcbgegfelkbcgfcd9bf1bfhid", "7gab4dbi6odda97fk988acekbm",
	"agab4gfa6pdcee99hd858icjai", "7hbf5dh65slceh9ck78b9ief9j", "ba9c8bbk8rp795f9l666lijerk",
	"5dcc2bfe7rjcaeabfeacedceni", "5gde7eh64okdf87ek6afeidgpi", "7a7a79gf7mlddfb5gcc5e9fcfk",
	"ffchbikk9qk677c5s657jgdkid", "7dde1efe9lkegiahlfeifedcdb", "797998bc9hf99aa8i868abaejh",
}

const wordStart = 26

// letterCost returns what letter c costs after p, letters in lower case.
func letterCost(p int, c byte) int {
	d := letterCosts[p][c-'a']
	if d <= '9' {
		return int(d - '0')
	}
	return int(d-'a') + 10
}

// shape is what a value is made of.
type shape struct {
	size                                    int
	lowers, uppers, digits, joints, symbols int // joints: - _ . / : and the like
	others                                  int // bytes beyond ASCII
	bits                                    int // twice the bits it costs to spell it out
	distinct                                int // distinct bytes
	steps                                   int // neighbours that are equal or follow each other in ASCII
}

// maxShape is how much of a value is looked at.
const maxShape = 160

// shapeOf spells out a value as words, numbers and signs, at the price of each.
// English and names in code cost about 7 half bits a byte, random letters and
// digits 13, random hexadecimal digits 10.
func shapeOf(v string) (h shape) {
	v = v[:min(len(v), maxShape)]
	h.size = len(v)
	var seen [2]uint64
	var last byte
	for i := range len(v) {
		c := v[i]
		if i > 0 && (c == last || c == last+1) {
			h.steps++
		}
		if c < 0x80 && seen[c>>6]>>(c&63)&1 == 0 {
			seen[c>>6] |= 1 << (c & 63)
			h.distinct++
		}
		h.add(last, c)
		last = c
	}
	return h
}

// add counts character c, which follows last.
func (h *shape) add(last, c byte) {
	switch {
	case isLower(c):
		h.lowers++
		h.bits += wordCost(last, c)
	case isUpper(c):
		h.uppers++
		if isLower(last) {
			h.bits += 3 + letterCost(wordStart, lower(c)) // a hump of a camel
		} else {
			h.bits += wordCost(last, c)
		}
	case isDecimal(c):
		h.digits++
		switch {
		case !isDecimal(last):
			h.bits += 9
		case c == last || c == last+1:
			h.bits += 3
		default:
			h.bits += 6
		}
	case c == '-' || c == '_' || c == '.' || c == '/' || c == ':' || c == ' ':
		h.joints++
		h.bits += 5
	case c >= 0x80:
		h.others++
		h.bits += 5
	default:
		h.symbols++
		h.bits += 11
	}
}

// wordCost returns what letter c costs after any byte.
func wordCost(last, c byte) int {
	switch {
	case isLower(last) || isUpper(last):
		return letterCost(int(lower(last)-'a'), lower(c))
	case isDecimal(last):
		return letterCost(wordStart, lower(c)) + 3
	}
	return letterCost(wordStart, lower(c))
}

// rate returns what a byte costs, in twentieths of a bit: words have some 70,
// random letters and digits some 130.
func (h *shape) rate() int {
	if h.size == 0 {
		return 0
	}
	return h.bits * 10 / h.size
}

// monotone reports a value that isn't random for want of different characters
// or for counting up.
func (h *shape) monotone() bool {
	return h.distinct*8 < h.size && h.distinct < 8 || h.distinct <= 2 || h.steps*10 > h.size*6
}

func (h *shape) letters() int { return h.lowers + h.uppers }
