// Accuracy against math/big, special values, golden hashes, benchmarks.

package fmath

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

const maxUlps = 0.55

// ranges are the argument ranges that the samples are drawn from.
type sampler struct {
	name string
	draw func(r *rand.Rand) float64
}

func uniform(low, high float64) func(*rand.Rand) float64 {
	return func(r *rand.Rand) float64 { return low + float64((high-low)*r.Float64()) }
}

// around draws center·(1 + d) with |d| from 2^-53 to 2^-4.
func around(center float64) func(*rand.Rand) float64 {
	return func(r *rand.Rand) float64 {
		d := math.Ldexp(r.Float64()-0.5, -r.IntN(50)-3)
		return center + float64(center*d)
	}
}

func anyPositive(r *rand.Rand) float64 {
	return math.Float64frombits(r.Uint64N(0x7FF0000000000000-1) + 1)
}

func subnormal(r *rand.Rand) float64 {
	return math.Float64frombits(r.Uint64N(1<<52-1) + 1)
}

// tablePoint draws next to a value where the reduction changes table points.
func tablePoint(r *rand.Rand) float64 {
	x := 1 + float64(r.IntN(2*tableSize))/(2*tableSize)
	bits := math.Float64bits(x) + r.Uint64N(64) - 32
	return math.Ldexp(math.Float64frombits(bits), r.IntN(7)-3)
}

func signed(draw func(*rand.Rand) float64) func(*rand.Rand) float64 {
	return func(r *rand.Rand) float64 {
		if r.IntN(2) == 0 {
			return -draw(r)
		}
		return draw(r)
	}
}

func tiny(r *rand.Rand) float64 { return math.Ldexp(r.Float64()+0.5, -r.IntN(1074)) }

// halfSteps draws next to an odd multiple of step/2, where the reduced argument
// of an exponential is largest.
func halfSteps(step, limit float64) func(*rand.Rand) float64 {
	return func(r *rand.Rand) float64 {
		n := float64(r.IntN(int(limit/step))) + 0.5
		x := float64(n * step)
		return math.Float64frombits(math.Float64bits(x) + r.Uint64N(16) - 8)
	}
}

type function struct {
	name      string
	of        func(float64) float64
	reference func(*big.Float) *big.Float
	samplers  []sampler
}

var functions = []function{
	{"Log", Log, bigLog, []sampler{
		{"all", anyPositive}, {"near1", around(1)}, {"subnormal", subnormal}, {"idf", uniform(1, 100)},
		{"points", tablePoint}, {"huge", uniform(1e300, math.MaxFloat64)}, {"below1", uniform(0.5, 1)},
	}},
	{"Exp", Exp, bigExp, []sampler{
		{"usual", signed(uniform(0, 30))}, {"large", uniform(690, 709.78)}, {"subnormal", uniform(-745.2, -708)},
		{"tiny", signed(tiny)}, {"unit", signed(uniform(0, 1))}, {"steps", signed(halfSteps(math.Ln2/tableSize, 708))},
		{"all", uniform(-745, 709.7)},
	}},
	{"Exp2", Exp2, bigExp2, []sampler{
		{"usual", signed(uniform(0, 30))}, {"large", uniform(1000, 1024)}, {"subnormal", uniform(-1075, -1022)},
		{"tiny", signed(tiny)}, {"unit", signed(uniform(0, 1))}, {"steps", signed(halfSteps(1.0/tableSize, 1020))},
		{"all", uniform(-1075, 1024)},
	}},
}

func TestAccuracy(t *testing.T) {
	n := 4000
	if testing.Short() {
		n = 500
	}
	for _, f := range functions {
		for i, s := range f.samplers {
			t.Run(f.name+"/"+s.name, func(t *testing.T) {
				r := rand.New(rand.NewPCG(uint64(i), 7))
				worst, at := 0.0, 0.0
				for range n {
					x := s.draw(r)
					if d := ulps(f.of(x), f.reference(bigFloat(x))); d > worst {
						worst, at = d, x
					}
				}
				t.Logf("worst %.4f ulp at %x", worst, at)
				if worst > maxUlps {
					t.Errorf("%s(%x) is %.4f ulp off, more than %v", f.name, at, worst, maxUlps)
				}
			})
		}
	}
}

func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

func TestSpecialValues(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	tests := []struct {
		f       string
		x, want float64
	}{
		{"Log", 1, 0}, {"Log", 0, -inf}, {"Log", math.Copysign(0, -1), -inf}, {"Log", inf, inf}, {"Log", nan, nan},
		{"Log", -1, nan}, {"Log", -inf, nan}, {"Log", -0x1p-1074, nan},
		{"Log", 2, math.Ln2}, {"Log", 0.5, -math.Ln2}, {"Log", math.MaxFloat64, 0x1.62e42fefa39efp+9},
		{"Log", 0x1p-1074, -0x1.74385446d71c3p+9},
		{"Exp", 0, 1}, {"Exp", math.Copysign(0, -1), 1}, {"Exp", inf, inf}, {"Exp", -inf, 0}, {"Exp", nan, nan},
		{"Exp", 1, math.E}, {"Exp", 1e-300, 1}, {"Exp", -1e-300, 1}, {"Exp", 710, inf}, {"Exp", -746, 0},
		{"Exp", 0x1.62e42fefa39efp+9, 0x1.fffffffffff2ap+1023}, {"Exp", 0x1.62e42fefa39fp+9, inf},
		{"Exp", math.MaxFloat64, inf}, {"Exp", -math.MaxFloat64, 0},
		{"Exp", -0x1.74910d52d3051p+9, 0x1p-1074}, {"Exp", -0x1.74910d52d3052p+9, 0},
		{"Exp2", 0, 1}, {"Exp2", inf, inf}, {"Exp2", -inf, 0}, {"Exp2", nan, nan}, {"Exp2", 1024, inf},
		{"Exp2", 0x1.fffffffffffffp+9, 0x1.ffffffffffd3ap+1023}, {"Exp2", -1074, 0x1p-1074},
		{"Exp2", -1075, 0}, {"Exp2", -0x1.0cbffffffffffp+10, 0x1p-1074}, {"Exp2", -1e9, 0}, {"Exp2", 1e300, inf},
	}
	for _, tt := range tests {
		for _, f := range functions {
			if f.name == tt.f && !same(f.of(tt.x), tt.want) {
				t.Errorf("%s(%x) = %x, want %x", tt.f, tt.x, f.of(tt.x), tt.want)
			}
		}
	}
}

func TestExp2Integers(t *testing.T) {
	for k := -1074; k <= 1023; k++ {
		if got, want := Exp2(float64(k)), math.Ldexp(1, k); got != want {
			t.Errorf("Exp2(%d) = %x, want %x", k, got, want)
		}
	}
}

// The references themselves, against the correctly known digits of ln 2 and e.
func TestReferences(t *testing.T) {
	const ln2 = "0.6931471805599453094172321214581765680755001343602552541206800094933936"
	const e = "2.718281828459045235360287471352662497757247093699959574966967627724077"
	if got := bigLn2.Text('f', 70); got != ln2 {
		t.Errorf("ln 2 = %s", got)
	}
	if got := bigExp(bigFloat(1)).Text('f', 69); got != e {
		t.Errorf("e = %s", got)
	}
	if d := ulps(1, bigLog(bigExp(bigFloat(1)))); d > 1e-50 {
		t.Errorf("ln e is off by %g ulp", d)
	}
}

func TestMonotone(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, f := range functions {
		for range 20000 {
			x := tablePoint(r)
			next := math.Nextafter(x, math.Inf(1))
			if f.of(next) < f.of(x) {
				t.Errorf("%s falls between %x and the next number", f.name, x)
			}
		}
	}
}

// hashes returns one line for each function and sampler: the FNV-64 hash of n
// arguments and results.
func hashes(n int) string {
	var b strings.Builder
	line := func(name string, seed int, of func(r *rand.Rand) []float64) {
		r := rand.New(rand.NewPCG(uint64(seed), 11))
		h := fnv.New64a()
		for range n {
			for _, v := range of(r) {
				bits := math.Float64bits(v)
				if v != v {
					bits = 0x7FF8000000000001
				}
				var buf [8]byte
				for i := range buf {
					buf[i] = byte(bits >> (8 * i))
				}
				h.Write(buf[:])
			}
		}
		fmt.Fprintf(&b, "%s %016x\n", name, h.Sum64())
	}
	for _, f := range functions {
		for i, s := range f.samplers {
			line(f.name+"/"+s.name, i, func(r *rand.Rand) []float64 {
				x := s.draw(r)
				return []float64{x, f.of(x)}
			})
		}
	}
	line("Pow", 9, func(r *rand.Rand) []float64 {
		// The sampler itself uses math.Log; fixed draws keep its bits out.
		x, y := anyPositive(r), signed(uniform(0, 2))(r)
		return []float64{x, y, Pow(x, y), Pow(r.Float64(), r.Float64())}
	})
	return b.String()
}

// A platform on which any result differs in any bit fails here.
func TestGoldenBits(t *testing.T) {
	const path = "testdata/bits.golden"
	got := hashes(20000)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	wantLines := strings.Fields(string(want))
	for i, field := range strings.Fields(got) {
		if i >= len(wantLines) || field != wantLines[i] {
			t.Fatalf("bits differ from %s:\n%s", path, got)
		}
	}
}

func FuzzAccuracy(f *testing.F) {
	for _, x := range []float64{1, 0.5, -3.25, 709.7, -745, 1e-310, math.MaxFloat64, math.Inf(1), math.NaN()} {
		f.Add(x)
	}
	f.Fuzz(func(t *testing.T, x float64) {
		for _, fn := range functions {
			got := fn.of(x)
			switch {
			case x != x || fn.name == "Log" && x < 0:
				if got == got {
					t.Errorf("%s(%x) = %x, want NaN", fn.name, x, got)
				}
			case math.IsInf(x, 0) || fn.name == "Log" && x == 0 || fn.name != "Log" && math.Abs(x) > 2000:
				// Special values, tested above.
			case math.IsInf(got, 1):
				if high, _ := fn.reference(bigFloat(x)).Float64(); !math.IsInf(high, 1) {
					t.Errorf("%s(%x) = +Inf, want %x", fn.name, x, high)
				}
			default:
				if d := ulps(got, fn.reference(bigFloat(x))); d > maxUlps {
					t.Errorf("%s(%x) is %.4f ulp off", fn.name, x, d)
				}
			}
		}
	})
}

func BenchmarkUnary(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	xs := make([]float64, 1024)
	for i := range xs {
		xs[i] = uniform(0.1, 30)(r)
	}
	for _, f := range functions {
		b.Run(f.name, func(b *testing.B) {
			b.ReportAllocs()
			sink := 0.0
			for i := 0; b.Loop(); i++ {
				sink += f.of(xs[i&1023])
			}
			if sink == 0 {
				b.Fatal("no result")
			}
		})
	}
}
