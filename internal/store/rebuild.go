package store

// This file decides how everything that can be derived from the records is
// made anew, and how it is checked. The records are the truth.

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/contextforge-go/contextforge/bm25"
	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/vecindex"
)

// rebuildBatch is the number of records per commit of a rebuild.
const rebuildBatch = 4096

// Rebuild derives the ids, orders, counters and the text index from the
// records again. Writes wait; readers keep the state before. A rebuild that is
// cut off, by its context too, starts again at the next Open; until then writes
// give kv.ErrFailed.
func (s *Store) Rebuild(ctx context.Context) error {
	s.jobMu.Lock()
	defer s.jobMu.Unlock()
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	if err := errors.Join(s.checkOpen(), s.failure, ctx.Err()); err != nil {
		return err
	}
	rb := &rebuild{s: s, st: state{schema: schemaVersion, epoch: s.st.epoch + 1, next: 1, commits: s.st.commits + 1}, counts: map[string]uint64{}}
	if err := rb.run(ctx); err != nil {
		s.failure = fmt.Errorf("%w: a rebuild was cut off, open the store again to repeat it: %w", kv.ErrFailed, err)
		return fmt.Errorf("store: rebuild: %w", s.failure)
	}
	return s.publish()
}

type rebuild struct {
	s      *Store
	st     state
	counts map[string]uint64
	index  *bm25.Index
}

func (rb *rebuild) run(ctx context.Context) error {
	s := rb.s
	if err := rb.begin(); err != nil {
		return err
	}
	var err error
	if rb.index, err = s.openIndex(rb.st.epoch); err != nil {
		return err
	}
	if err := rb.index.Load(ctx, s.kv); err != nil {
		return err
	}
	if err := rb.inBatches(ctx, rb.addIDs); err != nil {
		return err
	}
	if err := rb.inBatches(ctx, rb.addRest); err != nil {
		return err
	}
	if err := rb.dropOrphans(); err != nil {
		return err
	}
	generations, err := rb.repairVectors(ctx)
	if err != nil {
		return err
	}
	if err := rb.end(); err != nil {
		return err
	}
	s.index, s.st, s.generations = rb.index, rb.st, generations
	s.loaded.Store(true)
	clear(s.hints)
	s.orders.reset(s.st.commits)
	return nil
}

func (rb *rebuild) commit(d kv.Durability, fill func(kv.Batch) error) error {
	b := rb.s.kv.NewBatch()
	err := fill(b)
	if err == nil {
		err = rb.s.kv.Commit(b, d)
	}
	return errors.Join(err, b.Close())
}

// begin marks the rebuild and removes what will be derived again.
func (rb *rebuild) begin() error {
	return rb.commit(kv.Sync, func(b kv.Batch) error {
		b.Set(rebuildKey(), nil)
		for _, family := range [...]byte{famID, famTime, famScope, famSession, famExpiry, famCount, famContent} {
			b.DeleteRange([]byte{family}, []byte{family + 1})
		}
		prefix := textPrefix(rb.st.epoch)
		b.DeleteRange(prefix, kv.PrefixEnd(prefix))
		return nil
	})
}

// dropOrphans removes the history of ids that have no record (any more), or one
// that knows of no history: nothing may bring an old text back.
func (rb *rebuild) dropOrphans() error {
	return rb.commit(kv.NoSync, func(b kv.Batch) error {
		return scan(rb.s.kv, []byte{famHistory}, func(key, _ []byte) (bool, error) {
			owned, err := ownsHistory(rb.s.kv, key)
			if err == nil && !owned {
				b.Delete(key)
			}
			return true, err
		})
	})
}

// repairVectors removes the vectors of what has no record or no model, those that
// can't be read, and what waits for vectors without a record.
func (rb *rebuild) repairVectors(ctx context.Context) (repaired []*generation, err error) {
	s := rb.s
	for _, g := range s.generations {
		if err := vecindex.Repair(ctx, s.kv, vectorPrefix(g.epoch), ownerIn(s.kv)); err != nil {
			return nil, err
		}
		g, err := s.openGeneration(g.epoch, g.model)
		if err != nil {
			return nil, err
		}
		repaired = append(repaired, g)
	}
	stray, err := strayEpochs(s.kv)
	if err != nil {
		return nil, err
	}
	return repaired, rb.commit(kv.NoSync, func(b kv.Batch) error {
		for _, epoch := range stray {
			b.DeleteRange(vectorPrefix(epoch), kv.PrefixEnd(vectorPrefix(epoch)))
		}
		return scan(s.kv, []byte{famPending}, func(key, value []byte) (bool, error) {
			return true, rb.repairPending(b, key, value)
		})
	})
}

// repairPending keeps the place of a record in the queue.
func (rb *rebuild) repairPending(b kv.Batch, key, value []byte) error {
	kept := false
	num, err := parseNum(key)
	if err == nil {
		if kept, err = has(rb.s.kv, recordKey(num)); err != nil {
			return err
		}
	}
	if !kept {
		b.Delete(key)
		return nil
	}
	rb.st.pending++
	if _, err := decodePending(value); err != nil {
		b.Set(key, encodePending(0))
	}
	return nil
}

// ownerIn returns a function that gives the scope of the record that vectors
// belong to, if there is one.
func ownerIn(r kv.Reader) func(num uint64) (scope string, ok bool, err error) {
	return func(num uint64) (string, bool, error) {
		value, closer, err := r.Get(recordKey(num))
		if errors.Is(err, kv.ErrNotFound) {
			return "", false, nil
		}
		if err != nil {
			return "", false, err
		}
		rec, err := decodeRecord(num, value)
		if err := errors.Join(err, closer.Close()); err != nil {
			return "", false, err
		}
		return rec.Scope, true, nil
	}
}

// ownsHistory reports whether the record of a history key knows of it.
func ownsHistory(r kv.Reader, key []byte) (bool, error) {
	id, err := parseEscaped(key[1:])
	if err != nil {
		return false, err
	}
	num, err := lookupID(r, id)
	if err != nil || num == 0 {
		return false, err
	}
	rec, err := readRecord(r, num)
	return err == nil && rec.hasHistory, err
}

// end makes the new state the valid one.
func (rb *rebuild) end() error {
	return rb.commit(kv.Sync, func(b kv.Batch) error {
		for _, scope := range slices.Sorted(maps.Keys(rb.counts)) {
			b.Set(countKey(scope), binary.AppendUvarint(nil, rb.counts[scope]))
		}
		old := textPrefix(rb.s.st.epoch)
		b.DeleteRange(old, kv.PrefixEnd(old))
		b.Set(stateKey(), rb.st.encode())
		b.Set(analyzerKey(), []byte(rb.s.analysisName()))
		b.Delete(rebuildKey())
		return nil
	})
}

// inBatches hands all records to add, some thousand per commit.
func (rb *rebuild) inBatches(ctx context.Context, add func(kv.Batch, []*stored) error) error {
	var group []*stored
	flush := func() error {
		if err := ctx.Err(); err != nil || len(group) == 0 {
			return err
		}
		err := rb.commit(kv.NoSync, func(b kv.Batch) error { return add(b, group) })
		group = group[:0]
		return err
	}
	for rec, err := range recordsFrom(rb.s.kv, 0) {
		if err != nil {
			return err
		}
		group = append(group, rec)
		if len(group) == rebuildBatch {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// addIDs writes the ids; of several records with one id the newest gets it.
func (rb *rebuild) addIDs(b kv.Batch, recs []*stored) error {
	for _, rec := range recs {
		b.Set(idKey(rec.ID), binary.AppendUvarint(nil, rec.num))
		rb.st.next = max(rb.st.next, rec.num+1)
	}
	return nil
}

// addRest writes orders and text index and drops records that lost their id.
func (rb *rebuild) addRest(b kv.Batch, recs []*stored) error {
	t := &tx{s: rb.s, batch: b, index: rb.index.Begin(), st: rb.st}
	for _, rec := range recs {
		num, err := lookupID(rb.s.kv, rec.ID)
		if err != nil {
			return err
		}
		if num != rec.num {
			b.Delete(recordKey(rec.num))
			continue
		}
		t.st.live++
		t.st.tokens += uint64(rec.TokenCount)
		rb.counts[rec.Scope]++
		t.writeRecord(rec)
		t.index.Add(document(rec, rb.s.analyze(&rec.Record)))
	}
	if err := t.index.Apply(b); err != nil {
		return err
	}
	rb.st = t.st
	t.index.Publish()
	return nil
}
