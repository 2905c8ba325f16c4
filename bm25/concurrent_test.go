// This file decides whether searches beside writes and jobs are right; run it
// with the race detector.

package bm25

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
)

// published is a view with all that belongs to it.
type published struct {
	view  *View
	snap  kv.Snapshot
	truth *oracle
	users sync.WaitGroup
}

// board shows readers the newest state, as a caller of the index does.
type board struct {
	mu  sync.RWMutex
	now *published
}

func (b *board) take() *published {
	b.mu.RLock()
	defer b.mu.RUnlock()
	b.now.users.Add(1)
	return b.now
}

// post shows a new state and closes the old one once its readers are done.
func (b *board) post(t *testing.T, f *fixture) {
	snap, err := f.store.Snapshot()
	if err != nil {
		t.Error(err)
		return
	}
	next := &published{view: f.ix.View(), snap: snap, truth: f.truth.clone()}
	b.mu.Lock()
	old := b.now
	b.now = next
	b.mu.Unlock()
	if old != nil {
		go func() {
			old.users.Wait()
			old.snap.Close()
		}()
	}
}

// TestConcurrentSearches searches from three goroutines while one writes and one
// seals, merges and purges.
func TestConcurrentSearches(t *testing.T) {
	rounds := 400
	if testing.Short() {
		rounds = 120
	}
	f := newFixture(t, nil, Options{TailDocs: 16, MergeFactor: 2, CacheBytes: 1 << 14})
	var write sync.Mutex // the caller's write lock
	var b board
	b.post(t, f)
	done := make(chan struct{})
	var others sync.WaitGroup
	for n := range 3 {
		others.Go(func() { searchUntil(t, &b, uint64(n), done) })
	}
	others.Go(func() { tidyUntil(t, f, &write, &b, done) })
	g := &gen{Rand: rand.New(rand.NewPCG(31, 1)), vocabulary: 80, scopes: 3}
	for range rounds {
		write.Lock()
		c := change{}
		for range 1 + g.IntN(4) {
			c.adds = append(c.adds, g.doc(f.next+uint64(len(c.adds))))
		}
		if n := len(f.truth.docs); n > 30 {
			c.dels = []uint64{f.truth.docs[g.IntN(n)].Num}
		}
		f.commit(c)
		b.post(t, f)
		write.Unlock()
	}
	close(done)
	others.Wait()
	f.verify()
}

func searchUntil(t *testing.T, b *board, seed uint64, done chan struct{}) {
	g := &gen{Rand: rand.New(rand.NewPCG(seed, 32)), vocabulary: 80, scopes: 3}
	for {
		select {
		case <-done:
			return
		default:
		}
		p := b.take()
		terms, flt, limit := g.query(), g.filter(), g.limit()
		got, err := p.view.Search(ctx, p.snap, terms, flt, limit)
		want := p.truth.search(terms, flt, limit)
		bad := countWrongly(p, g)
		p.users.Done()
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("search %q: %v, %v, want %v", terms, head(got), err, head(want))
			return
		}
		if bad != "" {
			t.Error(bad)
			return
		}
	}
}

// countWrongly tells what is wrong with statistics and frequencies.
func countWrongly(p *published, g *gen) string {
	scope, terms, nums := g.anyScope(), []string{g.anyTerm(), g.anyTerm()}, make([]uint64, 20)
	for i := range nums {
		nums[i] = g.Uint64N(uint64(len(p.truth.docs))*2 + 3)
	}
	st, err := p.view.Statistics(ctx, p.snap, scope, terms)
	if want := p.truth.statistics(scope, terms); err != nil || !reflect.DeepEqual(st, want) {
		return fmt.Sprintf("statistics of %q: %+v, %v, want %+v", terms, st, err, want)
	}
	f, err := p.view.Frequencies(ctx, p.snap, terms, nums)
	if want := p.truth.frequencies(terms, nums); err != nil || !reflect.DeepEqual(f, want) {
		return fmt.Sprintf("frequencies of %q in %d: %+v, %v, want %+v", terms, nums, f, err, want)
	}
	return ""
}

func tidyUntil(t *testing.T, f *fixture, write *sync.Mutex, b *board, done chan struct{}) {
	for {
		select {
		case <-done:
			return
		default:
		}
		j := f.ix.Plan()
		if j == nil {
			continue
		}
		if err := f.run(j); err != nil {
			t.Error(err)
			return
		}
		write.Lock()
		f.commit(change{}, j)
		b.post(t, f)
		write.Unlock()
	}
}
