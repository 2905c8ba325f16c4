// This file decides how neighbouring segments become one: documents regroup by
// scope, dead ones vanish, and the dictionaries are merged term by term, so that
// one posting list at a time is in memory.

package bm25

import (
	"context"
	"slices"

	"github.com/contextforge-go/contextforge/kv"
)

// mergeSource is a segment with the documents that are to vanish.
type mergeSource struct {
	*segment
	dead deadSet
	core *coreColumns
	// remap gives a document's local id in the new segment, noDoc if it is dead.
	remap []uint32
	ids   []*idPage
}

// mergeSegments writes one segment with the live documents of the sources,
// which ascend by document number. No documents give a meta with docs = 0.
func mergeSegments(ctx context.Context, r kv.Reader, id uint32, sources []*mergeSource, put putFunc) (segmentMeta, error) {
	for _, s := range sources {
		if err := s.open(r); err != nil {
			return segmentMeta{}, err
		}
	}
	w := newSegmentWriter(id, put)
	if err := mergeRows(ctx, r, w, sources); err != nil {
		return segmentMeta{}, err
	}
	if w.meta.docs == 0 {
		return w.meta, nil
	}
	if err := mergeTerms(ctx, r, w, sources); err != nil {
		return segmentMeta{}, err
	}
	return w.meta, w.terms.finish()
}

func (s *mergeSource) open(r kv.Reader) (err error) {
	if s.core, err = s.getCore(r); err != nil {
		return err
	}
	pages, err := s.loadIDs(r)
	if err != nil {
		return err
	}
	s.ids = *pages
	s.remap = make([]uint32, s.docs)
	return nil
}

// mergeRows writes the columns, scope by scope, inside a scope source by
// source, and fills in remap.
func mergeRows(ctx context.Context, r kv.Reader, w *segmentWriter, sources []*mergeSource) error {
	var readers []*rowReader
	for _, s := range sources {
		rd, err := newRowReader(r, s, w)
		if err != nil {
			return err
		}
		readers = append(readers, rd)
	}
	for {
		name, ok := nextScope(readers)
		if !ok {
			return w.endRows()
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, rd := range readers {
			if err := rd.copyScope(w, name); err != nil {
				return err
			}
		}
		w.endScope(name)
	}
}

// rowReader gives the rows of a source.
type rowReader struct {
	s     *mergeSource
	rows  *rowTable
	exp   *expiryColumns
	w     *segmentWriter
	scope int // next scope
}

func newRowReader(r kv.Reader, s *mergeSource, w *segmentWriter) (rd *rowReader, err error) {
	rd = &rowReader{s: s, w: w}
	if rd.rows, err = s.getRows(r); err != nil {
		return nil, err
	}
	rd.exp, err = s.getExpiries(r)
	return rd, err
}

// nextScope is the smallest scope that some reader comes to.
func nextScope(readers []*rowReader) (name string, ok bool) {
	for _, rd := range readers {
		if scopes := rd.s.core.scopes; rd.scope < len(scopes) && (!ok || scopes[rd.scope].name < name) {
			name, ok = scopes[rd.scope].name, true
		}
	}
	return name, ok
}

// copyScope writes the live documents of a scope, if the source has it.
func (rd *rowReader) copyScope(w *segmentWriter, name string) error {
	if rd.scope == len(rd.s.core.scopes) || rd.s.core.scopes[rd.scope].name != name {
		return nil
	}
	sr := rd.s.core.scopes[rd.scope]
	rd.scope++
	for local := sr.lo; local < sr.hi; local++ {
		if rd.s.dead.has(local) {
			rd.s.remap[local] = noDoc
			continue
		}
		rd.s.remap[local] = w.meta.docs
		if err := w.cols.add(rd.row(local)); err != nil {
			return err
		}
	}
	return nil
}

func (rd *rowReader) row(i uint32) row {
	at := rd.rows.time(i)
	return row{
		num: rd.rows.num(i), length: rd.s.core.lens[i], cost: rd.rows.cost(i),
		sec: at.Sec, nsec: at.Nsec,
		expires: rd.exp.expires.at(i) != 0, expSec: int64(rd.exp.sec.at(i) ^ signBit), expNsec: uint32(rd.exp.nsec.at(i)),
		kind:    rd.w.kinds.of(rd.rows.kind(i)),
		session: rd.w.sessions.of(rd.rows.session(i)),
		id:      string(rd.s.ids[i/idPageDocs].at(i % idPageDocs)),
	}
}

// dictReader walks a segment's dictionary.
type dictReader struct {
	s     *segment
	src   int // index of the source
	block *termBlock
	n     uint32 // next block
	i     int    // entry
	term  []byte // nil at the end
	rest  []byte
}

// next moves to the next term.
func (d *dictReader) next(r kv.Reader) (err error) {
	for d.i++; d.block == nil || d.i >= d.block.n; d.i = 0 {
		if d.n == d.s.blocks {
			d.term = nil
			return nil
		}
		if d.block, err = d.s.readTermBlock(r, d.n); err != nil {
			return err
		}
		d.n++
	}
	prev := d.term
	d.term, d.rest = d.block.entry(d.i)
	if d.term == nil || prev != nil && string(prev) >= string(d.term) {
		return corrupt("segment %d: order of the terms in block %d", d.s.id, d.n-1)
	}
	return nil
}

// eachPosting decodes a list, calling visit with every piece of it.
func (s *segment) eachPosting(r kv.Reader, info *termInfo, visit func(docs, tfs []uint32)) error {
	if info.docs != nil {
		visit(info.docs, info.tfs)
		return nil
	}
	if info.inline != nil {
		return info.inline.each(visit)
	}
	n := 0
	for m := range info.refs {
		c, err := s.readChunk(r, valueRef{seg: s.id, kind: kindPostings, n: info.list, m: uint32(m)})
		if err == nil {
			err = info.checkChunk(c, m)
		}
		if err == nil {
			err = c.each(visit)
		}
		if err != nil {
			return err
		}
		n += c.postings()
	}
	if n != int(info.df) {
		return corrupt("segment %d: list of %d postings, %d expected", s.id, n, info.df)
	}
	return nil
}

// checkChunk checks that a chunk is where the directory says.
func (t *termInfo) checkChunk(c *chunk, m int) error {
	base := noDoc
	if m > 0 {
		base = t.refs[m-1].last
	}
	if c.base != base || c.last(c.blocks-1) != t.refs[m].last {
		return corrupt("chunk %d of posting list %d is another one", m, t.list)
	}
	return nil
}

// each decodes all blocks; visit gets frequencies, not less one.
func (c *chunk) each(visit func(docs, tfs []uint32)) error {
	var dbuf, fbuf [blockDocs]uint32
	var tmp unpackBuf
	for i := range c.blocks {
		docs, err := c.docs(i, &dbuf, &tmp)
		if err != nil {
			return err
		}
		tfs := c.tfs(i, &fbuf, &tmp)
		for k := range tfs {
			tfs[k]++
		}
		visit(docs, tfs)
	}
	return nil
}

// termMerger holds the buffers of one merged list: postings as
// document<<32 | frequency, in ascending runs.
type termMerger struct {
	list, spare []uint64
	runs        []int // ends
	docs, tfs   []uint32
}

// mergeTerms writes the dictionary.
func mergeTerms(ctx context.Context, r kv.Reader, w *segmentWriter, sources []*mergeSource) error {
	var dicts []*dictReader
	for i, s := range sources {
		d := &dictReader{s: s.segment, src: i, i: -1}
		if err := d.next(r); err != nil {
			return err
		}
		dicts = append(dicts, d)
	}
	var m termMerger
	for count := 0; ; count++ {
		if count%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		term, ok := nextTerm(dicts)
		if !ok {
			return nil
		}
		m.list, m.runs = m.list[:0], m.runs[:0]
		for _, d := range dicts {
			if d.term == nil || string(d.term) != term {
				continue
			}
			if err := m.read(r, d, sources[d.src].remap); err != nil {
				return err
			}
		}
		if len(m.list) > 0 {
			if err := m.write(w, term); err != nil {
				return err
			}
		}
	}
}

func nextTerm(dicts []*dictReader) (string, bool) {
	var least []byte
	for _, d := range dicts {
		if d.term != nil && (least == nil || string(d.term) < string(least)) {
			least = d.term
		}
	}
	return string(least), least != nil
}

// read appends the live postings of the dictionary's current term and moves it
// on.
func (m *termMerger) read(r kv.Reader, d *dictReader, remap []uint32) error {
	info, err := decodeList(d.rest, &d.s.segmentMeta)
	if err != nil {
		return err
	}
	err = d.s.eachPosting(r, info, func(docs, tfs []uint32) {
		for i, doc := range docs {
			if to := remap[doc]; to != noDoc {
				m.list = append(m.list, uint64(to)<<32|uint64(tfs[i]))
			}
		}
	})
	if err != nil {
		return err
	}
	m.runs = append(m.runs, len(m.list))
	return d.next(r)
}

// write sorts the runs into one and writes it.
func (m *termMerger) write(w *segmentWriter, term string) error {
	m.spare = slices.Grow(m.spare[:0], len(m.list))[:len(m.list)]
	for len(m.runs) > 1 {
		m.mergePairs()
	}
	m.docs, m.tfs = m.docs[:0], m.tfs[:0]
	for _, p := range m.list {
		m.docs = append(m.docs, uint32(p>>32))
		m.tfs = append(m.tfs, uint32(p))
	}
	return w.terms.add(term, m.docs, m.tfs)
}

// mergePairs merges the first run with the second, the third with the fourth,
// and so on.
func (m *termMerger) mergePairs() {
	from, kept := 0, m.runs[:0]
	runs := slices.Clone(m.runs)
	for i := 0; i < len(runs); i += 2 {
		mid, end := runs[i], runs[min(i+1, len(runs)-1)]
		mergeInto(m.spare[from:end], m.list[from:mid], m.list[mid:end])
		kept = append(kept, end)
		from = end
	}
	m.runs = kept
	m.list, m.spare = m.spare, m.list
}

// mergeInto merges two ascending lists.
func mergeInto(dst, a, b []uint64) {
	if len(a) == 0 || len(b) == 0 || a[len(a)-1] < b[0] {
		copy(dst[copy(dst, a):], b)
		return
	}
	i, j := 0, 0
	for k := range dst {
		if j == len(b) || i < len(a) && a[i] < b[j] {
			dst[k] = a[i]
			i++
		} else {
			dst[k] = b[j]
			j++
		}
	}
}
