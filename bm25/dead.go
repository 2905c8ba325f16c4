// This file decides how deletions from a segment are remembered: in an
// append-only log, of which every view sees the entries that were there when it
// was made. So old views keep their own documents and statistics.

package bm25

import (
	"sort"
	"sync"
	"sync/atomic"

	"github.com/contextforge-go/contextforge/kv"
)

// deadLog lists a segment's dead documents in the order of their deletion.
type deadLog struct {
	mu    sync.RWMutex
	nums  []uint64            // by entry
	terms map[string][]uint32 // term → ascending entries of documents with it
	seen  map[uint64]struct{}

	// scopes holds the entries that are in place, by the first local id of
	// their scope.
	scopes map[uint32]*scopeDead

	// place holds entry+1 by local id, 0 for a live document; it is filled in
	// by the first search that needs it. Elements are read and written
	// atomically.
	place    atomic.Pointer[[]uint32]
	resolved atomic.Int64 // entries that are in place
}

// scopeDead lists the dead documents of a scope.
type scopeDead struct {
	entries []uint32 // ascending
	tokens  []uint64 // sums of the lengths up to each entry
}

// sum is the length of all.
func (s *scopeDead) sum() uint64 {
	if n := len(s.tokens); n > 0 {
		return s.tokens[n-1]
	}
	return 0
}

// upTo cuts off entries ≥ count.
func (s *scopeDead) upTo(count int) scopeDead {
	n := sort.Search(len(s.entries), func(i int) bool { return int64(s.entries[i]) >= int64(count) })
	return scopeDead{s.entries[:n], s.tokens[:n]}
}

// add appends an entry.
func (l *deadLog) add(num uint64, v TermVector) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.terms == nil {
		l.terms, l.seen = map[string][]uint32{}, map[uint64]struct{}{}
	}
	entry := uint32(len(l.nums))
	l.nums = append(l.nums, num)
	l.seen[num] = struct{}{}
	for _, t := range v.Terms {
		if e := l.terms[t.Text]; len(e) == 0 || e[len(e)-1] != entry {
			l.terms[t.Text] = append(e, entry)
		}
	}
}

// has reports whether document num is among the entries.
func (l *deadLog) has(num uint64) bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	_, ok := l.seen[num]
	return ok
}

// df is the number of documents with the term among the first count entries.
func (l *deadLog) df(term string, count int) uint64 {
	if count == 0 {
		return 0
	}
	l.mu.RLock()
	entries := l.terms[term]
	l.mu.RUnlock()
	return uint64(sort.Search(len(entries), func(i int) bool { return int64(entries[i]) >= int64(count) }))
}

// dfAmong is the number of documents with the term among some entries.
func (l *deadLog) dfAmong(term string, entries []uint32) (n uint64) {
	l.mu.RLock()
	all := l.terms[term]
	l.mu.RUnlock()
	if len(all) < len(entries) {
		all, entries = entries, all
	}
	for _, e := range entries { // the shorter list, looked up in the longer
		all = all[gallop(all, e):]
		if len(all) == 0 {
			break
		}
		if all[0] == e {
			n++
		}
	}
	return n
}

// gallop is lowerBound for a d that is likely to lie near the front.
func gallop(list []uint32, d uint32) int {
	end := 1
	for end < len(list) && list[end] < d {
		end *= 2
	}
	from := end / 2
	return from + lowerBound(list[from:min(end, len(list))], d)
}

// deadSet tells the dead documents of a segment as one view sees them.
type deadSet struct {
	place []uint32 // nil if there are none
	count uint32
}

func (d *deadSet) has(local uint32) bool {
	if d.place == nil {
		return false
	}
	p := atomic.LoadUint32(&d.place[local])
	return p != 0 && p <= d.count
}

// deadUpTo returns the documents of the first count entries.
func (s *segment) deadUpTo(r kv.Reader, count int) (deadSet, error) {
	if count == 0 {
		return deadSet{}, nil
	}
	if s.dead.resolved.Load() < int64(count) {
		x, err := s.getLocals(r)
		if err != nil {
			return deadSet{}, err
		}
		core, err := s.getCore(r)
		if err != nil {
			return deadSet{}, err
		}
		if err := s.resolveDead(x, core); err != nil {
			return deadSet{}, err
		}
	}
	return deadSet{place: *s.dead.place.Load(), count: uint32(count)}, nil
}

// deadInScope returns the scope's part of the first count entries.
func (s *segment) deadInScope(r kv.Reader, sr scopeRange, count int) (scopeDead, error) {
	if _, err := s.deadUpTo(r, count); count == 0 || err != nil {
		return scopeDead{}, err
	}
	s.dead.mu.RLock()
	defer s.dead.mu.RUnlock()
	if all := s.dead.scopes[sr.lo]; all != nil {
		return all.upTo(count), nil
	}
	return scopeDead{}, nil
}

// resolveDead puts all entries in place.
func (s *segment) resolveDead(x *localIndex, core *coreColumns) error {
	l := &s.dead
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.place.Load() == nil {
		place := make([]uint32, s.docs)
		l.place.Store(&place)
		l.scopes = map[uint32]*scopeDead{}
	}
	place := *l.place.Load()
	for i := int(l.resolved.Load()); i < len(l.nums); i++ {
		local, ok := x.find(l.nums[i])
		if !ok {
			return corrupt("segment %d: tombstone of document %d, which it doesn't have", s.id, l.nums[i])
		}
		if atomic.LoadUint32(&place[local]) == 0 {
			atomic.StoreUint32(&place[local], uint32(i+1))
		}
		lo := core.scopeAt(local).lo
		in := l.scopes[lo]
		if in == nil {
			in = &scopeDead{}
			l.scopes[lo] = in
		}
		in.entries = append(in.entries, uint32(i))
		in.tokens = append(in.tokens, in.sum()+uint64(core.lens[local]))
		l.resolved.Store(int64(i + 1))
	}
	return nil
}

// loadDead reads the segment's tombstones; done once, before any deletion is
// added.
func (s *segment) loadDead(r kv.Reader) error {
	from := s.env.keys.dead(s.id, 0)
	it, err := r.Iter(from, s.env.keys.deadEnd(s.id))
	if err != nil {
		return err
	}
	defer it.Close()
	for ok := it.First(); ok; ok = it.Next() {
		num, err := deadNum(it.Key(), len(from))
		if err != nil {
			return err
		}
		value, err := it.Value()
		if err != nil {
			return err
		}
		v, err := decodeTombstone(value)
		if err != nil {
			return err
		}
		s.dead.add(num, v)
	}
	return it.Error()
}
