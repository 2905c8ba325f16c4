//go:build !noasm

package simd

// This file decides how the products of a vector search run on arm64: assembly
// does four rows and whole groups of 16 codes, Go what is left.

// dotFour sets dst to the products of four rows with the query, over the first
// whole codes: a multiple of 16, not 0.
//
//go:noescape
func dotFour(dst *[4]int32, a, b, c, d *int8, query *int16, whole int)

// dotBlocks multiplies blocks of 16 values, and unless they are nil 16 more at
// lastA and lastB.
//
//go:noescape
func dotBlocks(a, b *float32, blocks int, lastA, lastB *float32) float32

func useScan(k *Kernels) {
	k.scan = scanKernels{dotCodes: dotCodesByFour, dotGather: dotGatherByFour, dot: dotByBlocks, reach: reachGeneric}
}

func dotCodesByFour(dst []int32, codes []int8, query []int16) {
	width := len(query)
	if width < 16 {
		dotCodesGeneric(dst, codes, query)
		return
	}
	for i := 0; i < len(dst); i += 4 {
		n := min(4, len(dst)-i)
		row := codes[i*width : (i+n)*width]
		fourRows(dst[i:i+n], row, row[min(1, n-1)*width:], row[min(2, n-1)*width:], row[(n-1)*width:], query)
	}
}

func dotGatherByFour(dst []int32, codes []int8, rows []uint32, query []int16) {
	width := len(query)
	if width < 16 {
		dotGatherGeneric(dst, codes, rows, query)
		return
	}
	row := func(i int) []int8 { return codes[int(rows[i])*width:][:width] }
	for i := 0; i < len(dst); i += 4 {
		n := min(4, len(dst)-i)
		fourRows(dst[i:i+n], row(i), row(i+min(1, n-1)), row(i+min(2, n-1)), row(i+n-1), query)
	}
}

// fourRows multiplies up to four rows; the last one stands for those that are
// missing.
func fourRows(dst []int32, a, b, c, d []int8, query []int16) {
	var sums [4]int32
	width, whole := len(query), len(query)&^15
	dotFour(&sums, &a[0], &b[0], &c[0], &d[0], &query[0], whole)
	if whole < width {
		for i, row := range [4][]int8{a, b, c, d} {
			sums[i] += dotRow(row[whole:width], query[whole:])
		}
	}
	copy(dst, sums[:])
}

func dotByBlocks(a, b []float32) float32 {
	if len(a) == 0 {
		return 0
	}
	whole := len(a) &^ (Lanes - 1)
	if whole == len(a) {
		return dotBlocks(&a[0], &b[0], whole/Lanes, nil, nil)
	}
	var lastA, lastB [Lanes]float32
	copy(lastA[:], a[whole:])
	copy(lastB[:], b[whole:])
	return dotBlocks(&a[0], &b[0], whole/Lanes, &lastA[0], &lastB[0])
}
