// Pow: accuracy, special values against math.Pow, exact powers, golden bits.

package fmath

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// powArguments draws x > 0 and y such that x^y is in range more often than not.
func powArguments(r *rand.Rand) (x, y float64) {
	switch r.IntN(6) {
	case 0:
		x = around(1)(r)
	case 1:
		x = anyPositive(r)
	case 2:
		x = tablePoint(r)
	case 3:
		x = subnormal(r)
	case 4:
		x = 0.5
	default:
		x = uniform(0, 100)(r)
	}
	limit := 745 / math.Max(math.Abs(math.Log(x)), 0x1p-60)
	y = float64((2*r.Float64() - 1) * limit)
	if r.IntN(3) == 0 {
		y = math.Trunc(y)
	}
	return x, y
}

func bigPow(x, y float64) *big.Float {
	return bigExp(newBig().Mul(bigLog(bigFloat(x)), bigFloat(y)))
}

func TestPowAccuracy(t *testing.T) {
	n := 20000
	if testing.Short() {
		n = 2000
	}
	r := rand.New(rand.NewPCG(5, 7))
	worst, atX, atY := 0.0, 0.0, 0.0
	for range n {
		x, y := powArguments(r)
		got, want := Pow(x, y), bigPow(x, y)
		if value, _ := want.Float64(); math.IsInf(value, 1) && math.IsInf(got, 1) {
			continue
		}
		if d := ulps(got, want); d > worst {
			worst, atX, atY = d, x, y
		}
	}
	t.Logf("worst %.4f ulp at %x, %x", worst, atX, atY)
	if worst > maxUlps {
		t.Errorf("Pow(%x, %x) is %.4f ulp off", atX, atY, worst)
	}
}

func TestPowSpecialValues(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	values := []float64{
		0, math.Copysign(0, -1), 1, -1, 2, -2, 3, -3, 0.5, -0.5, 1.5, -1.5, inf, -inf, nan, math.MaxFloat64, -math.MaxFloat64,
		0x1p-1074, -0x1p-1074, 0x1p52 + 1, 0x1p53, 0x1p53 + 2, -(0x1p52 + 1), 0x1p-1022, 1e300, 1e-300, math.Nextafter(1, 0), math.Nextafter(1, 2),
	}
	for _, x := range values {
		for _, y := range values {
			got, want := Pow(x, y), math.Pow(x, y)
			// The library is off by up to 1e-8 next to 1; TestPowAccuracy has a
			// better reference for finite results.
			near := math.Abs(got-want) <= 1e-7*math.Abs(want) && math.Signbit(got) == math.Signbit(want)
			if !same(got, want) && !(near && !math.IsInf(want, 0) && want != 0) {
				t.Errorf("Pow(%x, %x) = %x, want %x", x, y, got, want)
			}
		}
	}
}

func TestPowExact(t *testing.T) {
	for n := 0; n <= 22; n++ {
		want := math.Pow10(n)
		if got := Pow(10, float64(n)); got != want {
			t.Errorf("10^%d = %v", n, got)
		}
	}
	for base := 2; base <= 30; base++ {
		exact := int64(1)
		for n := 0; exact < 1<<53; n, exact = n+1, exact*int64(base) {
			if got := Pow(float64(base), float64(n)); got != float64(exact) {
				t.Errorf("%d^%d = %v, want %d", base, n, got, exact)
			}
			if got := Pow(float64(-base), float64(n)); math.Abs(got) != float64(exact) || math.Signbit(got) != (n&1 == 1) {
				t.Errorf("(-%d)^%d = %v", base, n, got)
			}
			if got := Pow(float64(base*base), float64(n)/2); got != float64(exact) {
				t.Errorf("%d^%v = %v, want %d", base*base, float64(n)/2, got, exact)
			}
		}
	}
	for k := 0; k <= 1074; k++ {
		if got := Pow(0.5, float64(k)); got != math.Ldexp(1, -k) {
			t.Errorf("0.5^%d = %x", k, got)
		}
	}
}

func FuzzPow(f *testing.F) {
	f.Add(2.0, 0.5)
	f.Add(-3.0, 7.0)
	f.Add(0x1p-1074, -0.99)
	f.Add(1.0000000000000002, 1e18)
	f.Fuzz(func(t *testing.T, x, y float64) {
		got := Pow(x, y)
		if want := math.Pow(x, y); (got != got) != (want != want) {
			t.Fatalf("Pow(%x, %x) = %x, want %x", x, y, got, want)
		}
		if !(x > 0) || x > math.MaxFloat64 || math.Abs(float64(y*math.Log(x))) > 2000 || y != y {
			return
		}
		want := bigPow(x, y)
		if value, _ := want.Float64(); math.IsInf(value, 1) || math.IsInf(got, 1) {
			if value != got {
				t.Errorf("Pow(%x, %x) = %x, want %x", x, y, got, value)
			}
		} else if d := ulps(got, want); d > maxUlps {
			t.Errorf("Pow(%x, %x) is %.4f ulp off", x, y, d)
		}
	})
}

func BenchmarkPow(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	xs := make([]float64, 1024)
	for i := range xs {
		xs[i] = uniform(1, 60)(r)
	}
	b.ReportAllocs()
	sink := 0.0
	for i := 0; b.Loop(); i++ {
		sink += Pow(xs[i&1023], 0.05)
	}
	if sink == 0 {
		b.Fatal("no result")
	}
}
