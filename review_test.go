package contextforge_test

// Queries that can't be meant, calls behind Close, and what an embedder that is
// down for long may cost.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"testing"

	"github.com/contextforge-go/contextforge"
)

func TestQueriesWithNaN(t *testing.T) {
	m := open(t, contextforge.Config{})
	for _, o := range []contextforge.QueryOptions{{MinScore: math.NaN()}, {MinSimilarity: math.NaN()}} {
		if _, err := m.Query(ctx, "boat", o); !errors.Is(err, contextforge.ErrInvalidFilter) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func TestVectorCallsBehindClose(t *testing.T) {
	m, err := contextforge.Open(ctx, contextforge.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	_, backfill := m.BackfillEmbeddings(ctx, 0, nil)
	for what, err := range map[string]error{"flush": m.Flush(ctx), "backfill": backfill} {
		if !errors.Is(err, contextforge.ErrClosed) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestEmbedderDownForLong: the number of attempts grows with the saves, not with
// their square.
func TestEmbedderDownForLong(t *testing.T) {
	const saves = 300
	e := newBag()
	e.answer = refusing
	var reported atomic.Int64
	m := open(t, contextforge.Config{Embedder: e, EmbedMode: contextforge.EmbedInBackground, Hooks: contextforge.Hooks{
		EmbeddingFailed: func(_ context.Context, list []contextforge.EmbeddingFailure) { reported.Add(int64(len(list))) },
	}})
	for i := range saves {
		save(t, m, fmt.Sprint("a bad car, number ", i), contextforge.SaveOptions{})
	}
	if err := m.Flush(ctx); !errors.Is(err, contextforge.ErrEmbedding) {
		t.Errorf("flush: %v", err)
	}
	// Once each in the background, twice that for all repetitions, once by Flush.
	if n := reported.Load(); n < saves || n > 5*saves {
		t.Errorf("%d failures are reported for %d entries", n, saves)
	}
}

func TestTwinsAreNotReported(t *testing.T) {
	e := newBag()
	e.answer = refusing
	var failed []string
	var saved []contextforge.SaveTrace
	m := open(t, contextforge.Config{Embedder: e, Hooks: contextforge.Hooks{
		EmbeddingFailed: func(_ context.Context, list []contextforge.EmbeddingFailure) {
			for _, f := range list {
				failed = append(failed, f.ID)
			}
		},
		Saved: func(_ context.Context, s contextforge.SaveTrace) { saved = append(saved, s) },
	}})
	first := save(t, m, "a bad car", contextforge.SaveOptions{Dedup: true})
	if second := save(t, m, "a bad car", contextforge.SaveOptions{Dedup: true}); second != first {
		t.Errorf("saved twice: %s, %s", first, second)
	}
	if len(failed) != 1 || failed[0] != first {
		t.Errorf("failures of %q", failed)
	}
	if len(saved) != 2 || saved[1].Entries != 0 || saved[1].Waiting != 0 {
		t.Errorf("traces %+v", saved)
	}
}
