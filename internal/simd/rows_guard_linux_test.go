package simd

// Row operations at the border of a page that may not be touched.

import (
	"slices"
	"syscall"
	"testing"
	"unsafe"
)

// guarded returns n values that end where a page begins that can't be read, or
// begin where such a page ends.
func guarded[T int8 | int32 | float32](t *testing.T, n int, atEnd bool) []T {
	t.Helper()
	var zero T
	page := syscall.Getpagesize()
	size := n * int(unsafe.Sizeof(zero))
	body := (size + page - 1) / page * page
	mapped, err := syscall.Mmap(-1, 0, body+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(mapped); err != nil {
			t.Error(err)
		}
	})
	for _, guard := range [][]byte{mapped[:page], mapped[page+body:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	if n == 0 {
		return nil
	}
	start := page
	if atEnd {
		start += body - size
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&mapped[start])), n)
}

// guardedRow is a guarded slice of some values.
func guardedRow(t *testing.T, n int, atEnd bool) []float32 {
	x := guarded[float32](t, n, atEnd)
	for i := range x {
		x[i] = float32(i%7) - 3
	}
	return x
}

func TestRowOperationsStayOnTheirPages(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernels) {
		for _, atEnd := range []bool{false, true} {
			for _, n := range []int{1, 3, 8, 15, 16, 17, 24, 31, 32, 47, 48, 64, 80, 96, 384, 400} {
				checkPages(t, k, n, atEnd)
			}
		}
	})
}

func checkPages(t *testing.T, k *Kernels, n int, atEnd bool) {
	x, y := guardedRow(t, n, atEnd), guardedRow(t, n, atEnd)
	k.GELU(x)
	k.Add(x, y)
	gamma, beta := guardedRow(t, n, atEnd), guardedRow(t, n, atEnd)
	for rows := 1; rows <= 3; rows++ {
		k.LayerNorm(guardedRow(t, rows*n, atEnd), guardedRow(t, rows*n, atEnd), gamma, beta, 1e-12)
	}
	for count := 1; count <= min(n, PanelWidth); count++ {
		width := n / count
		panel := guarded[float32](t, (width-1)*PanelWidth+count, atEnd)
		k.Transpose(panel, Rows{Data: y[len(y)-count*width:], Count: count, Width: width, Stride: width})
	}
	if n%Lanes == 0 {
		k.Softmax(x, 1)
	}
	if n%BlockSize == 0 {
		blocks := n / BlockSize
		q := &Quantized{
			Rows: 1, Width: n, Q: guarded[int8](t, n, atEnd),
			Scale: guarded[float32](t, blocks, atEnd), Correction: guarded[int32](t, blocks, atEnd),
		}
		k.Quantize(q, y)
		if slices.Max(q.Q) != 127 {
			t.Errorf("%d values: the largest became %d", n, slices.Max(q.Q))
		}
	}
}
