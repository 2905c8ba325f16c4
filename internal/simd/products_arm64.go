//go:build !noasm

package simd

// This file decides how matrix products run on arm64: which registers' worth of
// the result a kernel makes at a time, and what becomes of incomplete ones.
//
// Integer products have two forms. With the dot product instructions (optional
// in Armv8.2, present in nearly every core since 2018) four inputs of four
// outputs are multiplied at once; without, 16 inputs of one output.

import "unsafe"

const (
	stripWidth = 8  // outputs whose weights follow each other
	floatWidth = 16 // outputs that a kernel for float32 makes
	tileRows   = 4  // most rows that a kernel makes at once
)

// useProducts sets the matrix products.
func useProducts(k *Kernels, dot bool) {
	k.packQ8, k.mulQ8 = packLong, mulQ8Long
	if dot {
		k.packQ8, k.mulQ8 = packDot, mulQ8Dot
	}
	k.mulF32 = mulF32NEON
}

// The kernels of integer products make groups times R rows (the number in the
// name) of dst, which are stride values apart, with rows of 32·blocks values of
// q and of blocks scales. They read a strip of weights and scales and 8 biases,
// and write 8 values a row; dotQ8x2 takes 2 strips and 16, dotQ8x1 4 and 32.
// Neither groups nor blocks may be 0.

//go:noescape
func dotQ8x4(dst *float32, stride int, q *int8, scale *float32, groups, blocks int, w *byte, ws, bias *float32)

//go:noescape
func dotQ8x3(dst *float32, stride int, q *int8, scale *float32, groups, blocks int, w *byte, ws, bias *float32)

//go:noescape
func dotQ8x2(dst *float32, stride int, q *int8, scale *float32, groups, blocks int, w *byte, ws, bias *float32)

//go:noescape
func dotQ8x1(dst *float32, stride int, q *int8, scale *float32, groups, blocks int, w *byte, ws, bias *float32)

//go:noescape
func longQ8x4(dst *float32, stride int, q *int8, scale *float32, groups, blocks int, w *byte, ws, bias *float32)

//go:noescape
func longQ8x3(dst *float32, stride int, q *int8, scale *float32, groups, blocks int, w *byte, ws, bias *float32)

//go:noescape
func longQ8x2(dst *float32, stride int, q *int8, scale *float32, groups, blocks int, w *byte, ws, bias *float32)

//go:noescape
func longQ8x1(dst *float32, stride int, q *int8, scale *float32, groups, blocks int, w *byte, ws, bias *float32)

// The kernels of float32 products make groups times R rows of 16 values of dst,
// from rows of width values of a that are aStride apart, width rows of 16
// weights that are row apart, and 16 biases, or none where bias is nil. Groups
// may not be 0.

//go:noescape
func floatF32x4(dst *float32, stride int, a *float32, aStride, groups, width int, w *float32, row int, bias *float32)

//go:noescape
func floatF32x3(dst *float32, stride int, a *float32, aStride, groups, width int, w *float32, row int, bias *float32)

//go:noescape
func floatF32x2(dst *float32, stride int, a *float32, aStride, groups, width int, w *float32, row int, bias *float32)

//go:noescape
func floatF32x1(dst *float32, stride int, a *float32, aStride, groups, width int, w *float32, row int, bias *float32)

// packDot lays the weights out as [Outputs/8][Inputs/32][8][8][4]: eight times
// four inputs of eight outputs.
func packDot(m *MatrixQ8) {
	packStrips(m, func(strip *stripBlock, output int, weights *[BlockSize]byte) {
		const step = 4 * stripWidth
		words := (*[len(strip) - step + 4]byte)(strip[4*output:])
		for i := range BlockSize / 4 {
			*(*[4]byte)(words[i*step:]) = [4]byte(weights[4*i:])
		}
	})
}

// packLong lays the weights out as [Outputs/8][Inputs/32][8][32]: the block of
// every output.
func packLong(m *MatrixQ8) {
	packStrips(m, func(strip *stripBlock, output int, weights *[BlockSize]byte) {
		copy(strip[output*BlockSize:][:BlockSize], weights[:])
	})
}

// stripBlock is the weights of one block of eight outputs.
type stripBlock [stripWidth * BlockSize]byte

// packStrips takes the parts of m into strips; place takes the block of one of
// the eight outputs. Scales are [Outputs/8][Inputs/32][8]. Outputs are filled up
// to whole panels, with zeros.
func packStrips(m *MatrixQ8, place func(strip *stripBlock, output int, weights *[BlockSize]byte)) {
	blocks := m.Inputs / BlockSize
	outputs := (m.Outputs + PanelWidth - 1) / PanelWidth * PanelWidth
	m.panels = make([]byte, outputs*m.Inputs)
	m.scales = make([]float32, outputs*blocks)
	for out := range m.Outputs {
		row, o := m.row(out), out%stripWidth
		for b := range blocks {
			block := (*[q8BlockBytes]byte)(row[b*q8BlockBytes:])
			at := (out/stripWidth*blocks + b) * stripWidth
			m.scales[at+o] = halfScale(block[0], block[1])
			place((*stripBlock)(m.panels[at*BlockSize:]), o, (*[BlockSize]byte)(block[2:]))
		}
	}
	m.parts = nil
}

// q8Product is the operands of an integer product.
type q8Product struct {
	x   *Quantized
	m   *MatrixQ8
	dot bool
}

func mulQ8Dot(dst []float32, stride int, x *Quantized, m *MatrixQ8, bias []float32) {
	q8Product{x, m, true}.multiply(dst, stride, bias)
}

func mulQ8Long(dst []float32, stride int, x *Quantized, m *MatrixQ8, bias []float32) {
	q8Product{x, m, false}.multiply(dst, stride, bias)
}

// multiply goes along the panels. An incomplete one is made beside dst and
// copied.
func (p q8Product) multiply(dst []float32, stride int, bias []float32) {
	for out := 0; out < p.m.Outputs; out += PanelWidth {
		if width := p.m.Outputs - out; width < PanelWidth {
			p.lastPanel(dst[out:], stride, bias[out:], out, width)
			return
		}
		p.panel(dst[out:], stride, bias[out:], out, PanelWidth, 0, p.x.Rows)
	}
}

func (p q8Product) lastPanel(dst []float32, stride int, bias []float32, out, width int) {
	var values [tileRows * PanelWidth]float32
	var biases [PanelWidth]float32
	copy(biases[:], bias)
	for row := 0; row < p.x.Rows; row += tileRows {
		count := min(tileRows, p.x.Rows-row)
		p.panel(values[:], PanelWidth, biases[:], out, width, row, count)
		for r := range count {
			copy(dst[(row+r)*stride:][:width], values[r*PanelWidth:])
		}
	}
}

// panel makes count rows, from row on, of width outputs, from out on. It may
// write up to 32.
func (p q8Product) panel(dst []float32, stride int, bias []float32, out, width, row, count int) {
	if groups := count / tileRows; groups > 0 {
		for o := 0; o < width; o += stripWidth {
			p.tile(tileRows, groups, dst[o:], stride, bias[o:], out+o, row)
		}
	}
	rest := count % tileRows
	if rest == 0 {
		return
	}
	row, dst = row+count-rest, dst[(count-rest)*stride:]
	step := stripWidth
	if p.dot && rest < 3 {
		step = PanelWidth / rest
	}
	for o := 0; o < width; o += step {
		p.tile(rest, 1, dst[o:], stride, bias[o:], out+o, row)
	}
}

// tile calls the kernel that makes so many rows at once.
func (p q8Product) tile(rows, groups int, dst []float32, stride int, bias []float32, out, row int) {
	blocks := p.m.Inputs / BlockSize
	q, scale := &p.x.Q[row*p.x.Width], &p.x.Scale[row*blocks]
	w, ws := &p.m.panels[out*p.m.Inputs], &p.m.scales[out*blocks]
	if !p.dot {
		rows += 4
	}
	switch d, b := &dst[0], &bias[0]; rows {
	case 4:
		dotQ8x4(d, stride, q, scale, groups, blocks, w, ws, b)
	case 3:
		dotQ8x3(d, stride, q, scale, groups, blocks, w, ws, b)
	case 2:
		dotQ8x2(d, stride, q, scale, groups, blocks, w, ws, b)
	case 1:
		dotQ8x1(d, stride, q, scale, groups, blocks, w, ws, b)
	case 4 + 4:
		longQ8x4(d, stride, q, scale, groups, blocks, w, ws, b)
	case 4 + 3:
		longQ8x3(d, stride, q, scale, groups, blocks, w, ws, b)
	case 4 + 2:
		longQ8x2(d, stride, q, scale, groups, blocks, w, ws, b)
	case 4 + 1:
		longQ8x1(d, stride, q, scale, groups, blocks, w, ws, b)
	}
}

// mulF32NEON goes along the outputs, 16 at a time. An incomplete 16 is made
// beside dst and copied.
func mulF32NEON(dst []float32, stride int, a Rows, p Panels, bias []float32) {
	for out := 0; out < p.Outputs; out += floatWidth {
		w := p.Data[out/PanelWidth*p.Panel+out%PanelWidth:]
		var b []float32
		if bias != nil {
			b = bias[out:]
		}
		if width := p.Outputs - out; width < floatWidth {
			lastF32(dst[out:], stride, a, w, p.Row, b, width)
			return
		}
		rowsF32(dst[out:], stride, a, w, p.Row, b)
	}
}

func lastF32(dst []float32, stride int, a Rows, w []float32, rowStride int, bias []float32, width int) {
	var values [tileRows * floatWidth]float32
	var biases [floatWidth]float32
	if copy(biases[:], bias) > 0 {
		bias = biases[:]
	}
	for row := 0; row < a.Count; row += tileRows {
		part := Rows{Data: a.Data[row*a.Stride:], Count: min(tileRows, a.Count-row), Width: a.Width, Stride: a.Stride}
		rowsF32(values[:], floatWidth, part, w, rowStride, bias)
		for r := range part.Count {
			copy(dst[(row+r)*stride:][:width], values[r*floatWidth:])
		}
	}
}

// rowsF32 makes all rows of 16 outputs.
func rowsF32(dst []float32, stride int, a Rows, w []float32, rowStride int, bias []float32) {
	weights, b := unsafe.SliceData(w), unsafe.SliceData(bias)
	if groups := a.Count / tileRows; groups > 0 {
		floatF32x4(&dst[0], stride, unsafe.SliceData(a.Data), a.Stride, groups, a.Width, weights, rowStride, b)
	}
	rest := a.Count % tileRows
	if rest == 0 {
		return
	}
	d, row := &dst[(a.Count-rest)*stride], unsafe.SliceData(a.Data[(a.Count-rest)*a.Stride:])
	switch rest {
	case 3:
		floatF32x3(d, stride, row, a.Stride, 1, a.Width, weights, rowStride, b)
	case 2:
		floatF32x2(d, stride, row, a.Stride, 1, a.Width, weights, rowStride, b)
	case 1:
		floatF32x1(d, stride, row, a.Stride, 1, a.Width, weights, rowStride, b)
	}
}
