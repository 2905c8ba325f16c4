//go:build amd64 && !noasm

package simd

// This file tests that the committed assembly for arm64 is what the generator
// writes, and runs the generator's own tests.

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestNeonIsGenerated(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("go", "run", "./_gen/neon", "-dir", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range []string{"products_arm64.s", "rows_arm64.s"} {
		want, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: not what the generator writes (%v)", name, err)
		}
	}
}

func TestNeonGenerator(t *testing.T) {
	if out, err := exec.Command("go", "test", "./_gen/neon").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}
