//go:build amd64 && !noasm

package simd

// The assembly of the row operations is what its generator writes.

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestRowsAreAsGenerated(t *testing.T) {
	directory := t.TempDir()
	if out, err := exec.Command("go", "run", "./_gen/rows", directory).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"rows_avx2_amd64.s", "rows_avx512_amd64.s"} {
		want, err := os.ReadFile(filepath.Join(directory, name))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what go generate writes (%v)", name, err)
		}
	}
}
