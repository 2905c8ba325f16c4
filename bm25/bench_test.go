// This file decides how fast the index is, on documents like those of the
// targets: 45 words on average, Zipf vocabulary, 50 scopes, queries of 2 to 8
// words, top 50.

package bm25

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/memkv"
)

// benchIndex is an index of n documents, in segments as a bulk add leaves them.
func benchIndex(b *testing.B, n int, onDisk bool) (*fixture, *corpus) {
	b.Helper()
	var store kv.Store
	if onDisk {
		store = openDisk(b)
	}
	if store == nil {
		mem := memkv.New()
		b.Cleanup(func() { mem.Close() })
		store = mem
	}
	c := newCorpus(9, 60_000)
	f := newFixture(b, store, Options{ResidentIDs: true, CacheBytes: 32 << 20})
	for left := n; left > 0; left -= 50_000 {
		f.bulk(c.docs(min(left, 50_000), 45))
	}
	return f, c
}

// bulk adds documents without records or oracle.
func (f *fixture) bulk(docs []Doc) {
	tx, batch := f.ix.Begin(), f.store.NewBatch()
	defer batch.Close()
	for _, d := range docs {
		tx.Add(d)
	}
	if err := tx.Apply(batch); err != nil {
		f.t.Fatal(err)
	}
	if err := f.store.Commit(batch, kv.NoSync); err != nil {
		f.t.Fatal(err)
	}
	tx.Publish()
}

func BenchmarkBuild(b *testing.B) {
	docs := newCorpus(9, 60_000).docs(32768, 45)
	ptrs := make([]*Doc, len(docs))
	for i := range docs {
		ptrs[i] = &docs[i]
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := buildSegment(1, ptrs, func(valueRef, []byte) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(len(docs)), "µs/doc")
}

func BenchmarkSeal(b *testing.B) {
	docs := newCorpus(9, 60_000).docs(DefaultTailDocs, 45)
	store := memkv.New()
	defer store.Close()
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		f := newFixture(b, store, Options{TailDocs: 1 << 20, TailTokens: 1 << 30})
		f.commit(change{clear: true})
		from := f.ix.st.lastNum
		for i := range docs {
			docs[i].Num = from + uint64(i) + 1
		}
		f.bulk(docs)
		f.ix.opts.TailDocs = DefaultTailDocs
		b.StartTimer()
		f.tidy(f.ix.Plan)
	}
}

func BenchmarkMerge(b *testing.B) {
	c := newCorpus(9, 60_000)
	store := memkv.New()
	f := newFixture(b, store, Options{TailDocs: 4096, MergeFactor: 100})
	for range 8 {
		f.bulk(c.docs(4096, 45))
	}
	segs := f.ix.set.segs
	b.ReportAllocs()
	for b.Loop() {
		var sources []*mergeSource
		for _, s := range segs {
			sources = append(sources, &mergeSource{segment: &segment{segmentMeta: s.segmentMeta, env: s.env}})
		}
		if _, err := mergeSegments(ctx, store, 1000, sources, func(valueRef, []byte) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/(8*4096), "µs/doc")
}

// benchSearch measures queries and reports the median and the 99th percentile.
func benchSearch(b *testing.B, f *fixture, c *corpus, filter func() Filter) {
	var queries [][]string
	var filters []Filter
	for range 2000 {
		queries = append(queries, c.query())
		filters = append(filters, filter())
	}
	v := f.ix.View()
	for i, q := range queries { // warm
		if _, err := v.Search(ctx, f.store, q, filters[i], 50); err != nil {
			b.Fatal(err)
		}
	}
	var times []time.Duration
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		i := n % len(queries)
		n++
		start := time.Now()
		if _, err := v.Search(ctx, f.store, queries[i], filters[i], 50); err != nil {
			b.Fatal(err)
		}
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Nanoseconds())/1e3, "p50-µs")
	b.ReportMetric(float64(times[len(times)*99/100].Nanoseconds())/1e3, "p99-µs")
}

func BenchmarkSearch(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		f, c := benchIndex(b, n, false)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			benchSearch(b, f, c, func() Filter { return Filter{} })
		})
	}
}

func BenchmarkSearchScoped(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		f, c := benchIndex(b, n, false)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			benchSearch(b, f, c, func() Filter {
				scope := fmt.Sprintf("project:%02d", c.rng.IntN(50))
				return Filter{Scope: &scope}
			})
		})
	}
}

// BenchmarkSearchMillion needs minutes to build; in the short form it makes do
// with a tenth.
func BenchmarkSearchMillion(b *testing.B) {
	docs := 1_000_000
	if testing.Short() {
		docs = 100_000
	}
	f, c := benchIndex(b, docs, false)
	f.tidy(f.ix.Plan)
	b.Run(fmt.Sprint(docs), func(b *testing.B) {
		benchSearch(b, f, c, func() Filter { return Filter{} })
	})
}

// BenchmarkSearchCold opens the index on disk and searches once.
func BenchmarkSearchCold(b *testing.B) {
	f, c := benchIndex(b, 100_000, true)
	if err := f.store.Flush(); err != nil {
		b.Fatal(err)
	}
	b.Run("100000", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			f.reopen()
			f.load()
			f.search(c.query(), Filter{}, 50)
		}
	})
}

func BenchmarkScores(b *testing.B) {
	f, c := benchIndex(b, 100_000, false)
	var nums []uint64
	for range 50 {
		nums = append(nums, c.rng.Uint64N(c.next))
	}
	b.Run("100000", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, _, err := f.ix.View().Scores(ctx, f.store, c.query(), nums); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkAdd is a transaction of one document, without the store's commit.
func BenchmarkAdd(b *testing.B) {
	c := newCorpus(9, 60_000)
	docs := c.docs(2000, 45)
	f := newFixture(b, nil, Options{TailDocs: 1 << 20})
	batch := f.store.NewBatch()
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		d := docs[n%len(docs)]
		n++
		d.Num = f.ix.st.lastNum + 1
		if n%len(docs) == 0 {
			tx := f.ix.Begin()
			tx.Clear()
			if err := tx.Apply(batch); err != nil {
				b.Fatal(err)
			}
			tx.Publish()
		}
		tx := f.ix.Begin()
		tx.Add(d)
		if err := tx.Apply(batch); err != nil {
			b.Fatal(err)
		}
		tx.Publish()
		batch.Reset()
	}
}

// BenchmarkDelete is a transaction that deletes one sealed document, without
// the store's commit.
func BenchmarkDelete(b *testing.B) {
	c := newCorpus(9, 60_000)
	docs := c.docs(30_000, 45)
	f := newFixture(b, nil, Options{})
	f.bulk(docs)
	batch := f.store.NewBatch()
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		if n == len(docs) {
			b.StopTimer()
			f.reopen()
			f.load()
			n = 0
			b.StartTimer()
		}
		tx := f.ix.Begin()
		if err := tx.Delete(docs[n].Num, docs[n].Vector); err != nil {
			b.Fatal(err)
		}
		if err := tx.Apply(batch); err != nil {
			b.Fatal(err)
		}
		tx.Publish()
		batch.Reset()
		n++
	}
}

// BenchmarkResident reports the memory that an index holds after searches,
// beside the block cache.
func BenchmarkResident(b *testing.B) {
	f, c := benchIndex(b, 100_000, true)
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	f.opts.CacheBytes = 8 << 20
	f.reopen()
	f.load()
	for b.Loop() {
		f.search(c.query(), Filter{}, 50)
	}
	for range 2000 {
		f.search(c.query(), Filter{}, 50)
	}
	cache, terms, with := float64(f.ix.env.cache.size()), float64(f.ix.set.bytes), heap()
	f.ix = nil
	b.ReportMetric((float64(with)-float64(heap())-cache)/(1<<20), "MB-resident")
	b.ReportMetric(cache/(1<<20), "MB-cache")
	b.ReportMetric(terms/(1<<20), "MB-terms")
}
