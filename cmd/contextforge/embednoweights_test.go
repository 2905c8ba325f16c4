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
