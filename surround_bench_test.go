package contextforge_test

// What a look at the turns around costs.

import (
	"fmt"
	"testing"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/minilm"
	"github.com/contextforge-go/contextforge/minilm/allminilm"
)

// BenchmarkQueryConversation asks conversations of 442 turns each, by words and
// vectors at hand, in a scope of ten and of the whole store. The question's embedding
// comes on top, which BenchmarkEmbedQuestion measures: with it, the default may take
// 1.3 times what the searches alone take.
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
	questions := []string{ // of some twelve tokens
		"What did the neighbour say about the boat and the harbour fee?", "Which port does the server of the shop use for its backups?",
		"When did the museum people call about the database and the page?", "What kind of cake did she bake for her daughter's birthday?",
	}
	alone := searchesAlone()
	for name, r := range map[string]*contextforge.Ranking{"searches-alone": alone, "default": nil} {
		for _, scope := range []string{"chat-3", ""} {
			b.Run(fmt.Sprintf("%s/scope=%q", name, scope), func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					o := contextforge.QueryOptions{Filter: contextforge.Filter{Scope: scope}, Ranking: r, TokenBudget: 2000}
					if _, err := m.Query(ctx, questions[i%len(questions)], o); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkEmbedQuestion(b *testing.B) {
	model, err := allminilm.New(minilm.Config{})
	if err != nil {
		b.Fatal(err) // as in a program without weights
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := model.Embed(ctx, []string{"What did the neighbour say about the boat and the harbour fee?"}); err != nil {
			b.Fatal(err)
		}
	}
}
