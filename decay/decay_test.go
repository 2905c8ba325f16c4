// Exact values, bad settings, distant years, the case of old answers, and random
// ages against math/big.

package decay

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"
)

const year = 31_556_952 // seconds, Gregorian mean

func at(hours float64) Age {
	return Between(time.Unix(0, 0), time.Unix(0, 0).Add(time.Duration(float64(hours)*float64(time.Hour))))
}

func TestHalfExact(t *testing.T) {
	halfLives := []time.Duration{
		1, 3, 17, time.Millisecond + 1, 1700 * time.Millisecond, time.Hour, 72 * time.Hour, 365 * 24 * time.Hour, math.MaxInt64,
	}
	for _, h := range halfLives {
		age := Age{}
		for n := range 60 {
			if got, want := Half(age, h), math.Ldexp(1, -n); got != want {
				t.Errorf("half-life %v: %v after %d, want %v", h, got, n, want)
			}
			nanos := uint64(age.Nsec) + uint64(h%time.Second)
			age = Age{Sec: age.Sec + uint64(h/time.Second) + nanos/nanosPerSecond, Nsec: uint32(nanos % nanosPerSecond)}
		}
	}
}

func TestDefaults(t *testing.T) {
	for _, h := range []time.Duration{0, -1, -time.Hour, math.MinInt64} {
		if got := Half(at(72), h); got != 0.5 {
			t.Errorf("half-life %v: %v at 72 h, want 0.5", h, got)
		}
	}
	tests := []struct {
		seconds float64
		want    time.Duration
	}{
		{0, DefaultHalfLife}, {-1, DefaultHalfLife}, {math.NaN(), DefaultHalfLife}, {math.Inf(1), DefaultHalfLife},
		{math.Inf(-1), DefaultHalfLife}, {3600, time.Hour}, {259200, DefaultHalfLife}, {0.25, 250 * time.Millisecond},
		{1e-12, 1}, {1e300, math.MaxInt64}, {9223372036.8547758, math.MaxInt64}, {604800, 7 * 24 * time.Hour},
	}
	for _, tt := range tests {
		if got := HalfLife(tt.seconds); got != tt.want {
			t.Errorf("HalfLife(%v) = %v, want %v", tt.seconds, got, tt.want)
		}
	}
}

func TestBetween(t *testing.T) {
	date := func(y int, ns int) time.Time { return time.Date(y, 1, 1, 0, 0, 0, ns, time.UTC) }
	const days400 = 146_097 // days in 400 years
	tests := []struct {
		name      string
		then, now time.Time
		want      Age
	}{
		{"equal", date(2026, 5), date(2026, 5), Age{}},
		{"future", date(2027, 0), date(2026, 0), Age{}},
		{"future by 1 ns", date(2026, 6), date(2026, 5), Age{}},
		{"1 ns", date(2026, 5), date(2026, 6), Age{0, 1}},
		{"borrow", time.Unix(99, 999_999_999), time.Unix(101, 1), Age{1, 2}},
		{"zero time", time.Time{}, date(2001, 0), Age{5 * days400 * 86400, 0}},
		{"year 1600", date(1600, 0), date(2000, 1), Age{days400 * 86400, 1}},
		{"year 1 to 9999", date(1, 0), date(9999, 0), Age{(25*days400 - 365 - 366) * 86400, 0}},
		{"zones", time.Date(2026, 1, 1, 1, 0, 0, 0, time.FixedZone("a", 3600)), date(2026, 0), Age{}},
		{"extremes", time.Unix(math.MinInt64, 0), time.Unix(math.MaxInt64, 0), Age{math.MaxUint64, 0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Between(tt.then, tt.now); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}

func TestWeight(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	long := Age{Sec: math.MaxUint64, Nsec: 999_999_999}
	tests := []struct {
		name  string
		curve Curve
		age   Age
		want  float64
	}{
		{"new", Curve{}, Age{}, 1},
		{"one half-life", Curve{}, at(72), 0.5},
		{"two", Curve{}, at(144), 0.25},
		{"own half-life", Curve{HalfLife: time.Hour}, at(3), 0.125},
		{"floor at 0", Curve{Floor: 0.9}, Age{}, 1},
		{"floor at one", Curve{Floor: 0.9}, at(72), 0.95},
		{"floor for ever", Curve{Floor: 0.9}, long, 0.9},
		{"no decay", Curve{Floor: 1}, long, 1},
		{"floor too big", Curve{Floor: 3}, at(72), 1},
		{"floor infinite", Curve{Floor: inf}, at(72), 1},
		{"floor negative", Curve{Floor: -1}, at(72), 0.5},
		{"floor NaN", Curve{Floor: nan}, at(72), 0.5},
		{"1,000 half-lives", Curve{HalfLife: time.Second}, Age{Sec: 1000}, 0x1p-1000},
		{"1,074 half-lives", Curve{HalfLife: time.Second}, Age{Sec: 1074}, 0x1p-1074},
		{"1,076 half-lives", Curve{HalfLife: time.Second}, Age{Sec: 1076}, 0},
		{"2^33 half-lives", Curve{HalfLife: time.Second}, Age{Sec: 1 << 33}, 0},
		{"longest age, shortest half-life", Curve{HalfLife: 1}, long, 0},
		{"longest age, longest half-life", Curve{HalfLife: math.MaxInt64}, Age{Sec: 9223372036, Nsec: 854775807}, 0.5},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.curve.Weight(tt.age); math.Abs(got-tt.want) > 1e-16 {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestCurves(t *testing.T) {
	c := Curves{Default: Curve{HalfLife: time.Hour}, Kinds: map[string]Curve{"fact": {Floor: 1}, "chat": {}}}
	for kind, want := range map[string]float64{"fact": 1, "chat": math.Exp2(-1.0 / 72), "": 0.5, "other": 0.5} {
		if got := c.Weight(kind, at(1)); math.Abs(got-want) > 1e-15 {
			t.Errorf("kind %q: %v, want %v", kind, got, want)
		}
	}
	if got := (Curves{}).Weight("any", at(72)); got != 0.5 {
		t.Errorf("zero value: %v at 72 h", got)
	}
}

// New is exactly 1 whatever the floor.
func TestFloorKeepsOne(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 1))
	for range 100000 {
		floor := r.Float64()
		if got := (Curve{Floor: floor}).Weight(Age{}); got != 1 {
			t.Fatalf("floor %v: %v at age 0", floor, got)
		}
	}
}

// P27: with the reference's curve the exact answer of eight months ago sinks
// below every fresh chance hit; with a floor of 0.9 it keeps its place. Future,
// missing and very old dates yield ordinary weights.
func TestP27OldAnswer(t *testing.T) {
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	answer, chance := 1.0, 0.4 // relevance before decay
	old, fresh := Between(now.AddDate(0, -8, 0), now), Between(now.Add(-time.Minute), now)
	if c := (Curve{}); answer*c.Weight(old) > chance*c.Weight(fresh) {
		t.Error("the reference's curve should bury the old answer")
	}
	if c := (Curve{Floor: 0.9}); answer*c.Weight(old) < 2*chance*c.Weight(fresh) {
		t.Error("a floor of 0.9 should keep the old answer in front")
	}
	odd := []time.Time{
		now.AddDate(300, 0, 0), {}, time.Date(1600, 2, 29, 0, 0, 0, 0, time.UTC), time.Unix(math.MinInt64, 0), time.Unix(math.MaxInt64, 0),
		time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC), time.Date(-5000, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	for _, then := range odd {
		for _, c := range []Curve{{}, {Floor: 0.9}, {HalfLife: 1}} {
			w := c.Weight(Between(then, now))
			if !(w >= max(c.Floor, 0) && w <= 1) {
				t.Errorf("%v: weight %v", then, w)
			}
			if then.After(now) && w != 1 {
				t.Errorf("%v is to come, weight %v", then, w)
			}
		}
	}
}

// reference returns 0.5^(age/halfLife) to about 2^-60, for less than 1,000
// half-lives: the fraction by its Taylor series in 200-bit numbers.
func reference(age Age, halfLife time.Duration) float64 {
	wide := func() *big.Float { return new(big.Float).SetPrec(200) }
	nanos := new(big.Int).Mul(new(big.Int).SetUint64(age.Sec), big.NewInt(nanosPerSecond))
	nanos.Add(nanos, big.NewInt(int64(age.Nsec)))
	x := wide().Quo(wide().SetInt(nanos), wide().SetInt64(int64(halfLife)))
	ln2, _ := wide().SetString("0.69314718055994530941723212145817656807550013436025525412068000949339362196969")
	x.Mul(x, ln2)
	x.SetMantExp(x, -20)
	sum, term := wide().SetInt64(1), wide().SetInt64(1)
	for n := int64(1); n < 30; n++ {
		term.Mul(term, x)
		term.Quo(term, wide().SetInt64(-n))
		sum.Add(sum, term)
	}
	for range 20 {
		sum.Mul(sum, sum)
	}
	result, _ := sum.Float64()
	return result
}

func TestRandomAgainstReference(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 2))
	worst := 0.0
	for range 20000 {
		h := HalfLife(math.Ldexp(1+r.Float64(), r.IntN(40)-10))
		halfLives := math.Ldexp(r.Float64(), r.IntN(11))
		seconds := float64(halfLives * h.Seconds())
		age := Age{Sec: uint64(seconds), Nsec: r.Uint32N(nanosPerSecond)}
		if want := reference(age, h); want > 0x1p-1020 {
			worst = max(worst, math.Abs(Half(age, h)/want-1))
		}
	}
	t.Logf("largest relative error %.3g", worst)
	if worst > 1e-15 {
		t.Errorf("relative error %g, more than 1e-15", worst)
	}
}

func TestNeverRises(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 3))
	for range 200 {
		c := Curve{HalfLife: time.Duration(r.Int64N(int64(1000 * time.Hour))), Floor: r.Float64() - 0.3}
		last, age := 1.0, Age{}
		for range 300 {
			w := c.Weight(age)
			if w > last || w < 0 {
				t.Fatalf("%+v: %v after %v", c, w, last)
			}
			last = w
			age = Age{Sec: age.Sec + r.Uint64N(1+age.Sec/4+3), Nsec: age.Nsec}
		}
	}
}

// A platform on which a weight differs in one bit fails.
func TestGoldenBits(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 4))
	h := fnv.New64a()
	for range 20000 {
		c := Curve{HalfLife: time.Duration(r.Int64N(int64(2000 * time.Hour))), Floor: r.Float64() - 0.5}
		fmt.Fprintf(h, "%x\n", math.Float64bits(c.Weight(Age{Sec: r.Uint64N(40 * year), Nsec: r.Uint32N(nanosPerSecond)})))
	}
	if got, want := fmt.Sprintf("%016x", h.Sum64()), "441046e4bf253d10"; got != want {
		t.Errorf("hash of the weights is %s, want %s", got, want)
	}
}

func FuzzWeight(f *testing.F) {
	f.Add(int64(0), uint32(0), int64(259200), uint32(0), int64(0), 0.9)
	f.Add(int64(math.MinInt64), uint32(1), int64(math.MaxInt64), uint32(0), int64(1), 0.0)
	f.Add(int64(5), uint32(4_000_000_000), int64(6), uint32(3), int64(-1), math.Inf(-1))
	f.Fuzz(func(t *testing.T, thenSec int64, thenNsec uint32, nowSec int64, nowNsec uint32, halfLife int64, floor float64) {
		age := BetweenUnix(thenSec, thenNsec%nanosPerSecond, nowSec, nowNsec%nanosPerSecond)
		if age.Nsec >= nanosPerSecond {
			t.Errorf("age %+v", age)
		}
		if w := (Curve{time.Duration(halfLife), floor}).Weight(age); !(w >= 0 && w <= 1) {
			t.Errorf("weight %v", w)
		}
	})
}

func BenchmarkWeight(b *testing.B) {
	c := Curves{Default: Curve{Floor: 0.9}, Kinds: map[string]Curve{"fact": {Floor: 1}}}
	b.ReportAllocs()
	sum := 0.0
	for i := 0; b.Loop(); i++ {
		sum += c.Weight("snapshot", Age{Sec: uint64(i & 0xFFFFF), Nsec: 12345})
	}
	if sum == 0 {
		b.Fatal("no weight")
	}
}
