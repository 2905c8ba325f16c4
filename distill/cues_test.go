// Tests of cues: how they are found, and what kind they make of a sentence.

package distill

import (
	"strings"
	"testing"
	"unicode"

	"github.com/contextforge-go/contextforge/analysis"
)

func TestHasAny(t *testing.T) {
	tests := []struct {
		text, cue string
		want      bool
	}{
		{"We decided it.", "decided", true},
		{"Undecided, we left.", "decided", false},
		{"We were undecided until we decided.", "decided", true},
		{"I’d rather not", "id rather", true},
		{"I'd   rather, not", "id rather", true},
		{"Never do that", "^never", true},
		{"You never do that", "^never", false},
		{"Nevertheless", "^never", false},
		{"我决定用它", "决定", true},
		{"우리는 결정했어요", "결정했", true},
		{"", "decided", false},
		{"", "^never", false},
		{"decided", "decided", true},
	}
	for _, tt := range tests {
		if got := newCueText(tt.text).hasAny([]string{"nothing like it", tt.cue}); got != tt.want {
			t.Errorf("%q in %q: %v", tt.cue, tt.text, got)
		}
	}
}

// Cues have the form in which sentences are searched for them; a cue in another
// form is never found.
func TestCueForm(t *testing.T) {
	for name, cues := range map[string][]string{
		"correction": correctionCues, "denial": denials, "decision": decisionCues, "preference": preferenceCues,
		"state": stateCues, "hedge": hedges, "idle": idle, "since": sinceCues,
	} {
		for _, cue := range cues {
			phrase := strings.TrimPrefix(cue, "^")
			if got := newCueText(phrase).words; got != " "+phrase+" " {
				t.Errorf("%s cue %q would have to be %q", name, cue, got)
			}
			if strings.HasPrefix(cue, "^") && strings.ContainsFunc(cue, unspaced) && !unicode.Is(unicode.Hangul, []rune(phrase)[0]) {
				t.Errorf("%s cue %q: such a text has no words that it could begin with", name, cue)
			}
		}
	}
}

func TestKindOf(t *testing.T) {
	tests := []struct {
		text    string
		speaks  role
		answers bool
		want    Kind
	}{
		{"No, it's the other file.", user, false, Correction},
		{"No, it's the other file.", user, true, ""},
		{"It's the tenth, not the ninth.", user, true, Correction},
		{"The samples come from Palau, not Fiji.", user, false, Correction},
		{"I'd rather have tabs, not spaces.", user, false, Preference},
		{"My bad, the file is elsewhere.", named, false, Correction},
		{"My bad, the file is elsewhere.", assistant, false, ""},
		{"We decided to wait.", user, false, Decision},
		{"We decided to wait.", assistant, false, Decision},
		{"We decided to wait.", nobody, false, Decision},
		{"If we decided to wait, it would rain.", user, false, ""},
		{"Postgres is better than MySQL because of JSON.", user, false, Decision},
		{"I want a report every Monday.", user, false, Preference},
		{"I want a report.", user, false, ""},
		{"I like it very much.", user, false, ""},
		{"Keep functions short.", user, false, Preference},
		{"Keep functions short.", assistant, false, ""},
		{"The API port is now 81.", assistant, false, State},
		{"I live in Graz.", user, false, State},
		{"I live in Graz.", assistant, false, ""},
		{"We retired the old nodes.", user, false, State},
		{"We just finally retired them.", user, false, ""},
		{"I wanted the old nodes.", user, false, ""},
		{"I have also hired a cook.", user, false, ""},
		{"The nodes are gone now.", user, false, State},
		{"I can't talk right now.", user, false, ""},
		{"Six nodes since Monday.", user, false, State},
		{"Thank you, we decided to wait.", user, false, ""},
		{"The weather is fine.", user, false, ""},
	}
	for _, tt := range tests {
		passage := analysis.Passage{Text: tt.text, Terms: contentWords(tt.text)}
		c := analysis.Classify([]analysis.Passage{passage}, analysis.ClassifyConfig{})[0]
		if got, ok := kindOf(c, tt.speaks, tt.answers); got != tt.want || ok != (tt.want != "") {
			t.Errorf("%q by role %d: %q", tt.text, tt.speaks, got)
		}
		c.Superseded = []analysis.Category{analysis.Stateful}
		if got, ok := kindOf(c, tt.speaks, tt.answers); ok {
			t.Errorf("%q, though replaced: %q", tt.text, got)
		}
	}
}

func TestTalks(t *testing.T) {
	for text, want := range map[string]bool{
		"We moved it to port 8081, not 8080.": true,
		"它现在是八十一。":                            true,
		"":                                    false,
		"ok.":                                 false,
		"x := map[string]int{\"a\": 1}":       false,
		"return f(x);":                        false,
		"const a = {":                         false,
		"The key is [REDACTED:jwt].":          false,
		"12:00:01 ERROR it broke":             false,
		"Traceback (most recent call last)":   false,
		strings.Repeat("long ", 200):          false,
		"caf\xe9 is open":                     false,
		"Recalled memory, quoted: data":       false,
		"=====================":               false,
	} {
		if got := talks(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestUnmarked(t *testing.T) {
	for line, want := range map[string]string{
		"- **Bold** item": "Bold item", "3. Third": "Third", "12) Twelfth": "Twelfth", "> quoted": "quoted", "### Heading": "Heading",
		"1.5 litres": "1.5 litres", "2024 was good": "2024 was good", "plain": "plain", "": "",
	} {
		if got := unmarked(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

func TestWordCount(t *testing.T) {
	for text, want := range map[string]int{"": 0, "two words": 2, "我上个月搬到": 1 + 4, "커피 가게": 2} {
		if got := wordCount(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
