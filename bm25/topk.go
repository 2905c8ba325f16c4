// This file decides the order of results and which ones stay: the best k under
// a total order, so that they are the same in whichever order they are found.

package bm25

import (
	"cmp"
	"slices"
	"strings"
)

// entry is a candidate result. part is the segment's index, or that of the
// tail, which comes after them.
type entry struct {
	score float64
	part  int32
	local uint32
}

// documents is what entries stand for; only ties need to look there.
type documents interface {
	time(entry) Time
	id(entry) ([]byte, error)
	num(entry) uint64
}

// topK keeps the best limit entries in a heap with the worst on top; a negative
// limit keeps all.
type topK struct {
	limit   int
	entries []entry
	docs    documents
	theta   float64 // score below which nothing enters any more; 0 while everything does
	err     error   // first failure to read an id
}

// compare orders by score and time descending, then id and number ascending:
// negative if a comes before b.
func (t *topK) compare(a, b *entry) int {
	if a.score != b.score {
		return sign(a.score > b.score)
	}
	return t.compareTied(*a, *b)
}

func (t *topK) compareTied(a, b entry) int {
	if ta, tb := t.docs.time(a), t.docs.time(b); ta != tb {
		return sign(tb.Before(ta))
	}
	id, err := t.docs.id(a)
	if err == nil {
		first := string(id) // reading the second id may reuse the first one's memory
		if id, err = t.docs.id(b); err == nil {
			if c := strings.Compare(first, string(id)); c != 0 {
				return c
			}
			return cmp.Compare(t.docs.num(a), t.docs.num(b))
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
	if t.limit >= 0 && len(t.entries) == t.limit {
		t.entries[0] = e
		t.down(0)
		t.theta = t.entries[0].score
		return
	}
	t.entries = append(t.entries, e)
	if len(t.entries) == t.limit {
		for i := t.limit/2 - 1; i >= 0; i-- {
			t.down(i)
		}
		t.theta = t.entries[0].score
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
