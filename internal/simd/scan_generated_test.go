//go:build amd64 && !noasm

package simd

// The assembly of the vector search is what its generator writes.

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestScanIsAsGenerated(t *testing.T) {
	directory := t.TempDir()
	if out, err := exec.Command("go", "run", "./_gen/scan", directory).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	want, err := os.ReadFile(filepath.Join(directory, "scan_amd64.s"))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile("scan_amd64.s"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("scan_amd64.s is not what go generate writes (%v)", err)
	}
}
