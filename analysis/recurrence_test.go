// Rows 151 to 158, recurrence in scripts without spaces, and random sessions
// against the definition.

package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// sessionsOf returns one map for each string, its terms separated by commas; a
// term before a star counts more than once.
func sessionsOf(texts ...string) (sessions []map[string]int) {
	for _, text := range texts {
		counts := map[string]int{}
		for term := range strings.SplitSeq(text, ",") {
			if many, ok := strings.CutSuffix(term, "*"); ok {
				counts[many] = 7
			} else if term != "" {
				counts[term] = 1
			}
		}
		sessions = append(sessions, counts)
	}
	return sessions
}

func TestRecurring(t *testing.T) {
	tests := []struct {
		name     string
		sessions []map[string]int
		cfg      RecurrenceConfig
		want     string // term sessions/ratio, …
	}{
		{"row 151: no sessions", nil, RecurrenceConfig{}, ""},
		{"row 151: one session", sessionsOf("a,b"), RecurrenceConfig{}, ""},
		{"row 152: presence counts", sessionsOf("a*", "a", "b*", "c"), RecurrenceConfig{}, "a 2/0.5"},
		{"row 153: below the minimum", sessionsOf("a,b", "a", "c"), RecurrenceConfig{}, "a 2/0.6666666666666666"},
		{"row 154: above the ratio", sessionsOf("a,b", "a,b", "a,b", "a,b", "a"), RecurrenceConfig{}, "b 4/0.8"},
		{"row 154: the ratio of ten", sessionsOf("a", "a", "a", "a", "a", "a", "a", "a", "", ""), RecurrenceConfig{}, "a 8/0.8"},
		{"row 154: everything filtered", sessionsOf("a", "a"), RecurrenceConfig{}, ""},
		{"row 155: blocked", sessionsOf("a,b", "a,b", ""), RecurrenceConfig{Blocklist: []string{"A"}}, "b 2/0.6666666666666666"},
		{"row 155: a blocked run suppresses nothing", sessionsOf("a b,a,b", "a b,a,b", ""),
			RecurrenceConfig{Blocklist: []string{" A  b "}}, "a 2/0.6666666666666666, b 2/0.6666666666666666"},
		{"row 156: a bigram suppresses its unigrams", sessionsOf("a b,a,b,c", "a b,a,b,c", ""), RecurrenceConfig{},
			"a b 2/0.6666666666666666, c 2/0.6666666666666666"},
		{"row 156: a trigram leaves its bigrams", sessionsOf("a b c,a b,b c,a,b,c", "a b c,a b,b c,a,b,c", ""), RecurrenceConfig{},
			"a b 2/0.6666666666666666, a b c 2/0.6666666666666666, b c 2/0.6666666666666666"},
		{"row 156: a run that doesn't recur suppresses nothing", sessionsOf("a b,a,b", "a,b", ""), RecurrenceConfig{},
			"a 2/0.6666666666666666, b 2/0.6666666666666666"},
		{"row 157: minimum", sessionsOf("a,b", "a,b", "a", "", ""), RecurrenceConfig{MinSessions: 3}, "a 3/0.6"},
		{"row 157: minimum of one", sessionsOf("a", ""), RecurrenceConfig{MinSessions: -1}, "a 1/0.5"},
		{"row 157: ratio", sessionsOf("a,b", "a,b", "a", ""), RecurrenceConfig{MaxRatio: 0.5}, "b 2/0.5"},
		{"row 157: no limit", sessionsOf("a", "a"), RecurrenceConfig{MaxRatio: 1}, "a 2/1"},
		{"row 157: odd ratios", sessionsOf("a", "a", ""), RecurrenceConfig{MaxRatio: math.NaN()}, "a 2/0.6666666666666666"},
		{"row 157: negative ratio", sessionsOf("a", "a", ""), RecurrenceConfig{MaxRatio: -1}, "a 2/0.6666666666666666"},
		{"row 158: order", sessionsOf("c,b,a,z", "c,b,z", "a,z", "", ""), RecurrenceConfig{}, "z 3/0.6, a 2/0.4, b 2/0.4, c 2/0.4"},
		{"W22: a longer word suppresses its pairs", sessionsOf("会議,議室,会議室", "会議,議室,会議室", ""), RecurrenceConfig{},
			"会議室 2/0.6666666666666666"},
		{"W22: the word of two pairs stays", sessionsOf("サー,ーバ,バー,サーバ,サーバー", "サー,ーバ,バー,サーバ,サーバー", ""), RecurrenceConfig{},
			"サーバ 2/0.6666666666666666, サーバー 2/0.6666666666666666"},
		{"W22: mixed", sessionsOf("api 会議室,api,会議,議室", "api 会議室,api,会議,議室", ""), RecurrenceConfig{}, "api 会議室 2/0.6666666666666666"},
		{"odd terms", sessionsOf(" ,会議x,\xff,x", " ,会議x,\xff,x", ""), RecurrenceConfig{},
			"  2/0.6666666666666666, x 2/0.6666666666666666, 会議x 2/0.6666666666666666, \xff 2/0.6666666666666666"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, term := range Recurring(tt.sessions, tt.cfg) {
				got = append(got, fmt.Sprintf("%s %d/%v", term.Text, term.SessionFrequency, term.Recurrence))
			}
			if strings.Join(got, ", ") != tt.want {
				t.Errorf("%q, want %q", strings.Join(got, ", "), tt.want)
			}
		})
	}
}

// naiveRecurring is the definition, word for word.
func naiveRecurring(sessions []map[string]int, blocked []string) (terms []Term) {
	frequency := map[string]int{}
	for _, s := range sessions {
		for term := range s {
			frequency[term]++
		}
	}
	for text, n := range frequency {
		score := float64(n) / float64(len(sessions))
		if n >= 2 && score <= 0.8 && !slices.Contains(blocked, text) {
			terms = append(terms, Term{text, n, score})
		}
	}
	slices.SortFunc(terms, func(a, b Term) int {
		if a.Recurrence != b.Recurrence {
			if a.Recurrence > b.Recurrence {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Text, b.Text)
	})
	all := slices.Clone(terms)
	return slices.DeleteFunc(terms, func(term Term) bool {
		return !strings.Contains(term.Text, " ") && slices.ContainsFunc(all, func(run Term) bool {
			return strings.Contains(run.Text, " ") && slices.Contains(strings.Split(run.Text, " "), term.Text)
		})
	})
}

func TestRecurringAgainstDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 2))
	for range 500 {
		var sessions []map[string]int
		for range r.IntN(8) {
			var tokens []string
			for range r.IntN(12) {
				tokens = append(tokens, string(rune('a'+r.IntN(6))))
			}
			sessions = append(sessions, CountsWithNGrams(tokens))
		}
		blocked := []string{"a", "b c"}
		got := Recurring(sessions, RecurrenceConfig{Blocklist: blocked})
		if want := naiveRecurring(sessions, blocked); !slices.Equal(got, want) {
			t.Fatalf("%v:\n%v, want\n%v", sessions, got, want)
		}
	}
}

// W22: words of scripts without spaces are found again without a dictionary.
func TestRecurringUnspaced(t *testing.T) {
	var sessions []map[string]int
	for _, text := range []string{"本番サーバーを更新した。", "サーバーが止まった", "昨日のサーバーの話", "今日は休み", "กินข้าวเช้า", "ไปกินข้าวกัน"} {
		sessions = append(sessions, SessionCounts(Session{Entries: []Entry{{Content: text}}}, nil, PrefilterConfig{}))
	}
	var got []string
	for _, term := range Recurring(sessions, RecurrenceConfig{}) {
		got = append(got, term.Text)
	}
	for _, want := range []string{"サーバー", "กินข้า"} {
		if !slices.Contains(got, want) {
			t.Errorf("%q isn't in %q", want, got)
		}
	}
}
