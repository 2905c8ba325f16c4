// This file decides how what results need of a document lies in memory: side by
// side in a row, as results come from all over a segment and each column would
// cost its own cache miss.

package bm25

import (
	"encoding/binary"
	"math/bits"

	"github.com/contextforge-go/contextforge/kv"
)

// Fields of a row, with the columns they come from.
const (
	rowNum = iota
	rowSec
	rowNsec
	rowCost
	rowKind
	rowSession
	rowFields
)

// rowTable holds a segment's rows. Each field takes as many whole bytes as its
// values need above their minimum.
type rowTable struct {
	data   []byte // rows, and 8 bytes that the last field's load may read
	stride int
	fields [rowFields]rowField
	kinds  []string
	// sessions has a name for each session in the segment.
	sessions []string
}

type rowField struct {
	off       int
	min, mask uint64
}

// at returns a field of row i.
func (t *rowTable) at(field int, i uint32) uint64 {
	f := &t.fields[field]
	at := int(i)*t.stride + f.off
	return f.min + binary.LittleEndian.Uint64(t.data[at:at+8])&f.mask
}

func (t *rowTable) num(i uint32) uint64  { return t.at(rowNum, i) }
func (t *rowTable) cost(i uint32) uint32 { return uint32(t.at(rowCost, i)) }

func (t *rowTable) time(i uint32) Time {
	return Time{int64(t.at(rowSec, i) ^ signBit), uint32(t.at(rowNsec, i))}
}

func (t *rowTable) kind(i uint32) string    { return t.kinds[t.at(rowKind, i)] }
func (t *rowTable) session(i uint32) string { return t.sessions[t.at(rowSession, i)] }

func (s *segment) getRows(r kv.Reader) (*rowTable, error) {
	if t := s.rows.v.Load(); t != nil {
		return t, nil
	}
	return s.rows.get(func() (*rowTable, error) { return s.loadRows(r) })
}

func (s *segment) loadRows(r kv.Reader) (*rowTable, error) {
	t := &rowTable{}
	var err error
	if t.kinds, err = s.names(r, colKinds, s.kindParts); err != nil {
		return nil, err
	}
	if t.sessions, err = s.names(r, colSessions, s.sessionParts); err != nil {
		return nil, err
	}
	var columns [rowFields]intColumn
	for i, c := range [rowFields]uint32{colNum, colSec, colNsec, colCost, colKind, colSession} {
		if columns[i], err = s.column(r, c); err != nil {
			return nil, err
		}
		low, high := columns[i].limits(s.docs)
		width := (bits.Len64(high-low) + 7) / 8
		t.fields[i] = rowField{off: t.stride, min: low, mask: 1<<(8*width) - 1}
		t.stride += width
		if i == rowKind && high >= uint64(len(t.kinds)) {
			return nil, corrupt("segment %d: unknown kind %d", s.id, high)
		}
		if i == rowSession && high >= uint64(len(t.sessions)) {
			return nil, corrupt("segment %d: unknown session %d", s.id, high)
		}
	}
	t.data = make([]byte, int(s.docs)*t.stride+8)
	for i := range s.docs {
		for f := range columns {
			at := int(i)*t.stride + t.fields[f].off
			v := columns[f].at(i) - t.fields[f].min
			for mask := t.fields[f].mask; mask != 0; mask >>= 8 {
				t.data[at] = byte(v)
				v >>= 8
				at++
			}
		}
	}
	return t, nil
}

// limits returns the smallest and the greatest of the n values.
func (c intColumn) limits(n uint32) (low, high uint64) {
	low, high = c.at(0), c.at(0)
	for i := uint32(1); i < n; i++ {
		v := c.at(i)
		low, high = min(low, v), max(high, v)
	}
	return low, high
}
