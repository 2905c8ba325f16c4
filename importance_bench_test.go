package contextforge_test

// What the lexicon adds to a query.

import (
	"fmt"
	"testing"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/lexicon"
)

// cold depends, as it says, on the query, so that nothing is remembered of it.
type cold struct{ lexicon.Scorer }

func (cold) Static() bool { return false }

func BenchmarkQueryImportance(b *testing.B) {
	for _, v := range []struct {
		name    string
		lexicon lexicon.Scorer
	}{
		{"none", lexicon.None},
		{"English", nil},
		{"English-cold", lexicon.Only(cold{lexicon.English()})},
	} {
		b.Run(v.name, func(b *testing.B) {
			m, err := contextforge.Open(ctx, contextforge.Config{Lexicon: v.lexicon})
			if err != nil {
				b.Fatal(err)
			}
			items := make([]contextforge.Item, 10_000)
			for i := range items {
				items[i].Content = fmt.Sprintf("Note %d on topic %d: we decided that the service %d of region %d keeps the limit of %d requests, "+
					"which the team confirmed after the load test of the week before; the next review follows then.", i, i%97, i%13, i%29, i)
			}
			if _, err := m.SaveBatch(ctx, items); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				if _, err := m.Query(ctx, fmt.Sprintf("limit of service in topic %d", i%97), contextforge.QueryOptions{TokenBudget: 2048}); err != nil {
					b.Fatal(err)
				}
			}
			if err := m.Close(); err != nil {
				b.Fatal(err)
			}
		})
	}
}
