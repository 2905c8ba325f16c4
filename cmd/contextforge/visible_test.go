package main

// This file tests that text is shown without acting.

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestVisible(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"plain ÆØÅ 日本語 👩\u200d🚀 a\u00a0b می\u200cخواهم e\u0301", "plain ÆØÅ 日本語 👩\u200d🚀 a\u00a0b می\u200cخواهم e\u0301"},
		{"a\nb\tc\rd", `a\nb\tc\rd`},
		{"\x1b[2J\x07\x00\x7f", `\x1b[2J\x07\x00\x7f`},
		{"\u009b\u202e\u2028\ufeff\U000e0041", `\u{009b}\u{202e}\u{2028}\u{feff}\u{e0041}`},
		{"caf\xe9\xff", `caf\xe9\xff`},
		{"\ufffd", "\ufffd"},
		{`back\slash`, `back\slash`},
	} {
		if got := visible(c.in); got != c.want {
			t.Errorf("%q: %s, want %s", c.in, got, c.want)
		}
	}
}

func TestBlock(t *testing.T) {
	got := block("a\tb\r\nc\rd\n\n\x1b")
	if want := []string{"a\tb", `c\rd`, "", `\x1b`}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestHarmlessJSON(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`{"a":"plain ÆØÅ 👩‍🚀"}`, `{"a":"plain ÆØÅ 👩‍🚀"}`},
		{"{\"a\":\"\u009b\x7f\u202e\U000e0041\u00ad\"}", `{"a":"\u009b\u007f\u202e\udb40\udc41\u00ad"}`},
	} {
		if got := string(harmlessJSON([]byte(c.in))); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func FuzzVisible(f *testing.F) {
	f.Add("plain")
	f.Add("\x1b[2J\u009b\u202e\xff\u2028\U000e0041")
	f.Fuzz(func(t *testing.T, s string) {
		shown := visible(s)
		if strings.IndexFunc(shown, commands) >= 0 || strings.Contains(shown, "\n") || !utf8.ValidString(shown) {
			t.Errorf("%q is shown as %q", s, shown)
		}
		if visible(shown) != shown {
			t.Errorf("%q is not stable", shown)
		}
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		harmless := harmlessJSON(text)
		var before, after string
		if json.Unmarshal(text, &before) != nil || json.Unmarshal(harmless, &after) != nil || before != after {
			t.Errorf("%s became %s", text, harmless)
		}
		if strings.IndexFunc(string(harmless), commands) >= 0 {
			t.Errorf("%q acts", harmless)
		}
	})
}

func TestDurationFlag(t *testing.T) {
	for _, c := range []struct {
		in   string
		want time.Duration
	}{
		{"", 0}, {"90m", 90 * time.Minute}, {"1h30m", 90 * time.Minute}, {"30d", 720 * time.Hour}, {"0.5d", 12 * time.Hour}, {"2w", 336 * time.Hour},
	} {
		if got, err := durationFlag("ttl", c.in); got != c.want || err != nil {
			t.Errorf("%q: %v, %v", c.in, got, err)
		}
	}
	for _, in := range []string{"0", "0d", "-1d", "d", "1", "1y", "1e30d", "NaNd", "Infw", "1d2h"} {
		if got, err := durationFlag("gap", in); err == nil {
			t.Errorf("%q: %v", in, got)
		}
	}
}

func TestAge(t *testing.T) {
	for seconds, want := range map[float64]string{0: "0 seconds", 119: "119 seconds", 120: "2 minutes", 7199: "120 minutes", 7200: "2 hours", 172800: "2 days"} {
		if got := age(seconds); got != want {
			t.Errorf("%v: %s, want %s", seconds, got, want)
		}
	}
}
