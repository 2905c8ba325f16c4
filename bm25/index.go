// This file decides how an index is opened and loaded: opening reads the
// counters and one small description per segment, nothing else.

package bm25

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/contextforge-go/contextforge/kv"
)

// Index is an inverted index inside a key-value store. Begin, Tx and Load are
// for one writer at a time, which the caller sees to; all other methods may be
// called concurrently with it and each other.
type Index struct {
	opts    Options
	env     *env
	current atomic.Pointer[View]
	scratch sync.Pool // *searchScratch

	mu        sync.Mutex // between the writer and the goroutine of jobs
	st        state
	set       *segmentSet
	tail      *tail
	loaded    bool
	nextSeg   uint32   // next segment id, greater than all in use
	job       *Job     // planned and not finished
	leftovers []uint32 // segment ids whose values have to be removed
}

// Open opens the index that r holds under o.Prefix; there is nothing to create
// for a new one. It reads the state and the segments' descriptions: O(log n).
func Open(r kv.Reader, o Options) (*Index, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	ix := &Index{opts: o, tail: newTail(), set: newSegmentSet(nil, 0)}
	ix.env = &env{keys: keyspace{o.Prefix}, cache: newBlockCache(o.CacheBytes), residentIDs: o.ResidentIDs}
	value, err := kv.GetCopy(r, nil, ix.env.keys.state())
	if errors.Is(err, kv.ErrNotFound) {
		ix.loaded = true
		ix.publish()
		return ix, nil
	}
	if err != nil {
		return nil, fmt.Errorf("bm25: state: %w", err)
	}
	if ix.st, err = decodeState(value); err != nil {
		return nil, err
	}
	segs, err := ix.readMetas(r)
	if err != nil {
		return nil, err
	}
	ix.nextSeg = ix.st.nextSeg
	ix.set = newSegmentSet(segs, o.CacheBytes)
	ix.publish()
	return ix, nil
}

// readMetas reads the visible segments, ascending by document number.
func (ix *Index) readMetas(r kv.Reader) ([]*segment, error) {
	it, err := r.Iter(ix.env.keys.meta(0), ix.env.keys.metaEnd())
	if err != nil {
		return nil, fmt.Errorf("bm25: segments: %w", err)
	}
	defer it.Close()
	var segs []*segment
	n := len(ix.opts.Prefix) + 1
	for ok := it.First(); ok; ok = it.Next() {
		value, err := it.Value()
		if err != nil {
			return nil, fmt.Errorf("bm25: segments: %w", err)
		}
		if len(it.Key()) != n+4 {
			return nil, corrupt("key of a segment")
		}
		m, err := decodeMeta(binary.BigEndian.Uint32(it.Key()[n:]), value)
		if err != nil {
			return nil, err
		}
		segs = append(segs, &segment{segmentMeta: m, env: ix.env})
	}
	if err := it.Error(); err != nil {
		return nil, fmt.Errorf("bm25: segments: %w", err)
	}
	return segs, ix.checkSegments(segs)
}

// checkSegments sorts the segments and checks that they don't overlap and
// agree with the state.
func (ix *Index) checkSegments(segs []*segment) error {
	sortSegments(segs)
	for i, s := range segs {
		if s.id >= ix.st.nextSeg || s.maxNum > ix.st.sealedUpTo || i > 0 && s.minNum <= segs[i-1].maxNum {
			return corrupt("segment %d doesn't fit the others", s.id)
		}
	}
	return nil
}

// Loaded reports whether the tail and the tombstones are in memory, as
// searching needs.
func (ix *Index) Loaded() bool {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	return ix.loaded
}

// Load reads the tombstones, and the documents of the tail through
// Options.Tail. It belongs under the caller's write lock, with no transaction
// begun, and r must show the newest committed state. Before it, views answer
// Stats only; transactions work, but don't seal what they add to a tail that
// holds something. Load again is free.
func (ix *Index) Load(ctx context.Context, r kv.Reader) error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if ix.loaded {
		return nil
	}
	if err := ix.load(ctx, r); err != nil {
		ix.tail, ix.leftovers = newTail(), nil
		segs := make([]*segment, len(ix.set.segs)) // forget what was read of the tombstones
		for i, s := range ix.set.segs {
			segs[i] = &segment{segmentMeta: s.segmentMeta, env: ix.env}
		}
		ix.set = newSegmentSet(segs, ix.opts.CacheBytes)
		return fmt.Errorf("bm25: load: %w", err)
	}
	ix.loaded = true
	ix.publish()
	return nil
}

func (ix *Index) load(ctx context.Context, r kv.Reader) error {
	for _, s := range ix.set.segs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.loadDead(r); err != nil {
			return err
		}
	}
	if err := ix.loadTail(ctx, r); err != nil {
		return err
	}
	return ix.findLeftovers(r)
}

func (ix *Index) loadTail(ctx context.Context, r kv.Reader) error {
	if ix.opts.Tail != nil && ix.st.tailDocs > 0 {
		last := ix.st.sealedUpTo
		for d, err := range ix.opts.Tail(r, last+1) {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return err
			}
			if d.Num <= last {
				return fmt.Errorf("document %d after %d: %w", d.Num, last, ErrOrder)
			}
			last = d.Num
			ix.tail.add([]*Doc{&d})
		}
	}
	if n := len(ix.tail.docs); uint64(n) != ix.st.tailDocs {
		return corrupt("%d unsealed documents, %d expected", n, ix.st.tailDocs)
	}
	return nil
}

// findLeftovers notes the ids under which a crashed process left values of a
// segment that it didn't finish.
func (ix *Index) findLeftovers(r kv.Reader) error {
	it, err := r.Iter(ix.env.keys.data(0), ix.env.keys.dataEnd())
	if err != nil {
		return err
	}
	defer it.Close()
	live := map[uint32]bool{}
	for _, s := range ix.set.segs {
		live[s.id] = true
	}
	n := len(ix.opts.Prefix) + 1
	for ok := it.First(); ok; {
		if len(it.Key()) < n+5 {
			return corrupt("key of a segment's value")
		}
		id := binary.BigEndian.Uint32(it.Key()[n:])
		if !live[id] {
			ix.leftovers = append(ix.leftovers, id)
			ix.nextSeg = max(ix.nextSeg, id+1)
		}
		if id == ^uint32(0) {
			return corrupt("segment id")
		}
		ok = it.SeekGE(ix.env.keys.data(id + 1))
	}
	return it.Error()
}

// publish makes the current state what View returns; ix.mu is held or ix not
// shared yet.
func (ix *Index) publish() {
	v := &View{ix: ix, set: ix.set, docs: ix.st.docs, tokens: ix.st.tokens, tailDocs: ix.st.tailDocs, loaded: ix.loaded, tail: ix.tail.view()}
	sealed := uint64(0)
	for i, s := range ix.set.segs {
		sealed += uint64(s.docs)
		if n := len(s.dead.nums); n > 0 {
			if v.dead == nil {
				v.dead = make([]int, len(ix.set.segs))
			}
			v.dead[i] = n
		}
	}
	v.deadDocs = sealed - (ix.st.docs - ix.st.tailDocs)
	ix.current.Store(v)
}

// View returns the newest published state. The key-value snapshot given to its
// methods has to be one that was taken while this view was the newest, or
// between the commit and the Publish that made it so.
func (ix *Index) View() *View { return ix.current.Load() }
