// This file decides what stays in memory of a segment's blocks and chunks: a
// bounded cache with the CLOCK rule (second chance), which costs a hit no more
// than a shared lock and a flag.

package bm25

import (
	"sync"
	"sync/atomic"
)

// blockCache holds parsed values by reference. Segments never change and ids
// are never used twice, so nothing in it goes stale.
type blockCache struct{ shards []cacheShard }

type cacheShard struct {
	mu    sync.RWMutex
	items map[valueRef]*cacheItem
	ring  []*cacheItem
	hand  int
	bytes int64
	limit int64
}

type cacheItem struct {
	ref   valueRef
	value any
	size  int64
	used  atomic.Bool
}

// itemOverhead is what an item costs beside its value, about.
const itemOverhead = 160

func newBlockCache(limit int64) *blockCache {
	n := 1
	for n < 16 && limit/int64(2*n) >= 512<<10 {
		n *= 2
	}
	c := &blockCache{shards: make([]cacheShard, n)}
	for i := range c.shards {
		c.shards[i] = cacheShard{items: map[valueRef]*cacheItem{}, limit: limit / int64(n)}
	}
	return c
}

func (c *blockCache) shard(ref valueRef) *cacheShard {
	h := (ref.n*31+ref.m)*31 + ref.seg*131 + uint32(ref.kind)
	h *= 0x9E3779B1
	return &c.shards[int(h>>16)&(len(c.shards)-1)]
}

// get returns the value or nil.
func (c *blockCache) get(ref valueRef) any {
	s := c.shard(ref)
	s.mu.RLock()
	it := s.items[ref]
	s.mu.RUnlock()
	if it == nil {
		return nil
	}
	if !it.used.Load() {
		it.used.Store(true)
	}
	return it.value
}

// put adds a value of so many bytes; one that two searches read at once stays
// as it is.
func (c *blockCache) put(ref valueRef, value any, size int) {
	s := c.shard(ref)
	need := int64(size) + itemOverhead
	if need > s.limit {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.items[ref] != nil {
		return
	}
	for s.bytes+need > s.limit {
		s.evict()
	}
	it := &cacheItem{ref: ref, value: value, size: need}
	s.items[ref] = it
	s.ring = append(s.ring, it)
	s.bytes += need
}

// evict removes the next item that was not used since the hand passed it.
func (s *cacheShard) evict() {
	for {
		if s.hand >= len(s.ring) {
			s.hand = 0
		}
		it := s.ring[s.hand]
		if it.used.Swap(false) {
			s.hand++
			continue
		}
		s.remove(s.hand)
		return
	}
}

func (s *cacheShard) remove(at int) {
	it := s.ring[at]
	last := len(s.ring) - 1
	s.ring[at] = s.ring[last]
	s.ring[last] = nil
	s.ring = s.ring[:last]
	delete(s.items, it.ref)
	s.bytes -= it.size
}

// drop removes everything of a segment.
func (c *blockCache) drop(seg uint32) {
	for i := range c.shards {
		s := &c.shards[i]
		s.mu.Lock()
		for at := len(s.ring) - 1; at >= 0; at-- {
			if s.ring[at].ref.seg == seg {
				s.remove(at)
			}
		}
		s.mu.Unlock()
	}
}

// size is the number of bytes held.
func (c *blockCache) size() (n int64) {
	for i := range c.shards {
		s := &c.shards[i]
		s.mu.RLock()
		n += s.bytes
		s.mu.RUnlock()
	}
	return n
}

// lazy is a value that is read once, when it is first needed.
type lazy[T any] struct {
	v  atomic.Pointer[T]
	mu sync.Mutex
}

// get returns the value, reading it with load if that did not succeed before.
func (l *lazy[T]) get(load func() (*T, error)) (*T, error) {
	if v := l.v.Load(); v != nil {
		return v, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if v := l.v.Load(); v != nil {
		return v, nil
	}
	v, err := load()
	if err != nil {
		return nil, err
	}
	l.v.Store(v)
	return v, nil
}
