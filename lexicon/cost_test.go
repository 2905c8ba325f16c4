// What a lexicon takes up in memory.

package lexicon

import (
	"testing"
	"unsafe"
)

func TestMemoryOfLargeLexicon(t *testing.T) {
	s := parsed(t, largeText(10_000))
	a := s.automaton
	automatonBytes := len(a.nodes)*int(unsafe.Sizeof(node{})) + len(a.labels) + len(a.next)*4 + int(unsafe.Sizeof(a))
	if states := len(a.labels); automatonBytes > 14*states+1<<16 {
		t.Errorf("%d bytes for %d states", automatonBytes, states)
	}
	all := automatonBytes + 2*len(s.lengths) + len(s.patterns)*int(unsafe.Sizeof(pattern{}))
	for _, p := range s.patterns {
		all += len(p.text)
	}
	if all > 4<<20 {
		t.Errorf("%d bytes for %d patterns", all, s.Len())
	}
	if cap(a.labels) != len(a.labels) || cap(a.nodes) != len(a.nodes) {
		t.Errorf("room for %d labels and %d nodes, %d and %d are used", cap(a.labels), cap(a.nodes), len(a.labels), len(a.nodes))
	}
}
