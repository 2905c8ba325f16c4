//go:build !noasm

// Products of quantised rows with a query, and of two rows of float32; the
// definitions are in scan_generic.go and dot.go.
//
// Instructions that Go's assembler lacks are words: the registers n and m are
// the operands, d the result.

#include "textflag.h"

// sxtl vd.8h, vn.8b, and sxtl2 for the upper half of vn
#define SXTL(n, d) WORD $(0x0f08a400 | (n)<<5 | (d))
#define SXTL2(n, d) WORD $(0x4f08a400 | (n)<<5 | (d))

// smlal vd.4s, vn.4h, vm.4h, and smlal2 for the upper halves
#define SMLAL(m, n, d) WORD $(0x0e608000 | (m)<<16 | (n)<<5 | (d))
#define SMLAL2(m, n, d) WORD $(0x4e608000 | (m)<<16 | (n)<<5 | (d))

// fmul and fadd of four float32; faddp sd, vn.2s
#define FMUL4(m, n, d) WORD $(0x6e20dc00 | (m)<<16 | (n)<<5 | (d))
#define FADD4(m, n, d) WORD $(0x4e20d400 | (m)<<16 | (n)<<5 | (d))
#define FADDP(n, d) WORD $(0x7e30d800 | (n)<<5 | (d))

// The products of 16 codes in v with V16 and V17, added to the sums.
#define MULTIPLY(v, sum1, sum2) \
	SXTL(v, 22); \
	SXTL2(v, 23); \
	SMLAL(16, 22, sum1); \
	SMLAL2(16, 22, sum2); \
	SMLAL(17, 23, sum1); \
	SMLAL2(17, 23, sum2)

// func dotFour(dst *[4]int32, a, b, c, d *int8, query *int16, whole int)
//
// R0: dst, R1…R4: the rows, R5: query, R6: columns left; the sums of row i are
// in V(2i) and V(2i+1).
TEXT ·dotFour(SB), NOSPLIT, $0-56
	MOVD dst+0(FP), R0
	MOVD a+8(FP), R1
	MOVD b+16(FP), R2
	MOVD c+24(FP), R3
	MOVD d+32(FP), R4
	MOVD query+40(FP), R5
	MOVD whole+48(FP), R6
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	VEOR V4.B16, V4.B16, V4.B16
	VEOR V5.B16, V5.B16, V5.B16
	VEOR V6.B16, V6.B16, V6.B16
	VEOR V7.B16, V7.B16, V7.B16

columns:
	VLD1.P 32(R5), [V16.H8, V17.H8]
	VLD1.P 16(R1), [V18.B16]
	VLD1.P 16(R2), [V19.B16]
	VLD1.P 16(R3), [V20.B16]
	VLD1.P 16(R4), [V21.B16]
	MULTIPLY(18, 0, 1)
	MULTIPLY(19, 2, 3)
	MULTIPLY(20, 4, 5)
	MULTIPLY(21, 6, 7)
	SUBS $16, R6
	BGT columns
	VADD V1.S4, V0.S4, V0.S4
	VADD V3.S4, V2.S4, V2.S4
	VADD V5.S4, V4.S4, V4.S4
	VADD V7.S4, V6.S4, V6.S4

	// Neighbours are added twice: four sums are left.
	VADDP V2.S4, V0.S4, V0.S4
	VADDP V6.S4, V4.S4, V4.S4
	VADDP V4.S4, V0.S4, V0.S4
	VST1 [V0.S4], (R0)
	RET

// 16 products, added to the lanes.
#define PRODUCTS \
	FMUL4(20, 16, 16); \
	FMUL4(21, 17, 17); \
	FMUL4(22, 18, 18); \
	FMUL4(23, 19, 19); \
	FADD4(16, 0, 0); \
	FADD4(17, 1, 1); \
	FADD4(18, 2, 2); \
	FADD4(19, 3, 3)

// func dotBlocks(a, b *float32, blocks int, lastA, lastB *float32) float32
//
// R0: a, R1: b, R2: blocks of 16; the lanes are in V0…V3.
TEXT ·dotBlocks(SB), NOSPLIT, $0-44
	MOVD a+0(FP), R0
	MOVD b+8(FP), R1
	MOVD blocks+16(FP), R2
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	CBZ R2, last

blocks:
	VLD1.P 64(R0), [V16.S4, V17.S4, V18.S4, V19.S4]
	VLD1.P 64(R1), [V20.S4, V21.S4, V22.S4, V23.S4]
	PRODUCTS
	SUBS $1, R2
	BNE blocks

last:
	MOVD lastA+24(FP), R0
	MOVD lastB+32(FP), R1
	CBZ R0, fold
	VLD1 (R0), [V16.S4, V17.S4, V18.S4, V19.S4]
	VLD1 (R1), [V20.S4, V21.S4, V22.S4, V23.S4]
	PRODUCTS

fold:
	// Lane l adds lane l+8, l+4, l+2 and l+1.
	FADD4(2, 0, 0)
	FADD4(3, 1, 1)
	FADD4(1, 0, 0)
	VEXT $8, V0.B16, V0.B16, V4.B16
	FADD4(4, 0, 0)
	FADDP(0, 0)
	FMOVS F0, ret+40(FP)
	RET
