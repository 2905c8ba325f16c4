// This file decides what a consistent index is: Verify reads everything stored
// and compares it with the documents it should hold.

package bm25

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/contextforge-go/contextforge/kv"
)

// maxFindings bounds the faults that Verify reports of one index.
const maxFindings = 100

// Verify checks checksums, the order of terms and postings, directories and
// bounds, columns, tombstones and statistics, and that the index holds exactly
// the documents of docs, which are all live ones in ascending order of Num with
// their vectors. It reads the store, not the cache, and needs 8 bytes of memory
// for each sealed document. The faults found come joined, each wrapping
// kv.ErrCorrupt; other errors (reading, ctx, docs) end it.
func (v *View) Verify(ctx context.Context, r kv.Reader, docs iter.Seq2[Doc, error]) error {
	if err := v.ready(ctx); err != nil {
		return err
	}
	c := &checker{view: v, r: r, ctx: ctx}
	for i := range v.set.segs {
		if err := c.segment(i); err != nil {
			return err
		}
	}
	if err := c.documents(docs); err != nil {
		return err
	}
	return errors.Join(c.found...)
}

// checker collects faults.
type checker struct {
	view  *View
	r     kv.Reader
	ctx   context.Context
	parts []*checkedSegment
	found []error
}

// checkedSegment is a segment with what its lists say about each document.
type checkedSegment struct {
	*segment
	sums   []uint64 // by local id: sum over its postings of termHash
	dead   deadSet
	alive  uint64 // documents not found in docs yet
	locals *localIndex
	exp    *expiryColumns
	rows   *rowTable
	core   *coreColumns
}

// fault notes a fault; errors that are no faults of the index come back.
func (c *checker) fault(err error) error {
	if err == nil || !errors.Is(err, kv.ErrCorrupt) {
		return err
	}
	if len(c.found) < maxFindings {
		c.found = append(c.found, err)
	}
	return nil
}

func (c *checker) faultf(format string, args ...any) {
	_ = c.fault(corrupt(format, args...))
}

// segment checks segment i by itself; a part of it that can't be read ends
// the check of this segment only.
func (c *checker) segment(i int) error {
	old := c.view.set.segs[i]
	s := &segment{segmentMeta: old.segmentMeta, env: &env{keys: old.env.keys, cache: newBlockCache(0), residentIDs: true}}
	p := &checkedSegment{segment: s}
	c.parts = append(c.parts, p)
	err := p.open(c.r)
	if err == nil {
		p.sums = make([]uint64, s.docs)
		p.dead, err = old.deadUpTo(c.r, c.view.deadIn(i))
	}
	if err == nil {
		err = p.readTerms(c)
	}
	if err == nil {
		err = p.readTombstones(c)
	}
	if err != nil {
		p.sums = nil
		return c.fault(fmt.Errorf("bm25: segment %d: %w", s.id, err))
	}
	c.columns(p)
	return nil
}

func (p *checkedSegment) open(r kv.Reader) (err error) {
	if p.core, err = p.getCore(r); err != nil {
		return err
	}
	if p.rows, err = p.getRows(r); err != nil {
		return err
	}
	if p.exp, err = p.getExpiries(r); err != nil {
		return err
	}
	if _, err = p.idOf(r, 0); err != nil {
		return err
	}
	p.locals, err = p.getLocals(r)
	return err
}

// columns checks what the columns say about the whole segment.
func (c *checker) columns(p *checkedSegment) {
	tokens, longest := uint64(0), uint32(0)
	for _, n := range p.core.lens {
		tokens += uint64(n)
		longest = max(longest, n)
	}
	if tokens != p.tokens || longest != p.maxLen {
		c.faultf("segment %d: %d tokens, longest document %d; its description says %d, %d", p.id, tokens, longest, p.tokens, p.maxLen)
	}
	for n, sr := range p.core.scopes { // whose names may be nobody's business
		for i := sr.lo + 1; i < sr.hi; i++ {
			if p.rows.num(i) <= p.rows.num(i-1) {
				c.faultf("segment %d: order of documents in scope number %d", p.id, n)
				break
			}
		}
	}
	for i := range p.docs {
		if !p.dead.has(i) {
			p.alive++
		}
	}
}

// readTerms reads the dictionary and all lists, and sums up what they say about
// each document.
func (p *checkedSegment) readTerms(c *checker) error {
	d := &dictReader{s: p.segment, i: -1}
	terms, postings := uint32(0), uint64(0)
	for {
		before := d.n
		if err := d.next(c.r); err != nil {
			return err
		}
		if d.term == nil {
			break
		}
		if d.n != before {
			if err := p.checkSparse(d); err != nil {
				return err
			}
			if err := c.ctx.Err(); err != nil {
				return err
			}
		}
		info, err := decodeList(d.rest, &p.segmentMeta)
		if err != nil {
			return err
		}
		if err := p.readList(c.r, string(d.term), info); err != nil {
			return err
		}
		terms++
		postings += uint64(info.df)
	}
	if terms != p.terms || postings != p.postings {
		return corrupt("%d terms, %d postings; its description says %d, %d", terms, postings, p.terms, p.postings)
	}
	return nil
}

// checkSparse checks the separator of the block that d has just entered.
func (p *checkedSegment) checkSparse(d *dictReader) error {
	n := int(d.n - 1)
	if p.core.sparse[n] > string(d.term) {
		return corrupt("separator of term block %d", n)
	}
	if n+1 < len(p.core.sparse) {
		if last, _ := d.block.entry(d.block.n - 1); string(last) >= p.core.sparse[n+1] {
			return corrupt("separator of term block %d", n+1)
		}
	}
	return nil
}

// readList sums up a list and checks it against its directories' bounds.
func (p *checkedSegment) readList(r kv.Reader, term string, info *termInfo) error {
	h := textHash(term)
	prev, ok := noDoc, true
	err := p.eachPosting(r, info, func(docs, tfs []uint32) {
		for i, d := range docs {
			ok = ok && (prev == noDoc || d > prev)
			prev = d
			p.sums[d] += termHash(h, tfs[i])
		}
	})
	if err == nil && !ok {
		err = corrupt("order of the postings of a term with %d bytes", len(term))
	}
	if err != nil {
		return err
	}
	if info.inline != nil {
		return p.checkBounds(info.inline, nil)
	}
	for m := range info.refs {
		ch, err := p.readChunk(r, valueRef{seg: p.id, kind: kindPostings, n: info.list, m: uint32(m)})
		if err == nil {
			err = p.checkBounds(ch, &info.refs[m].pairs)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkBounds checks that the pairs of each block, and those of the chunk,
// cover their postings.
func (p *checkedSegment) checkBounds(ch *chunk, whole *pairs) error {
	block, ok := 0, true
	err := ch.each(func(docs, tfs []uint32) {
		for i, d := range docs {
			ok = ok && ch.pairs(block).covers(tfs[i], p.core.lens[d]) && (whole == nil || whole.covers(tfs[i], p.core.lens[d]))
		}
		block++
	})
	if err == nil && !ok {
		err = corrupt("bounds of a posting block")
	}
	return err
}

// readTombstones compares the dead documents' vectors with the lists.
func (p *checkedSegment) readTombstones(c *checker) error {
	keys := p.env.keys
	from := keys.dead(p.id, 0)
	it, err := c.r.Iter(from, keys.deadEnd(p.id))
	if err != nil {
		return err
	}
	defer it.Close()
	count := 0
	for ok := it.First(); ok; ok = it.Next() {
		num, err := deadNum(it.Key(), len(from))
		if err != nil {
			return err
		}
		value, err := it.Value()
		if err != nil {
			return err
		}
		v, err := decodeTombstone(value)
		if err != nil {
			return err
		}
		local, ok := p.locals.find(num)
		if !ok || !p.dead.has(local) || v.Length != p.core.lens[local] || vectorSum(v) != p.sums[local] {
			return corrupt("tombstone of document %d doesn't agree with the segment", num)
		}
		count++
	}
	if uint64(count) != p.countDead() {
		return corrupt("%d tombstones, %d dead documents", count, p.countDead())
	}
	return it.Error()
}

func (p *checkedSegment) countDead() (n uint64) {
	for i := range p.docs {
		if p.dead.has(i) {
			n++
		}
	}
	return n
}

// documents compares the index with the documents it should hold.
func (c *checker) documents(docs iter.Seq2[Doc, error]) error {
	var count, tokens, inTail uint64
	for d, err := range docs {
		if err == nil {
			err = c.ctx.Err()
		}
		if err != nil {
			return err
		}
		count++
		tokens += uint64(d.Vector.Length)
		if i := covering(c.view.set.segs, d.Num); i >= 0 {
			if err := c.fault(c.sealedDoc(c.parts[i], &d)); err != nil {
				return err
			}
		} else {
			inTail++
			_ = c.fault(c.tailDoc(&d))
		}
	}
	for _, p := range c.parts {
		if p.sums != nil && p.alive > 0 {
			c.faultf("segment %d: %d documents too many", p.id, p.alive)
		}
	}
	s := c.view.Stats()
	if count != s.Docs || tokens != s.Tokens || inTail != s.TailDocs {
		c.faultf("%d documents, %d tokens, %d documents in the tail; statistics say %d, %d, %d", count, tokens, inTail, s.Docs, s.Tokens, s.TailDocs)
	}
	return nil
}

func (c *checker) tailDoc(d *Doc) error {
	at, ok := c.view.tail.find(d.Num)
	if !ok {
		return corrupt("document %d is not in the index", d.Num)
	}
	have := c.view.tail.docs[at]
	a, b := *have, *d
	a.Vector, b.Vector = TermVector{}, TermVector{}
	if !sameColumns(&a, &b) || have.Vector.Length != d.Vector.Length || vectorSum(have.Vector) != vectorSum(d.Vector) {
		return corrupt("document %d differs from what the tail holds", d.Num)
	}
	return nil
}

// sealedDoc compares a document with its segment.
func (c *checker) sealedDoc(p *checkedSegment, d *Doc) error {
	if p.sums == nil {
		return nil // unreadable, which is reported already
	}
	i, ok := p.locals.find(d.Num)
	if !ok || p.dead.has(i) {
		return corrupt("document %d is not in the index", d.Num)
	}
	p.alive--
	id, err := p.idOf(c.r, i)
	if err != nil {
		return err
	}
	lo, hi := p.core.scopeOf(d.Scope)
	at := p.rows.time(i)
	have := Doc{Num: d.Num, ID: string(id), Scope: d.Scope, Session: p.rows.session(i), Kind: p.rows.kind(i),
		Sec: at.Sec, Nsec: at.Nsec, Cost: p.rows.cost(i),
		Expires: p.exp.expires.at(i) != 0, ExpSec: int64(p.exp.sec.at(i) ^ signBit), ExpNsec: uint32(p.exp.nsec.at(i))}
	if !sameColumns(&have, d) || i < lo || i >= hi {
		return corrupt("columns of document %d", d.Num)
	}
	if p.core.lens[i] != d.Vector.Length || p.sums[i] != vectorSum(d.Vector) {
		return corrupt("terms of document %d", d.Num)
	}
	return nil
}

// sameColumns compares all but the vectors.
func sameColumns(a, b *Doc) bool {
	return a.Num == b.Num && a.ID == b.ID && a.Scope == b.Scope && a.Session == b.Session && a.Kind == b.Kind &&
		a.Sec == b.Sec && a.Nsec == b.Nsec && a.Cost == b.Cost && a.Expires == b.Expires &&
		(!a.Expires || a.ExpSec == b.ExpSec && a.ExpNsec == b.ExpNsec)
}

// textHash is FNV-1a.
func textHash(s string) uint64 {
	h := uint64(0xcbf29ce484222325)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 0x100000001b3
	}
	return h
}

// termHash mixes a term's hash with a frequency; sums of it tell vectors apart
// whatever the order of the terms.
func termHash(text uint64, tf uint32) uint64 {
	h := (text ^ uint64(tf)*0x9E3779B97F4A7C15) * 0xBF58476D1CE4E5B9
	return h ^ h>>29
}

func vectorSum(v TermVector) (sum uint64) {
	for _, t := range v.Terms {
		sum += termHash(textHash(t.Text), max(1, t.TF))
	}
	return sum
}
