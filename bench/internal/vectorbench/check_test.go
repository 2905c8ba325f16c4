//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package vectorbench

// These tests decide that wrong answers are told from right ones.

import (
	"slices"
	"testing"

	"github.com/contextforge-go/contextforge/vecindex"
)

func TestNearest(t *testing.T) {
	s := NewSource(3, 200, 16, 4)
	for _, scope := range []string{"", s.Scope(2)} {
		got := nearest(s, []int{5}, scope, 10)[0]
		var all []scored
		for i := range s.Vectors {
			if scope == "" || s.Scope(i) == scope {
				all = append(all, scored{uint64(i), cosine(wide(s.Query(5)), wide(s.Vector(i)))})
			}
		}
		slices.SortFunc(all, func(a, b scored) int {
			if a.cosine > b.cosine {
				return -1
			}
			return 1
		})
		if !slices.Equal(got, all[:10]) {
			t.Errorf("scope %q: %v, want %v", scope, got, all[:10])
		}
	}
	if got := nearest(s, []int{1}, "nowhere", 10); len(got[0]) != 0 {
		t.Errorf("%v", got)
	}
}

func TestCompare(t *testing.T) {
	best := []scored{{1, 0.9}, {2, 0.8}, {3, 0.8 - 1e-7}, {4, 0.5}}
	right := []vecindex.Hit{{Num: 1, Score: 0.9}, {Num: 3, Score: 0.8}, {Num: 2, Score: 0.8}, {Num: 4, Score: 0.5}}
	if err := compare(right, best); err != nil {
		t.Error(err)
	}
	tied := slices.Clone(right)
	tied[3].Num = 9 // as good as the last, which the oracle cut off
	if err := compare(tied, best); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(h []vecindex.Hit) []vecindex.Hit{
		"one is missing":       func(h []vecindex.Hit) []vecindex.Hit { return h[:3] },
		"a better one is left": func(h []vecindex.Hit) []vecindex.Hit { h[1].Num = 9; return h },
		"a wrong cosine":       func(h []vecindex.Hit) []vecindex.Hit { h[0].Score = 0.91; return h },
		"not in order":         func(h []vecindex.Hit) []vecindex.Hit { h[0], h[3] = h[3], h[0]; return h },
		"a cosine of another":  func(h []vecindex.Hit) []vecindex.Hit { h[0].Num = 4; return h },
	} {
		if err := compare(change(slices.Clone(right)), best); err == nil {
			t.Errorf("%s: nothing is said", name)
		}
	}
}
