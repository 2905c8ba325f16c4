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
		Transpose(m.panels[p*PanelWidth*inputs:], Rows{Data: rows[p*PanelWidth*inputs:], Count: count, Width: inputs, Stride: inputs})
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
	for out := 0; out < p.Outputs; out += 4 {
		w := p.Data[out/PanelWidth*p.Panel+out%PanelWidth:]
		count := min(4, p.Outputs-out)
		for r := range a.Count {
			acc := dotF32(a.Data[r*a.Stride:][:a.Width], w, p.Row)
			if bias != nil {
				for o := range count {
					acc[o] += bias[out+o]
				}
			}
			copy(dst[r*stride+out:][:count], acc[:])
		}
	}
}

// dotF32 makes the sums of four outputs.
func dotF32(a, w []float32, stride int) [4]float32 {
	var acc [4]float32
	for i, v := range a {
		u := (*[4]float32)(w[i*stride:])
		acc[0] += float32(v * u[0])
		acc[1] += float32(v * u[1])
		acc[2] += float32(v * u[2])
		acc[3] += float32(v * u[3])
	}
	return acc
}
