//go:build !noasm

package simd

// This file decides how matrix products run on amd64: which kernels there are,
// and how rows become tiles.

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
	// Rows of a tile, at most.
	q8TileAVX512  = 6
	q8TileVNNI    = 6
	q8TileAVX2    = 4
	f32TileAVX512 = 12
	f32TileAVX2   = 6

	// halfPanel is the number of outputs that registers of 256 bits take at once.
	halfPanel = PanelWidth / 2
)

// group is some rows that follow each other, divided into tiles of equal height.
type group struct{ from, height, tiles int }

// divide splits rows into two groups, of which the first is one taller: into no
// more tiles than tiles of most rows would be. A group may be empty.
func divide(from, rows, most int) [2]group {
	tiles := (rows + most - 1) / most
	height, taller := rows/tiles, rows%tiles
	return [2]group{{from, height + 1, taller}, {from + taller*(height+1), height, tiles - taller}}
}

// outputMask has a bit for every output of a panel that exists, of count ones
// from its first on.
func outputMask(count int) uint32 { return 1<<min(count, PanelWidth) - 1 }
