package store

// What opening and the first save read does not grow with the store. Counted
// in calls to the key-value store.

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge/bm25"
	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/memkv"
)

// counting counts look-ups and steps of iterators.
type counting struct {
	kv.Store
	reads *atomic.Int64
	codes *atomic.Int64 // steps that reached codes of vectors or a vector
}

func (c counting) Close() error { return nil }

func (c counting) Get(key []byte) ([]byte, io.Closer, error) {
	c.reads.Add(1)
	return c.Store.Get(key)
}

func (c counting) Iter(lower, upper []byte) (kv.Iterator, error) {
	it, err := c.Store.Iter(lower, upper)
	return countingIter{it, c.reads, c.codes}, err
}

func (c counting) Snapshot() (kv.Snapshot, error) {
	s, err := c.Store.Snapshot()
	return countingSnapshot{s, c.reads, c.codes}, err
}

type countingSnapshot struct {
	kv.Snapshot
	reads *atomic.Int64
	codes *atomic.Int64
}

func (c countingSnapshot) Get(key []byte) ([]byte, io.Closer, error) {
	c.reads.Add(1)
	return c.Snapshot.Get(key)
}

func (c countingSnapshot) Iter(lower, upper []byte) (kv.Iterator, error) {
	it, err := c.Snapshot.Iter(lower, upper)
	return countingIter{it, c.reads, c.codes}, err
}

type countingIter struct {
	kv.Iterator
	reads *atomic.Int64
	codes *atomic.Int64
}

func (c countingIter) count(ok bool) bool {
	c.reads.Add(1)
	if ok && c.Key()[0] == famVector {
		c.codes.Add(1)
	}
	return ok
}

func (c countingIter) First() bool            { return c.count(c.Iterator.First()) }
func (c countingIter) Last() bool             { return c.count(c.Iterator.Last()) }
func (c countingIter) Next() bool             { return c.count(c.Iterator.Next()) }
func (c countingIter) Prev() bool             { return c.count(c.Iterator.Prev()) }
func (c countingIter) SeekGE(key []byte) bool { return c.count(c.Iterator.SeekGE(key)) }
func (c countingIter) SeekLT(key []byte) bool { return c.count(c.Iterator.SeekLT(key)) }

// cost is what was read, by operation.
type cost struct {
	name  string
	reads int64
	codes int64
}

// costs fills a store with n entries, of which the last tail are not sealed,
// and measures what single operations after an opening read.
func costs(t *testing.T, n, tail int, change func(*Options)) []cost {
	t.Helper()
	ctx := context.Background()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	pairs := counting{memkv.New(), new(atomic.Int64), new(atomic.Int64)}
	now := time.Unix(1_700_000_000, 0)
	o := testOptions(nil, func() time.Time { return now })
	o.KV, o.Index, o.Model = pairs, bm25.Options{}, testModels[1]
	change(&o)
	reopen := func() *Store {
		s, err := Open(ctx, o)
		check(err)
		check(s.EnforceCapacity(ctx))
		return s
	}
	s := reopen()
	fill := func(from, to int) {
		var list []Draft
		for i := from; i < to; i++ {
			list = append(list, costDraft(o.Model, Record{
				ID: fmt.Sprintf("id-%d", i), Content: fmt.Sprintf("entry number %d of many", i), Scope: fmt.Sprint(i % 3),
				Timestamp: now.Add(time.Duration(i) * time.Second), ExpiresAt: now.Add(time.Hour), TokenCount: 5,
			}))
		}
		check(s.Save(ctx, list))
	}
	fill(0, n-tail)
	fill(n-tail, n)
	check(s.Close())

	var list []cost
	measure := func(name string, do func(*Store) error) {
		var s *Store
		count := func(name string, do func()) {
			reads, codes := pairs.reads.Load(), pairs.codes.Load()
			do()
			list = append(list, cost{name, pairs.reads.Load() - reads, pairs.codes.Load() - codes})
		}
		count("open", func() { s = reopen() })
		count(name, func() { check(do(s)) })
		check(s.Close())
	}
	measure("save", func(s *Store) error {
		return s.Save(ctx, []Draft{costDraft(o.Model, Record{ID: "new", Content: "one more", Timestamp: now.Add(time.Duration(n) * time.Second)})})
	})
	measure("replace", func(s *Store) error {
		return s.Save(ctx, []Draft{costDraft(o.Model, Record{ID: "id-7", Content: "another", Timestamp: now.Add(time.Duration(n) * time.Second)})})
	})
	measure("dedup", func(s *Store) error {
		d := costDraft(o.Model, Record{ID: "twin", Content: "entry number 8 of many", Scope: "2", Timestamp: now})
		d.Dedup = true
		list := []Draft{d}
		err := s.Save(ctx, list)
		if list[0].Twin != "id-8" {
			t.Errorf("the twin is %q", list[0].Twin)
		}
		return err
	})
	measure("add", func(s *Store) error {
		done, err := s.AddVectors(ctx, []Addition{{Num: 9, First: 2, Vectors: testVectors(o.Model, 1)}})
		if done != 1 {
			t.Errorf("%d done", done)
		}
		return err
	})
	measure("known", func(s *Store) error {
		v, err := s.View()
		check(err)
		vectors, err := v.Known("entry number 9 of many")
		if len(vectors) != 2 {
			t.Errorf("%d vectors are known", len(vectors))
		}
		check(err)
		return v.Close()
	})
	measure("embeddings", func(s *Store) error {
		v, err := s.View()
		check(err)
		if st := v.Embeddings(); st.Records < n || st.Resident > 1<<16 {
			t.Errorf("%+v", st)
		}
		return v.Close()
	})
	measure("count", func(s *Store) error {
		v, err := s.View()
		check(err)
		_, err = v.Count(Filter{Scope: "1", AsOf: TimeOf(now)})
		check(err)
		return v.Close()
	})
	measure("get", func(s *Store) error {
		v, err := s.View()
		check(err)
		_, err = v.Get("id-9")
		check(err)
		return v.Close()
	})
	return list
}

// costDraft is a draft with two windows.
func costDraft(m Model, r Record) Draft {
	return Draft{Record: r, Embedding: Embedding{Vectors: testVectors(m, uint64(len(r.ID)), uint64(r.TokenCount))}}
}

func TestOpenAndFirstSaveCostTheSame(t *testing.T) {
	sizes := []int{1000, 50_000}
	if testing.Short() {
		sizes = []int{1000, 8000}
	}
	for name, change := range map[string]func(*Options){
		"no limit":         func(*Options) {},
		"a limit":          func(o *Options) { o.MaxEntries = 1_000_000 },
		"limits per scope": func(o *Options) { o.MaxPerScope = 1_000_000 },
	} {
		t.Run(name, func(t *testing.T) {
			few, many := costs(t, sizes[0], 900, change), costs(t, sizes[1], 900, change)
			for i := range few {
				// The number of segments and with it the directory of the text index
				// grows with the logarithm.
				if many[i].reads > few[i].reads+8 || many[i].reads > 25 {
					t.Errorf("%s reads %d times at %d entries, %d times at %d", few[i].name, few[i].reads, sizes[0], many[i].reads, sizes[1])
				}
				// Rows of vectors are read of single records only.
				most := map[string]int64{"replace": 3, "add": 3, "known": 3}
				if many[i].codes > most[many[i].name] {
					t.Errorf("%s reads %d rows of vectors", many[i].name, many[i].codes)
				}
			}
			t.Log(few, many)
		})
	}
}

// A store at its capacity evicts without looking for the oldest from the start.
func TestEvictionCostsTheSame(t *testing.T) {
	for _, n := range []int{1000, 8000} {
		list := costs(t, n, 900, func(o *Options) { o.MaxEntries = n })
		t.Log(n, list)
		for _, c := range list {
			if c.reads > 25 {
				t.Errorf("at a capacity of %d %s reads %d times", n, c.name, c.reads)
			}
		}
	}
}
