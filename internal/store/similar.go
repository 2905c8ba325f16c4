package store

// This file decides what can be read about the meaning of records: which are
// similar, and what a view's vectors amount to.

import (
	"context"
	"fmt"

	"github.com/contextforge-go/contextforge/bm25"
	"github.com/contextforge-go/contextforge/vecindex"
)

// Known returns the vectors of a record with this content, if there is one that
// has all of its.
func (v *View) Known(content string) (vectors [][]float32, err error) {
	_, vectors, err = v.known(content)
	return vectors, err
}

// known is Known, and returns the record too.
func (v *View) known(content string) (num uint64, vectors [][]float32, err error) {
	if v.state.vectors == nil {
		return 0, nil, nil
	}
	tried := 0
	err = scan(v.state.snap, contentPrefix(content), func(key, _ []byte) (bool, error) {
		num = contentNum(key)
		tried++
		waits, err := has(v.state.snap, pendingKey(num))
		if waits || err != nil {
			return tried < mostTwins, err
		}
		if vectors, err = v.state.vectors.Vectors(v.state.snap, num); err != nil || len(vectors) == 0 {
			return tried < mostTwins, err
		}
		rec, err := readRecord(v.state.snap, num)
		if err == nil && rec.Content != content {
			vectors = nil
		}
		return len(vectors) == 0 && tried < mostTwins, err
	})
	return num, vectors, err
}

// mostTwins bounds the records with the same content that are looked at for their
// vectors.
const mostTwins = 256

// Similar ranks the records by the cosine of their best window to a vector:
// descending, then newest, then by id. limit < 0 means all.
func (v *View) Similar(ctx context.Context, vector []float32, f Filter, limit int) ([]bm25.Hit, error) {
	if v.state.vectors == nil {
		return nil, nil
	}
	vf, err := v.vectorFilter(ctx, f)
	if err != nil {
		return nil, err
	}
	found, err := v.state.vectors.Search(ctx, v.state.snap, vector, vf, limit)
	if err != nil {
		return nil, err
	}
	return v.similar(ctx, found)
}

// Survey is Similar that also returns the distribution of the cosines in the
// filter's scope, of all records if it names none or several.
func (v *View) Survey(ctx context.Context, vector []float32, f Filter, limit int) ([]bm25.Hit, vecindex.Distribution, error) {
	if v.state.vectors == nil {
		return nil, vecindex.Distribution{}, nil
	}
	vf, err := v.vectorFilter(ctx, f)
	if err != nil {
		return nil, vecindex.Distribution{}, err
	}
	found, d, err := v.state.vectors.Survey(ctx, v.state.snap, vector, vf, limit)
	if err != nil {
		return nil, vecindex.Distribution{}, err
	}
	hits, err := v.similar(ctx, found)
	return hits, d, err
}

// vectorFilter says which vectors a filter lets pass.
func (v *View) vectorFilter(ctx context.Context, f Filter) (vecindex.Filter, error) {
	f = f.reduced(ctx, v)
	vf := vecindex.Filter{Before: v.before(ctx)}
	if scope, one := f.scope(); one {
		vf.Scope = &scope
	}
	if !f.simple() || v.state.st.expiring > 0 {
		tf := f.text(v)
		admits, err := v.state.index.Admitter(ctx, v.state.snap, tf)
		if err != nil {
			return vf, err
		}
		vf.Accept = func(num uint64) (bool, error) {
			ok, err := admits(num)
			if !ok || err != nil || tf.Accept == nil {
				return ok, err
			}
			return tf.Accept(num)
		}
	}
	return vf, nil
}

// similar describes what was found.
func (v *View) similar(ctx context.Context, found []vecindex.Hit) ([]bm25.Hit, error) {
	if len(found) == 0 {
		return nil, nil
	}
	nums := make([]uint64, len(found))
	for i, f := range found {
		nums[i] = f.Num
	}
	hits, _, err := v.Describe(ctx, nums)
	for i := range hits {
		hits[i].Score = float64(found[i].Score)
	}
	return hits, err
}

// before orders records of the same similarity. It looks up each of them once,
// since sorting asks for the same ones again and again. Not for concurrent use.
func (v *View) before(ctx context.Context) func(a, b uint64) (bool, error) {
	known := map[uint64]bm25.Hit{}
	describe := func(num uint64) (bm25.Hit, error) {
		if h, ok := known[num]; ok {
			return h, nil
		}
		hits, _, err := v.Describe(ctx, []uint64{num})
		if err != nil {
			return bm25.Hit{}, err
		}
		known[num] = hits[0]
		return hits[0], nil
	}
	return func(a, b uint64) (bool, error) {
		x, err := describe(a)
		if err != nil {
			return false, err
		}
		y, err := describe(b)
		if err != nil {
			return false, err
		}
		if c := (Time{x.Sec, x.Nsec}).Compare(Time{y.Sec, y.Nsec}); c != 0 {
			return c > 0, nil
		}
		return x.ID < y.ID, nil
	}
}

// Describe returns what a search tells of records, and whether it knows them.
func (v *View) Describe(ctx context.Context, nums []uint64) ([]bm25.Hit, []bool, error) {
	return v.state.index.Describe(ctx, v.state.snap, nums)
}

// Scores returns the BM25 scores of records, and whether they have a term of
// the query.
func (v *View) Scores(ctx context.Context, query string, nums []uint64) ([]float64, []bool, error) {
	return v.state.index.Scores(ctx, v.state.snap, v.terms(query), nums)
}

// Cosines returns the similarity of records to a vector, and whether they have
// vectors.
func (v *View) Cosines(ctx context.Context, vector []float32, nums []uint64) ([]float32, []bool, error) {
	if v.state.vectors == nil {
		return make([]float32, len(nums)), make([]bool, len(nums)), nil
	}
	return v.state.vectors.Scores(ctx, v.state.snap, vector, nums)
}

// Approximate is Cosines by the codes of the vectors, within about 0.001, without
// reading vectors.
func (v *View) Approximate(ctx context.Context, vector []float32, nums []uint64) ([]float32, []bool, error) {
	if v.state.vectors == nil {
		return make([]float32, len(nums)), make([]bool, len(nums)), nil
	}
	return v.state.vectors.Approximate(ctx, v.state.snap, vector, nums)
}

// Vectors returns the vectors of a record, of the model in use.
func (v *View) Vectors(num uint64) ([][]float32, error) {
	if v.state.vectors == nil {
		return nil, nil
	}
	return v.state.vectors.Vectors(v.state.snap, num)
}

// Num returns the docNum of an id, or ErrNotFound.
func (v *View) Num(id string) (uint64, error) {
	num, err := lookupID(v.state.snap, id)
	if err == nil && num == 0 {
		err = fmt.Errorf("%w: %q", ErrNotFound, v.s.shown(id))
	}
	return num, err
}

// EmbeddingStats are the figures of the vectors of the model in use.
type EmbeddingStats struct {
	Model     Model
	Records   int // that have vectors
	Vectors   int
	Sentences int   // second vectors
	Pending   int   // records in the queue
	Resident  int64 // bytes of codes in memory
	Others    []OtherModel
}

// OtherModel is a model that is not in use, with the figures of its vectors.
type OtherModel struct {
	Model
	Records int // that have vectors
	Vectors int
}

// Embeddings returns the figures of the view.
func (v *View) Embeddings() EmbeddingStats {
	st := EmbeddingStats{Pending: int(v.state.st.pending)}
	for _, g := range v.state.generations {
		if g.view != v.state.vectors && g.view != v.state.sentences {
			vs := g.view.Stats()
			st.Others = append(st.Others, OtherModel{g.model, int(vs.Documents), int(vs.Vectors)})
		}
	}
	if v.state.sentences != nil {
		s := v.state.sentences.Stats()
		st.Sentences, st.Resident = int(s.Vectors), s.Resident
	}
	if v.state.vectors != nil {
		s := v.state.vectors.Stats()
		st.Model = v.s.opts.Model
		st.Records, st.Vectors, st.Resident = int(s.Documents), int(s.Vectors), st.Resident+s.Resident
	}
	return st
}
