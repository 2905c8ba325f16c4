//go:build arm64 && !noasm

package simd

// This file tests that the kernels of arm64 stay inside slices that end where a
// page without access begins.

import (
	"math/rand/v2"
	"testing"
)

func TestNeonFormsStayInside(t *testing.T) {
	forForms(t, func(t *testing.T, k *Kernels) {
		r := rand.New(rand.NewPCG(32, 1))
		for rows := 1; rows <= 9; rows++ {
			for _, outputs := range []int{1, 8, 31, 32, 33, 64, 70} {
				d, x, bias := randomQ8(r, 64, outputs), randomQuantized(r, rows, 64), randomFloats(r, outputs)
				m, err := k.PackQ8(64, atEnd(t, d.file))
				if err != nil {
					t.Fatal(err)
				}
				want := naiveQ8(x, d, bias)
				x.Q, x.Scale = atEnd(t, x.Q), atEnd(t, x.Scale)
				m.panels, m.scales = atEnd(t, m.panels), atEnd(t, m.scales)
				dst := atEnd(t, make([]float32, rows*outputs))
				k.MulQ8(dst, outputs, x, m, atEnd(t, bias))
				checkProduct(t, dst, want, rows, outputs, outputs)
			}
		}
	})
}

func TestNeonRowsStayInside(t *testing.T) {
	k := neon(false)
	r := rand.New(rand.NewPCG(32, 2))
	for _, n := range []int{1, 15, 16, 17, 32, 48, 100} {
		random := func(n int) []float32 { return atEnd(t, randomFloats(r, n)) }
		k.Add(random(n), random(n))
		k.GELU(random(n))
		k.LayerNorm(random(3*n), random(3*n), random(n), random(n), 1e-12)
		k.Softmax(random(n*Lanes), 0.2)
		x := random(n * BlockSize)
		x[0] *= 0x1p-110
		q := &Quantized{Rows: 1, Width: n * BlockSize, Q: atEnd(t, make([]int8, n*BlockSize)), Scale: random(n), Correction: atEnd(t, make([]int32, n))}
		k.Quantize(q, x)
		clear(x)
		k.Quantize(q, x)
	}
}
