// References of several hundred bits from math/big, and the distance of a
// float64 to them in units in the last place.

package fmath

import (
	"math"
	"math/big"
)

const precision = 300

func bigFloat(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

func newBig() *big.Float { return new(big.Float).SetPrec(precision) }

// bigAtanhSeries returns 2·atanh(z) = ln((1+z)/(1-z)) for small z.
func bigAtanhSeries(z *big.Float) *big.Float {
	square := newBig().Mul(z, z)
	power := newBig().Set(z)
	sum := newBig().Set(z)
	for n := int64(3); n < 2000; n += 2 {
		power.Mul(power, square)
		term := newBig().Quo(power, newBig().SetInt64(n))
		if term.Sign() == 0 || term.MantExp(nil) < sum.MantExp(nil)-precision {
			break
		}
		sum.Add(sum, term)
	}
	return sum.Mul(sum, bigFloat(2))
}

var bigLn2 = bigAtanhSeries(newBig().Quo(bigFloat(1), bigFloat(3)))

// bigLog returns ln(x) for x > 0.
func bigLog(x *big.Float) *big.Float {
	m := newBig()
	k := x.MantExp(m) // 0.5 <= m < 1
	if m.Cmp(bigFloat(0.70710678)) < 0 {
		m.Mul(m, bigFloat(2))
		k--
	}
	z := newBig().Quo(newBig().Sub(m, bigFloat(1)), newBig().Add(m, bigFloat(1)))
	result := newBig().Mul(newBig().SetInt64(int64(k)), bigLn2)
	if z.Sign() == 0 {
		return result
	}
	return result.Add(result, bigAtanhSeries(z))
}

// bigExp returns e^x for |x| < 5000.
func bigExp(x *big.Float) *big.Float {
	quotient, _ := newBig().Quo(x, bigLn2).Float64()
	k := math.Round(quotient)
	r := newBig().Sub(x, newBig().Mul(bigFloat(k), bigLn2))
	r.SetMantExp(r, -10)
	sum, term := bigFloat(1), bigFloat(1)
	for n := int64(1); n < 200; n++ {
		term.Mul(term, r)
		term.Quo(term, newBig().SetInt64(n))
		if term.Sign() == 0 || term.MantExp(nil) < -precision {
			break
		}
		sum.Add(sum, term)
	}
	for range 10 {
		sum.Mul(sum, sum)
	}
	return sum.SetMantExp(sum, int(k))
}

// bigExp2 returns 2^x.
func bigExp2(x *big.Float) *big.Float { return bigExp(newBig().Mul(x, bigLn2)) }

// ulps returns |got - want| in units of the last place that a float64 of the
// size of want has, 2^-1074 at least.
func ulps(got float64, want *big.Float) float64 {
	exponent := want.MantExp(nil) - 53
	if exponent < -1074 {
		exponent = -1074
	}
	difference := newBig().Sub(bigFloat(got), want)
	result, _ := difference.SetMantExp(difference, -exponent).Float64()
	return math.Abs(result)
}
