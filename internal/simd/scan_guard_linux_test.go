package simd

// Products at the border of a page that may not be touched.

import (
	"testing"
	"unsafe"
)

func TestProductsStayOnTheirPages(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernels) {
		for _, atEnd := range []bool{false, true} {
			for _, width := range []int{1, 3, 15, 16, 17, 31, 32, 40, 384, 397} {
				for _, rows := range []int{1, 2, 4, 5, 8, 13} {
					checkProductPages(t, k, rows, width, atEnd)
				}
			}
		}
	})
}

func checkProductPages(t *testing.T, k *Kernels, rows, width int, atEnd bool) {
	dst, codes := guarded[int32](t, rows, atEnd), guarded[int8](t, rows*width, atEnd)
	bytes, words := guarded[int8](t, 2*width, atEnd), guarded[int32](t, rows, atEnd)
	query := unsafe.Slice((*int16)(unsafe.Pointer(&bytes[0])), width)
	list := unsafe.Slice((*uint32)(unsafe.Pointer(&words[0])), rows)
	for i := range codes {
		codes[i] = 1
	}
	for i := range query {
		query[i] = 2
	}
	for i := range list {
		list[i] = uint32(rows - 1 - i)
	}
	for _, run := range []func(){
		func() { k.DotCodes(dst, codes, query) },
		func() { k.DotGather(dst, codes, list, query) },
	} {
		clear(dst)
		run()
		for _, v := range dst {
			if v != int32(2*width) {
				t.Fatalf("%d rows of %d: %v", rows, width, dst)
			}
		}
	}
	k.Reach(list, dst, guardedRow(t, rows, atEnd), guardedRow(t, rows, atEnd), Upper{})
	x := guardedRow(t, width, atEnd)
	k.Dot(x, guardedRow(t, width, atEnd))
}
