// This file decides which masters stay in memory: a bounded cache with the CLOCK
// rule (second chance), so that a hit costs a shared lock and a flag.

package vecindex

import (
	"sync"
	"sync/atomic"
)

// masterKey names a row of a table. A document that is deleted and comes back
// has other rows, and another table other keys, so that nothing goes stale.
type masterKey struct {
	table uint64
	row   uint32
}

type masterCache struct {
	mu    sync.RWMutex
	items map[masterKey]*cachedMaster
	ring  []*cachedMaster
	hand  int
	bytes int64
	limit int64
}

type cachedMaster struct {
	key  masterKey
	unit []float32
	used atomic.Bool
}

// masterOverhead is what an item costs beside its values, about.
const masterOverhead = 96

func (m *cachedMaster) size() int64 { return int64(4*len(m.unit)) + masterOverhead }

func newMasterCache(limit int64) *masterCache {
	return &masterCache{items: map[masterKey]*cachedMaster{}, limit: limit}
}

// get returns the vector or nil.
func (c *masterCache) get(key masterKey) []float32 {
	c.mu.RLock()
	m := c.items[key]
	c.mu.RUnlock()
	if m == nil {
		return nil
	}
	if !m.used.Load() {
		m.used.Store(true)
	}
	return m.unit
}

// getAll fills in units with the vectors of a table's rows, nil for those that are
// not there.
func (c *masterCache) getAll(table uint64, rows []located, units [][]float32) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for i, l := range rows {
		units[i] = nil
		if m := c.items[masterKey{table, l.row}]; m != nil {
			if !m.used.Load() {
				m.used.Store(true)
			}
			units[i] = m.unit
		}
	}
}

// put keeps a vector, which nobody changes any more, in place of some that were
// not used since the hand passed them.
func (c *masterCache) put(key masterKey, unit []float32) {
	m := &cachedMaster{key: key, unit: unit}
	if m.size() > c.limit {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.items[key] != nil {
		return
	}
	for c.bytes+m.size() > c.limit {
		c.evict()
	}
	c.items[key] = m
	c.ring = append(c.ring, m)
	c.bytes += m.size()
}

// evict removes one item; there is one.
func (c *masterCache) evict() {
	for {
		c.hand %= len(c.ring)
		m := c.ring[c.hand]
		if !m.used.Swap(false) {
			break
		}
		c.hand++
	}
	m := c.ring[c.hand]
	delete(c.items, m.key)
	c.bytes -= m.size()
	end := len(c.ring) - 1
	c.ring[c.hand] = c.ring[end]
	c.ring[end] = nil
	c.ring = c.ring[:end]
	c.hand++
}
