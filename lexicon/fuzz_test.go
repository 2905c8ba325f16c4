// Fuzz targets: no text of a lexicon file and no content stops the scorer, and
// what it finds is what the oracle finds.

package lexicon

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func FuzzParse(f *testing.F) {
	f.Add(persona)
	f.Add(englishText[:600])
	f.Add("terms = { a = 1, 'b c' = nan }\n[negations]\npatterns = [\"\"\"x\"\"\", '\\u00e9']")
	f.Add("[terms]\n\"\\u0000\" = 1.5\n[[affirmations]]")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse("fuzz.toml", text)
		if err != nil {
			if s != nil || !errors.Is(err, ErrLexicon) || !strings.Contains(err.Error(), "fuzz.toml") {
				t.Fatalf("%v, error %q", s, err)
			}
			return
		}
		low, high := 0.0, 0.0
		for term, weight := range s.Terms() {
			if !(weight > 0 && weight <= MaxWeight) {
				t.Errorf("term %q has weight %v", term, weight)
			}
			high += weight
		}
		high += AffirmationAmount * float64(len(s.Affirmations()))
		low += NegationAmount * float64(len(s.Negations()))
		got := s.Score(Item{Content: text}, "")
		if math.IsNaN(got) || got < low-1e-9 || got > high+1e-9 {
			t.Errorf("score %v, possible are %v to %v", got, low, high)
		}
	})
}

// FuzzMatch takes a pattern from every line of the first text and looks for them
// in the second. Both are cut short: the oracle is slow, and knows nothing of the
// bound on the window of a negator.
func FuzzMatch(f *testing.F) {
	f.Add("confirmed\nthat's right\n确认", "That’s not right. Confirmed, 确认!")
	f.Add("a\na a\na a a", "not a a a; a but a")
	f.Add("é\nst\nＡ", "e\u0301 ﬆ a\u0323\u0301 \xff")
	f.Add("agree\nx-y\nv1.2", "couldn't agree more, not-x-y, no doubt v1.2")
	f.Fuzz(func(t *testing.T, patterns, content string) {
		patterns = patterns[:min(len(patterns), 120)]
		content = content[:min(len(content), 120)]
		var whole folder
		if whole.fold(content); len(whole.out) > windowBytes {
			return
		}
		checkMatch(t, scorerOf(strings.Split(strings.ToValidUTF8(patterns, ""), "\n")), content)
	})
}
