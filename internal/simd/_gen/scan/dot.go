package main

// This file decides the product of two rows of float32.

// dot: lane l of the 16 adds the products l, l+16, …, each rounded; then the
// halves are added until one is left. The last 16 products, filled up with
// zeros, stand elsewhere: adding a zero changes no lane, since none is -0.
func (t *target) dot() {
	t.function("dot", "(a, b *float32, blocks int, lastA, lastB *float32) float32", 44)
	t.note("SI: a, DX: b, CX: blocks of 16; the lanes in %s", map[bool]string{false: "Y0, Y1", true: "Z0"}[t.wide])
	t.op("MOVQ", "a+0(FP)", "SI")
	t.op("MOVQ", "b+8(FP)", "DX")
	t.op("MOVQ", "blocks+16(FP)", "CX")
	t.op("VXORPS", y(0), y(0), y(0))
	t.op("VXORPS", y(1), y(1), y(1))
	t.op("TESTQ", "CX", "CX")
	t.op("JEQ", "last")
	t.label("blocks")
	t.addProducts()
	t.op("ADDQ", "$64", "SI")
	t.op("ADDQ", "$64", "DX")
	t.op("DECQ", "CX")
	t.op("JNZ", "blocks")
	t.label("last")
	t.op("MOVQ", "lastA+24(FP)", "SI")
	t.op("MOVQ", "lastB+32(FP)", "DX")
	t.op("TESTQ", "SI", "SI")
	t.op("JEQ", "fold")
	t.addProducts()
	t.label("fold")
	if t.wide {
		t.op("VEXTRACTF64X4", "$1", "Z0", "Y1")
	}
	t.op("VADDPS", y(1), y(0), y(0))
	t.op("VEXTRACTF128", "$1", y(0), x(1))
	t.op("VADDPS", x(1), x(0), x(0))
	t.op("VPERMILPS", "$0x4e", x(0), x(1))
	t.op("VADDPS", x(1), x(0), x(0))
	t.op("VPERMILPS", "$0xb1", x(0), x(1))
	t.op("VADDPS", x(1), x(0), x(0))
	t.op("VMOVSS", x(0), "ret+40(FP)")
	t.end()
}

// addProducts adds 16 products to the lanes.
func (t *target) addProducts() {
	if t.wide {
		t.op("VMOVUPS", "(SI)", "Z2")
		t.op("VMULPS", "(DX)", "Z2", "Z2")
		t.op("VADDPS", "Z2", "Z0", "Z0")
		return
	}
	t.op("VMOVUPS", "(SI)", "Y2")
	t.op("VMOVUPS", "32(SI)", "Y3")
	t.op("VMULPS", "(DX)", "Y2", "Y2")
	t.op("VMULPS", "32(DX)", "Y3", "Y3")
	t.op("VADDPS", "Y2", "Y0", "Y0")
	t.op("VADDPS", "Y3", "Y1", "Y1")
}
