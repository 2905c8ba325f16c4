// This file decides how up to 128 integers are packed: each in the same number
// of bits, least significant bit first.

package bm25

import (
	"encoding/binary"
	"math/bits"
)

// blockDocs is the number of postings in a full block.
const blockDocs = 128

// packedSize is the number of bytes n values of width bits take.
func packedSize(n int, width uint8) int { return (n*int(width) + 7) / 8 }

// appendPacked appends the values, of which each fits width ≤ 32 bits.
func appendPacked(dst []byte, vals []uint32, width uint8) []byte {
	var acc uint64
	var have uint8
	for _, v := range vals {
		acc |= uint64(v) << have
		have += width
		for have >= 8 {
			dst = append(dst, byte(acc))
			acc >>= 8
			have -= 8
		}
	}
	if have > 0 {
		dst = append(dst, byte(acc))
	}
	return dst
}

// packedAt returns value i.
func packedAt(src []byte, i int, width uint8) uint32 {
	bit := i * int(width)
	return uint32(load64(src, bit>>3) >> (bit & 7) & (1<<width - 1))
}

// load64 reads 8 bytes at off, zeros where src ends.
func load64(src []byte, off int) uint64 {
	if off+8 <= len(src) {
		return binary.LittleEndian.Uint64(src[off:])
	}
	var v uint64
	for i := len(src) - 1; i >= off; i-- {
		v = v<<8 | uint64(src[i])
	}
	return v
}

// unpackBytes is what unpacking a full block may read: 128 values of 32 bits and
// what an 8-byte load of the last one reads beyond.
const unpackBytes = blockDocs*4 + 8

type unpackBuf [unpackBytes]byte

// window returns src as an array of a size known to the compiler, which saves
// the check of every load; near the end of a chunk that takes a copy into tmp.
func (tmp *unpackBuf) window(src []byte) *unpackBuf {
	if len(src) >= unpackBytes {
		return (*unpackBuf)(src)
	}
	n := copy(tmp[:], src)
	clear(tmp[n:])
	return tmp
}

// unpack decodes len(dst) ≤ 128 values; tmp is scratch memory.
func unpack(dst []uint32, src []byte, width uint8, tmp *unpackBuf) {
	if width == 0 {
		clear(dst)
		return
	}
	in, mask, bit, step := tmp.window(src), uint64(1)<<width-1, uint(0), uint(width)
	for i := range dst {
		off := bit >> 3 & 511
		dst[i] = uint32(binary.LittleEndian.Uint64(in[off:off+8]) >> (bit & 7) & mask)
		bit += step
	}
}

// unpackGaps decodes len(dst) ≤ 128 ascending numbers after base, stored as
// their distances less one, and returns the last one unclipped: it differs
// from what is expected if the bytes are damaged.
func unpackGaps(dst []uint32, src []byte, width uint8, base uint32, tmp *unpackBuf) uint64 {
	sum := uint64(base + 1) // base is MaxUint32 before number 0
	if width == 0 {
		for i := range dst {
			dst[i] = uint32(sum)
			sum++
		}
		return sum - 1
	}
	in, mask, bit, step := tmp.window(src), uint64(1)<<width-1, uint(0), uint(width)
	for i := range dst {
		off := bit >> 3 & 511
		sum += binary.LittleEndian.Uint64(in[off:off+8]) >> (bit & 7) & mask
		dst[i] = uint32(sum)
		sum++
		bit += step
	}
	return sum - 1
}

// unpackBits decodes the ones of a bitmap, whose bit 0 stands for base+1, and
// returns how many fitted into dst.
func unpackBits(dst []uint32, src []byte, base uint32) int {
	n := 0
	for off := 0; off < len(src); off += 8 {
		word := load64(src, off)
		first := base + 1 + uint32(off)*8
		for word != 0 && n < len(dst) {
			dst[n] = first + uint32(bits.TrailingZeros64(word))
			word &= word - 1
			n++
		}
	}
	return n
}

// countBits counts the ones among the first n bits of src.
func countBits(src []byte, n int) int {
	count, off := 0, 0
	for ; n >= 64; n, off = n-64, off+8 {
		count += bits.OnesCount64(load64(src, off))
	}
	return count + bits.OnesCount64(load64(src, off)&(1<<n-1))
}
