// What the reference gets wrong, by the names of the list of weaknesses.

package lexicon

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// W6: text that isn't ASCII stopped the process, and a weight of NaN passed.
func TestW6(t *testing.T) {
	s := parsed(t, "[terms]\n\"überprüft\" = 0.7\n\"确认\" = 0.4\n[affirmations]\npatterns = [\"écrit\", \"готово\"]\n")
	for content, want := range map[string]float64{
		"not überprüft":         0,
		"never écrit":           0,
		"not готово":            0,
		"überprüft — écrit":     1.2,
		"不是 not 确认":             0,
		"ÜBERPRÜFT":             0.7,
		"u\u0308berpru\u0308ft": 0.7,
	} {
		if got := score(s, content); got != want {
			t.Errorf("%q: %v, want %v", content, got, want)
		}
	}
	for _, weight := range []string{"nan", "+nan", "-nan", "inf", "-inf", "-0.1", "0", "-0.0", "1.5000000000000002", "2", "1e400"} {
		_, err := Parse("test", "[terms]\nfine = 1\nx = "+weight+"\n")
		var we *WeightError
		if !errors.Is(err, ErrLexicon) {
			t.Fatalf("%s: %v", weight, err)
		}
		if weight == "1e400" { // no number of TOML
			continue
		}
		if !errors.As(err, &we) {
			t.Fatalf("%s: %v is no WeightError", weight, err)
		}
		if we.File != "test" || we.Line != 3 || we.Term != "x" || we.Value > 0 && we.Value <= 1.5 {
			t.Errorf("%s: %+v", weight, we)
		}
		if math.IsNaN(we.Value) != strings.HasSuffix(weight, "nan") {
			t.Errorf("%s: value %v", weight, we.Value)
		}
	}
}

// W9: a clamp made all boosts one. The scorers don't limit what they return, so
// weights and counts keep their order.
func TestW9(t *testing.T) {
	s := parsed(t, "[terms]\nweak = 0.1\nstrong = 1.5\nother = 1.2\n")
	last := -1.0
	for _, content := range []string{"nothing", "weak", "other", "other weak", "strong", "strong weak", "strong other", "strong other weak"} {
		got := score(s, content)
		if got <= last {
			t.Errorf("%q scores %v, not above %v", content, got, last)
		}
		last = got
	}
	if want := 0.1 + 1.2 + 1.5; math.Abs(last-want) > 1e-12 {
		t.Errorf("all terms: %v, want %v", last, want)
	}
}

// W29: what is documented is what is computed. The message on a weight states the
// interval that is enforced, the amounts are those of the constants, and the
// built-in lexicon has no platform abbreviations.
func TestW29(t *testing.T) {
	if err := checkWeight("x", MaxWeight); err != nil {
		t.Errorf("the end of the interval is refused: %v", err)
	}
	if err := checkWeight("x", math.Nextafter(MaxWeight, 2)); err == nil || !strings.Contains(err.Error(), "(0, 1.5]") {
		t.Errorf("beyond the interval: %v", err)
	}
	if err := checkWeight("x", math.SmallestNonzeroFloat64); err != nil {
		t.Errorf("the least weight is refused: %v", err)
	}
	s := parsed(t, "[affirmations]\npatterns = ['yes']\n[negations]\npatterns = ['bad']")
	if a, n := score(s, "yes"), score(s, "bad"); a != AffirmationAmount || n != NegationAmount {
		t.Errorf("affirmation %v, negation %v", a, n)
	}
	for _, short := range []string{"nvm", "lgtm", "imo", "fyi", "tbh", "btw", "idk", "ack", "sgtm"} {
		if got := score(English(), short); got != 0 {
			t.Errorf("%q scores %v in the built-in lexicon", short, got)
		}
	}
}

// W45: parts of words matched, the negation window crossed sentences and hit
// negation patterns, negators were missing, and so on.
func TestW45(t *testing.T) {
	for _, row := range []struct {
		name, content string
		want          float64
	}{
		{"a part of a word", "unconfirmed", 0},
		{"a part of another word", "denoted", 0},
		{"a part of a phrase", "disagreed to", 0},
		{"the beginning of a word", "confirmedly", 0},
		{"typographic apostrophe", "that’s right", 0.5},
		{"opening quote for an apostrophe", "that‘s right", 0.5},
		{"modifier letter apostrophe", "thatʼs right", 0.5},
		{"full-width apostrophe", "that＇s right", 0.5},
		{"grave accent", "that`s right", 0.5},
		{"acute accent", "that´s right", 0.5},
		{"no apostrophe", "thats right", 0.5},
		{"full-width letters", "ｃｏｎｆｉｒｍｅｄ", 0.5},
		{"ligature", "con\uFB01rmed", 0.5},
		{"soft hyphen", "con\u00ADfirmed", 0.5},
		{"line break in a phrase", "that's\n  right", 0.5},
		{"no-break space", "that's\u00A0right", 0.5},
		{"sentence before", "I was not there. Confirmed by Ana.", 0.5},
		{"line before", "why not\nconfirmed by Ana", 0.5},
		{"question before", "Why not? Confirmed.", 0.5},
		{"negation pattern after a negator", "no, that's wrong", -0.3},
		{"couldn't", "it couldn't be confirmed", 0},
		{"doesn't", "doesn't look confirmed", 0},
		{"without", "without confirmed dates", 0},
		{"bracket before the negator", "it is (not confirmed)", 0},
		{"quotes around the negator", "it is “not” confirmed", 0},
		{"stars around the negator", "it is **not** confirmed", 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := score(English(), row.content); got != row.want {
				t.Errorf("%q: %v, want %v", row.content, got, row.want)
			}
		})
	}
	t.Run("scores can be kept", func(t *testing.T) {
		if !Static(English()) || score(English(), "confirmed") != English().Score(Item{Content: "confirmed", Kind: "x"}, "a question") {
			t.Error("a score depends on more than the content")
		}
	})
	t.Run("blank patterns", func(t *testing.T) {
		for _, pattern := range []string{"", " ", "\\t\\n", "...", "'", "’‘`", "\\u200B", "?!", "\\u0301", "- -", "\\u3164!"} {
			for _, text := range []string{"[terms]\n\"" + pattern + "\" = 1", "[affirmations]\npatterns = [\"ok\",\n\"" + pattern + "\"]", "\n[negations]\npatterns=[\"" + pattern + "\"]"} {
				_, err := Parse("test", text)
				var pe *PatternError
				if !errors.Is(err, ErrLexicon) || !errors.As(err, &pe) {
					t.Fatalf("%q: %v", text, err)
				}
				if want := strings.Count(text, "\n") + 1; pe.File != "test" || pe.Line != want {
					t.Errorf("%q: %v, want line %d", text, err, want)
				}
			}
		}
	})
}
