package simd

// Quantisation: every kernel against the definition, the definition against a
// plainer one.

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// fencedQuantized is a batch whose slices are between canaries.
type fencedQuantized struct {
	Quantized
	q          *fenced[int8]
	scale      *fenced[float32]
	correction *fenced[int32]
}

func newFencedQuantized(r *rand.Rand, rows, width int) *fencedQuantized {
	n := rows * width
	f := &fencedQuantized{q: newFenced[int8](r, n), scale: newFenced[float32](r, n/BlockSize), correction: newFenced[int32](r, n/BlockSize)}
	f.Quantized = Quantized{Rows: rows, Width: width, Q: f.q.Slice, Scale: f.scale.Slice, Correction: f.correction.Slice}
	return f
}

func checkQuantize(t *testing.T, k *Kernels, r *rand.Rand, x []float32, rows, width int, what string) {
	t.Helper()
	got, want := newFencedQuantized(r, rows, width), &Quantized{}
	want.Resize(rows, width)
	quantizeGeneric(want, x)
	k.Quantize(&got.Quantized, x)
	if i := firstDifference(got.Scale, want.Scale); i >= 0 {
		t.Fatalf("%s, %d×%d: scale %d is %g, want %g", what, rows, width, i, got.Scale[i], want.Scale[i])
	}
	for i, q := range want.Q {
		if got.Q[i] != q {
			t.Fatalf("%s, %d×%d: value %d (%g) is %d, want %d", what, rows, width, i, x[i], got.Q[i], q)
		}
	}
	if !slices.Equal(got.Correction, want.Correction) {
		t.Fatalf("%s, %d×%d: corrections %v, want %v", what, rows, width, got.Correction, want.Correction)
	}
	if !got.q.intact() || !got.scale.intact() || !got.correction.intact() {
		t.Fatalf("%s, %d×%d: written beyond the batch", what, rows, width)
	}
}

func TestQuantizeEqualsGeneric(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernels) {
		r := rand.New(rand.NewPCG(11, 1))
		for _, kind := range valueKinds {
			for _, width := range []int{32, 64, 96, 128, 160, 224, 384, 1536} {
				for _, rows := range []int{0, 1, 2, 3, 4, 5, 7, 13, 40} {
					x := newRandomRow(r, rows*width, kind.draw)
					in := slices.Clone(x.Slice)
					checkQuantize(t, k, r, x.Slice, rows, width, kind.name)
					if firstDifference(x.Slice, in) >= 0 || !x.intact() {
						t.Fatalf("%s, %d×%d: the input changed", kind.name, rows, width)
					}
				}
			}
		}
	})
}

// One special value at every place of a block, all its neighbours usual.
func TestQuantizeSpecialsAnywhere(t *testing.T) {
	inf := float32(math.Inf(1))
	eachKernel(t, func(t *testing.T, k *Kernels) {
		r := rand.New(rand.NewPCG(12, 1))
		for _, special := range []float32{inf, -inf, float32(math.NaN()), math.MaxFloat32, -math.MaxFloat32, 0x1p-100, -0x1p-100, 1e-40} {
			for at := range 6 * BlockSize {
				x := newRandomRow(r, 6*BlockSize, valueKinds[0].draw)
				x.Slice[at] = special
				checkQuantize(t, k, r, x.Slice, 1, 6*BlockSize, "special")
			}
		}
	})
}

// The largest value of a block at every border of the special cases.
func TestQuantizeMagnitudes(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernels) {
		r := rand.New(rand.NewPCG(13, 1))
		for _, border := range []uint32{1, 0x00800000, math.Float32bits(smallestBlock), 0x3f800000, infinityBits} {
			for bits := border - 1; bits != border+2; bits++ {
				x := make([]float32, 5*BlockSize)
				for i := range x {
					x[i] = math.Float32frombits(bits | r.Uint32()&(1<<31))
				}
				checkQuantize(t, k, r, x, 1, len(x), "magnitude")
				checkQuantize(t, k, r, x, 5, BlockSize, "magnitude")
			}
		}
	})
}

func TestQuantizeIsWhatItSays(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernels) {
		r := rand.New(rand.NewPCG(14, 1))
		for _, kind := range valueKinds {
			for range 300 {
				x := newRandomRow(r, 4*BlockSize, kind.draw).Slice
				q := &Quantized{}
				q.Resize(1, len(x))
				k.Quantize(q, x)
				for b := range q.Scale {
					checkBlock(t, kind.name, x[b*BlockSize:][:BlockSize], q.Q[b*BlockSize:][:BlockSize], q.Scale[b], q.Correction[b])
				}
			}
		}
	})
}

// checkBlock holds a block to the definition in float64 and with the rounding of
// package math.
func checkBlock(t *testing.T, what string, x []float32, q []int8, scale float32, correction int32) {
	t.Helper()
	largest, sum := 0.0, int32(0)
	for i, v := range x {
		largest = max(largest, math.Abs(float64(v))) // NaN wins
		sum += int32(q[i])
	}
	finite := !math.IsNaN(largest) && !math.IsInf(largest, 0)
	if correction != -128*sum {
		t.Fatalf("%s: the correction is %d for a sum of %d", what, correction, sum)
	}
	if !finite && scale == scale || finite && largest < smallestBlock && scale != 0 ||
		finite && largest >= smallestBlock && scale != float32(largest/127) {
		t.Fatalf("%s: the largest is %g and the scale %g", what, largest, scale)
	}
	for i, v := range x {
		want := 0.0
		if finite && largest >= smallestBlock {
			want = math.RoundToEven(float64(v * float32(127/largest)))
		}
		if float64(q[i]) != want {
			t.Fatalf("%s: %g of largest %g is %d, want %g", what, v, largest, q[i], want)
		}
	}
}

func TestQuantizeRoundsTiesToEven(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernels) {
		x := make([]float32, BlockSize*4)
		x[0] = 127 // so that the scale is 1
		for i := range x[1:BlockSize] {
			x[1+i] = float32(i) - 15.5
		}
		q := &Quantized{}
		q.Resize(1, len(x))
		k.Quantize(q, x)
		for i := range x[:BlockSize] {
			if want := math.RoundToEven(float64(x[i])); float64(q.Q[i]) != want {
				t.Errorf("%g became %d", x[i], q.Q[i])
			}
		}
	})
}

func TestQuantizedResize(t *testing.T) {
	q := &Quantized{}
	q.Resize(3, 64)
	first := &q.Q[0]
	q.Resize(1, 96)
	if len(q.Q) != 96 || len(q.Scale) != 3 || len(q.Correction) != 3 || &q.Q[0] != first {
		t.Errorf("a smaller shape: %d values, %d scales", len(q.Q), len(q.Scale))
	}
	q.Resize(40, 384)
	if len(q.Q) != 40*384 || len(q.Scale) != 40*12 || len(q.Correction) != 40*12 {
		t.Errorf("a larger shape: %d values, %d scales", len(q.Q), len(q.Scale))
	}
}
