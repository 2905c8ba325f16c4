package simd

// Every kernel's operations on rows against the definition, and the definition
// against what it is documented to be.

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Enough lengths for every tail, and what a model has.
var rowLengths = func() (lengths []int) {
	for n := range 70 {
		lengths = append(lengths, n)
	}
	return append(lengths, 96, 100, 127, 128, 160, 384, 385, 399, 1536)
}()

func TestGELUEqualsGeneric(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernels) {
		r := rand.New(rand.NewPCG(1, 1))
		for _, kind := range valueKinds {
			for _, n := range rowLengths {
				x := newRandomRow(r, n, kind.draw)
				in, want := slices.Clone(x.Slice), slices.Clone(x.Slice)
				geluGeneric(want)
				k.GELU(x.Slice)
				if i := firstDifference(x.Slice, want); i >= 0 {
					t.Fatalf("%s, %d values: GELU(%g) = %g, want %g", kind.name, n, in[i], x.Slice[i], want[i])
				}
				if !x.intact() {
					t.Fatalf("%s, %d values: written beyond the row", kind.name, n)
				}
			}
		}
	})
}

func TestAddEqualsGeneric(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernels) {
		r := rand.New(rand.NewPCG(2, 1))
		for _, kind := range valueKinds {
			for _, n := range rowLengths {
				dst, x := newRandomRow(r, n, kind.draw), newRandomRow(r, n, kind.draw)
				want := slices.Clone(dst.Slice)
				for i := range want {
					want[i] += x.Slice[i]
				}
				k.Add(dst.Slice, x.Slice)
				if i := firstDifference(dst.Slice, want); i >= 0 {
					t.Fatalf("%s, %d values: value %d is %g, want %g", kind.name, n, i, dst.Slice[i], want[i])
				}
				if !dst.intact() || !x.intact() {
					t.Fatalf("%s, %d values: written beyond the row", kind.name, n)
				}
			}
		}
	})
}

func TestAddLeavesTheRestOfALongerRow(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernels) {
		dst := slices.Repeat([]float32{1}, 100)
		k.Add(dst, dst[:37:37])
		for i, v := range dst {
			if want := float32(1); i >= 37 && v != want || i < 37 && v != 2*want {
				t.Fatalf("value %d is %g", i, v)
			}
		}
	})
}

// hasNaN decides what a row of softmax must give: with a NaN only the sum is
// defined, and is a NaN.
func hasNaN(x []float32) bool {
	return slices.ContainsFunc(x, func(v float32) bool { return v != v })
}

func TestSoftmaxEqualsGeneric(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernels) {
		r := rand.New(rand.NewPCG(3, 1))
		for _, kind := range valueKinds {
			for n := Lanes; n <= 560; n += Lanes {
				for _, scale := range []float32{0.17677669, 1, 0, 1e-30, 3e38, 40, -1} {
					checkSoftmax(t, k, newRandomRow(r, n, kind.draw), scale, kind.name)
				}
			}
		}
	})
}

func checkSoftmax(t *testing.T, k *Kernels, x *fenced[float32], scale float32, what string) {
	t.Helper()
	in, want := slices.Clone(x.Slice), slices.Clone(x.Slice)
	wantSum := softmaxGeneric(want, scale)
	sum := k.Softmax(x.Slice, scale)
	if !sameFloat(sum, wantSum) {
		t.Fatalf("%s, %d values, scale %g: the sum is %g, want %g", what, len(in), scale, sum, wantSum)
	}
	if hasNaN(in) && sum == sum {
		t.Fatalf("%s, %d values, scale %g: the sum is %g in spite of a NaN", what, len(in), scale, sum)
	}
	if i := firstDifference(x.Slice, want); i >= 0 && !hasNaN(in) {
		t.Fatalf("%s, %d values, scale %g: value %d (%g) is %g, want %g", what, len(in), scale, i, in[i], x.Slice[i], want[i])
	}
	if !x.intact() {
		t.Fatalf("%s, %d values: written beyond the row", what, len(in))
	}
}

// One special value at every place of a row, for every lane.
func TestSoftmaxSpecialsAnywhere(t *testing.T) {
	inf := float32(math.Inf(1))
	eachKernel(t, func(t *testing.T, k *Kernels) {
		r := rand.New(rand.NewPCG(4, 1))
		for _, special := range []float32{inf, -inf, float32(math.NaN()), 1e30, -1e30, math.MaxFloat32, -math.MaxFloat32, 1e-40} {
			for at := range 5 * Lanes {
				x := newRandomRow(r, 5*Lanes, valueKinds[0].draw)
				x.Slice[at] = special
				checkSoftmax(t, k, x, 0.5, "special")
			}
		}
	})
}

func TestSoftmaxOfNothingVisible(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernels) {
		x := slices.Repeat([]float32{float32(math.Inf(-1))}, 3*Lanes)
		if sum := k.Softmax(x, 1); sum != 0 || slices.Max(x) != 0 || slices.Min(x) != 0 {
			t.Errorf("the sum is %g, the row %v", sum, x)
		}
	})
}

func TestSoftmaxOfTheLargestIsOne(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernels) {
		for _, v := range []float32{0, 1, -3.25, 1e-42, 1e38, -1e38} {
			x := slices.Repeat([]float32{v}, 96)
			if sum := k.Softmax(x, 0.7); sum != 96 || slices.Min(x) != 1 || slices.Max(x) != 1 {
				t.Errorf("a row of %g: sum %g, values %g … %g", v, sum, slices.Min(x), slices.Max(x))
			}
		}
	})
}

func TestSoftmaxAccuracy(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernels) {
		r := rand.New(rand.NewPCG(5, 1))
		for range 4000 {
			in := make([]float32, 64)
			for i := range in[1:] {
				in[1+i] = float32(-r.ExpFloat64() * 4)
			}
			x := slices.Clone(in)
			k.Softmax(x, 1)
			for i, v := range in {
				want := math.Exp(float64(v))
				bound := 2e-6
				if want >= 1/math.E {
					bound = 1.5e-7
				}
				if e := math.Abs(float64(x[i])-want) / want; want > 1e-13 && e > bound {
					t.Fatalf("exp(%g) = %g, relative error %g", v, x[i], e)
				}
			}
		}
	})
}

func TestSoftmaxIsMonotonicAtTheEnd(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernels) {
		x := make([]float32, 160)
		for i := range x {
			x[i] = -float32(i)
		}
		k.Softmax(x, 1)
		for i := range x[1:] {
			if x[i+1] > x[i] || x[i+1] < 0x1p-125 {
				t.Fatalf("exp(-%d) = %g follows %g", i+1, x[i+1], x[i])
			}
		}
	})
}

func TestGELUAccuracy(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernels) {
		r := rand.New(rand.NewPCG(6, 1))
		for exponent := range uint32(255) {
			in := make([]float32, 512)
			for i := range in {
				in[i] = math.Float32frombits(exponent<<23 | r.Uint32()&0x807fffff)
			}
			x := slices.Clone(in)
			k.GELU(x)
			for i, v := range in {
				want := float64(v) / 2 * (1 + math.Erf(float64(v)/math.Sqrt2))
				if e := math.Abs(float64(x[i]) - want); e > 1.3e-6 {
					t.Fatalf("GELU(%g) = %g, error %g", v, x[i], e)
				}
			}
		}
	})
}

// gelu, finely, where it isn't a straight line.
func TestGELUAccuracyNearZero(t *testing.T) {
	worst := 0.0
	for i := -120000; i <= 120000; i++ {
		v := float32(i) / 20000
		want := float64(v) / 2 * (1 + math.Erf(float64(v)/math.Sqrt2))
		worst = max(worst, math.Abs(float64(gelu(v))-want))
	}
	if worst > 1.3e-6 {
		t.Errorf("the largest error is %g", worst)
	}
}

func TestLayerNormEqualsGeneric(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernels) {
		r := rand.New(rand.NewPCG(7, 1))
		for _, kind := range valueKinds {
			for _, n := range []int{1, 2, 7, 15, 16, 17, 31, 32, 33, 48, 64, 80, 100, 128, 384, 400, 1024} {
				for rows := range 6 {
					for _, epsilon := range []float32{1e-12, 1e-5, 0} {
						checkLayerNorm(t, k, r, kind.draw, n, rows, epsilon, kind.name)
					}
				}
			}
		}
	})
}

func checkLayerNorm(t *testing.T, k *Kernels, r *rand.Rand, draw func(*rand.Rand) float32, n, rows int, epsilon float32, what string) {
	t.Helper()
	x, residual := newRandomRow(r, n*rows, draw), newRandomRow(r, n*rows, draw)
	gamma, beta := newRandomRow(r, n, valueKinds[0].draw), newRandomRow(r, n, valueKinds[0].draw)
	want := slices.Clone(x.Slice)
	rest := slices.Clone(residual.Slice)
	layerNormGeneric(want, rest, gamma.Slice, beta.Slice, epsilon)
	k.LayerNorm(x.Slice, residual.Slice, gamma.Slice, beta.Slice, epsilon)
	if i := firstDifference(x.Slice, want); i >= 0 {
		t.Fatalf("%s, %d rows of %d, epsilon %g: value %d is %g, want %g", what, rows, n, epsilon, i, x.Slice[i], want[i])
	}
	if firstDifference(residual.Slice, rest) >= 0 || !x.intact() || !residual.intact() || !gamma.intact() || !beta.intact() {
		t.Fatalf("%s, %d rows of %d: written where nothing may change", what, rows, n)
	}
}

func TestLayerNormIsOne(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernels) {
		r := rand.New(rand.NewPCG(8, 1))
		for _, n := range []int{16, 50, 384} {
			x := newRandomRow(r, n, valueKinds[0].draw).Slice
			ones, zeros := slices.Repeat([]float32{1}, n), make([]float32, n)
			k.LayerNorm(x, zeros, ones, zeros, 0)
			var sum, squares float64
			for _, v := range x {
				sum += float64(v)
				squares += float64(v) * float64(v)
			}
			if math.Abs(sum) > 1e-4 || math.Abs(squares/float64(n)-1) > 1e-5 {
				t.Errorf("%d values: sum %g, variance %g", n, sum, squares/float64(n))
			}
		}
	})
}

// The order of a sum, written out another way.
func TestSumOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	for _, kind := range valueKinds {
		for _, n := range rowLengths {
			x := newRandomRow(r, n, kind.draw).Slice
			var lanes, squares [16]float32
			for l := range 16 {
				for i := l; i < n; i += 16 {
					lanes[l] += x[i]
					squares[l] += float32(x[i] * x[i])
				}
			}
			if got, want := Sum(x), foldLanes(lanes); !sameFloat(got, want) {
				t.Fatalf("%s: the sum of %d values is %g, want %g", kind.name, n, got, want)
			}
			if got, want := SumSquares(x), foldLanes(squares); !sameFloat(got, want) {
				t.Fatalf("%s: the sum of %d squares is %g, want %g", kind.name, n, got, want)
			}
		}
	}
}

func foldLanes(l [16]float32) float32 {
	a := [4]float32{}
	for i := range a {
		a[i] = (l[i] + l[i+8]) + (l[i+4] + l[i+12])
	}
	return (a[0] + a[2]) + (a[1] + a[3])
}

func TestRowOperationsPanicOnWrongLengths(t *testing.T) {
	row := make([]float32, 64)
	for name, call := range map[string]func(k *Kernels){
		"softmax of 15":         func(k *Kernels) { k.Softmax(row[:15], 1) },
		"softmax of nothing":    func(k *Kernels) { k.Softmax(nil, 1) },
		"add of a longer row":   func(k *Kernels) { k.Add(row[:3:3], row) },
		"norm without weights":  func(k *Kernels) { k.LayerNorm(row, row, nil, nil, 0) },
		"norm of half a row":    func(k *Kernels) { k.LayerNorm(row[:24], row, row[:16], row[:16], 0) },
		"norm, residual short":  func(k *Kernels) { k.LayerNorm(row, row[:16:16], row[:16], row[:16], 0) },
		"norm, beta short":      func(k *Kernels) { k.LayerNorm(row, row, row[:16], row[:15], 0) },
		"quantise 33":           func(k *Kernels) { k.Quantize(&Quantized{Rows: 1, Width: 33}, row) },
		"quantise, short":       func(k *Kernels) { q := &Quantized{}; q.Resize(2, 64); k.Quantize(q, row) },
		"quantise, no scales":   func(k *Kernels) { k.Quantize(&Quantized{Rows: 1, Width: 32, Q: make([]int8, 32)}, row) },
		"quantise, other count": func(k *Kernels) { q := &Quantized{}; q.Resize(1, 64); q.Rows = 2; k.Quantize(q, row) },
	} {
		eachKernel(t, func(t *testing.T, k *Kernels) {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call(k)
		})
	}
}

func TestRowOperationsDoNotAllocate(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernels) {
		row, other := make([]float32, 1536), make([]float32, 1536)
		q := &Quantized{}
		q.Resize(4, 384)
		for name, call := range map[string]func(){
			"gelu":      func() { k.GELU(row) },
			"add":       func() { k.Add(row, other) },
			"softmax":   func() { k.Softmax(row, 1) },
			"layerNorm": func() { k.LayerNorm(row, other, other[:384], other[:384], 1e-12) },
			"odd norm":  func() { k.LayerNorm(row[:1500], other, other[:100], other[:100], 1e-12) },
			"quantize":  func() { k.Quantize(q, row) },
		} {
			if n := testing.AllocsPerRun(20, call); n != 0 {
				t.Errorf("%s: %g allocations", name, n)
			}
		}
	})
}
