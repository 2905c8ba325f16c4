//go:build arm64 && !noasm

package simd

// This file tests what only arm64 has: two forms of the integer products, of
// which the selection offers one, and the tables of the assembly.

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/sys/cpu"
)

// neonForms returns the forms that the processor can run.
func neonForms() []Kernels {
	forms := []Kernels{neon(false)}
	forms[0].name = "long"
	if cpu.ARM64.HasASIMDDP {
		forms = append(forms, neon(true))
		forms[1].name = "dot"
	}
	return forms
}

func forForms(t *testing.T, test func(t *testing.T, k *Kernels)) {
	for _, k := range neonForms() {
		t.Run(k.name, func(t *testing.T) { test(t, &k) })
	}
}

func TestNeonForms(t *testing.T) {
	forForms(t, func(t *testing.T, k *Kernels) {
		r := rand.New(rand.NewPCG(31, 1))
		for rows := 1; rows <= 40; rows++ {
			testMulQ8(t, k, r, rows, 96, 32+rows%41, rows%5)
		}
		for outputs := 1; outputs <= 100; outputs++ {
			testMulQ8(t, k, r, 1+outputs%13, 32+outputs%3*32, outputs, outputs%2*33)
		}
		for _, s := range [][3]int{{8, 384, 96}, {3, 1536, 40}, {2, 4096, 33}, {1, 2048, 64}, {43, 544, 31}} {
			testMulQ8(t, k, r, s[0], s[1], s[2], 1)
		}
	})
}

// Two products of extremes are the largest 16-bit sum there is.
func TestNeonFormsExtremes(t *testing.T) {
	forForms(t, func(t *testing.T, k *Kernels) {
		for _, w := range []int8{-128, -127, 0, 127} {
			for _, q := range []int8{-127, 127} {
				testConstant(t, k, w, q)
			}
		}
	})
}

func TestNeonFormsDontAllocate(t *testing.T) {
	forForms(t, func(t *testing.T, k *Kernels) {
		r := rand.New(rand.NewPCG(31, 2))
		d, x := randomQ8(r, 64, 40), randomQuantized(r, 7, 64)
		m, err := k.PackQ8(64, d.file)
		if err != nil {
			t.Fatal(err)
		}
		dst, bias := make([]float32, 7*40), make([]float32, 40)
		if n := testing.AllocsPerRun(10, func() { k.MulQ8(dst, 40, x, m, bias) }); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

// The one that is offered has dot products where the processor has.
func TestNeonSelection(t *testing.T) {
	found := native()
	if len(found) != 1 || found[0].name != "neon" {
		t.Fatalf("%d kernels", len(found))
	}
	d := randomQ8(rand.New(rand.NewPCG(31, 3)), 64, 40)
	forms := neonForms()
	want, err := forms[len(forms)-1].PackQ8(64, d.file)
	if err != nil {
		t.Fatal(err)
	}
	got, err := found[0].PackQ8(64, d.file)
	if err != nil || !bytes.Equal(got.panels, want.panels) {
		t.Errorf("another layout than that of %s (%v)", forms[len(forms)-1].name, err)
	}
}

// The place of every weight and scale; zeros where there is no output.
func TestNeonLayout(t *testing.T) {
	const inputs, outputs, blocks, all = 96, 45, 3, 64
	d := randomQ8(rand.New(rand.NewPCG(31, 4)), inputs, outputs)
	places := map[string]func(output, input int) int{
		"long": func(o, i int) int { return o%8*32 + i },
		"dot":  func(o, i int) int { return i/4*32 + o%8*4 + i%4 },
	}
	forForms(t, func(t *testing.T, k *Kernels) {
		m, err := k.PackQ8(inputs, d.file)
		if err != nil || m.parts != nil {
			t.Fatal(err, m.parts)
		}
		panels, scales := make([]byte, all*inputs), make([]float32, all*blocks)
		for o := range outputs {
			for i := range inputs {
				b := o/8*blocks + i/32
				panels[b*256+places[k.name](o, i%32)] = byte(d.weights[o*inputs+i])
				scales[b*8+o%8] = d.scales[o*blocks+i/32]
			}
		}
		if !bytes.Equal(m.panels, panels) || !slices.Equal(m.scales, scales) {
			t.Error("not the layout of the kernels")
		}
	})
}

func TestNeonTables(t *testing.T) {
	if b := math.Float32bits(smallestBlock); b != quantizeTable.smallestBlock {
		t.Errorf("smallestBlock is %#x, not %#x", b, quantizeTable.smallestBlock)
	}
	if b := math.Float32bits(float32(math.Inf(-1))); b != softmaxTable.minusInfinity {
		t.Errorf("-Inf is %#x, not %#x", b, softmaxTable.minusInfinity)
	}
	if one := math.Float32frombits(uint32(softmaxTable.exponent+rounderBits) << 23); one != 1 {
		t.Errorf("the power of 0 has the exponent of %v", one)
	}
}

// Softmax with NaN equals the definition too, element by element: in the first
// place NaN makes all others NaN, elsewhere it stays alone.
func TestNeonSoftmaxNaN(t *testing.T) {
	k := neon(false)
	r := rand.New(rand.NewPCG(31, 5))
	for at := range 48 {
		for _, nan := range []uint32{nanBits, 0x7f800001, 0xffffffff} {
			x := randomFloats(r, 48)
			x[at] = math.Float32frombits(nan)
			x[(at+7)%48] = float32(math.Inf(-1))
			want := slices.Clone(x)
			sum, wantSum := k.Softmax(x, 0.3), softmaxGeneric(want, 0.3)
			if i := firstDifference(x, want); i >= 0 || !sameFloat(sum, wantSum) {
				t.Fatalf("NaN at %d: element %d is %v, want %v; sum %v, want %v", at, i, x[max(i, 0)], want[max(i, 0)], sum, wantSum)
			}
		}
	}
}

func FuzzNeonForms(f *testing.F) {
	f.Add(uint64(1), uint8(8), uint8(2), uint8(33), uint8(1))
	f.Add(uint64(2), uint8(39), uint8(17), uint8(64), uint8(0))
	f.Fuzz(func(t *testing.T, seed uint64, rows, blocks, outputs, gap uint8) {
		for _, k := range neonForms() {
			r := rand.New(rand.NewPCG(seed, 1))
			testMulQ8(t, &k, r, 1+int(rows%40), BlockSize*(1+int(blocks%20)), 1+int(outputs%100), int(gap%40))
		}
	})
}

func BenchmarkNeonMulQ8(b *testing.B) {
	for _, k := range neonForms() {
		for _, s := range [][3]int{{1, 384, 384}, {2, 384, 384}, {3, 384, 384}, {4, 384, 384}, {32, 384, 1536}, {32, 1536, 384}} {
			b.Run(fmt.Sprintf("%s/%dx%dx%d", k.name, s[0], s[1], s[2]), func(b *testing.B) {
				r := rand.New(rand.NewPCG(31, 6))
				d, x := randomQ8(r, s[1], s[2]), randomQuantized(r, s[0], s[1])
				m, err := k.PackQ8(s[1], d.file)
				if err != nil {
					b.Fatal(err)
				}
				dst, bias := make([]float32, s[0]*s[2]), make([]float32, s[2])
				b.ReportAllocs()
				for b.Loop() {
					k.MulQ8(dst, s[2], x, m, bias)
				}
				b.ReportMetric(2*float64(s[0]*s[1]*s[2])*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GOP/s")
			})
		}
	}
}
