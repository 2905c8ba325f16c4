package main

// This file decides the product of rows of codes with a query.

import "strconv"

// group is how many rows are done at once: their sums don't wait for each other,
// and one load of the query serves all of them.
const group = 4

// Registers that point to the rows of a group, and of a later group.
var (
	row  = [group]string{"SI", "R8", "R9", "R10"}
	next = [group]string{"R13", "R14", "R15", "AX"}
)

// How long before its use a row is fetched, measured: memory takes as long to
// answer as the products of some thirty rows.
const (
	aheadBytes = 12288 // contiguous rows
	aheadRows  = 24    // listed rows
)

// A product is one of the two functions: of contiguous or of listed rows.
type product struct {
	*target
	gather       bool
	width, whole string // where these arguments are
}

func (t *target) dotCodes(gather bool) {
	p := &product{t, gather, "width+32(FP)", "whole+40(FP)"}
	if gather {
		p.width, p.whole = "width+40(FP)", "whole+48(FP)"
	}
	p.begin()
	p.op("SUBQ", "$4", "CX")
	p.op("JLT", "rest")
	p.label("rows")
	p.pointers()
	p.columns("rows", group)
	p.fold()
	p.op("VMOVDQU", x(0), "(DI)")
	p.advance(group)
	p.op("SUBQ", "$4", "CX")
	p.op("JGE", "rows")
	p.label("rest")
	p.op("ADDQ", "$3", "CX")
	p.op("JLT", "done")
	p.label("single")
	if gather {
		p.point(0, row[0])
	}
	p.columns("single", 1)
	p.foldOne()
	p.op("VMOVD", x(0), "(DI)")
	p.advance(1)
	p.op("SUBQ", "$1", "CX")
	p.op("JGE", "single")
	p.label("done")
	p.end()
}

// begin loads the arguments.
func (p *product) begin() {
	if p.gather {
		p.function("dotGather", "(dst *int32, codes *int8, rows *uint32, query *int16, count, width, whole int)", 56)
		p.note("DI: dst, R11: codes, R12: rows, DX: query, CX: rows left, BX: column;")
		p.note("SI, R8, R9, R10: four rows; R13, R14, R15, AX: four later ones")
		p.op("MOVQ", "dst+0(FP)", "DI")
		p.op("MOVQ", "codes+8(FP)", "R11")
		p.op("MOVQ", "rows+16(FP)", "R12")
		p.op("MOVQ", "query+24(FP)", "DX")
	} else {
		p.function("dotCodes", "(dst *int32, codes *int8, query *int16, count, width, whole int)", 48)
		p.note("DI: dst, R11: width, DX: query, CX: rows left, BX: column;")
		p.note("SI, R8, R9, R10: four rows")
		p.op("MOVQ", "dst+0(FP)", "DI")
		p.op("MOVQ", "codes+8(FP)", "SI")
		p.op("MOVQ", "query+16(FP)", "DX")
		p.op("MOVQ", p.width, "R11")
	}
	count := map[bool]string{false: "count+24(FP)", true: "count+32(FP)"}[p.gather]
	if p.wide {
		p.note("K1: the columns after the whole steps")
		p.op("MOVQ", p.width, "CX")
		p.op("SUBQ", p.whole, "CX")
		p.op("MOVL", "$1", "AX")
		p.op("SHLQ", "CX", "AX")
		p.op("DECQ", "AX")
		p.op("KMOVD", "AX", "K1")
	}
	p.op("MOVQ", count, "CX")
}

// point makes the register point to the i-th listed row from here.
func (p *product) point(i int, register string) {
	p.op("MOVL", strconv.Itoa(4*i)+"(R12)", register)
	p.op("IMULQ", p.width, register)
	p.op("ADDQ", "R11", register)
}

// pointers makes the group's registers point to its rows.
func (p *product) pointers() {
	if !p.gather {
		p.op("LEAQ", "(SI)(R11*1)", "R8")
		p.op("LEAQ", "(SI)(R11*2)", "R9")
		p.op("LEAQ", "(R8)(R11*2)", "R10")
		return
	}
	for i, register := range row {
		p.point(i, register)
	}
	p.note("the rows to fetch: four later ones if there are so many, else these again")
	for i, register := range next {
		p.op("MOVQ", row[i], register)
	}
	p.op("CMPQ", "CX", "$"+strconv.Itoa(aheadRows))
	p.op("JLT", "fetch")
	for i, register := range next {
		p.point(aheadRows+i, register)
	}
	p.label("fetch")
}

// advance moves on by n rows.
func (p *product) advance(n int) {
	p.op("ADDQ", "$"+strconv.Itoa(4*n), "DI")
	switch {
	case p.gather:
		p.op("ADDQ", "$"+strconv.Itoa(4*n), "R12")
	case n == group:
		p.op("LEAQ", "(R10)(R11*1)", "SI")
	default:
		p.op("ADDQ", "R11", "SI")
	}
}

// columns sums the products of n rows: row i's sums are in register i.
func (p *product) columns(name string, n int) {
	for i := range n {
		p.op("VPXOR", y(i), y(i), y(i))
	}
	p.op("XORQ", "BX", "BX")
	p.op("JMP", name+"Test")
	p.label(name + "Columns")
	p.op(p.move(), "(DX)(BX*2)", p.v(8))
	p.fetch(n)
	for i := range n {
		p.op("VPMOVSXBW", "("+row[i]+")(BX*1)", p.v(4+i))
	}
	p.multiply(n)
	p.op("ADDQ", "$"+strconv.Itoa(p.step()), "BX")
	p.label(name + "Test")
	p.op("CMPQ", "BX", p.whole)
	p.op("JLT", name+"Columns")
	if !p.wide {
		return
	}
	p.op("KTESTD", "K1", "K1")
	p.op("JEQ", name+"Sum")
	p.op("VMOVDQU16.Z", "(DX)(BX*2)", "K1", p.v(8))
	for i := range n {
		p.op("VPMOVSXBW.Z", "("+row[i]+")(BX*1)", "K1", p.v(4+i))
	}
	p.multiply(n)
	p.label(name + "Sum")
}

func (t *target) move() string {
	if t.wide {
		return "VMOVDQU64"
	}
	return "VMOVDQU"
}

// fetch asks for bytes that will be needed, a line of 64 at a time. Contiguous
// rows are a stretch of four times the columns.
func (p *product) fetch(n int) {
	if n < group {
		return
	}
	if p.gather {
		for _, register := range next {
			p.op("PREFETCHT0", "("+register+")(BX*1)")
		}
		return
	}
	for line := 0; line < group*p.step(); line += 64 {
		p.op("PREFETCHT0", strconv.Itoa(aheadBytes+line)+"(SI)(BX*4)")
	}
}

// multiply adds the products of the codes in registers 4… with the query.
func (t *target) multiply(n int) {
	for i := range n {
		if t.wide {
			t.op("VPDPWSSD", t.v(8), t.v(4+i), t.v(i))
		} else {
			t.op("VPMADDWD", t.v(8), t.v(4+i), t.v(4+i))
		}
	}
	for i := range n {
		if !t.wide {
			t.op("VPADDD", t.v(4+i), t.v(i), t.v(i))
		}
	}
}

// narrow adds the upper half of n registers to the lower one.
func (t *target) narrow(n int) {
	for i := range n {
		if t.wide {
			t.op("VEXTRACTI64X4", "$1", t.v(i), y(4+i))
			t.op("VPADDD", y(4+i), y(i), y(i))
		}
	}
}

// fold makes X0 the sums of four rows.
func (t *target) fold() {
	t.narrow(group)
	t.op("VPHADDD", y(1), y(0), y(0))
	t.op("VPHADDD", y(3), y(2), y(2))
	t.op("VPHADDD", y(2), y(0), y(0))
	t.op("VEXTRACTI128", "$1", y(0), x(1))
	t.op("VPADDD", x(1), x(0), x(0))
}

// foldOne makes the first element of X0 the sum of one row.
func (t *target) foldOne() {
	t.narrow(1)
	t.op("VEXTRACTI128", "$1", y(0), x(1))
	t.op("VPADDD", x(1), x(0), x(0))
	t.op("VPHADDD", x(0), x(0), x(0))
	t.op("VPHADDD", x(0), x(0), x(0))
}
