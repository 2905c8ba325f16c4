package main

// This file writes the products of quantised matrices on 256 bits. The float
// sums don't fit into 16 registers: they are on the stack.
//
// Without VPDPBUSD, four instructions make 32 products. Two other ways to do that
// are no faster, and need more around them: VPMADDWD with weights and activations
// widened to int16 (95 % of the speed), and VPMADDUBSW with each half of the byte
// of an unsigned weight, whose sums over a block fit into int16 (90 %).

import "fmt"

const (
	mostAVX2 = 4
	mostVNNI = 6
)

// q8AVX2 is the file of the kernels on 256 bits.
func q8AVX2() string {
	a := newFile(`// This file decides how quantised matrices are multiplied on 256 bits.
//
// A tile takes 16 outputs. The registers for addresses are those of the kernel
// with AVX-512. The float sums are on the stack, two vectors a row.
//
// AVX2, up to 4 rows:
//
//	Y0 … Y7    integer sums of a block, two registers a row
//	Y8, Y9     weights: 4 inputs of 16 outputs; then their scales, then the bias
//	Y10, Y11   their magnitudes, as uint8
//	Y12        ones, as int16
//	Y13        4 inputs of a row, or its scale, in every lane
//	Y14, Y15   the inputs with the signs of the weights; products
//
// VPMADDUBSW adds two products of magnitudes (up to 128) and activations (up to
// 127), which fits into its int16 without saturation.
//
// AVX-VNNI, up to 6 rows:
//
//	Y0 … Y11   integer sums of a block, two registers a row
//	Y12, Y13   weights, to which 128 was added; then their scales, then the bias
//	Y14, Y15   4 inputs of a row, or its scale, in every lane`)
	a.function("mulQ8AVX2", "q8Tile", q8Locals+mostAVX2*64)
	a.q8Begin()
	a.op("VPCMPEQW Y12, Y12, Y12")
	a.op("VPSRLW $15, Y12, Y12")
	a.op("MOVQ %d(DI), AX", q8Rows)
	a.choose("rows", mostAVX2)
	for rows := 1; rows <= mostAVX2; rows++ {
		tileAVX2(a, rows).tile("rows")
	}
	a.function("mulQ8VNNI", "q8Tile", q8Locals+mostVNNI*64)
	a.q8Begin()
	a.op("MOVQ %d(DI), AX", q8Rows)
	a.choose("rows", mostVNNI)
	for rows := 1; rows <= mostVNNI; rows++ {
		tileVNNI(a, rows).tile("rows")
	}
	return a.String()
}

// onStack is what the two kernels on 256 bits have in common: w is the first of
// the two registers for weights, spread a free one.
func onStack(a *assembly, rows, w, spread int) q8 {
	sum := func(r, j int) int { return 2*r + j }
	float := func(r, j int) string { return fmt.Sprintf("sums-%d(SP)", q8Locals+(rows-r)*64-32*j) }
	return q8{
		assembly: a, rows: rows,
		clear: func() {
			a.op("VPXOR Y0, Y0, Y0")
			for r := range rows {
				a.op("VMOVUPS Y0, %s", float(r, 0))
				a.op("VMOVUPS Y0, %s", float(r, 1))
			}
		},
		floats: func() {
			a.note("scales")
			a.op("PREFETCHT0 %d(R14)", ahead/8)
			a.op("VMOVUPS (R14), Y%d", w)
			a.op("VMOVUPS 32(R14), Y%d", w+1)
			for r := range rows {
				a.op("VBROADCASTSS %s, Y%d", q8Scales.at(r, 0), spread)
				for j := range 2 {
					a.op("VCVTDQ2PS Y%d, Y%[1]d", sum(r, j))
					a.op("VMULPS Y%d, Y%d, Y%[2]d", w+j, sum(r, j))
					a.op("VMULPS Y%d, Y%d, Y%[2]d", spread, sum(r, j))
					a.op("VADDPS %s, Y%d, Y%[2]d", float(r, j), sum(r, j))
					a.op("VMOVUPS Y%d, %s", sum(r, j), float(r, j))
				}
			}
		},
		bias: func() {
			a.op("VMOVUPS (BX), Y%d", w)
			a.op("VMOVUPS 32(BX), Y%d", w+1)
		},
		finish: func(r int) {
			for j := range 2 {
				a.op("VADDPS %s, Y%d, Y%d", float(r, j), w+j, sum(r, j))
				a.op("VMOVUPS Y%d, %d(BX)", sum(r, j), 32*j)
			}
		},
	}
}

func tileAVX2(a *assembly, rows int) q8 {
	k := onStack(a, rows, 8, 13)
	k.products = func() {
		for r := range 2 * rows {
			a.op("VPXOR Y%d, Y%[1]d, Y%[1]d", r)
		}
		for i := range 8 {
			a.note("inputs %d to %d", 4*i, 4*i+3)
			a.op("PREFETCHT0 %d(BX)", 128*i+ahead)
			for j := range 2 {
				a.op("VMOVDQU %d(BX), Y%d", 128*i+32*j, 8+j)
				a.op("VPABSB Y%d, Y%d", 8+j, 10+j)
			}
			for r := range rows {
				a.op("VPBROADCASTD %s, Y13", q8Activations.at(r, 4*i))
				for j := range 2 {
					a.op("VPSIGNB Y%d, Y13, Y%d", 8+j, 14+j)
					a.op("VPMADDUBSW Y%d, Y%d, Y%[1]d", 14+j, 10+j)
					a.op("VPMADDWD Y12, Y%d, Y%[1]d", 14+j)
					a.op("VPADDD Y%d, Y%d, Y%[2]d", 14+j, 2*r+j)
				}
			}
		}
	}
	return k
}

func tileVNNI(a *assembly, rows int) q8 {
	k := onStack(a, rows, 12, 14)
	k.corrections = true
	k.products = func() {
		for r := range rows {
			a.op("VPBROADCASTD %s, Y%d", q8Corrections.at(r, 0), 2*r)
			a.op("VMOVDQA Y%d, Y%d", 2*r, 2*r+1)
		}
		for i := range 8 {
			a.note("inputs %d to %d", 4*i, 4*i+3)
			a.op("PREFETCHT0 %d(BX)", 128*i+ahead)
			a.op("VMOVDQU %d(BX), Y12", 128*i)
			a.op("VMOVDQU %d(BX), Y13", 128*i+32)
			for r := range rows {
				spread := 14 + r%2
				a.op("VPBROADCASTD %s, Y%d", q8Activations.at(r, 4*i), spread)
				a.vpdpbusd(spread, 12, 2*r)
				a.vpdpbusd(spread, 13, 2*r+1)
			}
		}
	}
	return k
}

// vpdpbusd writes VPDPBUSD sum, weights, spread in its VEX form, which the
// assembler doesn't have: VEX.256.66.0F38.W0 50 /r (Intel SDM, volume 2).
func (a *assembly) vpdpbusd(spread, weights, sum int) {
	bit := func(register int) int { return (^register >> 3) & 1 } // inverted bit 3
	a.op("BYTE $0xC4; BYTE $%#02X; BYTE $%#02X; BYTE $0x50; BYTE $%#02X // VPDPBUSD Y%d, Y%d, Y%d",
		bit(sum)<<7|1<<6|bit(spread)<<5|2, (^weights&15)<<3|1<<2|1, 3<<6|(sum&7)<<3|spread&7, spread, weights, sum)
}
