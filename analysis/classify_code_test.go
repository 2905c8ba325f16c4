// What reads as code, and what words do around an entity.

package analysis

import (
	"reflect"
	"testing"
)

func TestIsCode(t *testing.T) {
	tests := []struct {
		text string
		want bool
	}{
		{"", false},
		{"the port = 80", false},
		{"the limit (per user) = 5", false},
		{"a price of $5 = cheap", false},
		{"3 < 5 holds, so the limit = 5", false},
		{"for now the limit = 5", false},
		{"if the port = 80, wait", false},
		{"while we are at it, port = 80", false},
		{"see [1], port = 80", false},
		{"wait; the port = 80", false},
		{"while (x = next()) wait", true},
		{"if (a = b) stop", true},
		{"x = 5;", true},
		{"x = 5; ", true},
		{"m = {}", true},
		{"call(x) = 5", true},
		{"list[0] = 5", true},
		{"größe(x) = 5", true},
		{"<br/> = 5", true},
		{"</p> = 5", true},
		{"$path = 5", true},
		{"${path} = 5", true},
		{"var x = 5", true},
		{"const limit = 5", true},
		{"SELECT a WHERE b = 5", true},
		{"// x = 5", true},
		{"//x = 5", true},
		{"#!/bin/sh x = 5", true},
		{"# x = 5", true},
	}
	for _, tt := range tests {
		if got := isCode(tt.text); got != tt.want {
			t.Errorf("%q: %v", tt.text, got)
		}
	}
}

func TestQuotedCode(t *testing.T) {
	tests := []struct {
		text string
		want string
	}{
		{"run `x = 1` first", ""},
		{"the `x` = 1", "x|1"},
		{"`x` and `y = 2` say z", ""},
		{"`x` and y = 2 in `z`", "y|2 in z"},
		{"an open ` and y = 2", "y|2"},
	}
	for _, tt := range tests {
		if got := stated(tt.text); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestRoles(t *testing.T) {
	for want, words := range map[role][]string{
		noun:        {"port", "", "setting", "größe", "i/o"},
		determiner:  {"the", "our", "those"},
		preposition: {"of", "under", "via"},
		auxiliary:   {"was", "has", "must", "it's", "it’s"},
		adverb:      {"now", "actually", "currently"},
		breaker:     {"i", "we", "and", "because", "let's", "let’s"},
	} {
		for _, w := range words {
			if got := roleOf(w); got != want {
				t.Errorf("%q is %d, want %d", w, got, want)
			}
		}
	}
}

func FuzzAnalyze(f *testing.F) {
	for _, text := range []string{
		"", "The port is set to 80. Yes, confirmed.\nNo port!", "会議室の会議室", "a\x00b \xff\xfe a", "user: x\n```\ncode\n```\n[tool_use x", "e\u0301 é = É",
	} {
		f.Add(text, "The port is now 81. Yes, confirmed.", uint16(20))
	}
	f.Fuzz(func(t *testing.T, a, b string, budget uint16) {
		if len(a)+len(b) > 1<<12 {
			return
		}
		var sessions []Session
		for i, text := range []string{a, b, a + " " + b, "else", b} {
			entry := Entry{ID: string(rune('a' + i)), Content: text, Timestamp: at(float64(i))}
			sessions = append(sessions, Session{ID: entry.ID, Entries: []Entry{entry}})
		}
		want, err := collect(Analyze(t.Context(), sessions, Config{Budget: int(budget), Parallelism: 1}))
		if err != nil {
			t.Fatal(err)
		}
		got, err := collect(Analyze(t.Context(), sessions, Config{Budget: int(budget), Parallelism: 3}))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("in parallel %v, %v; else %v", got, err, want)
		}
		tokens := 0
		for i, s := range want {
			tokens += s.Tokens
			if !(s.Importance >= 0) || i > 0 && s.Importance > want[i-1].Importance || len(s.Terms) == 0 {
				t.Errorf("%d of %+v", i, want)
			}
		}
		if budget > 0 && tokens > int(budget) {
			t.Errorf("%d tokens in a budget of %d", tokens, budget)
		}
	})
}
