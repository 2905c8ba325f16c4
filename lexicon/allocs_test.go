//go:build !race

// Allocations of a score; the race detector makes pools forget on purpose.

package lexicon

import (
	"strings"
	"testing"
)

func TestScoreAllocatesNothing(t *testing.T) {
	large := parsed(t, largeText(10_000))
	for _, content := range []string{average, "not " + average, strings.Repeat("ёлка é 確認 가 ", 30), "no match", ""} {
		for _, s := range []Scorer{English(), large, Composite(English(), large)} {
			item := Item{Content: content}
			if n := testing.AllocsPerRun(50, func() { s.Score(item, "") }); n > 0 {
				t.Errorf("%.30q: %v allocations", content, n)
			}
		}
	}
}
