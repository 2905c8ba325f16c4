// This file decides what is tidied in the background, and how: a job builds a
// new segment beside the running index and switches it in with one small
// transaction.

package bm25

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/contextforge-go/contextforge/kv"
)

// jobBatchBytes is the size at which a job commits what it has written so far.
const jobBatchBytes = 2 << 20

// Job is a piece of background work: sealing a full tail, merging segments,
// rewriting one with many dead documents, or removing what a crash left behind.
// One job is under way at a time: planning the next gives the one before up.
type Job struct {
	ix      *Index
	view    *View // as planned
	id      uint32
	seals   bool
	docs    []*Doc       // seals: documents of the tail, from its front
	front   int          // seals: places of the tail they take, dead ones included
	sources []*segment   // merges: neighbours
	dead    []int        // merges: log entries that vanish
	sweep   []uint32     // segment ids to be removed
	late    []deadEntry  // documents that died since
	out     *segmentMeta // written by Run
	ran     bool
}

// Plan returns the next job, nil if there is nothing to do or the index isn't
// loaded. It may be called at any time.
func (ix *Index) Plan() *Job { return ix.plan(false) }

// PlanFull returns the next job on the way to one segment without dead
// documents, nil at the end of it. The tail, which is in memory only, stays.
func (ix *Index) PlanFull() *Job { return ix.plan(true) }

func (ix *Index) plan(full bool) *Job {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if !ix.loaded {
		return nil
	}
	if ix.job != nil {
		ix.endJob(true)
	}
	j := &Job{ix: ix, view: ix.current.Load()}
	switch {
	case len(ix.leftovers) > 0:
		j.sweep = slices.Clone(ix.leftovers)
	case !full && ix.tailFull():
		j.seals = true
		j.planSeal()
	default:
		from, to := ix.pickMerge(full)
		if from == to {
			return nil
		}
		j.sources = ix.set.segs[from:to]
		for i := from; i < to; i++ {
			j.dead = append(j.dead, j.view.deadIn(i))
		}
	}
	j.id = ix.nextSeg
	if j.sweep == nil {
		ix.nextSeg++
	}
	ix.job = j
	return j
}

func (ix *Index) tailFull() bool {
	return len(ix.tail.docs) >= ix.opts.TailDocs || ix.tail.tokens >= uint64(ix.opts.TailTokens)
}

// planSeal takes the documents of the tail, at most as many as a segment may
// have.
func (j *Job) planSeal() {
	t, postings := &j.view.tail, 0
	for i, d := range t.docs {
		if len(j.docs) == j.ix.opts.SegmentDocs || postings >= sealPostings {
			break
		}
		j.front++
		if !t.dead.has(uint32(i)) {
			j.docs = append(j.docs, d)
			postings += len(d.Vector.Terms)
		}
	}
}

// pickMerge returns the range of segments to be rewritten as one.
func (ix *Index) pickMerge(full bool) (from, to int) {
	segs := ix.set.segs
	if full {
		from, to = ix.fits(0, len(segs))
		if to == 0 || to == 1 && len(segs[0].dead.nums) == 0 {
			return 0, 0
		}
		return from, to
	}
	for i, s := range segs { // an eighth dead: rewriting pays
		if dead := len(s.dead.nums); dead > 0 && uint64(dead)*8 >= uint64(s.docs) {
			return i, i + 1
		}
	}
	for size := uint64(ix.opts.TailDocs); ; size *= uint64(ix.opts.MergeFactor) {
		bigger := false
		for i := 0; i < len(segs); {
			end := i
			for end < len(segs) && segs[end].live() < 2*size {
				end++
			}
			if end-i >= ix.opts.MergeFactor {
				return ix.fits(i, end)
			}
			bigger = bigger || end < len(segs)
			i = end + 1
		}
		if !bigger {
			return 0, 0
		}
	}
}

// fits shortens a range until the merged segment is not too big.
func (ix *Index) fits(from, to int) (int, int) {
	docs := uint64(0)
	for i := from; i < to; i++ {
		if docs += uint64(ix.set.segs[i].docs); docs > maxSegmentDocs {
			return from, max(from+1, i)
		}
	}
	return from, to
}

// live is the number of live documents.
func (s *segment) live() uint64 { return uint64(s.docs) - uint64(len(s.dead.nums)) }

// endJob forgets the current job; with leftovers, what it wrote or will write
// has to be removed. ix.mu is held.
func (ix *Index) endJob(leftovers bool) {
	if leftovers && ix.job.sweep == nil && !slices.Contains(ix.leftovers, ix.job.id) {
		ix.leftovers = append(ix.leftovers, ix.job.id)
	}
	ix.job = nil
}

// note remembers a document of the sources that died while the job runs.
func (j *Job) note(e deadEntry) {
	if slices.Contains(j.sources, e.seg) {
		j.late = append(j.late, e)
	}
}

// Run does the work. r is a snapshot taken after the planning; newBatch and
// commit (which needs no syncing) write the new segment's values in pieces of
// about 2 MB, which stay invisible until Finish. Run needs no lock. After an
// error the job is to be dropped; its remains are removed by a later job.
func (j *Job) Run(ctx context.Context, r kv.Reader, newBatch func() kv.Batch, commit func(kv.Batch) error) error {
	out := &jobOutput{keys: j.ix.env.keys, newBatch: newBatch, commit: commit}
	err := j.run(ctx, r, out)
	if err == nil {
		err = out.flush()
	}
	out.close()
	j.ix.mu.Lock()
	defer j.ix.mu.Unlock()
	if j.ix.job != j { // given up meanwhile: what was written has to go
		if j.sweep == nil && !slices.Contains(j.ix.leftovers, j.id) {
			j.ix.leftovers = append(j.ix.leftovers, j.id)
		}
		return ctx.Err()
	}
	if err != nil {
		j.ix.endJob(true)
		return fmt.Errorf("bm25: background job: %w", err)
	}
	j.ran = true
	if j.sweep != nil {
		j.ix.leftovers = slices.DeleteFunc(j.ix.leftovers, func(id uint32) bool { return slices.Contains(j.sweep, id) })
		j.ix.endJob(false)
	}
	return nil
}

func (j *Job) run(ctx context.Context, r kv.Reader, out *jobOutput) error {
	if j.sweep != nil {
		for _, id := range j.sweep {
			out.deleteRange(out.keys.data(id), out.keys.data(id+1))
		}
		return nil
	}
	if j.seals {
		if len(j.docs) == 0 {
			return nil
		}
		m, err := buildSegment(j.id, j.docs, out.put)
		j.out = &m
		return err
	}
	var sources []*mergeSource
	for i, s := range j.sources {
		dead, err := s.deadUpTo(r, j.dead[i])
		if err != nil {
			return err
		}
		sources = append(sources, &mergeSource{segment: s, dead: dead})
	}
	m, err := mergeSegments(ctx, r, j.id, sources, out.put)
	if m.docs > 0 {
		j.out = &m
	}
	return err
}

// errNotRun is returned by Finish for a job whose Run didn't succeed.
var errNotRun = errors.New("bm25: job was not run")

// Finish makes the switch part of the transaction, under the caller's write
// lock: documents deleted since the planning are dead in the new segment. A job
// that was overtaken (by Clear, a bulk add, or the next Plan) does nothing, nor
// does one that only had to remove remains.
func (j *Job) Finish(tx *Tx) error {
	j.ix.mu.Lock()
	defer j.ix.mu.Unlock()
	if j.ix.job != j || tx.cleared {
		return nil
	}
	if !j.ran {
		return errNotRun
	}
	if !slices.Contains(tx.jobs, j) {
		tx.jobs = append(tx.jobs, j)
	}
	return nil
}

// apply writes the switch into the batch and the transaction's result.
func (j *Job) apply(b kv.Batch, n *txResult) {
	keys := j.ix.env.keys
	var made []*segment
	late := j.late
	if j.out != nil {
		made = []*segment{{segmentMeta: *j.out, env: j.ix.env}}
		b.Set(keys.meta(j.id), j.out.encode())
	}
	if j.seals {
		late = j.applySeal(n, made)
	} else {
		at := slices.Index(n.segs, j.sources[0])
		n.segs = slices.Concat(n.segs[:at], made, n.segs[at+len(j.sources):])
		for _, s := range j.sources {
			b.Delete(keys.meta(s.id))
			b.DeleteRange(keys.data(s.id), keys.data(s.id+1))
		}
	}
	n.changed = true
	for _, e := range late {
		if j.out != nil {
			b.Set(keys.dead(j.id, e.num), tombstone(e.vector))
			n.entries = append(n.entries, deadEntry{made[0], e.num, e.vector})
		}
	}
}

// applySeal cuts the sealed documents off the tail and returns those of them
// that died meanwhile.
func (j *Job) applySeal(n *txResult, made []*segment) (late []deadEntry) {
	t := j.ix.tail
	n.segs = slices.Concat(n.segs, made)
	n.tail, n.reset = t.live(j.front), true
	n.st.sealedUpTo = j.view.tail.docs[j.front-1].Num
	n.st.tailDocs = uint64(len(n.tail))
	for _, d := range j.docs {
		if at, ok := t.find(d.Num); ok && t.dead[at] != 0 {
			late = append(late, deadEntry{num: d.Num, vector: d.Vector})
		}
	}
	return late
}

// jobOutput writes a job's values in bounded batches.
type jobOutput struct {
	keys     keyspace
	newBatch func() kv.Batch
	commit   func(kv.Batch) error
	batch    kv.Batch
}

func (o *jobOutput) put(ref valueRef, body []byte) error {
	if o.batch == nil {
		o.batch = o.newBatch()
	}
	o.batch.Set(o.keys.value(ref), seal(body))
	if o.batch.Size() >= jobBatchBytes {
		return o.flush()
	}
	return nil
}

func (o *jobOutput) deleteRange(lower, upper []byte) {
	if o.batch == nil {
		o.batch = o.newBatch()
	}
	o.batch.DeleteRange(lower, upper)
}

func (o *jobOutput) flush() error {
	if o.batch == nil || o.batch.Count() == 0 {
		return nil
	}
	if err := o.commit(o.batch); err != nil {
		return err
	}
	o.close()
	return nil
}

func (o *jobOutput) close() {
	if o.batch != nil {
		o.batch.Close()
		o.batch = nil
	}
}
