// This file decides the values: how they are encoded, and what a decoder
// refuses. The package documentation draws them.

package vecindex

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"

	"github.com/contextforge-go/contextforge/kv"
)

// format is the first byte of every value.
const format = 1

// Sizes in bytes.
const (
	crcBytes   = 4
	stateBytes = 1 + 4 + 8 + 8 + crcBytes
	headBytes  = 1 + 4 + 4 + 4 // of a code row, before the scope
)

// corrupt makes an error that says what is wrong.
func corrupt(text string, args ...any) error {
	return fmt.Errorf("vecindex: "+text+": %w", append(args, kv.ErrCorrupt)...)
}

// seal appends the checksum.
func seal(b []byte) []byte {
	return binary.LittleEndian.AppendUint32(b, checksum(b))
}

func checksum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// unseal checks format and checksum and returns what is between them.
func unseal(b []byte) ([]byte, bool) {
	if len(b) < 1+crcBytes || b[0] != format {
		return nil, false
	}
	n := len(b) - crcBytes
	if binary.LittleEndian.Uint32(b[n:]) != checksum(b[:n]) {
		return nil, false
	}
	return b[1:n], true
}

// state is what the index counts.
type state struct {
	dim       int
	documents uint64
	vectors   uint64
}

func (s state) encode() []byte {
	b := binary.LittleEndian.AppendUint32([]byte{format}, uint32(s.dim))
	b = binary.LittleEndian.AppendUint64(b, s.documents)
	return seal(binary.LittleEndian.AppendUint64(b, s.vectors))
}

func decodeState(key, value []byte) (s state, err error) {
	b, ok := unseal(value)
	if !ok || len(value) != stateBytes {
		return s, corrupt("state, key %x", key)
	}
	dim := binary.LittleEndian.Uint32(b)
	s = state{int(dim), binary.LittleEndian.Uint64(b[4:]), binary.LittleEndian.Uint64(b[12:])}
	if dim > MaxDim || s.documents > s.vectors || s.vectors > 0 && dim == 0 {
		return state{}, corrupt("state, key %x", key)
	}
	return s, nil
}

// codeRow is a quantised vector.
type codeRow struct {
	key      rowKey
	scope    string
	scale    float32
	residual float32
	codes    []int8
}

func (r *codeRow) encode() []byte {
	b := append(make([]byte, 0, headBytes+len(r.scope)+len(r.codes)+crcBytes), format)
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(r.scale))
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(r.residual))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(r.scope)))
	b = append(b, r.scope...)
	for _, c := range r.codes {
		b = append(b, byte(c))
	}
	return seal(b)
}

// rawRow is a code row as it is stored; the slices are parts of the value.
type rawRow struct {
	scale, residual float32
	scope, codes    []byte
}

// decodeRow reads a code row of dim codes.
func decodeRow(key, value []byte, dim int) (r rawRow, err error) {
	b, ok := unseal(value)
	if !ok || len(b) < headBytes-1 {
		return r, corrupt("code row, key %x", key)
	}
	r.scale = math.Float32frombits(binary.LittleEndian.Uint32(b))
	r.residual = math.Float32frombits(binary.LittleEndian.Uint32(b[4:]))
	scope := uint64(binary.LittleEndian.Uint32(b[8:]))
	b = b[headBytes-1:]
	if uint64(len(b)) != scope+uint64(dim) || !(r.scale > 0 && r.scale <= 1) || !(r.residual >= 0 && r.residual <= 1) {
		return rawRow{}, corrupt("code row, key %x", key)
	}
	r.scope, r.codes = b[:scope], b[scope:]
	return r, nil
}

func encodeMaster(v []float32) []byte {
	b := append(make([]byte, 0, 1+4*len(v)+crcBytes), format)
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return seal(b)
}

// decodeMaster reads a master of dim values.
func decodeMaster(key, value []byte, dim int) ([]float32, error) {
	v := make([]float32, dim)
	return v, decodeMasterInto(v, key, value)
}

// decodeMasterInto reads a master of as many values as v has.
func decodeMasterInto(v []float32, key, value []byte) error {
	b, ok := unseal(value)
	if !ok || len(b) != 4*len(v) {
		return corrupt("vector, key %x", key)
	}
	greatest := uint32(0)
	for i := range v {
		bits := binary.LittleEndian.Uint32(b[:4])
		b = b[4:]
		v[i] = math.Float32frombits(bits)
		greatest = max(greatest, bits&^(1<<31))
	}
	if greatest > twoBits {
		return corrupt("vector, key %x", key)
	}
	return nil
}

// twoBits is 2 as a float32. Without the sign, the bits of greater numbers, of
// infinities and NaN are greater.
const twoBits = 0x40000000
