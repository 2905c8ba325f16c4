// This file decides how many patterns are found in one pass: an Aho-Corasick
// automaton (Aho, Corasick: Efficient string matching, CACM 18(6), 1975) laid out
// for size.
//
// States are numbered breadth first, so that the children of a state are a run of
// numbers, ordered by their labels, and need no pointers:
//
//	nodes    first child | failure state | first pattern that ends here   3 × 4 bytes
//	labels   byte on the edge into the state                              1 byte
//
// The children of state s are nodes[s].first … nodes[s+1].first - 1; one node more
// than there are states closes the last run. The edges of the root are a table.
// Patterns that end at the same place of a text, because one is the end of the
// other, hang together in a list, the longest first.

package lexicon

import (
	"slices"
	"strings"
)

// none ends a list of patterns.
const none = -1

type node struct {
	first int32 // the first child
	fail  int32 // the state of the longest proper suffix that is a state
	out   int32 // the longest pattern that the state's string ends in, or none
}

type automaton struct {
	nodes  []node
	labels []byte
	root   [256]int32
	next   []int32 // by pattern: the next shorter one that it ends in, or none
}

// newAutomaton builds the automaton of keys, none of them empty; pattern i is
// keys[i]. Time and memory are linear in the length of all keys but for sorting.
func newAutomaton(keys []string) automaton {
	order := make([]int32, len(keys))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		if c := strings.Compare(keys[a], keys[b]); c != 0 {
			return c
		}
		return int(a - b)
	})
	a := automaton{next: make([]int32, len(keys))}
	a.grow(keys, order)
	a.link()
	return a
}

// grow makes the states. Every state stands for the keys of a range of order,
// those that begin with the state's string.
func (a *automaton) grow(keys []string, order []int32) {
	type keyRange struct{ low, high, depth int32 }
	states := countStates(keys, order)
	ranges := make([]keyRange, 1, states)
	ranges[0].high = int32(len(order))
	a.nodes, a.labels = make([]node, 0, states+1), make([]byte, 1, states)
	for s := 0; s < len(ranges); s++ {
		r := ranges[s]
		n := node{first: int32(len(ranges)), out: none}
		for r.low < r.high && len(keys[order[r.low]]) == int(r.depth) { // the key that is the state's string, by each of its numbers
			id := order[r.low]
			a.next[id] = n.out
			n.out = id
			r.low++
		}
		for r.low < r.high {
			label := keys[order[r.low]][r.depth]
			end := r.low + 1
			for end < r.high && keys[order[end]][r.depth] == label {
				end++
			}
			a.labels = append(a.labels, label)
			ranges = append(ranges, keyRange{r.low, end, r.depth + 1})
			r.low = end
		}
		a.nodes = append(a.nodes, n)
	}
	a.nodes = append(a.nodes, node{first: int32(len(ranges)), out: none})
}

// countStates returns how many different beginnings the keys have, the empty one
// included: every key adds what it doesn't share with the one before.
func countStates(keys []string, order []int32) int {
	n, before := 1, ""
	for _, id := range order {
		key := keys[id]
		shared := 0
		for shared < min(len(key), len(before)) && key[shared] == before[shared] {
			shared++
		}
		n += len(key) - shared
		before = key
	}
	return n
}

// link sets the failure states and joins the lists of patterns along them. The
// failure state of a state is nearer to the root, so it is done already.
func (a *automaton) link() {
	for c := a.nodes[0].first; c < a.nodes[1].first; c++ {
		a.root[a.labels[c]] = c
	}
	for s := int32(0); s < int32(len(a.nodes)-1); s++ {
		fail := a.nodes[s].fail
		for c := a.nodes[s].first; c < a.nodes[s+1].first; c++ {
			if s != 0 {
				a.nodes[c].fail = a.step(fail, a.labels[c])
			}
		}
		a.join(s, a.nodes[fail].out)
	}
}

// join puts list behind the patterns of a state itself.
func (a *automaton) join(s, list int32) {
	if s == 0 {
		return
	}
	if a.nodes[s].out == none {
		a.nodes[s].out = list
		return
	}
	id := a.nodes[s].out
	for a.next[id] != none {
		id = a.next[id]
	}
	a.next[id] = list
}

// step returns the state after a byte. Over a whole text it goes back no more
// often than it goes forward.
func (a *automaton) step(s int32, b byte) int32 {
	for s != 0 {
		if c := a.child(s, b); c != 0 {
			return c
		}
		s = a.nodes[s].fail
	}
	return a.root[b]
}

// child returns the child of s along b, 0 if there is none.
func (a *automaton) child(s int32, b byte) int32 {
	low, high := a.nodes[s].first, a.nodes[s+1].first
	for high-low > 4 {
		if mid := int32(uint32(low+high) / 2); a.labels[mid] <= b {
			low = mid
		} else {
			high = mid
		}
	}
	for ; low < high; low++ {
		if a.labels[low] == b {
			return low
		}
	}
	return 0
}
