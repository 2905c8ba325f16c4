//go:build !contextforge_noweights

package main

// This file tests the tokens that the command prints against those of the
// library.

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/minilm"
)

func TestTokenizeLines(t *testing.T) {
	texts := hostileTexts()
	for _, line := range strings.Split(randomLines(200), "\n") {
		texts = append(texts, line+".")
	}
	m := builtIn(t, minilm.Config{})
	r := newRig(t)
	in := strings.Join(texts, "\n")
	asJSON := strings.Split(r.must(in, "tokenize", "--json"), "\n")
	plain := strings.Split(r.must(in, "tokenize"), "\n")
	if len(asJSON) != len(texts)+1 || len(plain) != len(texts)+1 {
		t.Fatalf("%d and %d answers to %d lines", len(asJSON)-1, len(plain)-1, len(texts))
	}
	for i, text := range texts {
		var got struct{ IDs []int32 }
		if err := json.Unmarshal([]byte(asJSON[i]), &got); err != nil {
			t.Fatal(err)
		}
		if want := m.Tokenize(text); !slices.Equal(got.IDs, want) {
			t.Errorf("%.40q has %v, want %v", text, got.IDs, want)
		}
		if like := "{\"ids\":[" + strings.ReplaceAll(plain[i], " ", ",") + "]}"; like != asJSON[i] {
			t.Errorf("%.40q: %s, but %s", text, plain[i], asJSON[i])
		}
	}
}
