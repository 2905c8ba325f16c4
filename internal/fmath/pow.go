// Powers: the logarithm as a sum of two float64, times the exponent, through the
// exponential.

package fmath

import "math"

// Pow returns x^y, exactly where x^y is a float64.
//
// The special cases are those of math.Pow: x^0 and 1^y are 1 whatever the other
// is, NaN otherwise yields NaN, a negative x to a y that isn't an integer is
// NaN, zeros and infinities keep their sign for odd integers y.
func Pow(x, y float64) float64 {
	switch {
	case y == 0 || x == 1:
		return 1
	case x != x || y != y:
		return math.NaN()
	}
	integer, odd := parity(y)
	size := math.Abs(x)
	negative := math.Signbit(x)
	var result float64
	switch {
	case size == 1:
		result = 1
	case size == 0 || size > math.MaxFloat64 || math.Abs(y) > math.MaxFloat64:
		// 0 and infinity to any power, anything to an infinite one.
		if (size > 1) == (y > 0) {
			result = math.Inf(1)
		}
	default:
		if negative && !integer {
			return math.NaN()
		}
		result = powPositive(size, y)
	}
	if negative && odd {
		return -result
	}
	if negative && size == 1 && !integer {
		return math.NaN()
	}
	return result
}

// parity reports whether y is an integer, and an odd one; infinity is an even
// integer.
func parity(y float64) (integer, odd bool) {
	const allEven = 1 << (fractionBits + 1)
	if math.Abs(y) >= allEven {
		return true, false
	}
	n := int64(y)
	return float64(n) == y, float64(n) == y && n&1 == 1
}

// powPositive expects finite x > 0, x != 1, and finite y.
func powPositive(x, y float64) float64 {
	high, low := logPair(x)
	product := float64(y * high)
	switch {
	case product >= expOverflow:
		return math.Inf(1)
	case product <= expUnderflow:
		return 0
	case -expTiny < product && product < expTiny:
		return 1
	}
	return expSum(product, productError(y, high, product)+float64(y*low))
}

// logPair returns ln(x) as high + low with a relative error below 2^-66, for
// finite x > 0.
func logPair(x float64) (high, low float64) {
	r := reduceLog(x)
	z := r.rem
	sum := r.hi + z
	lost := (r.hi - sum) + z
	// -z²/2 with its rounding error, and -z·remLow, which belongs to the square.
	square := float64(z * z)
	half := float64(square * 0.5)
	total := sum - half
	lost += (sum - total) - half
	lost -= float64(0.5*productError(z, z, square)) + float64(z*r.remLow)
	// The terms from z³/3 to z⁹/9.
	p := -1.0/8 + float64(z*(1.0/9))
	p = 1.0/7 + float64(z*p)
	p = -1.0/6 + float64(z*p)
	p = 1.0/5 + float64(z*p)
	p = -1.0/4 + float64(z*p)
	p = 1.0/3 + float64(z*p)
	lost += r.lo + float64(float64(square*z)*p)
	high = total + lost
	return high, (total - high) + lost
}

// productError returns a·b - product, product being a·b rounded: both factors
// are cut in halves whose products are exact (Dekker 1971). Factors must stay
// below 2^995 and the error above the subnormal range to be exact.
func productError(a, b, product float64) float64 {
	const splitter = 1<<27 + 1
	scaled := float64(a * splitter)
	aHigh := scaled - (scaled - a)
	aLow := a - aHigh
	scaled = float64(b * splitter)
	bHigh := scaled - (scaled - b)
	bLow := b - bHigh
	return ((float64(aHigh*bHigh) - product) + float64(aHigh*bLow) + float64(aLow*bHigh)) + float64(aLow*bLow)
}
