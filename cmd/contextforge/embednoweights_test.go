//go:build contextforge_noweights

package main

// This file tests a program that was built without the model.

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestNoWeights(t *testing.T) {
	r := newRig(t)
	file := filepath.Join("..", "..", "minilm", "allminilm", "all-MiniLM-L6-v2-Q8_0.gguf")
	for _, args := range [][]string{{"embed", "x"}, {"embed"}, {"embed", "x", "--as", "query"}, {"tokenize", "x"}, {"similarity", "x", "y"}} {
		r.fails(exitUsage, "no model is built into this program: name the file of one with --model", "", args...)
		if got := r.must("", append(args, "--model", file)...); len(args) > 1 && !strings.HasSuffix(got, "\n") {
			t.Errorf("%q printed %q", args, got)
		}
	}
}

// TestNoWeightsStore: by default texts go without vectors, and what would make
// or use them says so in a line.
func TestNoWeightsStore(t *testing.T) {
	r := newRig(t)
	delete(r.env, embedderEnv)
	const notice = "no model is built into this program, so that texts get no vectors and are found by their words alone; name one with --embedder FILE"
	file := filepath.Join("..", "..", "minilm", "allminilm", "all-MiniLM-L6-v2-Q8_0.gguf")
	for _, args := range [][]string{{"save", "a kettle", "--id", "k"}, {"import"}, {"update", "k", "the kettle is on"}, {"query", "kettle"}} {
		r.fails(exitOK, notice, "", args...)
	}
	for _, args := range [][]string{{"list"}, {"count"}, {"stats"}, {"verify"}, {"query", "*"}, {"save", "text", "--embedder", "none"}} {
		if o := r.run("", args...); o.code != exitOK || o.err != "" {
			t.Errorf("%q: exit %d, %s", args, o.code, o.err)
		}
	}
	for _, args := range [][]string{{"save", "x", "--embedder", "builtin"}, {"backfill"}, {"similar", "k"}} {
		r.fails(exitUsage, "no model is built into this program: name the file of one with --embedder", "", args...)
	}
	if got := r.must("", "backfill", "--embedder", file); got != "embedded 2 entries, skipped 0\n" {
		t.Error(got)
	}
	if got := r.must("", "query", "boiling water", "--embedder", file, "--limit", "1"); !strings.Contains(got, "the kettle is on") {
		t.Error(got)
	}
}

// TestNoWeightsHelp: nothing is promised that this program hasn't.
func TestNoWeightsHelp(t *testing.T) {
	r := newRig(t)
	for _, command := range []string{"embed", "tokenize", "similarity"} {
		help := r.must("", command, "--help")
		if strings.Contains(help, "built-in") || strings.Contains(help, "MiniLM") || !strings.Contains(help, "none built in") {
			t.Errorf("%s", help)
		}
	}
}
