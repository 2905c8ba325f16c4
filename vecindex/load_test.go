// This file decides whether the codes come into memory rightly: while writers go
// on, for views of every age, within the bound, and again after many deaths.

package vecindex

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
)

// interrupted calls do once, when an iterator has made so many steps.
type interrupted struct {
	kv.Reader
	steps int
	do    func()
}

type interruptedIter struct {
	kv.Iterator
	r *interrupted
}

func (r *interrupted) Iter(lower, upper []byte) (kv.Iterator, error) {
	it, err := r.Reader.Iter(lower, upper)
	return interruptedIter{it, r}, err
}

func (it interruptedIter) Next() bool {
	if it.r.steps--; it.r.steps == 0 {
		it.r.do()
	}
	return it.Iterator.Next()
}

func TestWritersGoOnDuringALoad(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 1))
		f := newFixture(t, nil, Options{tuning: small, MaxResident: maxResidents[seed%5]})
		f.addDocs(someDocs(r, 60, 9, gauss)...)
		f.reopen()
		m := &model{fixture: f, r: r, dim: 9, kind: gauss}
		for range r.IntN(4) {
			m.commit(m.change(r.IntN(3)))
		}
		base := f.freeze()
		for range r.IntN(3) { // the load begins with a view that is not the newest
			m.commit(m.change(r.IntN(3)))
		}
		var during []*frozen
		rd := &interrupted{base.snap, 1 + r.IntN(40), func() {
			for range 1 + r.IntN(5) {
				if r.IntN(6) == 0 {
					tx := m.ix.Begin()
					tx.Clear()
					m.truth = oracle{}
					m.fill(tx, r.IntN(20))
					m.commit(tx)
				}
				m.commit(m.change(r.IntN(20)))
				during = append(during, f.freeze())
			}
		}}
		f.must(f.ix.Load(ctx, rd, base.v))
		for _, z := range append(during, base, f.freeze()) {
			for _, filter := range filters(r) {
				f.compare(z, gauss(r, 9), filter, 7)
			}
		}
		m.commit(m.change(10))
		f.search(gauss(r, 9), Filter{}, 7)
	}
}

func TestLoadedViews(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	f := newFixture(t, nil, Options{tuning: small})
	if !f.ix.View().Stats().Loaded {
		t.Error("an empty index has nothing to load")
	}
	f.addDocs(someDocs(r, 30, 5, gauss)...)
	if !f.ix.View().Stats().Loaded {
		t.Error("what was added to an empty index is in memory")
	}
	f.reopen()
	old := f.freeze()
	if s := old.v.Stats(); s.Loaded || s.Resident != 0 {
		t.Errorf("after opening: %+v", s)
	}
	f.addDocs(Doc{Num: 1000, Vectors: [][]float32{gauss(r, 5)}})
	f.must(f.ix.Load(ctx, old.snap, old.v)) // recent enough
	if s := f.ix.View().Stats(); !s.Loaded || !old.v.Stats().Loaded || s.Resident <= 0 {
		t.Errorf("after loading: %+v", s)
	}
	f.reopen()
	old = f.freeze()
	f.addDocs(someDocs(r, 30, 5, gauss)[20:]...) // too much for the backlog
	f.must(f.ix.Load(ctx, old.snap, old.v))
	if f.ix.View().Stats().Loaded {
		t.Error("loaded from a view that is too old")
	}
	f.compare(old, gauss(r, 5), Filter{}, 9)
}

func TestLoadStopsWithItsContext(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	f := newFixture(t, nil, Options{})
	f.addDocs(someDocs(r, 2000, 3, gauss)...)
	f.reopen()
	c, cancel := context.WithCancel(ctx)
	rd := &interrupted{f.store, 100, cancel}
	if err := f.ix.Load(c, rd, f.ix.View()); !errors.Is(err, context.Canceled) {
		t.Fatalf("%v", err)
	}
	if f.ix.View().Stats().Loaded {
		t.Error("half a load counts as one")
	}
	f.search(gauss(r, 3), Filter{}, 10)
	if !f.ix.View().Stats().Loaded {
		t.Error("a search after a cancelled load doesn't load")
	}
}

// Searches that come during a load wait for it, or give up with their context.
func TestSearchesWaitForALoad(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	f := newFixture(t, nil, Options{tuning: small})
	f.addDocs(someDocs(r, 100, 3, gauss)...)
	f.reopen()
	z := f.freeze()
	query := gauss(r, 3)
	var group sync.WaitGroup
	rd := &interrupted{z.snap, 50, func() {
		c, cancel := context.WithCancel(ctx)
		cancel()
		if _, err := z.v.Search(c, z.snap, query, Filter{}, 3); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
		for range 4 {
			group.Go(func() { f.compare(z, query, Filter{}, 3) })
		}
	}}
	f.must(f.ix.Load(ctx, rd, z.v))
	group.Wait()
}

func TestResidentStaysWithinItsBound(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	const bound = 100_000
	tune := usualTuning
	tune.slackRows, tune.chunkRows = 8, 16
	f := newFixture(t, nil, Options{MaxResident: bound, tuning: tune})
	for _, first := range []int{3000, 2000, 1000, 0} { // the later, the smaller the numbers
		var docs []Doc
		for i := range 500 {
			docs = append(docs, Doc{Num: uint64(first + i), Vectors: [][]float32{gauss(r, 64)}})
		}
		f.addDocs(docs...)
		f.search(gauss(r, 64), Filter{}, 10)
		if s := f.ix.View().Stats(); s.Resident > bound*5/4 || first < 3000 && s.Resident < bound/2 {
			t.Errorf("%d bytes with a bound of %d", s.Resident, bound)
		}
	}
}

func TestBytesOfAVector(t *testing.T) {
	f := newFixture(t, nil, Options{})
	v := gauss(rand.New(rand.NewPCG(6, 1)), 384)
	var docs []Doc
	for i := range 20_480 {
		docs = append(docs, Doc{Num: uint64(i), Scope: testScopes[i%4], Vectors: [][]float32{v}})
	}
	f.addDocs(docs...)
	if got := float64(f.ix.View().Stats().Resident) / float64(len(docs)); got > 420 {
		t.Errorf("%.1f bytes a vector", got)
	}
}

func TestDeadRowsAreDropped(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	f := newFixture(t, nil, Options{tuning: small})
	f.addDocs(someDocs(r, 400, 32, gauss)...)
	full := f.ix.View().Stats().Resident
	old := f.freeze()
	for _, num := range f.truth.nums()[:350] {
		f.remove(num)
	}
	f.search(gauss(r, 32), Filter{}, 10)
	if s := f.ix.View().Stats(); s.Resident > full/4 {
		t.Errorf("%d bytes of %d are left for 50 of 400 documents", s.Resident, full)
	}
	f.compare(old, gauss(r, 32), Filter{}, 10)
}

// A table that has seen too many versions is read anew.
func TestVersionsRunOut(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	f := newFixture(t, nil, Options{tuning: small})
	f.addDocs(someDocs(r, 40, 4, gauss)...)
	old := f.freeze()
	f.ix.version += math.MaxUint32 - 2
	for _, num := range f.truth.nums()[:20] {
		f.remove(num)
		f.search(gauss(r, 4), Filter{}, 10)
	}
	f.compare(old, gauss(r, 4), Filter{}, 10)
}

// Writers, searches of fresh and old views, and loads at the same time.
func TestConcurrent(t *testing.T) {
	rounds := 60
	if testing.Short() {
		rounds = 20
	}
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 2))
		f := newFixture(t, nil, Options{tuning: small, MaxResident: maxResidents[seed], Parallelism: 2})
		f.addDocs(someDocs(r, 80, 6, gauss)...)
		f.reopen()
		m := &model{fixture: f, r: r, dim: 6, kind: gauss}
		states := make(chan *frozen, 4)
		var group sync.WaitGroup
		for i := range uint64(3) {
			group.Go(func() { searchAll(f, rand.New(rand.NewPCG(seed, i)), states) })
		}
		for range rounds {
			m.commit(m.change(r.IntN(12)))
			states <- f.freeze()
		}
		close(states)
		group.Wait()
	}
}

// searchAll compares states until there are no more.
func searchAll(f *fixture, r *rand.Rand, states <-chan *frozen) {
	for z := range states {
		got, err := z.v.Search(ctx, z.snap, []float32{1, 2, 3, 4, 5, 6}, Filter{}, 5)
		want := z.truth.search([]float32{1, 2, 3, 4, 5, 6}, Filter{}, 5)
		if err != nil || difference(got, want) != difference(want, want) {
			f.Errorf("%v, %s", err, difference(got, want))
		}
		if r.IntN(4) == 0 {
			if err := f.ix.Load(ctx, z.snap, z.v); err != nil {
				f.Error(err)
			}
		}
		z.v.Stats()
	}
}
