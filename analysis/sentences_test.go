// Rows 166 and 167, the weakness W23, and sentences of other scripts.

package analysis

import (
	"slices"
	"strings"
	"testing"
)

func TestSentences(t *testing.T) {
	tests := []struct {
		name, text string
		want       string // separated by |
	}{
		{"row 159: empty", "", ""},
		{"row 159: blank", " \n\t\r\n ", ""},
		{"row 166: newline", "one\ntwo\r\n\r\n  three ", "one|two|three"},
		{"row 166: stops", "One. Two! Three? Four", "One.|Two!|Three?|Four"},
		{"row 166: mixed", "One. Two\nthree! Four.", "One.|Two|three!|Four."},
		{"row 166: several blanks", "One.  \t Two", "One.|Two"},
		{"row 166: lower case goes on", "One. two! three? four. 5", "One. two! three? four. 5"},
		{"row 166: no blank", "One.Two!Three?Four", "One.Two!Three?Four"},
		{"row 166: several stops", "What?! No way!! Yes.", "What?!|No way!!|Yes."},
		{"row 167: abbreviations", "Use it, e.g. Go or i.e. Rust etc. C vs. D cf. E approx. F.", "Use it, e.g. Go or i.e. Rust etc. C vs. D cf. E approx. F."},
		{"row 167: in other case", "Use it, E.g. Go. ETC. Then", "Use it, E.g. Go.|ETC. Then"},
		{"row 167: titles", "Dr. A, Mr. B, Mrs. C, Ms. D, Prof. E, F Sr. G Jr. H", "Dr. A, Mr. B, Mrs. C, Ms. D, Prof. E, F Sr. G Jr. H"},
		{"row 167: references", "Fig. A Eq. B Vol. C No. D", "Fig. A Eq. B Vol. C No. D"},
		{"row 167: in brackets", "Use it (e.g. Go). Then", "Use it (e.g. Go).|Then"},
		{"row 167: ellipsis", "Well... That is it.. Or so.", "Well... That is it.. Or so."},
		{"row 167: version numbers", "Use v1.2.3 or 4.5 Now", "Use v1.2.3 or 4.5 Now"},
		{"row 167: file names", "See config.go and a.B now", "See config.go and a.B now"},
		{"W23: words that end like one", "Fix the systems. Then config. Next cons. Oh drs. Go", "Fix the systems.|Then config.|Next cons.|Oh drs.|Go"},
		{"W23: joined to a word", "x-vs. Then a_etc. Then 4etc. Then éetc. Then /etc. End", "x-vs.|Then a_etc.|Then 4etc.|Then éetc.|Then /etc.|End"},
		{"W23: no", "I say no. We stay. It took 5 ms. Fine.", "I say no.|We stay.|It took 5 ms.|Fine."},
		{"W23: version ends a sentence", "Use v1.2. Then go.", "Use v1.2.|Then go."},
		{"list", "1. First. Then\n22. Second", "1. First.|Then|22. Second"},
		{"number at the end", "The port is 80. Then", "The port is 80.|Then"},
		{"quotes", `He said "stop." Then (really.) "Go!" 'So'`, `He said "stop."|Then (really.)|"Go!"|'So'`},
		{"curly quotes", "“Stop.” ‘Then’ «Go.» «So»", "“Stop.”|‘Then’ «Go.»|«So»"},
		{"CJK", "更新した。次は？はい！「終わり。」以上｡", "更新した。|次は？|はい！|「終わり。」|以上｡"},
		{"CJK, several", "え！？本当。。。はい", "え！？|本当。。。|はい"},
		{"CJK behind Latin", "Use Go. 更新した。Then", "Use Go.|更新した。|Then"},
		{"other scripts", "Это так. Это нет. это", "Это так.|Это нет. это"},
		{"Arabic and Urdu", "هل نعم؟ نعم. لا۔ نعم", "هل نعم؟|نعم.|لا۔|نعم"},
		{"Hindi", "यह है। वह है॥ अब", "यह है।|वह है॥|अब"},
		{"title case", "So. ǅ", "So.|ǅ"},
		{"NUL", "a\x00. B", "a\x00.|B"},
		{"not UTF-8", "a\xff. B. \xff", "a\xff.|B. \xff"},
		{"only stops", ". ! ? A", ". ! ?|A"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(Sentences(tt.text), "|"); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzSentences(f *testing.F) {
	f.Add("One. Two e.g. Three.\r\n「四。」 5. \"Six?\"")
	f.Add("\xff. \x00A.. B\n。。")
	f.Fuzz(func(t *testing.T, text string) {
		sentences := Sentences(text)
		for _, sentence := range sentences {
			if sentence == "" || strings.TrimSpace(sentence) != sentence || strings.Contains(sentence, "\n") {
				t.Errorf("sentence %q", sentence)
			}
			if alone := Sentences(sentence); !slices.Equal(alone, []string{sentence}) {
				t.Errorf("%q alone is divided into %q", sentence, alone)
			}
		}
		if got, want := strings.Join(strings.Fields(strings.Join(sentences, " ")), ""), strings.Join(strings.Fields(text), ""); got != want {
			t.Errorf("%q of %q", got, want)
		}
	})
}
