// Package measure times operations side by side and summarises the times.
//
// Operations to be compared run in turn, one call of each after the other, so
// that what else the machine does meets all of them alike. A round of calls gives
// one median and one 99th percentile; the figure of an operation is the median
// of its rounds, and a ratio is the median of the ratios within each round.
package measure

// This file decides how times are taken and which one speaks for many.

import (
	"cmp"
	"slices"
	"time"
)

// Times are the durations of the calls of one round.
type Times []time.Duration

// At returns the percentile p of the times, 0 to 100, by the nearest rank; 0
// when there are none.
func (t Times) At(p float64) time.Duration {
	if len(t) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(t))
	rank := int(float64(len(sorted))*p/100 + 0.999999)
	return sorted[min(max(rank, 1), len(sorted))-1]
}

// Clock returns how long call took.
func Clock(call func() error) (time.Duration, error) {
	start := time.Now()
	err := call()
	return time.Since(start), err
}

// InTurn calls every operation n times, one call of each after the other,
// beginning with another one each time, and returns the times of each.
func InTurn(n int, operations ...func(i int) error) ([]Times, error) {
	out := make([]Times, len(operations))
	for i := range n {
		for k := range operations {
			at := (i + k) % len(operations)
			took, err := Clock(func() error { return operations[at](i) })
			if err != nil {
				return nil, err
			}
			out[at] = append(out[at], took)
		}
	}
	return out, nil
}

// Series are the rounds of one operation.
type Series []Times

// At returns the median over the rounds of their percentile p.
func (s Series) At(p float64) time.Duration {
	all := make([]time.Duration, len(s))
	for i, t := range s {
		all[i] = t.At(p)
	}
	return Median(all)
}

// Ratio returns the median over the rounds of the ratio of the percentiles p of
// s and other, which has as many rounds; 0 when there are none.
func (s Series) Ratio(other Series, p float64) float64 {
	var all []float64
	for i, t := range s {
		if d := other[i].At(p); d > 0 {
			all = append(all, float64(t.At(p))/float64(d))
		}
	}
	return Median(all)
}

// Rounds carries out n rounds and collects the times of each operation.
func Rounds(n int, round func(r int) ([]Times, error)) ([]Series, error) {
	var out []Series
	for r := range n {
		times, err := round(r)
		if err != nil {
			return nil, err
		}
		if out == nil {
			out = make([]Series, len(times))
		}
		for k, t := range times {
			out[k] = append(out[k], t)
		}
	}
	return out, nil
}

// Median returns the middle value, of two middle ones the lower; the zero value
// when there are none.
func Median[T cmp.Ordered](values []T) T {
	if len(values) == 0 {
		var zero T
		return zero
	}
	return slices.Sorted(slices.Values(values))[(len(values)-1)/2]
}
