// This file decides which passages confirm the same in enough sessions.

package analysis

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"
)

// confirmed is what a passage confirms something with, and its words; the zero
// value confirms nothing.
type confirmed struct {
	by    []int32 // members of the list of confirmations, sorted
	words []string
}

// counts reports whether there is anything to compare.
func (c *confirmed) counts() bool { return len(c.by) > 0 && len(c.words) > 1 }

// reinforced tells which passages belong together with others of at least the
// given number of sessions. Two are linked if they share a confirmation and more
// than the given share of the word pairs of the one with fewer; what is linked
// over others belongs together as well. comparisons counts how often two sets of
// word pairs were held against each other.
//
// Passages with equal sets are one group from the start. Then prefix filtering
// (Chaudhuri, Ganti and Kaushik, "A Primitive Operator for Similarity Joins in
// Data Cleaning", ICDE 2006) finds the pairs of groups that can be
// linked: if k pairs of the smaller set must recur in the other one, then the
// other one has at least one of any |smaller| - k + 1 of them, so that it is
// enough to look for those which the fewest groups have. Groups that already
// belong together are not compared. When ctx ends, so does the work.
func reinforced(ctx context.Context, passages []Passage, list []confirmed, sessions int, overlap float64) (marks []bool, comparisons int) {
	marks = make([]bool, len(passages))
	groups := groupEqual(list)
	if overlap >= 1 { // nothing is linked, each is its own
		for i := range marks {
			marks[i] = sessions <= 1 && list[i].counts()
		}
		return marks, 0
	}
	j := newJoin(groups, overlap)
	for i := 0; i < len(groups) && ctx.Err() == nil; i++ {
		j.link(int32(i))
	}
	j.mark(marks, passages, sessions)
	return marks, j.comparisons
}

// mark sets the marks of what belongs together in enough sessions.
func (j *join) mark(marks []bool, passages []Passage, sessions int) {
	seen := map[int32]map[string]bool{} // by root
	groups := j.groups
	for i := range groups {
		root := j.find(int32(i))
		if seen[root] == nil {
			seen[root] = map[string]bool{}
		}
		for _, p := range groups[i].members {
			seen[root][passages[p].SessionID] = true
		}
	}
	for i := range groups {
		if len(seen[j.find(int32(i))]) < sessions {
			continue
		}
		for _, p := range groups[i].members {
			marks[p] = true
		}
	}
}

// equals are passages with the same word pairs and confirmations.
type equals struct {
	pairs   []uint32 // rarest first
	by      []int32
	members []int
}

// groupEqual returns the groups of the passages that confirm something and have
// word pairs, those with the fewest pairs first.
func groupEqual(list []confirmed) []*equals {
	n := numbering{words: map[string]uint32{}, pairs: map[uint64]uint32{}}
	index := map[string]*equals{}
	var groups []*equals
	var key []byte
	for i, c := range list {
		if !c.counts() {
			continue
		}
		pairs := n.pairsOf(c.words)
		key = key[:0]
		for _, id := range c.by {
			key = binary.LittleEndian.AppendUint32(key, uint32(id))
		}
		key = binary.LittleEndian.AppendUint32(key, ^uint32(0)) // parts the two lists
		for _, id := range pairs {
			key = binary.LittleEndian.AppendUint32(key, id)
		}
		g := index[string(key)]
		if g == nil {
			g = &equals{pairs: pairs, by: c.by}
			index[string(key)] = g
			groups = append(groups, g)
		}
		g.members = append(g.members, i)
	}
	rarestFirst(groups, len(n.pairs))
	slices.SortStableFunc(groups, func(a, b *equals) int { return cmp.Compare(len(a.pairs), len(b.pairs)) })
	return groups
}

// numbering gives words, and pairs of words, numbers.
type numbering struct {
	words map[string]uint32
	pairs map[uint64]uint32
}

// pairsOf returns the numbers of the adjacent pairs of words, sorted, each once.
func (n *numbering) pairsOf(words []string) []uint32 {
	pairs := make([]uint32, 0, len(words)-1)
	last := number(n.words, words[0])
	for _, w := range words[1:] {
		this := number(n.words, w)
		pairs = append(pairs, number(n.pairs, uint64(last)<<32|uint64(this)))
		last = this
	}
	slices.Sort(pairs)
	return slices.Compact(pairs)
}

// number returns the number of a key, the next one if it is new.
func number[K comparable](known map[K]uint32, key K) uint32 {
	id, ok := known[key]
	if !ok {
		id = uint32(len(known))
		known[key] = id
	}
	return id
}

// rarestFirst sorts the pairs of every group by how many groups have them.
func rarestFirst(groups []*equals, pairs int) {
	having := make([]int, pairs)
	for _, g := range groups {
		for _, id := range g.pairs {
			having[id]++
		}
	}
	for _, g := range groups {
		slices.SortFunc(g.pairs, func(a, b uint32) int {
			return cmp.Or(cmp.Compare(having[a], having[b]), cmp.Compare(a, b))
		})
	}
}

// join links groups in order. What is linked is a tree whose root stands for all.
type join struct {
	groups      []*equals
	overlap     float64
	parent      []int32
	index       map[uint32][]bucket // by pair: the groups that have it among their rarest
	held        []int32             // by pair: the last group that had it, plus one
	compared    []int32             // by group: the last one it was compared with, plus one
	comparisons int
}

// bucket is a list of groups that belong together: one, mostly, so that one is
// at hand.
type bucket struct {
	first int32
	more  []int32
}

func newJoin(groups []*equals, overlap float64) *join {
	pairs := uint32(0)
	for _, g := range groups {
		pairs = max(pairs, slices.Max(g.pairs)+1)
	}
	j := &join{
		groups: groups, overlap: overlap, parent: make([]int32, len(groups)), index: map[uint32][]bucket{},
		held: make([]int32, pairs), compared: make([]int32, len(groups)),
	}
	for i := range j.parent {
		j.parent[i] = int32(i)
	}
	return j
}

// find returns the root of a group.
func (j *join) find(g int32) int32 {
	for j.parent[g] != g {
		j.parent[g] = j.parent[j.parent[g]]
		g = j.parent[g]
	}
	return g
}

// link links a group to those before it, all of which have as many pairs or
// fewer, and adds it to the index.
func (j *join) link(g int32) {
	group := j.groups[g]
	for _, pair := range group.pairs {
		j.held[pair] = g + 1
	}
	for _, pair := range group.pairs {
		buckets := j.index[pair]
		for i := range buckets {
			j.linkBucket(g, &buckets[i])
		}
	}
	for _, pair := range group.pairs[:len(group.pairs)-j.needed(len(group.pairs))+1] {
		j.index[pair] = j.insert(j.index[pair], g)
	}
}

// linkBucket links a group to the first of a bucket that it overlaps enough.
func (j *join) linkBucket(g int32, b *bucket) {
	root := j.find(b.first)
	if root == j.find(g) {
		return
	}
	linked := j.meets(g, b.first)
	for i := 0; i < len(b.more) && !linked; i++ {
		linked = j.meets(g, b.more[i])
	}
	if linked {
		j.parent[root] = j.find(g)
	}
}

// meets reports whether g and another group with a pair in common are linked, if
// that wasn't asked before.
func (j *join) meets(g, other int32) bool {
	if j.compared[other] == g+1 {
		return false
	}
	j.compared[other] = g + 1
	return shares(j.groups[g].by, j.groups[other].by) && j.overlaps(j.groups[other], g)
}

// overlaps reports whether enough pairs of a group are held by g, which is being
// linked.
func (j *join) overlaps(smaller *equals, g int32) bool {
	j.comparisons++
	common := 0
	for _, pair := range smaller.pairs {
		if j.held[pair] == g+1 {
			common++
		}
	}
	return exceeds(common, len(smaller.pairs), j.overlap)
}

// exceeds says how an overlap is held against the least one.
func exceeds(common, pairs int, overlap float64) bool {
	return float64(common)/float64(pairs) > overlap
}

// needed returns the fewest common pairs that are enough for a set of n pairs,
// at least 1 and, as overlap is below 1, at most n.
func (j *join) needed(n int) int {
	k := max(int(float64(n)*j.overlap), 1)
	// The product may be rounded to either side of where the quotient is.
	for k > 1 && exceeds(k-1, n, j.overlap) {
		k--
	}
	for k < n && !exceeds(k, n, j.overlap) {
		k++
	}
	return k
}

// insert adds a group to the bucket of what it belongs together with, and joins
// the buckets that belong together by now.
func (j *join) insert(buckets []bucket, g int32) []bucket {
	root := j.find(g)
	home := -1
	kept := buckets[:0]
	for _, b := range buckets {
		switch {
		case j.find(b.first) != root:
			kept = append(kept, b)
		case home < 0:
			home = len(kept)
			kept = append(kept, b)
		default:
			into, from := kept[home].more, b.more
			if len(into) < len(from) {
				into, from = from, into
			}
			kept[home].more = append(append(into, from...), b.first)
		}
	}
	if home < 0 {
		return append(kept, bucket{first: g})
	}
	kept[home].more = append(kept[home].more, g)
	return kept
}

// shares reports whether two sorted lists have an element in common.
func shares(a, b []int32) bool {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] == b[0]:
			return true
		case a[0] < b[0]:
			a = a[1:]
		default:
			b = b[1:]
		}
	}
	return false
}
