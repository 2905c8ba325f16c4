package simd

// Which implementation is selected; what the tests of all operations share.

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestAvailableBeginsWithGeneric(t *testing.T) {
	names := Available()
	if names[0] != "generic" {
		t.Errorf("Available() = %v, the first should be generic", names)
	}
	for i, name := range names {
		if slices.Contains(names[:i], name) {
			t.Errorf("%s is there twice", name)
		}
	}
}

func TestSelectByName(t *testing.T) {
	t.Setenv(Variable, "no such kernels") // a name in the call counts more
	for _, name := range Available() {
		k, err := Select(name)
		if err != nil || k.Name() != name {
			t.Errorf("Select(%q) = %v, %v", name, k, err)
		}
	}
	if _, err := Select("sse9"); !errors.Is(err, ErrUnavailable) || strings.Contains(err.Error(), Variable) {
		t.Errorf("Select of an unknown name: %v", err)
	}
}

func TestSelectByEnvironment(t *testing.T) {
	names := Available()
	for _, test := range []struct{ value, want string }{
		{"", names[len(names)-1]},
		{"generic", "generic"},
		{" Generic ", "generic"},
		{names[len(names)-1], names[len(names)-1]},
	} {
		t.Setenv(Variable, test.value)
		k, err := Select("")
		if err != nil || k.Name() != test.want {
			t.Errorf("%s=%s: %v, %v, want %s", Variable, test.value, k, err, test.want)
		}
	}
	t.Setenv(Variable, "MMX")
	if _, err := Select(""); !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), Variable+`="mmx"`) {
		t.Errorf("an unknown name in the environment: %v", err)
	}
}

func TestEveryKernelIsComplete(t *testing.T) {
	for _, k := range all() {
		if k.packQ8 == nil || k.mulQ8 == nil || k.mulF32 == nil || k.quantize == nil ||
			k.softmax == nil || k.layerNorm == nil || k.gelu == nil || k.add == nil || k.transpose == nil {
			t.Errorf("%s lacks an operation", k.name)
		}
	}
}

// eachKernel runs test for all implementations, the definition included: what
// is compared with it also shows that it has no state.
func eachKernel(t *testing.T, test func(t *testing.T, k *Kernels)) {
	t.Helper()
	for _, k := range all() {
		t.Run(k.name, func(t *testing.T) { test(t, &k) })
	}
}

// sameFloat is equality of bits, but any NaN equals any NaN.
func sameFloat(a, b float32) bool {
	return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
}

// firstDifference returns where two rows differ, -1 for nowhere.
func firstDifference(got, want []float32) int {
	for i := range want {
		if !sameFloat(got[i], want[i]) {
			return i
		}
	}
	return -1
}

// What values a test runs on.
var valueKinds = []struct {
	name string
	draw func(r *rand.Rand) float32
}{
	{"usual", func(r *rand.Rand) float32 { return float32(r.NormFloat64()) }},
	{"wide", func(r *rand.Rand) float32 { return float32(math.Ldexp(r.NormFloat64(), r.IntN(40)-20)) }},
	{"large", func(r *rand.Rand) float32 { return float32(math.Ldexp(r.Float64()-0.5, 100+r.IntN(28))) }},
	{"small", func(r *rand.Rand) float32 { return float32(math.Ldexp(r.NormFloat64(), -90-r.IntN(25))) }},
	{"subnormal", func(r *rand.Rand) float32 { return float32(math.Ldexp(r.NormFloat64(), -130-r.IntN(20))) }},
	{"zero", func(r *rand.Rand) float32 { return math.Float32frombits(r.Uint32() & (1 << 31)) }},
	{"halves", func(r *rand.Rand) float32 { return float32(r.IntN(511)-255) / 2 }},
	{"infinities", func(r *rand.Rand) float32 { return sometimes(r, float32(math.Inf(r.IntN(2)*2-1))) }},
	{"minusInfinity", func(r *rand.Rand) float32 { return sometimes(r, float32(math.Inf(-1))) }},
	{"nan", func(r *rand.Rand) float32 { return sometimes(r, float32(math.NaN())) }},
	{"bits", func(r *rand.Rand) float32 { return math.Float32frombits(r.Uint32()) }},
}

// sometimes returns v once in 40 times.
func sometimes(r *rand.Rand, v float32) float32 {
	if r.IntN(40) == 0 {
		return v
	}
	return float32(r.NormFloat64())
}

// A fence is what stands around a slice that a kernel gets.
const fence = 24

// fenced is a slice between canaries, at any alignment.
type fenced[T int8 | int32 | float32] struct {
	whole []T
	Slice []T
	start int
}

func newFenced[T int8 | int32 | float32](r *rand.Rand, n int) *fenced[T] {
	f := &fenced[T]{start: fence + r.IntN(17)}
	f.whole = make([]T, f.start+n+fence)
	for i := range f.whole {
		f.whole[i] = T(i%100) + 1
	}
	f.Slice = f.whole[f.start : f.start+n : f.start+n]
	return f
}

// intact reports whether the canaries live.
func (f *fenced[T]) intact() bool {
	for i, v := range f.whole {
		if (i < f.start || i >= f.start+len(f.Slice)) && v != T(i%100)+1 {
			return false
		}
	}
	return true
}

// newRandomRow returns a fenced row of random values.
func newRandomRow(r *rand.Rand, n int, draw func(r *rand.Rand) float32) *fenced[float32] {
	f := newFenced[float32](r, n)
	for i := range f.Slice {
		f.Slice[i] = draw(r)
	}
	return f
}
