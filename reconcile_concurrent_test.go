package contextforge_test

// Distillations beside others: at the same time, from a hook, into a storage of the
// caller's.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge"
)

// Whatever is distilled at the same time: every fact is there once, and of the
// states one holds.
func TestConcurrentDistillation(t *testing.T) {
	m := open(t, contextforge.Config{Embedder: newBag()})
	var wg sync.WaitGroup
	const workers, rounds = 8, 6
	for w := range workers {
		wg.Go(func() {
			for i := range rounds {
				facts := states(fmt.Sprintf("Fact %d is a fact.", i), fmt.Sprintf("The API port is now %d.", i*workers+w), "It rains.")
				o := contextforge.DistillOptions{Scope: "s", Timestamp: day(1).Add(time.Duration(i*workers+w) * time.Minute)}
				if _, err := m.DistillAndSave(ctx, "text", gives("", facts...), o); err != nil {
					t.Error(err)
				}
				if _, err := m.Save(ctx, "noise", contextforge.KindManual, contextforge.SaveOptions{Scope: "s"}); err != nil {
					t.Error(err)
				}
				if i == rounds/2 {
					if _, err := m.Forget(ctx, contextforge.Filter{Kinds: []string{contextforge.KindManual}}, false); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	want := []string{"It rains.", fmt.Sprintf("The API port is now %d.", workers*rounds-1)}
	for i := range rounds {
		want = append(want, fmt.Sprintf("Fact %d is a fact.", i))
	}
	slices.Sort(want)
	if got := holding(t, m, "s", contextforge.KindFact); !slices.Equal(got, want) {
		t.Errorf("live are\n%q, want\n%q", got, want)
	}
	if got := holding(t, m, "s", contextforge.KindSuperseded); len(got) != workers*rounds-1 {
		t.Errorf("%d are superseded, want %d", len(got), workers*rounds-1)
	}
	if err := m.Verify(ctx); err != nil {
		t.Error(err)
	}
}

// What others do between the comparison and the commit, here while texts are
// embedded, is noticed.
func TestDistillationIsOvertaken(t *testing.T) {
	facts := states("The API port is now 81.", "It rains.", "It snows.")
	for _, c := range []struct {
		name             string
		meanwhile        func(m *contextforge.Memory, old string) error
		saved, known     int
		replaced         int // as the result says
		live, superseded []string
	}{
		{
			"by the same", func(m *contextforge.Memory, _ string) error {
				_, err := m.DistillAndSave(ctx, "text", gives("Sum.", facts...), contextforge.DistillOptions{})
				return err
			}, 0, 3, 0, []string{"It rains.", "It snows.", "The API port is now 81."}, []string{"The API port is now 80."},
		},
		{
			"by one of the facts", func(m *contextforge.Memory, _ string) error {
				_, err := m.Save(ctx, "it rains", contextforge.KindFact, contextforge.SaveOptions{})
				return err
			}, 2, 1, 1, []string{"It snows.", "The API port is now 81.", "it rains"}, []string{"The API port is now 80."},
		},
		{
			"by a later state", func(m *contextforge.Memory, _ string) error {
				o := contextforge.DistillOptions{Timestamp: day(5)}
				_, err := m.DistillAndSave(ctx, "text", gives("", states("The API port is now 82.")...), o)
				return err
			}, 3, 0, 1, []string{"It rains.", "It snows.", "The API port is now 82."}, []string{"The API port is now 80.", "The API port is now 81."},
		},
		{
			"by another scope", func(m *contextforge.Memory, _ string) error {
				_, err := m.DistillAndSave(ctx, "text", gives("Sum.", facts...), contextforge.DistillOptions{Scope: "else"})
				return err
			}, 3, 0, 1, []string{"It rains.", "It snows.", "The API port is now 81."}, []string{"The API port is now 80."},
		},
		{
			"by a deletion", func(m *contextforge.Memory, old string) error {
				_, err := m.Delete(ctx, old)
				return err
			}, 3, 0, 0, []string{"It rains.", "It snows.", "The API port is now 81."}, []string{},
		},
		{
			"by a change into something else", func(m *contextforge.Memory, old string) error {
				kind := contextforge.KindManual
				_, err := m.Update(ctx, old, contextforge.Change{Kind: &kind})
				return err
			}, 3, 0, 0, []string{"It rains.", "It snows.", "The API port is now 81."}, []string{},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			bag := newBag()
			told := -1
			m := open(t, contextforge.Config{Embedder: bag, Hooks: contextforge.Hooks{
				Saved: func(_ context.Context, trace contextforge.SaveTrace) { told = trace.Entries },
			}})
			old := distillTo(t, m, gives("", states("The API port is now 80.")...), contextforge.DistillOptions{Timestamp: day(1)})
			overtaken := false
			bag.answer = func(context.Context, []string) ([][]float32, error) {
				if overtaken {
					return nil, nil
				}
				overtaken = true
				if err := c.meanwhile(m, old.IDs[0]); err != nil {
					t.Error(err)
				}
				return nil, nil
			}
			res := distillTo(t, m, gives("", facts...), contextforge.DistillOptions{Timestamp: day(2)})
			if !overtaken || told != c.saved || len(res.IDs) != c.saved || len(res.Skipped) != c.known || len(res.Superseded) != c.replaced {
				t.Errorf("%+v", res)
			}
			if got := holding(t, m, "", contextforge.KindFact); !slices.Equal(got, c.live) {
				t.Errorf("live are %q, want %q", got, c.live)
			}
			if got := holding(t, m, "", contextforge.KindSuperseded); !slices.Equal(got, c.superseded) {
				t.Errorf("superseded are %q, want %q", got, c.superseded)
			}
			for _, e := range stored(t, m) {
				if by, ok := metadata(t, &e)["superseded_by"].(string); ok {
					if _, err := m.Get(ctx, by); err != nil {
						t.Errorf("%q is superseded by %q: %v", e.Content, by, err)
					}
				}
			}
			if s, err := m.Stats(ctx); err != nil || s.Embedded != s.Entries || s.Waiting != 0 {
				t.Errorf("%+v, %v", s, err)
			}
			if err := m.Verify(ctx); err != nil {
				t.Error(err)
			}
		})
	}
}

// A hook that distills again doesn't wait for itself.
func TestDistillFromHook(t *testing.T) {
	var m *contextforge.Memory
	depth := 0
	m = open(t, contextforge.Config{Hooks: contextforge.Hooks{Saved: func(ctx context.Context, _ contextforge.SaveTrace) {
		if depth++; depth < 3 {
			if _, err := m.DistillAndSave(ctx, "text", gives("", states(fmt.Sprintf("Depth is %d.", depth))...), contextforge.DistillOptions{}); err != nil {
				t.Error(err)
			}
		}
	}}})
	distillTo(t, m, gives("", states("The beginning.")...), contextforge.DistillOptions{})
	if n := len(stored(t, m)); n != 3 {
		t.Errorf("%d entries", n)
	}
}

// With a Storage of the caller's, all goes through its SaveBatch and Searcher.
func TestDistillIntoPluggedStorage(t *testing.T) {
	p := &byID{}
	m := open(t, contextforge.Config{Storage: p})
	for i, text := range []string{"The API port is now 80.", "The API port is now 80.", "The API port is now 81."} {
		res, err := m.DistillAndSave(ctx, "text", gives("Sum.", states(text)...), contextforge.DistillOptions{Scope: "s", Timestamp: day(1 + i)})
		if err != nil {
			t.Fatal(err)
		}
		if want := []int{2, 0, 1}[i]; len(res.IDs) != want {
			t.Errorf("%d: saved %d, want %d", i, len(res.IDs), want)
		}
	}
	var kinds []string
	for _, e := range p.entries {
		kinds = append(kinds, e.Kind)
	}
	slices.Sort(kinds)
	if want := []string{"fact", "summary", "superseded"}; !slices.Equal(kinds, want) {
		t.Errorf("kinds %q, want %q", kinds, want)
	}
	if got := contents(t, m, "port", contextforge.QueryOptions{}); !slices.Equal(got, []string{"The API port is now 81."}) {
		t.Errorf("a query finds %q", got)
	}
	if res := distillTo(t, m, gives("Sum.", states("The API port is now 81.")...), contextforge.DistillOptions{}); len(res.IDs) != 2 {
		t.Errorf("into the global scope: %+v", res)
	}
	p.err = errors.New("no")
	if _, err := m.DistillAndSave(ctx, "text", gives("Sum.", states("x")...), contextforge.DistillOptions{}); !errors.Is(err, p.err) {
		t.Errorf("a Searcher that fails: %v", err)
	}
}

// byID is plugged, replaces what has the same id, and finds what shares a word.
type byID struct {
	plugged
	err error
}

func (p *byID) SaveBatch(ctx context.Context, entries []contextforge.Entry) error {
	for _, e := range entries {
		p.remove(func(old contextforge.Entry) bool { return old.ID == e.ID })
	}
	return p.plugged.SaveBatch(ctx, entries)
}

func (p *byID) Search(_ context.Context, query, scope string, limit int) (out []contextforge.ScoredEntry, err error) {
	for _, e := range p.entries {
		shares := slices.ContainsFunc(strings.Fields(query), func(word string) bool { return strings.Contains(e.Content, word) })
		if shares && (scope == "" || scope == e.Scope) && len(out) != limit {
			out = append(out, contextforge.ScoredEntry{Entry: e, Score: 1})
		}
	}
	return out, p.err
}
