package simd

// Speed of the operations on rows.

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// benchRows runs op for every kernel on n values a call and reports the time of
// one.
func benchRows(b *testing.B, shape string, n int, op func(k *Kernels)) {
	for _, k := range all() {
		b.Run(k.name+"/"+shape, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				op(&k)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/value")
		})
	}
}

func benchRow(n int) []float32 {
	return newRandomRow(rand.New(rand.NewPCG(21, 1)), n, valueKinds[0].draw).Slice
}

// Repeated, it pulls everything to 0, where it would meet subnormals: so the row
// is set anew each time, and that is counted.
func BenchmarkGELU(b *testing.B) {
	for _, n := range []int{1536, 1536 * 32} {
		in := benchRow(n)
		x := slices.Clone(in)
		benchRows(b, fmt.Sprint(n), n, func(k *Kernels) {
			copy(x, in)
			k.GELU(x)
		})
	}
}

func BenchmarkAdd(b *testing.B) {
	x, dst := make([]float32, 384), benchRow(384)
	benchRows(b, "384", 384, func(k *Kernels) { k.Add(dst, x) })
}

// As many rows as attention holds at once. Repeated, the values stay between 0
// and 1.
func BenchmarkSoftmax(b *testing.B) {
	const rows = 32
	for _, n := range []int{16, 32, 128, 256, 512} {
		x := benchRow(rows * n)
		benchRows(b, fmt.Sprintf("%dx%d", rows, n), rows*n, func(k *Kernels) {
			for r := range rows {
				k.Softmax(x[r*n:][:n], 0.17677669)
			}
		})
	}
}

func BenchmarkLayerNorm(b *testing.B) {
	gamma, beta := benchRow(384), benchRow(384)
	for _, rows := range []int{1, 2, 32} {
		x, residual := benchRow(384*rows), benchRow(384*rows)
		benchRows(b, fmt.Sprintf("%dx384", rows), rows*384, func(k *Kernels) { k.LayerNorm(x, residual, gamma, beta, 1e-12) })
	}
}

func BenchmarkQuantize(b *testing.B) {
	for _, shape := range [][2]int{{1, 384}, {1, 1536}, {32, 384}, {32, 1536}} {
		x, q := benchRow(shape[0]*shape[1]), &Quantized{}
		q.Resize(shape[0], shape[1])
		benchRows(b, fmt.Sprintf("%dx%d", shape[0], shape[1]), len(x), func(k *Kernels) { k.Quantize(q, x) })
	}
}
