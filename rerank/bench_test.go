package rerank

// What the steps cost.

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// conversation is what a usual query has to order: 350 turns of 40 sessions, mostly
// in runs of seven, and 12 terms that a tenth of the turns have.
func conversation(n, terms int) *sample {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(terms)))
	s := &sample{lending: Lending{Reach: 3, Falling: 0.5, Answer: 0.8}, form: Form{Substance: 0.05, Questions: 0.05, Times: 0.1, AsksTime: true}}
	for i := range n {
		s.entries = append(s.entries, Entry{
			Session: i % 40, Place: i / 40 * 8 / 7, Length: 5 + rng.Uint32N(40), Tokens: 5 + rng.IntN(80), Sec: rng.Int64N(1e6),
			Cosine: rng.Float64(), Alike: true, Marks: Marks(rng.IntN(16)),
		})
		s.scores = append(s.scores, rng.Float64())
	}
	s.terms = Terms{Weights: make([]float64, terms), Saturation: saturation, TF: make([]uint32, n*terms)}
	for k := range s.terms.Weights {
		s.terms.Weights[k] = 1 + rng.Float64()
	}
	for i := range s.terms.TF {
		if rng.IntN(10) == 0 {
			s.terms.TF[i] = 1 + rng.Uint32N(2)
		}
	}
	return s
}

func BenchmarkNewList(b *testing.B) { bench(b, func(s *sample, _ *List) { NewList(s.entries) }) }
func BenchmarkLexical(b *testing.B) {
	bench(b, func(s *sample, l *List) { l.Lexical(s.terms, s.lending) })
}
func BenchmarkMeaning(b *testing.B) { bench(b, func(_ *sample, l *List) { l.Meaning(0.1) }) }
func BenchmarkPrior(b *testing.B)   { bench(b, func(s *sample, l *List) { l.Prior(s.form) }) }
func BenchmarkSession(b *testing.B) { bench(b, func(s *sample, l *List) { l.Session(s.scores, 0.2) }) }
func BenchmarkNewest(b *testing.B) {
	bench(b, func(s *sample, l *List) { l.Newest(s.scores, 0.2, 0.1) })
}
func BenchmarkAllSteps(b *testing.B) { bench(b, everything) }

func everything(s *sample, _ *List) {
	l := NewList(s.entries)
	l.Lexical(s.terms, s.lending)
	l.Meaning(0.1)
	l.Prior(s.form)
	l.Newest(l.Session(s.scores, 0.2), 0.2, 0.1)
}

func bench(b *testing.B, step func(*sample, *List)) {
	for _, size := range [][2]int{{350, 12}, {3500, 12}} {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			s := conversation(size[0], size[1])
			l := NewList(s.entries)
			b.ReportAllocs()
			for b.Loop() {
				step(s, l)
			}
		})
	}
}

// The memory of a step doesn't depend on the number of terms.
func TestLexicalAllocations(t *testing.T) {
	for _, terms := range []int{1, 12, 100} {
		s := conversation(350, terms)
		l := NewList(s.entries)
		if n := testing.AllocsPerRun(5, func() { l.Lexical(s.terms, s.lending) }); n > 3 {
			t.Errorf("%d terms: %v allocations", terms, n)
		}
	}
}
