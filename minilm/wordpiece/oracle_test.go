// The naive tokenizer: the documented rules one after another, character by
// character, on maps and slices. It shares no code with the package.

package wordpiece

import (
	"slices"
	"strings"
	"testing"
	"unicode"
)

// oracle is a vocabulary as two maps, and the classes of characters as recorded.
type oracle struct {
	classes  codePoints
	entries  map[string]int32 // in plain notation
	literals map[string]int32
	special  Special
	cased    bool
	maxRunes int
}

func newOracle(t testing.TB, vocab []string, special Special, opts Options) *oracle {
	t.Helper()
	o := &oracle{readCodePoints(t), map[string]int32{}, map[string]int32{}, special, opts.Cased, opts.MaxWordRunes}
	if o.maxRunes == 0 {
		o.maxRunes = 100
	}
	for id, entry := range vocab {
		o.entries[entry] = int32(id)
	}
	for _, id := range []int32{special.Pad, special.Mask, special.Begin, special.End, special.Unknown} {
		if id != None {
			o.literals[vocab[id]] = id
		}
	}
	return o
}

func uncasedOracle(t testing.TB) *oracle {
	t.Helper()
	return newOracle(t, vocabulary(t), uncasedSpecial(), Options{})
}

// naiveWord is a word with its place; runes is nil for a literal.
type naiveWord struct {
	start, end int
	runes      []rune
	literal    string
}

// encode returns the ids of a text and of each id's word its place.
func (o *oracle) encode(text string) (ids []int32, words []Word) {
	for _, w := range o.split(text) {
		words = append(words, Word{w.start, w.end, len(ids)})
		switch {
		case w.runes == nil:
			ids = append(ids, o.literals[w.literal])
		case len(w.runes) > o.maxRunes:
			ids = append(ids, o.special.Unknown)
		default:
			ids = o.appendPieces(ids, string(w.runes))
		}
	}
	return ids, words
}

// split cuts out the literals, then cuts what is between them into words.
func (o *oracle) split(text string) (words []naiveWord) {
	open := false // the last word may still grow
	for at := 0; at < len(text); {
		if literal := o.literalAt(text[at:]); literal != "" {
			words = append(words, naiveWord{at, at + len(literal), nil, literal})
			at += len(literal)
			open = false
			continue
		}
		r := []rune(text[at:min(len(text), at+4)])[0]
		size := len(string(r))
		if r == unicode.ReplacementChar && !strings.HasPrefix(text[at:], "\uFFFD") {
			size = 1
		}
		class, runes := o.normalize(r)
		switch class {
		case "space":
			open = false
		case "split":
			words = append(words, naiveWord{at, at + size, runes, ""})
			open = false
		case "join":
			if !open {
				words = append(words, naiveWord{at, at, nil, ""})
				open = true
			}
			last := &words[len(words)-1]
			last.runes = append(last.runes, runes...)
			last.end = at + size
		}
		at += size
	}
	return words
}

// literalAt returns the longest literal that a text begins with.
func (o *oracle) literalAt(text string) (longest string) {
	for literal := range o.literals {
		if strings.HasPrefix(text, literal) && len(literal) > len(longest) {
			longest = literal
		}
	}
	return longest
}

// overlaid are the characters that decompose to punctuation without being any.
const overlaid = "\u1FEF\u2260\u226E\u226F"

// normalize returns what a character is (drop, space, split or join) and becomes.
func (o *oracle) normalize(r rune) (class string, runes []rune) {
	c := o.classes[r]
	switch {
	case o.cased && (c.class == "drop" && isMark(r) || strings.ContainsRune(overlaid, r)):
		return "join", []rune{r}
	case o.cased && c.class == "hangul":
		return "join", []rune{r}
	case o.cased:
		return c.class, []rune{r}
	case c.class == "hangul":
		return "join", naiveJamo(r)
	}
	return c.class, []rune(c.text)
}

// naiveJamo counts through the jamo of a syllable rather than computing them.
func naiveJamo(syllable rune) []rune {
	r := rune(0xAC00)
	for lead := range rune(19) {
		if syllable >= r+21*28 {
			r += 21 * 28
			continue
		}
		for vowel := range rune(21) {
			for tail := range rune(28) {
				if r++; r > syllable {
					jamo := []rune{0x1100 + lead, 0x1161 + vowel, 0x11A7 + tail}
					return jamo[:2+min(1, tail)]
				}
			}
		}
	}
	return nil
}

// appendPieces is longest match first on a map.
func (o *oracle) appendPieces(dst []int32, word string) []int32 {
	first, runes, prefix := len(dst), []rune(word), ""
	for len(runes) > 0 {
		n := len(runes)
		for n > 0 && !o.has(prefix+string(runes[:n])) {
			n--
		}
		if n == 0 {
			return append(dst[:first], o.special.Unknown)
		}
		dst = append(dst, o.entries[prefix+string(runes[:n])])
		runes, prefix = runes[n:], "##"
	}
	return dst
}

func (o *oracle) has(entry string) bool {
	_, ok := o.entries[entry]
	return ok
}

// compare ends the test if the tokenizer and the oracle differ on a text.
func compare(t testing.TB, tok *Tokenizer, o *oracle, text string) {
	t.Helper()
	wantIDs, wantWords := o.encode(text)
	ids, words := tok.AppendWords(nil, nil, text)
	if !slices.Equal(ids, wantIDs) || !slices.Equal(words, wantWords) {
		t.Fatalf("%q:\n got %v %v\nwant %v %v", text, ids, words, wantIDs, wantWords)
	}
	if got := tok.AppendIDs(nil, text); !slices.Equal(got, wantIDs) {
		t.Fatalf("%q: AppendIDs gives %v, want %v", text, got, wantIDs)
	}
	for _, limit := range []int{-1, 0, 1, 2, 3, 7, len(ids) + 1, len(ids) + 2, len(ids) + 3} {
		if got, want := tok.Encode(text, limit), o.cut(wantIDs, limit); !slices.Equal(got, want) {
			t.Fatalf("%q: Encode with max %d gives %v, want %v", text, limit, got, want)
		}
	}
}

// cut puts Begin and End around ids, limit ids in all.
func (o *oracle) cut(ids []int32, limit int) []int32 {
	if limit == 0 || limit == 1 {
		return nil
	}
	if limit > 0 && len(ids) > limit-2 {
		ids = ids[:limit-2]
	}
	return append(append([]int32{o.special.Begin}, ids...), o.special.End)
}
