package main

// This file tests that the example prints what it promises.

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the expected output anew")

func TestOutput(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), &out, ""); err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "output.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(golden); err != nil || out.String() != string(want) {
		t.Errorf("%v, printed\n%s", err, out.String())
	}
	if lines := strings.Count(out.String(), "\n"); lines > 60 {
		t.Errorf("%d lines are too many to read", lines)
	}
}

// A file that is given is the one that learns, once.
func TestOwnFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "own.toml")
	if err := os.WriteFile(file, []byte("# mine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var text [2]string
	for i := range text {
		var out strings.Builder
		if err := run(t.Context(), &out, file); err != nil {
			t.Fatal(err)
		}
		if changed := strings.Contains(out.String(), "changed: true"); changed != (i == 0) {
			t.Errorf("run %d: changed %v", i+1, changed)
		}
		learnt, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text[i] = string(learnt)
	}
	if !strings.HasPrefix(text[0], "# mine\n") || !strings.Contains(text[0], "\"seal kit\" = 0.8 # orders take a week (from note-2, note-3)\n") || text[1] != text[0] {
		t.Errorf("the file holds\n%s\nthen\n%s", text[0], text[1])
	}
	if err := run(t.Context(), &strings.Builder{}, filepath.Join(t.TempDir(), "missing.toml")); err == nil {
		t.Error("a missing file is no error")
	}
}
