// This file decides how changes reach the index: collected in a transaction,
// turned into keys of the caller's batch, and published after its commit. A
// transaction that is dropped has changed nothing.

package bm25

import (
	"fmt"
	"slices"
	"sort"

	"github.com/contextforge-go/contextforge/kv"
)

// Tx is a group of changes; it belongs to one goroutine, under the caller's
// write lock from Begin until Publish. Call its methods in the order Add,
// Delete, Clear and Job.Finish as needed, Apply once, Publish once.
type Tx struct {
	ix      *Index
	base    state
	set     *segmentSet
	tail    *tail
	loaded  bool
	cleared bool
	lastNum uint64
	adds    []*Doc
	dels    []deletion
	deleted map[uint64]struct{}
	jobs    []*Job
	err     error

	next txResult // made by Apply
}

// deletion is a document of the index before the transaction that dies in it.
type deletion struct {
	num    uint64
	vector TermVector
	tailAt int // place in the tail, -1 if the document is in a segment or the tail not loaded
}

// txResult is what Publish makes current.
type txResult struct {
	applied bool
	st      state
	segs    []*segment
	changed bool   // segs differs from the set before
	tail    []*Doc // documents of a new tail, if reset
	reset   bool
	added   []*Doc // documents added to the tail
	entries []deadEntry
}

// deadEntry is an entry for a segment's log.
type deadEntry struct {
	seg    *segment
	num    uint64
	vector TermVector
}

// Begin starts a transaction.
func (ix *Index) Begin() *Tx {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	return &Tx{ix: ix, base: ix.st, set: ix.set, tail: ix.tail, loaded: ix.loaded, lastNum: ix.st.lastNum}
}

// Add indexes a document. A wrong order of numbers shows in Apply. A term that
// the vector lists twice counts with the sum of the frequencies.
func (tx *Tx) Add(d Doc) {
	if d.Num <= tx.lastNum && tx.err == nil {
		tx.err = fmt.Errorf("bm25: document %d after %d: %w", d.Num, tx.lastNum, ErrOrder)
	}
	tx.lastNum = max(tx.lastNum, d.Num)
	tx.adds = append(tx.adds, &d)
}

// Delete removes a document, whose vector must be the one it was added with.
// It returns ErrNotIndexed for a number never given to Add, and for a document
// deleted before as far as that is still known: always when it was in the tail
// of a loaded index or its segment was not merged since.
func (tx *Tx) Delete(num uint64, v TermVector) error {
	if i := sort.Search(len(tx.adds), func(i int) bool { return tx.adds[i].Num >= num }); i < len(tx.adds) && tx.adds[i].Num == num {
		tx.adds = slices.Delete(tx.adds, i, i+1)
		return nil
	}
	d, ok := tx.find(num, v)
	if _, twice := tx.deleted[num]; !ok || twice {
		return fmt.Errorf("bm25: document %d: %w", num, ErrNotIndexed)
	}
	if tx.deleted == nil {
		tx.deleted = map[uint64]struct{}{}
	}
	tx.deleted[num] = struct{}{}
	tx.dels = append(tx.dels, d)
	return nil
}

// find looks for a document of the index before the transaction.
func (tx *Tx) find(num uint64, v TermVector) (deletion, bool) {
	d := deletion{num: num, vector: v, tailAt: -1}
	if tx.cleared || num > tx.base.lastNum {
		return d, false
	}
	if num <= tx.base.sealedUpTo {
		i := covering(tx.set.segs, num)
		return d, i >= 0 && tx.set.segs[i].mayHold(num)
	}
	if !tx.loaded {
		return d, true
	}
	at, ok := tx.tail.find(num)
	if !ok || tx.tail.dead[at] != 0 {
		return d, false
	}
	d.tailAt, d.vector = at, tx.tail.docs[at].Vector
	return d, true
}

// mayHold reports whether document num may be alive in the segment, as far as
// that is known without reading.
func (s *segment) mayHold(num uint64) bool {
	if s.dead.has(num) {
		return false
	}
	if x := s.locals.v.Load(); x != nil {
		_, ok := x.find(num)
		return ok
	}
	return true
}

// Clear removes every document, those added earlier in the transaction
// included. Documents added later in it stay.
func (tx *Tx) Clear() {
	tx.cleared = true
	tx.adds, tx.dels, tx.deleted, tx.jobs = nil, nil, nil, nil
}

// Apply writes the transaction into the batch: the state, tombstones, what
// finished jobs switch, and sealed segments if the documents added are many.
// It changes nothing in memory. Nothing may be added to tx afterwards.
func (tx *Tx) Apply(b kv.Batch) error {
	if tx.err != nil {
		return tx.err
	}
	n := &tx.next
	n.st, n.segs = tx.base, tx.set.segs
	keys := tx.ix.env.keys
	if tx.cleared {
		b.DeleteRange(keys.prefix, kv.PrefixEnd(keys.prefix))
		n.st = state{sealedUpTo: tx.base.lastNum, lastNum: tx.base.lastNum}
		n.segs, n.changed, n.reset = nil, true, true
	}
	for _, j := range tx.jobs {
		j.apply(b, n)
	}
	tx.applyDeletes(b, n)
	if err := tx.applyAdds(b, n); err != nil {
		return err
	}
	n.st.lastNum = tx.lastNum
	tx.ix.mu.Lock()
	n.st.nextSeg = max(tx.base.nextSeg, tx.ix.nextSeg)
	tx.ix.mu.Unlock()
	b.Set(keys.state(), n.st.encode())
	n.applied = true
	return nil
}

// applyDeletes writes tombstones for documents in segments; those of the tail
// only leave the counters.
func (tx *Tx) applyDeletes(b kv.Batch, n *txResult) {
	for _, d := range tx.dels {
		n.st.docs = reduced(n.st.docs, 1)
		n.st.tokens = reduced(n.st.tokens, uint64(d.vector.Length))
		if d.num > n.st.sealedUpTo {
			n.st.tailDocs = reduced(n.st.tailDocs, 1)
			continue
		}
		if i := covering(n.segs, d.num); i >= 0 {
			b.Set(tx.ix.env.keys.dead(n.segs[i].id, d.num), tombstone(d.vector))
			n.entries = append(n.entries, deadEntry{n.segs[i], d.num, d.vector})
		}
	}
}

// reduced is a - b, or 0: a caller's wrong vectors must not make counters wrap.
func reduced(a, b uint64) uint64 { return a - min(a, b) }

// applyAdds counts the documents added, and seals them with the tail when they
// are many or the tail is far over its size.
func (tx *Tx) applyAdds(b kv.Batch, n *txResult) error {
	if len(tx.adds) == 0 {
		return nil
	}
	tokens := uint64(0)
	for _, d := range tx.adds {
		tokens += uint64(d.Vector.Length)
	}
	known := tx.loaded || n.st.tailDocs == 0
	n.st.docs += uint64(len(tx.adds))
	n.st.tokens += tokens
	n.st.tailDocs += uint64(len(tx.adds))
	if !known || !tx.mustSeal(n, tokens) {
		n.added = tx.adds
		return nil
	}
	docs := append(tx.tailAfterDeletes(n), tx.adds...)
	if err := tx.seal(b, n, docs); err != nil {
		return err
	}
	n.tail, n.reset, n.added = nil, true, nil
	n.st.sealedUpTo, n.st.tailDocs = docs[len(docs)-1].Num, 0
	return nil
}

// mustSeal reports whether the tail would become too big with the documents
// added, or these are enough for a segment.
func (tx *Tx) mustSeal(n *txResult, tokens uint64) bool {
	docs, tail := uint64(tx.ix.opts.TailDocs), uint64(tx.ix.opts.TailTokens)
	if 2*uint64(len(tx.adds)) >= docs || tokens >= tail || n.st.tailDocs >= 4*docs {
		return true
	}
	return !n.reset && tx.tail.tokens+tokens >= 4*tail
}

// tailAfterDeletes is the live documents of the tail before the adds.
func (tx *Tx) tailAfterDeletes(n *txResult) []*Doc {
	docs := n.tail
	if !n.reset {
		docs = tx.tail.live(0)
	}
	return slices.DeleteFunc(slices.Clone(docs), func(d *Doc) bool {
		_, dead := tx.deleted[d.Num]
		return dead
	})
}

// sealPostings bounds the postings of a segment built in memory.
const sealPostings = 4 << 20

// seal writes segments of the documents into the batch.
func (tx *Tx) seal(b kv.Batch, n *txResult, docs []*Doc) error {
	keys := tx.ix.env.keys
	segs := slices.Clone(n.segs)
	parts := (len(docs) + tx.ix.opts.SegmentDocs - 1) / tx.ix.opts.SegmentDocs
	size := (len(docs) + parts - 1) / parts
	for len(docs) > 0 {
		count, postings := 0, 0
		for count < min(size, len(docs)) && (count == 0 || postings < sealPostings) {
			postings += len(docs[count].Vector.Terms)
			count++
		}
		id := tx.ix.newSegmentID()
		if !tx.loaded { // a crash may have left values under this id
			b.DeleteRange(keys.data(id), keys.data(id+1))
		}
		m, err := buildSegment(id, docs[:count], keys.putInto(b))
		if err != nil {
			return err
		}
		b.Set(keys.meta(id), m.encode())
		segs = append(segs, &segment{segmentMeta: m, env: tx.ix.env})
		docs = docs[count:]
	}
	n.segs, n.changed = segs, true
	return nil
}

func (ix *Index) newSegmentID() uint32 {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	id := ix.nextSeg
	ix.nextSeg++
	return id
}

// Publish makes the applied and committed transaction visible to new views.
func (tx *Tx) Publish() {
	ix, n := tx.ix, &tx.next
	if !n.applied {
		return
	}
	n.applied = false
	ix.mu.Lock()
	defer ix.mu.Unlock()
	ix.st = n.st
	if ix.job != nil && (tx.cleared || slices.Contains(tx.jobs, ix.job) || ix.job.seals && n.reset) {
		ix.endJob(!slices.Contains(tx.jobs, ix.job))
	}
	if n.changed {
		ix.dropSegments(n.segs)
		ix.set = newSegmentSet(n.segs, ix.opts.CacheBytes)
	}
	if tx.cleared {
		ix.loaded = true // there is nothing left to be read
	}
	if ix.loaded {
		tx.publishDocs()
	}
	ix.publish()
}

// publishDocs brings the tail and the logs up to date.
func (tx *Tx) publishDocs() {
	ix, n := tx.ix, &tx.next
	for _, e := range n.entries {
		e.seg.dead.add(e.num, e.vector)
		if ix.job != nil {
			ix.job.note(e)
		}
	}
	if n.reset {
		ix.tail = newTail()
		ix.tail.add(n.tail)
	}
	for _, d := range tx.dels {
		if n.reset {
			if at, ok := ix.tail.find(d.num); ok {
				ix.tail.remove(at)
			}
		} else if d.tailAt >= 0 {
			ix.tail.remove(d.tailAt)
		}
	}
	if len(n.added) > 0 {
		ix.tail.add(n.added)
	}
}

// dropSegments forgets the cached values of segments that are not among segs.
func (ix *Index) dropSegments(segs []*segment) {
	for _, s := range ix.set.segs {
		if !slices.Contains(segs, s) {
			ix.env.cache.drop(s.id)
		}
	}
}
