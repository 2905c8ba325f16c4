// This file decides what a view is: a frozen state of the index, cheap to make
// for every save, with the statistics of its moment.

package bm25

import (
	"context"
	"fmt"
	"sort"
	"sync"

	"github.com/contextforge-go/contextforge/kv"
)

// View is an immutable state of an index; its methods may be called
// concurrently, for as long as the snapshot that belongs to it is open.
type View struct {
	ix       *Index
	set      *segmentSet
	dead     []int // by segment: entries of its log; nil if none has any
	docs     uint64
	tokens   uint64
	tailDocs uint64
	deadDocs uint64
	loaded   bool
	tail     tailView
	table    lazy[satTable]
}

// Stats are the figures of a view.
type Stats struct {
	Docs     uint64 // live documents
	Tokens   uint64 // sum of their lengths
	Segments int
	TailDocs uint64 // live documents in no segment yet
	Dead     uint64 // deleted documents that are still in segments
}

// Stats returns the figures of the view; it needs no loading.
func (v *View) Stats() Stats {
	return Stats{Docs: v.docs, Tokens: v.tokens, Segments: len(v.set.segs), TailDocs: v.tailDocs, Dead: v.deadDocs}
}

// DF returns the number of live documents that contain the term.
func (v *View) DF(ctx context.Context, r kv.Reader, term string) (uint64, error) {
	if err := v.ready(ctx); err != nil {
		return 0, err
	}
	stats, err := v.set.stats(r, term)
	if err != nil {
		return 0, err
	}
	return v.df(term, stats), nil
}

func (v *View) ready(ctx context.Context) error {
	if !v.loaded {
		return ErrNotLoaded
	}
	return ctx.Err()
}

// deadIn is the number of log entries of segment i that the view sees.
func (v *View) deadIn(i int) int {
	if v.dead == nil {
		return 0
	}
	return v.dead[i]
}

// df is the term's number of live documents; 0 as well if the caller deleted
// documents with vectors that were not theirs and so made it negative.
func (v *View) df(term string, stats *termStats) uint64 {
	n := stats.df + v.tail.df(term)
	for i, entries := range v.dead {
		if stats.infos[i] != nil {
			n -= v.set.segs[i].dead.df(term, entries)
		}
	}
	if n > v.docs {
		return 0
	}
	return n
}

// segmentSet is a list of segments, ascending by document number, and what was
// looked up in them.
type segmentSet struct {
	segs []*segment
	none termStats // those of all terms if there are no segments

	mu    sync.RWMutex
	limit int
	bytes int // of young
	young map[string]*termStats
	old   map[string]*termStats // the generation before
}

// termStats is a term's lists in all segments of a set.
type termStats struct {
	df    uint64
	infos []*termInfo // by segment, nil where the term is absent
}

// newSegmentSet makes a set; looked-up terms take at most about a quarter of
// the bytes of the block cache.
func newSegmentSet(segs []*segment, cacheBytes int64) *segmentSet {
	return &segmentSet{segs: segs, limit: int(min(cacheBytes/8, 1<<30)), young: map[string]*termStats{}}
}

func sortSegments(segs []*segment) {
	sort.Slice(segs, func(i, j int) bool { return segs[i].minNum < segs[j].minNum })
}

// stats looks a term up in all segments.
func (ss *segmentSet) stats(r kv.Reader, term string) (*termStats, error) {
	if len(ss.segs) == 0 {
		return &ss.none, nil
	}
	ss.mu.RLock()
	t, fresh := ss.young[term]
	if t == nil {
		t = ss.old[term]
	}
	ss.mu.RUnlock()
	if fresh {
		return t, nil
	}
	if t == nil {
		t = &termStats{infos: make([]*termInfo, len(ss.segs))}
		for i, s := range ss.segs {
			info, err := s.lookup(r, term)
			if err != nil {
				return nil, fmt.Errorf("bm25: segment %d, term %q: %w", s.id, term, err)
			}
			if t.infos[i] = info; info != nil {
				t.df += uint64(info.df)
			}
		}
	}
	ss.remember(term, t)
	return t, nil
}

// remember puts a term into the young generation, which becomes the old one
// when it is full.
func (ss *segmentSet) remember(term string, t *termStats) {
	size := 200 + len(term) + 8*len(t.infos)
	for _, info := range t.infos {
		if info != nil {
			size += 150 + info.cost
		}
	}
	ss.mu.Lock()
	defer ss.mu.Unlock()
	if ss.bytes+size > ss.limit {
		ss.old, ss.young, ss.bytes = ss.young, map[string]*termStats{}, 0
	}
	if _, ok := ss.young[term]; !ok {
		ss.young[term] = t
		ss.bytes += size
	}
}

// covering returns the index of the segment whose range of numbers holds num,
// or -1.
func covering(segs []*segment, num uint64) int {
	i := sort.Search(len(segs), func(i int) bool { return segs[i].maxNum >= num })
	if i < len(segs) && segs[i].minNum <= num {
		return i
	}
	return -1
}
