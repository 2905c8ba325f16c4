// This file decides how a segment's dictionary is stored: blocks of about 8 KB
// with the sorted terms and, where they are short, their posting lists; and a
// sparse index with a separator per block.
//
//	term block = entries offsets(2 or 4 each) count(4) offset width(1)
//	entry      = term df list
//	list       = df < 128: per posting varint(gap<<1 | tf>1) [varint(tf-2)]
//	             else      0 chunk, or
//	                       1 list id, then per chunk last document(4) pairs(12)
//	sparse     = separators, one per term block in order: a string greater than
//	             every term before the block, and not greater than its first one

package bm25

import (
	"encoding/binary"
	"math"
)

const (
	termBlockBytes = 8 << 10
	smallList      = 128     // lists shorter than this are varints
	inlineBytes    = 2 << 10 // bigger encoded lists leave the term block
	sparseBytes    = 64 << 10
	listInline     = 0
	listChunked    = 1
	refBytes       = 16
)

// termInfo is a term's posting list in one segment; immutable.
type termInfo struct {
	df        uint32
	docs, tfs []uint32 // df < smallList
	inline    *chunk   // one chunk inside the term block
	list      uint32   // id of a list kept outside, with one ref per chunk
	refs      []chunkRef
	cost      int // bytes of memory, about
}

// chunkRef is the directory entry of a posting chunk.
type chunkRef struct {
	last  uint32
	pairs pairs
}

// appendSmall encodes a short list.
func appendSmall(dst []byte, docs, tfs []uint32) []byte {
	next := uint32(0)
	for i, d := range docs {
		gap := uint64(d-next) << 1
		next = d + 1
		if tfs[i] == 1 {
			dst = binary.AppendUvarint(dst, gap)
			continue
		}
		dst = binary.AppendUvarint(dst, gap|1)
		dst = binary.AppendUvarint(dst, uint64(tfs[i]-2))
	}
	return dst
}

// decodeSmall decodes a short list of df postings, all of b.
func decodeSmall(b []byte, df, limit uint32) (docs, tfs []uint32, err error) {
	if df == 0 || uint64(df) > uint64(len(b)) {
		return nil, nil, corrupt("posting list of %d in %d bytes", df, len(b))
	}
	both := make([]uint32, 2*df)
	docs, tfs = both[:df:df], both[df:]
	d := decoder{b: b}
	next := uint64(0)
	for i := range docs {
		v := d.uvarint()
		next += v >> 1
		if next >= uint64(limit) || v>>1 >= uint64(limit) {
			return nil, nil, corrupt("document %d in a segment of %d", next, limit)
		}
		docs[i], tfs[i] = uint32(next), 1
		if v&1 != 0 {
			tf := d.uint32()
			if tf > math.MaxUint32-2 {
				return nil, nil, corrupt("term frequency")
			}
			tfs[i] = tf + 2
		}
		next++
	}
	if !d.done() {
		return nil, nil, corrupt("posting list of %d in %d bytes", df, len(b))
	}
	return docs, tfs, nil
}

// termBlock is a parsed term block; it shares memory with the value.
type termBlock struct {
	entries []byte
	offsets []byte
	n       int
	wide    bool // offsets of 4 bytes
}

// parseTermBlock checks the offsets; entries are checked when they are read.
func parseTermBlock(b []byte) (*termBlock, error) {
	if len(b) < 5 {
		return nil, corrupt("term block of %d bytes", len(b))
	}
	n, width := binary.LittleEndian.Uint32(b[len(b)-5:]), b[len(b)-1]
	if width != 2 && width != 4 || n == 0 || uint64(n)*uint64(width) > uint64(len(b)-5) {
		return nil, corrupt("term block of %d entries in %d bytes", n, len(b))
	}
	at := len(b) - 5 - int(n)*int(width)
	t := &termBlock{entries: b[:at:at], offsets: b[at : len(b)-5], n: int(n), wide: width == 4}
	if t.offset(0) != 0 {
		return nil, corrupt("term block offsets")
	}
	for i := range t.n {
		if t.offset(i) >= t.offset(i+1) {
			return nil, corrupt("term block offsets")
		}
	}
	return t, nil
}

func (t *termBlock) offset(i int) int {
	switch {
	case i == t.n:
		return len(t.entries)
	case t.wide:
		return int(binary.LittleEndian.Uint32(t.offsets[4*i:]) & math.MaxInt32)
	}
	return int(binary.LittleEndian.Uint16(t.offsets[2*i:]))
}

// entry splits entry i into its term and the rest.
func (t *termBlock) entry(i int) (term, rest []byte) {
	from, to := t.offset(i), t.offset(i+1)
	if to > len(t.entries) {
		return nil, nil
	}
	d := decoder{b: t.entries[from:to]}
	return d.text(), d.b
}

// find returns what follows the term in its entry, nil if it isn't there.
func (t *termBlock) find(term string) []byte {
	lo, hi := 0, t.n
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if string(t.term(mid)) < term {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == t.n {
		return nil
	}
	if e, rest := t.entry(lo); string(e) == term {
		return rest
	}
	return nil
}

// term is the term of entry i; of a damaged one it may be anything.
func (t *termBlock) term(i int) []byte {
	e := t.entries[t.offset(i):]
	if n := int(e[0]); n < 0x80 && n < len(e) {
		return e[1 : 1+n]
	}
	term, _ := t.entry(i)
	return term
}

// decodeList decodes what follows the term in an entry; nothing of the result
// shares memory with rest.
func decodeList(rest []byte, m *segmentMeta) (*termInfo, error) {
	d := decoder{b: rest}
	df := d.uint32()
	if d.bad || df == 0 || df > m.docs {
		return nil, corrupt("term with %d documents of %d", df, m.docs)
	}
	if df < smallList {
		docs, tfs, err := decodeSmall(d.b, df, m.docs)
		return &termInfo{df: df, docs: docs, tfs: tfs, cost: 8 * len(docs)}, err
	}
	kind := d.bytes(1)
	if d.bad || kind[0] > listChunked {
		return nil, corrupt("unknown kind of posting list")
	}
	if kind[0] == listInline {
		c, err := parseChunk(append([]byte(nil), d.b...), m.docs)
		if err == nil && c.postings() != int(df) {
			err = corrupt("term with %d documents, %d in its list", df, c.postings())
		}
		return &termInfo{df: df, inline: &c, cost: len(d.b)}, err
	}
	return decodeRefs(&d, df, m)
}

func decodeRefs(d *decoder, df uint32, m *segmentMeta) (*termInfo, error) {
	t := &termInfo{df: df, list: d.uint32(), cost: len(d.b)}
	if d.bad || t.list >= m.lists || len(d.b) == 0 || len(d.b)%refBytes != 0 {
		return nil, corrupt("reference to posting list %d", t.list)
	}
	t.refs = make([]chunkRef, len(d.b)/refBytes)
	prev := noDoc
	for i := range t.refs {
		b := d.bytes(refBytes)
		t.refs[i] = chunkRef{last: binary.LittleEndian.Uint32(b), pairs: pairs(b[4:])}
		if t.refs[i].last >= m.docs || prev != noDoc && t.refs[i].last <= prev {
			return nil, corrupt("directory of posting list %d", t.list)
		}
		prev = t.refs[i].last
	}
	return t, nil
}

// termWriter writes a segment's dictionary and posting lists; terms come in
// ascending order.
type termWriter struct {
	put  func(ref valueRef, body []byte) error // body begins with the format byte
	meta *segmentMeta
	lens []uint32 // by document

	block   []byte // entries so far
	offsets []uint32
	first   string // separator of the block being filled
	prev    []byte // last term
	sparse  []byte
	scratch []byte
	entry   []byte
}

// add appends a term; docs ascend.
func (w *termWriter) add(term string, docs, tfs []uint32) error {
	w.entry = appendText(w.entry[:0], term)
	w.entry = binary.AppendUvarint(w.entry, uint64(len(docs)))
	if len(docs) < smallList {
		w.entry = appendSmall(w.entry, docs, tfs)
	} else if err := w.addLong(docs, tfs); err != nil {
		return err
	}
	if len(w.offsets) > 0 && len(w.block)+len(w.entry) > termBlockBytes {
		if err := w.flush(); err != nil {
			return err
		}
	}
	if len(w.offsets) == 0 {
		w.first = separator(string(w.prev), term)
	}
	w.offsets = append(w.offsets, uint32(len(w.block)))
	w.block = append(w.block, w.entry...)
	w.prev = append(w.prev[:0], term...)
	w.meta.terms++
	w.meta.postings += uint64(len(docs))
	return nil
}

// addLong puts a list of 128 and more into the entry or beside it.
func (w *termWriter) addLong(docs, tfs []uint32) error {
	chunk, n, all := appendChunk(append(w.scratch[:0], formatV1), noDoc, docs, tfs, w.lens)
	w.scratch = chunk
	if n == len(docs) && len(chunk) <= inlineBytes {
		w.entry = append(append(w.entry, listInline), chunk[1:]...)
		return nil
	}
	list := w.meta.lists
	w.meta.lists++
	w.entry = binary.AppendUvarint(append(w.entry, listChunked), uint64(list))
	for m := uint32(0); ; m++ {
		if err := w.put(valueRef{seg: w.meta.id, kind: kindPostings, n: list, m: m}, w.scratch); err != nil {
			return err
		}
		last := docs[n-1]
		p := all.encode()
		w.entry = append(binary.LittleEndian.AppendUint32(w.entry, last), p[:]...)
		if docs, tfs = docs[n:], tfs[n:]; len(docs) == 0 {
			return nil
		}
		w.scratch, n, all = appendChunk(append(w.scratch[:0], formatV1), last, docs, tfs, w.lens)
	}
}

// flush writes the block being filled.
func (w *termWriter) flush() error {
	body := append(append(w.scratch[:0], formatV1), w.block...)
	width := byte(2)
	if len(w.block) > math.MaxUint16 {
		width = 4
	}
	for _, off := range w.offsets {
		if width == 2 {
			body = binary.LittleEndian.AppendUint16(body, uint16(off))
		} else {
			body = binary.LittleEndian.AppendUint32(body, off)
		}
	}
	body = append(binary.LittleEndian.AppendUint32(body, uint32(len(w.offsets))), width)
	w.scratch = body
	if err := w.put(valueRef{seg: w.meta.id, kind: kindTerms, n: w.meta.blocks}, body); err != nil {
		return err
	}
	w.meta.blocks++
	w.block, w.offsets = w.block[:0], w.offsets[:0]
	if len(w.sparse) == 0 {
		w.sparse = append(w.sparse, formatV1)
	}
	if w.sparse = appendText(w.sparse, w.first); len(w.sparse) >= sparseBytes {
		return w.flushSparse()
	}
	return nil
}

func (w *termWriter) flushSparse() error {
	err := w.put(valueRef{seg: w.meta.id, kind: kindSparse, m: w.meta.sparseParts}, w.sparse)
	w.meta.sparseParts++
	w.sparse = w.sparse[:0]
	return err
}

// finish writes what is left.
func (w *termWriter) finish() error {
	if len(w.offsets) > 0 {
		if err := w.flush(); err != nil {
			return err
		}
	}
	if len(w.sparse) > 0 {
		return w.flushSparse()
	}
	return nil
}

// separator returns the shortest prefix of next that is greater than prev;
// prev < next, or next is the first term.
func separator(prev, next string) string {
	n := 0
	for n < len(prev) && n < len(next) && prev[n] == next[n] {
		n++
	}
	return next[:min(n+1, len(next))]
}
