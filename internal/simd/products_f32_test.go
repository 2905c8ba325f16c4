package simd

// This file tests the product of float32 matrices: every implementation against
// a naive reading of the definition, to the bit.

import (
	"math"
	"math/rand/v2"
	"testing"
)

// f32Case is a product of float32 matrices with any strides.
type f32Case struct {
	rows, width, outputs     int
	gap, aGap, panelGap, row int
	bias                     bool
}

func wildFloats(r *rand.Rand, x []float32) {
	wild := []float32{0, float32(math.Copysign(0, -1)), float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), 0x1p-149, 1e-40, 3e38, -3e38, 1e-30}
	for i := range x {
		if r.IntN(8) == 0 {
			x[i] = wild[r.IntN(len(wild))]
		}
	}
}

// naiveF32 is the definition of MulF32, word by word.
func naiveF32(a Rows, p Panels, bias []float32) []float32 {
	var dst []float32
	for r := range a.Count {
		for o := range p.Outputs {
			acc := float32(0)
			for i := range a.Width {
				product := a.Data[r*a.Stride+i] * p.Data[o/PanelWidth*p.Panel+i*p.Row+o%PanelWidth]
				acc += float32(product)
			}
			if bias != nil {
				acc += bias[o]
			}
			dst = append(dst, acc)
		}
	}
	return dst
}

func testMulF32(t *testing.T, k *Kernels, r *rand.Rand, c f32Case) {
	t.Helper()
	a := Rows{Count: c.rows, Width: c.width, Stride: c.width + c.aGap}
	a.Data = randomFloats(r, c.rows*a.Stride)
	p := Panels{Outputs: c.outputs, Width: c.width, Row: PanelWidth + c.row}
	p.Panel = p.Row*c.width + c.panelGap
	p.Data = randomFloats(r, (c.outputs+PanelWidth-1)/PanelWidth*(p.Panel+PanelWidth))
	if r.IntN(3) == 0 {
		wildFloats(r, a.Data)
		wildFloats(r, p.Data)
	}
	var bias []float32
	if c.bias {
		bias = randomFloats(r, c.outputs)
	}
	stride := c.outputs + c.gap
	dst := canaries(c.rows, stride)
	k.MulF32(dst[:len(dst)-stride], stride, a, p, bias)
	checkProduct(t, dst, naiveF32(a, p, bias), c.rows, c.outputs, stride)
}

func TestMulF32Rows(t *testing.T) {
	forKernels(t, func(t *testing.T, k *Kernels) {
		r := rand.New(rand.NewPCG(2, 1))
		for rows := 1; rows <= 40; rows++ {
			testMulF32(t, k, r, f32Case{rows: rows, width: 7, outputs: 40, gap: rows % 3, aGap: rows % 2, bias: rows%2 == 0})
		}
	})
}

func TestMulF32Outputs(t *testing.T) {
	forKernels(t, func(t *testing.T, k *Kernels) {
		r := rand.New(rand.NewPCG(2, 2))
		for outputs := 1; outputs <= 100; outputs++ {
			testMulF32(t, k, r, f32Case{rows: 1 + r.IntN(26), width: 1 + r.IntN(9), outputs: outputs, gap: r.IntN(3), bias: outputs%3 == 0, panelGap: r.IntN(2) * 5, row: r.IntN(2) * 7})
		}
	})
}

func TestMulF32Widths(t *testing.T) {
	forKernels(t, func(t *testing.T, k *Kernels) {
		r := rand.New(rand.NewPCG(2, 3))
		for width := 0; width <= 70; width++ {
			testMulF32(t, k, r, f32Case{rows: 1 + r.IntN(15), width: width, outputs: 32 + r.IntN(2), aGap: r.IntN(5), bias: width%2 == 0})
		}
		testMulF32(t, k, r, f32Case{rows: 30, width: 512, outputs: 32, row: 1120})
		testMulF32(t, k, r, f32Case{rows: 300, width: 32, outputs: 300, bias: true})
	})
}

// Rows of the right matrix may lie over each other.
func TestMulF32Overlap(t *testing.T) {
	forKernels(t, func(t *testing.T, k *Kernels) {
		r := rand.New(rand.NewPCG(2, 4))
		a := Rows{Data: randomFloats(r, 14*9), Count: 14, Width: 9, Stride: 9}
		p := Panels{Data: randomFloats(r, 9+64), Outputs: 63, Width: 9, Panel: 32, Row: 1}
		dst := make([]float32, 14*63)
		k.MulF32(dst, 63, a, p, nil)
		checkProduct(t, dst, naiveF32(a, p, nil), 14, 63, 63)
	})
}

func TestPackF32(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 5))
	k := generic()
	const inputs, outputs = 5, 45
	rows := randomFloats(r, inputs*outputs)
	p := k.PackF32(inputs, rows).Panels()
	for o := range outputs {
		for i := range inputs {
			if got := p.Data[o/PanelWidth*p.Panel+i*p.Row+o%PanelWidth]; got != rows[o*inputs+i] {
				t.Fatalf("output %d, input %d: %v", o, i, got)
			}
		}
	}
}

func FuzzMulF32(f *testing.F) {
	f.Add(uint64(1), uint8(8), uint8(32), uint8(33), uint8(1))
	f.Add(uint64(2), uint8(39), uint8(1), uint8(64), uint8(0))
	f.Fuzz(func(t *testing.T, seed uint64, rows, width, outputs, gap uint8) {
		for _, k := range all() {
			r := rand.New(rand.NewPCG(seed, 0))
			c := f32Case{rows: 1 + int(rows%40), width: int(width), outputs: 1 + int(outputs%100), gap: int(gap % 40), bias: seed%2 == 0}
			c.aGap, c.panelGap, c.row = r.IntN(4), r.IntN(4), r.IntN(40)
			testMulF32(t, &k, r, c)
		}
	})
}
