package gguf

// This file decides which numbers a tensor's bytes stand for.

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Dequantize writes the elements that src holds to dst, which must have room for
// exactly these. The values are ggml's (ggml-quants.c, dequantize_row_*): a scale
// times an integer is exact in float32; where a minimum is added, the product has
// been rounded before. Errors: ErrUnsupportedType for a type without a constant
// in this package, ErrLength for lengths that don't fit; dst is then unchanged.
func Dequantize(dst []float32, t Type, src []byte) error {
	decode := decoderOf(t)
	if decode == nil {
		return fmt.Errorf("%w: %s can't be dequantised", ErrUnsupportedType, t)
	}
	elements, bytes := t.Block()
	if len(src)%bytes != 0 || len(src)/bytes != len(dst)/elements || len(dst)%elements != 0 {
		return fmt.Errorf("%w: %d bytes of %s and %d elements", ErrLength, len(src), t, len(dst))
	}
	decode(dst, src)
	return nil
}

// decoderOf returns the function that decodes whole blocks of a type.
func decoderOf(t Type) func(dst []float32, src []byte) {
	switch t {
	case F32:
		return decodeF32
	case F16:
		return decodeF16
	case BF16:
		return decodeBF16
	case Q4_0:
		return decodeQ4_0
	case Q4_1:
		return decodeQ4_1
	case Q5_0:
		return decodeQ5_0
	case Q5_1:
		return decodeQ5_1
	case Q8_0:
		return decodeQ8_0
	}
	return nil
}

func decodeF32(dst []float32, src []byte) {
	for i := range dst {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(src[4*i:]))
	}
}

func decodeF16(dst []float32, src []byte) {
	for i := range dst {
		dst[i] = half(src[2*i:])
	}
}

func decodeBF16(dst []float32, src []byte) {
	for i := range dst {
		dst[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(src[2*i:])) << 16)
	}
}

func half(src []byte) float32 { return Float16(binary.LittleEndian.Uint16(src)) }

// A block of 32 has its first 16 elements in the low halves of the 16 bytes of
// quants, the other 16 in the high halves; fifth bits are in a word, that of
// element i at bit i.

// | d f16 | 32 q i8 |
func decodeQ8_0(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[32:], src[34:] {
		d := half(src)
		for i, q := range src[2:34] {
			dst[i] = d * float32(int8(q))
		}
	}
}

// | d f16 | 16 pairs of q |
func decodeQ4_0(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[32:], src[18:] {
		d := half(src)
		low, high := dst[:16], dst[16:32]
		for i, q := range src[2:18] {
			low[i] = d * float32(int(q&15)-8)
			high[i] = d * float32(int(q>>4)-8)
		}
	}
}

// | d f16 | m f16 | 16 pairs of q |
func decodeQ4_1(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[32:], src[20:] {
		d, m := half(src), half(src[2:])
		low, high := dst[:16], dst[16:32]
		for i, q := range src[4:20] {
			low[i] = float32(d*float32(q&15)) + m
			high[i] = float32(d*float32(q>>4)) + m
		}
	}
}

// | d f16 | fifth bits u32 | 16 pairs of q |
func decodeQ5_0(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[32:], src[22:] {
		d, fifth := half(src), binary.LittleEndian.Uint32(src[2:])
		low, high := dst[:16], dst[16:32]
		for i, q := range src[6:22] {
			low[i] = d * float32(int(uint32(q&15)|fifth>>i&1<<4)-16)
			high[i] = d * float32(int(uint32(q>>4)|fifth>>(i+16)&1<<4)-16)
		}
	}
}

// | d f16 | m f16 | fifth bits u32 | 16 pairs of q |
func decodeQ5_1(dst []float32, src []byte) {
	for ; len(dst) > 0; dst, src = dst[32:], src[24:] {
		d, m, fifth := half(src), half(src[2:]), binary.LittleEndian.Uint32(src[4:])
		low, high := dst[:16], dst[16:32]
		for i, q := range src[8:24] {
			low[i] = float32(d*float32(uint32(q&15)|fifth>>i&1<<4)) + m
			high[i] = float32(d*float32(uint32(q>>4)|fifth>>(i+16)&1<<4)) + m
		}
	}
}
