// This file decides how entries are kept in order and shared with snapshots.

package memkv

import (
	"bytes"
	"sync"

	"github.com/tidwall/btree"
)

// entry is one key with its value; neither slice is ever changed.
type entry struct{ key, value []byte }

// entryOverhead estimates the memory of an entry beside its bytes: two slice
// headers and its share of tree nodes that are about two thirds full.
const entryOverhead = 80

func lessEntry(a, b entry) bool { return bytes.Compare(a.key, b.key) < 0 }

// tree is a copy-on-write B-tree. The current one changes under the store's
// lock; a frozen copy is never written and needs no lock.
type tree = btree.BTreeG[entry]

func newTree() *tree {
	return btree.NewBTreeGOptions(lessEntry, btree.Options{NoLocks: true})
}

// state is the newest committed contents.
type state struct {
	mu     sync.RWMutex
	tree   *tree
	frozen *tree // copy of tree that readers share, nil after a change
	bytes  int64 // keys and values
}

func (s *state) get(key []byte) ([]byte, bool) {
	s.mu.RLock()
	e, ok := s.tree.Get(entry{key: key})
	s.mu.RUnlock()
	return e.value, ok
}

// freeze returns the current contents as a tree that never changes. Copying
// is O(1); readers between two commits share one copy.
func (s *state) freeze() *tree {
	s.mu.RLock()
	frozen := s.frozen
	s.mu.RUnlock()
	if frozen != nil {
		return frozen
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.frozen == nil {
		s.frozen = s.tree.Copy()
	}
	return s.frozen
}

// apply makes the changes of a batch visible at once. It reports whether data
// was a well-formed batch; the changes before a malformed one are applied.
func (s *state) apply(data []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frozen = nil
	for len(data) > 0 {
		c, rest, ok := nextChange(data)
		if !ok {
			return false
		}
		data = rest
		s.change(c)
	}
	return true
}

func (s *state) change(c change) {
	switch c.kind {
	case kindSet:
		// One allocation per entry: entries of one batch live and die apart.
		both := make([]byte, len(c.key)+len(c.value))
		n := copy(both, c.key)
		copy(both[n:], c.value)
		old, replaced := s.tree.Set(entry{both[:n:n], both[n:]})
		if replaced {
			s.bytes -= size(old)
		}
		s.bytes += int64(len(both))
	case kindDelete:
		s.remove(c.key)
	case kindDeleteRange:
		for _, key := range s.keysBetween(c.key, c.value) {
			s.remove(key)
		}
	}
}

func (s *state) remove(key []byte) {
	if old, ok := s.tree.Delete(entry{key: key}); ok {
		s.bytes -= size(old)
	}
}

func (s *state) keysBetween(lower, upper []byte) [][]byte {
	var keys [][]byte
	s.tree.Ascend(entry{key: lower}, func(e entry) bool {
		if bytes.Compare(e.key, upper) >= 0 {
			return false
		}
		keys = append(keys, e.key)
		return true
	})
	return keys
}

func size(e entry) int64 { return int64(len(e.key) + len(e.value)) }

// memory estimates the bytes the current contents occupy.
func (s *state) memory() int64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.bytes + int64(s.tree.Len())*entryOverhead
}

func (s *state) usage() (entries int, bytes int64) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.tree.Len(), s.bytes
}
