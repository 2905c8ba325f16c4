//go:build !noasm

package simd

// This file decides how a product of float32 matrices is divided among calls of
// its kernels.

// f32Tile is the argument of the kernels: a number of tiles of equal height, below
// each other. Distances are in bytes.
type f32Tile struct {
	a           *float32 // the first row
	aStride     int      // from row to row of a
	panel       *float32
	row         int      // from input to input of the panel
	width       int      // at least 1
	bias        *float32 // or nil
	dst         *float32
	stride      int // from row to row of dst
	rows, tiles int // at least 1
	mask        uint32
}

// mulF32AVX512x2 multiplies tiles of 1 to 12 rows with 32 outputs, and
// mulF32AVX512x1 with 16. The bits of t.mask say which of them exist: the others
// are neither read from the bias nor written.
//
//go:noescape
func mulF32AVX512x2(t *f32Tile)

//go:noescape
func mulF32AVX512x1(t *f32Tile)

// mulF32AVX2x2 multiplies tiles of 1 to 6 rows with 16 outputs, all of which are
// read from the bias and written; mulF32AVX2x1 with 8.
//
//go:noescape
func mulF32AVX2x2(t *f32Tile)

//go:noescape
func mulF32AVX2x1(t *f32Tile)

// newF32Tile returns the tiles of a group, not yet moved to an output.
func newF32Tile(stride int, a *Rows, p *Panels, g group) f32Tile {
	return f32Tile{
		a: &a.Data[g.from*a.Stride], aStride: 4 * a.Stride,
		row: 4 * p.Row, width: a.Width, stride: 4 * stride,
		rows: g.height, tiles: g.tiles,
	}
}

// at returns the tiles at the outputs from out on; dst begins with the first row
// of the group. It returns a copy, so that a dst on the stack stays there.
func (t f32Tile) at(dst []float32, p *Panels, bias []float32, out int) f32Tile {
	t.panel = &p.Data[out/PanelWidth*p.Panel+out%PanelWidth]
	t.dst = &dst[out]
	if bias != nil {
		t.bias = &bias[out]
	}
	t.mask = outputMask(p.Outputs - out)
	return t
}

func mulF32ByAVX512(dst []float32, stride int, a Rows, p Panels, bias []float32) {
	if a.Width == 0 {
		mulF32Generic(dst, stride, a, p, bias)
		return
	}
	for _, g := range divide(0, a.Count, f32TileAVX512) {
		if g.tiles == 0 {
			continue
		}
		first := newF32Tile(stride, &a, &p, g)
		for out := 0; out < p.Outputs; out += PanelWidth {
			t := first.at(dst[g.from*stride:], &p, bias, out)
			if p.Outputs-out > PanelWidth/2 {
				mulF32AVX512x2(&t)
			} else {
				mulF32AVX512x1(&t)
			}
		}
	}
}

func mulF32ByAVX2(dst []float32, stride int, a Rows, p Panels, bias []float32) {
	if a.Width == 0 {
		mulF32Generic(dst, stride, a, p, bias)
		return
	}
	for _, g := range divide(0, a.Count, f32TileAVX2) {
		if g.tiles == 0 {
			continue
		}
		first := newF32Tile(stride, &a, &p, g)
		for out := 0; out < p.Outputs; out += halfPanel {
			t := first.at(dst[g.from*stride:], &p, bias, out)
			if count := p.Outputs - out; count >= halfPanel || count == halfPanel/2 {
				t.run256(count)
			} else {
				mulF32Part(dst, stride, &a, &p, bias, g, out)
			}
		}
	}
}

// run256 makes 16 outputs, or 8 if there are no more than that.
func (t *f32Tile) run256(count int) {
	if count > halfPanel/2 {
		mulF32AVX2x2(t)
	} else {
		mulF32AVX2x1(t)
	}
}

// mulF32Part makes the last outputs, fewer than 16, tile by tile in a place of
// their own.
func mulF32Part(dst []float32, stride int, a *Rows, p *Panels, bias []float32, g group, out int) {
	var product [f32TileAVX2 * halfPanel]float32
	var last [halfPanel]float32
	if bias != nil {
		copy(last[:], bias[out:])
		bias = last[:]
	}
	rest := *p
	rest.Data, rest.Outputs = p.Data[out/PanelWidth*p.Panel+out%PanelWidth:], p.Outputs-out
	for i := range g.tiles {
		from := g.from + i*g.height
		t := newF32Tile(halfPanel, a, p, group{from, g.height, 1}).at(product[:], &rest, bias, 0)
		t.run256(rest.Outputs)
		for r := range g.height {
			copy(dst[(from+r)*stride+out:][:rest.Outputs], product[r*halfPanel:])
		}
	}
}
