// Tests of words, names and numbers, and of their being found.

package distill

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestContentWords(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"", nil},
		{"The user prefers tabs over spaces.", []string{"tabs", "spaces"}},
		{"Tabs, tabs and TABS", []string{"tabs"}},
		{"tabs/spaces", []string{"tabs", "spaces"}},
		{"Ana's café", []string{"ana", "cafe"}},
		{"cafe\u0301", []string{"cafe"}},
		{"port 8080", []string{"port"}},
		{"Der Nutzer bevorzugt Tabs", []string{"tabs"}},
		{"用户喜欢淮扬菜", []string{"户喜", "欢淮", "淮扬", "扬菜"}},
		{"お茶を飲む", nil},
		{"お茶と緑茶", []string{"緑茶"}},
		{"नमस्ते दुनिया", []string{"नमस्ते", "दुनिया"}},
		{"\xff tabs \x00s", []string{"tabs"}},
	}
	for _, tt := range tests {
		if got := contentWords(tt.text); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestSpaced(t *testing.T) {
	for text, want := range map[string]string{
		"Ana's":        "Ana ",
		"Ana’S book":   "Ana  book",
		"don't":        "don't",
		"it's 5 o'c":   "it  5 o'c",
		"a.b/c_d":      "a b c d",
		"the 'so' way": "the 'so' way",
		"":             "",
	} {
		if got := spaced(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestNamesOf(t *testing.T) {
	tests := []struct {
		text     string
		capitals bool
		want     []string
	}{
		{"Ana moved to Berlin.", true, []string{"Ana", "Berlin"}}, // what only persons do
		{"Production runs on Postgres.", true, []string{"Postgres"}},
		{"The CI uses iPhones. Nobody likes Kafka!", true, []string{"CI", "iPhones", "Kafka"}},
		{"It is so: Tea is good", true, nil},
		{"The User and I agreed", true, nil},
		{"“Prague” came back", true, nil},
		{"Der Port des Servers", false, nil},
		{"Das HTTP des Servers", false, []string{"HTTP"}},
		{"", true, nil},
		{"-- !!", true, nil},
	}
	for _, tt := range tests {
		if got := namesOf(tt.text, tt.capitals); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestEvidence(t *testing.T) {
	text := "we deploy the billing service; prod is in München, 서울로, 淮扬菜"
	e := newEvidence(text, allWords(text))
	for word, want := range map[string]bool{
		"deploy": true, "deployment": true, "deploys": true, "deplete": false,
		"bill": true, "billings": true, "billiards": false,
		"production": true, "product": true, "pro": false, "prod": true,
		"munchen": true, "서울에": true, "서산": false, "淮扬": true, "扬州": false,
		"is": true, "isle": false, "": false,
	} {
		if got := e.has(word); got != want {
			t.Errorf("%q: %v", word, got)
		}
	}
}

func TestWritesNounsLarge(t *testing.T) {
	for text, want := range map[string]bool{
		"Ich habe das nicht und die Katze ist für mich": true,
		"the cat is on the mat and it is for you":       false,
		"":               false,
		"Je ne sais pas": false,
	} {
		if got := writesNounsLarge(allWords(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestNumbersOf(t *testing.T) {
	tests := []struct {
		transcript, fact string
		ok               bool
	}{
		{"twenty people", "20 people", true},
		{"20 people", "twenty people", true},
		{"one or two", "1 or 2", true},
		{"the first and the second", "1 and 2", true},
		{"on May 3rd", "5/3", true},
		{"im März", "in 03", true},
		{"at 07:05", "at 7:5", true},
		{"10k users", "10,000 users", true},
		{"10.000 Nutzer", "10000 Nutzer", true},
		{"2M rows", "2000000 rows", true},
		{"v1.2.3", "1.2.3", true},
		{"v1.2", "1.2.3", false},
		{"٣ قطط", "3 cats", true},
		{"100", "1000", false},
		{"no number", "7", false},
		{"3pm", "15:00", false}, // hours of half a day aren't known
	}
	for _, tt := range tests {
		e := newEvidence(tt.transcript, allWords(tt.transcript))
		if number, ok := e.numbersIn(tt.fact); ok != tt.ok {
			t.Errorf("%q in %q: %v (%q)", tt.fact, tt.transcript, ok, number)
		}
	}
}

func BenchmarkContentWords(b *testing.B) {
	for _, n := range []int{1, 100} {
		text := strings.Repeat("We migrated the billing service from MySQL to Postgres. ", n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				contentWords(text)
			}
		})
	}
}
