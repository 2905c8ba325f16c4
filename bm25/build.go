// This file decides how documents become a segment: ordered by scope and
// number, their vectors inverted by counting, terms sorted at the end.

package bm25

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/contextforge-go/contextforge/kv"
)

// putFunc takes a value whose body begins with the format byte and has room for
// a checksum; it must not keep the body.
type putFunc func(ref valueRef, body []byte) error

// putInto returns a putFunc that fills a batch.
func (k keyspace) putInto(b kv.Batch) putFunc {
	return func(ref valueRef, body []byte) error {
		b.Set(k.value(ref), seal(body))
		return nil
	}
}

// segmentWriter writes one segment: first all rows in local order, scope by
// scope, then all terms in ascending order.
type segmentWriter struct {
	meta      segmentMeta
	cols      columnWriter
	terms     termWriter
	scopes    []string
	scopeEnds []uint32
	kinds     ordinals
	sessions  ordinals
}

func newSegmentWriter(id uint32, put putFunc) *segmentWriter {
	w := &segmentWriter{meta: segmentMeta{id: id}}
	w.cols = columnWriter{put: put, meta: &w.meta}
	w.terms = termWriter{put: put, meta: &w.meta}
	return w
}

// ordinals numbers strings in the order of their first appearance.
type ordinals struct {
	names []string
	index map[string]uint32
}

func (o *ordinals) of(s string) uint32 {
	n, ok := o.index[s]
	if !ok {
		if o.index == nil {
			o.index = map[string]uint32{}
		}
		n = uint32(len(o.names))
		o.index[s] = n
		o.names = append(o.names, s)
	}
	return n
}

// endScope says that the rows since the last call were those of a scope; a
// scope without rows leaves no trace.
func (w *segmentWriter) endScope(name string) {
	if n := len(w.scopeEnds); w.meta.docs > 0 && (n == 0 || w.scopeEnds[n-1] < w.meta.docs) {
		w.scopes = append(w.scopes, name)
		w.scopeEnds = append(w.scopeEnds, w.meta.docs)
	}
}

// endRows writes what is left of the columns.
func (w *segmentWriter) endRows() (err error) {
	if err = w.cols.finish(); err != nil || w.meta.docs == 0 {
		return err
	}
	w.terms.lens = w.cols.lens
	if w.meta.scopeParts, err = w.cols.strings(colScopes, w.scopes, w.scopeEnds); err != nil {
		return err
	}
	if w.meta.kindParts, err = w.cols.strings(colKinds, w.kinds.names, nil); err != nil {
		return err
	}
	w.meta.sessionParts, err = w.cols.strings(colSessions, w.sessions.names, nil)
	return err
}

// addDoc writes the row of a document.
func (w *segmentWriter) addDoc(d *Doc) error {
	return w.cols.add(row{num: d.Num, sec: d.Sec, nsec: d.Nsec, expSec: d.ExpSec, expNsec: d.ExpNsec, expires: d.Expires, length: d.Vector.Length,
		cost: d.Cost, kind: w.kinds.of(d.Kind), session: w.sessions.of(d.Session), id: d.ID})
}

// buildSegment writes a segment of the documents, which ascend by number.
func buildSegment(id uint32, docs []*Doc, put putFunc) (segmentMeta, error) {
	w := newSegmentWriter(id, put)
	docs = byScope(docs)
	for i, d := range docs {
		if err := w.addDoc(d); err != nil {
			return segmentMeta{}, err
		}
		if i == len(docs)-1 || docs[i+1].Scope != d.Scope {
			w.endScope(d.Scope)
		}
	}
	if err := w.endRows(); err != nil {
		return segmentMeta{}, err
	}
	inv, err := invert(docs)
	if err != nil {
		return segmentMeta{}, err
	}
	for _, t := range inv.order {
		docs, tfs := inv.list(t.ord)
		if err := w.terms.add(inv.terms[t.ord], docs, tfs); err != nil {
			return segmentMeta{}, err
		}
	}
	return w.meta, w.terms.finish()
}

// byScope orders documents by scope and, inside one, as they came.
func byScope(docs []*Doc) []*Doc {
	var scopes ordinals
	ords := make([]uint32, len(docs))
	for i, d := range docs {
		ords[i] = scopes.of(d.Scope)
	}
	if len(scopes.names) <= 1 {
		return docs
	}
	counts := make([]int, len(scopes.names))
	for _, o := range ords {
		counts[o]++
	}
	names := slices.Clone(scopes.names)
	slices.Sort(names)
	at := 0
	for _, name := range names {
		o := scopes.index[name]
		counts[o], at = at, at+counts[o]
	}
	sorted := make([]*Doc, len(docs))
	for i, d := range docs {
		sorted[counts[ords[i]]] = d
		counts[ords[i]]++
	}
	return sorted
}

// inverted is the inversion of some documents' vectors.
type inverted struct {
	terms []string // by ordinal
	ends  []uint32 // by ordinal: end of its postings
	docs  []uint32
	tfs   []uint32
	order []sortTerm

	newest []uint32 // by ordinal: last document, so that a term given twice is seen
}

// addTF adds the frequencies of a term that a vector lists twice.
func addTF(a, b uint32) uint32 { return uint32(min(uint64(a)+uint64(b), math.MaxUint32)) }

// sortTerm is a term by its first eight bytes, which decide most comparisons.
type sortTerm struct {
	prefix uint64
	ord    uint32
}

func (v *inverted) list(ord uint32) (docs, tfs []uint32) {
	from := uint32(0)
	if ord > 0 {
		from = v.ends[ord-1]
	}
	return v.docs[from:v.ends[ord]], v.tfs[from:v.ends[ord]]
}

// invert counts the postings of every term and then puts each in its place.
func invert(docs []*Doc) (*inverted, error) {
	total := 0
	for _, d := range docs {
		total += len(d.Vector.Terms)
	}
	if uint64(total) > math.MaxInt32 {
		return nil, fmt.Errorf("bm25: %d postings in one segment", total)
	}
	v := &inverted{}
	dict := make(map[string]uint32, min(total, 1<<14))
	ords := make([]uint32, 0, total)
	for local, d := range docs {
		for i := range d.Vector.Terms {
			text := d.Vector.Terms[i].Text
			o, ok := dict[text]
			if !ok {
				o = uint32(len(v.terms))
				dict[text] = o
				v.terms = append(v.terms, text)
				v.ends = append(v.ends, 0)
				v.newest = append(v.newest, noDoc)
			}
			if v.newest[o] != uint32(local) {
				v.newest[o] = uint32(local)
				v.ends[o]++
			}
			ords = append(ords, o)
		}
	}
	v.place(docs, ords)
	v.sort()
	return v, nil
}

// place fills the lists; ends holds counts before and ends after.
func (v *inverted) place(docs []*Doc, ords []uint32) {
	at := uint32(0)
	for o, n := range v.ends {
		v.ends[o], at = at, at+n
		v.newest[o] = noDoc
	}
	both := make([]uint32, 2*len(ords))
	v.docs, v.tfs = both[:len(ords):len(ords)], both[len(ords):]
	i := 0
	for local, d := range docs {
		for _, t := range d.Vector.Terms {
			o := ords[i]
			i++
			end := v.ends[o]
			if v.newest[o] == uint32(local) {
				v.tfs[end-1] = addTF(v.tfs[end-1], t.TF)
				continue
			}
			v.docs[end], v.tfs[end] = uint32(local), max(1, t.TF)
			v.newest[o], v.ends[o] = uint32(local), end+1
		}
	}
}

func (v *inverted) sort() {
	v.order = make([]sortTerm, len(v.terms))
	for i, t := range v.terms {
		var b [8]byte
		copy(b[:], t)
		v.order[i] = sortTerm{prefix: binary.BigEndian.Uint64(b[:]), ord: uint32(i)}
	}
	slices.SortFunc(v.order, func(a, b sortTerm) int {
		if a.prefix != b.prefix {
			return cmp.Compare(a.prefix, b.prefix)
		}
		return strings.Compare(v.terms[a.ord], v.terms[b.ord])
	})
}
