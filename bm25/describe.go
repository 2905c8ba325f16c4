// This file decides what can be asked about documents that another search
// found: what a hit tells of them, and whether a filter lets them pass.

package bm25

import (
	"context"

	"github.com/contextforge-go/contextforge/kv"
)

// Describe returns what Search tells of documents, with a score of 0, and
// whether the index holds them. r is the snapshot that belongs to the view.
func (v *View) Describe(ctx context.Context, r kv.Reader, nums []uint64) ([]Hit, []bool, error) {
	if err := v.ready(ctx); err != nil {
		return nil, nil, err
	}
	q := &query{view: v, r: r, scratch: v.ix.borrow()}
	defer v.ix.giveBack(q.scratch)
	wanted, err := q.locate(nums)
	if err != nil {
		return nil, nil, err
	}
	hits, known, entries := make([]Hit, len(nums)), make([]bool, len(nums)), make([]entry, len(wanted))
	for i, w := range wanted {
		entries[i], known[w.at] = entry{part: w.part, local: w.local}, true
	}
	if err := q.fill(hits, entries, func(i int) int { return int(wanted[i].at) }); err != nil {
		return nil, nil, err
	}
	return hits, known, nil
}

// HasKind reports whether there may be a document of one of some kinds: false is
// certain, true may be a deleted one.
func (v *View) HasKind(ctx context.Context, r kv.Reader, kinds ...string) (bool, error) {
	if err := v.ready(ctx); err != nil {
		return false, err
	}
	if holdsAny(v.tail.kinds, kinds) {
		return true, nil
	}
	for _, s := range v.set.segs {
		rows, err := s.getRows(r)
		if err != nil {
			return false, err
		}
		if holdsAny(rows.kinds, kinds) {
			return true, nil
		}
	}
	return false, nil
}

// Admitter returns a function that reports whether a document is live and a
// filter, apart from its Accept, lets it pass. The function belongs to the
// snapshot, and to one goroutine.
func (v *View) Admitter(ctx context.Context, r kv.Reader, f Filter) (func(num uint64) (bool, error), error) {
	if err := v.ready(ctx); err != nil {
		return nil, err
	}
	q := &query{view: v, r: r, filter: &f}
	bound := make([]*segmentAdmission, len(v.set.segs))
	return func(num uint64) (bool, error) {
		if local, ok := v.tail.find(num); ok {
			return f.admitsDoc(v.tail.docs[local]), nil
		}
		part := covering(v.set.segs, num)
		if part < 0 {
			return false, nil
		}
		if bound[part] == nil {
			var err error
			if bound[part], err = q.admission(part); err != nil {
				return false, err
			}
		}
		return bound[part].admits(num), nil
	}, nil
}

// segmentAdmission is a filter bound to one segment, scope included.
type segmentAdmission struct {
	admission
	locals    *localIndex
	none      bool
	from, end uint32 // local ids of the scope
}

// admission binds the filter to a segment.
func (q *query) admission(part int) (*segmentAdmission, error) {
	seg := q.view.set.segs[part]
	dead, err := seg.deadUpTo(q.r, q.view.deadIn(part))
	if err != nil {
		return nil, err
	}
	a := &segmentAdmission{}
	if a.locals, err = seg.getLocals(q.r); err != nil {
		return nil, err
	}
	if a.admission, a.none, err = q.filter.bind(q.r, seg, dead); err != nil || a.none {
		return a, err
	}
	a.end = seg.docs
	if name, only := q.filter.scope(); only {
		core, err := seg.getCore(q.r)
		if err != nil {
			return nil, err
		}
		a.from, a.end = core.scopeOf(name)
	}
	return a, nil
}

// admits reports whether a document passes.
func (a *segmentAdmission) admits(num uint64) bool {
	if a.none {
		return false
	}
	local, ok := a.locals.find(num)
	return ok && local >= a.from && local < a.end && a.admission.admits(local)
}
