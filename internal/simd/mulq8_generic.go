package simd

// This file decides what the product of quantised activations and quantised
// weights is.

import (
	"fmt"
	"math"
	"slices"
)

const (
	// A Q8_0 block of a GGUF file: a float16 scale and 32 int8.
	q8BlockBytes = 2 + BlockSize

	// PanelWidth is the number of outputs that the kernels work on at once.
	PanelWidth = 32
)

// MatrixQ8 is a matrix of Outputs rows of Inputs weights, quantised like GGUF's
// Q8_0: blocks of 32 along a row, each with a scale.
type MatrixQ8 struct {
	Outputs, Inputs int

	// parts are the matrix as in the file, row by row. The packed form takes
	// their place.
	parts [][]byte

	// The layout of the kernels in assembly (panels.go).
	panels []byte
	scales []float32
}

// PackQ8 makes a matrix of parts that have the same number of inputs and follow
// each other, each the data of a Q8_0 tensor. The parts must stay unchanged as
// long as the matrix is used. The error says which scale isn't finite or what
// doesn't fit.
func (k *Kernels) PackQ8(inputs int, parts ...[]byte) (*MatrixQ8, error) {
	if inputs <= 0 || inputs%BlockSize != 0 {
		return nil, fmt.Errorf("simd: %d inputs are no multiple of %d", inputs, BlockSize)
	}
	m := &MatrixQ8{Inputs: inputs, parts: slices.Clone(parts)}
	for _, part := range parts {
		if len(part)%m.rowBytes() != 0 {
			return nil, fmt.Errorf("simd: %d bytes are no rows of %d", len(part), m.rowBytes())
		}
		for at := 0; at < len(part); at += q8BlockBytes {
			if part[at+1]&0x7c == 0x7c {
				return nil, fmt.Errorf("simd: the scale of block %d is not finite", at/q8BlockBytes)
			}
		}
		m.Outputs += len(part) / m.rowBytes()
	}
	k.packQ8(m)
	return m, nil
}

// rowBytes is the length of a row in the file.
func (m *MatrixQ8) rowBytes() int { return m.Inputs / BlockSize * q8BlockBytes }

// row returns the blocks of an output.
func (m *MatrixQ8) row(output int) []byte {
	at := output * m.rowBytes()
	for _, part := range m.parts {
		if at < len(part) {
			return part[at:][:m.rowBytes()]
		}
		at -= len(part)
	}
	return nil
}

// halfScale decodes a float16 that is finite.
func halfScale(lo, hi byte) float32 {
	h := uint32(lo) | uint32(hi)<<8
	sign, exponent, fraction := h&0x8000<<16, h>>10&0x1f, h&0x3ff
	if exponent == 0 {
		return math.Float32frombits(math.Float32bits(float32(float32(fraction)*0x1p-24)) | sign)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}

// MulQ8 sets row r of dst, which begins at r·stride, to the product of m and row
// r of x, plus bias:
//
//	acc = 0
//	for each block b: acc += (float32(sum of q·w over the block)·scale of w)·scale of q
//	dst = acc + bias
//
// with every operation rounded to float32.
func (k *Kernels) MulQ8(dst []float32, stride int, x *Quantized, m *MatrixQ8, bias []float32) {
	blocks := x.Rows * (x.Width / BlockSize)
	if x.Width != m.Inputs || len(bias) != m.Outputs || stride < m.Outputs ||
		len(x.Q) != blocks*BlockSize || len(x.Scale) != blocks || len(x.Correction) != blocks {
		panic("simd: matrix product: shapes don't fit")
	}
	if x.Rows > 0 {
		k.mulQ8(dst[:(x.Rows-1)*stride+m.Outputs], stride, x, m, bias)
	}
}

// The sum of 32 products of -127…127 and -128…127 has 20 bits with its sign. So
// three outputs fit into one int64, and one multiplication does three.
const (
	fieldBits   = 20
	outputsOnce = 3
	rowsOnce    = 4
	blocksOnce  = 16
)

// packedWeights is three outputs of some blocks.
type packedWeights struct {
	w     [blocksOnce][BlockSize]int64
	scale [blocksOnce][outputsOnce]float32
}

func mulQ8Generic(dst []float32, stride int, x *Quantized, m *MatrixQ8, bias []float32) {
	var p packedWeights
	blocks := m.Inputs / BlockSize
	for out := 0; out < m.Outputs; out += outputsOnce {
		count := min(outputsOnce, m.Outputs-out)
		for from := 0; from < blocks; from += blocksOnce {
			n := min(blocksOnce, blocks-from)
			p.fill(m, out, count, from, n)
			row := 0
			for ; row+rowsOnce <= x.Rows; row += rowsOnce {
				p.multiplyRows(dst[row*stride+out:], stride, count, x, row, from, n)
			}
			for ; row < x.Rows; row++ {
				p.multiply(dst[row*stride+out:], count, x, row, from, n)
			}
		}
		for row := range x.Rows {
			for o, v := range bias[out:][:count] {
				dst[row*stride+out+o] += v
			}
		}
	}
}

// fill takes n blocks of up to three outputs. Absent ones repeat the first: what
// they give is not stored.
func (p *packedWeights) fill(m *MatrixQ8, out, count, from, n int) {
	var rows [outputsOnce][]byte
	for o := range rows {
		if rows[o] = rows[0]; o < count {
			rows[o] = m.row(out + o)[from*q8BlockBytes:]
		}
	}
	for b := range n {
		b0 := (*[q8BlockBytes]byte)(rows[0][b*q8BlockBytes:])
		b1 := (*[q8BlockBytes]byte)(rows[1][b*q8BlockBytes:])
		b2 := (*[q8BlockBytes]byte)(rows[2][b*q8BlockBytes:])
		p.scale[b] = [...]float32{halfScale(b0[0], b0[1]), halfScale(b1[0], b1[1]), halfScale(b2[0], b2[1])}
		w := &p.w[b]
		for i := range w {
			w[i] = int64(int8(b0[2+i])) + int64(int8(b1[2+i]))<<fieldBits + int64(int8(b2[2+i]))<<(2*fieldBits)
		}
	}
}

// multiply adds the terms of n blocks of a row to dst, which has count outputs.
func (p *packedWeights) multiply(dst []float32, count int, x *Quantized, row, from, n int) {
	var acc [outputsOnce]float32
	if from > 0 {
		copy(acc[:count], dst)
	}
	first := row*(x.Width/BlockSize) + from
	for b := range n {
		q := (*[BlockSize]int8)(x.Q[(first+b)*BlockSize:])
		var sum int64
		for i, w := range &p.w[b] {
			sum += int64(q[i]) * w
		}
		addTerms(&acc, sum, &p.scale[b], x.Scale[first+b])
	}
	copy(dst[:count], acc[:])
}

// multiplyRows is multiply for four rows, which lie stride apart in dst.
func (p *packedWeights) multiplyRows(dst []float32, stride, count int, x *Quantized, row, from, n int) {
	var acc [rowsOnce][outputsOnce]float32
	if from > 0 {
		for r := range acc {
			copy(acc[r][:count], dst[r*stride:])
		}
	}
	blocks := x.Width / BlockSize
	for b := range n {
		first := row*blocks + from + b
		q, scale := x.Q[first*BlockSize:], x.Scale[first:]
		s0, s1, s2, s3 := dotRows((*[BlockSize]int8)(q), (*[BlockSize]int8)(q[x.Width:]),
			(*[BlockSize]int8)(q[2*x.Width:]), (*[BlockSize]int8)(q[3*x.Width:]), &p.w[b])
		addTerms(&acc[0], s0, &p.scale[b], scale[0])
		addTerms(&acc[1], s1, &p.scale[b], scale[blocks])
		addTerms(&acc[2], s2, &p.scale[b], scale[2*blocks])
		addTerms(&acc[3], s3, &p.scale[b], scale[3*blocks])
	}
	for r := range acc {
		copy(dst[r*stride:][:count], acc[r][:])
	}
}

// dotRows makes the sums of a block for four rows.
func dotRows(q0, q1, q2, q3 *[BlockSize]int8, w *[BlockSize]int64) (s0, s1, s2, s3 int64) {
	for i, w := range w {
		s0 += int64(q0[i]) * w
		s1 += int64(q1[i]) * w
		s2 += int64(q2[i]) * w
		s3 += int64(q3[i]) * w
	}
	return s0, s1, s2, s3
}

// addTerms adds the three terms of a block.
func addTerms(acc *[outputsOnce]float32, sum int64, w *[outputsOnce]float32, scale float32) {
	const rest = 64 - fieldBits
	n0 := sum << rest >> rest // sign-extended
	sum = (sum - n0) >> fieldBits
	n1 := sum << rest >> rest
	n2 := (sum - n1) >> fieldBits
	acc[0] += float32(float32(float32(int32(n0))*w[0]) * scale)
	acc[1] += float32(float32(float32(int32(n1))*w[1]) * scale)
	acc[2] += float32(float32(float32(int32(n2))*w[2]) * scale)
}
