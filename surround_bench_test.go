package contextforge_test

// What a look at the turns around costs.

import (
	"fmt"
	"testing"

	"github.com/contextforge-go/contextforge"
)

// BenchmarkQueryConversation asks conversations of 442 turns each, by words and
// vectors at hand, in a scope of ten and of the whole store.
func BenchmarkQueryConversation(b *testing.B) {
	e := newBag()
	e.dim = 384
	m, err := contextforge.Open(ctx, contextforge.Config{Embedder: e, MaxEntries: contextforge.Unlimited, Path: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer m.Close()
	turns := readLines[contextforge.Entry](b, "turns.jsonl")
	for scope := range 10 {
		for i := range turns {
			turns[i].ID = fmt.Sprint(scope, "-", i)
			turns[i].Scope = fmt.Sprint("chat-", scope)
		}
		restore(b, m, turns...)
	}
	questions := readLines[question](b, "questions.jsonl")
	alone := searchesAlone()
	for name, r := range map[string]*contextforge.Ranking{"searches-alone": alone, "default": nil} {
		for _, scope := range []string{"chat-3", ""} {
			b.Run(fmt.Sprintf("%s/scope=%q", name, scope), func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					o := contextforge.QueryOptions{Filter: contextforge.Filter{Scope: scope}, Ranking: r, TokenBudget: 2000}
					if _, err := m.Query(ctx, questions[i%len(questions)].Text, o); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
