// This file decides what a segment is at run time: an immutable set of
// documents whose columns and lists are read when a search first needs them.

package bm25

import (
	"encoding/binary"
	"sort"

	"github.com/contextforge-go/contextforge/kv"
)

// segment is one segment. Its stored values never change; only its log of dead
// documents grows.
type segment struct {
	segmentMeta
	env  *env
	dead deadLog

	core     lazy[coreColumns]
	rows     lazy[rowTable]
	expiries lazy[expiryColumns]
	ids      lazy[[]*idPage]
	locals   lazy[localIndex]
}

// env is what all segments of an index share.
type env struct {
	keys        keyspace
	cache       *blockCache
	residentIDs bool
}

// scopeStep documents share a start of the search for their scope.
const scopeStep = 64

// coreColumns is what every search needs.
type coreColumns struct {
	lens   []uint32
	scopes []scopeRange // ascending names, contiguous ranges
	starts []uint32     // by local/scopeStep: scope of the first document
	sparse []string     // separators of the term blocks
}

// scopeRange says that the documents of a scope are those from lo to hi-1, and
// what their lengths add up to, dead ones included.
type scopeRange struct {
	name   string
	lo, hi uint32
	tokens uint64
}

type expiryColumns struct{ expires, sec, nsec intColumn }

func (s *segment) column(r kv.Reader, c uint32) (intColumn, error) {
	var col intColumn
	for left := int(s.docs); left > 0; left -= intPageDocs {
		ref := valueRef{seg: s.id, kind: kindColumn, n: c, m: uint32(len(col))}
		b, err := s.env.keys.fetch(r, ref)
		if err != nil {
			return nil, err
		}
		p, err := parseIntPage(b, min(left, intPageDocs))
		if err != nil {
			return nil, err
		}
		col = append(col, p)
	}
	return col, nil
}

// columns reads several columns.
func (s *segment) columns(r kv.Reader, first uint32, into ...*intColumn) error {
	for i, col := range into {
		c, err := s.column(r, first+uint32(i))
		if err != nil {
			return err
		}
		*col = c
	}
	return nil
}

// strings reads a table of strings; visit gets each one and the decoder that
// stands behind it. The strings of a page share memory.
func (s *segment) strings(r kv.Reader, ref valueRef, parts uint32, visit func(text string, d *decoder) bool) error {
	for ref.m < parts {
		b, err := s.env.keys.fetch(r, ref)
		if err != nil {
			return err
		}
		d, page := decoder{b: b}, string(b)
		for len(d.b) > 0 {
			n := len(d.text())
			end := len(page) - len(d.b)
			if d.bad || !visit(page[end-n:end], &d) || d.bad {
				return corrupt("segment %d, table %c%d.%d", s.id, ref.kind, ref.n, ref.m)
			}
		}
		ref.m++
	}
	return nil
}

func (s *segment) loadCore(r kv.Reader) (*coreColumns, error) {
	c := &coreColumns{}
	col, err := s.column(r, colLength)
	if err != nil {
		return nil, err
	}
	c.lens = make([]uint32, s.docs)
	for i := range c.lens {
		c.lens[i] = uint32(col.at(uint32(i)))
	}
	lo := uint32(0)
	err = s.strings(r, valueRef{seg: s.id, kind: kindColumn, n: colScopes}, s.scopeParts, func(text string, d *decoder) bool {
		sr := scopeRange{name: text, lo: lo, hi: d.uint32()}
		if sr.hi <= lo || sr.hi > s.docs || len(c.scopes) > 0 && text <= c.scopes[len(c.scopes)-1].name {
			return false
		}
		for ; lo < sr.hi; lo++ {
			if sr.tokens += uint64(c.lens[lo]); lo%scopeStep == 0 {
				c.starts = append(c.starts, uint32(len(c.scopes)))
			}
		}
		c.scopes = append(c.scopes, sr)
		return true
	})
	if err == nil && lo != s.docs {
		err = corrupt("segment %d: scopes end at %d of %d", s.id, lo, s.docs)
	}
	if err != nil {
		return nil, err
	}
	err = s.strings(r, valueRef{seg: s.id, kind: kindSparse}, s.sparseParts, func(text string, _ *decoder) bool {
		ok := len(c.sparse) == 0 || text > c.sparse[len(c.sparse)-1]
		c.sparse = append(c.sparse, text)
		return ok
	})
	if err == nil && uint64(len(c.sparse)) != uint64(s.blocks) {
		err = corrupt("segment %d: %d of %d term blocks indexed", s.id, len(c.sparse), s.blocks)
	}
	return c, err
}

func (s *segment) getCore(r kv.Reader) (*coreColumns, error) {
	if c := s.core.v.Load(); c != nil {
		return c, nil
	}
	return s.core.get(func() (*coreColumns, error) { return s.loadCore(r) })
}

func (s *segment) getExpiries(r kv.Reader) (*expiryColumns, error) {
	return s.expiries.get(func() (*expiryColumns, error) {
		e := &expiryColumns{}
		return e, s.columns(r, colExpires, &e.expires, &e.sec, &e.nsec)
	})
}

// names reads a table of strings.
func (s *segment) names(r kv.Reader, table, parts uint32) (names []string, err error) {
	err = s.strings(r, valueRef{seg: s.id, kind: kindColumn, n: table}, parts, func(text string, _ *decoder) bool {
		names = append(names, text)
		return true
	})
	return names, err
}

// scopeOf returns the documents of a scope.
func (c *coreColumns) scopeOf(name string) (lo, hi uint32) {
	sr := c.scope(name)
	return sr.lo, sr.hi
}

// scope returns a scope, an empty range if there is none of the name.
func (c *coreColumns) scope(name string) scopeRange {
	i := sort.Search(len(c.scopes), func(i int) bool { return c.scopes[i].name >= name })
	if i < len(c.scopes) && c.scopes[i].name == name {
		return c.scopes[i]
	}
	return scopeRange{}
}

// scopeAt returns the scope of a document.
func (c *coreColumns) scopeAt(local uint32) *scopeRange {
	i := c.starts[local/scopeStep]
	for c.scopes[i].hi <= local {
		i++
	}
	return &c.scopes[i]
}

// idOf returns the id of a document; it shares memory with a page.
func (s *segment) idOf(r kv.Reader, local uint32) ([]byte, error) {
	page := local / idPageDocs
	if !s.env.residentIDs {
		p, err := s.idPage(r, page)
		if err != nil {
			return nil, err
		}
		return p.at(local % idPageDocs), nil
	}
	pages := s.ids.v.Load()
	if pages == nil {
		var err error
		if pages, err = s.ids.get(func() (*[]*idPage, error) { return s.loadIDs(r) }); err != nil {
			return nil, err
		}
	}
	return (*pages)[page].at(local % idPageDocs), nil
}

func (s *segment) loadIDs(r kv.Reader) (*[]*idPage, error) {
	var pages []*idPage
	for page := uint32(0); page*idPageDocs < s.docs; page++ {
		p, err := s.readIDPage(r, page)
		if err != nil {
			return nil, err
		}
		pages = append(pages, p)
	}
	return &pages, nil
}

func (s *segment) readIDPage(r kv.Reader, page uint32) (*idPage, error) {
	b, err := s.env.keys.fetch(r, valueRef{seg: s.id, kind: kindColumn, n: colIDs, m: page})
	if err != nil {
		return nil, err
	}
	return parseIDPage(b, int(min(s.docs-page*idPageDocs, idPageDocs)))
}

// idPage reads an id page through the cache.
func (s *segment) idPage(r kv.Reader, page uint32) (*idPage, error) {
	ref := valueRef{seg: s.id, kind: kindColumn, n: colIDs, m: page}
	if p, ok := s.env.cache.get(ref).(*idPage); ok {
		return p, nil
	}
	p, err := s.readIDPage(r, page)
	if err == nil {
		s.env.cache.put(ref, p, len(p.data)+len(p.offsets))
	}
	return p, err
}

// chunk reads a posting chunk through the cache.
func (s *segment) chunk(r kv.Reader, list, m uint32) (*chunk, error) {
	ref := valueRef{seg: s.id, kind: kindPostings, n: list, m: m}
	if c, ok := s.env.cache.get(ref).(*chunk); ok {
		return c, nil
	}
	c, err := s.readChunk(r, ref)
	if err == nil {
		s.env.cache.put(ref, c, len(c.data)+len(c.dir))
	}
	return c, err
}

func (s *segment) readChunk(r kv.Reader, ref valueRef) (*chunk, error) {
	b, err := s.env.keys.fetch(r, ref)
	if err != nil {
		return nil, err
	}
	c, err := parseChunk(b, s.docs)
	return &c, err
}

// termBlock reads a term block through the cache.
func (s *segment) termBlock(r kv.Reader, n uint32) (*termBlock, error) {
	ref := valueRef{seg: s.id, kind: kindTerms, n: n}
	if t, ok := s.env.cache.get(ref).(*termBlock); ok {
		return t, nil
	}
	t, err := s.readTermBlock(r, n)
	if err == nil {
		s.env.cache.put(ref, t, len(t.entries)+len(t.offsets))
	}
	return t, err
}

func (s *segment) readTermBlock(r kv.Reader, n uint32) (*termBlock, error) {
	b, err := s.env.keys.fetch(r, valueRef{seg: s.id, kind: kindTerms, n: n})
	if err != nil {
		return nil, err
	}
	return parseTermBlock(b)
}

// lookup returns a term's postings, nil if the segment doesn't have it.
func (s *segment) lookup(r kv.Reader, term string) (*termInfo, error) {
	core, err := s.getCore(r)
	if err != nil {
		return nil, err
	}
	n := sort.Search(len(core.sparse), func(i int) bool { return core.sparse[i] > term })
	if n == 0 {
		return nil, nil
	}
	block, err := s.termBlock(r, uint32(n-1))
	if err != nil {
		return nil, err
	}
	rest := block.find(term)
	if rest == nil {
		return nil, nil
	}
	return decodeList(rest, &s.segmentMeta)
}

// localIndex finds documents by number. Numbers are nearly contiguous, so it
// is a plain array unless many are missing.
type localIndex struct {
	min    uint64
	dense  []uint32 // by num-min: local id + 1
	sorted []uint32 // local ids in the order of num
	rows   *rowTable
}

func (s *segment) getLocals(r kv.Reader) (*localIndex, error) {
	if x := s.locals.v.Load(); x != nil {
		return x, nil
	}
	rows, err := s.getRows(r)
	if err != nil {
		return nil, err
	}
	return s.locals.get(func() (*localIndex, error) { return s.buildLocals(rows) })
}

func (s *segment) buildLocals(rows *rowTable) (*localIndex, error) {
	x := &localIndex{min: s.minNum, rows: rows}
	for i := range s.docs {
		if n := rows.num(i); n < s.minNum || n > s.maxNum {
			return nil, corrupt("segment %d: document number %d", s.id, n)
		}
	}
	if span := s.maxNum - s.minNum; span < 4*uint64(s.docs) {
		x.dense = make([]uint32, span+1)
		for i := range s.docs {
			x.dense[rows.num(i)-x.min] = i + 1
		}
		return x, nil
	}
	x.sorted = make([]uint32, s.docs)
	for i := range x.sorted {
		x.sorted[i] = uint32(i)
	}
	sort.Slice(x.sorted, func(i, j int) bool { return rows.num(x.sorted[i]) < rows.num(x.sorted[j]) })
	return x, nil
}

// find returns the local id of document num.
func (x *localIndex) find(num uint64) (uint32, bool) {
	if x.dense != nil {
		if num < x.min || num-x.min >= uint64(len(x.dense)) {
			return 0, false
		}
		at := x.dense[num-x.min]
		return at - 1, at > 0
	}
	i := sort.Search(len(x.sorted), func(i int) bool { return x.rows.num(x.sorted[i]) >= num })
	if i == len(x.sorted) || x.rows.num(x.sorted[i]) != num {
		return 0, false
	}
	return x.sorted[i], true
}

// tombstone encodes the value kept for a dead document: its terms, sorted.
func tombstone(v TermVector) []byte {
	terms := append([]Term(nil), v.Terms...)
	sort.Slice(terms, func(i, j int) bool { return terms[i].Text < terms[j].Text })
	b := binary.AppendUvarint([]byte{formatV1}, uint64(v.Length))
	b = binary.AppendUvarint(b, uint64(len(terms)))
	for _, t := range terms {
		b = binary.AppendUvarint(appendText(b, t.Text), uint64(t.TF))
	}
	return seal(b)
}

func decodeTombstone(value []byte) (TermVector, error) {
	body, err := unseal(value)
	if err != nil {
		return TermVector{}, err
	}
	d := decoder{b: body}
	v := TermVector{Length: d.uint32()}
	n := d.uvarint()
	if n > uint64(len(d.b)) {
		return TermVector{}, corrupt("tombstone of %d terms in %d bytes", n, len(d.b))
	}
	v.Terms = make([]Term, 0, n)
	for range n {
		v.Terms = append(v.Terms, Term{Text: string(d.text()), TF: d.uint32()})
	}
	if !d.done() {
		return TermVector{}, corrupt("tombstone")
	}
	return v, nil
}
