package contextforge_test

// Entries that say the same: saved once when asked, and not filling a budget.

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/contextforge-go/contextforge"
)

var dedup = contextforge.SaveOptions{Dedup: true}

func TestDedup(t *testing.T) {
	e := newBag()
	m := open(t, contextforge.Config{Embedder: e})
	first := save(t, m, "the car is red", dedup)
	if again := save(t, m, "the car is red", dedup); again != first || count(t, m) != 1 {
		t.Errorf("again: %q, want %q", again, first)
	}
	if with := save(t, m, "the car is red", contextforge.SaveOptions{Dedup: true, Metadata: map[string]int{"n": 1}, ID: "mine"}); with != first {
		t.Errorf("with an id: %q, want %q", with, first)
	}
	if other := save(t, m, "the car is red", contextforge.SaveOptions{Dedup: true, Scope: "s"}); other == first {
		t.Error("scopes aren't kept apart")
	}
	if other := save(t, m, "The car is red", dedup); other == first {
		t.Error("the very content means every byte of it")
	}
	if asked := save(t, m, "the car is red", contextforge.SaveOptions{}); asked == first {
		t.Error("nobody asked")
	}
	ids, err := m.SaveBatch(ctx, []contextforge.Item{
		{Content: "twice", SaveOptions: dedup}, {Content: "the car is red", SaveOptions: dedup}, {Content: "twice", SaveOptions: dedup},
	})
	if err != nil || ids[0] != ids[2] || ids[1] == ids[0] || count(t, m) != 5 {
		t.Errorf("in a batch: %q, %v, %d entries", ids, err, count(t, m))
	}
	secret := "the key is AKIAIOSFODNN7EXAMPLQ"
	if a, b := save(t, m, secret, dedup), save(t, m, strings.Replace(secret, "PLQ", "PLZ", 1), dedup); a != b {
		t.Error("what is redacted to the same is the same")
	}
	text := "the car is green"
	if _, err := m.Update(ctx, ids[0], contextforge.Change{Content: &text}); err != nil {
		t.Fatal(err)
	}
	if a, b := save(t, m, text, dedup), save(t, m, "twice", dedup); a != ids[0] || b == ids[0] {
		t.Errorf("after an update: %q and %q", a, b)
	}
	if _, err := m.Delete(ctx, ids[0]); err != nil {
		t.Fatal(err)
	}
	if again := save(t, m, text, dedup); again == ids[0] || count(t, m) != 7 {
		t.Errorf("after a deletion: %q, %d entries", again, count(t, m))
	}
	if err := m.Verify(ctx); err != nil {
		t.Error(err)
	}
}

func TestDedupUnderConcurrency(t *testing.T) {
	m := open(t, contextforge.Config{Embedder: newBag()})
	var everyone sync.WaitGroup
	ids := make([]string, 50)
	for i := range ids {
		everyone.Go(func() {
			id, err := m.Save(ctx, "the car is red", "", dedup)
			if err != nil {
				t.Error(err)
			}
			ids[i] = id
		})
	}
	everyone.Wait()
	if slices.Sort(ids); ids[0] != ids[49] || count(t, m) != 1 {
		t.Errorf("%d entries", count(t, m))
	}
	if _, err := m.Get(ctx, ids[0]); err != nil {
		t.Error(err)
	}
}

// What an expired entry said may be said again.
func TestDedupAfterExpiry(t *testing.T) {
	c := newClock()
	m := open(t, contextforge.Config{Clock: c.Now})
	first := save(t, m, "the code is 42", contextforge.SaveOptions{Dedup: true, TTL: 1e9})
	c.Advance(2e9)
	id := save(t, m, "the code is 42", dedup)
	if got := ask(t, m, "code", contextforge.QueryOptions{}); id == first || !slices.Equal(got, []string{id}) {
		t.Errorf("found %q, saved %q after %q", got, id, first)
	}
}

// nearCopies saves n texts that differ in a word and five others that match less.
func nearCopies(t *testing.T, n int) *contextforge.Memory {
	t.Helper()
	m := open(t, contextforge.Config{Embedder: newBag(), Clock: newClock().Now, TokenBudget: contextforge.Unlimited})
	base := repeat("deployment ", 20) + "of the harbor service was postponed because the certificate of the gateway expired on friday night and nobody had the key of the cabinet with the"
	for i := range n {
		save(t, m, fmt.Sprintf("%s spare%d", base, i), contextforge.SaveOptions{TokenCount: 40})
	}
	for _, text := range []string{
		"Sana writes the deployment notes", "a deployment takes nine minutes on average", "no deployment during the holidays please",
		"the kitchen deployment of the robot arm is a joke", "Ask Piet before any deployment to the old cluster",
	} {
		save(t, m, text, contextforge.SaveOptions{TokenCount: 40})
	}
	return m
}

func TestNearCopiesDoNotFillABudget(t *testing.T) {
	for _, copies := range []int{30, 150, 350} { // the last are more than are looked at first
		m := nearCopies(t, copies)
		for _, n := range []int{2, 3, 6, 10} {
			for name, o := range map[string]contextforge.QueryOptions{
				"budget": {TokenBudget: 40 * n}, "limit": {Limit: n},
			} {
				hits := query(t, m, "deployment", o)
				spare, score := 0, 2.0
				for _, h := range hits {
					if strings.Contains(h.Content, "spare") {
						spare++
					}
					if h.Score > score {
						t.Errorf("%d copies, %s %d: not in the order of scores", copies, name, n)
					}
					score = h.Score
				}
				if want := max(1, n-5); len(hits) != n || spare != want {
					t.Errorf("%d copies, %s %d: %d hits, %d of them copies, want %d", copies, name, n, len(hits), spare, want)
				}
			}
		}
		if got := len(query(t, m, "deployment", contextforge.QueryOptions{})); got != copies+5 {
			t.Errorf("without a bound %d of %d", got, copies+5)
		}
		r := contextforge.RankingDefault()
		r.MaxOverlap = 0
		for _, h := range query(t, m, "deployment", contextforge.QueryOptions{Limit: 6, Ranking: &r}) {
			if !strings.Contains(h.Content, "spare") {
				t.Errorf("switched off: %q", h.Content)
			}
		}
	}
}
