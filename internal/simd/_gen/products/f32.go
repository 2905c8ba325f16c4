package main

// This file writes the products of float32 matrices.

import "fmt"

const (
	f32Most512 = 12
	f32Most256 = 6
)

var f32Inputs = rows{base: "SI", stride: "DX", triple: "R8", five: "R9", ten: "R10"}

// f32Locals are the bytes of what moves from tile to tile (see q8Locals).
const f32Locals = 24

// f32Begin copies what moves.
func (a *assembly) f32Begin() {
	for _, field := range []struct {
		offset int
		local  string
	}{{f32A, "a-8"}, {f32Dst, "dst-16"}, {f32Tiles, "tiles-24"}} {
		a.op("MOVQ %d(DI), AX", field.offset)
		a.op("MOVQ AX, %s(SP)", field.local)
	}
}

// f32 is a tile of rows times a number of vectors.
type f32 struct {
	*assembly
	rows, vectors int
	letter        string // of the registers
	bytes         int    // of a register
	weights       int    // the first register for weights, behind the sums
}

func mulF32() string {
	a := newFile(`// This file decides how float32 matrices are multiplied: every product is
// rounded before it is added.
//
// AVX-512, up to 12 rows and 32 or 16 outputs:
//
//	Z0 … Z23   sums, a register or two a row
//	Z24, Z25   weights of an input; then the bias
//	Z26        an input in every lane; Z28 … Z31 products
//	K1, K2     which of the outputs exist
//
// AVX2, up to 6 rows and 16 or 8 outputs:
//
//	Y0 … Y11   sums, a register or two a row
//	Y12, Y13   weights of an input; then the bias
//	Y14        an input in every lane, Y15 a product
//
//	SI, R9, R10  inputs of rows 0, 5 and 10; DX, R8: distance of rows, 3 times that
//	BX, AX       weights, distance from input to input
//	CX           inputs left
//	DI           the argument`)
	for vectors := 1; vectors <= 2; vectors++ {
		a.function(fmt.Sprintf("mulF32AVX512x%d", vectors), "f32Tile", f32Locals)
		a.f32Begin()
		a.op("MOVL %d(DI), AX", f32Mask)
		a.op("KMOVW AX, K1")
		a.op("SHRL $16, AX")
		a.op("KMOVW AX, K2")
		a.op("MOVQ %d(DI), AX", f32Rows)
		a.choose("rows", f32Most512)
		for rows := 1; rows <= f32Most512; rows++ {
			f32{a, rows, vectors, "Z", 64, 24}.tile()
		}
	}
	for vectors := 1; vectors <= 2; vectors++ {
		a.function(fmt.Sprintf("mulF32AVX2x%d", vectors), "f32Tile", f32Locals)
		a.f32Begin()
		a.op("MOVQ %d(DI), AX", f32Rows)
		a.choose("rows", f32Most256)
		for rows := 1; rows <= f32Most256; rows++ {
			f32{a, rows, vectors, "Y", 32, 12}.tile()
		}
	}
	return a.String()
}

func (k f32) sum(r, j int) string { return fmt.Sprintf("%s%d", k.letter, k.vectors*r+j) }
func (k f32) weight(j int) string { return fmt.Sprintf("%s%d", k.letter, k.weights+j) }
func (k f32) wide() bool          { return k.bytes == 64 }
func (k f32) spread() string      { return fmt.Sprintf("%s%d", k.letter, k.weights+2) }

func (k f32) tile() {
	name := fmt.Sprintf("rows%d", k.rows)
	k.raw("\n%s: // tiles of %d rows", name, k.rows)
	k.op("MOVQ a-8(SP), SI")
	k.op("MOVQ %d(DI), DX", f32AStride)
	k.op("MOVQ %d(DI), BX", f32Panel)
	k.op("MOVQ %d(DI), AX", f32Row)
	k.op("MOVQ %d(DI), CX", f32Width)
	k.set(f32Inputs, k.rows)
	for r := range k.rows {
		for j := range k.vectors {
			k.op("VXORPS %s, %[1]s, %[1]s", k.sum(r, j))
		}
	}
	k.op("TESTQ CX, CX")
	k.op("JZ    %send", name)
	k.raw("\n%sinput:", name)
	k.input()
	k.advance(f32Inputs, k.rows, 4)
	k.op("ADDQ AX, BX")
	k.op("DECQ CX")
	k.op("JNZ  %sinput", name)
	k.raw("\n%send:", name)
	k.end(name)
}

// input adds the terms of one input.
func (k f32) input() {
	for j := range k.vectors {
		k.op("VMOVUPS %d(BX), %s", k.bytes*j, k.weight(j))
	}
	for r := range k.rows {
		spread := k.spread()
		k.op("VBROADCASTSS %s, %s", f32Inputs.at(r, 0), spread)
		for j := range k.vectors {
			product := k.product(r, j)
			k.op("VMULPS %s, %s, %s", k.weight(j), spread, product)
			k.op("VADDPS %s, %s, %[2]s", product, k.sum(r, j))
		}
	}
}

// product is the register for a product: with few registers, the last one may
// take the place of the input.
func (k f32) product(r, j int) string {
	if k.wide() {
		return fmt.Sprintf("Z%d", 28+(k.vectors*r+j)%4)
	}
	if j == 1 {
		return k.spread()
	}
	return "Y15"
}

// end adds the bias, if there is one, stores a tile and goes on to the next.
func (k f32) end(name string) {
	k.op("MOVQ %d(DI), BX", f32Bias)
	k.op("TESTQ BX, BX")
	k.op("JZ    %sstore", name)
	for j := range k.vectors {
		if k.wide() {
			k.op("VMOVUPS.Z %d(BX), K%d, %s", 64*j, 1+j, k.weight(j))
		} else {
			k.op("VMOVUPS %d(BX), %s", 32*j, k.weight(j))
		}
	}
	for r := range k.rows {
		for j := range k.vectors {
			k.op("VADDPS %s, %s, %[2]s", k.weight(j), k.sum(r, j))
		}
	}
	k.raw("\n%sstore:", name)
	k.op("MOVQ dst-16(SP), BX")
	for r := range k.rows {
		for j := range k.vectors {
			mask := ""
			if k.wide() {
				mask = fmt.Sprintf("K%d, ", 1+j)
			}
			k.op("VMOVUPS %s, %s%d(BX)", k.sum(r, j), mask, k.bytes*j)
		}
		k.op("ADDQ %d(DI), BX", f32Stride)
	}
	k.op("MOVQ BX, dst-16(SP)")
	k.op("IMULQ $%d, DX", k.rows)
	k.op("ADDQ DX, a-8(SP)")
	k.op("DECQ tiles-24(SP)")
	k.op("JNZ  %s", name)
	k.op("VZEROUPPER")
	k.op("RET")
}
