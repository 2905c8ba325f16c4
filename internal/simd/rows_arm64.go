//go:build !noasm

package simd

// This file decides how operations on rows run on arm64: lengths that aren't
// multiples of 16 end in pure Go.

// useRows sets the operations on rows.
func useRows(k *Kernels) {
	k.quantize = quantizeRows
	k.softmax = softmaxRow
	k.layerNorm = layerNormRows
	k.gelu = geluRow
	k.add = addRow
	k.transpose = transposeRows
}

// Tables that the assembly reads constants from; never written.
var (
	quantizeTable = struct{ smallestBlock, infinity, abs, nan uint32 }{smallestBlockBits, infinityBits, absBits, nanBits}

	softmaxTable = struct {
		power             [7]float32
		smallest, rounder float32
		exponent          int32
		minusInfinity     uint32
	}{
		[7]float32{exp6, exp5, exp4, exp3, exp2, exp1, exp0},
		smallest, rounder,
		127 - rounderBits,
		infinityBits | ^uint32(absBits),
	}

	geluTable = struct {
		phi                                    [13]float32
		half, bound, negativeBound, scale, one float32
	}{
		[13]float32{phi12, phi11, phi10, phi9, phi8, phi7, phi6, phi5, phi4, phi3, phi2, phi1, phi0},
		0.5, phiBound, -phiBound, phiScale, 1,
	}
)

// smallestBlockBits are the bits of smallestBlock, 2^-100.
const smallestBlockBits = (127 - 100) << 23

// In all of these n, the length of a row, is a multiple of 16, and no number of
// anything is 0.

// quantizeNEON reads 32 values a block and writes 32 values, a scale and a
// correction.
//
//go:noescape
func quantizeNEON(q *int8, scale *float32, correction *int32, x *float32, blocks int)

// softmaxNEON takes the scale in units of powers of 2.
//
//go:noescape
func softmaxNEON(x *float32, n int, scale float32) float32

//go:noescape
func layerNormNEON(x, residual *float32, rows, n int, gamma, beta *float32, epsilon float32)

//go:noescape
func geluNEON(x *float32, n int)

//go:noescape
func addNEON(dst, x *float32, n int)

// transposeNEON does groups of four rows and groups of four columns.
//
//go:noescape
func transposeNEON(panel, data *float32, stride, groups, columns int)

func quantizeRows(q *Quantized, x []float32) {
	quantizeNEON(&q.Q[0], &q.Scale[0], &q.Correction[0], &x[0], len(q.Scale))
}

func softmaxRow(x []float32, scale float32) float32 {
	return softmaxNEON(&x[0], len(x), float32(scale*log2E))
}

func layerNormRows(x, residual, gamma, beta []float32, epsilon float32) {
	n := len(gamma)
	if n%Lanes != 0 {
		layerNormGeneric(x, residual, gamma, beta, epsilon)
		return
	}
	layerNormNEON(&x[0], &residual[0], len(x)/n, n, &gamma[0], &beta[0], epsilon)
}

func geluRow(x []float32) {
	n := len(x) / Lanes * Lanes
	if n > 0 {
		geluNEON(&x[0], n)
	}
	geluGeneric(x[n:])
}

func addRow(dst, x []float32) {
	n := len(x) / Lanes * Lanes
	if n > 0 {
		addNEON(&dst[0], &x[0], n)
	}
	addGeneric(dst[n:], x[n:])
}

// transposeRows leaves single rows and columns to the definition.
func transposeRows(panel []float32, a Rows) {
	rows, columns := a.Count&^3, a.Width&^3
	if rows > 0 && columns > 0 {
		_, _ = panel[(columns-1)*PanelWidth+rows-1], a.Data[(rows-1)*a.Stride+columns-1]
		transposeNEON(&panel[0], &a.Data[0], a.Stride, rows/4, columns/4)
	}
	if rows < a.Count {
		Transpose(panel[rows:], Rows{Data: a.Data[rows*a.Stride:], Count: a.Count - rows, Width: a.Width, Stride: a.Stride})
	}
	if rows > 0 && columns < a.Width {
		Transpose(panel[columns*PanelWidth:], Rows{Data: a.Data[columns:], Count: rows, Width: a.Width - columns, Stride: a.Stride})
	}
}
