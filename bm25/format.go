// This file decides how the index's keys and its small values look; the drawing
// of all of them is in doc.go.

package bm25

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"

	"github.com/contextforge-go/contextforge/kv"
)

// formatV1 is the first byte of every value. History: 1 = first format.
const formatV1 = 1

// Second part of a key, after the prefix.
const (
	areaState = 'S'
	areaMeta  = 'G'
	areaData  = 'X'
)

// Kinds of values inside a segment's area.
const (
	kindColumn   = 'C'
	kindDead     = 'D'
	kindSparse   = 'I'
	kindPostings = 'P'
	kindTerms    = 'T'
)

// maxSegmentDocs bounds local document ids, so that id+1 never wraps.
const maxSegmentDocs = math.MaxInt32 - 1

// corrupt makes an error that matches kv.ErrCorrupt.
func corrupt(format string, args ...any) error {
	return fmt.Errorf("bm25: %s: %w", fmt.Sprintf(format, args...), kv.ErrCorrupt)
}

// keyspace builds the keys of one index.
type keyspace struct{ prefix []byte }

func (k keyspace) state() []byte {
	return append(k.prefix[:len(k.prefix):len(k.prefix)], areaState)
}

// meta is the key of a segment's description; all of them lie between
// meta(0) and metaEnd.
func (k keyspace) meta(seg uint32) []byte {
	return binary.BigEndian.AppendUint32(append(k.prefix[:len(k.prefix):len(k.prefix)], areaMeta), seg)
}

func (k keyspace) metaEnd() []byte {
	return append(k.prefix[:len(k.prefix):len(k.prefix)], areaMeta+1)
}

// data is the lower bound of a segment's values, data(seg+1) the upper one.
func (k keyspace) data(seg uint32) []byte {
	if seg == math.MaxUint32 {
		return append(k.prefix[:len(k.prefix):len(k.prefix)], areaData+1)
	}
	return binary.BigEndian.AppendUint32(append(k.prefix[:len(k.prefix):len(k.prefix)], areaData), seg)
}

func (k keyspace) dataEnd() []byte {
	return append(k.prefix[:len(k.prefix):len(k.prefix)], areaData+1)
}

// value is the key of a segment's value.
func (k keyspace) value(ref valueRef) []byte {
	key := make([]byte, 0, len(k.prefix)+15)
	key = append(append(key, k.prefix...), areaData)
	key = append(binary.BigEndian.AppendUint32(key, ref.seg), ref.kind)
	switch ref.kind {
	case kindColumn:
		return binary.BigEndian.AppendUint32(append(key, byte(ref.n)), ref.m)
	case kindPostings:
		return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(key, ref.n), ref.m)
	case kindSparse:
		return binary.BigEndian.AppendUint32(key, ref.m)
	}
	return binary.BigEndian.AppendUint32(key, ref.n)
}

// dead is the key of a tombstone; deadEnd bounds a segment's tombstones.
func (k keyspace) dead(seg uint32, num uint64) []byte {
	return binary.BigEndian.AppendUint64(append(k.data(seg), kindDead), num)
}

func (k keyspace) deadEnd(seg uint32) []byte { return append(k.data(seg), kindDead+1) }

// valueRef names a stored value of a segment: term block n; chunk m of posting
// list n; page m of column n; part m of the sparse index.
type valueRef struct {
	seg  uint32
	kind byte
	n, m uint32
}

// seal ends a value with its checksum.
func seal(v []byte) []byte {
	return binary.LittleEndian.AppendUint32(v, checksum(v))
}

func checksum(v []byte) uint32 { return crc32.Checksum(v, crc32.MakeTable(crc32.Castagnoli)) }

// unseal checks a value's checksum and format byte and returns what is
// between them.
func unseal(v []byte) ([]byte, error) {
	if len(v) < 5 {
		return nil, corrupt("value of %d bytes", len(v))
	}
	body := v[:len(v)-4]
	if checksum(body) != binary.LittleEndian.Uint32(v[len(v)-4:]) {
		return nil, corrupt("checksum mismatch")
	}
	if body[0] != formatV1 {
		return nil, corrupt("unknown format %d", body[0])
	}
	return body[1:], nil
}

// fetch reads a value and returns a copy of its body.
func (k keyspace) fetch(r kv.Reader, ref valueRef) ([]byte, error) {
	v, err := kv.GetCopy(r, nil, k.value(ref))
	if err != nil {
		return nil, fmt.Errorf("bm25: segment %d, %c%d.%d: %w", ref.seg, ref.kind, ref.n, ref.m, missing(err))
	}
	body, err := unseal(v)
	if err != nil {
		return nil, fmt.Errorf("bm25: segment %d, %c%d.%d: %w", ref.seg, ref.kind, ref.n, ref.m, err)
	}
	return body, nil
}

// missing turns "not found" into corruption: the values of a visible segment
// have to be there.
func missing(err error) error {
	if errors.Is(err, kv.ErrNotFound) {
		return fmt.Errorf("%w: %w", err, kv.ErrCorrupt)
	}
	return err
}

// decoder takes values off the front of b; after a fault it yields zeros and
// bad stays set.
type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.b, d.bad = nil, true
		return 0
	}
	d.b = d.b[n:]
	return v
}

// uint32 is a varint that has to fit.
func (d *decoder) uint32() uint32 {
	v := d.uvarint()
	if v > math.MaxUint32 {
		d.b, d.bad = nil, true
		return 0
	}
	return uint32(v)
}

// bytes takes n bytes; the result shares memory with b.
func (d *decoder) bytes(n uint64) []byte {
	if n > uint64(len(d.b)) {
		d.b, d.bad = nil, true
		return nil
	}
	v := d.b[:n:n]
	d.b = d.b[n:]
	return v
}

// text is a length and as many bytes.
func (d *decoder) text() []byte { return d.bytes(d.uvarint()) }

// done reports whether everything was there and nothing is left.
func (d *decoder) done() bool { return !d.bad && len(d.b) == 0 }

func appendText(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// state is the value of the state key.
type state struct {
	nextSeg    uint32 // no segment, finished or not, has an id ≥ nextSeg except leftovers of a crash
	sealedUpTo uint64 // documents up to this number are in segments, later ones in the tail
	lastNum    uint64 // greatest number ever added
	docs       uint64 // live documents
	tokens     uint64 // sum of their lengths
	tailDocs   uint64 // live documents in the tail
}

func (s state) encode() []byte {
	v := []byte{formatV1}
	v = binary.AppendUvarint(v, uint64(s.nextSeg))
	for _, x := range []uint64{s.sealedUpTo, s.lastNum, s.docs, s.tokens, s.tailDocs} {
		v = binary.AppendUvarint(v, x)
	}
	return seal(v)
}

func decodeState(v []byte) (state, error) {
	body, err := unseal(v)
	if err != nil {
		return state{}, fmt.Errorf("bm25: state: %w", err)
	}
	d := decoder{b: body}
	s := state{nextSeg: d.uint32(), sealedUpTo: d.uvarint(), lastNum: d.uvarint(), docs: d.uvarint(), tokens: d.uvarint(), tailDocs: d.uvarint()}
	if !d.done() || s.tailDocs > s.docs || s.sealedUpTo > s.lastNum {
		return state{}, corrupt("state")
	}
	return s, nil
}

// segmentMeta describes a segment; writing it makes the segment visible.
type segmentMeta struct {
	id             uint32
	docs           uint32
	minNum, maxNum uint64 // numbers of the first and last document
	tokens         uint64 // sum of lengths, dead documents included
	terms          uint32 // distinct terms
	postings       uint64
	blocks         uint32 // term blocks
	lists          uint32 // posting lists kept outside term blocks
	sparseParts    uint32
	kindParts      uint32
	sessionParts   uint32
	scopeParts     uint32
	maxLen         uint32 // length of the longest document
	expiry         bool   // some document expires
}

func (m segmentMeta) encode() []byte {
	v := []byte{formatV1}
	flags := uint64(0)
	if m.expiry {
		flags = 1
	}
	for _, x := range []uint64{uint64(m.docs), m.minNum, m.maxNum, m.tokens, uint64(m.terms), m.postings, uint64(m.blocks), uint64(m.lists),
		uint64(m.sparseParts), uint64(m.kindParts), uint64(m.sessionParts), uint64(m.scopeParts), uint64(m.maxLen), flags} {
		v = binary.AppendUvarint(v, x)
	}
	return seal(v)
}

func decodeMeta(id uint32, v []byte) (segmentMeta, error) {
	body, err := unseal(v)
	if err != nil {
		return segmentMeta{}, fmt.Errorf("bm25: segment %d: %w", id, err)
	}
	d := decoder{b: body}
	m := segmentMeta{id: id, docs: d.uint32(), minNum: d.uvarint(), maxNum: d.uvarint(), tokens: d.uvarint(), terms: d.uint32(),
		postings: d.uvarint(), blocks: d.uint32(), lists: d.uint32(), sparseParts: d.uint32(), kindParts: d.uint32(),
		sessionParts: d.uint32(), scopeParts: d.uint32(), maxLen: d.uint32()}
	flags := d.uvarint()
	m.expiry = flags&1 != 0
	if !d.done() || flags > 1 || m.docs == 0 || m.docs > maxSegmentDocs || m.minNum > m.maxNum || m.maxNum-m.minNum < uint64(m.docs-1) {
		return segmentMeta{}, corrupt("description of segment %d", id)
	}
	return m, nil
}

// deadNum is the document number in a tombstone's key; n is the key's length.
func deadNum(key []byte, n int) (uint64, error) {
	if len(key) != n {
		return 0, corrupt("tombstone key of %d bytes", len(key))
	}
	return binary.BigEndian.Uint64(key[n-8:]), nil
}
