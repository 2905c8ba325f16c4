package contextforge_test

// The observable behaviours that the reference's own tests check, one subtest
// each, numbered as rows.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/budget"
	"github.com/contextforge-go/contextforge/decay"
)

var ctx = context.Background()

type ctxType = context.Context

// clock is a settable time source.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Unix(1_750_000_000, 0).UTC()} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func open(t *testing.T, cfg contextforge.Config) *contextforge.Memory {
	t.Helper()
	m, err := contextforge.Open(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil && !errors.Is(err, contextforge.ErrClosed) {
			t.Error(err)
		}
	})
	return m
}

func save(t *testing.T, m *contextforge.Memory, text string, o contextforge.SaveOptions) string {
	t.Helper()
	id, err := m.Save(ctx, text, contextforge.KindManual, o)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func ask(t *testing.T, m *contextforge.Memory, text string, o contextforge.QueryOptions) []string {
	t.Helper()
	hits, err := m.Query(ctx, text, o)
	if err != nil {
		t.Fatalf("query %q: %v", text, err)
	}
	var ids []string
	for _, h := range hits {
		ids = append(ids, h.ID)
	}
	return ids
}

func contents(t *testing.T, m *contextforge.Memory, text string, o contextforge.QueryOptions) []string {
	t.Helper()
	hits, err := m.Query(ctx, text, o)
	if err != nil {
		t.Fatalf("query %q: %v", text, err)
	}
	var out []string
	for _, h := range hits {
		out = append(out, h.Content)
	}
	return out
}

func count(t *testing.T, m *contextforge.Memory) int {
	t.Helper()
	n, err := m.Count(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func at(sec int64) contextforge.SaveOptions {
	return contextforge.SaveOptions{Timestamp: time.Unix(sec, 0)}
}

func TestBehaviourEntry(t *testing.T) {
	e := contextforge.Entry{
		ID: "x", Content: "hi", Timestamp: time.Unix(-5, 250_000_000).UTC(), Kind: "k", Scope: "s", SessionID: "n",
		TokenCount: 7, Metadata: json.RawMessage(`[1,"two"]`), CreatedAt: time.Unix(9, 0).UTC(),
	}
	t.Run("row 1: an entry survives JSON", func(t *testing.T) {
		text, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		var back contextforge.Entry
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(back) != fmt.Sprint(e) {
			t.Errorf("got %+v, want %+v, by way of %s", back, e, text)
		}
	})
	t.Run("row 2: a scored entry survives JSON", func(t *testing.T) {
		for _, v := range []any{contextforge.ScoredEntry{Entry: e, Score: 0.1}, contextforge.Hit{Entry: e, Score: 0.1}} {
			text, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := v.(contextforge.Hit); ok {
				var h contextforge.Hit
				if err := json.Unmarshal(text, &h); err != nil || h.Score != 0.1 || h.ID != "x" || h.Content != "hi" {
					t.Errorf("hit %s came back as %+v, %v", text, h, err)
				}
				continue
			}
			var s contextforge.ScoredEntry
			if err := json.Unmarshal(text, &s); err != nil || s.Score != 0.1 || s.Entry.ID != "x" {
				t.Errorf("scored entry %s came back as %+v, %v", text, s, err)
			}
		}
	})
	t.Run("row 3: the kinds are distinct", func(t *testing.T) {
		kinds := []string{contextforge.KindManual, contextforge.KindSnapshot, contextforge.KindSummary, contextforge.KindFact}
		slices.Sort(kinds)
		if len(slices.Compact(kinds)) != 4 {
			t.Errorf("kinds %q", kinds)
		}
	})
	t.Run("row 4: errors name their sort and cause", func(t *testing.T) {
		m := open(t, contextforge.Config{})
		_, err := m.Save(ctx, "", "", contextforge.SaveOptions{})
		if err == nil || !strings.Contains(err.Error(), "invalid entry: content must not be empty") {
			t.Errorf("got %v", err)
		}
		_, err = contextforge.Open(ctx, contextforge.Config{Ranking: contextforge.Ranking{Fusion: "x"}})
		if !errors.Is(err, contextforge.ErrInvalidConfig) || !strings.Contains(err.Error(), `Ranking.Fusion is "x"`) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("row 5: the data of a config survives JSON, missing keys allowed", func(t *testing.T) {
		cfg := contextforge.Config{
			Path: "p", MaxEntries: 5, TokenBudget: 6, SmallDevice: true, HistoryLimit: -1,
			Ranking: contextforge.RankingReference(), Scrub: contextforge.ScrubConfig{Disabled: true},
		}
		text, err := json.Marshal(cfg)
		if err != nil {
			t.Fatal(err)
		}
		var back contextforge.Config
		if err := json.Unmarshal(text, &back); err != nil || fmt.Sprint(back) != fmt.Sprint(cfg) {
			t.Errorf("%s came back as %+v, %v", text, back, err)
		}
		if err := json.Unmarshal([]byte("{}"), &back); err != nil {
			t.Error(err)
		}
	})
	t.Run("row 6: safe for concurrent sharing", func(t *testing.T) {
		m := open(t, contextforge.Config{})
		g, err := m.Engine()
		if err != nil {
			t.Fatal(err)
		}
		var storage contextforge.Storage = g
		var searcher contextforge.Searcher = g
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				_ = storage.Save(ctx, contextforge.Entry{ID: fmt.Sprint(i), Content: "shared text"})
				_, _ = searcher.Search(ctx, "shared", "", 3)
				_, _ = m.Query(ctx, "shared", contextforge.QueryOptions{})
			})
		}
		wg.Wait()
		if n := count(t, m); n != 8 {
			t.Errorf("%d entries", n)
		}
	})
}

func TestBehaviourEngine(t *testing.T) {
	t.Run("row 7: the reference's token estimate", func(t *testing.T) {
		for n, want := range map[int]int{0: 0, 1: 1, 2: 1, 3: 1, 4: 1, 5: 2, 8: 2, 27: 7} {
			if got := (budget.BytesOver4{}).Count(strings.Repeat("x", n)); got != want {
				t.Errorf("%d bytes cost %d, want %d", n, got, want)
			}
		}
	})
	t.Run("row 8: decay halves", func(t *testing.T) {
		c := decay.Curve{HalfLife: time.Hour}
		for hours, want := range map[int]float64{0: 1, 1: 0.5, 2: 0.25} {
			if got := c.Weight(decay.Age{Sec: uint64(hours) * 3600}); math.Abs(got-want) > 1e-10 {
				t.Errorf("%d half-lives weigh %v", hours, got)
			}
		}
	})
	t.Run("row 9 and 10: half-lives that can't be", func(t *testing.T) {
		for _, bad := range []float64{0, -1, math.NaN(), math.Inf(1), math.Inf(-1)} {
			if got := decay.HalfLife(bad); got != 72*time.Hour {
				t.Errorf("%v gives %v", bad, got)
			}
		}
		if got := decay.HalfLife(3600); got != time.Hour {
			t.Errorf("an hour gives %v", got)
		}
		r := contextforge.RankingReference()
		r.HalfLife = -time.Hour
		open(t, contextforge.Config{Ranking: r})
	})
	t.Run("row 11: the budget decides", func(t *testing.T) {
		m := open(t, contextforge.Config{Clock: newClock().Now, Counter: budget.BytesOver4{}})
		save(t, m, "apple apple apple pie!", at(100)) // 6 tokens
		save(t, m, "apple apple tart", at(100))
		save(t, m, "apple cake and a lot of other words besides", at(100))
		if got := contents(t, m, "apple", contextforge.QueryOptions{TokenBudget: 6}); len(got) != 1 || got[0] != "apple apple apple pie!" {
			t.Errorf("budget of the first gives %q", got)
		}
		if got := contents(t, m, "apple", contextforge.QueryOptions{TokenBudget: 1000}); len(got) != 3 {
			t.Errorf("a large budget gives %q", got)
		}
	})
	t.Run("row 12: an oversized hit is skipped", func(t *testing.T) {
		m := open(t, contextforge.Config{Counter: budget.BytesOver4{}})
		save(t, m, strings.Repeat("apple ", 50), contextforge.SaveOptions{})
		save(t, m, "apple and pear and plum", contextforge.SaveOptions{})
		if got := contents(t, m, "apple", contextforge.QueryOptions{TokenBudget: 20}); len(got) != 1 || got[0] != "apple and pear and plum" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("row 13: no candidates, no hits", func(t *testing.T) {
		m := open(t, contextforge.Config{})
		if got := ask(t, m, "apple", contextforge.QueryOptions{}); len(got) != 0 {
			t.Errorf("got %q", got)
		}
	})
	t.Run("row 14: of equals the newer first", func(t *testing.T) {
		m := open(t, contextforge.Config{Clock: newClock().Now})
		old := save(t, m, "same words here", at(1_749_000_000))
		fresh := save(t, m, "same words here", at(1_749_990_000))
		if got := ask(t, m, "words", contextforge.QueryOptions{}); !slices.Equal(got, []string{fresh, old}) {
			t.Errorf("got %q, want %q first", got, fresh)
		}
	})
	t.Run("row 15 and 16: save keeps what it is given", func(t *testing.T) {
		m := open(t, contextforge.Config{Counter: budget.BytesOver4{}})
		id := save(t, m, "hello there", contextforge.SaveOptions{Scope: "s", SessionID: "n", Metadata: map[string]any{"a": 1}})
		e, err := m.Get(ctx, id)
		if err != nil || e.Content != "hello there" || e.Kind != "manual" || e.TokenCount != 3 || e.ID != id ||
			e.Scope != "s" || e.SessionID != "n" || string(e.Metadata) != `{"a":1}` {
			t.Errorf("got %+v, %v", e, err)
		}
	})
	t.Run("row 17: ids do not come from contents", func(t *testing.T) {
		m := open(t, contextforge.Config{})
		first := save(t, m, "twice", contextforge.SaveOptions{})
		if second := save(t, m, "twice", contextforge.SaveOptions{}); first == second || count(t, m) != 2 {
			t.Error("two saves are one entry")
		}
	})
	t.Run("row 18: empty content", func(t *testing.T) {
		m := open(t, contextforge.Config{})
		_, err := m.SaveBatch(ctx, []contextforge.Item{{Content: "fine"}, {Content: ""}})
		if !errors.Is(err, contextforge.ErrInvalidEntry) || !strings.Contains(err.Error(), "content must not be empty") || count(t, m) != 0 {
			t.Errorf("got %v, %d entries", err, count(t, m))
		}
	})
}

func TestBehaviourStorage(t *testing.T) {
	t.Run("row 20: save and count", func(t *testing.T) {
		m := open(t, contextforge.Config{})
		save(t, m, "one", contextforge.SaveOptions{})
		if n := count(t, m); n != 1 {
			t.Errorf("count %d", n)
		}
	})
	t.Run("row 21 and 22: newest first", func(t *testing.T) {
		m := open(t, contextforge.Config{})
		for _, sec := range []int64{30, 10, 50, 20, 40} {
			save(t, m, fmt.Sprint("at ", sec), at(sec))
		}
		top, err := m.TopK(ctx, 2)
		if err != nil || len(top) != 2 || top[0].Content != "at 50" || top[1].Content != "at 40" {
			t.Errorf("top 2 %+v, %v", top, err)
		}
		var all []string
		for e, err := range m.List(ctx, contextforge.Filter{}) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, e.Content)
		}
		if want := []string{"at 50", "at 40", "at 30", "at 20", "at 10"}; !slices.Equal(all, want) {
			t.Errorf("list %q", all)
		}
		if none, err := m.TopK(ctx, 0); err != nil || len(none) != 0 {
			t.Errorf("top 0 %v, %v", none, err)
		}
	})
	t.Run("row 23: delete", func(t *testing.T) {
		m := open(t, contextforge.Config{})
		id := save(t, m, "gone soon", contextforge.SaveOptions{})
		for _, want := range []bool{true, false} {
			if ok, err := m.Delete(ctx, id); err != nil || ok != want {
				t.Errorf("delete gave %v, %v", ok, err)
			}
		}
		if n := count(t, m); n != 0 {
			t.Errorf("count %d", n)
		}
	})
	t.Run("row 24 to 26: clear", func(t *testing.T) {
		m := open(t, contextforge.Config{})
		for i := range 3 {
			save(t, m, "x", contextforge.SaveOptions{Scope: []string{"a", "a", "b"}[i]})
		}
		for _, c := range []struct {
			scope string
			want  int
		}{{"a", 2}, {"a", 0}, {"never", 0}} {
			if n, err := m.ClearScope(ctx, c.scope); err != nil || n != c.want {
				t.Errorf("clear scope %q gave %d, %v", c.scope, n, err)
			}
		}
		save(t, m, "x", contextforge.SaveOptions{})
		save(t, m, "x", contextforge.SaveOptions{})
		if n, err := m.Clear(ctx); err != nil || n != 3 || count(t, m) != 0 {
			t.Errorf("clear gave %d, %v, %d left", n, err, count(t, m))
		}
	})
	t.Run("row 27: over capacity the oldest leaves", func(t *testing.T) {
		m := open(t, contextforge.Config{MaxEntries: 2})
		for _, sec := range []int64{1, 2, 3} {
			save(t, m, fmt.Sprint("word", sec), at(sec))
		}
		if got := contents(t, m, contextforge.MatchAll, contextforge.QueryOptions{}); !slices.Equal(got, []string{"word3", "word2"}) {
			t.Errorf("left %q", got)
		}
	})
	t.Run("row 28: a batch keeps the newest", func(t *testing.T) {
		m := open(t, contextforge.Config{MaxEntries: 3})
		var items []contextforge.Item
		for _, sec := range []int64{5, 1, 4, 2, 3} {
			items = append(items, contextforge.Item{Content: fmt.Sprint("w", sec), SaveOptions: at(sec)})
		}
		if _, err := m.SaveBatch(ctx, items); err != nil {
			t.Fatal(err)
		}
		if got := contents(t, m, contextforge.MatchAll, contextforge.QueryOptions{}); !slices.Equal(got, []string{"w5", "w4", "w3"}) {
			t.Errorf("left %q", got)
		}
	})
	t.Run("row 29: a batch is searchable at once", func(t *testing.T) {
		m := open(t, contextforge.Config{})
		ids, err := m.SaveBatch(ctx, []contextforge.Item{{Content: "red fox"}, {Content: "blue whale"}})
		if err != nil {
			t.Fatal(err)
		}
		if got := ask(t, m, "whale", contextforge.QueryOptions{}); !slices.Equal(got, ids[1:]) {
			t.Errorf("got %q", got)
		}
	})
	t.Run("row 30: every field survives", func(t *testing.T) {
		m := open(t, contextforge.Config{Path: t.TempDir() + "/m"})
		for _, meta := range []any{nil, map[string]any{}, []int{1, 2}, "text", 1.5, true, map[string]any{"deep": []any{nil, "<&>"}}} {
			id := save(t, m, "content", contextforge.SaveOptions{Scope: "s", SessionID: "n", TokenCount: 42, Metadata: meta, Timestamp: time.Unix(77, 5)})
			e, err := m.Get(ctx, id)
			if err != nil || e.Scope != "s" || e.SessionID != "n" || e.TokenCount != 42 || !e.Timestamp.Equal(time.Unix(77, 5)) {
				t.Errorf("got %+v, %v", e, err)
			}
			want, _ := json.Marshal(meta)
			if s := string(want); s == "null" || s == "{}" {
				want = nil
			}
			var a, b any
			_ = json.Unmarshal(want, &a)
			_ = json.Unmarshal(e.Metadata, &b)
			if fmt.Sprint(a) != fmt.Sprint(b) {
				t.Errorf("metadata %s came back as %s", want, e.Metadata)
			}
		}
	})
	t.Run("row 31: the same id twice is one entry", func(t *testing.T) {
		m := open(t, contextforge.Config{})
		save(t, m, "first wording", contextforge.SaveOptions{ID: "x"})
		save(t, m, "second text", contextforge.SaveOptions{ID: "x"})
		if got := contents(t, m, contextforge.MatchAll, contextforge.QueryOptions{}); !slices.Equal(got, []string{"second text"}) {
			t.Errorf("left %q", got)
		}
		if got := ask(t, m, "wording", contextforge.QueryOptions{}); len(got) != 0 {
			t.Errorf("the old wording finds %q", got)
		}
	})
}

func TestBehaviourSearch(t *testing.T) {
	engine := func(t *testing.T, texts ...string) *contextforge.Engine {
		t.Helper()
		m := open(t, contextforge.Config{})
		for i, text := range texts {
			scope, content, scoped := strings.Cut(text, "|")
			if !scoped {
				scope, content = "", text
			}
			save(t, m, content, contextforge.SaveOptions{Scope: scope, ID: fmt.Sprint(i), Timestamp: time.Unix(int64(i), 0)})
		}
		g, err := m.Engine()
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	search := func(t *testing.T, g *contextforge.Engine, query, scope string, limit int) []contextforge.ScoredEntry {
		t.Helper()
		out, err := g.Search(ctx, query, scope, limit)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	t.Run("row 32: a term finds its entries, scores descending", func(t *testing.T) {
		got := search(t, engine(t, "rust and go", "go go go", "python"), "go", "", 10)
		if len(got) != 2 || got[0].Score < got[1].Score {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("row 33: an unknown term finds nothing", func(t *testing.T) {
		if got := search(t, engine(t, "a text"), "zebra", "", 10); len(got) != 0 {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("row 34: scopes", func(t *testing.T) {
		g := engine(t, "x|kiwi one", "y|kiwi two")
		for scope, want := range map[string]int{"x": 1, "y": 1, "": 2, "z": 0} {
			if got := search(t, g, "kiwi", scope, 10); len(got) != want {
				t.Errorf("scope %q: %+v", scope, got)
			}
		}
	})
	t.Run("row 35 and 36: match all", func(t *testing.T) {
		g := engine(t, "x|a", "y|b", "c")
		got := search(t, g, contextforge.MatchAll, "", contextforge.Unlimited)
		if len(got) != 3 || got[0].Entry.Content != "c" || got[2].Entry.Content != "a" || got[0].Score != 1 {
			t.Errorf("got %+v", got)
		}
		if got := search(t, g, contextforge.MatchAll, "x", contextforge.Unlimited); len(got) != 1 || got[0].Entry.Content != "a" {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("row 37 to 39: no syntax, positive scores, any word", func(t *testing.T) {
		g := engine(t, `he said "version 1.2.3" twice`, "a river", "a stone")
		if got := search(t, g, `"version 1.2.3".`, "", 10); len(got) == 0 || got[0].Entry.ID != "0" || got[0].Score <= 0 {
			t.Errorf("got %+v", got)
		}
		if got := search(t, g, "river stone cloud", "", 10); len(got) != 2 {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("limit 0 is empty", func(t *testing.T) {
		for _, query := range []string{"river", contextforge.MatchAll} {
			if got := search(t, engine(t, "a river"), query, "", 0); len(got) != 0 {
				t.Errorf("got %+v", got)
			}
		}
	})
}

func TestBehaviourFacade(t *testing.T) {
	t.Run("row 40 and 41: a round trip in memory", func(t *testing.T) {
		m := open(t, contextforge.Config{})
		id := save(t, m, "the sky is blue", contextforge.SaveOptions{})
		if got := ask(t, m, "sky", contextforge.QueryOptions{}); count(t, m) != 1 || !slices.Equal(got, []string{id}) {
			t.Errorf("got %q", got)
		}
		if ok, err := m.Delete(ctx, id); !ok || err != nil {
			t.Errorf("delete %v, %v", ok, err)
		}
		if n, err := m.Clear(ctx); n != 0 || err != nil {
			t.Errorf("clear %d, %v", n, err)
		}
	})
	t.Run("row 42: scopes do not mix", func(t *testing.T) {
		m := open(t, contextforge.Config{})
		a := save(t, m, "shared word apple", contextforge.SaveOptions{Scope: "a"})
		b := save(t, m, "shared word banana", contextforge.SaveOptions{Scope: "b"})
		for scope, want := range map[string]string{"a": a, "b": b} {
			if got := ask(t, m, "shared", contextforge.QueryOptions{Filter: contextforge.Filter{Scope: scope}}); !slices.Equal(got, []string{want}) {
				t.Errorf("scope %q: %q", scope, got)
			}
		}
		if got := ask(t, m, "shared", contextforge.QueryOptions{}); len(got) != 2 {
			t.Errorf("all scopes: %q", got)
		}
		if n, err := m.ClearScope(ctx, "a"); n != 1 || err != nil || count(t, m) != 1 {
			t.Errorf("clear scope %d, %v", n, err)
		}
	})
	t.Run("row 43: strong hits elsewhere hide nothing", func(t *testing.T) {
		m := open(t, contextforge.Config{})
		var items []contextforge.Item
		for range 120 {
			items = append(items, contextforge.Item{Content: "deploy deploy deploy", SaveOptions: contextforge.SaveOptions{Scope: "b"}})
		}
		if _, err := m.SaveBatch(ctx, items); err != nil {
			t.Fatal(err)
		}
		id := save(t, m, "a long text about many things, one being the deploy of last week", contextforge.SaveOptions{Scope: "a"})
		if got := ask(t, m, "deploy", contextforge.QueryOptions{Filter: contextforge.Filter{Scope: "a"}}); !slices.Equal(got, []string{id}) {
			t.Errorf("got %q", got)
		}
	})
	t.Run("row 44: match all with and without scope", func(t *testing.T) {
		m := open(t, contextforge.Config{})
		for _, scope := range []string{"a", "b", ""} {
			save(t, m, "text", contextforge.SaveOptions{Scope: scope})
		}
		for scope, want := range map[string]int{"a": 1, "": 3} {
			if got := ask(t, m, contextforge.MatchAll, contextforge.QueryOptions{Filter: contextforge.Filter{Scope: scope}}); len(got) != want {
				t.Errorf("scope %q: %q", scope, got)
			}
		}
		if got := ask(t, m, contextforge.MatchAll, contextforge.QueryOptions{Filter: contextforge.Filter{GlobalOnly: true}}); len(got) != 1 {
			t.Errorf("global: %q", got)
		}
	})
	t.Run("row 45: one save, one hit", func(t *testing.T) {
		m := open(t, contextforge.Config{})
		save(t, m, "We deploy on Fridays at four.", contextforge.SaveOptions{Scope: "project:demo"})
		if got := ask(t, m, "when do we deploy?", contextforge.QueryOptions{Filter: contextforge.Filter{Scope: "project:demo"}, TokenBudget: 2048}); len(got) != 1 {
			t.Errorf("got %q", got)
		}
	})
}
