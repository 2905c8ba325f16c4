package gguf

// This file decides how many bytes a tensor of each type takes.

import (
	"fmt"
	"math/bits"
)

// Type is how a tensor's elements are stored; the numbers are ggml's (enum
// ggml_type). Those with a constant here can be dequantised; the size and name of
// all others that ggml defines are known.
type Type uint32

// The types that Dequantize takes. A quantised type stores blocks of 32
// elements that share a scale d, those ending in _1 also a minimum m.
const (
	F32  Type = 0  // IEEE 754 binary32
	F16  Type = 1  // IEEE 754 binary16
	Q4_0 Type = 2  // d·(q−8), q of 4 bits
	Q4_1 Type = 3  // d·q + m, q of 4 bits
	Q5_0 Type = 6  // d·(q−16), q of 5 bits
	Q5_1 Type = 7  // d·q + m, q of 5 bits
	Q8_0 Type = 8  // d·q, q of 8 bits, signed
	BF16 Type = 30 // the upper half of a binary32
)

// layout is the name of a type, and how many elements a block of it has in how
// many bytes.
type layout struct {
	name            string
	elements, bytes int
}

// layouts are those of ggml-common.h, by number. The gaps are types that ggml
// has removed.
var layouts = [...]layout{
	F32: {"F32", 1, 4}, F16: {"F16", 1, 2}, BF16: {"BF16", 1, 2},
	Q4_0: {"Q4_0", 32, 18}, Q4_1: {"Q4_1", 32, 20}, Q5_0: {"Q5_0", 32, 22}, Q5_1: {"Q5_1", 32, 24}, Q8_0: {"Q8_0", 32, 34},
	9:  {"Q8_1", 32, 36},
	10: {"Q2_K", 256, 84}, 11: {"Q3_K", 256, 110}, 12: {"Q4_K", 256, 144}, 13: {"Q5_K", 256, 176}, 14: {"Q6_K", 256, 210}, 15: {"Q8_K", 256, 292},
	16: {"IQ2_XXS", 256, 66}, 17: {"IQ2_XS", 256, 74}, 18: {"IQ3_XXS", 256, 98}, 19: {"IQ1_S", 256, 50}, 20: {"IQ4_NL", 32, 18},
	21: {"IQ3_S", 256, 110}, 22: {"IQ2_S", 256, 82}, 23: {"IQ4_XS", 256, 136}, 29: {"IQ1_M", 256, 56},
	24: {"I8", 1, 1}, 25: {"I16", 1, 2}, 26: {"I32", 1, 4}, 27: {"I64", 1, 8}, 28: {"F64", 1, 8},
	34: {"TQ1_0", 256, 54}, 35: {"TQ2_0", 256, 66}, 39: {"MXFP4", 32, 17}, 40: {"NVFP4", 64, 36}, 41: {"Q1_0", 128, 18},
}

// layout returns the zero layout for a type that isn't known.
func (t Type) layout() layout {
	if uint64(t) < uint64(len(layouts)) {
		return layouts[t]
	}
	return layout{}
}

// String returns ggml's name of the type, or its number.
func (t Type) String() string {
	if l := t.layout(); l.elements > 0 {
		return l.name
	}
	return fmt.Sprintf("type %d", uint32(t))
}

// Block returns how many elements a block has and how many bytes it takes; both
// are 0 for a type that isn't known. Types that aren't quantised have blocks of
// one element.
func (t Type) Block() (elements, bytes int) {
	l := t.layout()
	return l.elements, l.bytes
}

// Size returns how many bytes a tensor with these dimensions takes. The errors
// are ErrUnsupportedType for a type that isn't known, and ErrCorrupt for
// dimensions that no tensor of the type can have.
func (t Type) Size(dims []uint64) (uint64, error) {
	l := t.layout()
	switch {
	case l.elements == 0:
		return 0, fmt.Errorf("%w: %s", ErrUnsupportedType, t)
	case len(dims) == 0 || len(dims) > maxDims:
		return 0, fmt.Errorf("%w: %d dimensions, want 1 to %d", ErrCorrupt, len(dims), maxDims)
	case dims[0]%uint64(l.elements) != 0:
		return 0, fmt.Errorf("%w: rows of %d elements aren't whole %s blocks of %d", ErrCorrupt, dims[0], t, l.elements)
	}
	overflow, size := bits.Mul64(dims[0]/uint64(l.elements), uint64(l.bytes))
	for _, n := range dims[1:] {
		var high uint64
		high, size = bits.Mul64(size, n)
		overflow |= high
	}
	switch {
	case overflow != 0:
		return 0, fmt.Errorf("%w: %v elements are more than any file holds", ErrCorrupt, dims)
	case size == 0:
		return 0, fmt.Errorf("%w: a dimension is 0 in %v", ErrCorrupt, dims)
	}
	return size, nil
}
