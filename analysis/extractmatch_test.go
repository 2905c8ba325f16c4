// The automaton against a search term by term, and its work.

package analysis

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// containedTerms is the definition of what a finder finds.
func containedTerms(terms []string, text string) (ids []int32) {
	for i, term := range terms {
		if strings.TrimSpace(term) != "" && strings.Contains(strings.ToLower(text), strings.ToLower(term)) {
			ids = append(ids, int32(i))
		}
	}
	return ids
}

func TestMatcherAgainstDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 5))
	word := func(letters string, n int) string {
		var b strings.Builder
		for range n {
			runes := []rune(letters)
			b.WriteRune(runes[r.IntN(len(runes))])
		}
		return b.String()
	}
	for _, letters := range []string{"a", "ab", "abcAB ", "aéÉ会議", "abcdefghijklmnopqrstuvwxyz"} {
		for range 300 {
			var terms []string
			for range r.IntN(20) {
				terms = append(terms, word(letters, r.IntN(6)))
			}
			m := newMatcher(terms)
			f := m.finder()
			for range 3 { // a finder serves many texts
				text := word(letters, r.IntN(60))
				f.begin()
				f.fold(text)
				got := slices.Sorted(slices.Values(f.found))
				if want := containedTerms(terms, text); !slices.Equal(got, want) {
					t.Fatalf("%q in %q: %v, want %v", terms, text, got, want)
				}
			}
		}
	}
}

// After 2^32 texts old marks don't count as new ones.
func TestFinderRounds(t *testing.T) {
	f := newMatcher([]string{"a", "b"}).finder()
	f.begin()
	f.fold("a")
	f.round = 1<<32 - 1
	f.begin()
	f.fold("ab")
	if len(f.found) != 2 {
		t.Errorf("%v", f.found)
	}
}

// The work is bounded by the text and what is found, not by the number of terms,
// for terms that contain each other and for texts that nearly match.
func TestMatcherWork(t *testing.T) {
	var nested, near, many []string
	for n := range 400 {
		nested = append(nested, strings.Repeat("a", n+1))
		near = append(near, strings.Repeat("a", n)+"b")
	}
	r := rand.New(rand.NewPCG(22, 6))
	for range 20000 {
		many = append(many, randomText(r, 2))
	}
	tests := []struct {
		name  string
		terms []string
		text  string
	}{
		{"nested", nested, strings.Repeat("a", 50000)},
		{"near", near, strings.Repeat("a", 50000)},
		{"near again and again", near, strings.Repeat(strings.Repeat("a", 300)+"c", 200)},
		{"many", many, randomText(r, 20000)},
	}
	for _, tt := range tests {
		f := newMatcher(tt.terms).finder()
		f.begin()
		f.fold(tt.text)
		if limit := 2*len(f.buf) + len(f.found); f.work > limit {
			t.Errorf("%s: %d steps for %d bytes and %d terms", tt.name, f.work, len(f.buf), len(f.found))
		}
		if len(f.found) > len(tt.terms) {
			t.Errorf("%s: %d found of %d", tt.name, len(f.found), len(tt.terms))
		}
	}
}
