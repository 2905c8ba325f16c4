package gguf

// This file decides what the bits of a 16-bit floating-point number mean.

import "math"

// Float16 returns the value of an IEEE 754 binary16, exactly. A NaN keeps its
// sign and payload.
func Float16(bits uint16) float32 {
	sign := uint32(bits&0x8000) << 16
	exponent, fraction := uint32(bits>>10&0x1F), uint32(bits&0x3FF)
	switch exponent {
	case 0: // zero and subnormal numbers: multiples of 2^-24
		return math.Float32frombits(sign | math.Float32bits(float32(fraction)*0x1p-24))
	case 0x1F: // infinite, or not a number
		return math.Float32frombits(sign | 0xFF<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}
