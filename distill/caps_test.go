// Tests of the caps and of what comes before them.

package distill

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/contextforge-go/contextforge/scrub"
)

func facts(n int) []Fact {
	out := make([]Fact, n)
	for i := range out {
		out[i] = Fact{State, fmt.Sprintf("fact %d", i)}
	}
	return out
}

func TestCap(t *testing.T) {
	long := strings.Repeat("word ", 3000)
	tests := []struct {
		name     string
		in, want DistilledMemory
	}{
		{"row 106: facts beyond 64", DistilledMemory{"s", facts(70)}, DistilledMemory{"s", facts(64)}},
		{"row 107: a fact of over 2048 chars", DistilledMemory{"s", []Fact{{State, "a"}, {State, long}, {State, long}}},
			DistilledMemory{"s", []Fact{{State, "a"}, {State, long[:2048]}, {State, long[:2048]}}}},
		{"row 108: a summary of over 8192 chars", DistilledMemory{long, nil}, DistilledMemory{long[:8192], nil}},
		{"row 109: chars, not bytes", DistilledMemory{strings.Repeat("é", 9000), []Fact{{State, strings.Repeat("語", 3000)}}},
			DistilledMemory{strings.Repeat("é", 8192), []Fact{{State, strings.Repeat("語", 2048)}}}},
		{"row 110: within the limits", DistilledMemory{strings.Repeat("語", 8192), facts(64)}, DistilledMemory{strings.Repeat("語", 8192), facts(64)}},
		{"empty", DistilledMemory{}, DistilledMemory{}},
		{"a family at the border", DistilledMemory{strings.Repeat("a", 8190) + "👨‍👩‍👧", nil}, DistilledMemory{strings.Repeat("a", 8190), nil}},
		{"a combining accent at the border", DistilledMemory{strings.Repeat("a", 8192) + "\u0301", nil}, DistilledMemory{strings.Repeat("a", 8191), nil}},
		{"CRLF at the border", DistilledMemory{strings.Repeat("a", 8191) + "\r\n", nil}, DistilledMemory{strings.Repeat("a", 8191), nil}},
		{"bytes that aren't UTF-8", DistilledMemory{strings.Repeat("\xff", 9000), nil}, DistilledMemory{strings.Repeat("\xff", 8192), nil}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := fmt.Sprint(tt.in)
			if got := Cap(tt.in); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %.200v", got)
			}
			if fmt.Sprint(tt.in) != before {
				t.Error("the argument was changed")
			}
		})
	}
}

// W20: a secret that a cap would cut in two is redacted as a whole.
func TestSecretAtCap(t *testing.T) {
	secret := "ghp_" + strings.Repeat("A1b2C3d4E5", 4)[:36]
	redact := func(text string) string { clean, _ := scrub.Scrub(text); return clean }
	for lead := range 45 {
		m := DistilledMemory{
			Summary: strings.Repeat("s", MaxSummaryChars-lead-1) + " " + secret + " tail",
			Facts:   []Fact{{State, strings.Repeat("f", MaxFactChars-lead-1) + " " + secret + " tail"}},
		}
		got := Clean(m, redact)
		for _, text := range []string{got.Summary, got.Facts[0].Text} {
			if strings.Contains(text, secret[:8]) {
				t.Fatalf("lead %d: half of a secret stayed: …%s", lead, text[len(text)-50:])
			}
		}
	}
}

// W19: empty texts lose nothing but themselves.
func TestCleanEmpty(t *testing.T) {
	m := DistilledMemory{" \n", []Fact{{State, ""}, {Decision, " kept\t"}, {Preference, " \u00a0\n"}, {Correction, "also"}}}
	want := DistilledMemory{"", []Fact{{Decision, "kept"}, {Correction, "also"}}}
	if got := Clean(m, nil); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := Clean(DistilledMemory{"s", []Fact{{State, "gone"}}}, func(string) string { return "" }); !reflect.DeepEqual(got, DistilledMemory{}) {
		t.Errorf("scrubbed to nothing: %v", got)
	}
	endless := Fact{State, "a" + strings.Repeat("\u0301", MaxFactChars)}
	if got := Clean(DistilledMemory{"s", []Fact{endless}}, nil); len(got.Facts) > 0 {
		t.Error("a single cluster beyond the cap leaves an empty fact")
	}
}

// The cap on facts counts those that are left.
func TestCleanBeforeCap(t *testing.T) {
	m := DistilledMemory{Facts: append(make([]Fact, 40), facts(64)...)}
	if got := Clean(m, nil); !reflect.DeepEqual(got.Facts, facts(64)) {
		t.Errorf("%d facts, want 64", len(got.Facts))
	}
}

// Chars that are called plain have borders between them, as uniseg says.
func TestPlain(t *testing.T) {
	previous := 'a'
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if !plain(r) {
			continue
		}
		text := string([]rune{previous, r, r})
		if n := uniseg.GraphemeClusterCount(text); n != 3 {
			t.Fatalf("%U: %d clusters in %q", r, n, text)
		}
		previous = r
	}
}

func TestCut(t *testing.T) {
	texts := []string{"", "abc", "e\u0301e\u0301", "👨‍👩‍👧👍🏽🇩🇪🇫🇷", "\xff\xfe", "한국어 text नमस्ते", "a\r\nb", strings.Repeat("\u0301", 10)}
	for _, text := range texts {
		for limit := range utf8.RuneCountInString(text) + 2 {
			want, count := "", 0
			for g := uniseg.NewGraphemes(text); g.Next(); {
				if count += len(g.Runes()); count > limit {
					break
				}
				want += g.Str()
			}
			if got := cut(text, limit); got != want {
				t.Errorf("cut(%q, %d) = %q, want %q", text, limit, got, want)
			}
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("summary", "fact", 3)
	f.Add(strings.Repeat("e\u0301", 5000), strings.Repeat("👨‍👩‍👧", 700), 70)
	f.Fuzz(func(t *testing.T, summary, fact string, n int) {
		m := DistilledMemory{Summary: summary}
		for i := range n % 100 {
			m.Facts = append(m.Facts, Fact{State, fact[i%(len(fact)+1):]})
		}
		got := Clean(m, nil)
		if utf8.RuneCountInString(got.Summary) > MaxSummaryChars || len(got.Facts) > MaxFacts {
			t.Fatal("over the caps")
		}
		if !strings.HasPrefix(strings.TrimSpace(summary), got.Summary) {
			t.Fatal("not a prefix")
		}
		for _, fact := range got.Facts {
			if fact.Text == "" || utf8.RuneCountInString(fact.Text) > MaxFactChars {
				t.Fatalf("fact of %d bytes", len(fact.Text))
			}
		}
	})
}

func BenchmarkClean(b *testing.B) {
	for _, n := range []int{4, 64} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			m := DistilledMemory{strings.Repeat("a summary ", 100), facts(n)}
			b.ReportAllocs()
			for b.Loop() {
				Clean(m, nil)
			}
		})
	}
}
