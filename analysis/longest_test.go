// The longest sentence, with a name before it or without, within its bounds.

package analysis

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestLongestSentence(t *testing.T) {
	for _, test := range []struct {
		name, text string
		most       int
		want       string
	}{
		{"nothing", "", 0, ""},
		{"blanks", " \n ", 0, ""},
		{"one sentence", "I moved to Rome last spring.", 0, ""},
		{"one sentence of a speaker", "Ann: I moved to Rome.", 0, ""},
		{"the longer one", "Hi! I moved to Rome.", 0, "I moved to Rome."},
		{"the name comes along", "Ann: Hello there. I moved to Rome last spring. Bye.", 0, "Ann: I moved to Rome last spring."},
		{"the first, with its name once", "Ann: I moved to Rome. Bye.", 0, "Ann: I moved to Rome."},
		{"the name doesn't count", "Maximiliane: Hi you. I moved away.", 0, "Maximiliane: I moved away."},
		{"several words of a name", "Dr Ann Lee: Hi. I moved to Rome.", 0, "Dr Ann Lee: I moved to Rome."},
		{"no name: too many words", "One Two Three Four: yes. Then No.", 0, "One Two Three Four: yes."},
		{"no name: small letters", "Things to buy: milk. Then also bread.", 0, "Things to buy: milk."},
		{"no name: behind a sentence", "Well. Ann: Hello you all there.", 0, "Ann: Hello you all there."},
		{"no name: a line before", "Notes\nAnn: Hello you all there.", 0, "Ann: Hello you all there."},
		{"a name without case", "アン: はい。ローマに引っ越しました。", 0, "アン: ローマに引っ越しました。"},
		{"the first of equals", "Abc d. Bcd e. Cde f.", 0, "Abc d."},
		{"characters, not bytes", "ééééé. Abcdefgh.", 0, "Abcdefgh."},
		{"lines", "first\nthe second line\nlast", 0, "the second line"},
		{"cut at a blank", "Hi. One two three four five.", 20, "One two three four"},
		{"cut in a long word", "Hi. Aaaaaaaaaaaaaaaaaaaaaaaa.", 8, "Aaaaaaaa"},
		{"cut before a character", "Hi. Éééééééééééééé.", 5, "Éé"},
		{"fits just", "Hi. Abcdef.", 7, "Abcdef."},
	} {
		if got := LongestSentence(test.text, test.most); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestLongestSentenceStaysWithinBounds(t *testing.T) {
	text := "Zoë: " + strings.Repeat("Ein Satz über Öl und Äpfel, der länger ist. ", 40) + strings.Repeat("ü", 200)
	for most := 1; most < 300; most++ {
		got := LongestSentence(text, most)
		if len(got) > most || !utf8.ValidString(got) || len(got) < most*3/4-4 {
			t.Fatalf("most %d: %d bytes, %q", most, len(got), got)
		}
	}
	if got := LongestSentence("Ann: \xff\xfe. \xff\xff\xff. A", 1); len(got) > 1 {
		t.Errorf("%q", got)
	}
}

func FuzzLongestSentence(f *testing.F) {
	f.Add("Ann: Hi. I moved to Rome.", 12)
	f.Add("\xff: . \x80\n: ", 1)
	f.Fuzz(func(t *testing.T, text string, most int) {
		got := LongestSentence(text, most)
		if most > 0 && len(got) > most || got == "" && most <= 0 && len(Sentences(text)) > 1 && !strings.Contains(text, ": ") {
			t.Errorf("%q, %d: %q", text, most, got)
		}
		if utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("%q, %d: %q is cut within a character", text, most, got)
		}
	})
}
