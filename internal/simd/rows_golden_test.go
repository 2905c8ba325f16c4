package simd

// The bits of the row operations, the same on every platform.

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// exactRow returns n values made without package math, which isn't the same
// everywhere: magnitudes from 2^-spread on, up to 2^spread.
func exactRow(r *rand.Rand, n, spread int) []float32 {
	x := make([]float32, n)
	for i := range x {
		exponent := uint32(127 - spread + r.IntN(2*spread))
		x[i] = math.Float32frombits(r.Uint32()&(1<<31|1<<23-1) | exponent<<23)
	}
	return x
}

// hashFloats hashes the bits, with one NaN for all.
func hashFloats(rows ...[]float32) uint64 {
	h := fnv.New64a()
	for _, row := range rows {
		for _, v := range row {
			bits := math.Float32bits(v)
			if v != v {
				bits = nanBits
			}
			h.Write(binary.LittleEndian.AppendUint32(nil, bits))
		}
	}
	return h.Sum64()
}

var goldenRows = []struct {
	name string
	want uint64
	run  func(k *Kernels, r *rand.Rand, spread int) uint64
}{
	{"gelu", 0x293334e1d45f537d, func(k *Kernels, r *rand.Rand, spread int) uint64 {
		x := exactRow(r, 3001, spread)
		k.GELU(x)
		return hashFloats(x)
	}},
	{"softmax", 0x9628b4dde3e85a26, func(k *Kernels, r *rand.Rand, spread int) uint64 {
		x := exactRow(r, 272, spread)
		sum := k.Softmax(x, 0.17677669)
		return hashFloats(x, []float32{sum})
	}},
	{"layer norm", 0x08e16bc402c75f93, func(k *Kernels, r *rand.Rand, spread int) uint64 {
		x := exactRow(r, 5*384, spread)
		k.LayerNorm(x, exactRow(r, 5*384, spread), exactRow(r, 384, 3), exactRow(r, 384, 3), 1e-12)
		return hashFloats(x)
	}},
	{"layer norm of odd rows", 0x3a1a95a3e81500ae, func(k *Kernels, r *rand.Rand, spread int) uint64 {
		x := exactRow(r, 7*99, spread)
		k.LayerNorm(x, exactRow(r, 7*99, spread), exactRow(r, 99, 3), exactRow(r, 99, 3), 1e-5)
		return hashFloats(x)
	}},
	{"quantize", 0xba9f3b6e128aff39, func(k *Kernels, r *rand.Rand, spread int) uint64 {
		q := &Quantized{}
		q.Resize(5, 416)
		k.Quantize(q, exactRow(r, 5*416, spread))
		values := make([]float32, 0, len(q.Q)+len(q.Correction))
		for _, v := range q.Q {
			values = append(values, float32(v))
		}
		for _, v := range q.Correction {
			values = append(values, float32(v))
		}
		return hashFloats(values, q.Scale)
	}},
	{"sums", 0x31c50e7db4639cc5, func(_ *Kernels, r *rand.Rand, spread int) uint64 {
		x := exactRow(r, 1003, spread)
		return hashFloats([]float32{Sum(x), SumSquares(x)})
	}},
}

func TestRowsGolden(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernels) {
		for _, test := range goldenRows {
			r := rand.New(rand.NewPCG(51, 1))
			var hashes []uint64
			for _, spread := range slices.Repeat([]int{2, 4, 12, 60}, 5) {
				hashes = append(hashes, test.run(k, r, spread))
			}
			h := fnv.New64a()
			for _, v := range hashes {
				h.Write(binary.LittleEndian.AppendUint64(nil, v))
			}
			if got := h.Sum64(); got != test.want {
				t.Errorf("%s: the hash is %#x, want %#x", test.name, got, test.want)
			}
		}
	})
}
