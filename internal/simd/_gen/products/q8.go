package main

// This file writes the products of quantised matrices.

import "fmt"

// The registers of all of them: rows of activations, their scales and their
// corrections, which lie as far apart as the scales.
var (
	q8Activations = rows{base: "SI", stride: "DX", triple: "R8", five: "R9"}
	q8Scales      = rows{base: "R10", stride: "AX", triple: "R11", five: "R12"}
	q8Corrections = rows{base: "R13", stride: "AX", triple: "R11", five: "R15"}
)

// ahead is how many bytes before their use weights are fetched into the cache, be
// it beyond the end: fetching in advance touches nothing. Without it, products of
// few rows with weights from memory take up to a fifth more time.
const ahead = 8192

// q8Locals are the bytes of what moves from tile to tile: it is kept on the
// stack, because pointers behind an array must not stand where the garbage
// collector looks.
const q8Locals = 40

// q8Begin copies what moves.
func (a *assembly) q8Begin() {
	for _, field := range []struct {
		offset int
		local  string
	}{{q8Q, "q-8"}, {q8Scale, "scale-16"}, {q8Correction, "correction-24"}, {q8Dst, "dst-32"}, {q8Tiles, "tiles-40"}} {
		a.op("MOVQ %d(DI), AX", field.offset)
		a.op("MOVQ AX, %s(SP)", field.local)
	}
}

// q8 is one way to multiply a tile of rows with a vector of outputs or two.
type q8 struct {
	*assembly
	rows        int  // of the tile
	corrections bool // integer accumulators start there, otherwise at 0
	zero        func(r int)
	products    func()      // the integer sums of a block
	floats      func()      // adds them to the float accumulators
	finish      func(r int) // adds the bias and stores the row at BX
	bias        func()      // loads the bias from BX
	clear       func()      // float accumulators
}

// tile writes the loops over tiles and blocks.
func (k q8) tile(label string) {
	name := fmt.Sprintf("%s%d", label, k.rows)
	k.raw("\n%s: // tiles of %d rows", name, k.rows)
	k.op("MOVQ q-8(SP), SI")
	k.op("MOVQ scale-16(SP), R10")
	k.op("MOVQ %d(DI), BX", q8Panel)
	k.op("MOVQ %d(DI), R14", q8PanelScale)
	k.op("MOVQ %d(DI), CX", q8Blocks)
	k.op("MOVQ %d(DI), DX // from row to row of activations", q8Width)
	k.op("MOVQ DX, AX")
	k.op("SHRQ $3, AX // from row to row of scales")
	k.set(q8Activations, k.rows)
	k.set(q8Scales, k.rows)
	if k.corrections {
		k.op("MOVQ correction-24(SP), R13")
		k.far(q8Corrections, k.rows)
	}
	k.clear()
	k.raw("\n%sblock:", name)
	k.products()
	k.floats()
	k.note("the next block")
	k.advance(q8Activations, k.rows, 32)
	k.advance(q8Scales, k.rows, 4)
	if k.corrections {
		k.advance(q8Corrections, k.rows, 4)
	}
	k.op("ADDQ $1024, BX")
	k.op("ADDQ $128, R14")
	k.op("DECQ CX")
	k.op("JNZ  %sblock", name)
	k.end(name)
}

// end stores a tile and goes on to the next one. The pointers of row 0 have
// reached row 1.
func (k q8) end(name string) {
	k.note("bias, store")
	k.op("MOVQ %d(DI), BX", q8Bias)
	k.bias()
	k.op("MOVQ dst-32(SP), BX")
	for r := range k.rows {
		k.finish(r)
		k.op("ADDQ %d(DI), BX", q8Stride)
	}
	k.note("the next tile")
	k.op("MOVQ BX, dst-32(SP)")
	if k.rows > 1 {
		k.op("IMULQ $%d, DX", k.rows-1)
		k.op("IMULQ $%d, AX", k.rows-1)
		k.op("ADDQ DX, SI")
		k.op("ADDQ AX, R10")
		if k.corrections {
			k.op("ADDQ AX, R13")
		}
	}
	k.op("MOVQ SI, q-8(SP)")
	k.op("MOVQ R10, scale-16(SP)")
	if k.corrections {
		k.op("MOVQ R13, correction-24(SP)")
	}
	k.op("DECQ tiles-40(SP)")
	k.op("JNZ  %s", name)
	k.op("VZEROUPPER")
	k.op("RET")
}

const q8Most512 = 6

// q8AVX512 is the file of the kernel with VNNI on 512 bits.
func q8AVX512() string {
	a := newFile(`// This file decides how quantised matrices are multiplied with AVX-512 VNNI.
//
// A tile of up to 6 rows takes 32 outputs:
//
//	Z0  … Z11  integer sums of a block, two registers a row
//	Z12 … Z23  float sums of the blocks before, two registers a row
//	Z24, Z25   weights: 4 inputs of 32 outputs; then their scales, then the bias
//	Z26 … Z31  4 inputs of a row, or its scale, in every lane
//	K1, K2     which of the outputs exist
//
//	SI, R9     activations of rows 0 and 5; DX, R8: distance of rows, 3 times that
//	R10, R12   scales of rows 0 and 5; AX, R11: distance of rows, 3 times that
//	R13, R15   corrections of rows 0 and 5
//	BX, R14    weights, scales of weights
//	CX         blocks left
//	DI         the argument`)
	a.function("mulQ8AVX512", "q8Tile", q8Locals)
	a.q8Begin()
	a.op("MOVL %d(DI), AX", q8Mask)
	a.op("KMOVW AX, K1")
	a.op("SHRL $16, AX")
	a.op("KMOVW AX, K2")
	a.op("MOVQ %d(DI), AX", q8Rows)
	a.choose("rows", q8Most512)
	for rows := 1; rows <= q8Most512; rows++ {
		tile512(a, rows).tile("rows")
	}
	return a.String()
}

func tile512(a *assembly, rows int) q8 {
	sum := func(r, j int) int { return 2*r + j }
	float := func(r, j int) int { return 2*q8Most512 + 2*r + j }
	spread := func(r int) int { return 26 + r%6 }
	return q8{
		assembly: a, rows: rows, corrections: true,
		clear: func() {
			for r := range rows {
				a.op("VPXORD Z%d, Z%[1]d, Z%[1]d", float(r, 0))
				a.op("VPXORD Z%d, Z%[1]d, Z%[1]d", float(r, 1))
			}
		},
		products: func() {
			for r := range rows {
				a.op("VPBROADCASTD %s, Z%d", q8Corrections.at(r, 0), sum(r, 0))
				a.op("VMOVDQA32 Z%d, Z%d", sum(r, 0), sum(r, 1))
			}
			for i := range 8 {
				a.note("inputs %d to %d", 4*i, 4*i+3)
				a.op("PREFETCHT0 %d(BX)", 128*i+ahead)
				a.op("PREFETCHT0 %d(BX)", 128*i+ahead+64)
				a.op("VMOVDQU32 %d(BX), Z24", 128*i)
				a.op("VMOVDQU32 %d(BX), Z25", 128*i+64)
				for r := range rows {
					a.op("VPBROADCASTD %s, Z%d", q8Activations.at(r, 4*i), spread(r))
					a.op("VPDPBUSD Z%d, Z24, Z%d", spread(r), sum(r, 0))
					a.op("VPDPBUSD Z%d, Z25, Z%d", spread(r), sum(r, 1))
				}
			}
		},
		floats: func() {
			a.note("scales")
			a.op("PREFETCHT0 %d(R14)", ahead/8)
			a.op("PREFETCHT0 %d(R14)", ahead/8+64)
			a.op("VMOVUPS (R14), Z24")
			a.op("VMOVUPS 64(R14), Z25")
			for r := range rows {
				a.op("VBROADCASTSS %s, Z%d", q8Scales.at(r, 0), spread(r))
				for j := range 2 {
					a.op("VCVTDQ2PS Z%d, Z%[1]d", sum(r, j))
					a.op("VMULPS Z%d, Z%d, Z%[2]d", 24+j, sum(r, j))
					a.op("VMULPS Z%d, Z%d, Z%[2]d", spread(r), sum(r, j))
					a.op("VADDPS Z%d, Z%d, Z%[2]d", sum(r, j), float(r, j))
				}
			}
		},
		bias: func() {
			a.op("VMOVUPS.Z (BX), K1, Z24")
			a.op("VMOVUPS.Z 64(BX), K2, Z25")
		},
		finish: func(r int) {
			for j := range 2 {
				a.op("VADDPS Z%d, Z%d, Z%[2]d", 24+j, float(r, j))
				a.op("VMOVUPS Z%d, K%d, %d(BX)", float(r, j), 1+j, 64*j)
			}
		},
	}
}
