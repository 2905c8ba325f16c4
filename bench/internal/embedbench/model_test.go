package embedbench

// These tests decide which files a source stands for and which lines are accepted.

import (
	"os"
	"path/filepath"
	"testing"
)

func TestSource(t *testing.T) {
	own := builtIn()
	for _, path := range []string{own.Path(), own.reference()} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
	other := Source{File: own.Path(), Root: t.TempDir()}
	if other.Path() != own.Path() || other.reference() != "" || other.Name() != own.Name() || own.Name() != "all-MiniLM-L6-v2-Q8_0.gguf" {
		t.Errorf("%q, %q, %q", other.Path(), other.reference(), other.Name())
	}
	a, err := own.load("", 1)
	if err != nil {
		t.Fatal(err)
	}
	b, err := other.load("", 1)
	if err != nil || a.ID() != b.ID() {
		t.Errorf("%v: the same model has two names", err)
	}
	wide, err := other.widened("", 1)
	if err != nil || wide.ID() == a.ID() || wide.Dimension() != a.Dimension() || wide.MaxTokens() != a.MaxTokens() {
		t.Errorf("in float32: %v", err)
	}
}

// FuzzReadRecorded checks that no file of recorded vectors makes the reader do
// anything but refuse it or return vectors of the width asked for.
func FuzzReadRecorded(f *testing.F) {
	for _, text := range []string{
		`{"text":"a","embedding":[1,2]}`, `{"text":"a","embedding":[1,2],"embedding_q8_0":[3,4]}`, "\n\n", "{}", "x",
		`{"embedding":[1e99,0]}`, `{"embedding":[1]}`, `{"embedding":[1,2],"embedding_q8_0":[3]}`, "null", "\x1f\x8b",
	} {
		f.Add(text, false)
		f.Add(text, true)
	}
	f.Fuzz(func(t *testing.T, text string, compressed bool) {
		path := filepath.Join(t.TempDir(), "r.jsonl")
		if compressed {
			path += ".gz"
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		list, err := readRecorded(path, 2)
		if err != nil {
			return
		}
		if len(list) == 0 {
			t.Error("neither vectors nor an error")
		}
		for _, r := range list {
			if len(r.Embedding) != 2 || len(r.OfQ8) != 0 && len(r.OfQ8) != 2 {
				t.Errorf("%+v", r)
			}
		}
	})
}
