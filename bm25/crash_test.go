// This file decides whether jobs that die on the way leave an index as it was,
// on every store.

package bm25

import (
	"errors"
	"fmt"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/memkv"
)

// stores are the implementations that crash tests run on.
func stores(t *testing.T) map[string]kv.Store {
	m := map[string]kv.Store{"memkv": memkv.New()}
	if disk := openDisk(t); disk != nil {
		m["pebblekv"] = disk
	}
	t.Cleanup(func() { m["memkv"].Close() })
	return m
}

// hiddenKeys counts the keys of segments that are not visible.
func (f *fixture) hiddenKeys() (n int) {
	it, err := f.store.Iter(f.ix.env.keys.data(0), f.ix.env.keys.dataEnd())
	if err != nil {
		f.t.Fatal(err)
	}
	defer it.Close()
	for ok := it.First(); ok; ok = it.Next() {
		hidden := true
		for _, s := range f.ix.set.segs {
			from, to := f.ix.env.keys.data(s.id), f.ix.env.keys.data(s.id+1)
			hidden = hidden && (string(it.Key()) < string(from) || string(it.Key()) >= string(to))
		}
		if hidden {
			n++
		}
	}
	return n
}

// TestCrashLeftovers runs jobs without finishing them, in this process and over
// a reopening: their values never show, and go.
func TestCrashLeftovers(t *testing.T) {
	for name, store := range stores(t) {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, store, Options{TailDocs: 10, MergeFactor: 2})
			next := uint64(1)
			grow := func() {
				for range 12 {
					f.commit(change{adds: []Doc{textDoc(next, fmt.Sprint("a w", next%5))}})
					next++
				}
			}
			for round := range 6 {
				grow()
				if round%3 == 2 {
					f.commit(change{dels: []uint64{f.truth.docs[round].Num}})
				}
				j := f.ix.Plan()
				if err := f.run(j); err != nil {
					t.Fatal(err)
				}
				if round%2 == 0 { // the process dies before Finish
					f.reopen()
					f.load()
				}
				want := f.truth.search([]string{"a", "w3"}, Filter{}, -1)
				sameHits(t, "before", f.search([]string{"a", "w3"}, Filter{}, -1), want)
				f.tidy(f.ix.Plan)
				if n := f.hiddenKeys(); n > 0 {
					t.Fatalf("round %d: %d keys left over", round, n)
				}
				if err := j.Finish(f.ix.Begin()); err != nil {
					t.Fatal(err)
				}
				sameHits(t, "after", f.search([]string{"a", "w3"}, Filter{}, -1), want)
				f.verify()
			}
		})
	}
}

// TestCrashLeftoversUnloaded lets a process that never loads seal under the id
// of a job that died.
func TestCrashLeftoversUnloaded(t *testing.T) {
	f := newFixture(t, nil, Options{TailDocs: 4})
	f.commit(change{adds: texts(1, "a", "b", "c", "d", "e")})
	for i := range uint64(4) {
		f.commit(change{adds: texts(11+i, "tail of many words that take more keys")})
	}
	if err := f.run(f.ix.Plan()); err != nil {
		t.Fatal(err)
	}
	for num := uint64(11); num < 15; num++ {
		f.commit(change{dels: []uint64{num}})
	}
	f.reopen()
	f.commit(change{adds: texts(21, "a", "b", "c", "d", "e")})
	if s := f.ix.View().Stats(); s.Segments != 2 {
		t.Fatalf("%+v", s)
	}
	f.load()
	f.verify()
	f.tidy(f.ix.Plan)
	if n := f.hiddenKeys(); n > 0 {
		t.Fatalf("%d keys left over", n)
	}
}

// TestJobFails drops what a job wrote before its commit failed.
func TestJobFails(t *testing.T) {
	f := newFixture(t, nil, Options{TailDocs: 4})
	for i := range uint64(4) {
		f.commit(change{adds: texts(1+i, "a b c")})
	}
	boom := errors.New("boom")
	j := f.ix.Plan()
	err := j.Run(ctx, f.store, f.store.NewBatch, func(kv.Batch) error { return boom })
	wantErr(t, err, boom)
	if err := j.Finish(f.ix.Begin()); err != nil {
		t.Fatal(err)
	}
	j = f.ix.Plan()
	wantErr(t, j.Finish(f.ix.Begin()), errNotRun)
	f.tidy(f.ix.Plan)
	if s := f.ix.View().Stats(); s.Segments != 1 || s.TailDocs != 0 {
		t.Fatalf("%+v", s)
	}
	f.verify()
}

// TestModelOnStores is a short model run on each store.
func TestModelOnStores(t *testing.T) {
	for name, store := range stores(t) {
		t.Run(name, func(t *testing.T) { runModel(t, store, 1001, 80) })
	}
}
