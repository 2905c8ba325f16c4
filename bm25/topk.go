// This file decides the order of results and which ones stay: the best k under
// a total order, so that they are the same in whichever order they are found.

package bm25

import (
	"slices"
	"strings"
)

// entry is a candidate result. part is the segment's index, or that of the
// tail, which comes after them.
type entry struct {
	score float64
	sec   int64
	nsec  uint32
	part  int32
	local uint32
}

// topK keeps the best limit entries in a heap with the worst on top; a negative
// limit keeps all.
type topK struct {
	limit   int
	entries []entry
	id      func(entry) ([]byte, error)
	num     func(entry) uint64
	err     error // first failure to read an id
}

// threshold is the score below which nothing enters any more; 0 while
// everything does.
func (t *topK) threshold() float64 {
	if t.limit < 0 || len(t.entries) < t.limit {
		return 0
	}
	return t.entries[0].score
}

// compare orders by score and time descending, then id and number ascending:
// negative if a comes before b.
func (t *topK) compare(a, b *entry) int {
	switch {
	case a.score != b.score:
		return sign(a.score > b.score)
	case a.sec != b.sec:
		return sign(a.sec > b.sec)
	case a.nsec != b.nsec:
		return sign(a.nsec > b.nsec)
	}
	ida, err := t.id(*a)
	if err == nil {
		first := string(ida) // the second id may evict the first one's page
		var idb []byte
		if idb, err = t.id(*b); err == nil {
			if c := strings.Compare(first, string(idb)); c != 0 {
				return c
			}
			return sign(t.num(*a) < t.num(*b))
		}
	}
	if t.err == nil {
		t.err = err
	}
	return 0
}

func sign(before bool) int {
	if before {
		return -1
	}
	return 1
}

// enters reports whether e would be kept.
func (t *topK) enters(e *entry) bool {
	if t.limit < 0 || len(t.entries) < t.limit {
		return true
	}
	return t.compare(e, &t.entries[0]) < 0
}

// add keeps e, which enters, and drops the worst entry if there are too many.
func (t *topK) add(e entry) {
	if t.limit < 0 {
		t.entries = append(t.entries, e)
		return
	}
	if len(t.entries) == t.limit {
		t.entries[0] = e
		t.down(0)
		return
	}
	t.entries = append(t.entries, e)
	for i := len(t.entries) - 1; i > 0; {
		up := (i - 1) / 2
		if t.compare(&t.entries[i], &t.entries[up]) < 0 {
			return
		}
		t.entries[i], t.entries[up] = t.entries[up], t.entries[i]
		i = up
	}
}

// down lets the entry at i sink below all worse ones.
func (t *topK) down(i int) {
	for {
		child := 2*i + 1
		if child >= len(t.entries) {
			return
		}
		if child+1 < len(t.entries) && t.compare(&t.entries[child+1], &t.entries[child]) > 0 {
			child++
		}
		if t.compare(&t.entries[child], &t.entries[i]) < 0 {
			return
		}
		t.entries[i], t.entries[child] = t.entries[child], t.entries[i]
		i = child
	}
}

// sorted ends the collection and returns the entries, best first.
func (t *topK) sorted() ([]entry, error) {
	slices.SortFunc(t.entries, func(a, b entry) int { return t.compare(&a, &b) })
	return t.entries, t.err
}
