// This file decides how a search walks a posting list: forward only, skipping
// chunks by the term's directory and blocks by the chunk's, and decoding a block
// only when a document of it matters.

package bm25

import (
	"math/bits"
	"sort"

	"github.com/contextforge-go/contextforge/kv"
)

// listReader walks one term's postings in one segment forward. Short lists are
// decoded already; of long ones a block at a time is.
type listReader struct {
	r    kv.Reader
	seg  *segment
	info *termInfo
	ci   int    // chunk
	ch   *chunk // chunk ci, nil if not read yet
	bi   int    // block of it
	docs []uint32
	pos  int  // first document of docs not passed
	have bool // docs is block bi

	// What find knows of the block it is in.
	end    uint32 // last document
	inside bool
	base   uint32 // document before the bitmaps' first bits
	stored []byte // the block's own bitmap, nil if it has none
	finds  int    // look-ups in the block
	spread bool   // bitmap holds the block
	freqs  []byte
	width  uint8 // of freqs

	buf    [blockDocs]uint32
	tmp    unpackBuf
	bitmap [spreadDocs / 64]uint64
	before [spreadDocs / 64]uint8 // ones in the words before
}

const (
	// spreadDocs is the range of ids that a block may span for find to spread
	// its documents into a bitmap, which answers with one test.
	spreadDocs = 4096
	// spreadFinds look-ups in a block are made before that is worth it.
	spreadFinds = 8
)

func (l *listReader) reset(r kv.Reader, seg *segment, info *termInfo) {
	l.r, l.seg, l.info = r, seg, info
	l.ci, l.bi, l.pos, l.have, l.inside = 0, 0, 0, false, false
	l.ch, l.docs = info.inline, info.docs
}

// seekChunk moves to the chunk in which d lies or would lie; false means that
// all documents are smaller.
func (l *listReader) seekChunk(d uint32) bool {
	if l.info.inline != nil {
		return l.ch.last(l.ch.blocks-1) >= d
	}
	refs := l.info.refs
	if l.ci < len(refs) && refs[l.ci].last >= d {
		return true
	}
	for l.ci++; l.ci < len(refs) && refs[l.ci].last < d; l.ci++ {
	}
	l.ch, l.bi, l.have = nil, 0, false
	return l.ci < len(refs)
}

// read reads the chunk moved to.
func (l *listReader) read() error {
	if l.ch != nil {
		return nil
	}
	c, err := l.seg.chunk(l.r, l.info.list, uint32(l.ci))
	if err != nil {
		return err
	}
	l.ch = c
	return l.info.checkChunk(c, l.ci)
}

// seekBlock moves to the block in which d lies or would lie; the chunk is read
// and doesn't end before d.
func (l *listReader) seekBlock(d uint32) {
	if l.ch.last(l.bi) >= d {
		return
	}
	l.have = false
	bi := l.bi + 1
	if bi+8 < l.ch.blocks && l.ch.last(bi+7) < d {
		bi += 8 + sort.Search(l.ch.blocks-bi-9, func(i int) bool { return l.ch.last(bi+8+i) >= d })
	}
	for l.ch.last(bi) < d {
		bi++
	}
	l.bi = bi
}

// decode decodes the block moved to.
func (l *listReader) decode() error {
	if l.have {
		return nil
	}
	docs, err := l.ch.docs(l.bi, &l.buf, &l.tmp)
	if err != nil {
		return err
	}
	l.docs, l.pos, l.have = docs, 0, true
	return nil
}

// skip moves pos to the first decoded document ≥ d.
func (l *listReader) skip(d uint32) {
	docs, pos := l.docs, l.pos
	for step := 1; pos < len(docs) && docs[pos] < d; step *= 2 {
		l.pos = pos + 1
		pos += step
	}
	end := min(pos, len(docs))
	for lo := l.pos; lo < end; {
		mid := int(uint(lo+end) / 2)
		if docs[mid] < d {
			lo = mid + 1
		} else {
			end = mid
		}
	}
	l.pos = end
}

// find looks document d up, which must not be smaller than one before; tf1 is
// its frequency less one.
func (l *listReader) find(d uint32) (tf1 uint32, ok bool, err error) {
	if l.info.docs != nil {
		l.skip(d)
		if l.pos == len(l.docs) || l.docs[l.pos] != d {
			return 0, false, nil
		}
		return l.info.tfs[l.pos] - 1, true, nil
	}
	if !l.inside || d > l.end {
		if ok, err := l.enter(d); !ok {
			return 0, false, err
		}
	}
	at, ok := l.place(d)
	if ok && l.width > 0 {
		tf1 = packedAt(l.freqs, at, l.width)
	}
	return tf1, ok, nil
}

// place looks d up in the block it lies in; at is only right if the block has
// frequencies.
func (l *listReader) place(d uint32) (at int, ok bool) {
	bit := d - l.base - 1
	switch {
	case l.stored != nil:
		if l.stored[bit>>3]>>(bit&7)&1 == 0 {
			return 0, false
		}
		if l.width > 0 {
			at = countBits(l.stored, int(bit))
		}
		return at, true
	case l.spread:
		w := bit / 64 % (spreadDocs / 64)
		if l.bitmap[w]>>(bit%64)&1 == 0 {
			return 0, false
		}
		return int(l.before[w]) + bits.OnesCount64(l.bitmap[w]&(1<<(bit%64)-1)), true
	}
	if l.finds++; l.finds == spreadFinds && l.end-l.base <= spreadDocs {
		l.spreadBits()
	}
	l.skip(d)
	return l.pos, l.docs[l.pos] == d
}

// enter moves to the block in which d lies or would lie and prepares it for
// find; false without an error means that all documents are smaller.
func (l *listReader) enter(d uint32) (bool, error) {
	if l.inside = false; !l.seekChunk(d) {
		return false, nil
	}
	if err := l.read(); err != nil {
		return false, err
	}
	l.seekBlock(d)
	l.base, l.end = l.ch.baseOf(l.bi), l.ch.last(l.bi)
	l.stored, l.spread, l.finds = nil, false, 0
	if l.ch.coding(l.bi) == codingBitmap {
		l.stored = l.ch.data[l.ch.offset(l.bi):][:l.ch.docBytes(l.bi)]
	} else if err := l.decode(); err != nil {
		return false, err
	}
	l.freqs, l.width, l.inside = l.ch.freqs(l.bi), l.ch.freqWidth(l.bi), true
	return true, nil
}

// spreadBits makes a bitmap of the decoded block.
func (l *listReader) spreadBits() {
	l.spread = true
	words := (l.end-l.base-1)/64 + 1
	clear(l.bitmap[:words])
	for _, d := range l.docs {
		bit := d - l.base - 1
		l.bitmap[bit/64%(spreadDocs/64)] |= 1 << (bit % 64)
	}
	ones := 0
	for w := range words {
		l.before[w] = uint8(ones)
		ones += bits.OnesCount64(l.bitmap[w])
	}
}

// cursor is a query term in the segment being searched.
type cursor struct {
	w      float64 // weight of the term
	most   float64 // upper bound of its contributions in the range searched
	window float64 // the same in the current window
	maxTF  uint32  // greatest frequency in the window, 255 for more
	acc    listReader
	look   listReader // lags behind or runs ahead of acc
	slot   int        // place in query order among the segment's cursors
	small  []float64  // contributions of a short list's postings in the range
	first  int        // posting that small begins with
}

func (c *cursor) reset(r kv.Reader, seg *segment, info *termInfo, w float64) {
	c.w, c.most, c.window = w, 0, 0
	c.acc.reset(r, seg, info)
	c.look.reset(r, seg, info)
	c.small = c.small[:0]
}

// setMost bounds the contributions in [lo, hi), in which all windows will lie.
func (c *cursor) setMost(t *satTable, lens []uint32, lo, hi uint32) {
	info := c.acc.info
	if info.docs != nil {
		c.acc.skip(lo)
		for c.first = c.acc.pos; c.first+len(c.small) < len(info.docs); {
			i := c.first + len(c.small)
			if info.docs[i] >= hi {
				break
			}
			x := float64(c.w * t.sat(info.tfs[i]-1, lens[info.docs[i]]))
			c.small = append(c.small, x)
			c.most = max(c.most, x)
		}
		return
	}
	c.most, _ = c.windowBound(t, lo, hi)
}

// windowBound bounds the contributions of documents in [a, b) and the term's
// frequency in them; a ascends from call to call.
func (c *cursor) windowBound(t *satTable, a, b uint32) (most float64, maxTF uint32) {
	l := &c.acc
	if l.info.docs != nil {
		l.skip(a)
		for i := l.pos; i < len(l.docs) && l.docs[i] < b; i++ {
			most, maxTF = max(most, c.small[i-c.first]), max(maxTF, min(l.info.tfs[i], 255))
		}
		return most, maxTF
	}
	if !l.seekChunk(a) {
		return 0, 0
	}
	c.borrow()
	if l.ch != nil {
		l.seekBlock(a)
		for i := l.bi; i < l.ch.blocks && l.ch.baseOf(i)+1 < b; i++ {
			x, tf := t.bound(l.ch.pairs(i))
			most, maxTF = max(most, x), max(maxTF, tf)
		}
	}
	refs := l.info.refs
	for m := l.ci; m < len(refs) && (m == 0 || refs[m-1].last+1 < b); m++ {
		if m > l.ci || l.ch == nil {
			x, tf := t.bound(&refs[m].pairs)
			most, maxTF = max(most, x), max(maxTF, tf)
		}
	}
	return float64(c.w * most), maxTF
}

// borrow takes the chunk over that look has read, or one that the cache holds.
func (c *cursor) borrow() {
	if c.acc.ch == nil && c.look.ci == c.acc.ci && c.look.ch != nil {
		c.acc.ch = c.look.ch
	}
}

// next is a lower bound of the next document ≥ a, false if there is none.
func (c *cursor) next(a uint32) (uint32, bool) {
	l := &c.acc
	if l.info.docs != nil {
		l.skip(a)
		if l.pos == len(l.docs) {
			return 0, false
		}
		return l.docs[l.pos], true
	}
	if !l.seekChunk(a) {
		return 0, false
	}
	c.borrow()
	if l.ch == nil {
		if l.ci == 0 {
			return a, true
		}
		return max(a, l.info.refs[l.ci-1].last+1), true
	}
	l.seekBlock(a)
	return max(a, l.ch.baseOf(l.bi)+1), true
}

// contribution returns what the term adds to the score of document d, 0 if it
// isn't in it; d must not descend.
func (c *cursor) contribution(t *satTable, lens []uint32, d uint32) (float64, error) {
	tf1, ok, err := c.look.find(d)
	if !ok || err != nil {
		return 0, err
	}
	return float64(c.w * t.sat(tf1, lens[d])), nil
}
