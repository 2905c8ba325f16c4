package store

// Tests of the order of records that are equally similar.

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge/bm25"
	"github.com/contextforge-go/contextforge/kv/memkv"
)

// Records of the same similarity come newest first, then by id, and each of them
// is looked up once, not once for each comparison.
func TestSimilarTies(t *testing.T) {
	ctx := context.Background()
	allocs := func(n int) float64 {
		o := testOptions(memkv.New(), time.Now)
		o.Model, o.Index = Model{ID: "model", Dim: 8}, bm25.Options{}
		s, err := Open(ctx, o)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = s.Close() }()
		drafts := make([]Draft, n)
		for i := range drafts {
			drafts[i].Record = Record{ID: fmt.Sprintf("%04d", i*7919%n), Content: "text", Timestamp: time.Unix(int64(i%3), 0)}
			drafts[i].Embedding.Vectors = testVectors(s.opts.Model, 1)
		}
		if err := s.Save(ctx, drafts); err != nil {
			t.Fatal(err)
		}
		v, err := s.SearchView(ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = v.Close() }()
		query := testVector(8, 1)
		hits, err := v.Similar(ctx, query, Filter{}, -1)
		if err != nil || len(hits) != n {
			t.Fatal(len(hits), err)
		}
		for i := range hits[1:] {
			a, b := hits[i], hits[i+1]
			if a.Sec < b.Sec || a.Sec == b.Sec && a.ID >= b.ID {
				t.Fatalf("%d: %v before %v", i, a, b)
			}
		}
		return testing.AllocsPerRun(3, func() {
			if _, err := v.Similar(ctx, query, Filter{}, -1); err != nil {
				t.Fatal(err)
			}
		}) / float64(n)
	}
	per := []float64{allocs(64), allocs(512)}
	if slices.Max(per) > 16 || per[1] > 1.5*per[0] {
		t.Errorf("%.1f allocations for each record of few, %.1f of many", per[0], per[1])
	}
}
