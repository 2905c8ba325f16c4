package main

// This file decides layer normalisation.

// Where the arguments are.
const layerNormSignature = "(x, residual, gamma, beta *float32, rows, n int, epsilon float32)"

// layerNorm: three passes over two rows at once, so that the additions of one
// don't wait for those of the other; then over the last one if it is alone.
//
// A row's passes go over 16 values a step. Row r has the sum in registers 4r
// and 4r+1, the mean in 8+r, the inverse of the deviation in 10+r.
func (t *target) layerNorm() {
	t.function("layerNorm", layerNormSignature, 0, 52)
	t.note("SI: the row of x, DX: of residual, R8: gamma, R9: beta, CX: rows, BX: bytes of a row,")
	t.note("AX: byte in the row; R10, R11: the second rows")
	t.op("MOVQ", "x+0(FP)", "SI")
	t.op("MOVQ", "residual+8(FP)", "DX")
	t.op("MOVQ", "gamma+16(FP)", "R8")
	t.op("MOVQ", "beta+24(FP)", "R9")
	t.op("MOVQ", "rows+32(FP)", "CX")
	t.op("MOVQ", "n+40(FP)", "BX")
	t.note("X15: n, X14: epsilon, X13: 1")
	t.op("VXORPS", x(15), x(15), x(15))
	t.op("VCVTSI2SSQ", "BX", x(15), x(15))
	t.op("VMOVSS", "epsilon+48(FP)", x(14))
	t.op("MOVL", "$0x3f800000", "AX")
	t.op("VMOVD", "AX", x(13))
	t.op("SHLQ", "$2", "BX")
	t.op("SUBQ", "$2", "CX")
	t.op("JLT", "single")
	t.label("pair")
	t.op("LEAQ", "(SI)(BX*1)", "R10")
	t.op("LEAQ", "(DX)(BX*1)", "R11")
	t.normalize("pair", 2)
	t.op("LEAQ", "(SI)(BX*2)", "SI")
	t.op("LEAQ", "(DX)(BX*2)", "DX")
	t.op("SUBQ", "$2", "CX")
	t.op("JGE", "pair")
	t.label("single")
	t.op("ADDQ", "$1", "CX")
	t.op("JLT", "done")
	t.normalize("single", 1)
	t.label("done")
	t.end()
}

// pass writes a loop over the 16 lanes of the rows: step gets the row and the
// part of the 16 lanes.
func (t *target) pass(name string, rows int, step func(row, part int, offset string)) {
	t.op("XORQ", "AX", "AX")
	t.label(name)
	for part := range 16 / t.lanes {
		for row := range rows {
			step(row, part, itoa(t.bytes(part)))
		}
	}
	t.op("ADDQ", "$64", "AX")
	t.op("CMPQ", "AX", "BX")
	t.op("JLT", name)
}

func (t *target) clearSums(rows int) {
	for row := range rows {
		for part := range 2 {
			r := y(4*row + part)
			t.op("VXORPS", r, r, r)
		}
	}
}

func (t *target) normalize(name string, rows int) {
	values := [2]string{"(SI)(AX*1)", "(R10)(AX*1)"}
	residuals := [2]string{"(DX)(AX*1)", "(R11)(AX*1)"}
	t.note("x += residual, and the sum")
	t.clearSums(rows)
	t.pass(name+"Sum", rows, func(row, part int, offset string) {
		sum, v := t.v(4*row+part), t.v(4*row+2+part)
		t.op("VMOVUPS", offset+values[row], v)
		t.op("VADDPS", offset+residuals[row], v, v)
		t.op("VMOVUPS", v, offset+values[row])
		t.op("VADDPS", v, sum, sum)
	})
	t.note("the mean")
	for row := range rows {
		t.fold("VADDPS", 4*row)
		t.op("VDIVSS", x(15), x(4*row), x(4*row))
		t.op("VBROADCASTSS", x(4*row), t.v(8+row))
	}
	t.note("the sum of squares")
	t.clearSums(rows)
	t.pass(name+"Squares", rows, func(row, part int, offset string) {
		sum, v := t.v(4*row+part), t.v(4*row+2+part)
		t.op("VMOVUPS", offset+values[row], v)
		t.op("VSUBPS", t.v(8+row), v, v)
		t.op("VMULPS", v, v, v)
		t.op("VADDPS", v, sum, sum)
	})
	t.note("1/√(variance + epsilon)")
	for row := range rows {
		r := x(4 * row)
		t.fold("VADDPS", 4*row)
		t.op("VDIVSS", x(15), r, r)
		t.op("VADDSS", x(14), r, r)
		t.op("VSQRTSS", r, r, r)
		t.op("VDIVSS", r, x(13), r)
		t.op("VBROADCASTSS", r, t.v(10+row))
	}
	t.note("the row")
	t.pass(name+"Row", rows, func(row, part int, offset string) {
		v := t.v(4*row + 2 + part)
		t.op("VMOVUPS", offset+values[row], v)
		t.op("VSUBPS", t.v(8+row), v, v)
		t.op("VMULPS", t.v(10+row), v, v)
		t.op("VMULPS", offset+"(R8)(AX*1)", v, v)
		t.op("VADDPS", offset+"(R9)(AX*1)", v, v)
		t.op("VMOVUPS", v, offset+values[row])
	})
}
