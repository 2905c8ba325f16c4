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

// newQ8Tile returns the tiles of a group, not yet moved to an output.
func newQ8Tile(stride int, x *Quantized, g group) q8Tile {
	blocks := x.Width / BlockSize
	return q8Tile{
		q: &x.Q[g.from*x.Width], scale: &x.Scale[g.from*blocks], correction: &x.Correction[g.from*blocks],
		width: x.Width, blocks: blocks, stride: 4 * stride,
		rows: g.height, tiles: g.tiles,
	}
}

// newQ8Tiles divides rows into groups.
func newQ8Tiles(stride int, x *Quantized, from, rows, most int) (tiles [2]q8Tile, groups [2]group) {
	groups = divide(from, rows, most)
	for i, g := range groups {
		if g.tiles > 0 {
			tiles[i] = newQ8Tile(stride, x, g)
		}
	}
	return tiles, groups
}

// move goes to the outputs from out on; dst begins with the first row of the
// group.
func (t *q8Tile) move(dst []float32, m *MatrixQ8, bias []float32, out int) {
	panel, column := out/PanelWidth*t.blocks, out%PanelWidth
	t.panel = &m.panels[panel*panelBlockBytes+4*column]
	t.panelScale = &m.scales[panel*PanelWidth+column]
	t.bias = &bias[out]
	t.dst = &dst[out]
	t.mask = outputMask(m.Outputs - out)
}

// stretch is the number of rows to take through all panels together.
func stretch(x *Quantized, most int) int {
	return max(1, activationBytes/x.Width/most) * most
}

func mulQ8ByAVX512(dst []float32, stride int, x *Quantized, m *MatrixQ8, bias []float32) {
	step := stretch(x, q8TileAVX512)
	for from := 0; from < x.Rows; from += step {
		tiles, groups := newQ8Tiles(stride, x, from, min(step, x.Rows-from), q8TileAVX512)
		for out := 0; out < m.Outputs; out += PanelWidth {
			for i, g := range groups {
				if g.tiles > 0 {
					tiles[i].move(dst[g.from*stride:], m, bias, out)
					mulQ8AVX512(&tiles[i])
				}
			}
		}
	}
}

func mulQ8ByAVX2(dst []float32, stride int, x *Quantized, m *MatrixQ8, bias []float32) {
	mulQ8By256(dst, stride, x, m, bias, q8TileAVX2, false)
}

func mulQ8ByVNNI(dst []float32, stride int, x *Quantized, m *MatrixQ8, bias []float32) {
	mulQ8By256(dst, stride, x, m, bias, q8TileVNNI, true)
}

// mulQ8By256 makes the product with one of the kernels for 16 outputs.
func mulQ8By256(dst []float32, stride int, x *Quantized, m *MatrixQ8, bias []float32, most int, vnni bool) {
	step := stretch(x, most)
	for from := 0; from < x.Rows; from += step {
		tiles, groups := newQ8Tiles(stride, x, from, min(step, x.Rows-from), most)
		out := 0
		for ; out+halfPanel <= m.Outputs; out += halfPanel {
			for i, g := range groups {
				if g.tiles > 0 {
					tiles[i].move(dst[g.from*stride:], m, bias, out)
					tiles[i].run256(vnni)
				}
			}
		}
		for _, g := range groups {
			if out < m.Outputs {
				mulQ8Part(dst, stride, x, m, bias, g, out, vnni)
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

// mulQ8Part makes the last outputs, fewer than 16, tile by tile in a place of
// their own.
func mulQ8Part(dst []float32, stride int, x *Quantized, m *MatrixQ8, bias []float32, g group, out int, vnni bool) {
	var product [q8TileVNNI * halfPanel]float32
	var last [halfPanel]float32
	copy(last[:], bias[out:])
	for i := range g.tiles {
		from := g.from + i*g.height
		t := newQ8Tile(halfPanel, x, group{from, g.height, 1})
		t.move(dst[from*stride:], m, bias, out)
		t.bias, t.dst = &last[0], &product[0]
		t.run256(vnni)
		for r := range g.height {
			copy(dst[(from+r)*stride+out:][:m.Outputs-out], product[r*halfPanel:])
		}
	}
}
