// This file decides the answer of a search: candidates from the scan, scored by
// their masters, in a total order.

package vecindex

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/contextforge-go/contextforge/kv"
)

// Search returns the best limit documents that the filter lets pass, each with
// its best window, by score descending, ties by f.Before; limit < 0 means all, 0
// none. r is the snapshot that belongs to the view. The query has any length but
// 0; it gives ErrDimension, ErrNotFinite or ErrZero otherwise. Errors of the
// filter's functions, and that of the context, are returned.
//
// The first search reads the codes into memory, see Index.Load; others that need
// them wait for it.
func (v *View) Search(ctx context.Context, r kv.Reader, vector []float32, f Filter, limit int) ([]Hit, error) {
	return v.search(ctx, r, vector, f, limit, nil)
}

// search is Search, and adds documents to a sample unless that is nil.
func (v *View) search(ctx context.Context, r kv.Reader, vector []float32, f Filter, limit int, sample *sample) ([]Hit, error) {
	if err := check(vector, v.st.dim); err != nil {
		return nil, err
	}
	if limit == 0 && sample == nil || v.st.vectors == 0 {
		return nil, ctx.Err()
	}
	at, err := v.ix.ready(ctx, r, v)
	if err != nil {
		return nil, err
	}
	if limit < 0 || uint64(limit) > v.st.vectors {
		limit = int(min(v.st.vectors, 1<<31-1))
	}
	s := &scan{ix: v.ix, ctx: ctx, q: newQuery(vector, strideOf(v.st.dim)), at: at, scope: f.Scope, sample: sample}
	s.picker = v.ix.getPicker().begin(max(limit, 1), f)
	defer v.ix.putPicker(s.picker)
	if at != nil {
		if err := s.resident(); err != nil {
			return nil, err
		}
	}
	if err := s.stream(r, v.st.dim); err != nil {
		return nil, fmt.Errorf("vecindex: search: %w", err)
	}
	if err := s.rescore(r, v.st.dim); err != nil {
		return nil, err
	}
	return cut(s.picker.hits(), f.Before, limit)
}

func (ix *Index) getPicker() *picker {
	if p, ok := ix.pickers.Get().(*picker); ok {
		return p
	}
	return newPicker()
}

func (ix *Index) putPicker(p *picker) {
	if p.end() {
		ix.pickers.Put(p)
	}
}

// cut sorts hits and keeps the first limit.
func cut(hits []Hit, before func(a, b uint64) (bool, error), limit int) ([]Hit, error) {
	var failed error
	slices.SortFunc(hits, func(a, b Hit) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		case a.Num == b.Num || failed != nil:
			return 0
		}
		if before == nil {
			return cmp.Compare(b.Num, a.Num)
		}
		first, err := before(a.Num, b.Num)
		if err != nil {
			failed = err
		}
		if first {
			return -1
		}
		return 1
	})
	if failed != nil {
		return nil, failed
	}
	return hits[:min(limit, len(hits))], nil
}
