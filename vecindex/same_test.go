// This file decides whether the answer depends on nothing but the vectors: not
// on how they got there, what is in memory, or how many goroutines look.

package vecindex

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// The same documents in other transactions, with detours, make the same store.
func TestSameStoreHoweverMade(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	docs := someDocs(r, 60, 12, around(4, 1e-6))
	var want string
	for i, size := range []int{60, 1, 7, 20} {
		f := newFixture(t, nil, Options{tuning: small})
		if i > 0 { // another content before, cleared
			f.addDocs(someDocs(r, 10, 5, gauss)...)
			tx := f.ix.Begin()
			tx.Clear()
			f.truth = oracle{}
			f.commit(tx)
		}
		shuffled := slices.Clone(docs)
		if i > 1 {
			r.Shuffle(len(shuffled), func(a, b int) { shuffled[a], shuffled[b] = shuffled[b], shuffled[a] })
		}
		for part := range slices.Chunk(shuffled, size) {
			f.addDocs(Doc{Num: 5000, Vectors: [][]float32{gauss(r, 12)}})
			f.addDocs(part...)
			f.remove(5000)
		}
		if got := f.dump(); i == 0 {
			want = got
		} else if got != want {
			t.Errorf("transactions of %d documents make another store", size)
		}
		f.verify(f.freeze())
	}
}

// Windows that come one by one make the same document as all at once.
func TestSameDocumentWindowByWindow(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	one, many := newFixture(t, nil, Options{}), newFixture(t, nil, Options{})
	for _, d := range someDocs(r, 30, 9, gauss) {
		one.addDocs(d)
		for i, v := range d.Vectors {
			many.addDocs(Doc{Num: d.Num, Scope: d.Scope, First: i, Vectors: [][]float32{v}})
		}
	}
	if one.dump() != many.dump() {
		t.Error("the stores differ")
	}
}

// Thousands of vectors on disk: every way of searching gives the same answer.
func TestSameAnswerEveryWay(t *testing.T) {
	n := 6000
	if testing.Short() {
		n = 1500
	}
	for _, kind := range kinds[:6] {
		r := rand.New(rand.NewPCG(35, 36))
		f := newFixture(t, openDisk(t), Options{})
		f.addDocs(someDocs(r, n, 30, kind.draw)...)
		query := kind.draw(r, 30)
		list := filters(r)
		var want [][]Hit
		for _, filter := range list {
			want = append(want, f.truth.search(query, filter, 40))
		}
		for i, opts := range []Options{
			{Parallelism: 1},
			{Parallelism: 4, tuning: tuning{chunkRows: 100, pieceRows: 30, firstRows: 100, slackRows: 9, parallelRows: 50, streamRows: 64, bulkRows: 20}},
			{MaxResident: 50_000, CacheBytes: 1},
			{MaxResident: 1, Parallelism: 2},
		} {
			opts.Prefix = testPrefix
			f.opts = opts
			f.reopen()
			z := f.freeze()
			for j, filter := range list {
				got, err := z.v.Search(ctx, z.snap, query, filter, 40)
				f.must(err)
				if !slices.Equal(got, want[j]) {
					t.Fatalf("%s, way %d, filter %d: %s", kind.name, i, j, difference(got, want[j]))
				}
			}
		}
	}
}

// A query's length doesn't matter, nor that of a vector.
func TestSameScoresForMultiples(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 38))
	f := newFixture(t, nil, Options{})
	f.addDocs(someDocs(r, 40, 20, gauss)...)
	query := gauss(r, 20)
	want := fmt.Sprint(f.truth.search(query, Filter{}, 10))
	for exp := -100; exp <= 100; exp += 20 {
		scaledQuery := scaled(func(*rand.Rand, int) []float32 { return slices.Clone(query) }, exp)(r, 20)
		hits, err := f.ix.View().Search(ctx, f.store, scaledQuery, Filter{}, 10)
		f.must(err)
		if got := fmt.Sprint(hits); got != want {
			t.Errorf("query times 2^%d: %s, want %s", exp, got, want)
		}
	}
}
