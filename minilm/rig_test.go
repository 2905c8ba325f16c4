package minilm_test

// What the tests share: the built-in model, reference texts, comparisons.

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"os"
	"testing"

	"github.com/contextforge-go/contextforge/internal/simd"
	"github.com/contextforge-go/contextforge/minilm"
	"github.com/contextforge-go/contextforge/minilm/allminilm"
)

// reference is a text and its vector.
type reference struct {
	ID        int       `json:"id"`
	Category  string    `json:"category"`
	Text      string    `json:"text"`
	Tokens    int       `json:"n_tokens"`
	Embedding []float32 `json:"embedding"`
}

func readReferences(t testing.TB, name string) (list []reference) {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r reference
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	if lines.Err() != nil || len(list) == 0 {
		t.Fatalf("%d lines, %v", len(list), lines.Err())
	}
	return list
}

// texts returns those of references.
func texts(list []reference) []string {
	all := make([]string, len(list))
	for i, r := range list {
		all[i] = r.Text
	}
	return all
}

func builtIn(t testing.TB, cfg minilm.Config) *minilm.Model {
	t.Helper()
	m, err := allminilm.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func embed(t testing.TB, m *minilm.Model, texts ...string) [][]float32 {
	t.Helper()
	vectors, err := m.Embed(context.Background(), texts)
	if err != nil {
		t.Fatal(err)
	}
	return vectors
}

// eachKernel runs a test under every implementation that this machine has.
func eachKernel(t *testing.T, f func(t *testing.T, name string)) {
	for _, name := range simd.Available() {
		t.Run(name, func(t *testing.T) { f(t, name) })
	}
}
