package main

// This file decides softmax.

import "strconv"

func itoa(i int) string { return strconv.Itoa(i) }

// Places in expTable, and in expBits behind it.
const (
	expSmallest = iota
	expRounder
	expPolynomial
	expDegree = 6
	expFloats = expPolynomial + expDegree + 1

	expBias          = expFloats
	expMinusInfinity = expFloats + 1
	expBitsCount     = 2
)

// exponential makes both tables available.
func (t *target) exponential(first int) func(i int) string {
	second := first
	if t.wide() {
		second += expFloats
	}
	floats := t.constants("expTable", first, expFloats)
	bits := t.constants("expBits", second, expBitsCount)
	return func(i int) string {
		if i < expFloats {
			return floats(i)
		}
		return bits(i - expFloats)
	}
}

// fold writes the combination of the 16 lanes in registers r and, of half the
// size, r+1, into the first element of register r. Register r+1 is lost.
func (t *target) fold(operation string, r int) {
	if t.wide() {
		t.op("VEXTRACTF64X4", "$1", t.v(r), y(r+1))
	}
	t.op(operation, y(r+1), y(r), y(r))
	t.op("VEXTRACTF128", "$1", y(r), x(r+1))
	t.op(operation, x(r+1), x(r), x(r))
	t.op("VPERMILPD", "$1", x(r), x(r+1))
	t.op(operation, x(r+1), x(r), x(r))
	t.op("VPERMILPS", "$1", x(r), x(r+1))
	t.op(operation, x(r+1), x(r), x(r))
}

// softmax: two passes over the row. The 16 lanes of the sum are in register 0,
// with AVX2 in 0 and 1.
func (t *target) softmax() {
	frame, largest := 0, t.v(2)
	if !t.wide() {
		frame = 8
	}
	t.function("softmax", "(x []float32, scale float32) float32", frame, 36)
	t.note("SI: x, CX: bytes")
	t.op("MOVQ", "x_base+0(FP)", "SI")
	t.op("MOVQ", "x_len+8(FP)", "CX")
	t.op("SHLQ", "$2", "CX")
	t.largest()
	t.note("the second pass: the powers and their sum")
	t.op("MOVQ", "x_base+0(FP)", "SI")
	t.op("MOVQ", "x_len+8(FP)", "CX")
	t.op("SHLQ", "$2", "CX")
	if t.wide() {
		t.op("VBROADCASTSS", x(0), largest)
		t.op("VBROADCASTSS", "scale+24(FP)", t.v(3))
		t.op("VPXORD", t.v(0), t.v(0), t.v(0))
		constant := t.exponential(16)
		t.loops("power", 4, 1, func(n int) { t.power(n, constant, func() string { return largest }, func() string { return t.v(3) }) })
	} else {
		t.op("VMOVSS", x(0), "largest-8(SP)")
		t.op("VXORPS", t.v(0), t.v(0), t.v(0))
		t.op("VXORPS", t.v(1), t.v(1), t.v(1))
		constant := t.exponential(14)
		load := func(from, to string) func() string {
			return func() string {
				t.op("VBROADCASTSS", from, to)
				return to
			}
		}
		t.loops("power", 4, 2, func(n int) {
			t.power(n, constant, load("largest-8(SP)", t.v(14)), load("scale+24(FP)", t.v(15)))
		})
	}
	t.note("the sum of the lanes")
	t.fold("VADDPS", 0)
	t.op("VMOVSS", x(0), "ret+32(FP)")
	t.end()
}

// largest leaves the largest value of the row in the first element of register
// 0: the pass over it uses registers 0…3. A NaN is never the second operand of
// the maximum, and gets lost if it isn't the first.
func (t *target) largest() {
	t.note("the first pass: the largest, in %s…%s", t.v(0), t.v(3))
	for i := range 4 {
		t.op("VBROADCASTSS", "(SI)", t.v(i))
	}
	t.loops("largest", 4, 16/t.lanes, func(n int) {
		for i := range n {
			t.op("VMOVUPS", at("SI", t.bytes(i)), t.v(4+i))
		}
		for i := range n {
			t.op("VMAXPS", t.v(i), t.v(4+i), t.v(i))
		}
	})
	t.op("VMAXPS", t.v(0), t.v(2), t.v(0))
	t.op("VMAXPS", t.v(1), t.v(3), t.v(1))
	if t.wide() {
		t.op("VMAXPS", t.v(0), t.v(1), t.v(0))
	}
	t.fold("VMAXPS", 0)
}

// power turns n vectors from SI into powers of two and adds them to the lanes.
// Vector i has three registers: the exponent t, then the polynomial; the
// fraction f; the shifted exponent, then the power's exponent.
func (t *target) power(n int, constant func(int) string, largest, scale func() string) {
	a, b, c := func(i int) string { return t.v(4 + 3*i) }, func(i int) string { return t.v(5 + 3*i) }, func(i int) string { return t.v(6 + 3*i) }
	if !t.wide() {
		a, b, c = func(i int) string { return t.v(2 + 3*i) }, func(i int) string { return t.v(3 + 3*i) }, func(i int) string { return t.v(4 + 3*i) }
	}
	all := func(name string, operands func(i int) []string) {
		for i := range n {
			t.op(name, operands(i)...)
		}
	}
	t.note("t = (x - largest)·scale, not below -125")
	all("VMOVUPS", func(i int) []string { return []string{at("SI", t.bytes(i)), a(i)} })
	k := largest()
	all("VSUBPS", func(i int) []string { return []string{k, a(i), a(i)} })
	k = scale()
	all("VMULPS", func(i int) []string { return []string{k, a(i), a(i)} })
	k = constant(expSmallest)
	all("VMAXPS", func(i int) []string { return []string{a(i), k, a(i)} })
	t.note("f = t - the integer nearest to t")
	k = constant(expRounder)
	all("VADDPS", func(i int) []string { return []string{k, a(i), c(i)} })
	all("VSUBPS", func(i int) []string { return []string{k, c(i), b(i)} })
	all("VSUBPS", func(i int) []string { return []string{b(i), a(i), b(i)} })
	t.note("2^f")
	k = constant(expPolynomial + expDegree)
	all("VMULPS", func(i int) []string { return []string{k, b(i), a(i)} })
	for d := expDegree - 1; d >= 0; d-- {
		k = constant(expPolynomial + d)
		all("VADDPS", func(i int) []string { return []string{k, a(i), a(i)} })
		if d > 0 {
			all("VMULPS", func(i int) []string { return []string{b(i), a(i), a(i)} })
		}
	}
	t.note("2^t; the upper bits of the rounder fall out on the left")
	k = constant(expBias)
	all("VPADDD", func(i int) []string { return []string{k, c(i), c(i)} })
	all("VPSLLD", func(i int) []string { return []string{"$23", c(i), c(i)} })
	t.note("but 0 where x is -Inf")
	k = constant(expMinusInfinity)
	if t.wide() {
		all("VPCMPD", func(i int) []string { return []string{"$4", at("SI", t.bytes(i)), k, "K" + itoa(i+1)} })
		all("VMULPS.Z", func(i int) []string { return []string{c(i), a(i), "K" + itoa(i+1), a(i)} })
	} else {
		all("VPCMPEQD", func(i int) []string { return []string{at("SI", t.bytes(i)), k, b(i)} })
		all("VMULPS", func(i int) []string { return []string{c(i), a(i), a(i)} })
		all("VANDNPS", func(i int) []string { return []string{a(i), b(i), a(i)} })
	}
	all("VMOVUPS", func(i int) []string { return []string{a(i), at("SI", t.bytes(i))} })
	for i := range n {
		lanes := t.v(i % (16 / t.lanes))
		t.op("VADDPS", a(i), lanes, lanes)
	}
}
