package main

// This file tests that the example prints what the README promises, and that
// a memory which is kept is found again.

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge"
)

var update = flag.Bool("update", false, "write the expected output anew")

// durations are the only part of the output that differs between runs.
var durations = regexp.MustCompile(`[0-9]+\.[0-9] ms`)

func output(t *testing.T, dir string) string {
	t.Helper()
	var out strings.Builder
	if err := run(t.Context(), &out, dir); err != nil {
		t.Fatal(err)
	}
	return durations.ReplaceAllString(out.String(), "N ms")
}

func TestOutput(t *testing.T) {
	golden := filepath.Join("testdata", "output.txt")
	got := output(t, "")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || got != string(want) {
		t.Errorf("%v, printed\n%s", err, got)
	}
	if lines := strings.Count(got, "\n"); lines > 72 {
		t.Errorf("%d lines are too many to read", lines)
	}
}

func TestKeptStore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "memory.db")
	first := output(t, dir)
	if again := output(t, dir); again != strings.Replace(first, "Saved 442 entries", "Saved 0 entries", 1) {
		t.Errorf("the second run printed\n%s", again)
	}
}

func TestIndented(t *testing.T) {
	got := indented("one\ntwo  " + strings.Repeat("x", 90) + " three")
	if want := "     one two\n     " + strings.Repeat("x", 90) + "\n     three"; got != want {
		t.Errorf("%q", got)
	}
	if got := indented(""); got != "" {
		t.Errorf("%q", got)
	}
}

// TestAnswered: a question has an answer when one of its turns is found.
func TestAnswered(t *testing.T) {
	questions, err := read[Question]("questions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "memory.db")
	if n, err := answered(t.Context(), contextforge.Config{Path: dir}, questions); n != 0 || err != nil {
		t.Errorf("an empty memory answers %d questions, %v", n, err)
	}
	mem, err := contextforge.Open(t.Context(), contextforge.Config{Path: dir})
	if err != nil {
		t.Fatal(err)
	}
	q := questions[0]
	if _, err := mem.Save(t.Context(), "My daughter must not eat this kind of food.", "", contextforge.SaveOptions{Scope: q.Scope, ID: q.Evidence[0]}); err != nil {
		t.Fatal(err)
	}
	if err := mem.Close(); err != nil {
		t.Fatal(err)
	}
	for want, asked := range [][]Question{questions[1:2], questions[:1]} {
		if n, err := answered(t.Context(), contextforge.Config{Path: dir}, asked); n != want || err != nil {
			t.Errorf("%q: %d, %v", asked[0].Text, n, err)
		}
	}
}
