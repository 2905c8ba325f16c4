// This file decides how a long posting list is stored: chunks of up to 64
// blocks with a directory that lets a search skip blocks without reading them.
//
//	chunk      = blocks(1) last block's postings(1) base(4) directory data
//	directory  = blocks × [ last document(4) offset(2) document coding(1)
//	             frequency width(1) 4 × [ max frequency(1) min length(2) ] ]
//	data       = per block: documents, then frequencies-1, each bit-packed
//
// A block's documents are gaps of the width given by its coding, or, when
// that is shorter, a bitmap (coding 0x80) from the document after the
// preceding block's last one to its own last one.

package bm25

import (
	"encoding/binary"
	"math/bits"
)

const (
	chunkBlocks    = 64
	chunkHeader    = 6
	dirEntry       = 20
	dirPairs       = 8        // offset of the pairs in an entry
	chunkDataLimit = 31 << 10 // a chunk ends with the block that passes it
	codingBitmap   = 0x80
	noDoc          = ^uint32(0) // "before the first document"
)

// pairs is the Pareto frontier of (maximum frequency, minimum length) of some
// postings: no posting has both a greater frequency and a shorter document
// than one of the pairs. Frequencies saturate at 255, which stands for
// any, lengths at 65,535. Unused pairs are zero.
type pairs [12]byte

func (p *pairs) tf(i int) uint32     { return uint32(p[i*3]) }
func (p *pairs) length(i int) uint32 { return uint32(p[i*3+1]) | uint32(p[i*3+2])<<8 }

// frontier collects pairs, ascending in both parts.
type frontier struct {
	tf, length [5]uint32
	n          int
}

// add takes a posting in. Beyond four pairs the two whose frequencies are
// closest become one that dominates both.
func (f *frontier) add(tf, length uint32) {
	tf, length = min(tf, 255), min(length, 65535)
	for i := range f.n {
		if f.tf[i] >= tf && f.length[i] <= length {
			return
		}
	}
	k := 0
	for i := range f.n { // drop what the new pair dominates
		if f.tf[i] <= tf && f.length[i] >= length {
			continue
		}
		f.tf[k], f.length[k] = f.tf[i], f.length[i]
		k++
	}
	at := k
	for ; at > 0 && f.tf[at-1] > tf; at-- {
		f.tf[at], f.length[at] = f.tf[at-1], f.length[at-1]
	}
	f.tf[at], f.length[at] = tf, length
	if f.n = k + 1; f.n > 4 {
		f.shrink()
	}
}

func (f *frontier) shrink() {
	best := 0
	for i := 1; i+1 < f.n; i++ {
		if f.tf[i+1]-f.tf[i] < f.tf[best+1]-f.tf[best] {
			best = i
		}
	}
	f.tf[best] = f.tf[best+1] // the shorter length of the two is already there
	copy(f.tf[best+1:], f.tf[best+2:])
	copy(f.length[best+1:], f.length[best+2:])
	f.n--
}

func (f *frontier) merge(g *frontier) {
	for i := range g.n {
		f.add(g.tf[i], g.length[i])
	}
}

func (f *frontier) encode() (p pairs) {
	for i := range f.n {
		p[i*3], p[i*3+1], p[i*3+2] = byte(f.tf[i]), byte(f.length[i]), byte(f.length[i]>>8)
	}
	return p
}

// covers reports whether some pair dominates the posting.
func (p *pairs) covers(tf, length uint32) bool {
	tf, length = min(tf, 255), min(length, 65535)
	for i := range 4 {
		if p.tf(i) >= tf && p.length(i) <= length {
			return true
		}
	}
	return false
}

// appendChunk encodes as many of the postings as fit one chunk, and returns
// how many those are and what dominates them. base is the last document of
// the chunk before, lens the length of every document of the segment.
func appendChunk(dst []byte, base uint32, docs, tfs, lens []uint32) ([]byte, int, frontier) {
	nb := min((len(docs)+blockDocs-1)/blockDocs, chunkBlocks)
	dir := len(dst) + chunkHeader
	dst = append(dst, make([]byte, chunkHeader+nb*dirEntry)...)
	binary.LittleEndian.PutUint32(dst[dir-4:], base)
	data := len(dst)
	var all frontier
	var bi, done int
	for bi < nb && len(dst)-data < chunkDataLimit {
		n := min(blockDocs, len(docs)-done)
		entry := [dirEntry]byte{}
		binary.LittleEndian.PutUint16(entry[4:], uint16(len(dst)-data))
		dst = appendBlock(dst, &entry, base, docs[done:done+n], tfs[done:done+n])
		var f frontier
		for i := done; i < done+n; i++ {
			f.add(tfs[i], lens[docs[i]])
		}
		p := f.encode()
		copy(entry[dirPairs:], p[:])
		copy(dst[dir+bi*dirEntry:], entry[:])
		all.merge(&f)
		base = docs[done+n-1]
		done += n
		bi++
	}
	if bi < nb { // ended by size: close the gap in the directory
		dst = append(dst[:dir+bi*dirEntry], dst[data:]...)
	}
	dst[dir-6], dst[dir-5] = byte(bi), byte((done-1)%blockDocs+1)
	return dst, done, all
}

// appendBlock encodes one block and fills in its directory entry but for the
// offset and the pairs.
func appendBlock(dst []byte, entry *[dirEntry]byte, base uint32, docs, tfs []uint32) []byte {
	var gaps, freqs [blockDocs]uint32
	var anyGap, anyFreq uint32
	prev := base
	for i, d := range docs {
		gaps[i], freqs[i] = d-prev-1, tfs[i]-1
		anyGap |= gaps[i]
		anyFreq |= freqs[i]
		prev = d
	}
	width, span := uint8(bits.Len32(anyGap)), int(prev-base)
	binary.LittleEndian.PutUint32(entry[0:], prev)
	entry[6], entry[7] = width, uint8(bits.Len32(anyFreq))
	if width > 0 && (span+7)/8 <= packedSize(len(docs), width) {
		entry[6] = codingBitmap
		dst = appendBitmap(dst, base, span, docs)
	} else {
		dst = appendPacked(dst, gaps[:len(docs)], width)
	}
	return appendPacked(dst, freqs[:len(docs)], entry[7])
}

func appendBitmap(dst []byte, base uint32, span int, docs []uint32) []byte {
	at := len(dst)
	dst = append(dst, make([]byte, (span+7)/8)...)
	for _, d := range docs {
		bit := d - base - 1
		dst[at+int(bit>>3)] |= 1 << (bit & 7)
	}
	return dst
}

// chunk is a parsed and checked chunk; it shares memory with the value.
type chunk struct {
	dir, data []byte
	base      uint32
	blocks    int
	lastCount int // postings of the last block
}

// parseChunk checks everything a search relies on, except that the gaps of a
// block add up, which decoding it shows. limit is the segment's number of
// documents. The chunk must use all of b.
func parseChunk(b []byte, limit uint32) (chunk, error) {
	if len(b) < chunkHeader {
		return chunk{}, corrupt("posting chunk of %d bytes", len(b))
	}
	c := chunk{blocks: int(b[0]), lastCount: int(b[1]), base: binary.LittleEndian.Uint32(b[2:])}
	if c.blocks == 0 || c.blocks > chunkBlocks || c.lastCount == 0 || c.lastCount > blockDocs ||
		len(b) < chunkHeader+c.blocks*dirEntry || c.base != noDoc && c.base >= limit {
		return chunk{}, corrupt("posting chunk header")
	}
	c.dir = b[chunkHeader : chunkHeader+c.blocks*dirEntry : chunkHeader+c.blocks*dirEntry]
	c.data = b[chunkHeader+c.blocks*dirEntry:]
	end, next := 0, c.base+1
	for i := range c.blocks {
		size, ok := c.checkBlock(i, next, limit)
		if !ok || c.offset(i) != end {
			return chunk{}, corrupt("posting block %d", i)
		}
		if end += size; end > len(c.data) || !c.checkBitmap(i) {
			return chunk{}, corrupt("posting block %d", i)
		}
		next = c.last(i) + 1
	}
	if end != len(c.data) {
		return chunk{}, corrupt("posting chunk with %d bytes too many", len(c.data)-end)
	}
	return c, nil
}

// checkBlock checks block i, whose documents start at next or later, and gives
// the size of its data.
func (c *chunk) checkBlock(i int, next, limit uint32) (int, bool) {
	last, n := c.last(i), c.count(i)
	if last >= limit || last < next || last-next < uint32(n-1) || c.freqWidth(i) > 32 {
		return 0, false
	}
	if c.coding(i) == codingBitmap {
		if last-next >= 32*blockDocs {
			return 0, false
		}
	} else if c.coding(i) > 32 {
		return 0, false
	}
	return c.docBytes(i) + packedSize(n, c.freqWidth(i)), true
}

// checkBitmap checks that a bitmap has as many ones as the block postings,
// the last one at its end.
func (c *chunk) checkBitmap(i int) bool {
	if c.coding(i) != codingBitmap {
		return true
	}
	span := int(c.last(i) - c.baseOf(i))
	bm := c.data[c.offset(i) : c.offset(i)+(span+7)/8]
	if bm[(span-1)/8]>>((span-1)&7) != 1 {
		return false
	}
	return countBits(bm, span) == c.count(i)
}

func (c *chunk) last(i int) uint32 { return binary.LittleEndian.Uint32(c.dir[i*dirEntry:]) }
func (c *chunk) offset(i int) int  { return int(binary.LittleEndian.Uint16(c.dir[i*dirEntry+4:])) }
func (c *chunk) coding(i int) uint8 {
	return c.dir[i*dirEntry+6]
}
func (c *chunk) freqWidth(i int) uint8 { return c.dir[i*dirEntry+7] }

func (c *chunk) pairs(i int) *pairs {
	return (*pairs)(c.dir[i*dirEntry+dirPairs:])
}

// baseOf is the last document before block i.
func (c *chunk) baseOf(i int) uint32 {
	if i == 0 {
		return c.base
	}
	return c.last(i - 1)
}

func (c *chunk) count(i int) int {
	if i == c.blocks-1 {
		return c.lastCount
	}
	return blockDocs
}

// postings is the number of postings in the chunk.
func (c *chunk) postings() int { return (c.blocks-1)*blockDocs + c.lastCount }

// docBytes is the size of block i's documents.
func (c *chunk) docBytes(i int) int {
	if c.coding(i) == codingBitmap {
		return int(c.last(i)-c.baseOf(i)+7) / 8
	}
	return packedSize(c.count(i), c.coding(i))
}

// docs decodes the documents of block i into buf.
func (c *chunk) docs(i int, buf *[blockDocs]uint32, tmp *unpackBuf) ([]uint32, error) {
	n, base := c.count(i), c.baseOf(i)
	dst, src := buf[:n], c.data[c.offset(i):]
	if c.coding(i) == codingBitmap {
		unpackBits(dst, src[:c.docBytes(i)], base)
	} else if last := unpackGaps(dst, src, c.coding(i), base, tmp); last != uint64(c.last(i)) {
		return nil, corrupt("posting block %d ends at %d, not %d", i, last, c.last(i))
	}
	return dst, nil
}

// freqs is the packed frequencies of block i.
func (c *chunk) freqs(i int) []byte { return c.data[c.offset(i)+c.docBytes(i):] }

// tfs decodes the frequencies of block i, less one, into buf.
func (c *chunk) tfs(i int, buf *[blockDocs]uint32, tmp *unpackBuf) []uint32 {
	dst := buf[:c.count(i)]
	unpack(dst, c.freqs(i), c.freqWidth(i), tmp)
	return dst
}
