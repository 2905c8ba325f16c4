// The exponentials of base e and 2: reduction to a power of 2^(1/128), short
// polynomial, one rounding at the end even for subnormal results.

package fmath

import "math"

const (
	// rounder moves the integer nearest to a float64 below 2^51 into the low
	// bits of the sum.
	rounder = 0x1.8p52

	// Outside these bounds the result is +Inf or 0 for certain.
	expOverflow   = 710
	expUnderflow  = -746
	exp2Overflow  = 1024
	exp2Underflow = -1076

	minExponent = -1022
	maxExponent = 1023

	// Below this size of the argument both exponentials round to 1;
	// leaving early keeps the intermediate values normal.
	expTiny = 0x1p-60
)

// powerPoint is hi + lo = 2^(j/128) for the table index j.
type powerPoint struct {
	hi, lo float64
}

// Exp returns e^x.
//
// Exp(+Inf) is +Inf, Exp(-Inf) is 0, Exp(NaN) is NaN; results beyond the range
// of a float64 become +Inf or 0.
func Exp(x float64) float64 {
	switch {
	case x != x:
		return x
	case x >= expOverflow:
		return math.Inf(1)
	case x <= expUnderflow:
		return 0
	case -expTiny < x && x < expTiny:
		return 1 + x
	}
	return expSum(x, 0)
}

// expSum returns e^(x+low) for |low| far below |x| and x within the bounds
// above. k·ln2Step is exact for every k that occurs, and so is the difference
// to x.
func expSum(x, low float64) float64 {
	shifted := float64(x*stepsPerUnit) + rounder
	k := int(int32(math.Float64bits(shifted)))
	steps := shifted - rounder
	r := x - float64(steps*ln2StepHi)
	return power(k, r+(low-float64(steps*ln2StepLo)))
}

// Exp2 returns 2^x; it is exact for every integer x.
//
// Exp2(+Inf) is +Inf, Exp2(-Inf) is 0, Exp2(NaN) is NaN; results beyond the
// range of a float64 become +Inf or 0.
func Exp2(x float64) float64 {
	switch {
	case x != x:
		return x
	case x >= exp2Overflow:
		return math.Inf(1)
	case x <= exp2Underflow:
		return 0
	case -expTiny < x && x < expTiny:
		return 1 + x
	}
	shifted := float64(x*tableSize) + rounder
	k := int(int32(math.Float64bits(shifted)))
	r := x - float64((shifted-rounder)*(1.0/tableSize))
	return power(k, float64(r*math.Ln2))
}

// power returns 2^(k/128)·e^r for |r| <= ln(2)/256 and a little.
func power(k int, r float64) float64 {
	point := &powerTable[k&(tableSize-1)]
	// e^r - 1, Taylor up to r^6.
	p := 1.0/120 + float64(r*(1.0/720))
	p = 1.0/24 + float64(r*p)
	p = 1.0/6 + float64(r*p)
	p = 0.5 + float64(r*p)
	q := r + float64(float64(r*r)*p)
	tail := point.lo + float64(point.hi*q)
	exponent := k >> tableBits
	if exponent <= minExponent || exponent >= maxExponent {
		return scaled(point.hi, tail, exponent)
	}
	// The sum is near [1, 2), so adding to its exponent cannot leave the range.
	return math.Float64frombits(math.Float64bits(point.hi+tail) + uint64(exponent)<<fractionBits)
}

// scaled returns (hi + tail)·2^exponent, 0.99 < hi + tail <= 2, at both ends of
// the range, where the result may overflow or be subnormal.
func scaled(hi, tail float64, exponent int) float64 {
	sum := hi + tail
	if exponent >= maxExponent {
		return float64(float64(sum*0x1p1000) * powerOfTwo(exponent-1000))
	}
	if exponent < minExponent || sum < 1 {
		// In the sum with unit, the last place stands where that of the result
		// will: what is rounded here is not rounded a second time below.
		unit := powerOfTwo(minExponent - exponent)
		high := unit + sum
		lost := (unit - high) + sum + ((hi - sum) + tail)
		sum = (high + lost) - unit
	}
	return float64(float64(sum*0x1p-1000) * powerOfTwo(exponent+1000))
}

// powerOfTwo returns 2^e for minExponent <= e <= maxExponent.
func powerOfTwo(e int) float64 {
	return math.Float64frombits(uint64(e+exponentBias) << fractionBits)
}
