package main

// This file tests that the example prints what it promises, and holds no secret.

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/distill/openai"
)

var update = flag.Bool("update", false, "write the expected output anew")

func TestOutput(t *testing.T) {
	var out strings.Builder
	d, err := distiller("", "")
	if err == nil {
		err = run(t.Context(), &out, d)
	}
	if err != nil {
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
	for _, never := range []string{"x7Qm", "ghp_", "contextforge-recalled"} {
		if strings.Contains(out.String(), never) {
			t.Errorf("printed %q", never)
		}
	}
}

func TestEndpointIsChecked(t *testing.T) {
	if _, err := distiller("nowhere", "m"); !errors.Is(err, openai.ErrOptions) {
		t.Errorf("%v", err)
	}
	if d, err := distiller("http://localhost:11434/v1", "m"); d == nil || err != nil {
		t.Errorf("%v, %v", d, err)
	}
}
