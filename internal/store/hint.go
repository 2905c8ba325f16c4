package store

// This file decides where the search for the oldest entry begins. A store at
// its capacity works like a queue: each save removes the front, and a
// log-structured store keeps a tombstone for each removed key for a while. The
// hint is a key at or before the first live one, so that an eviction need not
// walk over all those tombstones. It is a matter of speed alone: without a
// hint the walk begins at the start of the order.

import "bytes"

// maxHints bounds the memory for hints of many scopes.
const maxHints = 1024

// hintFor returns where to begin under an order prefix.
func (s *Store) hintFor(prefix []byte) []byte {
	if key, ok := s.hints[string(prefix)]; ok {
		return key
	}
	return prefix
}

// lowerHint makes sure that a key about to be written is not before its hint.
func (s *Store) lowerHint(key []byte) {
	prefix := string(key[:len(key)-timeNumLen])
	if hint, ok := s.hints[prefix]; ok && bytes.Compare(key, hint) < 0 {
		s.hints[prefix] = key
	}
}

// raiseHints moves the hints behind what a committed tx evicted.
func (s *Store) raiseHints(t *tx) {
	if t.cleared || len(s.hints)+len(t.raised) > maxHints {
		clear(s.hints)
	}
	for prefix, key := range t.raised {
		s.hints[prefix] = key
	}
	if len(t.raised) == 0 {
		return
	}
	for _, rec := range t.added {
		s.lowerHint(timeKey(rec.time(), rec.num))
		s.lowerHint(scopeKey(rec.Scope, rec.time(), rec.num))
	}
}
