package contextforge_test

// Everything at once, for the race detector and for what no interleaving may
// break: a query returns nothing that was deleted before it began and all that
// was saved before it and not touched; a listing is one state.

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/kv/memkv"
)

// throng is a memory under concurrent use by writers, each with sessions of
// its own, which are saved and forgotten as a whole.
type throng struct {
	t    *testing.T
	m    *contextforge.Memory
	stop chan struct{}

	mu       sync.Mutex
	sessions map[string]*session
	names    []string
}

type session struct {
	size        int
	saved       bool
	dying, gone bool
}

func (g *throng) note(do func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	do()
}

func (g *throng) ok(err error) bool {
	if err != nil {
		g.t.Error(err)
	}
	return err == nil
}

func (g *throng) write(writer, rounds int) {
	rng := rand.New(rand.NewPCG(uint64(writer), 41))
	for i := range rounds {
		name := fmt.Sprintf("w%dn%d", writer, i)
		s := &session{size: 1 + rng.IntN(4)}
		items := make([]contextforge.Item, s.size)
		for j := range items {
			items[j] = contextforge.Item{
				Content:     fmt.Sprintf("all know mark%s of %d", name, j),
				SaveOptions: contextforge.SaveOptions{SessionID: name, Scope: fmt.Sprint("scope", rng.IntN(3)), TokenCount: 3},
			}
		}
		g.note(func() { g.sessions[name] = s; g.names = append(g.names, name) })
		ids, err := g.m.SaveBatch(ctx, items)
		if !g.ok(err) {
			return
		}
		g.note(func() { s.saved = true })
		if rng.IntN(2) == 0 {
			text := fmt.Sprintf("all know mark%s, changed", name)
			if e, err := g.m.Update(ctx, ids[0], contextforge.Change{Content: &text}); !g.ok(err) || e.Content != text {
				g.t.Errorf("updated to %q", e.Content)
			}
		}
		if rng.IntN(2) > 0 {
			continue
		}
		g.note(func() { s.dying = true })
		var n int
		if len(ids) == 1 {
			deleted, err := g.m.Delete(ctx, ids[0])
			g.ok(err)
			n = btoi(deleted)
		} else {
			gone, err := g.m.Forget(ctx, contextforge.Filter{SessionID: name}, false)
			g.ok(err)
			n = len(gone)
		}
		if n != s.size {
			g.t.Errorf("%d of %d deleted", n, s.size)
		}
		g.note(func() { s.gone = true })
	}
}

func (g *throng) query(rng *rand.Rand) bool {
	var s *session
	var name string
	var before, after session
	g.note(func() {
		if len(g.names) > 0 {
			name = g.names[rng.IntN(len(g.names))]
			s = g.sessions[name]
			before = *s
		}
	})
	if s == nil {
		return true
	}
	hits, err := g.m.Query(ctx, "mark"+name, contextforge.QueryOptions{TokenBudget: contextforge.Unlimited})
	g.note(func() { after = *s })
	switch {
	case !g.ok(err):
	case before.gone && len(hits) > 0:
		g.t.Errorf("%s was deleted, %d are found", name, len(hits))
	case before.saved && !after.dying && len(hits) != s.size:
		g.t.Errorf("%s was saved, %d of %d are found", name, len(hits), s.size)
	case len(hits) != 0 && len(hits) != s.size:
		g.t.Errorf("%d of %d of %s are found", len(hits), s.size, name)
	default:
		return true
	}
	return false
}

func (g *throng) list() bool {
	sizes := map[string]int{}
	for e, err := range g.m.List(ctx, contextforge.Filter{}) {
		if !g.ok(err) {
			return false
		}
		sizes[e.SessionID]++
	}
	g.note(func() {
		for name, n := range sizes {
			if n != g.sessions[name].size {
				g.t.Errorf("a listing shows %d of %d of %s", n, g.sessions[name].size, name)
			}
		}
	})
	stats, err := g.m.Stats(ctx)
	if !g.ok(err) || stats.Tokens <= 0 && stats.Entries > 0 {
		g.t.Errorf("stats %+v", stats)
	}
	_, err = g.m.Scopes(ctx)
	_, err2 := g.m.Count(ctx, contextforge.Filter{Scope: "scope1"})
	_, err3 := g.m.TopK(ctx, 5)
	return g.ok(errors.Join(err, err2, err3)) && !g.t.Failed()
}

func (g *throng) loop(work func(i int) bool) {
	for i := 0; ; i++ {
		select {
		case <-g.stop:
			return
		case <-time.After(time.Millisecond):
		}
		if !work(i) {
			return
		}
	}
}

func (g *throng) run(rounds int) {
	var writers, others sync.WaitGroup
	for w := range 12 {
		writers.Go(func() { g.write(w, rounds) })
	}
	for r := range 12 {
		rng := rand.New(rand.NewPCG(uint64(r), 43))
		others.Go(func() { g.loop(func(int) bool { return g.query(rng) }) })
	}
	for range 4 {
		others.Go(func() { g.loop(func(int) bool { return g.list() }) })
	}
	base := g.t.TempDir()
	others.Go(func() {
		g.loop(func(i int) bool { return g.ok(g.m.Checkpoint(ctx, filepath.Join(base, fmt.Sprint(i)))) })
	})
	others.Go(func() { g.loop(func(int) bool { return g.ok(g.m.Compact(ctx)) }) })
	others.Go(func() { g.loop(func(int) bool { return g.ok(g.m.Verify(ctx)) }) })
	others.Go(func() { g.loop(func(i int) bool { return i%10 != 5 || g.ok(g.m.Rebuild(ctx)) }) })
	writers.Wait()
	close(g.stop)
	others.Wait()

	want := 0
	for _, s := range g.sessions {
		if !s.gone {
			want += s.size
		}
	}
	hits, err := g.m.Query(ctx, "all know", contextforge.QueryOptions{TokenBudget: contextforge.Unlimited})
	if n := count(g.t, g.m); !g.ok(err) || n != want || len(hits) != want {
		g.t.Errorf("%d entries, %d found, want %d", n, len(hits), want)
	}
	g.ok(g.m.Verify(ctx))
}

func TestConcurrentUseOfEverything(t *testing.T) {
	rounds := 20
	if testing.Short() {
		rounds = 10
	}
	for name, cfg := range map[string]func(*testing.T) contextforge.Config{
		"memory": func(*testing.T) contextforge.Config { return contextforge.Config{KV: memkv.New()} },
		"disk": func(t *testing.T) contextforge.Config {
			return contextforge.Config{Path: filepath.Join(t.TempDir(), "memory")}
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := open(t, cfg(t))
			g := &throng{t: t, m: m, stop: make(chan struct{}), sessions: map[string]*session{}}
			g.run(rounds)
		})
	}
}
