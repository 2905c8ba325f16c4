// This file decides which vectors can be among the hits: a document counts once,
// with the best lower end of its windows' intervals, and the k-th best of these
// is what an upper end must reach.

package vecindex

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// found is a document that a search came upon.
type found struct {
	num      uint64
	key      float32 // what the heap orders by: best lower end, later best score
	score    float32
	window   uint16
	place    int32 // in the heap, -1 if it isn't there
	rejected bool  // by the filter
	scored   bool
}

// candidate is a vector that can be its document's best window.
type candidate struct {
	upper  float32
	doc    int32
	window uint16
	row    int64 // in the table, -1 if it was read from the snapshot
}

// picker collects candidates; its methods may be called concurrently.
type picker struct {
	limit  int
	floor  float32 // the lowest score asked for
	accept func(num uint64) (bool, error)
	reach  atomic.Uint32 // bits of threshold

	mu         sync.Mutex
	at         map[uint64]int32 // into docs
	docs       []found
	heap       []int32 // the best limit documents, the least of them first
	candidates []candidate
	pruneAt    int
}

// pruneFrom is how many candidates are looked through for the first time.
const pruneFrom = 4096

// newPicker makes an empty picker.
func newPicker() *picker { return &picker{at: map[uint64]int32{}} }

// begin prepares the picker for the best limit documents.
func (p *picker) begin(limit int, f Filter) *picker {
	p.limit, p.accept, p.pruneAt, p.floor = limit, f.Accept, pruneFrom, float32(math.Inf(-1))
	if f.MinScore != nil {
		p.floor = *f.MinScore
	}
	p.reach.Store(math.Float32bits(p.floor))
	return p
}

// end empties the picker; it returns false if it has become too big to be kept.
func (p *picker) end() bool {
	if len(p.docs) > pruneFrom || cap(p.candidates) > 4*pruneFrom {
		return false
	}
	clear(p.at)
	p.accept = nil
	p.docs, p.heap, p.candidates = p.docs[:0], p.heap[:0], p.candidates[:0]
	return true
}

// threshold is what the upper end of a candidate must reach. It only rises.
func (p *picker) threshold() float32 { return math.Float32frombits(p.reach.Load()) }

// best returns the least key among the best documents, or the lowest score asked
// for if they are fewer than limit.
func (p *picker) best() float32 {
	if len(p.heap) < p.limit {
		return p.floor
	}
	return max(p.floor, p.docs[p.heap[0]].key)
}

// offer adds a vector whose score lies within lower and upper. p.mu is held.
func (p *picker) offer(k rowKey, row int64, lower, upper float32) error {
	if !(upper >= p.threshold()) {
		return nil
	}
	doc, err := p.doc(k.num)
	if err != nil || p.docs[doc].rejected {
		return err
	}
	p.candidates = append(p.candidates, candidate{upper, doc, k.window, row})
	p.raise(doc, lower)
	p.reach.Store(math.Float32bits(p.best()))
	if len(p.candidates) >= p.pruneAt {
		p.prune()
		p.pruneAt = max(pruneFrom, 2*len(p.candidates))
	}
	return nil
}

// doc returns the index of a document, asking the filter about a new one.
func (p *picker) doc(num uint64) (int32, error) {
	if doc, ok := p.at[num]; ok {
		return doc, nil
	}
	ok := true
	if p.accept != nil {
		var err error
		if ok, err = p.accept(num); err != nil {
			return 0, err
		}
	}
	doc := int32(len(p.docs))
	p.at[num] = doc
	p.docs = append(p.docs, found{num: num, key: float32(math.Inf(-1)), place: -1, rejected: !ok})
	return doc, nil
}

// prune drops the candidates that can't reach the threshold any more.
func (p *picker) prune() {
	reach := p.threshold()
	p.candidates = slices.DeleteFunc(p.candidates, func(c candidate) bool { return c.upper < reach })
}

// rank starts the second half of a search: it returns the candidates that are
// left, the highest upper end first, and empties the heap, which from now on has
// scores.
func (p *picker) rank() []candidate {
	p.prune()
	slices.SortFunc(p.candidates, func(a, b candidate) int {
		switch {
		case a.upper != b.upper:
			if a.upper > b.upper {
				return -1
			}
			return 1
		case a.doc != b.doc:
			return int(a.doc) - int(b.doc)
		}
		return int(a.window) - int(b.window)
	})
	p.heap = p.heap[:0]
	for i := range p.docs {
		p.docs[i].place, p.docs[i].key = -1, float32(math.Inf(-1))
	}
	return p.candidates
}

// scored notes the score of a candidate.
func (p *picker) scored(c candidate, score float32) {
	d := &p.docs[c.doc]
	if !d.scored || score > d.score || score == d.score && c.window < d.window {
		d.score, d.window, d.scored = score, c.window, true
	}
	p.raise(c.doc, score)
}

// raise gives a document a key, unless it has a greater one, and keeps the best
// limit documents in the heap.
func (p *picker) raise(doc int32, key float32) {
	d := &p.docs[doc]
	switch {
	case d.place >= 0:
		if key > d.key {
			d.key = key
			p.down(int(d.place))
		}
	case len(p.heap) < p.limit:
		d.key = key
		p.heap = append(p.heap, doc)
		p.up(len(p.heap) - 1)
	case key > p.docs[p.heap[0]].key:
		p.docs[p.heap[0]].place = -1
		d.key = key
		p.heap[0] = doc
		p.down(0)
	}
}

// put stores a document at a place of the heap.
func (p *picker) put(i int, doc int32) {
	p.heap[i] = doc
	p.docs[doc].place = int32(i)
}

// up moves the document at place i to where it belongs, above it.
func (p *picker) up(i int) {
	doc := p.heap[i]
	for i > 0 {
		above := (i - 1) / 2
		if p.docs[p.heap[above]].key <= p.docs[doc].key {
			break
		}
		p.put(i, p.heap[above])
		i = above
	}
	p.put(i, doc)
}

// down moves the document at place i to where it belongs, below it.
func (p *picker) down(i int) {
	doc := p.heap[i]
	for {
		child := 2*i + 1
		if child+1 < len(p.heap) && p.docs[p.heap[child+1]].key < p.docs[p.heap[child]].key {
			child++
		}
		if child >= len(p.heap) || p.docs[p.heap[child]].key >= p.docs[doc].key {
			break
		}
		p.put(i, p.heap[child])
		i = child
	}
	p.put(i, doc)
}

// hits returns the documents that reach the threshold, in the order in which
// they were found: at least the best limit ones, and all that tie with the last.
func (p *picker) hits() []Hit {
	reach := p.best()
	var hits []Hit
	for i := range p.docs {
		if d := &p.docs[i]; d.scored && d.score >= reach {
			hits = append(hits, Hit{d.num, d.score, int(d.window)})
		}
	}
	return hits
}
