// Properties that hold for every text, checked on random texts and by fuzzing.

package analyzer

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// randomText mixes pieces of the sample texts with signs, marks, broken bytes
// and arbitrary characters.
func randomText(rng *rand.Rand, n int) string {
	var b strings.Builder
	for b.Len() < n {
		switch rng.IntN(12) {
		case 0:
			b.WriteString([]string{" ", "'", "’", "++", "#", "\x00", "-", "\"", "\u200d", "\u00ad"}[rng.IntN(10)])
		case 1:
			b.WriteByte(byte(rng.IntN(256)))
		case 2:
			b.WriteRune(rune(rng.IntN(0x3000)))
		case 3:
			b.WriteRune(rune(rng.IntN(unicode.MaxRune)))
		case 4:
			b.WriteRune(rune(0x300 + rng.IntN(0x70)))
		default:
			s := []rune(scriptTexts[rng.IntN(len(scriptTexts))].text)
			from := rng.IntN(len(s))
			b.WriteString(string(s[from:min(len(s), from+1+rng.IntN(8))]))
		}
	}
	return b.String()
}

// checkText reports every property that text violates. shared has a warm
// cache, cold a cache of two words.
func checkText(t *testing.T, shared, cold *Text, text string) {
	t.Helper()
	doc, query := shared.Document(nil, text), shared.Query(nil, text)
	for _, q := range query {
		if !slices.Contains(doc, q) {
			t.Errorf("query term %q of %q is not in its document terms %q", q, text, doc)
		}
	}
	for _, term := range doc {
		if term == "" || len(term) > MaxTermBytes || !utf8.ValidString(term) {
			t.Errorf("bad term %q of %q", term, text)
		}
	}
	if got := cold.Document(nil, text); !slices.Equal(got, doc) {
		t.Errorf("%q: cold cache gives %q, warm cache %q", text, got, doc)
	}
	if got := slowDocument(cold, text); !slices.Equal(got, doc) {
		t.Errorf("%q: slow path gives %q, fast path %q", text, got, doc)
	}
	if len(doc) == 0 && !utf8.ValidString(text) {
		t.Errorf("the invalid bytes of %q have no term", text)
	}
	nfc, nfd := norm.NFC.String(text), norm.NFD.String(text)
	if strings.Count(nfd, "\u034F") == strings.Count(text, "\u034F") { // no overlong run of marks was cut
		if c, d := shared.Document(nil, nfc), shared.Document(nil, nfd); !slices.Equal(c, d) {
			t.Errorf("%q: composed form gives %q, decomposed form %q", text, c, d)
		}
	}
	if strings.Contains(nfd, "\u0345") {
		return // the iota subscript becomes a letter in upper case, and changes its place
	}
	if up, low := shared.Query(nil, strings.ToUpper(text)), shared.Query(nil, strings.ToLower(text)); !slices.Equal(up, low) {
		t.Errorf("%q: upper case gives %q, lower case %q", text, up, low)
	}
}

// slowDocument analyses text without the ASCII path and without caches.
func slowDocument(a *Text, text string) []string {
	var dst []string
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch c := a.classes.of(r); {
		case r == utf8.RuneError && size == 1, c == separator, c == apostrophe, c == emoji, c == flag:
			dst, i = a.appendOther(dst, text, i, modeDoc)
			continue
		case c == compat:
			i += size
			dst = append(dst, slowWord(a, text[i-size:i])...)
			continue
		}
		end, _ := a.wordEnd(text, i)
		dst = append(dst, slowWord(a, text[i:end])...)
		i = end
	}
	return dst
}

// slowWord feeds a word rune by rune through normalisation.
func slowWord(a *Text, word string) []string {
	b := &builder{text: a}
	word, sign := cutSign(word)
	base, not := cutContraction(word)
	b.feedNormalized(base)
	b.endWord(sign)
	b.endRun()
	var dst []string
	for _, k := range b.toks {
		if k.wanted(modeDoc) {
			dst = append(dst, k.term)
		}
	}
	if not {
		dst = append(dst, "not")
	}
	return dst
}

func TestTextProperties(t *testing.T) {
	shared, cold := NewText(Options{}), NewText(Options{CacheWords: 2})
	rng := rand.New(rand.NewPCG(11, 12))
	rounds := 20_000
	if testing.Short() {
		rounds = 2000
	}
	for range rounds {
		checkText(t, shared, cold, randomText(rng, 1+rng.IntN(60)))
		if t.Failed() {
			return
		}
	}
}

func FuzzText(f *testing.F) {
	shared, cold := NewText(Options{}), NewText(Options{CacheWords: 2})
	for _, s := range scriptTexts {
		f.Add(s.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkText(t, shared, cold, text)
	})
}

// TestFullCaseFolding holds the folding of single letters against Unicode's
// full case folding.
func TestFullCaseFolding(t *testing.T) {
	a, fold := NewText(Options{NoStem: true}), cases.Fold()
	for r := rune('A'); r <= unicode.MaxRune; r++ {
		if !unicode.IsLetter(r) {
			continue
		}
		s := "x" + string(r) + "x"
		if got, want := a.Query(nil, s), a.Query(nil, fold.String(s)); !slices.Equal(got, want) {
			t.Errorf("%U %q gives %q, its case folding %q", r, s, got, want)
		}
	}
}

// TestDecimalDigits checks the value of every decimal digit of every script.
func TestDecimalDigits(t *testing.T) {
	a := NewText(Options{})
	for _, x := range unicode.Nd.R32 {
		if (x.Hi-x.Lo+1)%10 != 0 {
			t.Fatalf("digits %U-%U are no runs of ten", x.Lo, x.Hi)
		}
	}
	for _, zero := range []rune{'0', '٠', '०', '๐', '０', '𝟎', '𝟘', '၀'} {
		text := string([]rune{zero + 4, zero + 2, zero + 9})
		if got := a.Document(nil, text); !slices.Equal(got, []string{"429"}) {
			t.Errorf("%q gives %q", text, got)
		}
	}
}
