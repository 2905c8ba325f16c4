package store

// This file decides how the records of a session are gone through: in the order of
// their keys, or of those keys in memory for short sessions, which one question after
// the other comes back to.

import (
	"bytes"
	"container/list"
	"slices"
	"sort"
	"sync"

	"github.com/contextforge-go/contextforge/kv"
)

const (
	// mostOrdered is how many records a session has at most that is kept in memory.
	// Reading so many keys takes as long as some dozen seeks, and is done once.
	mostOrdered = 256
	// orderMemory bounds the memory for orders, in bytes.
	orderMemory = 2 << 20
	// orderOverhead is what an order takes beside its keys and its name.
	orderOverhead = 200
)

// order is the records of a session as they were in some states of the store.
type order struct {
	session string
	since   uint64 // the first state by its number, see orderCache
	keys    []byte // what stands behind the prefix of the keys, one after the other
	long    bool   // there are too many to be kept
}

// orderCache keeps the orders of sessions until something changes them. States are
// numbered by the commits that were made: an order that is still here is right in all
// from the one on that it was read in.
type orderCache struct {
	mu     sync.Mutex
	latest uint64     // state
	recent *list.List // of *order, the latest used first
	known  map[string]*list.Element
	bytes  int
}

func newOrderCache(latest uint64) *orderCache {
	return &orderCache{latest: latest, recent: list.New(), known: map[string]*list.Element{}}
}

// changed drops the orders of sessions that the commit leading to a state changes.
// It has to be called before readers see that state.
func (c *orderCache) changed(latest uint64, sessions map[string]struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.latest = latest
	for session := range sessions {
		if e := c.known[session]; e != nil {
			c.drop(e)
		}
	}
}

// reset drops all orders, as changed does.
func (c *orderCache) reset(latest uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.latest, c.bytes = latest, 0
	c.recent.Init()
	clear(c.known)
}

// get returns the order of a session in a state, nil if it isn't known.
func (c *orderCache) get(session string, state uint64) *order {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.known[session]
	if e == nil || e.Value.(*order).since > state {
		return nil
	}
	c.recent.MoveToFront(e)
	return e.Value.(*order)
}

// put keeps an order, unless the store has got on meanwhile.
func (c *orderCache) put(o *order) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if o.since != c.latest || c.known[o.session] != nil {
		return
	}
	c.known[o.session] = c.recent.PushFront(o)
	for c.bytes += o.size(); c.bytes > orderMemory; {
		c.drop(c.recent.Back())
	}
}

func (c *orderCache) drop(e *list.Element) {
	o := c.recent.Remove(e).(*order)
	delete(c.known, o.session)
	c.bytes -= o.size()
}

func (o *order) size() int { return len(o.session) + cap(o.keys) + orderOverhead }

// len is the number of keys.
func (o *order) len() int { return len(o.keys) / timeNumLen }

func (o *order) at(i int) []byte { return o.keys[i*timeNumLen:][:timeNumLen] }

// search is the number of keys before one.
func (o *order) search(key []byte) int {
	return sort.Search(o.len(), func(i int) bool { return bytes.Compare(o.at(i), key) >= 0 })
}

// sessionCursor goes through the records of one session after the other. Keys are
// what stands behind the session's prefix.
type sessionCursor struct {
	v      *View
	it     kv.Iterator // nil until it is needed
	prefix []byte
	sought []byte
	order  *order // nil when it goes through the keys of the store
	place  int    // in it
}

// enter moves to a session.
func (c *sessionCursor) enter(session string) error {
	c.prefix = appendEscaped(append(c.prefix[:0], famSession), session)
	orders, state := c.v.s.orders, c.v.state.st.commits
	if c.order = orders.get(session, state); c.order == nil {
		o, err := c.read(session)
		if err != nil {
			return err
		}
		o.since = state
		orders.put(o)
		c.order = o
	}
	if c.order.long {
		c.order = nil
		return c.open()
	}
	return nil
}

func (c *sessionCursor) open() (err error) {
	if c.it == nil {
		c.it, err = c.v.state.snap.Iter([]byte{famSession}, []byte{famSession + 1})
	}
	return err
}

// read reads the keys of the session.
func (c *sessionCursor) read(session string) (*order, error) {
	if err := c.open(); err != nil {
		return nil, err
	}
	o := &order{session: session}
	for ok := c.it.SeekGE(c.prefix); ok && bytes.HasPrefix(c.it.Key(), c.prefix); ok = c.it.Next() {
		key := c.it.Key()[len(c.prefix):]
		if o.long = o.len() == mostOrdered || len(key) != timeNumLen; o.long { // damage is found on the way
			o.keys = nil
			break
		}
		o.keys = append(o.keys, key...)
	}
	o.keys = slices.Clip(o.keys)
	return o, c.it.Error()
}

func (c *sessionCursor) seekGE(key []byte) bool {
	if c.order == nil {
		return c.inSession(c.it.SeekGE(c.full(key)))
	}
	c.place = c.order.search(key)
	return c.place < c.order.len()
}

func (c *sessionCursor) seekLT(key []byte) bool {
	if c.order == nil {
		return c.inSession(c.it.SeekLT(c.full(key)))
	}
	c.place = c.order.search(key) - 1
	return c.place >= 0
}

func (c *sessionCursor) next() bool {
	if c.order == nil {
		return c.inSession(c.it.Next())
	}
	c.place++
	return c.place < c.order.len()
}

func (c *sessionCursor) prev() bool {
	if c.order == nil {
		return c.inSession(c.it.Prev())
	}
	c.place--
	return c.place >= 0
}

// key is the key moved to, until the next move.
func (c *sessionCursor) key() []byte {
	if c.order == nil {
		return c.it.Key()[len(c.prefix):]
	}
	return c.order.at(c.place)
}

func (c *sessionCursor) full(key []byte) []byte {
	c.sought = append(append(c.sought[:0], c.prefix...), key...)
	return c.sought
}

func (c *sessionCursor) inSession(ok bool) bool { return ok && bytes.HasPrefix(c.it.Key(), c.prefix) }

// err is what ended the moves, if it isn't the end of the session.
func (c *sessionCursor) err() error {
	if c.it == nil {
		return nil
	}
	return c.it.Error()
}

func (c *sessionCursor) close() error {
	if c.it == nil {
		return nil
	}
	return c.it.Close()
}
