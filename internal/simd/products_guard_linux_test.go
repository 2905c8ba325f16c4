package simd

// This file tests that no kernel reads or writes beyond its slices: each ends
// where a page without access begins.

import (
	"math/rand/v2"
	"syscall"
	"testing"
	"unsafe"
)

// atEnd returns a copy of x that ends where a page without access begins.
func atEnd[T any](t *testing.T, x []T) []T {
	t.Helper()
	page, size := syscall.Getpagesize(), len(x)*int(unsafe.Sizeof(x[0]))
	pages := (size + page - 1) / page * page
	memory, err := syscall.Mmap(-1, 0, pages+page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(memory) })
	if err := syscall.Mprotect(memory[pages:], syscall.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	end := unsafe.Slice((*T)(unsafe.Pointer(&memory[pages-size])), len(x))
	copy(end, x)
	return end
}

func TestMulQ8StaysInside(t *testing.T) {
	forKernels(t, func(t *testing.T, k *Kernels) {
		r := rand.New(rand.NewPCG(5, 1))
		for range 30 {
			rows, inputs, outputs, gap := 1+r.IntN(20), BlockSize*(1+r.IntN(4)), 1+r.IntN(70), r.IntN(3)
			d, x, bias := randomQ8(r, inputs, outputs), randomQuantized(r, rows, inputs), randomFloats(r, outputs)
			m, err := k.PackQ8(inputs, atEnd(t, d.file))
			if err != nil {
				t.Fatal(err)
			}
			want := naiveQ8(x, d, bias)
			x.Q, x.Scale, x.Correction = atEnd(t, x.Q), atEnd(t, x.Scale), atEnd(t, x.Correction)
			if m.panels != nil {
				m.panels, m.scales = atEnd(t, m.panels), atEnd(t, m.scales)
			}
			stride := outputs + gap
			dst := atEnd(t, canaries(rows, stride)[:(rows-1)*stride+outputs])
			k.MulQ8(dst, stride, x, m, atEnd(t, bias))
			checkProduct(t, dst, want, rows, outputs, stride)
		}
	})
}

func TestMulF32StaysInside(t *testing.T) {
	forKernels(t, func(t *testing.T, k *Kernels) {
		r := rand.New(rand.NewPCG(5, 2))
		for range 60 {
			a := Rows{Count: 1 + r.IntN(30), Width: 1 + r.IntN(40)}
			a.Stride = a.Width + r.IntN(3)
			a.Data = atEnd(t, randomFloats(r, (a.Count-1)*a.Stride+a.Width))
			p := Panels{Outputs: 1 + r.IntN(70), Width: a.Width, Row: PanelWidth + r.IntN(3)}
			p.Panel = p.Row * p.Width
			last := (p.Outputs - 1) / PanelWidth
			p.Data = atEnd(t, randomFloats(r, last*p.Panel+(p.Width-1)*p.Row+PanelWidth))
			bias := atEnd(t, randomFloats(r, p.Outputs))
			if r.IntN(2) == 0 {
				bias = nil
			}
			stride := p.Outputs + r.IntN(3)
			dst := atEnd(t, canaries(a.Count, stride)[:(a.Count-1)*stride+p.Outputs])
			k.MulF32(dst, stride, a, p, bias)
			checkProduct(t, dst, naiveF32(a, p, bias), a.Count, p.Outputs, stride)
		}
	})
}
