//go:build !js && !wasip1 && !solaris && !aix && !plan9

package store

// Many writers and readers at once, for the race detector and for the promises
// that no interleaving may break: a view is one state, what was deleted before
// a search began is not in it, what was saved is.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/contextforge-go/contextforge/bm25"
	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/memkv"
	"github.com/contextforge-go/contextforge/kv/pebblekv"
)

// crowd is a store under concurrent use. Every entry holds the word "common"
// and a word of its batch; a batch is saved and deleted as one.
type crowd struct {
	*ledger
	t    *testing.T
	s    *Store
	stop chan struct{}
	// openCopy opens the copy that a checkpoint wrote.
	openCopy func(dir string) (kv.Store, error)
	copyDir  func(n int) string
}

func (c *crowd) check(err error) bool {
	if err != nil {
		c.t.Error(err)
	}
	return err == nil
}

func batchWord(name string) string { return "word" + name }

func (c *crowd) write(writer, rounds int) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(uint64(writer), 23))
	for i := range rounds {
		name := fmt.Sprintf("w%dx%d", writer, i)
		n := 1 + rng.IntN(5)
		recs, ids := make([]Record, n), make([]string, n)
		for j := range recs {
			ids[j] = fmt.Sprintf("%s/%d", name, j)
			recs[j] = Record{
				ID: ids[j], Content: "common " + batchWord(name), SessionID: name, Scope: []string{"", "a", "b"}[rng.IntN(3)],
				Timestamp: time.Unix(int64(rng.IntN(1000)), 0), TokenCount: 2,
			}
		}
		c.note(func() { c.size[name] = n })
		if !c.check(c.s.Save(ctx, batchDrafts(c.s.opts.Model, name, recs))) {
			return
		}
		c.note(func() { c.here[name] = true })
		if rng.IntN(2) == 0 {
			text := fmt.Sprintf("common %s version %d", batchWord(name), i)
			rec, err := c.s.Update(ctx, ids[0], &text, Embedding{}, func(*Record) error { return nil })
			if !c.check(err) || rec.Content != text {
				c.t.Errorf("update gave %q", rec.Content)
			}
		}
		if rng.IntN(2) == 0 {
			c.note(func() { c.dead[name] = true; delete(c.here, name) })
			if deleted, err := c.s.Delete(ctx, ids...); !c.check(err) || deleted != n {
				c.t.Errorf("deleted %d of %d", deleted, n)
			}
			c.note(func() { c.gone[name] = true })
		}
	}
}

// loop calls read until the writers are done.
func (c *crowd) loop(read func(i int) bool) {
	for i := 0; ; i++ {
		select {
		case <-c.stop:
			return
		case <-time.After(time.Millisecond):
		}
		if !read(i) {
			return
		}
	}
}

// query looks for one batch and compares with what was acknowledged before the
// search began and after it ended.
func (c *crowd) query(rng *rand.Rand) bool {
	var name string
	var wasHere, wasGone bool
	c.note(func() {
		if len(c.size) == 0 {
			return
		}
		names := make([]string, 0, len(c.size))
		for n := range c.size {
			names = append(names, n)
		}
		name = names[rng.IntN(len(names))]
		wasHere, wasGone = c.here[name], c.gone[name]
	})
	if name == "" {
		return true
	}
	v, err := c.s.SearchView(context.Background())
	if !c.check(err) {
		return false
	}
	hits, err := v.Search(context.Background(), batchWord(name), Filter{}, -1)
	if !c.check(errors.Join(err, v.Close())) {
		return false
	}
	var size int
	var stillHere bool
	c.note(func() { size, stillHere = c.size[name], !c.dead[name] })
	switch {
	case wasGone && len(hits) > 0:
		c.t.Errorf("%s was deleted and is found", name)
	case wasHere && stillHere && len(hits) != size:
		c.t.Errorf("%s was saved, %d of %d are found", name, len(hits), size)
	case len(hits) != 0 && len(hits) != size:
		c.t.Errorf("%d of the %d of %s are found", len(hits), size, name)
	}
	return !c.t.Failed()
}

// embed completes what waits, while it may be changed or deleted.
func (c *crowd) embed(int) bool {
	ctx := context.Background()
	v, err := c.s.View()
	if !c.check(err) {
		return false
	}
	var list []Addition
	for w, err := range v.Pending(0) {
		if !c.check(err) {
			return false
		}
		list = append(list, Addition{Num: w.Num, First: w.Windows, Vectors: testVectors(c.s.opts.Model, w.Num), Missing: w.Num%3 == 0 && w.Windows < 4})
		if len(list) == 20 {
			break
		}
	}
	_, err = c.s.AddVectors(ctx, list)
	return c.check(errors.Join(v.Close(), err, c.s.DropOtherModels(ctx), c.s.Warm(ctx)))
}

// similar checks that a view's vectors are of its records, and counted.
func (c *crowd) similar(rng *rand.Rand) bool {
	ctx := context.Background()
	v, err := c.s.SearchView(ctx)
	if !c.check(err) {
		return false
	}
	scope := []string{"", "a", "b"}[rng.IntN(3)]
	hits, err := v.Similar(ctx, testVector(c.s.opts.Model.Dim, rng.Uint64()), Filter{Scope: scope}, -1)
	if !c.check(err) {
		return false
	}
	for _, h := range hits {
		rec, err := v.Record(h.Num)
		if !c.check(err) || rec.ID != h.ID || scope != "" && rec.Scope != scope {
			c.t.Errorf("found %+v, the record is %+v", h, rec)
			return false
		}
	}
	if n := v.Embeddings().Records; scope == "" && n != len(hits) {
		c.t.Errorf("%d found, %d have vectors", len(hits), n)
	}
	return c.check(v.Close()) && !c.t.Failed()
}

// state checks that everything a view shows is one state.
func (c *crowd) state(s *Store) bool {
	ctx := context.Background()
	v, err := s.SearchView(ctx)
	if !c.check(err) {
		return false
	}
	var listed, found []string
	sizes, scopes := map[string]int{}, map[string]int{}
	for rec, err := range v.List(Filter{}) {
		if !c.check(err) {
			return false
		}
		listed = append(listed, rec.ID)
		sizes[rec.SessionID]++
		scopes[rec.Scope]++
	}
	hits, err := v.Search(ctx, "common", Filter{}, -1)
	for _, h := range hits {
		found = append(found, h.ID)
	}
	count, err2 := v.Count(Filter{})
	counts, err3 := v.Scopes(Time{})
	stats := v.Stats()
	if !c.check(errors.Join(err, err2, err3, v.Close())) {
		return false
	}
	slices.Sort(listed)
	slices.Sort(found)
	if !slices.Equal(listed, found) {
		c.t.Errorf("a view lists %d and finds %d entries", len(listed), len(found))
	}
	if count != len(listed) || stats.Entries != count || stats.Tokens != 2*count {
		c.t.Errorf("a view lists %d, counts %d, stats %+v", len(listed), count, stats)
	}
	for _, sc := range counts {
		if sc.Count != scopes[sc.Scope] {
			c.t.Errorf("scope %q counts %d of %d", sc.Scope, sc.Count, scopes[sc.Scope])
		}
	}
	if len(counts) != len(scopes) {
		c.t.Errorf("%d scopes of %d", len(counts), len(scopes))
	}
	c.note(func() {
		for name, n := range sizes {
			if n != c.size[name] {
				c.t.Errorf("a view shows %d of the %d of %s", n, c.size[name], name)
			}
		}
	})
	return !c.t.Failed()
}

// checkpoint copies the store and checks the copy.
func (c *crowd) checkpoint(n int) bool {
	ctx := context.Background()
	dir := c.copyDir(n)
	if !c.check(c.s.Checkpoint(ctx, dir)) {
		return false
	}
	pairs, err := c.openCopy(dir)
	if !c.check(err) {
		return false
	}
	o := c.s.opts
	o.KV, o.Manual = pairs, true
	s, err := Open(ctx, o)
	if !c.check(err) {
		return false
	}
	ok := c.state(s)
	return c.check(errors.Join(s.Verify(ctx), s.Close())) && ok
}

func (c *crowd) run(writers, rounds int) {
	ctx := context.Background()
	var writing, reading sync.WaitGroup
	for w := range writers {
		writing.Go(func() { c.write(w, rounds) })
	}
	for r := range 12 {
		rng := rand.New(rand.NewPCG(uint64(r), 31))
		reading.Go(func() { c.loop(func(int) bool { return c.query(rng) }) })
	}
	for range 4 {
		reading.Go(func() { c.loop(func(int) bool { return c.state(c.s) }) })
	}
	for r := range 2 {
		rng := rand.New(rand.NewPCG(uint64(r), 37))
		reading.Go(func() { c.loop(func(int) bool { return c.similar(rng) }) })
		reading.Go(func() { c.loop(c.embed) })
	}
	reading.Go(func() { c.loop(c.checkpoint) })
	reading.Go(func() { c.loop(func(int) bool { return c.check(c.s.Compact(ctx)) }) })
	reading.Go(func() {
		c.loop(func(i int) bool {
			if i%20 == 7 {
				return c.check(c.s.Rebuild(ctx))
			}
			_, err := c.s.Maintain(ctx)
			return c.check(err)
		})
	})
	reading.Go(func() { c.loop(func(int) bool { return c.check(c.s.Verify(ctx)) }) })
	writing.Wait()
	close(c.stop)
	reading.Wait()
	c.state(c.s)
	c.check(errors.Join(c.s.Verify(ctx), c.s.Close()))
}

func TestConcurrentUse(t *testing.T) {
	rounds := 40
	if testing.Short() {
		rounds = 15
	}
	mem, temp := vfs.NewMem(), t.TempDir()
	for _, on := range []struct {
		name     string
		pairs    func() (kv.Store, error)
		openCopy func(dir string) (kv.Store, error)
		copyDir  func(n int) string
		codes    int64
	}{
		{
			"memkv", func() (kv.Store, error) { return memkv.New(), nil },
			func(dir string) (kv.Store, error) { return memkv.Open(dir, memkv.Options{}) },
			func(n int) string { return filepath.Join(temp, fmt.Sprint(n)) }, 0,
		},
		{
			"pebblekv", func() (kv.Store, error) { return pebblekv.Open("db", pebblekv.Options{FS: mem}) },
			func(dir string) (kv.Store, error) { return pebblekv.Open(dir, pebblekv.Options{FS: mem}) },
			func(n int) string { return fmt.Sprintf("copy-%d", n) }, 4000,
		},
	} {
		t.Run(on.name, func(t *testing.T) {
			pairs, err := on.pairs()
			if err != nil {
				t.Fatal(err)
			}
			o := testOptions(nil, time.Now)
			o.KV, o.Manual, o.Index, o.Model = pairs, false, bm25.Options{TailDocs: 16, MergeFactor: 3}, testModels[2]
			o.Vectors.MaxResident = on.codes
			s, err := Open(context.Background(), o)
			if err != nil {
				t.Fatal(err)
			}
			c := &crowd{ledger: newLedger(), t: t, s: s, stop: make(chan struct{}), openCopy: on.openCopy, copyDir: on.copyDir}
			c.run(12, rounds)
		})
	}
}
