package main

// This file decides the operations on single elements: sums and GELU.

// loops writes a loop over several vectors at once and one over the rest: body
// works on n vectors from SI. CX counts bytes.
func (t *target) loops(name string, several, one int, body func(n int)) {
	t.op("SUBQ", "$"+itoa(t.bytes(several)), "CX")
	t.op("JLT", name+"Rest")
	t.label(name + "Several")
	body(several)
	t.op("ADDQ", "$"+itoa(t.bytes(several)), "SI")
	t.op("SUBQ", "$"+itoa(t.bytes(several)), "CX")
	t.op("JGE", name+"Several")
	t.label(name + "Rest")
	t.op("ADDQ", "$"+itoa(t.bytes(several-one)), "CX")
	t.op("JLT", name+"Done")
	t.label(name + "One")
	body(one)
	t.op("ADDQ", "$"+itoa(t.bytes(one)), "SI")
	t.op("SUBQ", "$"+itoa(t.bytes(one)), "CX")
	t.op("JGE", name+"One")
	t.label(name + "Done")
}

func (t *target) add() {
	t.function("add", "(dst, x []float32)", 0, 48)
	t.note("SI: dst, DX: from there to x, CX: bytes")
	t.op("MOVQ", "dst_base+0(FP)", "SI")
	t.op("MOVQ", "x_base+24(FP)", "DX")
	t.op("MOVQ", "x_len+32(FP)", "CX")
	t.op("SUBQ", "SI", "DX")
	t.op("SHLQ", "$2", "CX")
	t.loops("add", 4, 1, func(n int) {
		for i := range n {
			t.op("VMOVUPS", at("SI", t.bytes(i)), t.v(i))
		}
		for i := range n {
			t.op("VADDPS", at("SI", t.bytes(i))+"(DX*1)", t.v(i), t.v(i))
		}
		for i := range n {
			t.op("VMOVUPS", t.v(i), at("SI", t.bytes(i)))
		}
	})
	t.end()
}

// Places in geluTable.
const (
	geluBound = iota
	geluMinusBound
	geluScale
	geluMinusOne
	geluHalf
	geluPhi
	geluDegree = 12
)

// gelu: for vector i, register 3i has u (x within the bounds), 3i+1 has s and
// 3i+2 the polynomial.
func (t *target) gelu() {
	t.function("gelu", "(x []float32)", 0, 24)
	t.note("SI: x, CX: bytes; of vector i: u in %[1]s(3i), s in %[1]s(3i+1), the polynomial in %[1]s(3i+2)", t.reg)
	t.op("MOVQ", "x_base+0(FP)", "SI")
	t.op("MOVQ", "x_len+8(FP)", "CX")
	t.op("SHLQ", "$2", "CX")
	constant := t.constants("geluTable", 12, geluPhi+geluDegree+1)
	t.loops("gelu", 4, 1, func(n int) {
		all := func(name string, operands func(i int) []string) {
			for i := range n {
				t.op(name, operands(i)...)
			}
		}
		u, s, p := func(i int) string { return t.v(3 * i) }, func(i int) string { return t.v(3*i + 1) }, func(i int) string { return t.v(3*i + 2) }
		t.note("u = x within ±bound; a NaN is the second operand and stays")
		all("VMOVUPS", func(i int) []string { return []string{at("SI", t.bytes(i)), u(i)} })
		c := constant(geluBound)
		all("VMINPS", func(i int) []string { return []string{u(i), c, u(i)} })
		c = constant(geluMinusBound)
		all("VMAXPS", func(i int) []string { return []string{u(i), c, u(i)} })
		t.note("s = u·u·scale - 1")
		all("VMULPS", func(i int) []string { return []string{u(i), u(i), s(i)} })
		c = constant(geluScale)
		all("VMULPS", func(i int) []string { return []string{c, s(i), s(i)} })
		c = constant(geluMinusOne)
		all("VADDPS", func(i int) []string { return []string{c, s(i), s(i)} })
		t.note("the polynomial in s, then times u, plus 1/2")
		c = constant(geluPhi + geluDegree)
		all("VMULPS", func(i int) []string { return []string{c, s(i), p(i)} })
		for d := geluDegree - 1; d >= 0; d-- {
			c = constant(geluPhi + d)
			all("VADDPS", func(i int) []string { return []string{c, p(i), p(i)} })
			if d > 0 {
				all("VMULPS", func(i int) []string { return []string{s(i), p(i), p(i)} })
			}
		}
		all("VMULPS", func(i int) []string { return []string{u(i), p(i), p(i)} })
		c = constant(geluHalf)
		all("VADDPS", func(i int) []string { return []string{c, p(i), p(i)} })
		t.note("times x")
		all("VMULPS", func(i int) []string { return []string{at("SI", t.bytes(i)), p(i), p(i)} })
		all("VMOVUPS", func(i int) []string { return []string{p(i), at("SI", t.bytes(i))} })
	})
	t.end()
}

// constants makes a table available from register first on: with 32 registers
// all of it stays in registers; with 16, an element is loaded when it is asked
// for, into the registers from first on in turn.
func (t *target) constants(name string, first, count int) func(i int) string {
	if t.wide() {
		t.note("%s in Z%d…Z%d", name, first, first+count-1)
		for i := range count {
			t.op("VBROADCASTSS", table(name, i), t.v(first+i))
		}
		return func(i int) string { return t.v(first + i) }
	}
	next := 0
	return func(i int) string {
		r := t.v(first + next%(16-first))
		next++
		t.op("VBROADCASTSS", table(name, i), r)
		return r
	}
}
