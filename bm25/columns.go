// This file decides how what is known about each document of a segment, other
// than its terms, is stored: in columns by local id, cut into pages.
//
//	integer page = width(1: 0, 1, 2, 4 or 8) minimum(8) value-minimum (width each)
//	id page      = 16 then the ids of 16 bytes each, or
//	               0 then offsets(4 each, one more than ids) and the ids
//	table page   = strings, each as length and bytes (kinds, sessions); for
//	               scopes each followed by the local id after its last document

package bm25

import (
	"encoding/binary"
	"math/bits"
)

// Columns.
const (
	colNum = iota
	colLength
	colSec // sign bit flipped, so that unsigned order is that of time
	colNsec
	colCost
	colExpires // 0 or 1
	colExpSec  // as colSec
	colExpNsec
	colKind    // ordinal in colKinds
	colSession // ordinal in colSessions
	intColumns // number of the integer columns above
)

// Tables and ids.
const (
	colKinds = intColumns + iota
	colSessions
	colScopes
	colIDs
)

const (
	intPageDocs = 1 << 14 // values of an integer page
	idPageDocs  = 1 << 10 // ids of an id page
	tableBytes  = 64 << 10
	signBit     = 1 << 63
)

// intPage holds up to intPageDocs integers.
type intPage struct {
	min   uint64
	width uint8
	data  []byte
}

// intColumn is a whole column.
type intColumn []intPage

func (c intColumn) at(i uint32) uint64 {
	p := &c[i/intPageDocs]
	i %= intPageDocs
	switch p.width {
	case 1:
		return p.min + uint64(p.data[i])
	case 2:
		return p.min + uint64(binary.LittleEndian.Uint16(p.data[2*i:]))
	case 4:
		return p.min + uint64(binary.LittleEndian.Uint32(p.data[4*i:]))
	case 8:
		return p.min + binary.LittleEndian.Uint64(p.data[8*i:])
	}
	return p.min
}

func appendIntPage(dst []byte, vals []uint64) []byte {
	lo, hi := vals[0], vals[0]
	for _, v := range vals {
		lo, hi = min(lo, v), max(hi, v)
	}
	width := intWidth(hi - lo)
	dst = binary.LittleEndian.AppendUint64(append(dst, width), lo)
	for _, v := range vals {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], v-lo)
		dst = append(dst, b[:width]...)
	}
	return dst
}

// intWidth is the smallest width that holds v.
func intWidth(v uint64) uint8 {
	if v == 0 {
		return 0
	}
	n := (bits.Len64(v) + 7) / 8
	return uint8(1) << bits.Len8(uint8(n-1))
}

// parseIntPage parses a page of n integers.
func parseIntPage(b []byte, n int) (intPage, error) {
	if len(b) < 9 || bits.OnesCount8(b[0]) > 1 || b[0] > 8 || len(b) != 9+n*int(b[0]) {
		return intPage{}, corrupt("page of %d integers in %d bytes", n, len(b))
	}
	return intPage{width: b[0], min: binary.LittleEndian.Uint64(b[1:]), data: b[9:]}, nil
}

// idPage is a parsed id page.
type idPage struct {
	data    []byte
	offsets []byte // nil if all ids have 16 bytes
}

func (p *idPage) at(i uint32) []byte {
	if p.offsets == nil {
		return p.data[16*i : 16*i+16]
	}
	return p.data[binary.LittleEndian.Uint32(p.offsets[4*i:]):binary.LittleEndian.Uint32(p.offsets[4*i+4:])]
}

func appendIDPage(dst []byte, ids []string) []byte {
	fixed := true
	for _, id := range ids {
		fixed = fixed && len(id) == 16
	}
	if fixed {
		dst = append(dst, 16)
	} else {
		dst = append(dst, 0)
		off := uint32(0)
		for _, id := range ids {
			dst = binary.LittleEndian.AppendUint32(dst, off)
			off += uint32(len(id))
		}
		dst = binary.LittleEndian.AppendUint32(dst, off)
	}
	for _, id := range ids {
		dst = append(dst, id...)
	}
	return dst
}

// parseIDPage parses a page of n ids.
func parseIDPage(b []byte, n int) (*idPage, error) {
	if len(b) == 1+16*n && b[0] == 16 {
		return &idPage{data: b[1:]}, nil
	}
	if len(b) < 1+4*(n+1) || b[0] != 0 {
		return nil, corrupt("page of %d ids in %d bytes", n, len(b))
	}
	p := &idPage{offsets: b[1 : 1+4*(n+1)], data: b[1+4*(n+1):]}
	prev := uint32(0)
	for i := range n + 1 {
		off := binary.LittleEndian.Uint32(p.offsets[4*i:])
		if off < prev || i == 0 && off != 0 {
			return nil, corrupt("offsets of an id page")
		}
		prev = off
	}
	if uint64(prev) != uint64(len(p.data)) {
		return nil, corrupt("offsets of an id page")
	}
	return p, nil
}

// row is a document's place in the columns.
type row struct {
	num           uint64
	sec, expSec   int64
	nsec, expNsec uint32
	length, cost  uint32
	kind, session uint32 // ordinals
	expires       bool
	id            string
}

// columnWriter writes the columns of a segment; rows come in local order.
type columnWriter struct {
	put  func(ref valueRef, body []byte) error
	meta *segmentMeta
	lens []uint32 // grows by one a row

	ints    [intColumns][]uint64
	ids     []string
	table   []byte
	scratch []byte
}

func (w *columnWriter) add(r row) error {
	flag := uint64(0)
	if r.expires {
		flag, w.meta.expiry = 1, true
	}
	for c, v := range [intColumns]uint64{r.num, uint64(r.length), uint64(r.sec) ^ signBit, uint64(r.nsec), uint64(r.cost),
		flag, uint64(r.expSec) ^ signBit, uint64(r.expNsec), uint64(r.kind), uint64(r.session)} {
		w.ints[c] = append(w.ints[c], v)
	}
	w.ids = append(w.ids, r.id)
	w.lens = append(w.lens, r.length)
	m := w.meta
	if m.docs == 0 {
		m.minNum, m.maxNum = r.num, r.num
	}
	m.minNum, m.maxNum = min(m.minNum, r.num), max(m.maxNum, r.num)
	m.tokens += uint64(r.length)
	m.maxLen = max(m.maxLen, r.length)
	m.docs++
	if len(w.ids) == idPageDocs {
		if err := w.flushIDs(); err != nil {
			return err
		}
	}
	if len(w.ints[0]) == intPageDocs {
		return w.flushInts()
	}
	return nil
}

func (w *columnWriter) flushIDs() error {
	page := (w.meta.docs - 1) / idPageDocs
	w.scratch = appendIDPage(append(w.scratch[:0], formatV1), w.ids)
	w.ids = w.ids[:0]
	return w.put(valueRef{seg: w.meta.id, kind: kindColumn, n: colIDs, m: page}, w.scratch)
}

func (w *columnWriter) flushInts() error {
	page := (w.meta.docs - 1) / intPageDocs
	for c := range w.ints {
		w.scratch = appendIntPage(append(w.scratch[:0], formatV1), w.ints[c])
		w.ints[c] = w.ints[c][:0]
		if err := w.put(valueRef{seg: w.meta.id, kind: kindColumn, n: uint32(c), m: page}, w.scratch); err != nil {
			return err
		}
	}
	return nil
}

// finish writes the last pages.
func (w *columnWriter) finish() error {
	if len(w.ids) > 0 {
		if err := w.flushIDs(); err != nil {
			return err
		}
	}
	if len(w.ints[0]) > 0 {
		return w.flushInts()
	}
	return nil
}

// strings writes a table of strings; ends, unless nil, are the local ids after
// each one's last document. It returns the number of pages.
func (w *columnWriter) strings(column uint32, names []string, ends []uint32) (uint32, error) {
	page := uint32(0)
	w.table = append(w.table[:0], formatV1)
	for i, s := range names {
		w.table = appendText(w.table, s)
		if ends != nil {
			w.table = binary.AppendUvarint(w.table, uint64(ends[i]))
		}
		if len(w.table) < tableBytes && i < len(names)-1 {
			continue
		}
		if err := w.put(valueRef{seg: w.meta.id, kind: kindColumn, n: column, m: page}, w.table); err != nil {
			return 0, err
		}
		page++
		w.table = w.table[:1]
	}
	return page, nil
}
