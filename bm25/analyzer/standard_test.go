// Standard against a direct reading of its definition.

package analyzer

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestStandardTerms(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"separators", "snake_case don't env-var a.b x:y", "snake case don t env var a b x y"},
		{"case", "CAFÉ ΣΟΦΟΣ Straße", "café σοφοσ straße"},
		{"no final sigma rule", "ΣΟΦΟΣ σοφος", "σοφοσ σοφος"},
		{"dotted capital i", "İi", "i\u0307i"},
		{"no accent folding", "cafe\u0301s", "cafe s"},
		{"han run is one term", "身份验证 ok", "身份验证 ok"},
		{"numeric categories", "x² ½ Ⅻ ١٢", "x² ½ ⅻ ١٢"},
		{"other alphabetic", "ⓐ ि", "ⓐ ि"},
		{"marks that are not alphabetic", "हिन्दी", "हिन दी"},
		{"no stop words", "to be or not", "to be or not"},
		{"40 bytes are kept", strings.Repeat("x", 40), strings.Repeat("x", 40)},
		{"invalid bytes", "a\xffb", "a \ufffdff b"},
		{"signs", "?! 🎉 \ufffd", ""},
		{"empty", "", ""},
	}
	a := NewStandard()
	for _, tt := range tests {
		if got := strings.Join(a.Document(nil, tt.text), " "); got != tt.want {
			t.Errorf("%s: %q gives %q, want %q", tt.name, tt.text, got, tt.want)
		}
	}
}

// standardOracle is the definition for valid text with short words.
func standardOracle(text string) []string {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return !(unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.Other_Alphabetic, r))
	})
	for i, w := range words {
		words[i] = strings.Map(func(r rune) rune {
			if r == 'İ' {
				return -1 // handled by its table test
			}
			return unicode.ToLower(r)
		}, w)
	}
	return words
}

func checkStandard(t *testing.T, a *Standard, text string) {
	t.Helper()
	got := a.Document(nil, text)
	if q := a.Query(nil, text); !slices.Equal(q, got) {
		t.Errorf("%q: query terms %q differ from document terms %q", text, q, got)
	}
	for _, term := range got {
		if term == "" || len(term) > MaxTermBytes || !utf8.ValidString(term) {
			t.Errorf("bad term %q of %q", term, text)
		}
	}
	if !utf8.ValidString(text) || len(text) > MaxTermBytes || strings.ContainsRune(text, 'İ') {
		return
	}
	if want := standardOracle(text); !slices.Equal(got, want) {
		t.Errorf("%q gives %q, want %q", text, got, want)
	}
}

func TestStandardOracle(t *testing.T) {
	a, rng := NewStandard(), rand.New(rand.NewPCG(8, 9))
	for range 5000 {
		checkStandard(t, a, strings.ToValidUTF8(randomText(rng, 1+rng.IntN(60)), ""))
	}
}

func FuzzStandard(f *testing.F) {
	a := NewStandard()
	for _, s := range scriptTexts {
		f.Add(s.text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkStandard(t, a, text) })
}

// TestAlphanumericTable compares the table with the Unicode properties.
func TestAlphanumericTable(t *testing.T) {
	table := classes()
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if got, want := table.isAlphanumeric(r), alphabeticOrNumeric(r); got != want {
			t.Fatalf("%U: %v, want %v", r, got, want)
		}
	}
	// Alphabetic in DerivedCoreProperties.txt, one of each kind, and the edges.
	for r, want := range map[rune]bool{
		'a': true, 'ʰ': true, 'ª': true, 'Ⅷ': true, 'ⓐ': true, 0x0345: true, 'ा': true, '〇': true, '²': true, '½': true,
		'_': false, '\'': false, 0x0301: false, '्': false, '°': false, '€': false, 0x200D: false, 0xFFFD: false,
	} {
		if got := table.isAlphanumeric(r); got != want {
			t.Errorf("%U %q: %v, want %v", r, r, got, want)
		}
	}
}
