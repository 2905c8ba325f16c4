package simd

// This file decides the products of a vector search: of quantised rows with a
// query, which are integers, and of two rows of float32.

// scanKernels are the loops of a vector search.
type scanKernels struct {
	dotCodes  func(dst []int32, codes []int8, query []int16)
	dotGather func(dst []int32, codes []int8, rows []uint32, query []int16)
	dot       func(a, b []float32) float32
	reach     func(dst []uint32, products []int32, scale, residual []float32, u Upper) int
}

func scanGeneric() scanKernels {
	return scanKernels{dotCodes: dotCodesGeneric, dotGather: dotGatherGeneric, dot: Dot, reach: reachGeneric}
}

// DotCodes sets dst[i] to the sum over j of codes[i*len(query)+j]·query[j], for
// every i. Sums wrap around at 2^31; a caller that limits the query to
// (2^31-1)/(128·len(query)) never sees that.
func (k *Kernels) DotCodes(dst []int32, codes []int8, query []int16) {
	k.scan.dotCodes(dst, codes[:len(dst)*len(query)], query)
}

// DotGather is DotCodes for the listed rows of codes: dst[i] belongs to row
// rows[i]. dst is as long as rows.
func (k *Kernels) DotGather(dst []int32, codes []int8, rows []uint32, query []int16) {
	if len(query) == 0 {
		clear(dst[:len(rows)])
		return
	}
	last := uint32(0)
	for _, r := range rows {
		last = max(last, r)
	}
	if len(rows) > 0 && uint64(last) >= uint64(len(codes)/len(query)) {
		panic("simd: gather: no such row")
	}
	k.scan.dotGather(dst[:len(rows)], codes, rows, query)
}

// Dot returns what the function Dot returns. The slices have the same length.
func (k *Kernels) Dot(a, b []float32) float32 { return k.scan.dot(a[:len(b)], b) }

// Upper tells what the upper end of a row's score is: the row's product times
// Step and its scale, plus its residual times Slope, plus Base. Each operation is
// rounded to float32, in the order of [Upper.Of].
type Upper struct {
	Step, Slope, Base float32
	Threshold         float32 // for Reach
}

// Of returns the upper end for a row.
func (u Upper) Of(product int32, scale, residual float32) float32 {
	off := float32(u.Slope*residual) + u.Base
	return float32(float32(float32(product)*u.Step)*scale) + off
}

// Reach writes into dst, in ascending order, the numbers of the rows whose upper
// end is not below the threshold (and no NaN), and returns how many they are.
// scale and residual are as long as products, dst at least.
func (k *Kernels) Reach(dst []uint32, products []int32, scale, residual []float32, u Upper) int {
	n := len(products)
	return k.scan.reach(dst[:n], products, scale[:n], residual[:n], u)
}

func reachGeneric(dst []uint32, products []int32, scale, residual []float32, u Upper) (n int) {
	for i, p := range products {
		if u.Of(p, scale[i], residual[i]) >= u.Threshold {
			dst[n] = uint32(i)
			n++
		}
	}
	return n
}

func dotCodesGeneric(dst []int32, codes []int8, query []int16) {
	for i := range dst {
		dst[i] = dotRow(codes[i*len(query):][:len(query)], query)
	}
}

func dotGatherGeneric(dst []int32, codes []int8, rows []uint32, query []int16) {
	for i, r := range rows {
		dst[i] = dotRow(codes[int(r)*len(query):][:len(query)], query)
	}
}

// dotRow has four sums, which processors make at the same time.
func dotRow(codes []int8, query []int16) int32 {
	var s0, s1, s2, s3 int32
	n := len(query) &^ 3
	for j := 0; j < n; j += 4 {
		c, q := (*[4]int8)(codes[j:]), (*[4]int16)(query[j:])
		s0 += int32(c[0]) * int32(q[0])
		s1 += int32(c[1]) * int32(q[1])
		s2 += int32(c[2]) * int32(q[2])
		s3 += int32(c[3]) * int32(q[3])
	}
	for j, q := range query[n:] {
		s0 += int32(codes[n+j]) * int32(q)
	}
	return s0 + s1 + s2 + s3
}
