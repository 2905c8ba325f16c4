package simd

// This file tests the matrix products: every implementation against a naive
// reading of the definition, to the bit.

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// canary is what stands where nothing may be written.
const canary = float32(-12345.625)

// forKernels runs a test for every implementation that the machine can run.
func forKernels(t *testing.T, test func(t *testing.T, k *Kernels)) {
	for _, k := range all() {
		t.Run(k.Name(), func(t *testing.T) { test(t, &k) })
	}
}

func sameBits(a, b float32) bool {
	return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
}

// checkProduct compares dst with what is wanted, and what lies between the rows
// with the canary.
func checkProduct(t *testing.T, dst, want []float32, rows, outputs, stride int) {
	t.Helper()
	for i, v := range dst {
		r, o := i/stride, i%stride
		switch {
		case r < rows && o < outputs:
			if w := want[r*outputs+o]; !sameBits(v, w) {
				t.Fatalf("row %d, output %d: %v (%#x), want %v (%#x)", r, o, v, math.Float32bits(v), w, math.Float32bits(w))
			}
		case v != canary:
			t.Fatalf("row %d, output %d of %d: written beyond the outputs", r, o, outputs)
		}
	}
}

// canaries returns room for rows, one more than that, and nothing else.
func canaries(rows, stride int) []float32 {
	return slices.Repeat([]float32{canary}, (rows+1)*stride)
}

// q8Data is a matrix as in a file together with its decoded numbers.
type q8Data struct {
	inputs, outputs int
	file            []byte
	weights         []int8
	scales          []float32
}

// halfBits are float16 of every kind: ordinary ones, zeros, subnormal, tiny and
// huge, with both signs.
var halfBits = []uint16{0x1c00, 0x2123, 0x9fff, 0x3c00, 0x0000, 0x8000, 0x0001, 0x83ff, 0x0400, 0x7bff, 0xfbff, 0x2e66}

func randomQ8(r *rand.Rand, inputs, outputs int) q8Data {
	d := q8Data{inputs: inputs, outputs: outputs}
	wild := r.IntN(3) == 0
	for range outputs * inputs / BlockSize {
		half := uint16(0x1c00 + r.IntN(0x800)) // about 2^-8
		if wild {
			half = halfBits[r.IntN(len(halfBits))]
		}
		d.file = append(d.file, byte(half), byte(half>>8))
		d.scales = append(d.scales, halfValue(half))
		extreme := r.IntN(4) == 0
		for range BlockSize {
			w := int8(r.Uint32())
			if extreme {
				w = []int8{-128, -127, 127, 0, -1}[r.IntN(5)]
			}
			d.file = append(d.file, byte(w))
			d.weights = append(d.weights, w)
		}
	}
	return d
}

// halfValue decodes a finite float16 by arithmetic.
func halfValue(h uint16) float32 {
	exponent, fraction := int(h>>10&0x1f), float64(h&0x3ff)
	v := math.Ldexp(fraction, -24)
	if exponent > 0 {
		v = math.Ldexp(fraction+1024, exponent-25)
	}
	if h&0x8000 != 0 {
		v = math.Copysign(v, -1)
	}
	return float32(v)
}

var wildScales = []float32{0, 1, 0x1p-149, 0x1p-126, 3e38, 1e-30, float32(math.NaN()), 0.01}

func randomQuantized(r *rand.Rand, rows, width int) *Quantized {
	q := &Quantized{}
	q.Resize(rows, width)
	wild := r.IntN(3) == 0
	for b := range q.Scale {
		q.Scale[b] = r.Float32() / 16
		if wild {
			q.Scale[b] = wildScales[r.IntN(len(wildScales))]
		}
		extreme, sum := r.IntN(4) == 0, int32(0)
		for i := range BlockSize {
			v := int8(r.IntN(255) - 127)
			if extreme {
				v = []int8{-127, 127}[r.IntN(2)]
			}
			q.Q[b*BlockSize+i] = v
			sum += int32(v)
		}
		q.Correction[b] = -128 * sum
	}
	return q
}

func randomFloats(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return x
}

// naiveQ8 is the definition of MulQ8, word by word.
func naiveQ8(x *Quantized, d q8Data, bias []float32) []float32 {
	var dst []float32
	blocks := d.inputs / BlockSize
	for row := range x.Rows {
		for o := range d.outputs {
			acc := float32(0)
			for b := range blocks {
				sum := int32(0)
				for i := range BlockSize {
					sum += int32(x.Q[(row*blocks+b)*BlockSize+i]) * int32(d.weights[(o*blocks+b)*BlockSize+i])
				}
				term := float32(sum) * d.scales[o*blocks+b]
				term = float32(term) * x.Scale[row*blocks+b]
				acc += float32(term)
			}
			dst = append(dst, float32(acc)+bias[o])
		}
	}
	return dst
}

func testMulQ8(t *testing.T, k *Kernels, r *rand.Rand, rows, inputs, outputs, gap int) {
	t.Helper()
	d, x, bias := randomQ8(r, inputs, outputs), randomQuantized(r, rows, inputs), randomFloats(r, outputs)
	m, err := k.PackQ8(inputs, d.file)
	if err != nil {
		t.Fatal(err)
	}
	stride := outputs + gap
	dst := canaries(rows, stride)
	k.MulQ8(dst[:len(dst)-stride], stride, x, m, bias)
	checkProduct(t, dst, naiveQ8(x, d, bias), rows, outputs, stride)
}

func TestMulQ8Rows(t *testing.T) {
	forKernels(t, func(t *testing.T, k *Kernels) {
		r := rand.New(rand.NewPCG(1, 1))
		for rows := 1; rows <= 40; rows++ {
			testMulQ8(t, k, r, rows, 64, 40, rows%3)
		}
	})
}

func TestMulQ8Outputs(t *testing.T) {
	forKernels(t, func(t *testing.T, k *Kernels) {
		r := rand.New(rand.NewPCG(1, 2))
		for outputs := 1; outputs <= 100; outputs++ {
			testMulQ8(t, k, r, 1+r.IntN(14), 32, outputs, r.IntN(2)*r.IntN(40))
		}
	})
}

func TestMulQ8Shapes(t *testing.T) {
	shapes := []struct{ rows, inputs, outputs int }{
		{8, 384, 96}, {3, 1536, 40}, {13, 512, 33}, {7, 2048, 5}, {5, 544, 31}, {1, 32, 1}, {33, 96, 64}, {210, 1536, 3}, {260, 384, 4}, {2, 4096, 2},
	}
	forKernels(t, func(t *testing.T, k *Kernels) {
		r := rand.New(rand.NewPCG(1, 3))
		for _, s := range shapes {
			for range 3 {
				testMulQ8(t, k, r, s.rows, s.inputs, s.outputs, r.IntN(3))
			}
		}
	})
}

// Every product of two extremes, all of one sign, so that no intermediate sum may
// saturate or wrap.
func TestMulQ8Extremes(t *testing.T) {
	forKernels(t, func(t *testing.T, k *Kernels) {
		for _, w := range []int8{-128, -127, -1, 0, 1, 127} {
			for _, q := range []int8{-127, -1, 0, 1, 127} {
				testConstant(t, k, w, q)
			}
		}
	})
}

func testConstant(t *testing.T, k *Kernels, w, q int8) {
	t.Helper()
	const inputs, outputs, rows = 96, 33, 9
	file := []byte{}
	for range outputs * inputs / BlockSize {
		file = append(append(file, 0x00, 0x3c), slices.Repeat([]byte{byte(w)}, BlockSize)...)
	}
	m, err := k.PackQ8(inputs, file)
	if err != nil {
		t.Fatal(err)
	}
	x := &Quantized{}
	x.Resize(rows, inputs)
	for i := range x.Q {
		x.Q[i] = q
	}
	for b := range x.Scale {
		x.Scale[b], x.Correction[b] = 1, -128*BlockSize*int32(q)
	}
	dst := make([]float32, rows*outputs)
	k.MulQ8(dst, outputs, x, m, make([]float32, outputs))
	for i, v := range dst {
		if want := float32(w) * float32(q) * inputs; v != want {
			t.Fatalf("%d·%d at %d: %v, want %v", w, q, i, v, want)
		}
	}
}

// A matrix of several tensors is the matrix of their rows.
func TestPackQ8Parts(t *testing.T) {
	forKernels(t, func(t *testing.T, k *Kernels) {
		r := rand.New(rand.NewPCG(1, 4))
		const inputs, outputs, rows = 64, 77, 5
		d, x, bias := randomQ8(r, inputs, outputs), randomQuantized(r, rows, inputs), randomFloats(r, outputs)
		rowBytes := len(d.file) / outputs
		for _, cut := range []int{0, 1, 31, 32, 50, 77} {
			at := cut * rowBytes
			m, err := k.PackQ8(inputs, d.file[:at], nil, d.file[at:])
			if err != nil {
				t.Fatal(err)
			}
			dst := make([]float32, rows*outputs)
			k.MulQ8(dst, outputs, x, m, bias)
			checkProduct(t, dst, naiveQ8(x, d, bias), rows, outputs, outputs)
		}
	})
}

func TestPackQ8Errors(t *testing.T) {
	forKernels(t, func(t *testing.T, k *Kernels) {
		block := make([]byte, q8BlockBytes)
		infinite := append(slices.Clone(block), block...)
		infinite[q8BlockBytes+1] = 0xfc
		for name, c := range map[string]struct {
			inputs int
			part   []byte
		}{
			"no inputs": {0, nil}, "negative": {-32, nil}, "half a block": {16, block},
			"half a row": {64, block}, "infinite scale": {32, infinite},
		} {
			if m, err := k.PackQ8(c.inputs, c.part); err == nil || m != nil {
				t.Errorf("%s: %v, %v", name, m, err)
			}
		}
		m, err := k.PackQ8(32)
		if err != nil {
			t.Fatal(err)
		}
		k.MulQ8(nil, 0, randomQuantized(rand.New(rand.NewPCG(1, 5)), 1, 32), m, nil)
	})
}

func TestHalfScale(t *testing.T) {
	for h := range 1 << 16 {
		if h>>10&0x1f == 0x1f {
			continue
		}
		if got, want := halfScale(byte(h), byte(h>>8)), halfValue(uint16(h)); math.Float32bits(got) != math.Float32bits(want) {
			t.Fatalf("%#x: %v, want %v", h, got, want)
		}
	}
}

// A wrong shape is refused before a kernel sees it.
func TestProductShapes(t *testing.T) {
	forKernels(t, func(t *testing.T, k *Kernels) {
		m, err := k.PackQ8(32, make([]byte, 3*q8BlockBytes))
		if err != nil {
			t.Fatal(err)
		}
		q := func(change func(q *Quantized)) *Quantized {
			x := &Quantized{}
			x.Resize(2, 32)
			change(x)
			return x
		}
		fine := q(func(*Quantized) {})
		f := make([]float32, 64)
		a, p := Rows{Data: f, Count: 2, Width: 2, Stride: 2}, Panels{Data: f, Outputs: 3, Width: 2, Panel: 64, Row: 32}
		for name, call := range map[string]func(){
			"dst":        func() { k.MulQ8(make([]float32, 5), 3, fine, m, f[:3]) },
			"stride":     func() { k.MulQ8(f, 2, fine, m, f[:3]) },
			"bias":       func() { k.MulQ8(f, 3, fine, m, f[:2]) },
			"width":      func() { k.MulQ8(f, 3, q(func(q *Quantized) { q.Width = 64 }), m, f[:3]) },
			"rows":       func() { k.MulQ8(f, 3, q(func(q *Quantized) { q.Rows = 3 }), m, f[:3]) },
			"scale":      func() { k.MulQ8(f, 3, q(func(q *Quantized) { q.Scale = q.Scale[:1] }), m, f[:3]) },
			"correction": func() { k.MulQ8(f, 3, q(func(q *Quantized) { q.Correction = q.Correction[:1] }), m, f[:3]) },
			"f32 dst":    func() { k.MulF32(make([]float32, 5), 3, a, p, nil) },
			"f32 stride": func() { k.MulF32(f, 2, a, p, nil) },
			"f32 bias":   func() { k.MulF32(f, 3, a, p, f[:2]) },
			"f32 panels": func() { k.MulF32(f, 3, a, Panels{Data: f[:63:63], Outputs: 3, Width: 2, Panel: 64, Row: 32}, nil) },
			"f32 row":    func() { k.MulF32(f, 3, a, Panels{Data: f, Outputs: 3, Width: 2, Panel: 64, Row: -32}, nil) },
			"f32 rows":   func() { k.MulF32(f, 3, Rows{Data: f[:3:3], Count: 2, Width: 2, Stride: 2}, p, nil) },
		} {
			if !panics(call) {
				t.Errorf("%s: no panic", name)
			}
		}
	})
}

func panics(call func()) (yes bool) {
	defer func() { yes = recover() != nil }()
	call()
	return false
}

func TestProductsDontAllocate(t *testing.T) {
	forKernels(t, func(t *testing.T, k *Kernels) {
		r := rand.New(rand.NewPCG(3, 1))
		d, x := randomQ8(r, 64, 40), randomQuantized(r, 9, 64)
		m, err := k.PackQ8(64, d.file)
		if err != nil {
			t.Fatal(err)
		}
		dst, bias, f := make([]float32, 9*40), make([]float32, 40), make([]float32, 64*64)
		a := Rows{Data: f, Count: 9, Width: 8, Stride: 64}
		p := Panels{Data: f, Outputs: 40, Width: 8, Panel: 256, Row: 32}
		if n := testing.AllocsPerRun(10, func() {
			k.MulQ8(dst, 40, x, m, bias)
			k.MulF32(dst, 40, a, p, bias)
			for _, part := range []int{1, 20, 39} { // outputs that fill no panel
				p.Outputs = part
				k.MulF32(dst, 40, a, p, bias[:part])
				k.MulF32(dst, 40, a, p, nil)
			}
			p.Outputs = 40
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

func FuzzMulQ8(f *testing.F) {
	f.Add(uint64(1), uint8(8), uint8(2), uint8(33), uint8(1))
	f.Add(uint64(2), uint8(39), uint8(17), uint8(64), uint8(0))
	f.Fuzz(func(t *testing.T, seed uint64, rows, blocks, outputs, gap uint8) {
		for _, k := range all() {
			r := rand.New(rand.NewPCG(seed, 0))
			testMulQ8(t, &k, r, 1+int(rows%40), BlockSize*(1+int(blocks%20)), 1+int(outputs%100), int(gap%40))
		}
	})
}
