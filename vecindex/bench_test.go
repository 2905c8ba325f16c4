// This file decides what is measured: searches of several sizes and of a scope,
// the first reading, and adding.

package vecindex

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
)

const (
	benchDim    = 384
	benchScopes = 100
	benchTop    = 50
)

// benchIndex has n documents in a store, in memory if that is nil: in a hundred
// scopes, and in clusters as those of texts are.
func benchIndex(b *testing.B, store kv.Store, n int, opts Options) *fixture {
	b.Helper()
	f := newFixture(b, store, opts)
	r := rand.New(rand.NewPCG(1, 2))
	for first := 0; first < n; first += 2000 {
		tx := f.ix.Begin()
		for i := first; i < min(n, first+2000); i++ {
			f.must(tx.Add(Doc{Num: uint64(i), Scope: scopeName(r.IntN(benchScopes)), Vectors: [][]float32{benchVector(r)}}))
		}
		f.commit(tx)
	}
	f.must(f.store.Flush())
	f.must(f.store.Compact(ctx)) // or it would be done beside the first measurements
	f.reopen()
	return f
}

func scopeName(i int) string { return fmt.Sprint("scope ", i) }

func benchVector(r *rand.Rand) []float32 {
	centre := rand.New(rand.NewPCG(uint64(r.IntN(200)), 5))
	v := make([]float32, benchDim)
	for i := range v {
		v[i] = float32(centre.NormFloat64() + r.NormFloat64())
	}
	return v
}

// benchSearch runs queries one after the other; hot asks the same few again.
func benchSearch(b *testing.B, f *fixture, queries int, filter Filter) {
	b.Helper()
	z := f.freeze()
	f.must(f.ix.Load(ctx, z.snap, z.v))
	r := rand.New(rand.NewPCG(3, 4))
	var list [][]float32
	for range queries {
		list = append(list, benchVector(r))
	}
	for _, q := range list {
		_, err := z.v.Search(ctx, z.snap, q, filter, benchTop)
		f.must(err)
	}
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		_, err := z.v.Search(ctx, z.snap, list[n%len(list)], filter, benchTop)
		f.must(err)
		n++
	}
}

func BenchmarkSearch(b *testing.B) {
	sizes := []int{1_000, 10_000, 100_000}
	if testing.Short() {
		sizes = sizes[:2]
	}
	for _, n := range sizes {
		benchSize(b, n, Options{Parallelism: 1, MaxResident: -1, CacheBytes: 16 << 20})
	}
}

func benchSize(b *testing.B, n int, opts Options) {
	benchSearches(b, benchIndex(b, openDisk(b), n, opts), n)
}

func benchSearches(b *testing.B, f *fixture, n int) {
	scope := scopeName(7)
	b.Run(fmt.Sprintf("%d", n), func(b *testing.B) { benchSearch(b, f, 20, Filter{}) })
	b.Run(fmt.Sprintf("%d/cold", n), func(b *testing.B) { benchSearch(b, f, 1000, Filter{}) })
	b.Run(fmt.Sprintf("%d/scope", n), func(b *testing.B) { benchSearch(b, f, 20, Filter{Scope: &scope}) })
}

// benchScan measures a search without rescoring, beside the kernel alone on the
// same rows, which is its floor.
func benchScan(b *testing.B, f *fixture, n int, scope *string) {
	v := f.ix.View()
	at, err := f.ix.ready(ctx, f.store, v)
	f.must(err)
	q := newQuery(benchVector(rand.New(rand.NewPCG(9, 9))), at.table.stride)
	name := fmt.Sprint(n)
	if scope != nil {
		name += "/scope"
	}
	b.Run(name, func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			s := &scan{ix: f.ix, ctx: ctx, q: q, at: at, scope: scope}
			s.picker = f.ix.getPicker().begin(benchTop, Filter{})
			f.must(s.resident())
			f.ix.putPicker(s.picker)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/vector")
	})
	if scope != nil {
		return
	}
	b.Run(name+"/kernel", func(b *testing.B) {
		products := make([]int32, at.table.tuning.chunkRows)
		for b.Loop() {
			for i, c := range at.chunks {
				rows := min(len(products), at.count-i*len(products))
				f.ix.opts.Kernels.DotCodes(products[:rows], c.codes, q.codes)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/vector")
	})
}

// BenchmarkSearchAll asks for every document.
func BenchmarkSearchAll(b *testing.B) {
	f := benchIndex(b, openDisk(b), 10_000, Options{})
	z := f.freeze()
	query := benchVector(rand.New(rand.NewPCG(3, 4)))
	b.Run("10000", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, err := z.v.Search(ctx, z.snap, query, Filter{}, -1)
			f.must(err)
		}
	})
}

func BenchmarkScan(b *testing.B) {
	sizes := []int{1_000, 10_000, 100_000}
	if testing.Short() {
		sizes = sizes[:2]
	}
	for _, n := range sizes {
		scope := scopeName(7)
		f := benchIndex(b, nil, n, Options{Parallelism: 1, MaxResident: -1})
		benchScan(b, f, n, nil)
		benchScan(b, f, n, &scope)
	}
}

func BenchmarkSearchMillion(b *testing.B) {
	if testing.Short() {
		return // it makes a store of 2 GB
	}
	f := benchIndex(b, openDisk(b), 1_000_000, Options{Parallelism: 1, MaxResident: -1, CacheBytes: 16 << 20})
	b.Run("load", func(b *testing.B) { benchLoad(b, f, 1_000_000) })
	scope := scopeName(7)
	benchScan(b, f, 1_000_000, nil)
	benchScan(b, f, 1_000_000, &scope)
	benchSearches(b, f, 1_000_000)
}

func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		f := benchIndex(b, openDisk(b), n, Options{MaxResident: -1})
		b.Run(fmt.Sprint(n), func(b *testing.B) { benchLoad(b, f, n) })
	}
}

func benchLoad(b *testing.B, f *fixture, n int) {
	b.ReportAllocs()
	for b.Loop() {
		f.reopen()
		f.must(f.ix.Load(ctx, f.store, f.ix.View()))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/vector")
	b.ReportMetric(float64(f.ix.View().Stats().Resident)/float64(n), "B/vector")
}

// BenchmarkAdd measures what a writer's own part is, without the commit.
func BenchmarkAdd(b *testing.B) {
	for _, n := range []int{1, 100} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			f := newFixture(b, nil, Options{})
			r := rand.New(rand.NewPCG(5, 6))
			v := benchVector(r)
			num := uint64(0)
			b.ReportAllocs()
			for b.Loop() {
				tx := f.ix.Begin()
				for range n {
					num++
					f.must(tx.Add(Doc{Num: num, Vectors: [][]float32{v}}))
				}
				batch := f.store.NewBatch()
				f.must(tx.Apply(batch))
				tx.Publish()
				f.must(batch.Close())
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/vector")
		})
	}
}

// BenchmarkDelete measures a deletion with its commit.
func BenchmarkDelete(b *testing.B) {
	f := benchIndex(b, openDisk(b), 10_000, Options{})
	f.must(f.ix.Load(ctx, f.store, f.ix.View()))
	v := benchVector(rand.New(rand.NewPCG(7, 8)))
	b.Run("10000", func(b *testing.B) {
		b.ReportAllocs()
		num := uint64(0)
		for b.Loop() {
			tx := f.ix.Begin()
			f.must(tx.Delete(f.store, num))
			f.must(tx.Add(Doc{Num: num + 10_000, Vectors: [][]float32{v}}))
			batch := f.store.NewBatch()
			f.must(tx.Apply(batch))
			f.must(f.store.Commit(batch, kv.NoSync))
			tx.Publish()
			f.must(batch.Close())
			num++
		}
	})
}
