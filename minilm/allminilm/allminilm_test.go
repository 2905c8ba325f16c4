//go:build !contextforge_noweights

package allminilm_test

// The built-in weights are those that the constants and the notice name, and take
// no more memory than they must.

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/internal/simd"
	"github.com/contextforge-go/contextforge/minilm"
	"github.com/contextforge-go/contextforge/minilm/allminilm"
)

const file = "all-MiniLM-L6-v2-Q8_0.gguf"

func TestHash(t *testing.T) {
	weights, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%x", sha256.Sum256(weights)); got != allminilm.SHA256 {
		t.Errorf("the hash of %s is %s", file, got)
	}
	notice, err := os.ReadFile("NOTICE")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{file, "SHA-256 " + allminilm.SHA256, "25,282,432 bytes", "Apache License, Version 2.0"} {
		if !strings.Contains(string(notice), want) {
			t.Errorf("NOTICE has no %q", want)
		}
	}
	if len(weights) != 25282432 {
		t.Errorf("%s has %d bytes", file, len(weights))
	}
}

// The built-in model is the file's, with the same ID, so that stores made with
// one can be read with the other.
func TestNewIsLoad(t *testing.T) {
	built, err := allminilm.New(minilm.Config{})
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := minilm.Load(file, minilm.Config{})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []*minilm.Model{built, loaded} {
		if m.ID() != allminilm.ID || m.Name() != allminilm.Name || m.MaxTokens() != 256 || m.Dimension() != 384 ||
			m.Layers() != 6 || m.Pooling() != minilm.PoolingMean || m.Prefixes() != (minilm.Prefixes{}) {
			t.Errorf("%s, %s, %d tokens, %d wide, %d layers, %v, %+v", m.ID(), m.Name(), m.MaxTokens(), m.Dimension(), m.Layers(), m.Pooling(), m.Prefixes())
		}
	}
	a, err := built.EmbedQuery(t.Context(), "hello world")
	if err != nil {
		t.Fatal(err)
	}
	b, err := loaded.EmbedQuery(t.Context(), "hello world")
	if err != nil {
		t.Fatal(err)
	}
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("component %d is %v and %v", i, a[i], b[i])
		}
	}
}

func TestConfig(t *testing.T) {
	m, err := allminilm.New(minilm.Config{ID: "mine", Name: "other", MaxTokens: 64})
	if err != nil {
		t.Fatal(err)
	}
	if m.ID() != "mine/mean/64" || m.Name() != "other" || m.MaxTokens() != 64 {
		t.Errorf("%s, %s, %d tokens", m.ID(), m.Name(), m.MaxTokens())
	}
	if _, err := allminilm.New(minilm.Config{MaxTokens: 513}); !errors.Is(err, minilm.ErrConfig) {
		t.Error(err)
	}
}

// mostHeap is what a model may take beside the program. The layers' matrices are
// 12 MB in the kernels' layout; the vocabulary's vectors stay in the program.
const mostHeap = 20 << 20

func TestHeap(t *testing.T) {
	for _, kernels := range simd.Available() {
		before := heap()
		m, err := allminilm.New(minilm.Config{Kernels: kernels})
		if err != nil {
			t.Fatal(err)
		}
		loaded := heap() - before
		if _, err := m.EmbedQuery(t.Context(), "hello world"); err != nil {
			t.Fatal(err)
		}
		used := heap() - before
		if loaded > mostHeap || used > mostHeap+4<<20 {
			t.Errorf("%s: %d bytes after loading, %d after a text", kernels, loaded, used)
		}
		t.Logf("%s: %.1f MB after loading, %.1f MB after a text", kernels, float64(loaded)/(1<<20), float64(used)/(1<<20))
		runtime.KeepAlive(m)
	}
}

// heap returns the bytes in use.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// TestWithoutWeights builds a program with the tag, looks at its size and runs
// it. It needs the go command, which machines that only run tests don't have.
func TestWithoutWeights(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Logf("not tried: %v", err)
		return
	}
	program := filepath.Join(t.TempDir(), "program.exe")
	build := exec.Command("go", "test", "-c", "-tags", "contextforge_noweights", "-o", program, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	info, err := os.Stat(program)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > 20<<20 {
		t.Errorf("the program has %d bytes", info.Size())
	}
	out, err := exec.Command(program, "-test.v", "-test.run", "TestNoWeights").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestNoWeights") {
		t.Errorf("%v: %s", err, out)
	}
}
