package rerank

// This file decides what meanings, form, sessions and times are worth.

import "github.com/contextforge-go/contextforge/internal/fmath"

// Meaning returns the cosine of each entry and share of each neighbour's. Where there
// is no neighbour, or its cosine isn't known, the entry's own stands for it, so that
// nothing is worth more for being surrounded. known says whose cosine is known.
func (l *List) Meaning(share float64) (sums []float64, known []bool) {
	sums, known = make([]float64, len(l.entries)), make([]bool, len(l.entries))
	for i := range l.entries {
		e := &l.entries[i]
		if known[i] = e.Alike; !e.Alike {
			continue
		}
		around := l.cosineOr(l.before[i], e.Cosine) + l.cosineOr(l.after[i], e.Cosine)
		sums[i] = e.Cosine + float64(share*around)
	}
	return sums, known
}

func (l *List) cosineOr(i int32, other float64) float64 {
	if i < 0 || !l.entries[i].Alike {
		return other
	}
	return l.entries[i].Cosine
}

// Form says what a turn is worth for its form. Zero values count for nothing.
type Form struct {
	// Substance is the exponent of a turn's size: (min(tokens, FullSize)/FullSize)^Substance.
	Substance float64
	// Questions is the part that a turn loses which ends with a question mark.
	Questions float64
	// Times is the part that a turn with a time expression wins when AsksTime.
	Times    float64
	AsksTime bool
	// Speaker is the part that the words of the person named in the question win, and
	// Reply that which other people's answer to a question of that person wins.
	Speaker, Reply float64
}

// FullSize is the number of tokens from which on more don't count.
const FullSize = 60

// Prior returns the factor of each entry's score by its form, 1 without a session.
func (l *List) Prior(f Form) []float64 {
	var sizes [FullSize + 1]float64
	for n := range sizes {
		sizes[n] = fmath.Pow(float64(max(n, 1))/FullSize, f.Substance)
	}
	factors := make([]float64, len(l.entries))
	for i := range l.entries {
		e := &l.entries[i]
		factors[i] = 1
		if e.Session < 0 {
			continue
		}
		factor := sizes[min(max(e.Tokens, 0), FullSize)]
		if e.Marks&Question != 0 {
			factor *= 1 - f.Questions
		}
		if f.AsksTime && e.Marks&Times != 0 {
			factor *= 1 + f.Times
		}
		switch before := l.before[i]; {
		case e.Marks&Speaker != 0:
			factor *= 1 + f.Speaker
		case before >= 0 && l.entries[before].Marks&(Speaker|Asks) == Speaker|Asks:
			factor *= 1 + f.Reply
		}
		factors[i] = factor
	}
	return factors
}

// Session returns the scores with share of the best of each one's session added,
// brought back to the scale that they had.
func (l *List) Session(scores []float64, share float64) []float64 {
	best := make([]float64, l.distinct)
	for i, s := range scores {
		best[l.sessions[i]] = max(best[l.sessions[i]], s)
	}
	out := make([]float64, len(scores))
	for i, s := range scores {
		out[i] = (s + float64(share*best[l.sessions[i]])) / (1 + share)
	}
	return out
}
