//go:build !noasm

package simd

// This file decides how a product of quantised matrices is divided among calls of
// its kernels.

// activationBytes of rows stay in the second-level cache while all panels pass by.
const activationBytes = 192 << 10

// q8Tile is the argument of the kernels: a number of tiles of equal height, below
// each other.
type q8Tile struct {
	q           *int8 // of the first row
	scale       *float32
	correction  *int32
	width       int // from row to row of q, in values
	blocks      int // at least 1
	panel       *byte
	panelScale  *float32
	bias        *float32
	dst         *float32
	stride      int // from row to row of dst, in bytes
	rows, tiles int // at least 1
	mask        uint32
}

// mulQ8AVX512 multiplies tiles of 1 to 6 rows with a panel. The bits of t.mask say
// which of its outputs exist: the others are neither read from the bias nor
// written.
//
//go:noescape
func mulQ8AVX512(t *q8Tile)

// mulQ8AVX2 multiplies tiles of 1 to 4 rows with half a panel of signed weights:
// 16 outputs, all of which are read from the bias and written.
//
//go:noescape
func mulQ8AVX2(t *q8Tile)

// mulQ8VNNI is mulQ8AVX2 for tiles of 1 to 6 rows and unsigned weights.
//
//go:noescape
func mulQ8VNNI(t *q8Tile)

// q8Product is what MulQ8 was called with.
type q8Product struct {
	dst    []float32
	stride int
	x      *Quantized
	m      *MatrixQ8
	bias   []float32
}

// tile returns the tiles of a group for the outputs from out on.
func (p *q8Product) tile(g group, out int) q8Tile {
	blocks := p.m.Inputs / BlockSize
	panel, column := out/PanelWidth*blocks, out%PanelWidth
	return q8Tile{
		q:          &p.x.Q[g.from*p.x.Width],
		scale:      &p.x.Scale[g.from*blocks],
		correction: &p.x.Correction[g.from*blocks],
		width:      p.x.Width,
		blocks:     blocks,
		panel:      &p.m.panels[panel*panelBlockBytes+4*column],
		panelScale: &p.m.scales[panel*PanelWidth+column],
		bias:       &p.bias[out],
		dst:        &p.dst[g.from*p.stride+out],
		stride:     4 * p.stride,
		rows:       g.height,
		tiles:      g.tiles,
		mask:       outputMask(p.m.Outputs - out),
	}
}

// stretch is the number of rows to take through all panels together.
func (p *q8Product) stretch(most int) int {
	return max(1, activationBytes/p.x.Width/most) * most
}

func mulQ8ByAVX512(dst []float32, stride int, x *Quantized, m *MatrixQ8, bias []float32) {
	p := q8Product{dst, stride, x, m, bias}
	step := p.stretch(q8TileAVX512)
	for from := 0; from < x.Rows; from += step {
		groups := divide(from, min(step, x.Rows-from), q8TileAVX512)
		for out := 0; out < m.Outputs; out += PanelWidth {
			for _, g := range groups {
				if g.tiles > 0 {
					t := p.tile(g, out)
					mulQ8AVX512(&t)
				}
			}
		}
	}
}

func mulQ8ByAVX2(dst []float32, stride int, x *Quantized, m *MatrixQ8, bias []float32) {
	p := q8Product{dst, stride, x, m, bias}
	p.by256(q8TileAVX2, false)
}

func mulQ8ByVNNI(dst []float32, stride int, x *Quantized, m *MatrixQ8, bias []float32) {
	p := q8Product{dst, stride, x, m, bias}
	p.by256(q8TileVNNI, true)
}

// by256 makes the product with one of the kernels for 16 outputs.
func (p *q8Product) by256(most int, vnni bool) {
	step := p.stretch(most)
	for from := 0; from < p.x.Rows; from += step {
		groups := divide(from, min(step, p.x.Rows-from), most)
		for out := 0; out < p.m.Outputs; out += halfPanel {
			for _, g := range groups {
				switch {
				case g.tiles == 0:
				case out+halfPanel <= p.m.Outputs:
					t := p.tile(g, out)
					t.run256(vnni)
				default:
					p.part(g, out, vnni)
				}
			}
		}
	}
}

func (t *q8Tile) run256(vnni bool) {
	if vnni {
		mulQ8VNNI(t)
	} else {
		mulQ8AVX2(t)
	}
}

// part makes the last outputs, fewer than 16, tile by tile in a place of their own.
func (p *q8Product) part(g group, out int, vnni bool) {
	var bias [halfPanel]float32
	var product [q8TileVNNI * halfPanel]float32
	copy(bias[:], p.bias[out:])
	for i := range g.tiles {
		from := g.from + i*g.height
		t := p.tile(group{from, g.height, 1}, out)
		t.bias, t.dst, t.stride = &bias[0], &product[0], 4*halfPanel
		t.run256(vnni)
		for r := range g.height {
			copy(p.dst[(from+r)*p.stride+out:][:p.m.Outputs-out], product[r*halfPanel:])
		}
	}
}
