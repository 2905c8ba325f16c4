package contextforge_test

// Places kept free for a kind, where meanings count: they go to what has to do
// with the question.

import (
	"fmt"
	"slices"
	"testing"

	"github.com/contextforge-go/contextforge"
)

func TestReservedPlacesNeedALikeness(t *testing.T) {
	for name, c := range map[string]struct {
		fact  string
		waits bool
		want  bool
	}{
		"by its meaning":           {"the vehicle stands", false, true},
		"by its words":             {"car keys are somewhere in that old drawer under two hats", false, true},
		"by its words, unembedded": {"car keys hang there", true, true},
		"unrelated":                {"nobody likes rain on sunday mornings", false, false},
		"unrelated, unembedded":    {"nobody likes rain on sunday mornings", true, false},
	} {
		e := newBag()
		e.dim = 512 // hardly any two words with one place
		m := open(t, contextforge.Config{Embedder: e, Clock: newClock().Now})
		for i := range 20 {
			if _, err := m.Save(ctx, fmt.Sprint("car car car yes ", i), contextforge.KindSnapshot, contextforge.SaveOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		if c.waits {
			e.answer = failings()["error"]
		}
		id, err := m.Save(ctx, c.fact, contextforge.KindFact, contextforge.SaveOptions{})
		if err != nil {
			t.Fatal(err)
		}
		e.answer = nil
		hits := query(t, m, "car", contextforge.QueryOptions{Limit: 4, MinSimilarity: -1})
		at := slices.IndexFunc(hits, func(h contextforge.Hit) bool { return h.ID == id })
		if (at >= 0) != c.want {
			t.Errorf("%s: at place %d of %d", name, at, len(hits))
		}
	}
}
