// This file decides how the rows of a document are found in memory where rows
// don't stand in the order of their numbers: in sorted runs of doubling length,
// 4 bytes a row.

package vecindex

import (
	"slices"
	"sort"
)

// runs are lists of rows, each ascending by key; a run is more than twice as long
// as the one after it, so that there are few, and adding a row costs O(log n) on
// average.
type runs [][]uint32

// add adds a row, whose key is looked up by keyOf.
func (rs *runs) add(row uint32, keyOf func(row uint32) rowKey) {
	last := []uint32{row}
	for n := len(*rs); n > 0 && len((*rs)[n-1]) <= 2*len(last); n-- {
		last = mergeRuns((*rs)[n-1], last, keyOf)
		*rs = (*rs)[:n-1]
	}
	*rs = append(*rs, last)
}

func mergeRuns(a, b []uint32, keyOf func(row uint32) rowKey) []uint32 {
	merged := make([]uint32, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if keyOf(b[0]).less(keyOf(a[0])) {
			merged, b = append(merged, b[0]), b[1:]
		} else {
			merged, a = append(merged, a[0]), a[1:]
		}
	}
	return append(append(merged, a...), b...)
}

// find calls visit with every row of the document.
func (rs runs) find(num uint64, keyOf func(row uint32) rowKey, visit func(row uint32)) {
	for _, run := range rs {
		if keyOf(run[0]).num > num || keyOf(run[len(run)-1]).num < num {
			continue
		}
		i := sort.Search(len(run), func(i int) bool { return keyOf(run[i]).num >= num })
		for ; i < len(run) && keyOf(run[i]).num == num; i++ {
			visit(run[i])
		}
	}
}

// size is how many rows there is room for.
func (rs runs) size() (n int) {
	for _, run := range rs {
		n += cap(run)
	}
	return n
}

// scopeRows lists the rows of a scope, ascending.
type scopeRows struct {
	name string
	rows []uint32
}

// below is the part of ascending rows that is below count.
func below(rows []uint32, count int) []uint32 {
	n, _ := slices.BinarySearch(rows, uint32(count))
	return rows[:n]
}
