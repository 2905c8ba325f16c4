//go:build !noasm

package simd

// This file decides how matrix products run on amd64: which kernel takes which
// part of a product.

//go:generate go run ./_gen/products

func useProductsAVX2(k *Kernels) {
	k.packQ8 = packSigned
	k.mulQ8 = mulQ8ByAVX2
	k.mulF32 = mulF32ByAVX2
}

func useProductsAVXVNNI(k *Kernels) {
	k.packQ8 = packUnsigned
	k.mulQ8 = mulQ8ByVNNI
	k.mulF32 = mulF32ByAVX2
}

func useProductsAVX512(k *Kernels) {
	k.packQ8 = packUnsigned
	k.mulQ8 = mulQ8ByAVX512
	k.mulF32 = mulF32ByAVX512
}

func packSigned(m *MatrixQ8)   { packPanels(m, signedWeights) }
func packUnsigned(m *MatrixQ8) { packPanels(m, unsignedWeights) }

const (
	// Rows of a tile.
	q8TileAVX512  = 6
	q8TileVNNI    = 6
	q8TileAVX2    = 4
	f32TileAVX512 = 12
	f32TileAVX2   = 6

	// activationBytes of a group of rows stay in the second-level cache while
	// all panels pass by.
	activationBytes = 192 << 10

	allOutputs = 1<<32 - 1
)

// q8Tile is the argument of the kernels: a number of tiles, below each other, of
// the same number of rows.
type q8Tile struct {
	q           *int8 // of the first row
	scale       *float32
	correction  *int32
	width       int // from row to row, in values; an eighth of it in scales, in bytes
	blocks      int // at least 1
	panel       *byte
	panelScale  *float32
	bias        *float32
	dst         *float32
	stride      int // in bytes
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

// group is some rows that follow each other, divided into tiles whose heights
// differ by one at most.
type group struct {
	from, height, tiles int
}

// divide splits the rows from first on into taller tiles and others: as few as
// tiles of most rows would be.
func divide(first, rows, most int) [2]group {
	tiles := (rows + most - 1) / most
	height, taller := rows/tiles, rows%tiles
	return [2]group{{first, height + 1, taller}, {first + taller*(height+1), height, tiles - taller}}
}

// groupRows is the number of rows that stay in the cache: a multiple of most.
func groupRows(width, most int) int { return max(1, activationBytes/width/most) * most }

func mulQ8ByAVX512(dst []float32, stride int, x *Quantized, m *MatrixQ8, bias []float32) {
	blocks, step := m.Inputs/BlockSize, groupRows(m.Inputs, q8TileAVX512)
	for first := 0; first < x.Rows; first += step {
		groups := divide(first, min(step, x.Rows-first), q8TileAVX512)
		for out := 0; out < m.Outputs; out += PanelWidth {
			for _, g := range groups {
				if g.tiles > 0 {
					t := tileOf(x, m, g, out, blocks)
					t.bias, t.dst, t.stride = &bias[out], &dst[g.from*stride+out], 4*stride
					t.mask = allOutputs >> max(0, PanelWidth-(m.Outputs-out))
					mulQ8AVX512(&t)
				}
			}
		}
	}
}

// tileOf sets what doesn't concern the outputs.
func tileOf(x *Quantized, m *MatrixQ8, g group, out, blocks int) q8Tile {
	panel := out / PanelWidth * blocks
	return q8Tile{
		q: &x.Q[g.from*x.Width], scale: &x.Scale[g.from*blocks], correction: &x.Correction[g.from*blocks],
		width: x.Width, blocks: blocks,
		panel: &m.panels[panel*panelBlockBytes+out%PanelWidth*4], panelScale: &m.scales[panel*PanelWidth+out%PanelWidth],
		rows: g.height, tiles: g.tiles,
	}
}

func mulQ8ByAVX2(dst []float32, stride int, x *Quantized, m *MatrixQ8, bias []float32) {
	mulQ8By256(dst, stride, x, m, bias, q8TileAVX2, false)
}

func mulQ8ByVNNI(dst []float32, stride int, x *Quantized, m *MatrixQ8, bias []float32) {
	mulQ8By256(dst, stride, x, m, bias, q8TileVNNI, true)
}

// halfPanel is the number of outputs of the kernels with registers of 256 bits.
const halfPanel = PanelWidth / 2

func mulQ8By256(dst []float32, stride int, x *Quantized, m *MatrixQ8, bias []float32, most int, vnni bool) {
	step := groupRows(m.Inputs, most)
	for first := 0; first < x.Rows; first += step {
		groups := divide(first, min(step, x.Rows-first), most)
		for out := 0; out < m.Outputs; out += halfPanel {
			for _, g := range groups {
				if out+halfPanel <= m.Outputs {
					if g.tiles > 0 {
						t := tileOf(x, m, g, out, m.Inputs/BlockSize)
						t.bias, t.dst, t.stride = &bias[out], &dst[g.from*stride+out], 4*stride
						t.run256(vnni)
					}
				} else {
					mulQ8Part(dst, stride, x, m, bias, g, out, vnni)
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

// mulQ8Part makes the last outputs, fewer than 16, by way of a copy.
func mulQ8Part(dst []float32, stride int, x *Quantized, m *MatrixQ8, bias []float32, g group, out int, vnni bool) {
	var full [halfPanel]float32
	var product [q8TileVNNI * halfPanel]float32
	copy(full[:], bias[out:])
	for i := range g.tiles {
		part := group{g.from + i*g.height, g.height, 1}
		t := tileOf(x, m, part, out, m.Inputs/BlockSize)
		t.bias, t.dst, t.stride = &full[0], &product[0], 4*halfPanel
		t.run256(vnni)
		for r := range g.height {
			copy(dst[(part.from+r)*stride+out:][:m.Outputs-out], product[r*halfPanel:])
		}
	}
}

// f32Tile is the argument of the kernels: a number of tiles, below each other, of
// the same number of rows. Distances are in bytes.
type f32Tile struct {
	a           *float32
	aStride     int
	panel       *float32
	row, width  int
	bias        *float32 // or nil
	dst         *float32
	stride      int
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

func mulF32ByAVX512(dst []float32, stride int, a Rows, p Panels, bias []float32) {
	if a.Width == 0 {
		mulF32Generic(dst, stride, a, p, bias)
		return
	}
	groups := divide(0, a.Count, f32TileAVX512)
	for out := 0; out < p.Outputs; out += PanelWidth {
		for _, g := range groups {
			if g.tiles == 0 {
				continue
			}
			t := f32TileOf(dst, stride, a, p, bias, g, out)
			t.mask = allOutputs >> max(0, PanelWidth-(p.Outputs-out))
			if p.Outputs-out > PanelWidth/2 {
				mulF32AVX512x2(&t)
			} else {
				mulF32AVX512x1(&t)
			}
		}
	}
}

func f32TileOf(dst []float32, stride int, a Rows, p Panels, bias []float32, g group, out int) f32Tile {
	t := f32Tile{
		a: &a.Data[g.from*a.Stride], aStride: 4 * a.Stride,
		panel: &p.Data[out/PanelWidth*p.Panel+out%PanelWidth], row: 4 * p.Row, width: a.Width,
		dst: &dst[g.from*stride+out], stride: 4 * stride,
		rows: g.height, tiles: g.tiles,
	}
	if bias != nil {
		t.bias = &bias[out]
	}
	return t
}

func mulF32ByAVX2(dst []float32, stride int, a Rows, p Panels, bias []float32) {
	if a.Width == 0 {
		mulF32Generic(dst, stride, a, p, bias)
		return
	}
	groups := divide(0, a.Count, f32TileAVX2)
	for out := 0; out < p.Outputs; out += halfPanel {
		for _, g := range groups {
			switch count := p.Outputs - out; {
			case g.tiles == 0:
			case count < halfPanel && count != halfPanel/2:
				mulF32Part(dst, stride, a, p, bias, g, out)
			default:
				t := f32TileOf(dst, stride, a, p, bias, g, out)
				t.run256(count)
			}
		}
	}
}

// run256 makes the next 16 or 8 outputs, if there are no more than count.
func (t *f32Tile) run256(count int) {
	if count > halfPanel/2 {
		mulF32AVX2x2(t)
	} else {
		mulF32AVX2x1(t)
	}
}

// mulF32Part makes the last outputs, fewer than 16, by way of a copy.
func mulF32Part(dst []float32, stride int, a Rows, p Panels, bias []float32, g group, out int) {
	var full [halfPanel]float32
	var product [f32TileAVX2 * halfPanel]float32
	if bias != nil {
		copy(full[:], bias[out:])
	}
	for i := range g.tiles {
		part := group{g.from + i*g.height, g.height, 1}
		t := f32TileOf(dst, stride, a, p, bias, part, out)
		t.dst, t.stride = &product[0], 4*halfPanel
		if bias != nil {
			t.bias = &full[0]
		}
		t.run256(p.Outputs - out)
		for r := range g.height {
			copy(dst[(part.from+r)*stride+out:][:p.Outputs-out], product[r*halfPanel:])
		}
	}
}
