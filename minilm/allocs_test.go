//go:build !race

package minilm_test

// What a call allocates: its result. The race detector allocates as well.

import (
	"context"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/minilm"
	"github.com/contextforge-go/contextforge/minilm/gguf"
)

// The list of vectors and the numbers of all of them are two, whatever is
// embedded.
func TestAllocations(t *testing.T) {
	ctx := context.Background()
	for _, kind := range []gguf.Type{gguf.Q8_0, gguf.F32} {
		s := shape{width: 32, heads: 2, inner: 64, layers: 2, positions: 64, kind: kind, table: kind}
		eachKernel(t, func(t *testing.T, kernels string) {
			m := s.model(t, minilm.Config{Kernels: kernels, Parallelism: 1, Prefixes: &minilm.Prefixes{Query: "query: "}})
			all := lengths(64)
			long := []string{strings.Repeat("the quiet boat. ", 99)}
			for name, call := range map[string]func() error{
				"one text":     func() error { _, err := m.Embed(ctx, all[10:11]); return err },
				"a long text":  func() error { _, err := m.Embed(ctx, long); return err },
				"a batch":      func() error { _, err := m.Embed(ctx, all); return err },
				"an empty one": func() error { _, err := m.Embed(ctx, all[:1]); return err },
				"a query":      func() error { _, err := m.EmbedQuery(ctx, "the boat"); return err },
			} {
				n := testing.AllocsPerRun(5, func() {
					if err := call(); err != nil {
						t.Fatal(err)
					}
				})
				if n != 2 {
					t.Errorf("%s, %s: %v allocations", kind, name, n)
				}
			}
		})
	}
}

// Several goroutines need a few for themselves, not for every text.
func TestAllocationsOfSeveralGoroutines(t *testing.T) {
	s := shape{width: 32, heads: 2, inner: 64, layers: 2, positions: 64, kind: gguf.Q8_0}
	m := s.model(t, minilm.Config{Parallelism: 2})
	all := append(lengths(64), lengths(64)...)
	n := testing.AllocsPerRun(5, func() { embed(t, m, all...) })
	if n <= 2 || n > 20 { // with 2, one goroutine has done it alone
		t.Errorf("%v allocations for %d texts", n, len(all))
	}
}
