// Texts made to cost much: the work must stay linear in their length. It is
// counted, not timed.

package lexicon

import (
	"fmt"
	"strings"
	"testing"
)

// attack is a lexicon and a text to go with it.
type attack struct {
	name     string
	patterns []string // affirmations
	text     string
}

// lexicon returns the patterns as a file.
func (a attack) lexicon() string {
	var b strings.Builder
	b.WriteString("[affirmations]\npatterns = [\n")
	for _, p := range a.patterns {
		fmt.Fprintf(&b, "%q,\n", p)
	}
	b.WriteString("]\n")
	return b.String()
}

// nested returns n patterns of which each ends in the one before, made by
// putting unit in front again and again.
func nested(last, unit string, n int) (out []string) {
	for i := range n {
		out = append(out, strings.Repeat(unit, i)+last)
	}
	return out
}

func hostile() []attack {
	const size = 1 << 20
	fill := func(unit string) string { return strings.Repeat(unit, size/len(unit)) }
	return []attack{
		{"letter", nested("a", "a", 500), fill("a")},
		{"letter words", nested("a", "a ", 250), fill("a ")},
		{"pairs", nested("a", "a b ", 120), fill("a b ")},
		{"negated", nested("x", "x not ", 80), fill("x not ")},
		{"negated signs", nested("x", "x-not-", 80), fill("x-not-")},
		{"all negated", []string{"x"}, "not " + fill("x not ")},
		{"ideographs", nested("一", "一", 160), fill("一")},
		{"negated ideographs", nested("一", "一", 160), fill("not 一 ")},
		{"long word", []string{"a", "b"}, fill("a-") + "b"},
		{"marks", []string{"é", "e\u0301\u0301"}, "e" + fill("\u0301")},
		{"mixed marks", []string{"é"}, "e" + fill("\u0301\u0323")},
		{"apostrophes", []string{"dont"}, "don" + fill("'") + "t"},
		{"white space", []string{"a b"}, "a" + fill(" ") + "b"},
		{"full stops", []string{"a"}, fill("a.")},
		{"invalid", []string{"a"}, fill("\xff\x80a")},
	}
}

// work runs a text and returns the occurrences examined and links followed.
func work(s *ConfigScorer, text string) (examined, steps int) {
	c := s.borrow()
	s.run(c, text)
	examined, steps = c.examined, c.steps
	s.giveBack(c)
	return examined, steps
}

func TestWorkIsLinear(t *testing.T) {
	for _, a := range hostile() {
		t.Run(a.name, func(t *testing.T) {
			s := parsed(t, a.lexicon())
			quarter, _ := work(s, a.text[:len(a.text)/4])
			examined, steps := work(s, a.text)
			if limit := 4*quarter + 4*len(a.patterns); examined > limit {
				t.Errorf("%d occurrences examined, %d in a quarter of the text", examined, quarter)
			}
			// Every occurrence is of another pattern, or negated: of those, one
			// place of the text has no more than a pattern has characters.
			if limit := len(a.text) * 16; examined > limit {
				t.Errorf("%d occurrences examined in %d bytes", examined, len(a.text))
			}
			if limit := 2*len(a.text) + 4*len(a.patterns); steps > limit {
				t.Errorf("%d links followed in %d bytes", steps, len(a.text))
			}
		})
	}
}

// A pattern that has been found costs nothing more, however many hang together
// with it.
func TestFoundPatternsAreLeftOut(t *testing.T) {
	s := parsed(t, attack{patterns: nested("a", "a ", 250)}.lexicon())
	examined, steps := work(s, strings.Repeat("a ", 100_000))
	if examined != 250 {
		t.Errorf("%d occurrences of 250 patterns examined", examined)
	}
	if steps > 300_000 {
		t.Errorf("%d links followed for 100000 words", steps)
	}
}
