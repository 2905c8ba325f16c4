// This file decides how vectors become unit vectors and codes, and how far a
// product of codes can be from the score.

package vecindex

import (
	"fmt"
	"math"
	"slices"

	"github.com/contextforge-go/contextforge/internal/simd"
)

// check refuses a vector that is no direction of dim values; dim 0 means any
// dimension.
func check(x []float32, dim int) error {
	if len(x) == 0 || len(x) > MaxDim || dim > 0 && len(x) != dim {
		return fmt.Errorf("%w: %d values, the index has %d", ErrDimension, len(x), dim)
	}
	zero := true
	for i, v := range x {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return fmt.Errorf("%w: value %d is %v", ErrNotFinite, i, v)
		}
		zero = zero && v == 0
	}
	if zero {
		return ErrZero
	}
	return nil
}

// normalize returns x divided by its length. The squares are added one after
// the other in float64, where the square of no float32 is too big or too small.
// What normalize returns it gives back as it is, so that vectors that are read and
// stored again keep their bits.
func normalize(x []float32) []float32 {
	norm := length(len(x), func(i int) float64 { return float64(x[i]) })
	if math.Abs(norm-1) <= roundedUnit {
		return slices.Clone(x)
	}
	unit := make([]float32, len(x))
	for i, v := range x {
		unit[i] = float32(float64(v) / norm)
	}
	return unit
}

// length is the Euclidean norm of n values.
func length(n int, at func(i int) float64) float64 {
	sum := 0.0
	for i := range n {
		v := at(i)
		sum += float64(v * v)
	}
	return math.Sqrt(sum)
}

// maxCode is the largest absolute value of a code.
const maxCode = 127

// quantize makes the code of a unit vector: codes are the values divided by
// scale, rounded to the nearest integer; residual is the length of what that
// leaves, rounded up.
func quantize(unit []float32) (codes []int8, scale, residual float32) {
	scale = float32(largest(unit) / maxCode)
	codes = make([]int8, len(unit))
	for i, v := range unit {
		codes[i] = int8(nearest(v, scale, maxCode))
	}
	left := length(len(unit), func(i int) float64 {
		return float64(unit[i]) - float64(float64(scale)*float64(codes[i]))
	})
	return codes, scale, roundUp(left)
}

// largest is the largest absolute value.
func largest(x []float32) float64 {
	most := 0.0
	for _, v := range x {
		most = max(most, math.Abs(float64(v)))
	}
	return most
}

// nearest is v/scale as an integer within ±limit.
func nearest(v, scale float32, limit float64) float64 {
	return max(-limit, min(limit, math.Round(float64(v)/float64(scale))))
}

// roundUp returns a float32 that is at least as large as the number x ≥ 0, of
// which x is an approximation within one part in 10^11: of at most MaxDim
// squares, each operation is off by 2^-53.
func roundUp(x float64) float32 {
	x += float64(x * 1e-11)
	f := float32(x)
	if float64(f) < x {
		f = math.Nextafter32(f, 4)
	}
	return f
}

// query is a unit vector and its code.
type query struct {
	unit  []float32
	codes []int16    // as many as a row in memory has
	upper simd.Upper // see bounds; unit is about Step·codes
}

// newQuery makes a query of a vector that check accepts; rows have stride codes,
// those beyond its values 0.
//
// The codes are limited so that a sum of products with 8-bit codes stays below
// 2^31.
func newQuery(x []float32, stride int) *query {
	q := &query{unit: normalize(x), codes: make([]int16, stride)}
	limit := min(32767, math.Floor((1<<31-1)/float64(maxCode*len(x))))
	q.upper.Step = float32(largest(q.unit) / limit)
	for i, v := range q.unit {
		q.codes[i] = int16(nearest(v, q.upper.Step, limit))
	}
	left := float64(roundUp(length(len(x), func(i int) float64 {
		return float64(q.unit[i]) - float64(float64(q.upper.Step)*float64(q.codes[i]))
	})))
	q.upper.Slope = roundUp(1 + nearUnit + left)
	q.upper.Base = roundUp(float64(left*(1+nearUnit)) + slack(len(x)))
	return q
}

// nearUnit is how much longer than 1 a unit vector may be: its values are
// rounded to float32, each by 2^-24 of itself or by 2^-150.
const nearUnit = 1e-6

// roundedUnit is how far from 1 the length of what normalize returns can be: the
// rounding of a normal float32, half of 2^-23, and as much again for tiny values,
// which round more coarsely, and for the sum.
const roundedUnit = 0x1p-23

// slack covers the rounding of simd.Dot and of bounds.
//
// simd.Dot of n values rounds each of its terms at most m = ⌈n/16⌉ + 5 times (the
// product, the additions of its lane, four folds), so it is within
// ((1+u)^m - 1)·Σ|qᵢ·vᵢ| of the true product, with u = 2^-24 (Higham, Accuracy and
// Stability of Numerical Algorithms, §3.1), and that sum is at most 1 + 3·nearUnit
// (Cauchy and Schwarz); for m ≤ 1029 that is below 1.001·m·u. Products below the
// normal range add less than n·2^-149.
//
// bounds rounds three times to get the product of the codes, which is below 2.25,
// as each of the quantised vectors is at most 1.5 long; once for Slope·residual
// and once for the sum, both below 2; and once for each end, below 4.5. That makes
// 3·2.25 + 2·2 + 4.5 < 16 times u.
func slack(n int) float64 {
	const u = 1.0 / (1 << 24)
	m := float64((n+15)/16 + 5)
	return float64(1.001*m*u) + 16*u
}

// bounds returns numbers between which lies the score of a row, given the
// product of its code with the query's, in the same float32 as simd.Dot gives it.
//
// With v = s·c + ρ and q = t·d + ε, the score q·v is t·s·(d·c) + ε·(s·c) + q·ρ. By
// Cauchy and Schwarz the last two are at most |ε|·|s·c| + |q|·|ρ|, and |s·c| is at
// most |v| + |ρ|. So the error is at most (|q| + |ε|)·|ρ| + |ε|·|v|: Slope times the
// row's residual, plus Base, which also has the slack for rounding.
func (q *query) bounds(product int32, scale, residual float32) (lower, upper float32) {
	off := float32(q.upper.Slope*residual) + q.upper.Base
	return q.middle(product, scale) - off, q.upper.Of(product, scale, residual)
}

// middle is the score of a row by its code alone.
func (q *query) middle(product int32, scale float32) float32 {
	return float32(float32(float32(product)*q.upper.Step) * scale)
}
