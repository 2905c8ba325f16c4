package main

// This file decides the matrix products of float32.

import "fmt"

const (
	f32Signature = "(dst *float32, stride int, a *float32, aStride, groups, width int, w *float32, row int, bias *float32)"
	f32Arguments = 72

	f32About = `
		R0 dst of the group's first row   R1 bytes from a row of dst to the next
		R2 a of the group's first row     R3 bytes from a row of a to the next
		R4 groups that are left           R5 width
		R6 weights                        R7 bytes from the weights of an input to the next
		R8 bias or nil                    R9 inputs that are left
		R10 cursor of the weights         R11... cursors of the rows of a`
)

// floatTile multiplies 16 outputs with each element of a.
func floatTile(s *source, t tile) {
	n := t.rows * t.vectors
	f := floatRegisters{tile: t, a: n, w: n + t.rows, product: n + t.rows + t.vectors}
	s.function(fmt.Sprintf("floatF32x%d", t.rows), f32Signature, f32Arguments, f32About+fmt.Sprintf(`
		%d rows by 16 outputs:
		V0... sums, four registers a row   V%d... four elements of each row of a
		V%d... weights                     V%d... products`, t.rows, f.a, f.w, f.product))
	for i, argument := range []string{"dst+0", "stride+8", "a+16", "aStride+24", "groups+32", "width+40", "w+48", "row+56", "bias+64"} {
		s.op("MOVD %s(FP), R%d", argument, i)
	}
	for _, r := range []int{1, 3, 7} {
		s.op("LSL $2, R%d, R%d", r, r)
	}
	s.label("group")
	s.op("MOVD R6, R10")
	for r := range t.rows {
		advance(s, []int{11, 12, 13, 14}, r, 2, 3)
	}
	for i := range n {
		s.v(zero, i)
	}
	f.loops(s)
	f.end(s)
}

type floatRegisters struct {
	tile
	a, w, product int
}

// loops makes the sums: four inputs at a time, then one.
func (f floatRegisters) loops(s *source) {
	s.op("SUBS $4, R5, R9")
	s.op("BLT rest")
	s.label("four")
	for r := range f.rows {
		s.op("FMOVQ.P 16(R%d), F%d", 11+r, f.a+r)
	}
	for i := range 4 {
		s.note("input %d", i)
		f.input(s, i)
	}
	s.op("SUBS $4, R9, R9")
	s.op("BGE four")
	s.label("rest")
	s.op("ADDS $4, R9, R9")
	s.op("BEQ done")
	s.label("one")
	for r := range f.rows {
		s.op("FMOVS.P 4(R%d), F%d", 11+r, f.a+r)
	}
	f.input(s, 0)
	s.op("SUBS $1, R9, R9")
	s.op("BNE one")
}

// input adds the products of one input: rounded, then added.
func (f floatRegisters) input(s *source, element int) {
	s.op("FLDPQ (R10), (F%d, F%d)", f.w, f.w+1)
	s.op("FLDPQ 32(R10), (F%d, F%d)", f.w+2, f.w+3)
	s.op("ADD R7, R10, R10")
	for pair := 0; pair < f.vectors; pair += 2 {
		for r := range f.rows {
			for v := range 2 {
				s.v(fmulE, f.product+2*r+v, f.w+pair+v, f.a+r, element)
			}
		}
		for r := range f.rows {
			for v := range 2 {
				sum := r*f.vectors + pair + v
				s.v(fadd, sum, sum, f.product+2*r+v)
			}
		}
	}
}

// end adds the bias, stores the group and ends the loop over the groups.
func (f floatRegisters) end(s *source) {
	s.label("done")
	s.op("CBZ R8, store")
	s.op("FLDPQ (R8), (F%d, F%d)", f.w, f.w+1)
	s.op("FLDPQ 32(R8), (F%d, F%d)", f.w+2, f.w+3)
	for i := range f.rows * f.vectors {
		s.v(fadd, i, i, f.w+i%f.vectors)
	}
	s.label("store")
	for r := range f.rows {
		s.op("FSTPQ (F%d, F%d), (R0)", f.vectors*r, f.vectors*r+1)
		s.op("FSTPQ (F%d, F%d), 32(R0)", f.vectors*r+2, f.vectors*r+3)
		s.op("ADD R1, R0, R0")
	}
	s.op("MOVD $%d, R9", f.rows)
	s.op("MADD R9, R2, R3, R2")
	s.op("SUBS $1, R4, R4")
	s.op("BNE group")
	s.op("RET")
}
