package embedbench

// These tests decide that accepting a model compares what it says it does.

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// builtIn is the built-in model, seen from this folder.
func builtIn() Source { return Source{Root: filepath.Join("..", "..", "..")} }

// written returns a file with a line for each value.
func written(t *testing.T, name string, lines ...any) string {
	t.Helper()
	var b strings.Builder
	for _, line := range lines {
		if text, ok := line.(string); ok {
			b.WriteString(text + "\n")
			continue
		}
		text, err := json.Marshal(line)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(text, '\n'))
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestCheck compares the model with its own vectors, and with those of its
// numbers in float32, of which one is shifted.
func TestCheck(t *testing.T) {
	texts := []string{"hello world", "", "the harbour is quiet"}
	quantised, wide := vectorsOf(t, false, texts), vectorsOf(t, true, texts)
	wide[1][5] += 0.25
	var lines []any
	for i, text := range texts {
		line := recorded{Text: text, Embedding: quantised[i]}
		if i < 2 {
			line.OfQ8 = wide[i]
		}
		lines = append(lines, line)
	}
	r, err := Check(t.Context(), builtIn(), "", written(t, "r.jsonl", lines...))
	if err != nil {
		t.Fatal(err)
	}
	if r.Model != "all-MiniLM-L6-v2-Q8_0.gguf" || r.Pooling != "mean" || r.Quantised.Texts != 3 {
		t.Errorf("%+v", r)
	}
	if math.Abs(r.Quantised.Mean-1) > 1e-9 || math.Abs(r.Quantised.Min-1) > 1e-9 {
		t.Errorf("the model differs from itself: %+v", r.Quantised)
	}
	if r.Float32.Mean < 0.998 || r.Float32.Mean > 0.99999 {
		t.Errorf("in float32 the cosine is %v", r.Float32.Mean)
	}
	if math.Abs(r.LargestDifference-0.25) > 1e-6 {
		t.Errorf("largest difference %v", r.LargestDifference)
	}
	text := r.Text()
	for _, part := range []string{"3 texts", "mean 1.000000, min 1.000000", "component to the recorded vectors of them 0.25"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}

func vectorsOf(t *testing.T, wide bool, texts []string) [][]float32 {
	t.Helper()
	load := builtIn().load
	if wide {
		load = builtIn().widened
	}
	m, err := load("", 1)
	if err != nil {
		t.Fatal(err)
	}
	vectors, err := embedAll(t.Context(), m, texts)
	if err != nil {
		t.Fatal(err)
	}
	return vectors
}

func TestCheckWithoutRounded(t *testing.T) {
	path := written(t, "r.jsonl", recorded{Text: "hello", Embedding: vectorsOf(t, false, []string{"hello"})[0]})
	r, err := Check(t.Context(), builtIn(), "", path)
	if err != nil || r.LargestDifference != -1 || strings.Contains(r.Text(), "component") {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestCheckRefuses(t *testing.T) {
	for name, path := range map[string]string{
		"no file":        filepath.Join(t.TempDir(), "r.jsonl"),
		"empty":          written(t, "r.jsonl", ""),
		"no JSON":        written(t, "r.jsonl", "text"),
		"another width":  written(t, "r.jsonl", recorded{Text: "a", Embedding: []float32{1, 0}}),
		"not compressed": written(t, "r.jsonl.gz", "{}"),
	} {
		if _, err := Check(t.Context(), builtIn(), "", path); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	for name, s := range map[string]Source{
		"no such model": {File: filepath.Join(t.TempDir(), "m.gguf")}, "no weights beside": {Root: t.TempDir()},
	} {
		path := written(t, "r.jsonl", recorded{Text: "a", Embedding: make([]float32, 384)})
		if _, err := Check(t.Context(), s, "", path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Check(t.Context(), builtIn(), "abacus", builtIn().reference()); err == nil {
		t.Error("unknown kernels are accepted")
	}
}

func TestSTS(t *testing.T) {
	path := written(t, "pairs.jsonl",
		`{"a":"a man plays the guitar","b":"a man is playing a guitar","score":5}`,
		`{"a":"a man plays the guitar","b":"a woman plays the flute","score":2}`,
		`{"a":"a man plays the guitar","b":"the stock market fell","score":0}`)
	r, err := STS(t.Context(), builtIn(), "", path)
	if err != nil || r.Pairs != 3 || math.Abs(r.Quantised-100) > 1e-9 || math.Abs(r.Float32-100) > 1e-9 {
		t.Errorf("%+v, %v", r, err)
	}
	if text := r.Text(); !strings.Contains(text, "3 pairs") || !strings.Contains(text, "100.00") {
		t.Errorf("%q", text)
	}
	for name, line := range map[string]string{"no score": `{"a":"x","b":"y"}`, "no JSON": "x"} {
		if _, err := STS(t.Context(), builtIn(), "", written(t, "pairs.jsonl", line)); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if _, err := STS(stopped, builtIn(), "", path); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}
