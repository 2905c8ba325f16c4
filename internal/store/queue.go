package store

// This file decides which records wait for vectors, and how they get them.
//
// The value under a pending key: how often the embedder failed on the record,
// uvarint.

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/vecindex"
)

func (t *tx) setPending(num, failures uint64) {
	t.batch.Set(pendingKey(num), encodePending(failures))
}

func encodePending(failures uint64) []byte { return binary.AppendUvarint(nil, failures) }

func decodePending(value []byte) (failures uint64, err error) {
	d := decoder{b: value}
	return d.uvarint(), d.err
}

func (t *tx) dropPending(num uint64) error {
	if t.st.pending == 0 {
		return nil
	}
	waits, known := t.pending[num]
	if !known && !t.cleared {
		var err error
		if waits, err = has(t.s.kv, pendingKey(num)); err != nil {
			return err
		}
	}
	if waits {
		t.batch.Delete(pendingKey(num))
		t.pending[num] = false
		t.st.pending--
	}
	return nil
}

// Addition is vectors for a record that waits for them.
type Addition struct {
	Num     uint64
	First   int // number of the first window
	Vectors [][]float32
	Missing bool // more windows are to come, or it failed
	Failed  bool
	// Sentence is the second vector, nil for none or for one that is there.
	Sentence []float32
}

// AddVectors stores vectors of records that are still there and have just the
// windows before First, in one durable commit. It returns how many records got
// all of theirs.
func (s *Store) AddVectors(ctx context.Context, additions []Addition) (complete int, err error) {
	err = s.submit(ctx, func(t *tx) error {
		complete = 0
		for i := range additions {
			done, err := t.addVectors(&additions[i])
			if err != nil {
				return err
			}
			if done {
				complete++
			}
		}
		return nil
	})
	return complete, err
}

func (t *tx) addVectors(a *Addition) (complete bool, err error) {
	rec, err := t.live(a.Num)
	if err != nil || rec == nil {
		return false, err
	}
	v := t.activeVectors()
	if v == nil {
		return false, fmt.Errorf("store: vectors without a model")
	}
	if t.embedded[a.Num] { // by another of this very commit
		return false, nil
	}
	if n, err := t.s.active().index.View().Has(t.s.kv, a.Num); err != nil || n != a.First {
		return false, err
	}
	t.changes++
	t.embedded[a.Num] = true
	if len(a.Vectors) > 0 {
		if err := v.Add(vecindex.Doc{Num: a.Num, Scope: rec.Scope, First: a.First, Vectors: a.Vectors}); err != nil {
			return false, err
		}
	}
	if err := t.addSentence(rec, a.Sentence); err != nil {
		return false, err
	}
	waits, err := t.waits(a.Num)
	if err != nil {
		return false, err
	}
	if !a.Missing {
		if waits {
			err = t.dropElsewhere(a.Num)
		}
		return true, errors.Join(err, t.dropPending(a.Num))
	}
	failures, err := t.failures(a.Num)
	if err != nil {
		return false, err
	}
	if a.Failed {
		failures++
	}
	if !waits {
		t.st.pending++
	}
	t.pending[a.Num] = true
	t.setPending(a.Num, failures)
	return false, nil
}

// dropElsewhere removes the vectors that other models made of a record in the
// queue: they may be part of its windows only, which nothing would tell once it
// has left the queue.
func (t *tx) dropElsewhere(num uint64) error {
	for i, g := range t.s.generations {
		if t.s.inUse(g.model) {
			continue
		}
		if err := t.vectors[i].Delete(t.s.kv, num); err != nil {
			return err
		}
	}
	return nil
}

// live returns the record of a docNum, nil if it has gone.
func (t *tx) live(num uint64) (*stored, error) {
	if rec, ok := t.added[num]; ok {
		return rec, nil
	}
	if t.cleared || t.removed[num] {
		return nil, nil
	}
	value, closer, err := t.s.kv.Get(recordKey(num))
	if errors.Is(err, kv.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	rec, err := decodeRecord(num, value)
	return rec, errors.Join(err, closer.Close())
}

func (t *tx) waits(num uint64) (bool, error) {
	if waits, known := t.pending[num]; known || t.cleared {
		return waits, nil
	}
	return has(t.s.kv, pendingKey(num))
}

// failures returns how often the embedder failed on a record.
func (t *tx) failures(num uint64) (uint64, error) {
	value, err := kv.GetCopy(t.s.kv, nil, pendingKey(num))
	if errors.Is(err, kv.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return decodePending(value)
}

// Waiting is a record that lacks vectors.
type Waiting struct {
	Num      uint64
	ID       string
	Content  string
	Windows  int  // of which it has vectors of the model in use
	Sentence bool // it lacks its second vector
	Failures int
}

// Pending yields the records in the queue whose docNum is from or greater, in
// the order in which they were saved.
func (v *View) Pending(from uint64) iter.Seq2[Waiting, error] {
	return func(yield func(Waiting, error) bool) {
		err := scanFrom(v.state.snap, pendingKey(from), []byte{famPending + 1}, func(key, value []byte) (bool, error) {
			num, err := parseNum(key)
			if err != nil {
				return false, err
			}
			failures, err := decodePending(value)
			if err != nil {
				return false, err
			}
			w := Waiting{Num: num, Failures: int(min(failures, math.MaxInt32))}
			if v.state.vectors != nil {
				if w.Windows, err = v.state.vectors.Has(v.state.snap, num); err != nil {
					return false, err
				}
			}
			rec, err := readRecord(v.state.snap, num)
			if err != nil {
				return false, err
			}
			w.ID, w.Content = rec.ID, rec.Content
			if w.Sentence, err = v.lacksSentence(num, rec.Content); err != nil {
				return false, err
			}
			return yield(w, nil), nil
		})
		if err != nil {
			yield(Waiting{}, err)
		}
	}
}

// Unembedded yields the records with a docNum of from or greater that have no
// vectors of the model in use, or not all of theirs.
func (v *View) Unembedded(from uint64) iter.Seq2[Waiting, error] {
	return func(yield func(Waiting, error) bool) {
		for rec, err := range recordsFrom(v.state.snap, from) {
			w := Waiting{}
			lacks := false
			if err == nil {
				w = Waiting{Num: rec.num, ID: rec.ID, Content: rec.Content}
				lacks, err = v.lacksVectors(&w)
			}
			if (lacks || err != nil) && !yield(w, err) || err != nil {
				return
			}
		}
	}
}

func (v *View) lacksVectors(w *Waiting) (bool, error) {
	if v.state.vectors == nil {
		return false, nil
	}
	n, err := v.state.vectors.Has(v.state.snap, w.Num)
	if err != nil {
		return false, err
	}
	w.Windows = n
	if w.Sentence, err = v.lacksSentence(w.Num, w.Content); err != nil || w.Sentence || n == 0 {
		return true, err
	}
	return has(v.state.snap, pendingKey(w.Num))
}
