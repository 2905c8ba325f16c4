// This file decides whether a repair leaves just what can be trusted: each kind of
// damage, each place where it can be cut off. What it leaves is compared, byte for
// byte, with an index that was made of the same documents.

package vecindex

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/memkv"
)

// owner answers for the documents of the truth.
func (f *fixture) owner(num uint64) (string, bool, error) {
	d, ok := f.truth[num]
	if !ok {
		return "", false, nil
	}
	return d.scope, true, nil
}

// change commits changes behind the index's back.
func (f *fixture) change(fill func(b kv.Batch)) {
	f.Helper()
	b := f.store.NewBatch()
	defer b.Close()
	fill(b)
	f.must(f.store.Commit(b, kv.NoSync))
}

// expected is what an index of the truth holds.
func (f *fixture) expected() string {
	f.Helper()
	fresh := newFixture(f.TB, nil, Options{})
	for _, num := range f.truth.nums() {
		if d := f.truth[num]; len(d.units) > 0 {
			fresh.addDocs(Doc{Num: num, Scope: d.scope, Vectors: d.units})
		}
	}
	return fresh.dump()
}

// repaired checks a repair's outcome.
func (f *fixture) repaired() {
	f.Helper()
	if got, want := f.dump(), f.expected(); got != want {
		f.Fatalf("after a repair:\n%swant\n%s", got, want)
	}
	f.reopen()
	f.verify(f.freeze())
	for num, d := range f.truth {
		f.search(d.units[0], Filter{}, 3)
		f.search(d.units[0], Filter{Scope: &d.scope, Accept: func(n uint64) (bool, error) { return n != num, nil }}, -1)
	}
}

func rowOf(kind byte, num uint64, window uint16) []byte {
	return keyspace{testPrefix}.row(kind, rowKey{num, window})
}

// damaged are changes to documents 1, 3, 5 and 7 of one, three, two and one
// windows of 7 values, and which of them can't be kept.
var damaged = []struct {
	name   string
	change func(f *fixture, b kv.Batch)
	lost   []uint64
}{
	{name: "nothing", change: func(*fixture, kv.Batch) {}},
	{name: "no state", change: func(_ *fixture, b kv.Batch) { b.Delete(keyspace{testPrefix}.state()) }},
	{name: "a state of nonsense", change: func(_ *fixture, b kv.Batch) { b.Set(keyspace{testPrefix}.state(), []byte("?")) }},
	{name: "wrong counts", change: func(_ *fixture, b kv.Batch) { b.Set(keyspace{testPrefix}.state(), state{7, 9, 90}.encode()) }},
	{name: "wrong dimension", change: func(_ *fixture, b kv.Batch) { b.Set(keyspace{testPrefix}.state(), state{8, 4, 7}.encode()) }},
	{name: "no codes", change: func(_ *fixture, b kv.Batch) {
		b.DeleteRange(keyspace{testPrefix}.kind(kindCode), keyspace{testPrefix}.end(kindCode))
	}},
	{name: "a code row less", change: func(_ *fixture, b kv.Batch) { b.Delete(rowOf(kindCode, 3, 1)) }},
	{name: "a damaged code row", change: func(f *fixture, b kv.Batch) { f.flip(b, rowOf(kindCode, 3, 1)) }},
	{name: "codes of another vector", change: func(f *fixture, b kv.Batch) { b.Set(rowOf(kindCode, 3, 1), f.get(rowOf(kindCode, 3, 0))) }},
	{name: "codes of an unknown document", change: func(f *fixture, b kv.Batch) { b.Set(rowOf(kindCode, 4, 0), f.get(rowOf(kindCode, 3, 0))) }},
	{name: "a code row with a long key", change: func(_ *fixture, b kv.Batch) { b.Set(append(rowOf(kindCode, 3, 0), 0), []byte("?")) }},
	{name: "a vector with a short key", change: func(_ *fixture, b kv.Batch) { b.Set(rowOf(kindMaster, 3, 0)[:9], []byte("?")) }},
	{name: "vectors of an unknown document", change: func(f *fixture, b kv.Batch) { b.Set(rowOf(kindMaster, 4, 0), f.get(rowOf(kindMaster, 3, 0))) }},
	{name: "a damaged vector", change: func(f *fixture, b kv.Batch) { f.flip(b, rowOf(kindMaster, 3, 1)) }, lost: []uint64{3}},
	{name: "a damaged first vector", change: func(f *fixture, b kv.Batch) { f.flip(b, rowOf(kindMaster, 1, 0)) }, lost: []uint64{1}},
	{name: "a damaged last vector", change: func(f *fixture, b kv.Batch) { f.flip(b, rowOf(kindMaster, 7, 0)) }, lost: []uint64{7}},
	{name: "an empty vector", change: func(_ *fixture, b kv.Batch) { b.Set(rowOf(kindMaster, 1, 0), nil) }, lost: []uint64{1}},
	{name: "a sealed vector of nothing", change: func(_ *fixture, b kv.Batch) { b.Set(rowOf(kindMaster, 1, 0), encodeMaster(nil)) }, lost: []uint64{1}},
	{name: "a vector of another dimension", change: func(_ *fixture, b kv.Batch) {
		b.Set(rowOf(kindMaster, 5, 1), encodeMaster(unitOf([]float32{1, 2, 3})))
	}, lost: []uint64{5}},
	{name: "two dimensions in the first document", change: func(f *fixture, b kv.Batch) {
		f.truth[1].units = append(f.truth[1].units, nil)
		b.Set(rowOf(kindMaster, 1, 1), encodeMaster(unitOf([]float32{1, 2, 3})))
	}, lost: []uint64{1}},
	{name: "a vector that isn't of length 1", change: func(_ *fixture, b kv.Batch) {
		b.Set(rowOf(kindMaster, 5, 0), encodeMaster([]float32{1, 1, 1, 0, 0, 0, 0}))
	}, lost: []uint64{5}},
	{name: "a vector with a NaN", change: func(_ *fixture, b kv.Batch) {
		b.Set(rowOf(kindMaster, 5, 0), encodeMaster([]float32{float32(math.NaN()), 0, 0, 0, 0, 0, 1}))
	}, lost: []uint64{5}},
	{name: "no first window", change: func(_ *fixture, b kv.Batch) { drop(b, 3, 0) }, lost: []uint64{3}},
	{name: "no second window", change: func(_ *fixture, b kv.Batch) { drop(b, 3, 1) }, lost: []uint64{3}},
	{name: "no vector of the last window", change: func(_ *fixture, b kv.Batch) { b.Delete(rowOf(kindMaster, 3, 2)) }, lost: []uint64{3}},
	{name: "no vector of the only window", change: func(_ *fixture, b kv.Batch) { b.Delete(rowOf(kindMaster, 7, 0)) }, lost: []uint64{7}},
	{name: "no vectors", change: func(_ *fixture, b kv.Batch) {
		b.DeleteRange(keyspace{testPrefix}.kind(kindMaster), keyspace{testPrefix}.end(kindMaster))
	}, lost: []uint64{1, 3, 5, 7}},
	{name: "a document that has gone", change: func(*fixture, kv.Batch) {}, lost: []uint64{5}},
	{name: "the first document has gone", change: func(*fixture, kv.Batch) {}, lost: []uint64{1}},
	{name: "all documents have gone", change: func(*fixture, kv.Batch) {}, lost: []uint64{1, 3, 5, 7}},
	{name: "documents in other scopes", change: func(f *fixture, _ kv.Batch) { f.truth[1].scope, f.truth[3].scope = "moved", "" }},
}

// flip changes a bit of a value.
func (f *fixture) flip(b kv.Batch, key []byte) {
	f.Helper()
	value := f.get(key)
	value[len(value)/2] ^= 4
	b.Set(key, value)
}

func (f *fixture) get(key []byte) []byte {
	f.Helper()
	value, err := kv.GetCopy(f.store, nil, key)
	f.must(err)
	return value
}

// drop removes a window altogether.
func drop(b kv.Batch, num uint64, window uint16) {
	b.Delete(rowOf(kindCode, num, window))
	b.Delete(rowOf(kindMaster, num, window))
}

func TestRepair(t *testing.T) {
	for _, test := range damaged {
		t.Run(test.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(8, 8))
			f := newFixture(t, nil, Options{})
			for i, windows := range []int{1, 3, 2, 1} {
				d := Doc{Num: uint64(2*i + 1), Scope: testScopes[i]}
				for range windows {
					d.Vectors = append(d.Vectors, gauss(r, 7))
				}
				f.addDocs(d)
			}
			f.change(func(b kv.Batch) { test.change(f, b) })
			gone := map[uint64]bool{}
			for _, num := range test.lost {
				gone[num] = true
			}
			unwanted := strings.Contains(test.name, "gone")
			f.must(Repair(ctx, f.store, testPrefix, func(num uint64) (string, bool, error) {
				if unwanted && gone[num] {
					return "", false, nil
				}
				return f.owner(num)
			}))
			for num := range gone {
				delete(f.truth, num)
			}
			f.repaired()
			before := f.dump()
			f.must(Repair(ctx, f.store, testPrefix, f.owner))
			if f.dump() != before {
				t.Error("a second repair changed something")
			}
			f.addDocs(Doc{Num: 20, Vectors: [][]float32{gauss(r, 7)}})
			f.verify(f.freeze())
		})
	}
}

// A window that is missing altogether at the end is seen by the counts alone,
// which the repair puts right.
func TestRepairWithoutTheLastWindow(t *testing.T) {
	f := newFixture(t, nil, Options{})
	f.addDocs(Doc{Num: 1, Vectors: [][]float32{{1, 0}, {0, 1}}})
	f.change(func(b kv.Batch) { drop(b, 1, 1) })
	if err := f.ix.View().Verify(ctx, f.store, nil); !errors.Is(err, kv.ErrCorrupt) {
		t.Errorf("verified: %v", err)
	}
	f.must(Repair(ctx, f.store, testPrefix, f.owner))
	f.truth[1].units = f.truth[1].units[:1]
	f.repaired()
}

// Rows under other prefixes are left alone.
func TestRepairKeepsToItsPrefix(t *testing.T) {
	f := newFixture(t, nil, Options{})
	f.change(func(b kv.Batch) {
		for _, key := range []string{"u", "v", "v.C", "v0", "w/C"} {
			b.Set([]byte(key), []byte("other"))
		}
	})
	before := f.dump()
	f.must(Repair(ctx, f.store, testPrefix, f.owner))
	if got := f.dump(); got != before {
		t.Errorf("got\n%swant\n%s", got, before)
	}
}

// repairStore fails at a commit, or at a step of an iterator.
type repairStore struct {
	kv.Store
	commits, steps int // left; below 0 for no end
}

var errFaulty = errors.New("repairStore")

func (s *repairStore) Commit(b kv.Batch, d kv.Durability) error {
	if s.commits--; s.commits == -1 {
		return errFaulty
	}
	return s.Store.Commit(b, d)
}

func (s *repairStore) Iter(lower, upper []byte) (kv.Iterator, error) {
	if s.steps == 0 {
		return nil, errFaulty
	}
	it, err := s.Store.Iter(lower, upper)
	return &repairIter{Iterator: it, s: s}, err
}

type repairIter struct {
	kv.Iterator
	s      *repairStore
	failed bool
}

func (it *repairIter) step(move func() bool) bool {
	if it.s.steps--; it.s.steps == -1 {
		it.failed = true
	}
	return !it.failed && move()
}

func (it *repairIter) First() bool { return it.step(it.Iterator.First) }
func (it *repairIter) Next() bool  { return it.step(it.Iterator.Next) }
func (it *repairIter) Valid() bool { return !it.failed && it.Iterator.Valid() }

func (it *repairIter) Error() error {
	if it.failed {
		return errFaulty
	}
	return it.Iterator.Error()
}

// wreck is an index with many rows and much damage, and the owner of its
// documents.
func wreck(t *testing.T, docs int) (*fixture, func(num uint64) (string, bool, error)) {
	r := rand.New(rand.NewPCG(9, 9))
	f := newFixture(t, nil, Options{})
	f.addDocs(someDocs(r, docs, 3, gauss)...)
	owners := fixture{truth: f.truth.clone()}
	f.change(func(b kv.Batch) {
		b.Set(keyspace{testPrefix}.state(), []byte("?"))
		for i, num := range f.truth.nums() {
			last := uint16(len(f.truth[num].units) - 1)
			switch {
			case i%100 == 7:
				f.flip(b, rowOf(kindMaster, num, last))
			case i%20 == 8 || docs > 2000 && i < 1100: // so many that dropping them takes several commits
				b.Delete(rowOf(kindMaster, num, last))
			case i%100 == 9:
				delete(owners.truth, num)
			case i%10 == 1:
				f.flip(b, rowOf(kindCode, num, last))
				continue
			default:
				continue
			}
			delete(f.truth, num)
		}
	})
	return f, owners.owner
}

// cutOff repairs with a store or a context that fails and then again, and reports
// whether the first time was a failure.
func cutOff(c context.Context, t *testing.T, docs int, s *repairStore, want error) bool {
	t.Helper()
	f, owner := wreck(t, docs)
	s.Store = f.store
	err := Repair(c, s, testPrefix, owner)
	if err != nil && !errors.Is(err, want) {
		t.Fatal(err)
	}
	if err != nil {
		f.must(Repair(ctx, f.store, testPrefix, owner))
	}
	if got, want := f.dump(), f.expected(); got != want {
		t.Fatal("other rows than expected")
	}
	f.reopen()
	f.verify(f.freeze())
	return err != nil
}

func TestRepairCutOffAtEveryCommit(t *testing.T) {
	n := 0
	for cutOff(ctx, t, 2500, &repairStore{commits: n, steps: -1}, errFaulty) {
		n++
	}
	if n < 4 {
		t.Errorf("only %d commits", n)
	}
}

func TestRepairCutOffByReads(t *testing.T) {
	for n := 0; cutOff(ctx, t, 120, &repairStore{commits: -1, steps: n}, errFaulty); n += 1 + n/8 {
	}
}

// asked is a context that is cancelled at the n-th question.
type asked struct {
	context.Context
	left int
}

func (c *asked) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestRepairCancelled(t *testing.T) {
	for n := 0; cutOff(&asked{ctx, n}, t, 120, &repairStore{commits: -1, steps: -1}, context.Canceled); n += 1 + n/8 {
	}
}

func TestRepairReturnsTheOwnersError(t *testing.T) {
	f, _ := wreck(t, 50)
	err := Repair(ctx, f.store, testPrefix, func(num uint64) (string, bool, error) { return "", true, errFaulty })
	if !errors.Is(err, errFaulty) || !strings.Contains(err.Error(), "repair") {
		t.Errorf("%v", err)
	}
}

// Random damage: whatever was changed, what a repair leaves verifies, and is the
// same again.
func TestRepairOfRandomDamage(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 10))
		f := newFixture(t, nil, Options{})
		f.addDocs(someDocs(r, 30, 4, gauss)...)
		f.change(func(b kv.Batch) {
			for _, line := range strings.Split(strings.TrimSpace(f.dump()), "\n") {
				if r.IntN(8) > 0 {
					continue
				}
				var key, value []byte
				if _, err := fmt.Sscanf(line, "%x %x", &key, &value); err != nil {
					t.Fatal(err)
				}
				switch r.IntN(4) {
				case 0:
					b.Delete(key)
				case 1:
					value[r.IntN(len(value))] ^= byte(1 << r.IntN(8))
					b.Set(key, value)
				case 2:
					b.Set(key, value[:r.IntN(len(value))])
				case 3:
					b.Set(binary.BigEndian.AppendUint16(key, uint16(r.IntN(3))), value)
				}
			}
		})
		f.must(Repair(ctx, f.store, testPrefix, f.owner))
		f.reopen()
		refs := func(yield func(DocRef, error) bool) {
			for _, num := range f.truth.nums() {
				if !yield(DocRef{num, f.truth[num].scope, -1}, nil) {
					return
				}
			}
		}
		f.must(f.ix.View().Verify(ctx, f.store, refs))
		before := f.dump()
		f.must(Repair(ctx, f.store, testPrefix, f.owner))
		if f.dump() != before {
			t.Fatal("a second repair changed something")
		}
	}
}

func BenchmarkRepair(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			f := newFixture(b, memkv.New(), Options{})
			f.addDocs(someDocs(rand.New(rand.NewPCG(1, 1)), n, 384, gauss)...)
			for b.Loop() {
				f.must(Repair(ctx, f.store, testPrefix, f.owner))
			}
		})
	}
}
