package contextforge_test

// No vector outlives its text, none is missing, and the way in which entries came
// changes no answer.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge"
)

// whole checks that so many entries have vectors and so many wait.
func whole(t *testing.T, m *contextforge.Memory, what string, embedded, waiting int) {
	t.Helper()
	if st := stats(t, m); st.Embedded != embedded || st.Waiting != waiting {
		t.Errorf("%s: %d embedded, %d wait, want %d and %d", what, st.Embedded, st.Waiting, embedded, waiting)
	}
	if err := m.Verify(ctx); err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

// An update that can't be embedded leaves no vector of the text before.
func TestUpdateThatFailsLeavesNoStaleVector(t *testing.T) {
	e := newBag()
	m := open(t, contextforge.Config{Embedder: e})
	id := save(t, m, "the car is red", contextforge.SaveOptions{})
	e.answer = failings()["error"]
	text := "a cat sleeps"
	if _, err := m.Update(ctx, id, contextforge.Change{Content: &text}); err != nil {
		t.Fatal(err)
	}
	e.answer = nil
	whole(t, m, "updated", 0, 1)
	strict := contextforge.QueryOptions{MinSimilarity: 0.3}
	if got := ask(t, m, "vehicle", strict); len(got) != 0 {
		t.Errorf("the text before is found: %q", got)
	}
	if got := ask(t, m, "cat", strict); !slices.Equal(got, []string{id}) {
		t.Errorf("the new text isn't found: %q", got)
	}
	kind := "fact"
	if _, err := m.Update(ctx, id, contextforge.Change{Kind: &kind}); err != nil {
		t.Fatal(err)
	}
	whole(t, m, "another kind", 0, 1)
	if err := m.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	whole(t, m, "flushed", 1, 0)
	if got := ask(t, m, "feline", strict); !slices.Equal(got, []string{id}) {
		t.Errorf("by its meaning: %q", got)
	}
}

// Whatever removes entries removes their vectors and their places in the queue.
func TestRemovalsTakeTheVectorsAlong(t *testing.T) {
	for name, remove := range map[string]func(m *contextforge.Memory, c *clock) error{
		"delete": func(m *contextforge.Memory, _ *clock) error {
			for i := range 10 {
				if _, err := m.Delete(ctx, fmt.Sprint(i)); err != nil {
					return err
				}
			}
			return nil
		},
		"forget": func(m *contextforge.Memory, _ *clock) error {
			_, err := m.Forget(ctx, contextforge.Filter{Scope: "s"}, false)
			return err
		},
		"clear scope": func(m *contextforge.Memory, _ *clock) error {
			_, err := m.ClearScope(ctx, "s")
			return err
		},
		"expiry": func(m *contextforge.Memory, c *clock) error {
			c.Advance(2 * time.Hour)
			return m.Compact(ctx)
		},
		"capacity": func(m *contextforge.Memory, c *clock) error {
			var items []contextforge.Item
			for i := range 10 {
				items = append(items, contextforge.Item{Content: fmt.Sprint("a house ", i), SaveOptions: contextforge.SaveOptions{Timestamp: c.now.Add(time.Minute)}})
			}
			_, err := m.SaveBatch(ctx, items)
			return err
		},
	} {
		c, e := newClock(), newBag()
		m := open(t, contextforge.Config{Embedder: e, Clock: c.Now, MaxEntries: 20})
		for i := range 20 {
			o := contextforge.SaveOptions{ID: fmt.Sprint(i), Timestamp: c.now.Add(time.Duration(i) * time.Second)}
			if i < 10 {
				o.Scope, o.TTL = "s", time.Hour
			}
			e.answer = nil
			if i%2 == 0 {
				e.answer = failings()["error"]
			}
			save(t, m, fmt.Sprint("car ", i), o)
		}
		e.answer = nil
		whole(t, m, name+", before", 10, 10)
		if err := remove(m, c); err != nil {
			t.Fatal(err)
		}
		added := 0
		if name == "capacity" {
			added = 10
		}
		whole(t, m, name, 5+added, 5)
		if err := m.Flush(ctx); err != nil {
			t.Error(err)
		}
		whole(t, m, name+", flushed", 10+added, 0)
		if _, err := m.Clear(ctx); err != nil {
			t.Error(err)
		}
		whole(t, m, name+", cleared", 0, 0)
	}
}

// What failed in the background is tried again after the next save.
func TestBackgroundTriesAgain(t *testing.T) {
	e := newBag()
	e.answer = refusing
	failed := make(chan string, 10)
	m := open(t, contextforge.Config{Embedder: e, EmbedMode: contextforge.EmbedInBackground, Hooks: contextforge.Hooks{
		EmbeddingFailed: func(_ context.Context, list []contextforge.EmbeddingFailure) {
			for _, f := range list {
				failed <- f.ID
			}
		},
	}})
	id := save(t, m, "a bad car", contextforge.SaveOptions{})
	if got := <-failed; got != id {
		t.Errorf("reported %q, want %q", got, id)
	}
	save(t, m, "a good car", contextforge.SaveOptions{})
	if got := <-failed; got != id {
		t.Errorf("reported %q, want %q", got, id)
	}
	if err := m.Flush(ctx); !errors.Is(err, contextforge.ErrEmbedding) || !strings.Contains(err.Error(), "1 ") {
		t.Errorf("flush: %v", err)
	}
	whole(t, m, "in the end", 1, 1)
}

// A backfill counts an entry once, however many windows it has.
func TestBackfillOfHugeTexts(t *testing.T) {
	cfg := unembedded(t, 3)
	m := open(t, cfg)
	huge := strings.Repeat("some words of no interest at all, ", 300) + "and then a cat"
	save(t, m, huge, contextforge.SaveOptions{ID: "huge"})
	e := newBag()
	e.tokens = 10
	cfg.Embedder = e
	m = reopen(t, m, cfg)
	if steps := backfill(t, m, 4, 4); !slices.Equal(steps, []step{{4, 4}}) {
		t.Errorf("progress %v", steps)
	}
	if most := slices.Max(sizes(e.take())); most > 64 {
		t.Errorf("%d windows at once", most)
	}
	if got := ask(t, m, "feline", contextforge.QueryOptions{MinSimilarity: 0.4}); !slices.Equal(got, []string{"huge"}) {
		t.Errorf("found %q", got)
	}
	whole(t, m, "filled", 4, 0)
}

// The order, the batches and the detours by which entries came change no answer.
func TestSameHybridAnswersHoweverTheyCame(t *testing.T) {
	if testing.Short() {
		t.Log("the first sixty turns only")
	}
	questions := readLines[question](t, "questions.jsonl")[:12]
	want := ""
	for name, fill := range ways() {
		turns := readLines[contextforge.Entry](t, "turns.jsonl")
		if testing.Short() {
			turns = turns[:60]
		}
		cfg := conversationConfig()
		cfg.Embedder = newBag()
		m := fill(t, cfg, turns, rand.New(rand.NewPCG(5, 5)))
		got := hybridAnswers(t, m, contextforge.RankingDefault(), questions)
		if want == "" {
			want = got
		}
		if line, a, b := firstDifference(got, want); line > 0 {
			t.Errorf("%s, line %d:\n got %s\nwant %s", name, line, a, b)
		}
		whole(t, m, name, len(turns), 0)
	}
}
