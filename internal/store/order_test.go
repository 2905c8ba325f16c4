package store

// Orders of sessions in memory: right in every state, bounded, not there for long
// sessions.

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
)

// kept are the sessions whose orders are in memory, long ones with a mark.
func (c *orderCache) kept() (list []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for session, e := range c.known {
		if e.Value.(*order).long {
			session += "…"
		}
		list = append(list, session)
	}
	slices.Sort(list)
	return list
}

func TestOrdersAreKeptUntilSomethingChangesThem(t *testing.T) {
	w := withTurns(t, turn("a", "", "s", 0), turn("b", "", "s", 2), turn("c", "", "t", 0), turn("d", "", "t", 1), turn("n", "", "", 1))
	want := func(step string, sessions ...string) {
		t.Helper()
		if got := w.s.orders.kept(); !slices.Equal(got, sessions) {
			t.Errorf("%s: %q are kept, want %q", step, got, sessions)
		}
	}
	want("at first")
	w.around(Filter{}, 2, 1, "a", "d")
	want("asked for both", "s", "t")
	w.must(w.s.Save(t.Context(), drafts(turn("m", "", "", 5))))
	want("a note more", "s", "t")
	w.must(w.s.Save(t.Context(), drafts(turn("e", "x", "s", 1))))
	want("a turn more, of another scope", "t")
	if got := w.around(Filter{}, 1, 1, "a"); got != "a 0.2 | b 0.3" {
		t.Errorf("beside another scope: %s", got)
	}
	w.must(w.s.Save(t.Context(), drafts(turn("d", "", "u", 1))))
	want("a turn that moved", "s")
	_, err := w.s.Delete(t.Context(), "b")
	w.must(err)
	want("a turn less")
	if got := w.around(Filter{}, 1, 1, "a"); got != "a 0.2" {
		t.Errorf("alone: %s", got)
	}
	want("asked again", "s")
	w.must(w.s.Rebuild(t.Context()))
	want("rebuilt")
	w.around(Filter{}, 1, 1, "a")
	_, err = w.s.Clear(t.Context())
	w.must(err)
	want("cleared")
}

// A view goes on seeing its own state, whatever is in memory by then.
func TestOrdersOfEarlierViews(t *testing.T) {
	w := withTurns(t, turn("a", "", "s", 0), turn("b", "", "s", 2))
	nums := []uint64{w.num("a")}
	turns := func(v *View) (n int) {
		got, err := v.Around(t.Context(), Filter{}, nums, 1, 9)
		w.must(err)
		return len(got)
	}
	var views []*View
	for n := range 5 {
		v, err := w.s.SearchView(t.Context())
		w.must(err)
		views = append(views, v)
		w.must(w.s.Save(t.Context(), drafts(turn(fmt.Sprint("more", n), "", "s", 3+n))))
	}
	for _, i := range []int{4, 0, 3, 4, 1, 0, 2} {
		if got := turns(views[i]); got != 2+i {
			t.Errorf("view %d sees %d turns, want %d", i, got, 2+i)
		}
		w.view(func(v *View) {
			if got := turns(v); got != 7 {
				t.Errorf("after view %d: %d turns, want 7", i, got)
			}
		})
	}
	for _, v := range views {
		w.must(v.Close())
	}
}

func TestOrdersOfLongSessions(t *testing.T) {
	for _, n := range []int{mostOrdered - 1, mostOrdered, mostOrdered + 1, 3 * mostOrdered} {
		recs := make([]Record, n)
		for i := range recs {
			recs[i] = turn(fmt.Sprint(i), "", "s", i)
		}
		w := withTurns(t, recs...)
		want := "s"
		if n > mostOrdered {
			want = "s…"
		}
		for range 2 {
			if got := w.around(Filter{}, 2, 1, "0", fmt.Sprint(n-2)); got != fmt.Sprintf("0 0.2 %d 0.6 | 1 0.3 %d 0.5 %d 0.7", n-2, n-3, n-1) {
				t.Errorf("%d turns: %s", n, got)
			}
			if got := w.s.orders.kept(); !slices.Equal(got, []string{want}) {
				t.Errorf("%d turns: kept %q", n, got)
			}
		}
	}
}

func TestOrdersAreBounded(t *testing.T) {
	c := newOrderCache(0)
	for i := range 3 * orderMemory / (orderOverhead + 5000) {
		c.put(&order{session: fmt.Sprint(i), keys: make([]byte, 5000)})
		if c.get("0", 0) == nil { // asked for again and again, it stays
			t.Fatalf("the first one is gone after %d", i)
		}
	}
	if c.bytes > orderMemory || c.bytes < orderMemory/2 || len(c.known) != c.recent.Len() || c.get("1", 0) != nil {
		t.Errorf("%d bytes in %d orders, %d known", c.bytes, c.recent.Len(), len(c.known))
	}
	c.put(&order{session: strings.Repeat("x", 2*orderMemory)})
	if c.bytes != 0 || len(c.known) != 0 {
		t.Errorf("one that is too large leaves %d bytes", c.bytes)
	}
	c.changed(7, nil)
	if c.put(&order{session: "late", since: 6}); len(c.known) != 0 {
		t.Error("an order of an earlier state is kept")
	}
	if c.put(&order{session: "now", since: 7}); c.get("now", 6) != nil || c.get("now", 8) == nil {
		t.Error("an order holds from its own state on")
	}
}

// Readers at all states, while turns come and go: none sees a session of another one.
func TestOrdersBesideWriters(t *testing.T) {
	w := withTurns(t, turn("a", "", "s", 0))
	num := w.num("a")
	var done sync.WaitGroup
	for reader := range 4 {
		done.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(reader), 1))
			var held []*View
			for range 150 {
				if v, err := w.s.SearchView(t.Context()); err == nil {
					held = append(held, v)
				}
				v := held[rng.IntN(len(held))]
				turns, err := v.Around(t.Context(), Filter{}, []uint64{num}, 1, 200)
				if want := int(v.state.st.live); err != nil || len(turns) != want {
					t.Errorf("%d turns, want %d, %v", len(turns), want, err)
				}
				if len(held) > 8 {
					w.must(held[0].Close())
					held = held[1:]
				}
			}
			for _, v := range held {
				w.must(v.Close())
			}
		})
	}
	for i := range 60 {
		w.must(w.s.Save(t.Context(), drafts(turn(fmt.Sprint("b", i), "", "s", 1+i))))
		if i%3 == 0 {
			_, err := w.s.Delete(t.Context(), fmt.Sprint("b", i))
			w.must(err)
		}
	}
	done.Wait()
}
