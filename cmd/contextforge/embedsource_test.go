//go:build !contextforge_noweights

package main

// This file tests texts of stdin that aren't lines of UTF-8.

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/minilm"
)

// TestEmbedWhole: a text may have several lines, and its windows count all bytes.
func TestEmbedWhole(t *testing.T) {
	r := newRig(t)
	text := strings.Repeat("The otter swims in the river.\r\n", 40)
	m := builtIn(t, minilm.Config{MaxTokens: 64})
	want, err := m.EmbedWindows(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ in, flag string }{{text, "--whole"}, {"\ufeff" + text, "--whole"}, {text + "\x00", "--null"}, {text, "-0"}} {
		lines := strings.SplitAfter(r.must(c.in, "embed", "--windows", "--json", "--max-tokens", "64", c.flag), "\n")
		if len(lines) != len(want)+1 || len(want) < 3 {
			t.Fatalf("%s: %d windows, want %d", c.flag, len(lines)-1, len(want))
		}
		for i, w := range want {
			var got windowJSON
			if err := json.Unmarshal([]byte(lines[i]), &got); err != nil || got.Start != w.Start || got.End != w.End || !slices.Equal(got.Embedding, w.Vector) {
				t.Errorf("%s: window %d is %d to %d, %v", c.flag, i, got.Start, got.End, err)
			}
		}
	}
	if got := r.must("", "embed", "--whole"); got != r.must("", "embed", "") {
		t.Errorf("an empty text has the vector %.40q", got)
	}
	if got := r.must("a b\x00\x00c\nd", "tokenize", "-0", "-"); got != r.must("", "tokenize", "a b", "", "c\nd") {
		t.Errorf("printed %q", got)
	}
	r.fails(exitUsage, "--whole and --null exclude each other", "", "embed", "--whole", "-0")
	r.fails(exitUsage, "--whole and --null are about stdin", "", "embed", "--whole", "x")
	r.fails(exitUsage, "--whole and --null are about stdin", "", "tokenize", "--null", "x", "-")
}

// TestEncodings: UTF-16 is refused, and the mark of UTF-8 isn't part of a text.
func TestEncodings(t *testing.T) {
	r := newRig(t)
	refused := func(in string, args ...string) {
		r.fails(exitUsage, "stdin is UTF-16: convert it to UTF-8", in, args...)
		if out := r.run(in, args...).out; out != "" {
			t.Errorf("%q: %q answers %.40q", args, in, out)
		}
	}
	for _, in := range []string{"\xff\xfeh\x00i\x00\n\x00", "\xfe\xff\x00h\x00i", "h\x00i\x00\n\x00", "\x00h\x00i\x00\n", "\xff\xfe"} {
		refused(in, "tokenize")
	}
	for _, args := range [][]string{{"embed", "-"}, {"embed", "--whole"}, {"embed", "--windows"}, {"similarity", "hi", "-"}} {
		refused("\xff\xfeh\x00i\x00\n\x00", args...)
	}
	r.must("\xff\xfeh\x00i\x00\n\x00", "tokenize", "-0")
	for _, args := range [][]string{{"embed", "--windows"}, {"embed", "--windows", "--whole"}, {"tokenize"}, {"similarity", "-", "hi there"}} {
		if got, want := r.must("\ufeffhi\n", args...), r.must("hi\n", args...); got != want {
			t.Errorf("%q: with a mark %.40q, without %.40q", args, got, want)
		}
	}
}
