package rerank

// This file decides what is known of a candidate, and which are neighbours.

import (
	"cmp"
	"slices"
)

// Entry is a candidate, or a neighbour of one, which is a candidate by that.
type Entry struct {
	// Session and Place say where the entry stands: entries with the same Session
	// are of one conversation, and those whose Places differ by one are neighbours.
	// A negative Session is none.
	Session, Place int
	// Length is the number of terms of the entry, as BM25 counts them.
	Length uint32
	// Tokens is the size of the text in tokens of a model.
	Tokens int
	// Sec is the entry's time in seconds since any fixed one.
	Sec int64
	// Cosine is the similarity to the question, if Alike; otherwise it isn't known.
	Cosine float64
	Alike  bool
	// Marks are what the text is known for.
	Marks Marks
}

// Marks say what a text is like.
type Marks uint8

// What a text may be like.
const (
	Question Marks = 1 << iota // ends with a question mark
	Asks                       // has a question mark
	Times                      // has a time expression
	Speaker                    // is said by the only person whom the question names
	Within                     // is of the time that the question restricts itself to
)

// List is a list of candidates with their neighbours.
type List struct {
	entries  []Entry
	before   []int32 // the neighbour before, -1 for none
	after    []int32
	sessions []int32 // a number for each distinct session, 0 for the first; one of its own for an entry without
	distinct int
}

// NewList returns the list of entries, whose order stays that of all results. The
// list keeps the slice.
func NewList(entries []Entry) *List {
	n := len(entries)
	l := &List{entries: entries, before: make([]int32, n), after: make([]int32, n), sessions: make([]int32, n)}
	order := make([]int32, 0, n)
	for i := range entries {
		l.before[i], l.after[i] = -1, -1
		if entries[i].Session < 0 {
			l.sessions[i] = int32(l.distinct)
			l.distinct++
			continue
		}
		order = append(order, int32(i))
	}
	slices.SortFunc(order, func(a, b int32) int {
		x, y := &entries[a], &entries[b]
		if x.Session != y.Session {
			return cmp.Compare(x.Session, y.Session)
		}
		return cmp.Or(cmp.Compare(x.Place, y.Place), cmp.Compare(a, b))
	})
	for k, i := range order {
		if k == 0 || entries[order[k-1]].Session != entries[i].Session {
			l.distinct++
		} else if prev := order[k-1]; entries[prev].Place+1 == entries[i].Place {
			l.before[i], l.after[prev] = prev, i
		}
		l.sessions[i] = int32(l.distinct - 1)
	}
	return l
}

// Len returns the number of entries.
func (l *List) Len() int { return len(l.entries) }
