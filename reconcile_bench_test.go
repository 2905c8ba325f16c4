package contextforge_test

// What leaving superseded entries out costs a query, and what comparing with
// stored facts costs a distillation.

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/distill"
)

// filled is a memory of n entries, of which each every-th is superseded.
func filled(b *testing.B, n, every int) *contextforge.Memory {
	b.Helper()
	m, err := contextforge.Open(ctx, contextforge.Config{Embedder: newBag(), MaxEntries: contextforge.Unlimited})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = m.Close() })
	rng := rand.New(rand.NewPCG(1, 2))
	items := make([]contextforge.Item, n)
	for i := range items {
		text := "We talked of"
		for range 20 {
			text += fmt.Sprintf(" word%d", min(rng.IntN(2000), rng.IntN(2000)))
		}
		items[i] = contextforge.Item{Content: text, Kind: contextforge.KindFact}
		if every > 0 && i%every == 0 {
			items[i].Kind = contextforge.KindSuperseded
		}
	}
	if _, err := m.SaveBatch(ctx, items); err != nil {
		b.Fatal(err)
	}
	return m
}

func BenchmarkQuerySuperseded(b *testing.B) {
	const n = 20_000
	questions := map[string]string{"words": "word7 word40 word300", "meaning": "", "all": contextforge.MatchAll}
	for _, memory := range []struct {
		name  string
		every int
	}{{"none", 0}, {"each-100th", 100}, {"half", 2}} {
		m := filled(b, n, memory.every)
		vector := newBag().vector("word7 word40 word300")
		for _, question := range []string{"words", "meaning", "all"} {
			for _, included := range []bool{true, false} {
				b.Run(fmt.Sprintf("%d/%s/%s/included=%v", n, memory.name, question, included), func(b *testing.B) {
					b.ReportAllocs()
					o := contextforge.QueryOptions{IncludeSuperseded: included, Limit: 10}
					for b.Loop() {
						var err error
						if question == "meaning" {
							_, err = m.QueryByVector(ctx, vector, o)
						} else {
							_, err = m.Query(ctx, questions[question], o)
						}
						if err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

// The facts of a transcript that are all stored, so that everything is compared
// and nothing saved.
func BenchmarkDistillAndSave(b *testing.B) {
	for _, n := range []int{1_000, 20_000} {
		m := filled(b, n, 0)
		var facts []distill.Fact
		for i := range distill.MaxFacts {
			facts = append(facts, states(fmt.Sprintf("The setting word%d of service %d is now %d.", 10*i, i, i))...)
		}
		d := gives("", facts...)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := m.DistillAndSave(ctx, "text", d, contextforge.DistillOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
