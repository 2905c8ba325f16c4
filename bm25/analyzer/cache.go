// The word cache: remembers the terms of recent words, so that common words
// cost one look-up and no allocation. It bounds its memory and never changes a
// result.

package analyzer

import (
	"hash/maphash"
	"sync/atomic"
)

// entry holds the analysis of one word. It is immutable.
type entry struct {
	word string      // the word as it stands in the text
	doc  []string    // terms in a document
	ask  *queryTerms // terms in a query, nil when they are those of doc
	one  [1]string   // backs doc when there is one term
}

// queryTerms are the terms of a word in a query where they differ from those
// of a document.
type queryTerms struct {
	wanted []string // stop words left out
	all    []string // stop words kept
}

// terms returns the terms for a mode.
func (e *entry) terms(m mode) []string {
	switch {
	case m == modeDoc || e.ask == nil:
		return e.doc
	case m == modeQuery:
		return e.ask.wanted
	}
	return e.ask.all
}

// newEntry builds the entry of word from its tokens. It keeps word.
func newEntry(word string, tokens []token) *entry {
	e := &entry{word: word}
	e.doc = e.one[:0]
	plain := true
	for _, k := range tokens {
		plain = plain && k.kind == inDoc|inQuery
		if k.wanted(modeDoc) {
			e.doc = append(e.doc, k.term)
		}
	}
	if plain {
		return e
	}
	e.ask = new(queryTerms)
	for _, k := range tokens {
		if k.wanted(modeQuery) {
			e.ask.wanted = append(e.ask.wanted, k.term)
		}
		if k.wanted(modeAll) {
			e.ask.all = append(e.ask.all, k.term)
		}
	}
	return e
}

const (
	// defaultCacheWords is how many words are remembered: enough for the
	// frequent words of a large store.
	defaultCacheWords = 1 << 15
	// cacheWord is the longest word, in bytes, worth remembering.
	cacheWord = 48
	// internSets bounds the shared short strings to twice as many (a power of
	// two): about 0.5 MB.
	internSets = 1 << 12
)

// cacheSet holds two entries, the newer first.
type cacheSet [2]atomic.Pointer[entry]

// wordCache maps words to entries. A word belongs to one set; a new word
// replaces the older one there. Readers and writers need no lock, since a slot
// is one pointer to an immutable entry and any mix of old and new pointers is a
// valid cache.
type wordCache struct {
	seed maphash.Seed // differs between processes, which changes only what is kept
	sets []cacheSet   // a power of two
}

// newWordCache returns a cache of about the given number of words, at least 2.
func newWordCache(words int) *wordCache {
	sets := 1
	for sets*2 < words && sets < 1<<24 {
		sets *= 2
	}
	return &wordCache{seed: maphash.MakeSeed(), sets: make([]cacheSet, sets)}
}

// get returns the entry of word, or nil and the set to put it into.
func (c *wordCache) get(word string) (*entry, *cacheSet) {
	set := &c.sets[maphash.String(c.seed, word)&uint64(len(c.sets)-1)]
	if e := set[0].Load(); e != nil && e.word == word {
		return e, nil
	}
	if e := set[1].Load(); e != nil && e.word == word {
		return e, nil
	}
	return nil, set
}

// put adds an entry to its set.
func (set *cacheSet) put(e *entry) {
	set[1].Store(set[0].Load())
	set[0].Store(e)
}

// internTable shares equal short strings. It is built like wordCache.
type internTable struct {
	seed maphash.Seed
	sets [internSets][2]atomic.Pointer[string]
}

func newInternTable() *internTable {
	return &internTable{seed: maphash.MakeSeed()}
}

// intern returns a string equal to b.
func (t *internTable) intern(b []byte) string {
	set := &t.sets[maphash.Bytes(t.seed, b)%internSets]
	if p := set[0].Load(); p != nil && *p == string(b) {
		return *p
	}
	if p := set[1].Load(); p != nil && *p == string(b) {
		return *p
	}
	s := string(b)
	set[1].Store(set[0].Load())
	set[0].Store(&s)
	return s
}
