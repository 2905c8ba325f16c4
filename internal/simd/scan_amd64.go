//go:build !noasm

package simd

// This file decides how the products of a vector search run on amd64.

//go:generate go run ./_gen/scan

// The functions in assembly. count rows, at least one, of width codes each;
// whole is width, rounded down to a multiple of 16 (AVX2) or 32 (AVX-512), and
// not 0 with AVX2, which leaves the codes behind it out. Of the listed rows
// none is beyond codes.

//go:noescape
func dotCodesAVX2(dst *int32, codes *int8, query *int16, count, width, whole int)

//go:noescape
func dotCodesAVX512(dst *int32, codes *int8, query *int16, count, width, whole int)

//go:noescape
func dotGatherAVX2(dst *int32, codes *int8, rows *uint32, query *int16, count, width, whole int)

//go:noescape
func dotGatherAVX512(dst *int32, codes *int8, rows *uint32, query *int16, count, width, whole int)

// dotAVX2 and dotAVX512 multiply blocks of 16 values, and unless they are nil 16
// more at lastA and lastB.
//
//go:noescape
func dotAVX2(a, b *float32, blocks int, lastA, lastB *float32) float32

//go:noescape
func dotAVX512(a, b *float32, blocks int, lastA, lastB *float32) float32

// reachAVX2 does count rows, a multiple of 8 and not 0.
//
//go:noescape
func reachAVX2(dst *uint32, products *int32, scale, residual *float32, count int, step, slope, base, threshold float32) int

func useScanAVX2(k *Kernels) {
	k.scan = scanKernels{dotCodes: dotCodesByAVX2, dotGather: dotGatherByAVX2, dot: dotByAVX2, reach: reachByAVX2}
}

func useScanAVX512(k *Kernels) {
	k.scan = scanKernels{dotCodes: dotCodesByAVX512, dotGather: dotGatherByAVX512, dot: dotByAVX512, reach: reachByAVX2}
}

// reachByAVX2 serves AVX-512 too.
func reachByAVX2(dst []uint32, products []int32, scale, residual []float32, u Upper) (n int) {
	whole := len(products) &^ 7
	if whole > 0 {
		n = reachAVX2(&dst[0], &products[0], &scale[0], &residual[0], whole, u.Step, u.Slope, u.Base, u.Threshold)
	}
	for i := whole; i < len(products); i++ {
		if u.Of(products[i], scale[i], residual[i]) >= u.Threshold {
			dst[n] = uint32(i)
			n++
		}
	}
	return n
}

func dotCodesByAVX2(dst []int32, codes []int8, query []int16) {
	width, whole := len(query), len(query)&^15
	if whole == 0 || len(dst) == 0 {
		dotCodesGeneric(dst, codes, query)
		return
	}
	dotCodesAVX2(&dst[0], &codes[0], &query[0], len(dst), width, whole)
	if whole < width {
		for i := range dst {
			dst[i] += dotRow(codes[i*width+whole:][:width-whole], query[whole:])
		}
	}
}

func dotGatherByAVX2(dst []int32, codes []int8, rows []uint32, query []int16) {
	width, whole := len(query), len(query)&^15
	if whole == 0 || len(dst) == 0 {
		dotGatherGeneric(dst, codes, rows, query)
		return
	}
	dotGatherAVX2(&dst[0], &codes[0], &rows[0], &query[0], len(dst), width, whole)
	if whole < width {
		for i, r := range rows {
			dst[i] += dotRow(codes[int(r)*width+whole:][:width-whole], query[whole:])
		}
	}
}

func dotCodesByAVX512(dst []int32, codes []int8, query []int16) {
	if len(codes) == 0 {
		clear(dst)
		return
	}
	dotCodesAVX512(&dst[0], &codes[0], &query[0], len(dst), len(query), len(query)&^31)
}

func dotGatherByAVX512(dst []int32, codes []int8, rows []uint32, query []int16) {
	if len(rows) > 0 {
		dotGatherAVX512(&dst[0], &codes[0], &rows[0], &query[0], len(dst), len(query), len(query)&^31)
	}
}

// lastBlock copies what is left of a row after the blocks of 16.
func lastBlock(x []float32) (last [Lanes]float32) {
	copy(last[:], x[len(x)&^(Lanes-1):])
	return last
}

func dotByAVX2(a, b []float32) float32 {
	if len(a) == 0 {
		return 0
	}
	if len(a)%Lanes == 0 {
		return dotAVX2(&a[0], &b[0], len(a)/Lanes, nil, nil)
	}
	lastA, lastB := lastBlock(a), lastBlock(b)
	return dotAVX2(&a[0], &b[0], len(a)/Lanes, &lastA[0], &lastB[0])
}

func dotByAVX512(a, b []float32) float32 {
	if len(a) == 0 {
		return 0
	}
	if len(a)%Lanes == 0 {
		return dotAVX512(&a[0], &b[0], len(a)/Lanes, nil, nil)
	}
	lastA, lastB := lastBlock(a), lastBlock(b)
	return dotAVX512(&a[0], &b[0], len(a)/Lanes, &lastA[0], &lastB[0])
}
