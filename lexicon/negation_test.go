// What negates, what only looks like it, and how far it reaches.

package lexicon

import (
	"strings"
	"testing"
)

// negators are the twelve of the specification and those it names as missing.
const negators = `not never no don't didn't isn't wasn't can't cannot won't hardly barely
	couldn't wouldn't shouldn't doesn't hasn't haven't hadn't aren't weren't without nor neither nobody nothing none
	ain't mustn't needn't mightn't shan't scarcely rarely seldom noone nowhere nope non`

func TestNegators(t *testing.T) {
	s := parsed(t, "[terms]\nready = 0.7\n[affirmations]\npatterns = ['all set']\n[negations]\npatterns = ['too late']")
	for _, negator := range strings.Fields(negators) {
		for _, form := range []string{negator, strings.ReplaceAll(negator, "'", "’"), strings.ReplaceAll(negator, "'", ""), strings.ToUpper(negator)} {
			for content, want := range map[string]float64{
				form + " ready":                   0,
				"(" + form + ", all set":          0,
				"it is " + form + " a b ready":    0,
				"it is " + form + " a b c ready":  0.7,
				form + " too late":                -0.3,
				"x" + form + " ready":             0.7,
				form + "x ready":                  0.7,
				form + ". ready":                  0.7,
				form + " ready, ready":            0,
				form + " ready. Still, all ready": 0.7,
			} {
				if got := score(s, content); got != want {
					t.Errorf("%q: %v, want %v", content, got, want)
				}
			}
		}
	}
}

func TestNegationWindow(t *testing.T) {
	s := parsed(t, `
[terms]
ready = 1
agree = 1
"don't panic" = 1
"👍" = 1
`)
	for _, row := range []struct {
		content string
		counts  bool
	}{
		// Sentences.
		{"not today. ready", true},
		{"not today! ready", true},
		{"not today? ready", true},
		{"not today… ready", true},
		{"not today... ready", true},
		{"not today...ready", true},
		{"not today; ready", true},
		{"not today\nready", true},
		{"not today\r\nready", true},
		{"not today \u2028 ready", true},
		{"not today。ready", true},
		{"not today！ready", true},
		{"not today？ready", true},
		{"not today｡ready", true},
		{"not today؟ ready", true},
		{"not today। ready", true},
		{"not (today.) ready", true},
		{"not “today.” ready", true},
		{"not 'today.' ready", true},
		{"No. 5 is ready", true},
		{"not v1.2. ready", true},
		{"not today, ready", false},
		{"not today: ready", false},
		{"not today – ready", false},
		{"not, today, ready", false},
		// Full stops that end nothing.
		{"not v1.2 ready", false},
		{"not 3.14 2.7 ready", false},
		{"not node.js ready", false},
		{"not e.g. ready", false},
		{"not, i.e. never, ready", false},
		{"not U.S. ready", false},
		{"not plan B. ready", true},
		{"not .5 ready", false},
		{"not.ready", false},
		// Words.
		{"not 1,000 10:30 ready", false},
		{"not well-known tried-and-tested ready", false},
		{"not - — / ** a b ready", false},
		{"not a/b ready", false},
		{"not a/b c ready", true},
		{"a no-brainer, ready", true},
		{"the never-ending story is ready", true},
		{"not-ready", false},
		{"non-ready", false},
		{"not-yet-ready", false},
		{"not-yet-at-all-quite-ready", true},
		{"not_ready", false},
		{"is_not_ready", false},
		{"not\tready", false},
		{"not \u00A0ready", false},
		{"no\u00ADt ready", false},
		{"这是not ready", false},
		{"not这是 ready", false},
		{"not 👍", false},
		{"not👍", false},
		{"notа 👍", true}, // the last letter is Cyrillic
		{"knot ready", true},
		// Negators that don't mean what follows.
		{"not only ready", true},
		{"not just ready", true},
		{"not merely fast, ready", true},
		{"no doubt it is ready", true},
		{"without doubt ready", true},
		{"without a doubt ready", true},
		{"there is no question: ready", true},
		{"no wonder it's ready", true},
		{"no problem, ready", true},
		{"not a problem, ready", true},
		{"no worries, it's ready", true},
		{"don't worry, it's ready", true},
		{"don't forget it's ready", true},
		{"never ignore a ready", true},
		{"don't hesitate, ready", true},
		{"can't deny it's ready", true},
		{"not bad, ready", true},
		{"not done but ready", true},
		{"nothing but ready", true},
		{"can't agree more", true},
		{"couldn't agree more", true},
		{"could not agree more", true},
		{"can not agree more", true},
		{"cannot agree more with Ana", true},
		// And those that do.
		{"can't agree", false},
		{"cannot agree moreover", false},
		{"could not agree. More tomorrow", false},
		{"did not agree more", false},
		{"we do not agree more", false},
		{"can't quite agree more", false},
		{"not yet ready", false},
		{"no longer ready", false},
		{"not necessarily ready", false},
		{"not at all ready", false},
		{"no one is ready", false},
		{"nobody seems quite ready", false},
		{"neither fast nor ready", false},
		{"not the only ready", true},
		// Words of the pattern itself.
		{"don't panic", true},
		{"do not don't panic", false},
		{"ready, not", true},
	} {
		if got := score(s, row.content) > 0; got != row.counts {
			t.Errorf("%q counts: %v", row.content, got)
		}
	}
}

// The window is bounded in bytes: a word that it cuts is no negator, and what is
// before it isn't read.
func TestNegationWindowBytes(t *testing.T) {
	s := parsed(t, "[terms]\nready = 1")
	for _, row := range []struct {
		length int
		want   float64
	}{{200, 0}, {windowBytes - len("not  "), 0}, {windowBytes - len("ot  "), 1}, {windowBytes, 1}, {1 << 16, 1}} {
		for _, before := range []string{"not ", "is not "} {
			if got := score(s, before+strings.Repeat("x", row.length)+" ready"); got != row.want {
				t.Errorf("%q, %d letters: %v, want %v", before, row.length, got, row.want)
			}
		}
	}
}

func TestOneOccurrenceSuffices(t *testing.T) {
	s := parsed(t, "[terms]\nready = 1\n'ready to go' = 0.25")
	for content, want := range map[string]float64{
		"not ready. not ready. ready":              1,
		"not ready. ready. ready. ready":           1,
		"not ready. not ready":                     0,
		"not ready to go. ready":                   1,
		"ready to go, ready to go":                 1.25,
		"not ready, or not ready but ready to go.": 1.25,
	} {
		if got := score(s, content); got != want {
			t.Errorf("%q: %v, want %v", content, got, want)
		}
	}
}
