//go:build !contextforge_noweights

package main

// This file tests what is told of models that can be used.

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/minilm"
)

// TestUsableModel shows what is told of a model that can be used.
func TestUsableModel(t *testing.T) {
	r := newRig(t)
	for name, prefixes := range map[string]string{"all-MiniLM-L6-v2": "none", "intfloa/e5-small": `query "query: ", document "passage: "`} {
		path := r.renamed(name)
		m, err := minilm.Load(path, minilm.Config{})
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"embedding     yes\n", "prefixes      " + prefixes + "\n", "identity      " + m.ID() + "\n", "8-bit         36 of 36 matrices\n\n"}
		got := r.must("", "model", "inspect", path)
		for _, line := range want {
			if !strings.Contains(got, line) {
				t.Errorf("no %q in %.900s", line, got)
			}
		}
		var report struct {
			Embedding map[string]any
		}
		if err := json.Unmarshal([]byte(r.must("", "model", "inspect", path, "--json")), &report); err != nil {
			t.Fatal(err)
		}
		e := report.Embedding
		if e["usable"] != true || e["reason"] != nil || e["id"] != m.ID() || e["max_tokens"] != float64(m.MaxTokens()) || e["pooling"] != "mean" ||
			e["query_prefix"] != m.Prefixes().Query || e["document_prefix"] != m.Prefixes().Document || len(e["int8_tensors"].([]any)) != 36 {
			t.Errorf("%v", e)
		}
	}
}

// TestModelHelpTexts: what is built in is promised.
func TestModelHelpTexts(t *testing.T) {
	r := newRig(t)
	for _, command := range []string{"embed", "tokenize", "similarity"} {
		if help := r.must("", command, "--help"); !strings.Contains(help, "built-in model") || !strings.Contains(help, "default the built-in all-MiniLM-L6-v2") {
			t.Errorf("%s", help)
		}
	}
}
