package rerank

// This file decides what meanings, form, sessions and age are worth.

import (
	"cmp"
	"slices"

	"github.com/contextforge-go/contextforge/internal/fmath"
)

// Meaning returns the mean of each entry's cosine and its neighbours', which weigh
// share of it: what one cosine could be, it can be. Where there is no neighbour, or
// its cosine isn't known, the entry's own stands for it, so that nothing is worth more
// for being surrounded. known says whose cosine is known.
func (l *List) Meaning(share float64) (means []float64, known []bool) {
	means, known = make([]float64, len(l.entries)), make([]bool, len(l.entries))
	for i := range l.entries {
		e := &l.entries[i]
		if known[i] = e.Alike; !e.Alike {
			continue
		}
		before, after := l.cosineOr(l.before[i], e.Cosine), l.cosineOr(l.after[i], e.Cosine)
		if means[i] = e.Cosine; before != e.Cosine || after != e.Cosine { // else to the bit
			means[i] = (e.Cosine + float64(share*(before+after))) / (1 + float64(2*share))
		}
	}
	return means, known
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
	// Within is the part that entries Within the question's time win, without a
	// session too.
	Within float64
}

// FullSize is the number of tokens from which on more don't count.
const FullSize = 60

// Prior returns the factor of each entry's score by its form; without a session only
// the time counts.
func (l *List) Prior(f Form) []float64 {
	var sizes [FullSize + 1]float64
	for n := range sizes {
		sizes[n] = fmath.Pow(float64(max(n, 1))/FullSize, f.Substance)
	}
	factors := make([]float64, len(l.entries))
	for i := range l.entries {
		e := &l.entries[i]
		factor := 1.0
		if e.Marks&Within != 0 {
			factor = 1 + f.Within
		}
		if factors[i] = factor; e.Session < 0 {
			continue
		}
		factor *= sizes[min(max(e.Tokens, 0), FullSize)]
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
// brought back to the scale that they had. The score of an entry without a session
// stays.
func (l *List) Session(scores []float64, share float64) []float64 {
	best := make([]float64, l.distinct)
	for i, s := range scores {
		best[l.sessions[i]] = max(best[l.sessions[i]], s)
	}
	out := make([]float64, len(scores))
	for i, s := range scores {
		if out[i] = s; l.entries[i].Session >= 0 {
			out[i] = (s + float64(share*best[l.sessions[i]])) / (1 + share)
		}
	}
	return out
}

// Newest returns the scores of an answer to a question about the present. The entries
// whose score is in the upper part within of the range from the median to the best may
// all be about what is asked for: of these the newer wins, the newest gain of that
// range and the oldest nothing, those between by their place in the order of time, those
// of one second as the first of them. The
// best score stays what it was.
func (l *List) Newest(scores []float64, within, gain float64) []float64 {
	out := slices.Clone(scores)
	if len(scores) == 0 || gain <= 0 {
		return out
	}
	slices.Sort(out)
	best := out[len(out)-1]
	spread := best - out[(len(out)-1)/2]
	copy(out, scores)
	rivals := l.byTime(scores, best-float64(within*spread))
	older := 0
	for place, i := range rivals {
		if place > 0 && l.entries[rivals[place-1]].Sec < l.entries[i].Sec {
			older = place
		}
		if last := len(rivals) - 1; last > 0 {
			out[i] += float64(float64(gain*spread) * (float64(older) / float64(last)))
		}
	}
	if most := slices.Max(out); most > best {
		for i := range out {
			out[i] = float64(out[i]*best) / most
		}
	}
	return out
}

// byTime returns the entries with at least a score, the oldest first.
func (l *List) byTime(scores []float64, least float64) (list []int) {
	for i, s := range scores {
		if s >= least {
			list = append(list, i)
		}
	}
	slices.SortFunc(list, func(a, b int) int {
		return cmp.Or(cmp.Compare(l.entries[a].Sec, l.entries[b].Sec), cmp.Compare(a, b))
	})
	return list
}
