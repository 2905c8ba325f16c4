package contextforge

// This file decides where candidates come from, and how everything is listed.

import (
	"context"
	"iter"

	"github.com/contextforge-go/contextforge/bm25"
	"github.com/contextforge-go/contextforge/internal/store"
	"github.com/contextforge-go/contextforge/vecindex"
)

// maxMisses ends MatchAll when so many entries in a row did not fit what is left
// of the budget, so that a few tokens left over don't cost a walk over a million
// entries.
const maxMisses = 4096

// found is an entry as a search or an order yields it, not read yet.
type found struct {
	num    uint64
	id     string
	kind   string
	time   store.Time
	tokens int
	score  float64
}

// source is one consistent state of the memory to ask.
type source interface {
	search(ctx context.Context, text string, f store.Filter, limit int) ([]found, error)
	// similar is search by a vector; scores are cosines.
	similar(ctx context.Context, vector []float32, f store.Filter, limit int) ([]found, error)
	// survey is similar that also tells how the cosines of the filter's scope spread.
	survey(ctx context.Context, vector []float32, f store.Filter, limit int) ([]found, vecindex.Distribution, error)
	// scores and cosines look up what search and similar would say of entries, and
	// whether they have anything to say.
	scores(ctx context.Context, text string, nums []uint64) ([]float64, []bool, error)
	cosines(ctx context.Context, vector []float32, nums []uint64) ([]float32, []bool, error)
	// approximate is cosines within about 0.001, without reading vectors.
	approximate(ctx context.Context, vector []float32, nums []uint64) ([]float32, []bool, error)
	// sentences is approximate of the longest sentences of entries.
	sentences(ctx context.Context, vector []float32, nums []uint64) ([]float32, []bool, error)
	// around returns what stands around the first extended of some entries in their
	// sessions, and words how the words of a question occur in entries; nil where that
	// can't be told.
	around(ctx context.Context, f store.Filter, nums []uint64, extended, reach int) ([]store.Turn, error)
	words(ctx context.Context, text string, marks []string, f store.Filter, nums []uint64) (*store.Words, error)
	// newest yields what the filter allows, newest first, then by id.
	newest(ctx context.Context, f store.Filter) iter.Seq2[found, error]
	entry(ctx context.Context, num uint64) (*Entry, error)
	// filters reports whether search can restrict more than the scope.
	filters() bool
	close() error
}

func (m *Memory) source(ctx context.Context, f Filter) (source, error) {
	if m.searcher != nil {
		return &pluggedSource{searcher: m.searcher, counter: m.cfg.Counter, filter: f}, nil
	}
	v, err := m.store.SearchView(ctx)
	if err != nil {
		return nil, err
	}
	return viewSource{v}, nil
}

// viewSource is a view of the built-in store.
type viewSource struct{ v *store.View }

func (s viewSource) search(ctx context.Context, text string, f store.Filter, limit int) ([]found, error) {
	hits, err := s.v.Search(ctx, text, f, limit)
	if err != nil {
		return nil, err
	}
	return foundAll(hits), nil
}

func (s viewSource) similar(ctx context.Context, vector []float32, f store.Filter, limit int) ([]found, error) {
	hits, err := s.v.Similar(ctx, vector, f, limit)
	if err != nil {
		return nil, err
	}
	return foundAll(hits), nil
}

func (s viewSource) survey(ctx context.Context, vector []float32, f store.Filter, limit int) ([]found, vecindex.Distribution, error) {
	hits, d, err := s.v.Survey(ctx, vector, f, limit)
	if err != nil {
		return nil, d, err
	}
	return foundAll(hits), d, nil
}

func (s viewSource) scores(ctx context.Context, text string, nums []uint64) ([]float64, []bool, error) {
	return s.v.Scores(ctx, text, nums)
}

func (s viewSource) cosines(ctx context.Context, vector []float32, nums []uint64) ([]float32, []bool, error) {
	return s.v.Cosines(ctx, vector, nums)
}

func (s viewSource) approximate(ctx context.Context, vector []float32, nums []uint64) ([]float32, []bool, error) {
	return s.v.Approximate(ctx, vector, nums)
}

func (s viewSource) sentences(ctx context.Context, vector []float32, nums []uint64) ([]float32, []bool, error) {
	return s.v.SentenceCosines(ctx, vector, nums)
}

func (s viewSource) around(ctx context.Context, f store.Filter, nums []uint64, extended, reach int) ([]store.Turn, error) {
	return s.v.Around(ctx, f, nums, extended, reach)
}

func (s viewSource) words(ctx context.Context, text string, marks []string, f store.Filter, nums []uint64) (*store.Words, error) {
	return s.v.Words(ctx, text, marks, f, nums)
}

func foundAll(hits []bm25.Hit) []found {
	out := make([]found, len(hits))
	for i, h := range hits {
		out[i] = foundOf(h)
	}
	return out
}

func foundOf(h bm25.Hit) found {
	return found{
		num: h.Num, id: h.ID, kind: h.Kind, time: store.Time{Sec: h.Sec, Nsec: h.Nsec},
		tokens: int(h.Cost), score: h.Score,
	}
}

func (s viewSource) newest(ctx context.Context, f store.Filter) iter.Seq2[found, error] {
	return func(yield func(found, error) bool) {
		for p, err := range s.v.Order(ctx, f) {
			if !yield(found{num: p.Num, time: p.Time, tokens: p.Tokens, score: 1}, err) {
				return
			}
		}
	}
}

func (s viewSource) entry(_ context.Context, num uint64) (*Entry, error) {
	rec, err := s.v.Record(num)
	return (*Entry)(rec), err
}

func (s viewSource) filters() bool { return true }

func (s viewSource) close() error { return s.v.Close() }

// newest answers MatchAll.
func (q *query) newest(ctx context.Context, src source) ([]Hit, error) {
	var hits []Hit
	left, misses := q.budget, 0
	for f, err := range src.newest(ctx, q.filter) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		if left == 0 || q.limit > 0 && len(hits) == q.limit || q.min > 1 {
			break
		}
		if left > 0 && f.tokens > left {
			if misses++; misses == maxMisses {
				break
			}
			continue
		}
		misses = 0
		e, err := src.entry(ctx, f.num)
		if err != nil {
			return nil, err
		}
		reasons := reasonsOf(e.Content)
		if len(reasons) > 0 && q.suspicious == SuspiciousExclude {
			continue
		}
		if left > 0 {
			left -= f.tokens
		}
		hits = append(hits, Hit{
			Entry: *e, Score: f.score, Suspicious: reasons,
			Explain: Explanation{Fused: 1, Decay: 1, Multiplier: 1, Suspicion: 1, Tokens: f.tokens},
		})
	}
	return hits, nil
}
