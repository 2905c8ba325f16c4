// The behaviours of the specification, by their numbers.

package lexicon

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

const persona = `
[terms]
"deploy" = 0.8
"blue green" = 1.4

[affirmations]
patterns = ["ship it", "looks good", "that's a go"]

[negations]
patterns = ["roll it back", "no-go"]
`

func score(s Scorer, content string) float64 { return s.Score(Item{Content: content}, "") }

func TestRowsOfParsing(t *testing.T) {
	for _, row := range []struct {
		name, text string
		wrong      []string // parts of the message; nil: no error
	}{
		{"row 57: valid", persona, nil},
		{"row 58: malformed", "[terms]\n\"deploy\" = = 0.8\n", []string{"test:2:"}},
		{"row 59: weight 2.0", "[terms]\ndeploy = 2.0\n", []string{"deploy", "2", "(0, 1.5]", "test:2:"}},
		{"row 60: weight 0.0", "[terms]\ndeploy = 0.0\n", []string{"deploy", "is 0;", "(0, 1.5]"}},
		{"row 61: weight 1.5", "[terms]\ndeploy = 1.5\n", nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := Parse("test", row.text)
			if (err != nil) != (row.wrong != nil) {
				t.Fatalf("error %v", err)
			}
			if err != nil && !errors.Is(err, ErrLexicon) {
				t.Errorf("%v is no ErrLexicon", err)
			}
			for _, part := range row.wrong {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q lacks %q", err, part)
				}
			}
		})
	}
	s := parsed(t, persona)
	var terms []string
	for term := range s.Terms() {
		terms = append(terms, term)
	}
	if !slices.Equal(terms, []string{"blue green", "deploy"}) || len(s.Affirmations()) != 3 || len(s.Negations()) != 2 || s.Len() != 7 {
		t.Errorf("row 57: terms %q, affirmations %q, negations %q", terms, s.Affirmations(), s.Negations())
	}
}

func TestRowsOfMatching(t *testing.T) {
	config := parsed(t, persona)
	for _, row := range []struct {
		name    string
		scorer  *ConfigScorer
		content string
		want    float64
	}{
		{"row 61: weight 1.5 counts", parsed(t, "[terms]\ndeploy = 1.5"), "we deploy", 1.5},
		{"row 62: a term in capitals", config, "DEPLOY on Friday", 0.8},
		{"row 62: a capital in the lexicon", parsed(t, "[terms]\nDeploy = 0.8"), "deploy on Friday", 0.8},
		{"row 63: no match", config, "lunch at noon", 0},
		{"row 64: affirmation", config, "ok, ship it today", 0.5},
		{"row 64: negation", config, "roll it back today", -0.3},
		{"row 65: empty", parsed(t, ""), "deploy, ship it, roll it back", 0},
		{"row 66: negator directly before", config, "do not deploy", 0},
		{"row 66: contracted", config, "don't deploy", 0},
		{"row 67: un-negated", config, "do deploy", 0.8},
		{"row 68: three words between", config, "not today but please we can deploy", 0.8},
		{"row 68: negator is the fourth word before", config, "not on this or deploy", 0.8},
		{"row 68: negator is the third word before", config, "not on this deploy", 0},
		{"row 69: apostrophe in both", config, "that's a go", 0.5},
		{"row 69: none in the text", config, "thats a go", 0.5},
		{"row 69: none in the lexicon", parsed(t, "[affirmations]\npatterns = ['thats a go']"), "that's a go", 0.5},
		{"row 69: negator without apostrophe", config, "dont deploy", 0},
		{"row 70: pangram", English(), "The quick brown fox jumps over the lazy dog.", 0},
		{"row 70: confirmation", English(), "Confirmed: it is the cache.", 0.5},
		{"row 70: dismissal", English(), "Never mind, it was nothing.", -0.3},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := score(row.scorer, row.content); got != row.want {
				t.Errorf("%q: %v, want %v", row.content, got, row.want)
			}
		})
	}
}

// What the rows on ranking ask of the scorers: the order of two scores.
func TestRowsOfRanking(t *testing.T) {
	const neutral = "the meeting is at noon in the large room"
	personal := parsed(t, persona)
	both := Composite(English(), personal)
	for _, row := range []struct {
		name         string
		scorer       Scorer
		above, below string
	}{
		{"row 19: English lifts a confirmation", English(), "confirmed, the meeting is at noon", neutral},
		{"row 50: English, affirmation", Composite(English()), "that's correct, at noon", neutral},
		{"row 51: persona alone", Only(personal), "deploy at noon", "confirmed, at noon"},
		{"row 52: persona above English", both, "blue green at noon", "confirmed, at noon"},
		{"row 52: English above neutral", both, "confirmed, at noon", neutral},
		{"row 53: commissive", English(), "i'll follow up at noon", neutral},
		{"row 54: negated confirmation", English(), "confirmed, at noon", "not confirmed, at noon"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if above, below := score(row.scorer, row.above), score(row.scorer, row.below); above <= below {
				t.Errorf("%v is not above %v", above, below)
			}
		})
	}
	if got := score(English(), "not confirmed, at noon"); got != 0 {
		t.Errorf("row 54: negated confirmation scores %v", got)
	}
	if got := score(Only(personal), "confirmed, at noon"); got != 0 {
		t.Errorf("row 51: an English marker scores %v", got)
	}
}
