// This file decides how an index is opened and what of it is published: opening
// reads the state, nothing else.

package vecindex

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/contextforge-go/contextforge/kv"
)

// Index is a vector index inside a key-value store. Begin and Tx are for one
// writer at a time, which the caller sees to; all other methods may be called
// concurrently with it and each other.
type Index struct {
	opts    Options
	keys    keyspace
	current atomic.Pointer[View]
	masters *masterCache
	scratch sync.Pool     // *scratch
	pickers sync.Pool     // *picker
	samples sync.Pool     // *sample
	tables  atomic.Uint64 // made so far

	mu      sync.Mutex
	st      state
	version uint64  // counts what was published
	table   *table  // nil before the first search
	queue   backlog // the latest changes; all of them while a table is built
	build   *build  // going on
}

// Open opens the index that r holds under o.Prefix; there is nothing to create
// for a new one. It reads one value.
func Open(r kv.Reader, o Options) (*Index, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	ix := &Index{opts: o, keys: keyspace{o.Prefix}, masters: newMasterCache(o.CacheBytes)}
	key := ix.keys.state()
	value, err := kv.GetCopy(r, nil, key)
	switch {
	case errors.Is(err, kv.ErrNotFound):
	case err != nil:
		return nil, fmt.Errorf("vecindex: state: %w", err)
	default:
		if ix.st, err = decodeState(key, value); err != nil {
			return nil, err
		}
	}
	ix.current.Store(&View{ix: ix, st: ix.st})
	return ix, nil
}

// Dim returns the dimension of the vectors, 0 while there is none: before the
// first Add or SetDim, and after Clear.
func (ix *Index) Dim() int { return ix.View().st.dim }

// View returns the newest published state. The snapshot given to its methods has
// to show exactly the commits published up to it: take both while no commit is
// between its Commit and its Publish.
func (ix *Index) View() *View { return ix.current.Load() }

// change is what a transaction does to rows: first documents go, then rows come.
type change struct {
	cleared bool
	deleted []uint64
	added   []*codeRow
}

// applyTo brings a table to the version.
func (c *change) applyTo(t *table, version uint64) {
	for _, num := range c.deleted {
		t.kill(num, version)
	}
	for _, r := range c.added {
		appendRow(t, r.key, r.scope, r.scale, r.residual, r.codes)
	}
}

// publish makes a state the current one.
func (ix *Index) publish(st state, c change) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	empty := ix.st.vectors == 0
	ix.version++
	ix.st = st
	v := &View{ix: ix, st: st, version: ix.version}
	if c.cleared || empty && ix.table == nil {
		ix.startAfresh()
	} else {
		ix.queue.push(v, c)
		if ix.build == nil {
			ix.queue.trim(ix.opts.tuning.backlogRows)
		}
	}
	if ix.table != nil && ix.table.exhausted(ix.version) {
		ix.table = nil
	}
	if ix.table != nil {
		c.applyTo(ix.table, ix.version)
		v.at.Store(ix.table.position(ix.version))
	}
	ix.current.Store(v)
}

// startAfresh makes an empty table of the index, which is empty.
func (ix *Index) startAfresh() {
	ix.table, ix.queue = nil, backlog{}
	if ix.build != nil {
		close(ix.build.done)
		ix.build = nil
	}
	if ix.st.dim > 0 {
		ix.table = ix.newTable(ix.version, ix.st.dim)
	}
}
