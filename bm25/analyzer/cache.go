// The word cache: remembers the terms of recent words, so that common words
// cost one look-up and no allocation. It bounds its memory and never changes a
// result.

package analyzer

import (
	"hash/maphash"
	"strings"
	"sync/atomic"
)

const (
	// cacheSlots bounds the remembered words (a power of two).
	cacheSlots = 1 << 14
	// cacheWord is the longest word, in bytes, worth remembering.
	cacheWord = 48
)

// entry holds the analysis of one word. It is immutable.
type entry struct {
	word  string   // the word as it stands in the text
	doc   []string // terms in a document
	query []string // terms in a query, stop words left out
	all   []string // terms in a query, stop words kept
}

// terms returns the terms for a mode.
func (e *entry) terms(m mode) []string {
	switch m {
	case modeDoc:
		return e.doc
	case modeQuery:
		return e.query
	}
	return e.all
}

// wordCache is a direct-mapped table of entries: a new word replaces the old
// one of its slot. Readers and writers need no lock, since a slot is one
// pointer to an immutable entry.
type wordCache struct {
	seed  maphash.Seed
	slots [cacheSlots]atomic.Pointer[entry]
}

func newWordCache() *wordCache {
	return &wordCache{seed: maphash.MakeSeed()}
}

// slot returns the place of word. The seed differs between processes, which
// only changes what is remembered.
func (c *wordCache) slot(word string) *atomic.Pointer[entry] {
	return &c.slots[maphash.String(c.seed, word)%cacheSlots]
}

// internSlots bounds the remembered character pairs (a power of two).
const internSlots = 1 << 13

// internTable shares equal short strings, direct-mapped like wordCache.
type internTable struct {
	seed  maphash.Seed
	slots [internSlots]atomic.Pointer[string]
}

func newInternTable() *internTable {
	return &internTable{seed: maphash.MakeSeed()}
}

// intern returns a string equal to b.
func (t *internTable) intern(b []byte) string {
	slot := &t.slots[maphash.Bytes(t.seed, b)%internSlots]
	if p := slot.Load(); p != nil && *p == string(b) {
		return *p
	}
	s := string(b)
	slot.Store(&s)
	return s
}

// internString is intern for a part of a text, which is copied: a term must
// not keep the whole text alive.
func (t *internTable) internString(s string) string {
	slot := &t.slots[maphash.String(t.seed, s)%internSlots]
	if p := slot.Load(); p != nil && *p == s {
		return *p
	}
	s = strings.Clone(s)
	slot.Store(&s)
	return s
}
