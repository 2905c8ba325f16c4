// Rows 148 and 149, and runs of tokens from scripts without spaces.

package analysis

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestNGrams(t *testing.T) {
	four := []string{"a", "b", "c", "d"}
	kana := []string{"サー", "ーバ", "バー", "deploy", "会議", "議題"}
	tests := []struct {
		name   string
		tokens []string
		n      int
		want   []string
	}{
		{"row 148: unigrams", four, 1, four},
		{"row 148: bigrams", four, 2, []string{"a b", "b c", "c d"}},
		{"row 148: trigrams", four, 3, []string{"a b c", "b c d"}},
		{"row 148: exact size", four, 4, []string{"a b c d"}},
		{"row 148: too few", four, 5, nil},
		{"row 148: n = 0", four, 0, nil},
		{"row 148: negative", four, -1, nil},
		{"row 148: no tokens", nil, 1, nil},
		{"W22: overlapping pairs, 1", kana, 1, kana},
		{"W22: overlapping pairs, 2", kana, 2, []string{"サーバ", "ーバー", "バー deploy", "deploy 会議", "会議題"}},
		{"W22: overlapping pairs, 3", kana, 3, []string{"サーバー", "ーバー deploy", "バー deploy 会議", "deploy 会議題"}},
		{"W22: pairs that don't overlap", []string{"会議", "東京"}, 2, []string{"会議 東京"}},
		{"W22: a single character", []string{"議", "議題"}, 2, []string{"議 議題"}},
		{"W22: the same pair", []string{"ああ", "ああ", "ああ"}, 3, []string{"ああああ"}},
		{"W22: marks", []string{"ก่ข้", "ข้ค"}, 2, []string{"ก่ข้ค"}},
		{"W22: other marks", []string{"ก่ข้", "ขค"}, 2, []string{"ก่ข้ ขค"}},
		{"accents", []string{"éa", "éa"}, 2, []string{"éa éa"}},
		{"odd tokens", []string{"", " ", "a b", "\xff"}, 2, []string{"  ", "  a b", "a b \xff"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := NGrams(tt.tokens, tt.n); !slices.Equal(got, tt.want) {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestCounts(t *testing.T) {
	tests := []struct {
		name   string
		tokens []string
		want   string
	}{
		{"row 149: counts", []string{"a", "b", "a", "a"}, "map[a:3 b:1]"},
		{"row 149: empty", nil, "map[]"},
	}
	for _, tt := range tests {
		if got := fmt.Sprint(Counts(tt.tokens)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	grams := []struct {
		name   string
		tokens []string
		want   string
	}{
		{"row 149: three tokens, six keys", []string{"a", "b", "c"}, "map[a:1 a b:1 a b c:1 b:1 b c:1 c:1]"},
		{"row 149: one token, one key", []string{"a"}, "map[a:1]"},
		{"row 149: repeated", []string{"a", "a", "a", "a"}, "map[a:4 a a:3 a a a:2]"},
		{"row 149: no tokens", nil, "map[]"},
	}
	for _, tt := range grams {
		if got := fmt.Sprint(CountsWithNGrams(tt.tokens)); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestSessionCounts(t *testing.T) {
	s := Session{Entries: []Entry{{Content: "Human: deploy the"}, {Content: "```\nx\n```"}, {Content: "cluster in src/x"}}}
	got := SessionCounts(s, nil, PrefilterConfig{})
	want := map[string]int{"deploy": 1, "cluster": 1, "deploy cluster": 1}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v: runs cross the borders of entries", got, want)
	}
	all := SessionCounts(s, NewTokenizer(TokenConfig{CustomOnly: true}), PrefilterConfig{KeepCodeFences: true, KeepPaths: true})
	if all["deploy the x"] != 1 || all["cluster in srcx"] != 1 {
		t.Errorf("%v", all)
	}
	if got := SessionCounts(Session{}, nil, PrefilterConfig{}); got == nil || len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// randomText returns words of a small vocabulary in several scripts, so that
// they come back, between punctuation.
func randomText(r *rand.Rand, n int) string {
	vocabulary := strings.Fields("deploy cluster the to Redeployment don't API's e.g. v1.2 会議室 会議 議題 サーバー กินข้าว é e\u0301 水 Port 80 is Fix-it İ ΣΑΣ")
	ends := []string{" ", " ", " ", " ", "", ". ", "! ", "\n", "。", "... ", ", "}
	var b strings.Builder
	for range n {
		b.WriteString(vocabulary[r.IntN(len(vocabulary))])
		b.WriteString(ends[r.IntN(len(ends))])
	}
	return b.String()
}

// The one pass of SessionCounts equals the single steps.
func TestSessionCountsAgainstSteps(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 1))
	tokenizer := NewTokenizer(TokenConfig{})
	for range 300 {
		var s Session
		var tokens []string
		for range r.IntN(4) {
			content := randomText(r, r.IntN(40))
			s.Entries = append(s.Entries, Entry{Content: content})
			tokens = append(tokens, tokenizer.Tokens(Prefilter(content, PrefilterConfig{}))...)
		}
		want := Counts(slices.Concat(NGrams(tokens, 1), NGrams(tokens, 2), NGrams(tokens, 3)))
		if got := SessionCounts(s, tokenizer, PrefilterConfig{}); !maps.Equal(got, want) {
			t.Fatalf("%q:\n%v, want\n%v", tokens, got, want)
		}
		if got := CountsWithNGrams(tokens); !maps.Equal(got, want) {
			t.Fatalf("%q:\n%v, want\n%v", tokens, got, want)
		}
	}
}
