// This file decides how a store is compared with a model over random runs.

package kvtest

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
)

// Model is the naive store that the random runs compare with: a map, sorted
// when read. The zero value is not usable; see [NewModel].
type Model map[string]string

// NewModel returns an empty model.
func NewModel() Model { return Model{} }

// Keys returns the keys in [lower, upper) in order; nil bounds are open.
func (m Model) Keys(lower, upper []byte) []string {
	var keys []string
	for k := range m {
		if (lower == nil || k >= string(lower)) && (upper == nil || k < string(upper)) {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}

// Clone returns a copy.
func (m Model) Clone() Model {
	c := make(Model, len(m))
	for k, v := range m {
		c[k] = v
	}
	return c
}

// RandomBatch fills b with up to 12 random changes, with many collisions among
// them, and applies the same to the model.
func (m Model) RandomBatch(rng *rand.Rand, b kv.Batch) {
	for range rng.IntN(12) + 1 {
		key := randomKey(rng)
		switch rng.IntN(10) {
		case 0, 1:
			b.Delete(key)
			delete(m, string(key))
		case 2:
			m.deleteRange(rng, b, key)
		default:
			value := make([]byte, rng.IntN(40))
			for i := range value {
				value[i] = byte(rng.Uint32())
			}
			b.Set(key, value)
			m[string(key)] = string(value)
		}
	}
}

func (m Model) deleteRange(rng *rand.Rand, b kv.Batch, lower []byte) {
	upper := randomKey(rng)
	if bytes.Compare(lower, upper) > 0 && rng.IntN(4) > 0 {
		lower, upper = upper, lower
	}
	b.DeleteRange(lower, upper)
	for _, k := range m.Keys(lower, upper) {
		delete(m, k)
	}
}

// randomKey returns a key of 1 to 4 letters out of 6, so that keys collide and
// are prefixes of one another.
func randomKey(rng *rand.Rand) []byte {
	key := make([]byte, rng.IntN(4)+1)
	for i := range key {
		key[i] = "\x00abc\xfe\xfd"[rng.IntN(6)]
	}
	if key[0] == 0 {
		key[0] = 'a'
	}
	return key
}

// Equal reports how r differs from the model, or nil.
func (m Model) Equal(r kv.Reader) error {
	it, err := r.Iter(nil, nil)
	if err != nil {
		return err
	}
	defer it.Close()
	keys := m.Keys(nil, nil)
	n := 0
	for ok := it.First(); ok; ok = it.Next() {
		v, err := it.Value()
		if err != nil {
			return err
		}
		if n >= len(keys) || string(it.Key()) != keys[n] || string(v) != m[keys[n]] {
			return fmt.Errorf("entry %d is %q=%x, the model has %d entries: %q", n, it.Key(), v, len(keys), keys)
		}
		n++
	}
	if n != len(keys) {
		return fmt.Errorf("%d entries, the model has %d (error %v)", n, len(keys), it.Error())
	}
	return it.Error()
}

// frozen is a snapshot with the model of its moment.
type frozen struct {
	snap  kv.Snapshot
	model Model
}

// testModel runs random operations on a store and a model and compares them
// all the way, through reopenings, flushes, compactions and checkpoints.
func testModel(t *testing.T, h Harness) {
	seeds := uint64(3)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			r := &modelRun{t: t, h: h, s: h.Open(t), model: NewModel(), rng: rand.New(rand.NewPCG(seed, 1))}
			for range 700 {
				r.step()
			}
			r.closeSnapshots()
			must(t, r.model.Equal(r.s))
			must(t, r.s.Verify(context.Background()))
			must(t, r.s.Close())
		})
	}
}

type modelRun struct {
	t     *testing.T
	h     Harness
	s     kv.Store
	model Model
	rng   *rand.Rand
	snaps []frozen
}

func (r *modelRun) step() {
	switch n := r.rng.IntN(200); {
	case n < 110:
		r.commit()
	case n < 140:
		r.compareGets(r.s, r.model)
	case n < 170:
		r.walk(r.s, r.model)
	case n < 180:
		r.snapshot()
	case n < 195:
		if len(r.snaps) > 0 {
			f := r.snaps[r.rng.IntN(len(r.snaps))]
			r.walk(f.snap, f.model)
			r.compareGets(f.snap, f.model)
		}
	default:
		r.maintain()
	}
}

func (r *modelRun) commit() {
	b := r.s.NewBatch()
	r.model.RandomBatch(r.rng, b)
	d := kv.NoSync
	if r.rng.IntN(10) == 0 {
		d = kv.Sync
	}
	must(r.t, r.s.Commit(b, d))
	must(r.t, b.Close())
}

func (r *modelRun) compareGets(reader kv.Reader, m Model) {
	for range 5 {
		key := string(randomKey(r.rng))
		got, ok := get(r.t, reader, key)
		if want, wantOK := m[key]; got != want || ok != wantOK {
			r.t.Fatalf("get %q = %x, %v; want %x, %v", key, got, ok, want, wantOK)
		}
	}
}

func (r *modelRun) snapshot() {
	if len(r.snaps) >= 3 {
		must(r.t, r.snaps[0].snap.Close())
		r.snaps = r.snaps[1:]
	}
	snap, err := r.s.Snapshot()
	must(r.t, err)
	r.snaps = append(r.snaps, frozen{snap, r.model.Clone()})
}

func (r *modelRun) closeSnapshots() {
	for _, f := range r.snaps {
		must(r.t, f.model.Equal(f.snap))
		must(r.t, f.snap.Close())
	}
	r.snaps = nil
}

func (r *modelRun) maintain() {
	switch r.rng.IntN(4) {
	case 0:
		must(r.t, r.s.Flush())
	case 1:
		must(r.t, r.s.Compact(context.Background()))
	case 2:
		if r.h.Reopen != nil {
			r.closeSnapshots()
			r.s = r.h.Reopen(r.t, r.s)
		}
	case 3:
		if r.h.OpenDir != nil {
			dir := r.h.dir(r.t)
			must(r.t, r.s.Checkpoint(context.Background(), dir))
			c := r.h.OpenDir(r.t, dir)
			must(r.t, r.model.Equal(c))
			must(r.t, c.Close())
		}
	}
	must(r.t, r.model.Equal(r.s))
}

// walk makes random moves on an iterator with random bounds and checks each
// landing against the model's sorted keys.
func (r *modelRun) walk(reader kv.Reader, m Model) {
	var lower, upper []byte
	if r.rng.IntN(2) == 0 {
		lower = randomKey(r.rng)
	}
	if r.rng.IntN(2) == 0 {
		upper = randomKey(r.rng)
	}
	keys := m.Keys(lower, upper)
	it, err := reader.Iter(lower, upper)
	must(r.t, err)
	at := -1 // index into keys; out of range is off any entry
	valid := false
	for range 12 {
		at = r.move(it, keys, at, valid)
		valid = at >= 0 && at < len(keys)
		if it.Valid() != valid {
			r.t.Fatalf("[%q,%q): valid %v, want %v", lower, upper, it.Valid(), valid)
		}
		if !valid {
			continue
		}
		if want := keys[at] + "=" + m[keys[at]]; item(r.t, it) != want {
			r.t.Fatalf("[%q,%q): on %q, want %q", lower, upper, item(r.t, it), want)
		}
	}
	must(r.t, it.Error())
	must(r.t, it.Close())
}

// move performs one positioning call and returns the index it should reach.
func (r *modelRun) move(it kv.Iterator, keys []string, at int, valid bool) int {
	target := randomKey(r.rng)
	switch r.rng.IntN(8) {
	case 0:
		it.First()
		return 0
	case 1:
		it.Last()
		return len(keys) - 1
	case 2:
		it.SeekGE(target)
		i, _ := slices.BinarySearch(keys, string(target))
		return i
	case 3:
		it.SeekLT(target)
		i, _ := slices.BinarySearch(keys, string(target))
		return i - 1
	case 4, 5:
		it.Next()
		if valid {
			return at + 1
		}
	default:
		it.Prev()
		if valid {
			return at - 1
		}
	}
	return -1
}
