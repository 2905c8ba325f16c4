package ggufwrite

// This file decides how numbers are rounded to each of the types.

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/contextforge-go/contextforge/minilm/gguf"
)

// blockLength is the number of elements in a block of every quantised type here.
const blockLength = 32

// Quantize encodes numbers, of which there must be whole blocks. They must be
// finite unless the type is F32 or BF16; a number or a scale that is too large for
// a binary16 is an error.
//
// A block is encoded as in ggml-quants.c, quantize_row_*_ref: for Q8_0 the scale
// is the largest magnitude / 127; for Q4_0 and Q5_0 the number of the largest
// magnitude / -8 and / -16; for Q4_1 and Q5_1 the range / 15 and / 31, with the
// minimum beside it. Quants come of the scale before it is rounded to a binary16.
func Quantize(t gguf.Type, src []float32) ([]byte, error) {
	elements, bytes := t.Block()
	encode := encoderOf(t)
	switch {
	case encode == nil:
		return nil, fmt.Errorf("ggufwrite: %w: %s can't be written", gguf.ErrUnsupportedType, t)
	case len(src)%elements != 0:
		return nil, fmt.Errorf("ggufwrite: %d numbers aren't whole %s blocks", len(src), t)
	}
	out := make([]byte, 0, len(src)/elements*bytes)
	for i := 0; i < len(src); i += elements {
		var err error
		if out, err = encode(out, src[i:i+elements]); err != nil {
			return nil, fmt.Errorf("ggufwrite: %s, number %d: %w", t, i, err)
		}
	}
	return out, nil
}

// encoder appends one block.
type encoder func(out []byte, src []float32) ([]byte, error)

func encoderOf(t gguf.Type) encoder {
	switch t {
	case gguf.F32:
		return encodeF32
	case gguf.F16:
		return encodeF16
	case gguf.BF16:
		return encodeBF16
	case gguf.Q4_0:
		return func(out []byte, src []float32) ([]byte, error) { return encodeSigned(out, src, 4) }
	case gguf.Q5_0:
		return func(out []byte, src []float32) ([]byte, error) { return encodeSigned(out, src, 5) }
	case gguf.Q4_1:
		return func(out []byte, src []float32) ([]byte, error) { return encodeRange(out, src, 4) }
	case gguf.Q5_1:
		return func(out []byte, src []float32) ([]byte, error) { return encodeRange(out, src, 5) }
	case gguf.Q8_0:
		return encodeQ8_0
	}
	return nil
}

func encodeF32(out []byte, src []float32) ([]byte, error) {
	return binary.LittleEndian.AppendUint32(out, math.Float32bits(src[0])), nil
}

func encodeF16(out []byte, src []float32) ([]byte, error) {
	return appendHalf(out, src[0])
}

// encodeBF16 rounds to nearest, ties to even. A NaN stays one.
func encodeBF16(out []byte, src []float32) ([]byte, error) {
	bits := math.Float32bits(src[0])
	if src[0] != src[0] {
		bits |= 1 << 22
	} else {
		bits += 0x7FFF + bits>>16&1
	}
	return binary.LittleEndian.AppendUint16(out, uint16(bits>>16)), nil
}

// appendHalf appends a number as a binary16, rounded to nearest, ties to even.
func appendHalf(out []byte, x float32) ([]byte, error) {
	bits := math.Float32bits(x)
	sign, magnitude := uint16(bits>>16&0x8000), bits&^(1<<31)
	var half uint32
	switch {
	case magnitude >= 0xFF<<23:
		return nil, fmt.Errorf("%v has no finite binary16", x)
	case magnitude < (127-14)<<23: // a multiple of 2^-24; 1024 of them are the smallest normal number
		half = uint32(math.RoundToEven(float64(math.Float32frombits(magnitude)) * 0x1p24))
	default:
		half = (magnitude+0xFFF+magnitude>>13&1)>>13 - (127-15)<<10
	}
	if half >= 0x1F<<10 {
		return nil, fmt.Errorf("%v is too large for a binary16", x)
	}
	return binary.LittleEndian.AppendUint16(out, sign|uint16(half)), nil
}

// inverse returns 1/d, and 0 where there is none: then all quants are 0, and so
// is the scale once it is a binary16.
func inverse(d float32) float32 {
	if id := 1 / d; d != 0 && !math.IsInf(float64(id), 0) {
		return id
	}
	return 0
}

// extremes returns the number of the largest magnitude, the first of several,
// and the least and the greatest number.
func extremes(src []float32) (extreme, least, greatest float32) {
	least, greatest = src[0], src[0]
	for _, x := range src {
		if magnitude(x) > magnitude(extreme) {
			extreme = x
		}
		least, greatest = min(least, x), max(greatest, x)
	}
	return extreme, least, greatest
}

func magnitude(x float32) float32 { return max(x, -x) }

func finite(src []float32) error {
	for _, x := range src {
		if x-x != 0 {
			return fmt.Errorf("%v has no place in a block", x)
		}
	}
	return nil
}

func encodeQ8_0(out []byte, src []float32) ([]byte, error) {
	if err := finite(src); err != nil {
		return nil, err
	}
	extreme, _, _ := extremes(src)
	d := magnitude(extreme) / 127
	id := inverse(d)
	out, err := appendHalf(out, d)
	for _, x := range src {
		out = append(out, byte(int8(math.Round(float64(float32(x*id))))))
	}
	return out, err
}

// encodeSigned encodes numbers around 0 with quants of 4 or 5 bits.
func encodeSigned(out []byte, src []float32, bits int) ([]byte, error) {
	if err := finite(src); err != nil {
		return nil, err
	}
	half := 1 << (bits - 1)
	extreme, _, _ := extremes(src)
	d := extreme / float32(-half)
	id := inverse(d)
	out, err := appendHalf(out, d)
	var quants [blockLength]int
	for i, x := range src {
		// Rounds half up, as what is converted is never negative.
		quants[i] = min(2*half-1, int(float32(x*id)+float32(half)+0.5))
	}
	return appendQuants(out, quants, bits), err
}

// encodeRange encodes numbers from a minimum on with quants of 4 or 5 bits.
func encodeRange(out []byte, src []float32, bits int) ([]byte, error) {
	if err := finite(src); err != nil {
		return nil, err
	}
	most := 1<<bits - 1
	_, least, greatest := extremes(src)
	d := (greatest - least) / float32(most)
	id := inverse(d)
	out, err := appendHalf(out, d)
	if err != nil {
		return nil, err
	}
	out, err = appendHalf(out, least)
	var quants [blockLength]int
	for i, x := range src {
		quants[i] = min(most, int(float32((x-least)*id)+0.5))
	}
	return appendQuants(out, quants, bits), err
}

// appendQuants appends the fifth bits, if there are 5, and then pairs of the
// other four: elements i and i + 16 share a byte.
func appendQuants(out []byte, quants [blockLength]int, bits int) []byte {
	if bits == 5 {
		fifth := uint32(0)
		for i, q := range quants {
			fifth |= uint32(q>>4) << i
		}
		out = binary.LittleEndian.AppendUint32(out, fifth)
	}
	for i := range blockLength / 2 {
		out = append(out, byte(quants[i]&15|quants[i+blockLength/2]&15<<4))
	}
	return out
}
