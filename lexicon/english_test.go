// The built-in lexicon: its size, its consistency, and that plain statements are
// neutral to it.

package lexicon

import (
	"slices"
	"strings"
	"testing"
)

func TestEnglishLoads(t *testing.T) {
	s, err := Parse("english", englishText)
	if err != nil {
		t.Fatal(err)
	}
	if shared := English(); shared == nil || shared != english() || shared.Name() != "english" {
		t.Error("the lexicon isn't shared")
	}
	if n := len(s.Affirmations()); n < 88 {
		t.Errorf("%d affirmations", n)
	}
	if n := len(s.Negations()); n < 45 {
		t.Errorf("%d negations", n)
	}
	for term := range s.Terms() {
		t.Errorf("term %q", term)
	}
	if lines := strings.Count(englishText, "\n  \""); lines != s.Len() {
		t.Errorf("%d lines make %d patterns", lines, s.Len())
	}
}

// Every phrase is found in a sentence, counts for what it is listed as, and no
// phrase of one list is part of a phrase of the other, which would take back half
// of it.
func TestEnglishPhrases(t *testing.T) {
	for _, list := range []struct {
		sort    Sort
		phrases []string
		not     Sort
	}{
		{Affirmation, English().Affirmations(), Negation},
		{Negation, English().Negations(), Affirmation},
	} {
		for _, phrase := range list.phrases {
			if phrase != strings.ToLower(phrase) {
				t.Errorf("%q isn't in lower case", phrase)
			}
			for _, content := range []string{phrase, "Well: " + strings.ToUpper(phrase) + "!", "so " + strings.ReplaceAll(phrase, "'", "’") + ", he said"} {
				matches := English().Explain(Item{Content: content}, "")
				found := slices.ContainsFunc(matches, func(m Match) bool { return m.Pattern == phrase && m.Sort == list.sort })
				if !found {
					t.Errorf("%q isn't found in %q", phrase, content)
				}
				for _, m := range matches {
					if m.Sort == list.not {
						t.Errorf("%q holds the %s %q", content, m.Sort, m.Pattern)
					}
				}
			}
		}
	}
}

func TestEnglishCategories(t *testing.T) {
	for content, want := range map[string]float64{
		"Please keep in mind that Ana is on leave":      0.5,
		"Yes, that is correct":                          0.5,
		"I agree with that":                             0.5,
		"Good catch, thanks":                            0.5,
		"We’ve decided on Postgres":                     0.5,
		"The build works now":                           0.5,
		"This is top priority":                          0.5,
		"I'll take care of the invoices":                0.5,
		"To be clear, only the staging database":        0.5,
		"I tested it on both machines":                  0.5,
		"Scratch that":                                  -0.3,
		"That's not correct":                            -0.3,
		"I was mistaken about the port":                 -0.3,
		"That didn't work":                              -0.3,
		"Don't forget the deadline":                     1,
		"I don't agree":                                 -0.3,
		"I never decided anything":                      0,
		"It isn't urgent":                               0,
		"We haven't decided, and it is not a deadline":  0,
		"Agreed to disagree? No, we never agreed to it": 0.5,
	} {
		if got := score(English(), content); got != want {
			t.Errorf("%q: %v, want %v: %+v", content, got, want, English().Explain(Item{Content: content}, ""))
		}
	}
}

func TestEnglishNeutral(t *testing.T) {
	for _, content := range []string{
		"", " ", "ok", "Hello, how are you?", "The quick brown fox jumps over the lazy dog.",
		"Lunch is at noon in the large room.", "The server has 16 GB of memory.", "func main() { fmt.Println(42) }",
		"Ana moved to Lisbon in 2021 and works for a bank.", "What is the capital of Portugal?",
		"The points are collected on a card.", "He wrote a note and sealed the envelope.", "The decision tree has five levels.",
		"They committed the code on Monday.", "The denoted value is undecided.", "Wir treffen uns um drei.", "会议在三点。", "\xff\xfe\x00",
		"Each test prints a line.", "She never remembered his name.", "The priority queue is a heap.",
	} {
		if got := score(English(), content); got != 0 {
			t.Errorf("%q: %v: %+v", content, got, English().Explain(Item{Content: content}, ""))
		}
	}
}
