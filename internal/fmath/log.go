// The natural logarithm: reduction to a table point, exact remainder, short
// polynomial.

package fmath

import "math"

const (
	// tableBits sets the distance of table points, 1/2^tableBits.
	tableBits = 7
	tableSize = 1 << tableBits

	fractionBits = 52
	fractionMask = 1<<fractionBits - 1
	exponentBias = 1023
	minNormal    = 0x1p-1022

	// splitMask clears the low 21 bits of a fraction: what is left has 32
	// significant bits, so that its product with a 12-bit reciprocal is exact.
	splitMask = ^uint64(1<<21 - 1)
)

// logPoint describes the neighbourhood of one table point c: a reciprocal of at
// most 12 bits, and hi + lo = ln(1/reciprocal), hi being a multiple of 2^-42.
type logPoint struct {
	reciprocal, hi, lo float64
}

// Log returns the natural logarithm of x.
//
// Log(+Inf) is +Inf, Log(±0) is -Inf, Log of a negative number or of NaN is NaN.
func Log(x float64) float64 {
	switch {
	case x != x || x > math.MaxFloat64:
		return x
	case x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	}
	r := reduceLog(x)
	// hi is 0 or larger than |r.rem|, so that one subtraction yields the
	// rounding error of the sum.
	sum := r.hi + r.rem
	lost := (r.hi - sum) + r.rem
	z := r.rem
	z2 := float64(z * z)
	// ln(1+z) - z, Taylor up to z^8.
	p := 1.0/7 - float64(z*(1.0/8))
	p = -1.0/6 + float64(z*p)
	p = 1.0/5 + float64(z*p)
	p = -1.0/4 + float64(z*p)
	p = 1.0/3 + float64(z*p)
	p = -0.5 + float64(z*p)
	return sum + (lost + (r.lo + float64(z2*p)))
}

// logReduction is ln(x) = hi + lo + ln(1 + rem), where rem is the rounded
// remainder and what its rounding lost is part of lo.
type logReduction struct {
	hi, lo, rem float64
	// remLow is what the rounding of rem lost; Pow needs it apart.
	remLow float64
}

// reduceLog expects a finite x > 0. With x = 2^k·m, 1 <= m < 2, and the table
// point nearest to m, rem = m·reciprocal - 1 is computed without error: each
// half of m times the reciprocal is exact, and |rem| < 0.0043.
func reduceLog(x float64) logReduction {
	k := 0
	if x < minNormal {
		x = float64(x * 0x1p54)
		k = -54
	}
	bits := math.Float64bits(x)
	k += int(bits>>fractionBits) - exponentBias
	fraction := bits & fractionMask
	point := &logTable[(fraction+1<<(fractionBits-tableBits-1))>>(fractionBits-tableBits)]
	const one = uint64(exponentBias) << fractionBits
	m := math.Float64frombits(one | fraction)
	upper := math.Float64frombits(one | fraction&splitMask)
	remUpper := float64(upper*point.reciprocal) - 1
	remLower := float64((m - upper) * point.reciprocal)
	rem := remUpper + remLower
	remLow := (remUpper - rem) + remLower
	scale := float64(k)
	return logReduction{
		hi:     float64(scale*ln2Hi) + point.hi,
		lo:     remLow + (float64(scale*ln2Lo) + point.lo),
		rem:    rem,
		remLow: remLow,
	}
}
