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

// f32Product is what MulF32 was called with.
type f32Product struct {
	dst    []float32
	stride int
	a      Rows
	p      Panels
	bias   []float32
}

// tile returns the tiles of a group for the outputs from out on.
func (p *f32Product) tile(g group, out int) f32Tile {
	t := f32Tile{
		a:       &p.a.Data[g.from*p.a.Stride],
		aStride: 4 * p.a.Stride,
		panel:   &p.p.Data[out/PanelWidth*p.p.Panel+out%PanelWidth],
		row:     4 * p.p.Row,
		width:   p.a.Width,
		dst:     &p.dst[g.from*p.stride+out],
		stride:  4 * p.stride,
		rows:    g.height,
		tiles:   g.tiles,
		mask:    outputMask(p.p.Outputs - out),
	}
	if p.bias != nil {
		t.bias = &p.bias[out]
	}
	return t
}

func mulF32ByAVX512(dst []float32, stride int, a Rows, panels Panels, bias []float32) {
	if a.Width == 0 {
		mulF32Generic(dst, stride, a, panels, bias)
		return
	}
	p := f32Product{dst, stride, a, panels, bias}
	groups := divide(0, a.Count, f32TileAVX512)
	for out := 0; out < panels.Outputs; out += PanelWidth {
		for _, g := range groups {
			if g.tiles == 0 {
				continue
			}
			t := p.tile(g, out)
			if panels.Outputs-out > PanelWidth/2 {
				mulF32AVX512x2(&t)
			} else {
				mulF32AVX512x1(&t)
			}
		}
	}
}

func mulF32ByAVX2(dst []float32, stride int, a Rows, panels Panels, bias []float32) {
	if a.Width == 0 {
		mulF32Generic(dst, stride, a, panels, bias)
		return
	}
	p := f32Product{dst, stride, a, panels, bias}
	groups := divide(0, a.Count, f32TileAVX2)
	for out := 0; out < panels.Outputs; out += halfPanel {
		for _, g := range groups {
			switch count := panels.Outputs - out; {
			case g.tiles == 0:
			case count >= halfPanel || count == halfPanel/2:
				t := p.tile(g, out)
				t.run256(count)
			default:
				p.part(g, out)
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

// part makes the last outputs, fewer than 16, tile by tile in a place of their own.
func (p *f32Product) part(g group, out int) {
	var bias [halfPanel]float32
	var product [f32TileAVX2 * halfPanel]float32
	if p.bias != nil {
		copy(bias[:], p.bias[out:])
	}
	for i := range g.tiles {
		from := g.from + i*g.height
		t := p.tile(group{from, g.height, 1}, out)
		t.dst, t.stride = &product[0], 4*halfPanel
		if p.bias != nil {
			t.bias = &bias[0]
		}
		t.run256(p.p.Outputs - out)
		for r := range g.height {
			copy(p.dst[(from+r)*p.stride+out:][:p.p.Outputs-out], product[r*halfPanel:])
		}
	}
}
