package main

// This file decides the matrix products of 8-bit integers.

import "fmt"

// tile is a kernel's piece of the result, held in registers: some rows by some
// vectors of four outputs.
type tile struct{ rows, vectors int }

// strips are the groups of eight outputs whose weights follow each other in
// memory.
func (t tile) strips() int { return t.vectors / 2 }

func products() string {
	s := newSource(`
		Matrix products. The results are those of mulQ8Generic and mulF32Generic:
		no fused multiply-add, and the terms of a sum in their order.`)
	for _, t := range []tile{{4, 2}, {3, 2}, {2, 4}, {1, 8}} {
		dotTile(s, t)
	}
	for rows := 4; rows > 0; rows-- {
		longTile(s, tile{rows, 2})
	}
	for rows := 4; rows > 0; rows-- {
		floatTile(s, tile{rows, 4})
	}
	return s.String()
}

// General registers of the integer products.
const (
	q8Signature = "(dst *float32, stride int, q *int8, scale *float32, groups, blocks int, w *byte, ws, bias *float32)"
	q8Arguments = 72

	q8About = `
		R0 dst of the group's first row    R1 bytes from a row of dst to the next
		R2 q of the group's first row      R3 bytes of a row of q
		R4 its scales                      R5 bytes of a row of scales
		R6 blocks                          R7 weights    R8 their scales
		R9 bias                            R10 groups that are left
		R11 blocks that are left           R12... cursors: q and scales of each row,
		then weights and their scales of each strip`
)

// cursors are the registers that move along a group's data.
type cursors struct {
	q, scale []int // of each row
	w, ws    []int // of each strip
}

func newCursors(t tile) (c cursors) {
	next := 12
	take := func(n int) (taken []int) {
		for range n {
			if next == 18 { // the platform's
				next++
			}
			taken = append(taken, next)
			next++
		}
		return taken
	}
	return cursors{q: take(t.rows), scale: take(t.rows), w: take(t.strips()), ws: take(t.strips())}
}

func q8Begin(s *source, name string, about string) {
	s.function(name, q8Signature, q8Arguments, q8About+"\n"+about)
	for i, argument := range []string{"dst+0", "stride+8", "q+16", "", "scale+24", "", "blocks+40", "w+48", "ws+56", "bias+64", "groups+32"} {
		if argument != "" {
			s.op("MOVD %s(FP), R%d", argument, i)
		}
	}
	s.op("LSL $2, R1, R1")
	s.op("LSL $5, R6, R3")
	s.op("LSL $2, R6, R5")
}

// q8Group puts the cursors at the beginning of a group and clears the sums,
// from vector register sum on.
func q8Group(s *source, t tile, c cursors, sum int) {
	s.label("group")
	for r := range t.rows {
		advance(s, c.q, r, 2, 3)
		advance(s, c.scale, r, 4, 5)
	}
	for i := range t.strips() { // as far apart as rows of q: eight outputs have eight times as many weights as a row
		if i == 0 {
			s.op("MOVD R7, R%d", c.w[0])
			s.op("MOVD R8, R%d", c.ws[0])
			continue
		}
		s.op("ADD R3<<3, R%d, R%d", c.w[i-1], c.w[i])
		s.op("ADD R5<<3, R%d, R%d", c.ws[i-1], c.ws[i])
	}
	for i := range t.rows * t.vectors {
		s.v(zero, sum+i)
	}
	s.op("MOVD R6, R11")
	s.label("block")
}

// advance sets cursor i to the place of row i.
func advance(s *source, cursor []int, i, first, stride int) {
	if i == 0 {
		s.op("MOVD R%d, R%d", first, cursor[0])
	} else {
		s.op("ADD R%d, R%d, R%d", stride, cursor[i-1], cursor[i])
	}
}

// q8End ends the loop over the blocks, adds the bias, stores the group and ends
// the loop over the groups. Two vectors from register free on are free.
func q8End(s *source, t tile, sum, free int) {
	s.op("SUBS $1, R11, R11")
	s.op("BNE block")
	s.note("bias; R12 is the row of dst")
	for p := range t.strips() {
		s.op("FLDPQ %d(R9), (F%d, F%d)", 32*p, free, free+1)
		for r := range t.rows {
			v := sum + r*t.vectors + 2*p
			s.v(fadd, v, v, free)
			s.v(fadd, v+1, v+1, free+1)
		}
	}
	for r := range t.rows {
		if r == 0 {
			s.op("MOVD R0, R12")
		} else {
			s.op("ADD R1, R12, R12")
		}
		for p := range t.strips() {
			v := sum + r*t.vectors + 2*p
			s.op("FSTPQ (F%d, F%d), %d(R12)", v, v+1, 32*p)
		}
	}
	s.op("ADD R1, R12, R0")
	s.op("MOVD $%d, R12", t.rows)
	s.op("MADD R12, R2, R3, R2")
	s.op("MADD R12, R4, R5, R4")
	s.op("SUBS $1, R10, R10")
	s.op("BNE group")
	s.op("RET")
}

// dotTile multiplies with SDOT: four outputs by four inputs at once, the inputs
// of a row being one of the four elements of a register.
func dotTile(s *source, t tile) {
	n := t.rows * t.vectors
	sum, dot, q := 0, n, 2*n
	w := q + 2*t.rows
	ws := w + 4
	c := newCursors(t)
	q8Begin(s, fmt.Sprintf("dotQ8x%d", t.rows), fmt.Sprintf(`
		%d rows by %d outputs, V = vectors of four of them:
		V%d... sums     V%d... sums of the block    V%d... q, then the row's scale
		V%d... weights  V%d... their scales`, t.rows, 4*t.vectors, sum, dot, q, w, ws))
	q8Group(s, t, c, sum)
	for r := range t.rows {
		s.op("FLDPQ.P 32(R%d), (F%d, F%d)", c.q[r], q+2*r, q+2*r+1)
	}
	for i := range n {
		s.v(zero, dot+i)
	}
	for four := range 8 {
		s.note("inputs %d to %d", 4*four, 4*four+3)
		dotFour(s, t, c, four, dot, q, w)
		if four == 3 { // the first half of q isn't wanted any more
			for r := range t.rows {
				s.op("FMOVS.P 4(R%d), F%d", c.scale[r], q+2*r)
			}
		}
	}
	s.note("the block's terms")
	for p := range t.strips() {
		s.op("ADD $256, R%d, R%d", c.w[p], c.w[p])
		s.op("FLDPQ.P 32(R%d), (F%d, F%d)", c.ws[p], ws+2*p, ws+2*p+1)
	}
	for i := range n {
		s.v(scvtf, dot+i, dot+i)
	}
	for i := range n {
		s.v(fmul, dot+i, dot+i, ws+i%t.vectors)
	}
	for i := range n {
		s.v(fmulE, dot+i, dot+i, q+2*(i/t.vectors), 0)
	}
	for i := range n {
		s.v(fadd, sum+i, sum+i, dot+i)
	}
	q8End(s, t, sum, w)
}

// dotFour adds the products of four inputs. Registers for the weights take
// turns, so that a load needn't wait.
func dotFour(s *source, t tile, c cursors, four, dot, q, w int) {
	for p := range t.strips() {
		pair := w + 2*((four*t.strips()+p)%2)
		s.op("FLDPQ %d(R%d), (F%d, F%d)", 32*four, c.w[p], pair, pair+1)
		for r := range t.rows {
			for v := range 2 {
				s.v(sdotE, dot+r*t.vectors+2*p+v, pair+v, q+2*r+four/4, four%4)
			}
		}
	}
}

// longTile multiplies without SDOT, 16 inputs of an output at once: two products
// of -127…127 and -128…127 fit into 16 bits.
func longTile(s *source, t tile) {
	const w, q, product, dot, ws, scale, sum = 0, 8, 12, 16, 20, 22, 24
	c := newCursors(t)
	q8Begin(s, fmt.Sprintf("longQ8x%d", t.rows), fmt.Sprintf(`
		%d rows by 8 outputs:
		V0... weights of four outputs   V8... q, two registers a row in turns
		V12... products, 16 bits        V16... sums of the block, of one row and four outputs
		V20, V21 scales of the weights  V22 scale of the row
		V24... sums, two registers a row`, t.rows))
	q8Group(s, t, c, sum)
	s.op("FLDPQ.P 32(R%d), (F%d, F%d)", c.ws[0], ws, ws+1)
	for half := range 2 {
		s.note("outputs %d to %d", 4*half, 4*half+3)
		for o := range 4 {
			s.op("FLDPQ.P 32(R%d), (F%d, F%d)", c.w[0], w+2*o, w+2*o+1)
		}
		for r := range t.rows {
			a := q + 2*(r%2)
			if half == 0 {
				s.op("FLDPQ (R%d), (F%d, F%d)", c.q[r], a, a+1)
				s.op("FMOVS (R%d), F%d", c.scale[r], scale)
			} else {
				s.op("FLDPQ.P 32(R%d), (F%d, F%d)", c.q[r], a, a+1)
				s.op("FMOVS.P 4(R%d), F%d", c.scale[r], scale)
			}
			longRow(s, w, a, product, dot)
			s.v(scvtf, dot, dot)
			s.v(fmul, dot, dot, ws+half)
			s.v(fmulE, dot, dot, scale, 0)
			s.v(fadd, sum+2*r+half, sum+2*r+half, dot)
		}
	}
	q8End(s, t, sum, w)
}

// longRow sets register dot to the four sums of a row.
func longRow(s *source, w, q, product, dot int) {
	for i, gather := range []form{saddlp, sadalp} {
		for o := range 4 {
			s.v(smull, product+o, w+2*o+i, q+i)
		}
		for o := range 4 {
			s.v(smlal2, product+o, w+2*o+i, q+i)
		}
		for o := range 4 {
			s.v(gather, dot+o, product+o)
		}
	}
	s.v(addp, dot, dot, dot+1)
	s.v(addp, dot+2, dot+2, dot+3)
	s.v(addp, dot, dot, dot+2)
}
