// Age of a memory, and the weight that age leaves it.

package decay

import (
	"math"
	"math/bits"
	"time"

	"github.com/contextforge-go/contextforge/internal/fmath"
)

// DefaultHalfLife is the half-life of the reference implementation, 72 h.
const DefaultHalfLife = 72 * time.Hour

const nanosPerSecond = 1_000_000_000

// Age is a span of time that is never negative: Sec seconds and Nsec
// nanoseconds, 0 <= Nsec < 1e9. Unlike a time.Duration it reaches beyond 292
// years.
type Age struct {
	Sec  uint64
	Nsec uint32
}

// Between returns how old at now something from then is, 0 if then is later.
// Only wall clocks count, so that the answer is the same after a restart.
func Between(then, now time.Time) Age {
	return BetweenUnix(then.Unix(), uint32(then.Nanosecond()), now.Unix(), uint32(now.Nanosecond()))
}

// BetweenUnix is Between for times given as seconds since 1970, which may be
// negative, and nanoseconds within the second, at most 999,999,999.
func BetweenUnix(thenSec int64, thenNsec uint32, nowSec int64, nowNsec uint32) Age {
	if thenSec > nowSec || thenSec == nowSec && thenNsec >= nowNsec {
		return Age{}
	}
	// The difference of two int64 fits a uint64, whatever wraps on the way.
	age := Age{Sec: uint64(nowSec) - uint64(thenSec), Nsec: nowNsec - thenNsec}
	if nowNsec < thenNsec {
		age.Sec--
		age.Nsec += nanosPerSecond
	}
	return age
}

// Curve is how fast one kind of memory fades, and how far. The zero value is
// the reference's: 72 h, floor 0.
type Curve struct {
	// HalfLife is the time in which the part above the floor halves; zero or less
	// means DefaultHalfLife.
	HalfLife time.Duration
	// Floor is the weight that age cannot go below, 0 to 1; values outside are
	// brought to the nearer end, NaN to 0. With 1, age costs nothing.
	Floor float64
}

// Weight returns floor + (1 - floor)·0.5^(age/half-life).
func (c Curve) Weight(age Age) float64 {
	floor := 0.0
	if c.Floor > 0 {
		floor = min(c.Floor, 1)
	}
	return floor + float64((1-floor)*Half(age, c.HalfLife))
}

// Curves holds a curve for each kind. The zero value is the reference's curve
// for all.
type Curves struct {
	// Default is for kinds that Kinds doesn't name.
	Default Curve
	// Kinds may be nil. It is only read.
	Kinds map[string]Curve
}

// Weight returns the weight of a memory of the kind at the age.
func (c Curves) Weight(kind string, age Age) float64 {
	if curve, ok := c.Kinds[kind]; ok {
		return curve.Weight(age)
	}
	return c.Default.Weight(age)
}

// Half returns 0.5^(age/halfLife), DefaultHalfLife standing in for a half-life
// that isn't positive.
//
// The whole half-lives in age are counted in integers and only the rest goes
// through the exponential, so no rounding of the quotient shows: at 1,000
// half-lives the error is as small as at one.
func Half(age Age, halfLife time.Duration) float64 {
	if halfLife <= 0 {
		halfLife = DefaultHalfLife
	}
	unit := uint64(halfLife)
	hi, lo := bits.Mul64(age.Sec, nanosPerSecond)
	lo, carry := bits.Add64(lo, uint64(age.Nsec), 0)
	hi += carry
	if hi >= unit {
		return 0 // 2^64 half-lives and more
	}
	whole, rest := bits.Div64(hi, lo, unit)
	const beyond = 1100
	if whole > beyond {
		return 0
	}
	return math.Ldexp(fmath.Exp2(-float64(rest)/float64(unit)), -int(whole))
}

// HalfLife returns the duration of the given number of seconds. NaN, infinity,
// zero and negative numbers give DefaultHalfLife; the result is at least 1 ns
// and at most the longest duration, 292 years.
func HalfLife(seconds float64) time.Duration {
	if !(seconds > 0) || math.IsInf(seconds, 1) {
		return DefaultHalfLife
	}
	nanos := float64(seconds * nanosPerSecond)
	if nanos >= math.MaxInt64 {
		return math.MaxInt64
	}
	return max(time.Duration(math.Round(nanos)), 1)
}
