// Random texts of all kinds against the naive tokenizer, on the reference's
// vocabulary and on odd ones.

package wordpiece

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// pair is a tokenizer and the oracle of the same vocabulary.
type pair struct {
	name   string
	tok    *Tokenizer
	oracle *oracle
}

func newPair(t testing.TB, name string, vocab []string, special Special, opts Options) pair {
	t.Helper()
	return pair{name, mustNew(t, vocab, special, opts), newOracle(t, vocab, special, opts)}
}

// oddVocabulary has what BERT's has not: literals that begin with letters or with
// the same letters, are words too, or aren't ASCII; duplicates, empty entries,
// entries with marks, capitals and jamo.
func oddVocabulary() ([]string, Special) {
	return []string{
		"", "##", "<s>", "<s", "mask", "\u2581e", "[UNK]",
		"a", "b", "ab", "abc", "##a", "##b", "##bc", "##abcd", "a", "##b",
		"A", "##B", "e", "\u00E9", "##\u0301", "e\u0301", "##\u0327", "\u1112", "##\u1161", "##\u11AB", "\uD55C",
		"#", "[", "s", "\u6771", "##\u6771", "\U0001F642", "##\U0001F642", "ma", "##sk", "##S", "\u2260", "=", "`", "\u1FEF",
		"\u02BF\u0BCA", "\u0BC6", "##\u0BBE", "\u0130", "i", "##i", "\u03C3", "##\u03C3", "##\u03C2",
	}, Special{Unknown: 6, Begin: 2, End: 3, Pad: 4, Mask: 5}
}

func pairs(t testing.TB) []pair {
	t.Helper()
	vocab, special := vocabulary(t), uncasedSpecial()
	odd, oddSpecial := oddVocabulary()
	few := Special{Unknown: 0, Begin: 1, End: 2, Pad: None, Mask: None}
	return []pair{
		newPair(t, "uncased", vocab, special, Options{}),
		newPair(t, "cased", vocab, special, Options{Cased: true}),
		newPair(t, "odd", odd, oddSpecial, Options{}),
		newPair(t, "odd cased", odd, oddSpecial, Options{Cased: true}),
		newPair(t, "odd short", odd, oddSpecial, Options{MaxWordRunes: 3}),
		newPair(t, "few", []string{"[", "[a", "[ab", "##c", "c", "##ccc"}, few, Options{MaxWordRunes: 255}),
	}
}

// generator makes texts out of everything that the tokenizer treats in its own way.
type generator struct {
	rng     *rand.Rand
	classes [][]rune // by class
	entries []string
}

func newGenerator(t testing.TB, seed uint64) *generator {
	t.Helper()
	g := &generator{rng: rand.New(rand.NewPCG(seed, 7)), classes: make([][]rune, classMask+1)}
	for r := range rune(unicode.MaxRune + 1) {
		if value := property(r); r < 0xD800 || r > 0xDFFF {
			class := value & classMask
			g.classes[class] = append(g.classes[class], r)
			if mapped(value) != "" {
				g.classes[classMask] = append(g.classes[classMask], r)
			}
		}
	}
	odd, _ := oddVocabulary()
	g.entries = append(vocabulary(t), odd...)
	return g
}

// any draws one of some texts.
func (g *generator) any(texts ...string) string { return texts[g.rng.IntN(len(texts))] }

func (g *generator) character() string {
	class := g.classes[g.rng.IntN(len(g.classes))]
	if len(class) > 1000 && g.rng.IntN(2) == 0 {
		class = class[:1000]
	}
	return string(class[g.rng.IntN(len(class))])
}

func (g *generator) part() string {
	switch g.rng.IntN(12) {
	case 0:
		return g.character()
	case 1:
		return g.any("[CLS]", "[SEP]", "[MASK]", "[PAD]", "[UNK]", "<s>", "mask", "\u2581e", "[ab")
	case 2: // a literal cut short, or in another case
		literal := g.any("[CLS]", "[MASK]", "[UNK]", "<s>", "mask", "\u2581e")
		return g.any(literal[:g.rng.IntN(len(literal))], literal[g.rng.IntN(len(literal)):], strings.ToLower(literal), strings.ToUpper(literal))
	case 3:
		return g.any(" ", "  ", "\t", "\n", "\u00A0", "\u3000", "\u2028", "\x00", "\u200B", "\uFFFD", "\xFF", "\xC3", "\xE6\x9D", "\xED\xA0\x80")
	case 4:
		return strings.Repeat(g.any("a", "ab", "c", "\u0301", "[", "\uD55C", "\u6771", "e\u0301"), g.rng.IntN(130))
	case 5:
		return string(rune(syllableBase + g.rng.IntN(11172)))
	case 6:
		return g.any("\u2260", "\u1FEF", "\u037E", "\u0130", "\u03A3", "\u1E9E", "\uF900", "\u0BCA", "\U0001D160", "\U0002B820", "\u1734")
	case 7:
		return string(rune(33 + g.rng.IntN(94)))
	default:
		entry := strings.TrimPrefix(g.entries[g.rng.IntN(len(g.entries))], "##")
		return g.any(entry, strings.ToUpper(entry), entry+" ", " "+entry)
	}
}

func (g *generator) text() string {
	var b strings.Builder
	for range g.rng.IntN(12) {
		b.WriteString(g.part())
	}
	return b.String()
}

func TestRandomTexts(t *testing.T) {
	rounds := 20000
	if testing.Short() {
		rounds = 3000
	}
	g, all := newGenerator(t, 1), pairs(t)
	for range rounds {
		text := g.text()
		for _, p := range all {
			compare(t, p.tok, p.oracle, text)
		}
	}
}

// Every recorded text, whole and cut at random bytes, by all tokenizers.
func TestRecordedTextsAgainstOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, p := range pairs(t) {
		t.Run(p.name, func(t *testing.T) {
			for _, r := range recordings(t) {
				compare(t, p.tok, p.oracle, r.Text)
				from := rng.IntN(len(r.Text) + 1)
				compare(t, p.tok, p.oracle, r.Text[from:from+rng.IntN(len(r.Text)-from+1)])
			}
		})
	}
}

// Vocabularies of few letters, so that entries overlap in all ways, and words of
// the same letters; both notations.
func TestRandomVocabularies(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	letters := func(n int) (s string) {
		for range rng.IntN(n) {
			s += []string{"a", "b", "C", "\u00E9"}[rng.IntN(2+rng.IntN(3))]
		}
		return s
	}
	special := Special{Unknown: 0, Begin: 1, End: 2, Pad: None, Mask: 3}
	for range 300 {
		vocab := []string{"[UNK]", "[a", "a]", "[ab"}
		for range rng.IntN(40) {
			vocab = append(vocab, []string{"", "##"}[rng.IntN(2)]+letters(7))
		}
		opts := Options{Cased: rng.IntN(2) == 0, MaxWordRunes: 1 + rng.IntN(20)}
		p := newPair(t, "random", vocab, special, opts)
		tokens, types := phantom(vocab, special)
		other, err := NewPhantom(tokens, types, special, opts)
		if err != nil {
			t.Fatal(err)
		}
		for range 20 {
			text := letters(12) + []string{" ", "[", "[ab"}[rng.IntN(3)] + letters(12)
			compare(t, p.tok, p.oracle, text)
			if got, want := other.AppendIDs(nil, text), p.tok.AppendIDs(nil, text); !slices.Equal(got, want) {
				t.Fatalf("%q with %q: %v in phantom notation, %v in plain", text, vocab, got, want)
			}
		}
	}
}

func FuzzEncode(f *testing.F) {
	for _, r := range recordings(f) {
		if r.ID%40 == 0 {
			f.Add(r.Text, uint8(r.ID))
		}
	}
	all := pairs(f)
	f.Fuzz(func(t *testing.T, text string, which uint8) {
		p := all[int(which)%len(all)]
		compare(t, p.tok, p.oracle, text)
	})
}
