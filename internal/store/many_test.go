package store

// Changes of so many entries that they take several commits.

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge/bm25"
	"github.com/contextforge-go/contextforge/kv/memkv"
)

func TestManyEntriesLeaveInSeveralCommits(t *testing.T) {
	ctx := context.Background()
	pairs := memkv.New()
	o := testOptions(pairs, func() time.Time { return time.Unix(1e9, 0) })
	o.Index = bm25.Options{}
	gone := 0
	o.Evicted = func(_ context.Context, list []Eviction) { gone += len(list) }
	s, err := Open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	const n = perCommit + 3000
	recs := make([]Record, n)
	for i := range recs {
		recs[i] = Record{ID: fmt.Sprint(i), Content: "many", Timestamp: time.Unix(int64(i%7), 0), Scope: []string{"a", "b"}[min(i%20, 1)], TokenCount: 1}
	}
	if err := s.Save(ctx, drafts(recs...)); err != nil {
		t.Fatal(err)
	}
	count := func(want int) {
		t.Helper()
		v, err := s.View()
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = v.Close() }()
		if got, err := v.Count(Filter{}); err != nil || got != want {
			t.Errorf("%d entries, want %d, %v", got, want, err)
		}
	}
	inB := n - (n+19)/20
	if got, err := s.ClearScope(ctx, "b"); err != nil || got != inB {
		t.Errorf("cleared %d, want %d, %v", got, inB, err)
	}
	count(n - inB)
	if err := s.Save(ctx, drafts(recs...)); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	o.MaxEntries = 10
	if s, err = Open(ctx, o); err != nil {
		t.Fatal(err)
	}
	if err := s.EnforceCapacity(ctx); err != nil {
		t.Fatal(err)
	}
	count(10)
	if gone != n-10 {
		t.Errorf("reported %d, want %d", gone, n-10)
	}
	v, err := s.SearchView(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if hits, err := v.Search(ctx, "many", Filter{}, -1); err != nil || len(hits) != 10 || hits[0].Sec != 6 {
		t.Errorf("%d hits, %v", len(hits), err)
	}
	if err := v.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Verify(ctx); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
