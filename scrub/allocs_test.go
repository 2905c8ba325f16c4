//go:build !race

// Allocations on clean text; the race detector makes pools forget on purpose.

package scrub

import "testing"

func TestCleanTextCostsNoAllocation(t *testing.T) {
	var s Scrubber
	if n := testing.AllocsPerRun(10, func() { s.Scrub("Nobody may read the sk-1 beyond Monday") }); n > 0 {
		t.Errorf("clean text costs %v allocations", n)
	}
	raw := []byte(`{"speaker":"Maren","n":3,"tags":["x"]}`)
	if n := testing.AllocsPerRun(10, func() { _, _, _ = s.JSON(raw) }); n > 2 {
		t.Errorf("a clean document costs %v allocations", n)
	}
}
