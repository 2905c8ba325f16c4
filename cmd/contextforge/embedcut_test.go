//go:build !contextforge_noweights

package main

// This file tests that what is left out of long texts changes nothing.

import (
	"bufio"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/minilm"
)

// cutBy reads a text as the commands do, but in parts of 16 bytes.
func cutBy(t *testing.T, m *minilm.Model, text string) string {
	t.Helper()
	from := source{flags: sourceFlags{whole: true}}
	r := from.reader(nil, m)
	r.in = bufio.NewReaderSize(strings.NewReader(text), 16)
	got, err := r.text()
	if err != nil && err != errUTF16 {
		t.Fatal(err)
	}
	if err == errUTF16 {
		return text
	}
	return got
}

// awkward are pieces of text at which a cut could go wrong.
func awkward() []string {
	return []string{
		" ", "\t", "  ", "\n", "\x00", "\u00ad", "\ufeff", "\u0301", "a", "word", "unaffable", "embeddings", ".", "…", "用", "户身份", "한국어", "が",
		"[CLS]", "[SEP]", "[", "[MASK", "]", "\xff", "\xe4", "\xe4\xb8", "\u2028", "\u3000", "🙂", "e\u0301", strings.Repeat("x", 120), strings.Repeat("\x00", 40), strings.Repeat(" ", 40),
		"\u9fff", "\u4e00", "\u3400", "\U00020000",
	}
}

func TestCut(t *testing.T) {
	m := builtIn(t, minilm.Config{MaxTokens: 24})
	random := rand.New(rand.NewPCG(5, 31))
	pieces := awkward()
	shorter := 0
	for range 3000 {
		some := make([]string, 1+random.IntN(4))
		for i := range some {
			some[i] = pieces[random.IntN(len(pieces))]
		}
		var b strings.Builder
		for range random.IntN(120) {
			b.WriteString(some[random.IntN(len(some))])
		}
		text := b.String()
		got := cutBy(t, m, text)
		if len(got) < len(text) {
			shorter++
		}
		if !slices.Equal(m.Tokenize(got), m.Tokenize(text)) {
			t.Fatalf("%q is cut to %q", text, got)
		}
	}
	if shorter < 300 {
		t.Errorf("only %d texts were cut", shorter)
	}
}

func FuzzCut(f *testing.F) {
	for _, s := range awkward() {
		f.Add(strings.Repeat(s, 50))
		f.Add(strings.Repeat(s+" a", 50))
	}
	m := builtIn(f, minilm.Config{MaxTokens: 10})
	f.Fuzz(func(t *testing.T, text string) {
		if got := cutBy(t, m, text); !slices.Equal(m.Tokenize(got), m.Tokenize(strings.TrimPrefix(text, "\ufeff"))) {
			t.Errorf("%q is cut to %q", text, got)
		}
	})
}

// TestLongTexts: texts of many parts have the same answers as from an argument.
func TestLongTexts(t *testing.T) {
	r := newRig(t)
	texts := []string{
		strings.Repeat("The otter swims. ", 20_000), strings.Repeat("用户身份", 30_000), strings.Repeat("x", 200_000),
		strings.Repeat(" ", 200_000) + "late", strings.Repeat("\x00", 200_000) + "late", "a" + strings.Repeat("\x00", 200_000) + "b",
	}
	m := builtIn(t, minilm.Config{})
	for _, flags := range [][]string{nil, {"--null"}} {
		end := "\n"
		if flags != nil {
			end = "\x00"
		}
		for _, text := range texts {
			if strings.Contains(text, end) {
				continue
			}
			for line := range strings.Lines(r.must(text+end+text, append([]string{"tokenize", "--json"}, flags...)...)) {
				var got struct{ IDs []int32 }
				if err := json.Unmarshal([]byte(line), &got); err != nil || !slices.Equal(got.IDs, m.Tokenize(text)) {
					t.Errorf("%.20q: %v, %v", text, got.IDs, err)
				}
			}
		}
	}
	want := r.must("", "embed", texts[0][:5000])
	for _, flag := range []string{"--whole", "--null", "--json=false"} {
		if got := r.must(texts[0], "embed", flag); got != want {
			t.Errorf("%s: printed %.60q", flag, got)
		}
	}
}
