package rerank

// The steps by their definitions, without any thought of cost, and lists to try
// them on.

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/contextforge-go/contextforge/internal/fmath"
)

// sample is a list with all that the steps ask for.
type sample struct {
	entries []Entry
	terms   Terms
	lending Lending
	form    Form
	scores  []float64
}

// saturation is a stand-in for BM25's that grows with tf and falls with the length,
// faster for notes.
func saturation(tf, length uint32, chat bool) float64 {
	b := 0.02
	if chat {
		b = 0.01
	}
	return float64(tf) / (float64(tf) + (1.2 + float64(b*float64(length))))
}

func share(rng *rand.Rand) float64 { return []float64{0, 0.1, 0.5, 0.8, 1, rng.Float64()}[rng.IntN(6)] }

// draw returns a random list of up to n entries in a few sessions, with gaps, in any
// order.
func draw(rng *rand.Rand, n int) *sample {
	s := &sample{
		lending: Lending{Reach: rng.IntN(6), Falling: share(rng), Answer: share(rng)},
		form: Form{
			Substance: share(rng), Questions: share(rng), Times: share(rng), AsksTime: rng.IntN(2) == 0,
			Speaker: share(rng), Reply: share(rng), Within: share(rng),
		},
	}
	places := map[int]int{}
	for range rng.IntN(n + 1) {
		e := Entry{
			Session: rng.IntN(5) - 1, Length: rng.Uint32N(200), Tokens: rng.IntN(90), Sec: rng.Int64N(40),
			Cosine: rng.Float64()*2 - 1, Alike: rng.IntN(6) > 0, Marks: Marks(rng.IntN(32)),
		}
		places[e.Session] += 1 + rng.IntN(5)/4 // a gap now and then
		e.Place = places[e.Session]
		s.entries = append(s.entries, e)
		s.scores = append(s.scores, rng.Float64())
	}
	rng.Shuffle(len(s.entries), func(i, j int) { s.entries[i], s.entries[j] = s.entries[j], s.entries[i] })
	s.terms = Terms{Saturation: saturation, Weights: make([]float64, rng.IntN(5))}
	for k := range s.terms.Weights {
		s.terms.Weights[k] = rng.Float64() * 9
	}
	for range len(s.entries) * len(s.terms.Weights) {
		s.terms.TF = append(s.terms.TF, uint32(max(0, rng.IntN(9)-5)))
	}
	return s
}

func (s *sample) list() *List { return NewList(slices.Clone(s.entries)) }

// permuted returns the sample with its entries in another order.
func (s *sample) permuted(order []int) *sample {
	p := *s
	p.entries, p.scores, p.terms.TF = nil, nil, nil
	terms := len(s.terms.Weights)
	for _, i := range order {
		p.entries, p.scores = append(p.entries, s.entries[i]), append(p.scores, s.scores[i])
		p.terms.TF = append(p.terms.TF, s.terms.TF[i*terms:][:terms]...)
	}
	return &p
}

// at returns the index of the entry of a session at a place, or -1.
func (s *sample) at(session, place int) int {
	if session < 0 {
		return -1
	}
	return slices.IndexFunc(s.entries, func(e Entry) bool { return e.Session == session && e.Place == place })
}

// beside reports whether there are entries all the way from one to the other.
func (s *sample) beside(i, j int) (distance int, ok bool) {
	a, b := s.entries[i], s.entries[j]
	if a.Session < 0 || a.Session != b.Session {
		return 0, false
	}
	for place := min(a.Place, b.Place); place < max(a.Place, b.Place); place++ {
		if s.at(a.Session, place) < 0 {
			return 0, false
		}
	}
	return max(a.Place, b.Place) - min(a.Place, b.Place), true
}

// own is what term k counts for in entry i by itself.
func (s *sample) own(i, k int) float64 {
	tf := s.terms.TF[i*len(s.terms.Weights)+k]
	if tf == 0 {
		return 0
	}
	return s.terms.Saturation(tf, s.entries[i].Length, s.entries[i].Session >= 0)
}

func (s *sample) lexical() []float64 {
	out := make([]float64, len(s.entries))
	for k, weight := range s.terms.Weights {
		for i := range s.entries {
			most := s.own(i, k)
			for j := range s.entries {
				distance, ok := s.beside(i, j)
				if !ok || i == j {
					continue
				}
				part := s.own(j, k)
				if s.entries[j].Marks&Asks != 0 && s.entries[j].Place+1 == s.entries[i].Place {
					most = max(most, s.lending.Answer*part)
				}
				for range distance {
					part *= s.lending.Falling
				}
				if distance <= s.lending.Reach {
					most = max(most, part)
				}
			}
			out[i] += float64(weight * most)
		}
	}
	return out
}

func (s *sample) meaning(share float64) (means []float64, known []bool) {
	for _, e := range s.entries {
		sum, weight := e.Cosine, 1+float64(2*share)
		around := 0.0
		for _, place := range []int{e.Place - 1, e.Place + 1} {
			c := e.Cosine
			if j := s.at(e.Session, place); j >= 0 && s.entries[j].Alike {
				c = s.entries[j].Cosine
			}
			around += c
		}
		switch {
		case !e.Alike:
			sum = 0
		case around != float64(2*e.Cosine):
			sum = (sum + float64(share*around)) / weight
		}
		means, known = append(means, sum), append(known, e.Alike)
	}
	return means, known
}

func (s *sample) prior() []float64 {
	f := s.form
	out := make([]float64, len(s.entries))
	for i, e := range s.entries {
		factor := 1.0
		if e.Marks&Within != 0 {
			factor = 1 + f.Within
		}
		if e.Session >= 0 {
			factor *= fmath.Pow(float64(min(60, max(1, e.Tokens)))/60, f.Substance)
			if e.Marks&Question != 0 {
				factor *= 1 - f.Questions
			}
			if f.AsksTime && e.Marks&Times != 0 {
				factor *= 1 + f.Times
			}
			before := s.at(e.Session, e.Place-1)
			if e.Marks&Speaker != 0 {
				factor *= 1 + f.Speaker
			} else if before >= 0 && s.entries[before].Marks&Speaker != 0 && s.entries[before].Marks&Asks != 0 {
				factor *= 1 + f.Reply
			}
		}
		out[i] = factor
	}
	return out
}

func (s *sample) session(share float64) []float64 {
	out := slices.Clone(s.scores)
	for i, e := range s.entries {
		if e.Session < 0 {
			continue
		}
		best := math.Inf(-1)
		for j, other := range s.entries {
			if other.Session == e.Session {
				best = max(best, s.scores[j])
			}
		}
		out[i] = (s.scores[i] + float64(share*best)) / (1 + share)
	}
	return out
}

func (s *sample) newest(within, gain float64) []float64 {
	out := slices.Clone(s.scores)
	if len(out) == 0 {
		return out
	}
	sorted := slices.Sorted(slices.Values(s.scores))
	best := sorted[len(sorted)-1]
	spread := best - sorted[(len(sorted)-1)/2]
	rival := func(i int) bool { return s.scores[i] >= best-float64(within*spread) }
	rivals := 0
	for i := range s.scores {
		if rival(i) {
			rivals++
		}
	}
	for i := range s.scores {
		older := 0
		for j := range s.scores {
			if rival(j) && s.entries[j].Sec < s.entries[i].Sec {
				older++
			}
		}
		if rival(i) && rivals > 1 {
			out[i] += gain * spread * float64(older) / float64(rivals-1)
		}
	}
	if most := slices.Max(out); most > best {
		for i := range out {
			out[i] *= best / most
		}
	}
	return out
}
