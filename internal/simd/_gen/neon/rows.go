package main

// This file decides the operations on rows.

func rows() string {
	s := newSource(`
		Operations on rows. The results are those of the functions in
		rows_generic.go and quantize_generic.go, operation by operation. Sixteen
		elements at once are the 16 lanes of a sum, in four registers.`)
	addRows(s)
	quantize(s)
	softmax(s)
	layerNorm(s)
	gelu(s)
	transpose(s)
	return s.String()
}

// load16 and store16 move 16 elements.
func load16(s *source, pointer string, v int) {
	s.op("FLDPQ (%s), (F%d, F%d)", pointer, v, v+1)
	s.op("FLDPQ 32(%s), (F%d, F%d)", pointer, v+2, v+3)
}

func load16Next(s *source, pointer string, v int) {
	s.op("FLDPQ.P 32(%s), (F%d, F%d)", pointer, v, v+1)
	s.op("FLDPQ.P 32(%s), (F%d, F%d)", pointer, v+2, v+3)
}

func store16Next(s *source, pointer string, v int) {
	s.op("FSTPQ.P (F%d, F%d), 32(%s)", v, v+1, pointer)
	s.op("FSTPQ.P (F%d, F%d), 32(%s)", v+2, v+3, pointer)
}

// four writes an instruction for four registers from d on, each with its own
// register from n on, and with the same register m.
func four(s *source, f form, d, n, m int) {
	for i := range 4 {
		s.v(f, d+i, n+i, m)
	}
}

// fours is the same with four registers from m on.
func fours(s *source, f form, d, n, m int) {
	for i := range 4 {
		s.v(f, d+i, n+i, m+i)
	}
}

// broadcast loads constants from a table in R10, one a register.
func broadcast(s *source, table string, from, count int) {
	s.op("MOVD $·%s(SB), R10", table)
	for i := range count {
		s.op("VLD1R.P 4(R10), [V%d.S4]", from+i)
	}
}

// sumLanes adds the 16 lanes in the registers from v on, into element 0 of v.
func sumLanes(s *source, v int) {
	s.v(fadd, v, v, v+2)
	s.v(fadd, v+1, v+1, v+3)
	s.v(fadd, v, v, v+1)
	s.v(swap, v+1, v, v)
	s.v(fadd, v, v, v+1)
	s.v(faddpS, v, v)
}

func addRows(s *source) {
	s.function("addNEON", "(dst, x *float32, n int)", 24, "R0 dst, R1 x, R2 elements that are left.")
	s.op("MOVD dst+0(FP), R0")
	s.op("MOVD x+8(FP), R1")
	s.op("MOVD n+16(FP), R2")
	s.label("loop")
	load16(s, "R0", 0)
	load16Next(s, "R1", 4)
	fours(s, fadd, 0, 0, 4)
	store16Next(s, "R0", 0)
	s.op("SUBS $16, R2, R2")
	s.op("BNE loop")
	s.op("RET")
}

func quantize(s *source) {
	const x, magnitude, mask, full, inverse, total = 0, 8, 16, 17, 18, 19
	s.function("quantizeNEON", "(q *int8, scale *float32, correction *int32, x *float32, blocks int)", 40, `
		R0 q, R1 scale, R2 correction, R3 x, R4 blocks that are left
		R5 bits of smallestBlock, R6 bits from there to infinity
		V0... values, V8... magnitudes, V16 all bits but the sign, F17 127,
		F18 127 / largest magnitude, V19 sum of q`)
	for i, argument := range []string{"q+0", "scale+8", "correction+16", "x+24", "blocks+32"} {
		s.op("MOVD %s(FP), R%d", argument, i)
	}
	s.op("MOVD $·quantizeTable(SB), R10")
	s.op("MOVWU (R10), R5")
	s.op("MOVWU 4(R10), R6")
	s.op("SUB R5, R6, R6")
	s.op("ADD $8, R10")
	s.op("VLD1R (R10), [V%d.S4]", mask)
	s.op("FMOVS $127.0, F%d", full)
	s.label("block")
	load16Next(s, "R3", x)
	load16Next(s, "R3", x+4)
	four(s, and, magnitude, x, mask)
	four(s, and, magnitude+4, x+4, mask)
	fours(s, umax, magnitude, magnitude, magnitude+4)
	s.v(umax, magnitude, magnitude, magnitude+2)
	s.v(umax, magnitude+1, magnitude+1, magnitude+3)
	s.v(umax, magnitude, magnitude, magnitude+1)
	s.v(umaxv, magnitude, magnitude)
	s.op("FMOVS F%d, R7", magnitude)
	s.op("SUBW R5, R7, R8")
	s.op("CMPW R6, R8")
	s.op("BHS special")
	s.op("FDIVS F%d, F%d, F%d", magnitude, full, inverse)
	s.op("FDIVS F%d, F%d, F%d", full, magnitude, magnitude)
	s.op("FMOVS.P F%d, 4(R1)", magnitude)
	for i := range 8 {
		s.v(fmulE, x+i, x+i, inverse, 0)
	}
	for i := range 8 {
		s.v(fcvtns, x+i, x+i)
	}
	for i := range 4 {
		s.v(uzp1H, x+i, x+2*i, x+2*i+1)
	}
	s.v(uzp1B, x, x, x+1)
	s.v(uzp1B, x+1, x+2, x+3)
	s.op("FSTPQ.P (F%d, F%d), 32(R0)", x, x+1)
	s.v(saddlpB, total, x)
	s.v(sadalpB, total, x+1)
	s.v(saddlv, total, total)
	s.op("FMOVS F%d, R7", total)
	s.op("NEGW R7<<7, R7")
	s.op("MOVW.P R7, 4(R2)")
	s.op("SUBS $1, R4, R4")
	s.op("BNE block")
	s.op("RET")
	s.note("zeros, with the scale 0, or NaN (at R10) where a value isn't finite")
	s.label("special")
	s.op("STP.P (ZR, ZR), 16(R0)")
	s.op("STP.P (ZR, ZR), 16(R0)")
	s.op("MOVW.P ZR, 4(R2)")
	s.op("MOVWU 4(R10), R9")
	s.op("ADD R5, R6, R11")
	s.op("CMPW R11, R7")
	s.op("CSEL HS, R9, ZR, R9")
	s.op("MOVW.P R9, 4(R1)")
	s.op("SUBS $1, R4, R4")
	s.op("BNE block")
	s.op("RET")
}

func softmax(s *source) {
	// The order of the constants is that of softmaxTable.
	const power, floor, rounder, exponent, infinity, largest, scale = 0, 7, 8, 9, 10, 11, 12
	const lanes, f, shifted, p = 13, 17, 21, 25
	s.function("softmaxNEON", "(x *float32, n int, scale float32) float32", 28, `
		R0 x, R1 n, R2 elements that are left, R3 x
		V0 to V6 coefficients, the highest first; V7 smallest exponent, V8 rounder,
		V9 exponent of 1 less the bits of the rounder, V10 -Inf, V11 largest x, V12 scale
		V13... lanes, V17... x, then fraction, V21... x + rounder, then power, V25... polynomial`)
	s.op("MOVD x+0(FP), R0")
	s.op("MOVD n+8(FP), R1")
	s.op("FMOVS scale+16(FP), F%d", scale)
	s.v(dup, scale, scale)
	broadcast(s, "softmaxTable", power, 11)

	s.note("the largest: as in Go, a NaN is only larger where it is the first")
	s.op("VLD1R (R0), [V%d.S4]", lanes)
	for i := range 3 {
		s.v(mov, lanes+1+i, lanes)
	}
	s.op("MOVD R0, R3")
	s.op("MOVD R1, R2")
	s.label("compare")
	load16Next(s, "R3", f)
	fours(s, fcmgt, p, f, lanes)
	fours(s, bit, lanes, f, p)
	s.op("SUBS $16, R2, R2")
	s.op("BNE compare")
	s.v(fmax, lanes, lanes, lanes+1)
	s.v(fmax, lanes+2, lanes+2, lanes+3)
	s.v(fmax, lanes, lanes, lanes+2)
	s.v(fmaxv, largest, lanes)
	s.v(dup, largest, largest)

	for i := range 4 {
		s.v(zero, lanes+i)
	}
	s.label("powers")
	load16(s, "R0", f)
	four(s, fsub, f, f, largest)
	four(s, fmul, f, f, scale)
	four(s, fmax, f, f, floor)
	four(s, fadd, shifted, f, rounder)
	four(s, fsub, p, shifted, rounder)
	fours(s, fsub, f, f, p)
	four(s, add, shifted, shifted, exponent)
	for i := range 4 {
		s.v(shl23, shifted+i, shifted+i)
	}
	four(s, fmul, p, f, power)
	for c := 1; c < 6; c++ {
		four(s, fadd, p, p, power+c)
		fours(s, fmul, p, p, f)
	}
	four(s, fadd, p, p, power+6)
	fours(s, fmul, p, p, shifted)
	s.note("0 for -Inf")
	load16(s, "R0", f)
	four(s, cmeq, f, f, infinity)
	fours(s, bic, p, p, f)
	fours(s, fadd, lanes, lanes, p)
	store16Next(s, "R0", p)
	s.op("SUBS $16, R1, R1")
	s.op("BNE powers")
	sumLanes(s, lanes)
	s.op("FMOVS F%d, ret+24(FP)", lanes)
	s.op("RET")
}

func layerNorm(s *source) {
	const lanes, x, y, z, mean, inverse, epsilon, count, one = 0, 4, 8, 12, 16, 17, 18, 19, 20
	s.function("layerNormNEON", "(x, residual *float32, rows, n int, gamma, beta *float32, epsilon float32)", 52, `
		R0 x, R1 residual, R2 rows that are left, R3 n, R4 gamma, R5 beta
		R6 cursor in the row, R7 elements that are left, R8 gamma, R9 beta
		V0... lanes, V4... x, V8... and V12... other operands
		V16 mean, V17 1 / standard deviation, F18 epsilon, F19 n, F20 1`)
	for i, argument := range []string{"x+0", "residual+8", "rows+16", "n+24", "gamma+32", "beta+40"} {
		s.op("MOVD %s(FP), R%d", argument, i)
	}
	s.op("FMOVS epsilon+48(FP), F%d", epsilon)
	s.op("SCVTFS R3, F%d", count)
	s.op("FMOVS $1.0, F%d", one)

	begin := func(name string) {
		for i := range 4 {
			s.v(zero, lanes+i)
		}
		s.op("MOVD R0, R6")
		s.op("MOVD R3, R7")
		s.label(name)
		load16(s, "R6", x)
	}
	end := func(name string) {
		store16Next(s, "R6", x)
		s.op("SUBS $16, R7, R7")
		s.op("BNE %s", name)
	}
	s.label("row")
	begin("sum")
	load16Next(s, "R1", y)
	fours(s, fadd, x, x, y)
	fours(s, fadd, lanes, lanes, x)
	end("sum")
	sumLanes(s, lanes)
	s.op("FDIVS F%d, F%d, F%d", count, lanes, mean)
	s.v(dup, mean, mean)

	begin("squares")
	four(s, fsub, x, x, mean)
	fours(s, fmul, y, x, x)
	fours(s, fadd, lanes, lanes, y)
	end("squares")
	sumLanes(s, lanes)
	s.op("FDIVS F%d, F%d, F%d", count, lanes, inverse)
	s.op("FADDS F%d, F%d, F%d", epsilon, inverse, inverse)
	s.op("FSQRTS F%d, F%d", inverse, inverse)
	s.op("FDIVS F%d, F%d, F%d", inverse, one, inverse)

	s.op("MOVD R0, R6")
	s.op("MOVD R3, R7")
	s.op("MOVD R4, R8")
	s.op("MOVD R5, R9")
	s.label("scale")
	load16(s, "R6", x)
	load16Next(s, "R8", y)
	load16Next(s, "R9", z)
	for i := range 4 {
		s.v(fmulE, x+i, x+i, inverse, 0)
	}
	fours(s, fmul, x, x, y)
	fours(s, fadd, x, x, z)
	end("scale")
	s.op("MOVD R6, R0")
	s.op("SUBS $1, R2, R2")
	s.op("BNE row")
	s.op("RET")
}

func gelu(s *source) {
	// The order of the constants is that of geluTable.
	const phi, half, bound, lowest, scale, one = 0, 13, 14, 15, 16, 17
	const u, square, p = 18, 22, 26
	s.function("geluNEON", "(x *float32, n int)", 16, `
		R0 x, R1 elements that are left
		V0 to V12 coefficients, the highest first; V13 1/2, V14 phiBound, V15 -phiBound,
		V16 phiScale, V17 1
		V18... x within the bounds, V22... s, V26... polynomial`)
	s.op("MOVD x+0(FP), R0")
	s.op("MOVD n+8(FP), R1")
	broadcast(s, "geluTable", phi, 18)
	s.label("loop")
	load16(s, "R0", u)
	four(s, fmin, u, u, bound)
	four(s, fmax, u, u, lowest)
	fours(s, fmul, square, u, u)
	four(s, fmul, square, square, scale)
	four(s, fsub, square, square, one)
	four(s, fmul, p, square, phi)
	for c := 1; c < 12; c++ {
		four(s, fadd, p, p, phi+c)
		fours(s, fmul, p, p, square)
	}
	four(s, fadd, p, p, phi+12)
	fours(s, fmul, p, p, u)
	four(s, fadd, p, p, half)
	load16(s, "R0", u)
	fours(s, fmul, p, p, u)
	store16Next(s, "R0", p)
	s.op("SUBS $16, R1, R1")
	s.op("BNE loop")
	s.op("RET")
}

func transpose(s *source) {
	const x, pairs = 0, 4
	s.function("transposeNEON", "(panel, data *float32, stride, groups, columns int)", 40, `
		R0 panel, R1 first row of the group, R2 bytes from a row to the next
		R3 groups of four rows that are left, R4 groups of four columns
		R5 cursor in the panel, R6 columns that are left, R7 to R10 cursors of the rows
		R11 bytes of a row of the panel
		V0... four rows of four columns, then columns, V4... rows in pairs`)
	for i, argument := range []string{"panel+0", "data+8", "stride+16", "groups+24", "columns+32"} {
		s.op("MOVD %s(FP), R%d", argument, i)
	}
	s.op("LSL $2, R2, R2")
	s.op("MOVD $128, R11")
	s.label("rows")
	for r := range 4 {
		advance(s, []int{7, 8, 9, 10}, r, 1, 2)
	}
	s.op("MOVD R0, R5")
	s.op("MOVD R4, R6")
	s.label("columns")
	for r := range 4 {
		s.op("FMOVQ.P 16(R%d), F%d", 7+r, x+r)
	}
	s.v(trn1S, pairs, x, x+1)
	s.v(trn2S, pairs+1, x, x+1)
	s.v(trn1S, pairs+2, x+2, x+3)
	s.v(trn2S, pairs+3, x+2, x+3)
	s.v(trn1D, x, pairs, pairs+2)
	s.v(trn1D, x+1, pairs+1, pairs+3)
	s.v(trn2D, x+2, pairs, pairs+2)
	s.v(trn2D, x+3, pairs+1, pairs+3)
	for c := range 4 {
		s.op("VST1.P [V%d.S4], (R5)(R11)", x+c)
	}
	s.op("SUBS $1, R6, R6")
	s.op("BNE columns")
	s.op("ADD $16, R0, R0")
	s.op("ADD R2<<2, R1, R1")
	s.op("SUBS $1, R3, R3")
	s.op("BNE rows")
	s.op("RET")
}
