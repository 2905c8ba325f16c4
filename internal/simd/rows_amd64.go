//go:build !noasm

package simd

// This file decides how operations on rows run on amd64: assembly does whole
// vectors, the definition in Go what is left of a row.

//go:generate go run ./_gen/rows

// Constants for the assembly; _gen/rows knows the places.
var (
	geluTable = [...]float32{
		phiBound, -phiBound, phiScale, -1, 0.5,
		phi0, phi1, phi2, phi3, phi4, phi5, phi6, phi7, phi8, phi9, phi10, phi11, phi12,
	}

	expTable = [...]float32{smallest, rounder, exp0, exp1, exp2, exp3, exp4, exp5, exp6}
	expBits  = [...]uint32{127, infinityBits | ^uint32(absBits)} // bias of the exponent, -Inf

	quantizeTable = [...]uint32{
		absBits,
		(127-100)<<23 - 1, // below the bits of smallestBlock
		infinityBits - 1,
		0x42fe0000, // 127 as a float32
		0x80808080, // 128, four times
		0xff80ff80, // -128, twice
		0x01010101,
	}
	// Where the packed dwords come from: packing works within 128 bits.
	orderNarrow = [8]uint32{0, 4, 1, 5, 2, 6, 3, 7}
	orderWide   = [16]uint32{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15}
)

// The functions in assembly. The lengths of rows are multiples of 16, or of 8
// with AVX2 where nothing is summed; dst is as long as x; a layer norm has n > 0
// values a row, a multiple of 16; a group is 4 blocks of 32, and there is at
// least one. scale of softmax is that of a power of two.

//go:noescape
func addAVX2(dst, x []float32)

//go:noescape
func addAVX512(dst, x []float32)

//go:noescape
func geluAVX2(x []float32)

//go:noescape
func geluAVX512(x []float32)

//go:noescape
func softmaxAVX2(x []float32, scale float32) float32

//go:noescape
func softmaxAVX512(x []float32, scale float32) float32

//go:noescape
func layerNormAVX2(x, residual, gamma, beta *float32, rows, n int, epsilon float32)

//go:noescape
func layerNormAVX512(x, residual, gamma, beta *float32, rows, n int, epsilon float32)

//go:noescape
func quantizeAVX2(q *int8, scale *float32, correction *int32, x *float32, groups int)

//go:noescape
func quantizeAVX512(q *int8, scale *float32, correction *int32, x *float32, groups int)

// transposeAVX2 does groups of 8 rows and of 4 columns, at least one of each.
//
//go:noescape
func transposeAVX2(panel, data *float32, stride, groups, columns int)

func useRowsAVX2(k *Kernels) {
	k.add = func(dst, x []float32) {
		n := len(x) &^ 7
		addAVX2(dst[:n], x[:n])
		addGeneric(dst[n:], x[n:])
	}
	k.gelu = func(x []float32) {
		n := len(x) &^ 7
		geluAVX2(x[:n])
		geluGeneric(x[n:])
	}
	k.transpose = transposeByAVX2
	k.softmax = func(x []float32, scale float32) float32 {
		return softmaxAVX2(x, float32(scale*log2E))
	}
	k.layerNorm = func(x, residual, gamma, beta []float32, epsilon float32) {
		if len(gamma)%Lanes != 0 {
			layerNormGeneric(x, residual, gamma, beta, epsilon)
			return
		}
		layerNormAVX2(&x[0], &residual[0], &gamma[0], &beta[0], len(x)/len(gamma), len(gamma), epsilon)
	}
	k.quantize = func(q *Quantized, x []float32) {
		groups, last := quantizeGroups(q, x)
		if groups == 0 {
			return
		}
		quantizeAVX2(&q.Q[0], &q.Scale[0], &q.Correction[0], &x[0], groups)
		if last%4 != 0 {
			quantizeAVX2(&q.Q[last*BlockSize], &q.Scale[last], &q.Correction[last], &x[last*BlockSize], 1)
		}
	}
}

func useRowsAVX512(k *Kernels) {
	k.add = func(dst, x []float32) {
		n := len(x) &^ 15
		addAVX512(dst[:n], x[:n])
		addGeneric(dst[n:], x[n:])
	}
	k.gelu = func(x []float32) {
		n := len(x) &^ 15
		geluAVX512(x[:n])
		geluGeneric(x[n:])
	}
	k.transpose = transposeByAVX2
	k.softmax = func(x []float32, scale float32) float32 {
		return softmaxAVX512(x, float32(scale*log2E))
	}
	k.layerNorm = func(x, residual, gamma, beta []float32, epsilon float32) {
		if len(gamma)%Lanes != 0 {
			layerNormGeneric(x, residual, gamma, beta, epsilon)
			return
		}
		layerNormAVX512(&x[0], &residual[0], &gamma[0], &beta[0], len(x)/len(gamma), len(gamma), epsilon)
	}
	k.quantize = func(q *Quantized, x []float32) {
		groups, last := quantizeGroups(q, x)
		if groups == 0 {
			return
		}
		quantizeAVX512(&q.Q[0], &q.Scale[0], &q.Correction[0], &x[0], groups)
		if last%4 != 0 {
			quantizeAVX512(&q.Q[last*BlockSize], &q.Scale[last], &q.Correction[last], &x[last*BlockSize], 1)
		}
	}
}

// quantizeGroups returns how many groups of four blocks there are and where the
// last one begins that ends with the last block. It overlaps the one before it if
// the blocks are no multiple of four, which changes nothing. Fewer than four
// blocks are done here.
func quantizeGroups(q *Quantized, x []float32) (groups, last int) {
	if len(q.Scale) < 4 {
		quantizeGeneric(q, x)
		return 0, 0
	}
	return len(q.Scale) / 4, len(q.Scale) - 4
}

// transposeByAVX2 leaves single rows and columns to the definition. It serves
// AVX-512 too.
func transposeByAVX2(panel []float32, a Rows) {
	rows, columns := a.Count&^7, a.Width&^3
	if rows > 0 && columns > 0 {
		_, _ = panel[(columns-1)*PanelWidth+rows-1], a.Data[(rows-1)*a.Stride+columns-1]
		transposeAVX2(&panel[0], &a.Data[0], a.Stride, rows/8, columns/4)
	}
	if rows < a.Count {
		Transpose(panel[rows:], Rows{Data: a.Data[rows*a.Stride:], Count: a.Count - rows, Width: a.Width, Stride: a.Stride})
	}
	if rows > 0 && columns < a.Width {
		Transpose(panel[columns*PanelWidth:], Rows{Data: a.Data[columns:], Count: rows, Width: a.Width - columns, Stride: a.Stride})
	}
}
