// This file decides how the statistics of one scope are found without looking
// at other scopes: as it is a contiguous range of each segment, from the places
// of the range's ends in the lists.

package bm25

import (
	"context"
	"fmt"
	"sort"

	"github.com/contextforge-go/contextforge/kv"
)

// Statistics are what scores depend on beside the document; see View.Statistics.
type Statistics struct {
	Docs   uint64   // live documents
	Tokens uint64   // sum of their lengths
	DF     []uint64 // by term: live documents that contain it
}

// Statistics returns the statistics of a scope's live documents, as if the index
// held no others; a pointer to "" means the global scope, nil the whole index,
// whose statistics are those that Search uses. r is the snapshot that belongs to
// the view.
//
// For each term and segment it decodes at most the two blocks of postings at the
// scope's ends; of longer lists it opens one chunk in 8,192 postings of the scope.
func (v *View) Statistics(ctx context.Context, r kv.Reader, scope *string, terms []string) (Statistics, error) {
	if err := v.ready(ctx); err != nil {
		return Statistics{}, err
	}
	st := Statistics{DF: make([]uint64, len(terms))}
	lists, err := v.lookUp(r, terms)
	if err != nil {
		return Statistics{}, err
	}
	if scope == nil {
		st.Docs, st.Tokens = v.docs, v.tokens
		for t, stats := range lists {
			st.DF[t] = v.df(terms[t], stats)
		}
		return st, nil
	}
	v.tail.countScope(&st, *scope, terms)
	for i, s := range v.set.segs {
		if err := v.countScope(r, &st, i, *scope, terms, lists); err != nil {
			return Statistics{}, fmt.Errorf("bm25: statistics of segment %d: %w", s.id, err)
		}
	}
	return st, nil
}

// lookUp looks terms up in all segments.
func (v *View) lookUp(r kv.Reader, terms []string) ([]*termStats, error) {
	lists := make([]*termStats, len(terms))
	for t, term := range terms {
		stats, err := v.set.stats(r, term)
		if err != nil {
			return nil, err
		}
		lists[t] = stats
	}
	return lists, nil
}

// countScope adds what segment i has of the scope.
func (v *View) countScope(r kv.Reader, st *Statistics, i int, scope string, terms []string, lists []*termStats) error {
	s := v.set.segs[i]
	core, err := s.getCore(r)
	if err != nil {
		return err
	}
	sr := core.scope(scope)
	if sr.lo == sr.hi {
		return nil
	}
	dead, err := s.deadInScope(r, sr, v.deadIn(i))
	if err != nil {
		return err
	}
	st.Docs += reduced(uint64(sr.hi-sr.lo), uint64(len(dead.entries)))
	st.Tokens += reduced(sr.tokens, dead.sum())
	var l listReader
	for t, stats := range lists {
		info := stats.infos[i]
		if info == nil {
			continue
		}
		l.reset(r, s, info)
		n, err := l.countRange(sr.lo, sr.hi)
		if err != nil {
			return err
		}
		if n > 0 && len(dead.entries) > 0 {
			n = reduced(n, s.dead.dfAmong(terms[t], dead.entries))
		}
		st.DF[t] += n
	}
	return nil
}

// countRange counts the documents in [lo, hi), lo < hi; a reader counts once.
func (l *listReader) countRange(lo, hi uint32) (uint64, error) {
	if l.info.docs != nil {
		return uint64(lowerBound(l.info.docs, hi) - lowerBound(l.info.docs, lo)), nil
	}
	if lo == 0 && hi == l.seg.docs {
		return uint64(l.info.df), nil
	}
	if !l.seekChunk(lo) || l.ci > 0 && l.info.refs[l.ci-1].last+1 >= hi {
		return 0, nil
	}
	if err := l.read(); err != nil {
		return 0, err
	}
	n, err := l.rank(lo)
	count := -n
	for err == nil && l.ch.last(l.ch.blocks-1) < hi {
		end := l.ch.last(l.ch.blocks-1) + 1
		count += l.ch.postings()
		if end == hi || !l.seekChunk(end) {
			return uint64(count), nil
		}
		err = l.read()
	}
	if err == nil {
		n, err = l.rank(hi)
		count += n
	}
	return uint64(count), err
}

// rank is the number of documents < d in the chunk moved to, which doesn't end
// before d.
func (l *listReader) rank(d uint32) (int, error) {
	bi := sort.Search(l.ch.blocks-1, func(i int) bool { return l.ch.last(i) >= d })
	before, base := bi*blockDocs, l.ch.baseOf(bi)
	if d <= base+1 {
		return before, nil
	}
	if l.ch.coding(bi) == codingBitmap {
		return before + countBits(l.ch.data[l.ch.offset(bi):][:l.ch.docBytes(bi)], int(d-base-1)), nil
	}
	docs, err := l.ch.docs(bi, &l.buf, &l.tmp)
	if err != nil {
		return 0, err
	}
	return before + lowerBound(docs, d), nil
}

// lowerBound is the number of leading elements < d of an ascending list.
func lowerBound(list []uint32, d uint32) int {
	lo, hi := 0, len(list)
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if list[mid] < d {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// countScope adds what the tail has of a scope.
func (t *tailView) countScope(st *Statistics, scope string, terms []string) {
	if len(t.docs) == 0 {
		return
	}
	members := t.tail.scope(scope, len(t.docs))
	live := make([]uint64, len(t.docs)/64+1)
	for _, m := range members {
		if !t.dead.has(m.at) {
			live[m.at/64] |= 1 << (m.at % 64)
			st.Docs++
			st.Tokens += uint64(m.length)
		}
	}
	if len(members) == 0 {
		return
	}
	for i, term := range terms {
		docs, _ := t.list(term)
		for _, d := range docs {
			st.DF[i] += live[d/64] >> (d % 64) & 1
		}
	}
}
