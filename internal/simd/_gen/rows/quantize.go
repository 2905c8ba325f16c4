package main

// This file decides quantisation: four blocks of 32 values at once, so that the
// maxima and the sums of all four are combined by the same instructions.

// Places in quantizeTable.
const (
	quantizeAbs = iota
	quantizeSmallest
	quantizeLargest
	quantizeSteps
	quantizeFactor
	quantizeMinusFactor
	quantizeOnes
)

const quantizeSignature = "(q *int8, scale *float32, correction *int32, x *float32, groups int)"

func (t *target) beginQuantize() {
	t.function("quantize", quantizeSignature, 0, 40)
	t.note("DI: q, R8: scale, R9: correction, SI: x, CX: groups of four blocks")
	t.op("MOVQ", "q+0(FP)", "DI")
	t.op("MOVQ", "scale+8(FP)", "R8")
	t.op("MOVQ", "correction+16(FP)", "R9")
	t.op("MOVQ", "x+24(FP)", "SI")
	t.op("MOVQ", "groups+32(FP)", "CX")
}

func (t *target) endQuantize() {
	t.op("ADDQ", "$512", "SI")
	t.op("ADDQ", "$128", "DI")
	t.op("ADDQ", "$16", "R8")
	t.op("ADDQ", "$16", "R9")
	t.op("DECQ", "CX")
	t.op("JNZ", "group")
	t.end()
}

// combine combines four registers of values of four blocks to one whose every
// quarter of 128 bits has values of the blocks 0, 1, 2, 3. The result is in a;
// b, c, d and spare are lost.
func (t *target) combine(operation, a, b, c, d, spare string) {
	t.op("VPUNPCKLDQ", b, a, spare)
	t.op("VPUNPCKHDQ", b, a, a)
	t.op(operation, spare, a, a)
	t.op("VPUNPCKLDQ", d, c, spare)
	t.op("VPUNPCKHDQ", d, c, c)
	t.op(operation, spare, c, c)
	t.op("VPUNPCKLQDQ", c, a, spare)
	t.op("VPUNPCKHQDQ", c, a, a)
	t.op(operation, spare, a, a)
}

// scales makes of the magnitudes in X8: the scales, which it stores; in X9
// 127/magnitude; in X10 ones for a block that isn't too small nor has an infinity
// or NaN: in the others, what is made with X9 has no meaning. X13 and X14 are the
// bounds, X15 is 127. X11 and X12 are lost.
func (t *target) scales() {
	t.note("X10: not too small, X12: not finite")
	t.op("VPCMPGTD", x(13), x(8), x(10))
	t.op("VPCMPGTD", x(14), x(8), x(12))
	t.note("X11: the scale: magnitude/127, 0, NaN; X9: 127/magnitude; X10: neither special case")
	t.op("VDIVPS", x(15), x(8), x(11))
	t.op("VDIVPS", x(8), x(15), x(9))
	t.op("VPAND", x(10), x(11), x(11))
	t.op("VPOR", x(12), x(11), x(11))
	t.op("VMOVUPS", x(11), "(R8)")
	t.op("VPANDN", x(10), x(12), x(10))
}

// quantizeNarrow: the values are read twice.
func (t *target) quantizeNarrow() {
	t.beginQuantize()
	load := func(place, r int) { t.op("VPBROADCASTD", table("quantizeTable", place), y(r)) }
	load(quantizeSmallest, 13)
	load(quantizeLargest, 14)
	load(quantizeSteps, 15)
	t.label("group")
	t.note("the magnitudes, of block b in Y(b), then of all in X8")
	load(quantizeAbs, 12)
	for block := range 4 {
		for part := range 4 {
			r := y(4 + part)
			if part == 0 {
				r = y(block)
			}
			t.op("VPAND", at("SI", 128*block+32*part), y(12), r)
		}
		t.op("VPMAXSD", y(4+1), y(block), y(block))
		t.op("VPMAXSD", y(4+2), y(4+3), y(4+3))
		t.op("VPMAXSD", y(4+3), y(block), y(block))
	}
	t.combine("VPMAXSD", y(0), y(1), y(2), y(3), y(4))
	t.op("VEXTRACTI128", "$1", y(0), x(1))
	t.op("VPMAXSD", x(1), x(0), x(8))
	t.scales()
	t.op("VINSERTI128", "$1", x(9), y(9), y(9))
	t.op("VINSERTI128", "$1", x(10), y(10), y(10))
	t.note("block b: its values in Y4…Y7, packed in Y4; -128 times their sum, in 8 parts, in Y(b)")
	load(quantizeOnes, 8)
	load(quantizeMinusFactor, 11)
	t.op("VMOVDQU", table("orderNarrow", 0), y(12))
	for block := range 4 {
		t.narrowBlock(block)
	}
	t.op("VPHADDD", y(1), y(0), y(0))
	t.op("VPHADDD", y(3), y(2), y(2))
	t.op("VPHADDD", y(2), y(0), y(0))
	t.op("VEXTRACTI128", "$1", y(0), x(1))
	t.op("VPADDD", x(1), x(0), x(0))
	t.op("VMOVDQU", x(0), "(R9)")
	t.endQuantize()
}

func (t *target) narrowBlock(block int) {
	element := "$" + itoa(block*0x55)
	t.op("VPERMILPS", element, y(9), y(block))
	for part := range 4 {
		t.op("VMULPS", at("SI", 128*block+32*part), y(block), y(4+part))
	}
	for part := range 4 {
		t.op("VCVTPS2DQ", y(4+part), y(4+part))
	}
	t.op("VPACKSSDW", y(5), y(4), y(4))
	t.op("VPACKSSDW", y(7), y(6), y(6))
	t.op("VPACKSSWB", y(6), y(4), y(4))
	t.op("VPSHUFD", element, y(10), y(5))
	t.op("VPAND", y(5), y(4), y(4))
	t.op("VPMADDUBSW", y(4), y(8), y(block))
	t.op("VPMADDWD", y(11), y(block), y(block))
	t.op("VPERMD", y(4), y(12), y(4))
	t.op("VMOVDQU", y(4), at("DI", 32*block))
}

// quantizeWide: the values of block b stay in Z(16+2b) and Z(17+2b).
func (t *target) quantizeWide() {
	t.beginQuantize()
	load := func(place int, r string) { t.op("VPBROADCASTD", table("quantizeTable", place), r) }
	load(quantizeSmallest, x(13))
	load(quantizeLargest, x(14))
	load(quantizeSteps, x(15))
	load(quantizeAbs, t.v(31))
	load(quantizeFactor, t.v(30))
	t.op("VMOVDQU32", table("orderWide", 0), t.v(29))
	t.label("group")
	t.note("the magnitudes, of block b in Z(b), then of all in X8")
	for block := range 4 {
		low, high := t.v(16+2*block), t.v(17+2*block)
		t.op("VMOVDQU32", at("SI", 128*block), low)
		t.op("VMOVDQU32", at("SI", 128*block+64), high)
		t.op("VPANDD", t.v(31), low, t.v(block))
		t.op("VPANDD", t.v(31), high, t.v(4+block))
		t.op("VPMAXSD", t.v(4+block), t.v(block), t.v(block))
	}
	t.combine("VPMAXSD", t.v(0), t.v(1), t.v(2), t.v(3), t.v(4))
	t.quarters("VPMAXSD", 0, 1, 8)
	t.scales()
	t.op("VSHUFF32X4", "$0", t.v(9), t.v(9), t.v(9))
	t.op("VSHUFF32X4", "$0", t.v(10), t.v(10), t.v(10))
	t.note("the values, of two blocks packed in Z0 and in Z2")
	for block := range 4 {
		t.op("VPERMILPS", "$"+itoa(block*0x55), t.v(9), t.v(4+block))
		for part := range 2 {
			r := t.v(16 + 2*block + part)
			t.op("VMULPS", t.v(4+block), r, r)
			t.op("VCVTPS2DQ", r, r)
		}
		t.op("VPACKSSDW", t.v(17+2*block), t.v(16+2*block), t.v(block))
	}
	for pair, unpack := range []string{"VPUNPCKLDQ", "VPUNPCKHDQ"} {
		q, blocks := t.v(2*pair), t.v(2*pair+1)
		t.op("VPACKSSWB", blocks, q, q)
		t.note("zeros in the special cases")
		t.op(unpack, t.v(10), t.v(10), blocks)
		t.op("VPANDD", blocks, q, q)
		t.note("128 times the sums, in parts, in Z%d", 4+pair)
		t.op("VPXORD", t.v(4+pair), t.v(4+pair), t.v(4+pair))
		t.op("VPDPBUSD", q, t.v(30), t.v(4+pair))
		t.op("VPERMD", q, t.v(29), q)
		t.op("VMOVDQU32", q, at("DI", 64*pair))
	}
	t.note("the corrections")
	t.op("VSHUFPS", "$0x88", t.v(5), t.v(4), t.v(0))
	t.op("VSHUFPS", "$0xdd", t.v(5), t.v(4), t.v(1))
	t.op("VPADDD", t.v(1), t.v(0), t.v(0))
	t.quarters("VPADDD", 0, 1, 0)
	t.op("VPXOR", x(1), x(1), x(1))
	t.op("VPSUBD", x(0), x(1), x(0))
	t.op("VMOVDQU", x(0), "(R9)")
	t.endQuantize()
}

// quarters combines the quarters of register r in register result; spare is
// lost.
func (t *target) quarters(operation string, r, spare, result int) {
	t.op("VEXTRACTI64X4", "$1", t.v(r), y(spare))
	t.op(operation, y(spare), y(r), y(r))
	t.op("VEXTRACTI128", "$1", y(r), x(spare))
	t.op(operation, x(spare), x(r), x(result))
}
