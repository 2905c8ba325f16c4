package simd

// This file decides how activations become 8-bit integers.

import "math"

const (
	// BlockSize is the number of values that share a scale.
	BlockSize = 32

	// A block whose largest value is smaller becomes zeros: the reciprocal of
	// its scale could overflow.
	smallestBlock = 0x1p-100

	// rounder moves the integer nearest to a float32 below 2^22 into the low
	// bits of the sum, ties to even.
	rounder     = 0x1.8p23
	rounderBits = 0x4b400000

	absBits      = 0x7fffffff
	infinityBits = 0x7f800000
	nanBits      = 0x7fc00000
)

// Quantized is a batch of rows, quantised per block of 32 values: value i of a
// block is Scale·Q[i], with Scale the largest magnitude / 127.
type Quantized struct {
	Rows, Width int // Width is a multiple of BlockSize

	Q     []int8    // [Rows][Width], -127…127
	Scale []float32 // [Rows][Width/32]
	// Correction is -128 times the sum of the block's Q: what has to be added
	// to a product with weights to which 128 was added.
	Correction []int32 // [Rows][Width/32]
}

// Resize sets the shape, and makes the slices if they are too short.
func (q *Quantized) Resize(rows, width int) {
	n := rows * width
	if cap(q.Q) < n {
		q.Q = make([]int8, n)
		q.Scale = make([]float32, n/BlockSize)
		q.Correction = make([]int32, n/BlockSize)
	}
	q.Rows, q.Width = rows, width
	q.Q, q.Scale, q.Correction = q.Q[:n], q.Scale[:n/BlockSize], q.Correction[:n/BlockSize]
}

// Quantize sets q, whose shape is set, to the rows of x.
//
// A block that holds an infinity or a NaN has a NaN for its scale, so that
// whatever is made of it is a NaN.
func (k *Kernels) Quantize(q *Quantized, x []float32) {
	blocks := len(q.Q) / BlockSize
	if q.Width%BlockSize != 0 || len(q.Q) != q.Rows*q.Width || len(q.Scale) != blocks || len(q.Correction) != blocks {
		panic("simd: quantize: shapes don't fit")
	}
	if blocks > 0 {
		k.quantize(q, x[:len(q.Q)])
	}
}

func quantizeGeneric(q *Quantized, x []float32) {
	for b := range q.Scale {
		at := b * BlockSize
		q.Scale[b], q.Correction[b] = quantizeBlock((*[BlockSize]int8)(q.Q[at:]), (*[BlockSize]float32)(x[at:]))
	}
}

func quantizeBlock(q *[BlockSize]int8, x *[BlockSize]float32) (scale float32, correction int32) {
	largest := largestBits(x)
	magnitude := math.Float32frombits(largest)
	if largest >= infinityBits || magnitude < smallestBlock {
		*q = [BlockSize]int8{}
		if largest >= infinityBits {
			return math.Float32frombits(nanBits), 0
		}
		return 0, 0
	}
	inverse := 127 / magnitude
	var sum int32
	for i, v := range x {
		n := int32(math.Float32bits(float32(v*inverse)+rounder) - rounderBits)
		q[i] = int8(n)
		sum += n
	}
	return magnitude / 127, -128 * sum
}

// largestBits returns the largest magnitude of a block as bits, in whose order a
// NaN is above everything. Four maxima at once don't wait for each other.
func largestBits(x *[BlockSize]float32) uint32 {
	var l0, l1, l2, l3 uint32
	for i := 0; i < BlockSize; i += 4 {
		l0 = max(l0, math.Float32bits(x[i])&absBits)
		l1 = max(l1, math.Float32bits(x[i+1])&absBits)
		l2 = max(l2, math.Float32bits(x[i+2])&absBits)
		l3 = max(l3, math.Float32bits(x[i+3])&absBits)
	}
	return max(l0, l1, l2, l3)
}
