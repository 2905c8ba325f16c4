package store

// What adding vectors and searching by them costs.

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge/bm25"
	"github.com/contextforge-go/contextforge/kv/memkv"
)

// benchStore is an empty store in memory for vectors of a dimension.
func benchStore(b *testing.B, dim int) *Store {
	o := testOptions(memkv.New(), time.Now)
	o.Model, o.Index = Model{ID: "model", Dim: dim}, bm25.Options{}
	s, err := Open(context.Background(), o)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	return s
}

// BenchmarkAddVectors completes records that waited, batch by batch.
func BenchmarkAddVectors(b *testing.B) {
	for _, n := range []int{1, 32} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			w := benchStore(b, 384)
			for num := uint64(1); b.Loop(); num += uint64(n) {
				b.StopTimer()
				list := make([]Addition, n)
				drafts := make([]Draft, n)
				for i := range list {
					list[i] = Addition{Num: num + uint64(i), Vectors: testVectors(w.opts.Model, uint64(i))}
					drafts[i] = Draft{Record: Record{ID: fmt.Sprint(num, i), Content: "text"}, Embedding: Embedding{Missing: true}}
				}
				if err := w.Save(context.Background(), drafts); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				if done, err := w.AddVectors(context.Background(), list); err != nil || done != n {
					b.Fatal(done, err)
				}
			}
		})
	}
}

// BenchmarkSimilar searches n records with a filter of kinds.
func BenchmarkSimilar(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			s := benchStore(b, 384)
			list := make([]Draft, n)
			for i := range list {
				list[i].Record = Record{ID: fmt.Sprint(i), Content: "text", Kind: []string{"fact", "note"}[i%2]}
				list[i].Embedding.Vectors = testVectors(s.opts.Model, uint64(i))
			}
			if err := errors.Join(s.Save(context.Background(), list), s.Warm(context.Background())); err != nil {
				b.Fatal(err)
			}
			v, err := s.SearchView(context.Background())
			if err != nil {
				b.Fatal(err)
			}
			query := testVector(384, 7)
			for b.Loop() {
				if hits, err := v.Similar(context.Background(), query, Filter{Kinds: []string{"fact"}}, 10); err != nil || len(hits) != 10 {
					b.Fatal(len(hits), err)
				}
			}
			if err := v.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}
