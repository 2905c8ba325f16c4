package simd

// This file decides what a product of float32 matrices is.

// Rows are the rows of the left matrix, Width values each.
type Rows struct {
	Data         []float32
	Count, Width int
	Stride       int // from a row to the next
}

// Panels is the right matrix, transposed: for each panel of 32 outputs, Width
// rows of 32 values, the weights of one input for the 32 outputs. Data must
// have 32 values at the place of every row, also where Outputs is no multiple
// of 32; the values beyond Outputs don't matter.
type Panels struct {
	Data           []float32
	Outputs, Width int
	Panel, Row     int // strides from a panel to the next and from a row to the next
}

// MatrixF32 is a matrix of Outputs rows of Inputs weights.
type MatrixF32 struct {
	Outputs, Inputs int
	panels          []float32 // [Outputs/32][Inputs][32], filled up with zeros
}

// PackF32 makes a matrix from its rows.
func (k *Kernels) PackF32(inputs int, rows []float32) *MatrixF32 {
	m := &MatrixF32{Outputs: len(rows) / inputs, Inputs: inputs}
	m.panels = make([]float32, (m.Outputs+PanelWidth-1)/PanelWidth*PanelWidth*inputs)
	for p := 0; p*PanelWidth < m.Outputs; p++ {
		count := min(PanelWidth, m.Outputs-p*PanelWidth)
		k.Transpose(m.panels[p*PanelWidth*inputs:], Rows{Data: rows[p*PanelWidth*inputs:], Count: count, Width: inputs, Stride: inputs})
	}
	return m
}

// Panels returns the matrix for MulF32.
func (m *MatrixF32) Panels() Panels {
	return Panels{Data: m.panels, Outputs: m.Outputs, Width: m.Inputs, Panel: PanelWidth * m.Inputs, Row: PanelWidth}
}

// Transpose writes up to 32 rows as one panel, [Width][32]. Columns without a row
// stay as they are.
func Transpose(panel []float32, a Rows) {
	for r := range a.Count {
		row := a.Data[r*a.Stride:][:a.Width]
		for i, v := range row {
			panel[i*PanelWidth+r] = v
		}
	}
}

// MulF32 sets row r of dst, which begins at r·stride, to the product of p and row
// r of a, plus bias:
//
//	acc = 0
//	for each input i: acc += a[i]·w[i]
//	dst = acc + bias
//
// with every operation rounded to float32. Without a bias nothing is added.
func (k *Kernels) MulF32(dst []float32, stride int, a Rows, p Panels, bias []float32) {
	if a.Width != p.Width || stride < p.Outputs || a.Stride < a.Width || p.Panel < 0 || p.Row < 0 || bias != nil && len(bias) != p.Outputs {
		panic("simd: matrix product: shapes don't fit")
	}
	if a.Count == 0 || p.Outputs == 0 {
		return
	}
	last := (p.Outputs - 1) / PanelWidth
	p.Data = p.Data[:last*p.Panel+max(0, p.Width-1)*p.Row+PanelWidth]
	a.Data = a.Data[:(a.Count-1)*a.Stride+a.Width]
	k.mulF32(dst[:(a.Count-1)*stride+p.Outputs], stride, a, p, bias)
}

func mulF32Generic(dst []float32, stride int, a Rows, p Panels, bias []float32) {
	for out := 0; out < p.Outputs; out += 2 {
		w := p.Data[out/PanelWidth*p.Panel+out%PanelWidth:]
		count := min(2, p.Outputs-out)
		for r := 0; r < a.Count; r += 3 {
			// Behind the end, the last row is made again.
			rows := [...]int{r, min(r+1, a.Count-1), min(r+2, a.Count-1)}
			acc := dotF32(a.row(rows[0]), a.row(rows[1]), a.row(rows[2]), w, p.Row)
			for i, row := range rows {
				if bias != nil {
					for o, v := range bias[out:][:count] {
						acc[i][o] += v
					}
				}
				copy(dst[row*stride+out:][:count], acc[i][:])
			}
		}
	}
}

func (a Rows) row(r int) []float32 { return a.Data[r*a.Stride:][:a.Width] }

// dotF32 makes the sums of two outputs for three rows: as many as there are
// registers for.
func dotF32(a, b, c, w []float32, stride int) [3][2]float32 {
	var a0, a1, b0, b1, c0, c1 float32
	b, c = b[:len(a)], c[:len(a)]
	at := 0
	for i, v := range a {
		w := (*[2]float32)(w[at:])
		a0 += float32(v * w[0])
		a1 += float32(v * w[1])
		b0 += float32(b[i] * w[0])
		b1 += float32(b[i] * w[1])
		c0 += float32(c[i] * w[0])
		c1 += float32(c[i] * w[1])
		at += stride
	}
	return [...][2]float32{{a0, a1}, {b0, b1}, {c0, c1}}
}
