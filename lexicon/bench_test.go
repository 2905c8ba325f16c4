// Benchmarks: what an average entry costs, and what building costs.

package lexicon

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// average is an entry of 45 words.
const average = "We moved the release to Thursday because Ana's tests were still failing on Windows, and nobody wanted to wait. " +
	"Maria said that the Node build needs 4 GB of memory, see the wiki for the steps. " +
	"That's right, but the deadline for the migration stays where it is, so I'll follow up."

// words returns n different words of 3 to 9 letters.
func words(rng *rand.Rand, n int) []string {
	seen := map[string]bool{}
	var out []string
	for len(out) < n {
		b := make([]byte, 3+rng.IntN(7))
		for i := range b {
			b[i] = "etaoinshrdlucmfwypvbgkjqxz"[min(rng.IntN(26), rng.IntN(26))]
		}
		if !seen[string(b)] {
			seen[string(b)] = true
			out = append(out, string(b))
		}
	}
	return out
}

// largeText returns a lexicon of n terms of one to three words.
func largeText(n int) string {
	rng := rand.New(rand.NewPCG(1, 2))
	vocabulary := words(rng, 3000)
	var b strings.Builder
	b.WriteString("[terms]\n")
	seen := map[string]bool{}
	for len(seen) < n {
		term := vocabulary[rng.IntN(len(vocabulary))]
		for range rng.IntN(3) {
			term += " " + vocabulary[rng.IntN(len(vocabulary))]
		}
		if !seen[term] {
			seen[term] = true
			fmt.Fprintf(&b, "%q = 0.5\n", term)
		}
	}
	return b.String()
}

func parsed(tb testing.TB, text string) *ConfigScorer {
	tb.Helper()
	s, err := Parse("test", text)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func BenchmarkScore(b *testing.B) {
	large := parsed(b, largeText(10_000))
	var terms []string
	for term := range large.Terms() {
		terms = append(terms, term)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	var dense strings.Builder // nothing but terms
	for dense.Len() < len(average) {
		dense.WriteString(terms[rng.IntN(len(terms))] + " ")
	}
	for _, bench := range []struct {
		name   string
		scorer *ConfigScorer
		text   string
	}{
		{"english", English(), average},
		{"10000", large, average},
		{"10000/terms", large, dense.String()},
		{"english/cyrillic", English(), strings.Repeat("Мы перенесли релиз на четверг, тесты упали. ", 4)},
		{"english/chinese", English(), strings.Repeat("上线前我们在部署会议里确认了用户身份。", 5)},
		{"english/korean", English(), strings.Repeat("우리는 목요일로 출시를 옮겼다. ", 6)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(bench.text)))
			item := Item{Content: bench.text}
			for b.Loop() {
				bench.scorer.Score(item, "")
			}
		})
	}
}

func BenchmarkExplain(b *testing.B) {
	b.Run("english", func(b *testing.B) {
		b.ReportAllocs()
		item := Item{Content: average}
		for b.Loop() {
			English().Explain(item, "")
		}
	})
}

// BenchmarkHostile is a megabyte of what costs the most.
func BenchmarkHostile(b *testing.B) {
	for _, h := range hostile() {
		b.Run(fmt.Sprintf("%s/%d", h.name, len(h.text)), func(b *testing.B) {
			s := parsed(b, h.lexicon())
			b.ReportAllocs()
			b.SetBytes(int64(len(h.text)))
			item := Item{Content: h.text}
			for b.Loop() {
				s.Score(item, "")
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		text := largeText(n)
		patterns := func() []pattern {
			s := parsed(b, text)
			for i := range s.patterns {
				s.patterns[i].key = foldKey(s.patterns[i].text)
			}
			return s.patterns
		}()
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				work := make([]pattern, n)
				copy(work, patterns)
				compile("test", work)
			}
			b.ReportMetric(float64(len(compile("test", append([]pattern(nil), patterns...)).automaton.nodes)), "states")
		})
	}
}

func BenchmarkParse(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		text := largeText(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				parsed(b, text)
			}
		})
	}
}
