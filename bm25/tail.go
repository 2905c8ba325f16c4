// This file decides how the newest documents, which are in no segment yet, are
// held in memory: append-only, so that a view is a prefix.

package bm25

import (
	"slices"
	"sort"
	"sync"
	"sync/atomic"
)

// tail holds documents that are not sealed. One writer appends; a view reads
// what was there when it was made.
type tail struct {
	mu     sync.RWMutex // guards lists, scopes and the log
	lists  map[string]*tailList
	scopes map[string][]tailMember
	log    deadLog // of documents by number

	// Written by the writer only; a view has its own copies of the headers,
	// in whose range nothing changes but, atomically, dead.
	docs   []*Doc
	dead   []uint32 // by document: place in the log + 1, 0 if live
	kinds  []string // of all documents, each once, in the order in which they came
	tokens uint64   // of all documents, dead ones included
}

// tailList is a posting list; readers take its headers under the lock.
type tailList struct{ docs, tfs []uint32 }

// tailMember is a document of a scope: its place and length.
type tailMember struct{ at, length uint32 }

func newTail() *tail {
	return &tail{lists: map[string]*tailList{}, scopes: map[string][]tailMember{}}
}

// add appends documents.
func (t *tail) add(docs []*Doc) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, d := range docs {
		at := uint32(len(t.docs))
		t.docs = append(t.docs, d)
		t.dead = append(t.dead, 0)
		t.noteKind(d.Kind)
		t.scopes[d.Scope] = append(t.scopes[d.Scope], tailMember{at, d.Vector.Length})
		t.tokens += uint64(d.Vector.Length)
		for _, term := range d.Vector.Terms {
			l := t.lists[term.Text]
			if l == nil {
				l = &tailList{}
				t.lists[term.Text] = l
			}
			if n := len(l.docs); n > 0 && l.docs[n-1] == at {
				l.tfs[n-1] = addTF(l.tfs[n-1], term.TF)
				continue
			}
			l.docs = append(l.docs, at)
			l.tfs = append(l.tfs, max(1, term.TF))
		}
	}
}

// noteKind adds a kind to the list, unless it is there; there are few.
func (t *tail) noteKind(kind string) {
	if !slices.Contains(t.kinds, kind) {
		t.kinds = append(t.kinds, kind)
	}
}

// find returns the place of document num.
func (t *tail) find(num uint64) (int, bool) {
	i := sort.Search(len(t.docs), func(i int) bool { return t.docs[i].Num >= num })
	return i, i < len(t.docs) && t.docs[i].Num == num
}

// remove marks the document at a place as dead.
func (t *tail) remove(at int) {
	t.log.add(t.docs[at].Num, t.docs[at].Vector)
	atomic.StoreUint32(&t.dead[at], uint32(len(t.log.nums)))
}

// live returns the documents at places from and later that are not dead.
func (t *tail) live(from int) []*Doc {
	docs := make([]*Doc, 0, len(t.docs)-from)
	for i := from; i < len(t.docs); i++ {
		if t.dead[i] == 0 {
			docs = append(docs, t.docs[i])
		}
	}
	return docs
}

// list returns the postings of a term among the first n documents.
func (t *tail) list(term string, n int) (docs, tfs []uint32) {
	t.mu.RLock()
	if l := t.lists[term]; l != nil {
		docs, tfs = l.docs, l.tfs
	}
	t.mu.RUnlock()
	if len(docs) > 0 && docs[len(docs)-1] >= uint32(n) {
		end := sort.Search(len(docs), func(i int) bool { return docs[i] >= uint32(n) })
		docs, tfs = docs[:end], tfs[:end]
	}
	return docs, tfs
}

// scope returns the documents of a scope among the first n.
func (t *tail) scope(name string, n int) []tailMember {
	t.mu.RLock()
	m := t.scopes[name]
	t.mu.RUnlock()
	return m[:sort.Search(len(m), func(i int) bool { return int64(m[i].at) >= int64(n) })]
}

// tailView is what a view sees of a tail.
type tailView struct {
	tail  *tail
	docs  []*Doc
	kinds []string
	dead  deadSet
}

func (t *tail) view() tailView {
	return tailView{tail: t, docs: t.docs, kinds: t.kinds, dead: deadSet{place: t.dead, count: uint32(len(t.log.nums))}}
}

// list returns the postings of a term, those of dead documents included.
func (t *tailView) list(term string) (docs, tfs []uint32) { return t.tail.list(term, len(t.docs)) }

// df is the number of live documents with the term.
func (t *tailView) df(term string) uint64 {
	docs, _ := t.list(term)
	return uint64(len(docs)) - t.tail.log.df(term, int(t.dead.count))
}

// find returns the place of live document num.
func (t *tailView) find(num uint64) (uint32, bool) {
	n := len(t.docs)
	if n == 0 || num < t.docs[0].Num || num > t.docs[n-1].Num {
		return 0, false
	}
	// Numbers ascend by 1 or more, which leaves only one place if none is missing.
	to := int(min(num-t.docs[0].Num, uint64(n-1)))
	from := n - 1 - int(min(t.docs[n-1].Num-num, uint64(n-1)))
	i := from + sort.Search(to-from, func(i int) bool { return t.docs[from+i].Num >= num })
	return uint32(i), t.docs[i].Num == num && !t.dead.has(uint32(i))
}
