package contextforge_test

// What the reference has no counterpart for: update and history, expiry,
// forgetting, listing, limits of the input, plugged storage.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/bm25"
)

func TestUpdateKeepsIdentityAndHistory(t *testing.T) {
	c := newClock()
	m := open(t, contextforge.Config{Clock: c.Now, HistoryLimit: 2})
	id := save(t, m, "port is 5432", contextforge.SaveOptions{Scope: "s", Timestamp: time.Unix(99, 0)})
	for i := range 4 {
		c.Advance(time.Minute)
		text := fmt.Sprint("port is ", 6000+i)
		e, err := m.Update(ctx, id, contextforge.Change{Content: &text})
		if err != nil || e.ID != id || !e.Timestamp.Equal(time.Unix(99, 0)) || !e.UpdatedAt.Equal(c.now) || e.Content != text || e.Scope != "s" {
			t.Fatalf("got %+v, %v", e, err)
		}
	}
	versions, err := m.History(ctx, id)
	if err != nil || len(versions) != 2 || versions[0].Content != "port is 6001" || versions[1].Content != "port is 6002" {
		t.Errorf("history %+v, %v", versions, err)
	}
	if got := ask(t, m, "6003", contextforge.QueryOptions{}); len(got) != 1 {
		t.Errorf("the new wording finds %q", got)
	}
	kind := "fact"
	e, err := m.Update(ctx, id, contextforge.Change{Kind: &kind, SetMetadata: true, Metadata: map[string]int{"v": 2}})
	if err != nil || e.Kind != "fact" || string(e.Metadata) != `{"v":2}` || e.Content != "port is 6003" {
		t.Errorf("got %+v, %v", e, err)
	}
	if same, err := m.Update(ctx, id, contextforge.Change{Kind: &kind}); err != nil || !same.UpdatedAt.Equal(e.UpdatedAt) {
		t.Errorf("no change: %+v, %v", same, err)
	}
	empty := ""
	if _, err := m.Update(ctx, id, contextforge.Change{Content: &empty}); !errors.Is(err, contextforge.ErrInvalidEntry) {
		t.Errorf("empty content: %v", err)
	}
	if _, err := m.Update(ctx, "nobody", contextforge.Change{Kind: &kind}); !errors.Is(err, contextforge.ErrNotFound) {
		t.Errorf("unknown id: %v", err)
	}
	if _, err := m.Delete(ctx, id); err != nil {
		t.Fatal(err)
	}
	if _, err := m.History(ctx, id); !errors.Is(err, contextforge.ErrNotFound) {
		t.Errorf("history after delete: %v", err)
	}
	save(t, m, "another life", contextforge.SaveOptions{ID: id})
	if versions, err := m.History(ctx, id); err != nil || len(versions) != 0 {
		t.Errorf("history of a new entry: %+v, %v", versions, err)
	}
}

func TestExpiry(t *testing.T) {
	c := newClock()
	var gone []contextforge.Eviction
	m := open(t, contextforge.Config{Clock: c.Now, Hooks: contextforge.Hooks{
		Evicted: func(_ context.Context, list []contextforge.Eviction) { gone = append(gone, list...) },
	}})
	short := save(t, m, "parking code 42", contextforge.SaveOptions{TTL: time.Hour, Scope: "s"})
	long := save(t, m, "parking rules", contextforge.SaveOptions{ExpiresAt: c.now.Add(48 * time.Hour), Scope: "s"})
	ever := save(t, m, "parking garage", contextforge.SaveOptions{Scope: "s"})
	state := func(what string, want ...string) {
		t.Helper()
		scope := contextforge.Filter{Scope: "s"}
		got := ask(t, m, "parking", contextforge.QueryOptions{Filter: scope})
		slices.Sort(got)
		slices.Sort(want)
		n, err := m.Count(ctx, scope)
		if !slices.Equal(got, want) || err != nil || n != len(want) || count(t, m) != len(want) || len(ask(t, m, "*", contextforge.QueryOptions{})) != len(want) {
			t.Errorf("%s: found %q, counted %d, want %q", what, got, n, want)
		}
		if scopes, err := m.Scopes(ctx); err != nil || len(scopes) != 1 || scopes[0].Entries != len(want) {
			t.Errorf("%s: scopes %+v, %v", what, scopes, err)
		}
	}
	state("at first", short, long, ever)
	c.Advance(time.Hour)
	state("after an hour", long, ever)
	if _, err := m.Get(ctx, short); !errors.Is(err, contextforge.ErrNotFound) {
		t.Errorf("get: %v", err)
	}
	if ok, err := m.Delete(ctx, short); ok || err != nil {
		t.Errorf("delete: %v, %v", ok, err)
	}
	past := contextforge.QueryOptions{AsOf: c.now.Add(100 * time.Hour)}
	if got := ask(t, m, "parking", past); !slices.Equal(got, []string{ever}) {
		t.Errorf("in 100 h: %q", got)
	}
	c.Advance(48 * time.Hour)
	state("after two days", ever)
	if err := m.Compact(ctx); err != nil {
		t.Fatal(err)
	}
	state("compacted", ever)
	if len(gone) != 2 && len(gone) != 1 { // deleting may have met the first before its purge
		t.Errorf("reported %+v", gone)
	}
	if _, err := m.Save(ctx, "x", "", contextforge.SaveOptions{TTL: -1}); !errors.Is(err, contextforge.ErrInvalidEntry) {
		t.Errorf("negative TTL: %v", err)
	}
}

func TestForget(t *testing.T) {
	m := open(t, contextforge.Config{})
	for i := range 6 {
		save(t, m, fmt.Sprint("entry ", i), contextforge.SaveOptions{
			ID: fmt.Sprint(i), Scope: []string{"a", "b"}[i%2], SessionID: []string{"", "x", "y"}[i%3],
			Timestamp: time.Unix(int64(i), 0), Metadata: map[string]any{"n": i % 2, "tag": "t"},
		})
	}
	if _, err := m.Forget(ctx, contextforge.Filter{}, false); !errors.Is(err, contextforge.ErrInvalidFilter) || count(t, m) != 6 {
		t.Errorf("empty filter: %v, %d left", err, count(t, m))
	}
	f := contextforge.Filter{Metadata: map[string]any{"n": 1.0}, Since: time.Unix(2, 0)}
	ids, err := m.Forget(ctx, f, true)
	if err != nil || !slices.Equal(ids, []string{"5", "3"}) || count(t, m) != 6 {
		t.Errorf("dry run: %q, %v, %d left", ids, err, count(t, m))
	}
	if ids, err = m.Forget(ctx, f, false); err != nil || !slices.Equal(ids, []string{"5", "3"}) || count(t, m) != 4 {
		t.Errorf("forgot %q, %v, %d left", ids, err, count(t, m))
	}
	if _, err := m.Forget(ctx, contextforge.Filter{Scope: "a", GlobalOnly: true}, false); !errors.Is(err, contextforge.ErrInvalidFilter) {
		t.Errorf("contradiction: %v", err)
	}
	if _, err := m.Forget(ctx, contextforge.Filter{Metadata: map[string]any{"f": func() {}}}, false); !errors.Is(err, contextforge.ErrInvalidFilter) {
		t.Errorf("metadata without JSON: %v", err)
	}
}

func TestFilters(t *testing.T) {
	m := open(t, contextforge.Config{})
	for i := range 8 {
		if _, err := m.Save(ctx, "common text", []string{"fact", "manual"}[i%2], contextforge.SaveOptions{
			ID: fmt.Sprint(i), Scope: []string{"", "a"}[i/4], SessionID: []string{"", "x"}[i/2%2],
			Timestamp: time.Unix(int64(i), 0), Metadata: map[string]any{"i": i, "list": []int{1, i}},
		}); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		f    contextforge.Filter
		want string
	}{
		{contextforge.Filter{}, "76543210"},
		{contextforge.Filter{Scope: "a"}, "7654"},
		{contextforge.Filter{GlobalOnly: true}, "3210"},
		{contextforge.Filter{Kinds: []string{"fact"}}, "6420"},
		{contextforge.Filter{Kinds: []string{"fact", "manual"}, SessionID: "x"}, "7632"},
		{contextforge.Filter{Since: time.Unix(3, 0), Until: time.Unix(6, 0)}, "543"},
		{contextforge.Filter{Since: time.Unix(6, 0), Until: time.Unix(3, 0)}, ""},
		{contextforge.Filter{Metadata: map[string]any{"i": 5}}, "5"},
		{contextforge.Filter{Metadata: map[string]any{"list": []int{1, 6}}}, "6"},
		{contextforge.Filter{Metadata: map[string]any{"missing": nil}, Scope: "a"}, "7654"},
		{contextforge.Filter{Metadata: map[string]any{"i": "5"}}, ""},
		{contextforge.Filter{Scope: "never"}, ""},
	} {
		var listed string
		for e, err := range m.List(ctx, c.f) {
			if err != nil {
				t.Fatal(err)
			}
			listed += e.ID
		}
		n, err := m.Count(ctx, c.f)
		if err != nil {
			t.Fatal(err)
		}
		o := contextforge.QueryOptions{Filter: c.f, Ranking: searchesAlone()}
		found := strings.Join(ask(t, m, "common", o), "")
		all := strings.Join(ask(t, m, "*", o), "")
		if listed != c.want || n != len(c.want) || found != c.want || all != c.want {
			t.Errorf("%+v: listed %s, counted %d, found %s, matched %s, want %s", c.f, listed, n, found, all, c.want)
		}
	}
}

func TestBadInput(t *testing.T) {
	m := open(t, contextforge.Config{Path: t.TempDir() + "/m"})
	odd := []string{"\xff\xfe broken \x80 utf8 marker", "nul \x00 inside marker", "tab\tand\nnewline marker", strings.Repeat("\u0301", 1000) + " marker"}
	for i, text := range odd {
		id := save(t, m, text, contextforge.SaveOptions{ID: string([]byte{0xff, 0, byte(i)}), Scope: "\x00\xff" + text, SessionID: "\x01"})
		e, err := m.Get(ctx, id)
		if err != nil || e.Content != text || e.Scope != "\x00\xff"+text {
			t.Errorf("%q came back as %+v, %v", text, e, err)
		}
		if got := ask(t, m, "marker", contextforge.QueryOptions{Filter: contextforge.Filter{Scope: "\x00\xff" + text}}); !slices.Equal(got, []string{id}) {
			t.Errorf("%q: found %q", text, got)
		}
		line, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		var back contextforge.Entry
		if err := json.Unmarshal(line, &back); err != nil || back.Content != text || back.ID != id || back.Scope != e.Scope {
			t.Errorf("%s came back as %+v, %v", line, back, err)
		}
	}
	for name, o := range map[string]contextforge.SaveOptions{
		"id":       {ID: strings.Repeat("i", 40_000)},
		"scope":    {Scope: strings.Repeat("s", 40_000)},
		"session":  {SessionID: strings.Repeat("n", 40_000)},
		"metadata": {Metadata: func() {}},
		"raw":      {Metadata: json.RawMessage(`{"broken":`)},
		"time":     {Timestamp: time.Unix(1<<50, 0)},
	} {
		if _, err := m.Save(ctx, "x", "", o); !errors.Is(err, contextforge.ErrInvalidEntry) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, p := range []bm25.Params{{K1: -1}, {K1: 1.2, B: 2}, {B: -0.1}} {
		if _, err := contextforge.Open(ctx, contextforge.Config{BM25: p}); !errors.Is(err, contextforge.ErrInvalidConfig) {
			t.Errorf("%+v: %v", p, err)
		}
	}
	if n := count(t, m); n != len(odd) {
		t.Errorf("%d entries", n)
	}
}

func TestHugeContent(t *testing.T) {
	if testing.Short() {
		t.Log("5 MB instead of 50 in the short form")
	}
	size := 50 << 20
	if testing.Short() {
		size = 5 << 20
	}
	m := open(t, contextforge.Config{Path: t.TempDir() + "/m"})
	text := strings.Repeat("lorem ipsum dolor ", size/18) + "needlework"
	id := save(t, m, text, contextforge.SaveOptions{})
	if got := ask(t, m, "needlework", contextforge.QueryOptions{TokenBudget: contextforge.Unlimited}); !slices.Equal(got, []string{id}) {
		t.Errorf("found %q", got)
	}
	if got := ask(t, m, "needlework", contextforge.QueryOptions{}); len(got) != 0 {
		t.Errorf("over the budget, found %q", got)
	}
	if ok, err := m.Delete(ctx, id); !ok || err != nil {
		t.Error(ok, err)
	}
}

func TestClosedMemory(t *testing.T) {
	m, _ := remember(t, "x")
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	_, saveErr := m.Save(ctx, "y", "", contextforge.SaveOptions{})
	_, queryErr := m.Query(ctx, "x", contextforge.QueryOptions{})
	_, getErr := m.Get(ctx, "x")
	var listErr error
	for _, err := range m.List(ctx, contextforge.Filter{}) {
		listErr = err
	}
	for i, err := range []error{saveErr, queryErr, getErr, listErr, m.Verify(ctx), m.Compact(ctx), m.Close()} {
		if !errors.Is(err, contextforge.ErrClosed) {
			t.Errorf("%d: %v", i, err)
		}
	}
}

func TestCancelledContext(t *testing.T) {
	m, ids := remember(t, "x y z")
	done, cancel := context.WithCancel(ctx)
	cancel()
	_, saveErr := m.Save(done, "y", "", contextforge.SaveOptions{})
	_, queryErr := m.Query(done, "x", contextforge.QueryOptions{})
	_, deleteErr := m.Delete(done, ids[0])
	for i, err := range []error{saveErr, queryErr, deleteErr} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%d: %v", i, err)
		}
	}
	if n := count(t, m); n != 1 {
		t.Errorf("%d entries", n)
	}
}

func TestReproducibleIDs(t *testing.T) {
	var runs [2][]string
	for i := range runs {
		m := open(t, contextforge.Config{Clock: newClock().Now, Rand: rand.NewChaCha8([32]byte{1})})
		for range 5 {
			runs[i] = append(runs[i], save(t, m, "x", contextforge.SaveOptions{}))
		}
	}
	if !slices.Equal(runs[0], runs[1]) {
		t.Errorf("%q and %q", runs[0], runs[1])
	}
}

func TestScrubOnSaveAndUpdate(t *testing.T) {
	secret := "ghp_" + strings.Repeat("a1B2", 9)
	var labels []string
	m := open(t, contextforge.Config{Hooks: contextforge.Hooks{Redacted: func(_ context.Context, f []contextforge.Redaction) {
		for _, r := range f {
			labels = append(labels, r.Label)
		}
	}}})
	id := save(t, m, "token "+secret+" end", contextforge.SaveOptions{})
	text := "now " + secret
	if _, err := m.Update(ctx, id, contextforge.Change{Content: &text}); err != nil {
		t.Fatal(err)
	}
	e, err := m.Get(ctx, id)
	if err != nil || strings.Contains(e.Content, "ghp_") || e.Content != "now [REDACTED:github-token]" || !slices.Equal(labels, []string{"github-token", "github-token"}) {
		t.Errorf("got %q, %q, %v", e.Content, labels, err)
	}
	if got := ask(t, m, secret, contextforge.QueryOptions{}); len(got) != 0 {
		t.Errorf("the secret finds %q", got)
	}
	raw := open(t, contextforge.Config{Scrub: contextforge.ScrubConfig{Disabled: true}})
	if e, err := raw.Get(ctx, save(t, raw, secret, contextforge.SaveOptions{})); err != nil || e.Content != secret {
		t.Errorf("got %q, %v", e.Content, err)
	}
}

func TestRestoreIsIdempotent(t *testing.T) {
	c := newClock()
	m := open(t, contextforge.Config{Clock: c.Now})
	save(t, m, "one", contextforge.SaveOptions{Scope: "s", Metadata: map[string]any{"a": "<1>"}, TTL: time.Hour, Timestamp: time.Unix(5, 123456789)})
	id := save(t, m, "two", contextforge.SaveOptions{})
	text := "two b"
	if _, err := m.Update(ctx, id, contextforge.Change{Content: &text}); err != nil {
		t.Fatal(err)
	}
	var entries []contextforge.Entry
	for e, err := range m.List(ctx, contextforge.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, e)
	}
	for i := range entries { // as a JSON encoder may write it
		entries[i].Metadata = bytes.ReplaceAll(entries[i].Metadata, []byte("<"), []byte(`\u003c`))
	}
	if n, err := m.Restore(ctx, entries); n != 0 || err != nil {
		t.Errorf("the same in other spelling: %d, %v", n, err)
	}
	other := open(t, contextforge.Config{Clock: c.Now})
	for i, want := range []int{2, 0} {
		if n, err := other.Restore(ctx, entries); n != want || err != nil {
			t.Errorf("time %d: %d, %v", i, n, err)
		}
	}
	for _, e := range entries {
		got, err := other.Get(ctx, e.ID)
		if err != nil || fmt.Sprint(got) != fmt.Sprint(e) {
			t.Errorf("got %+v, want %+v, %v", got, e, err)
		}
	}
}

func TestPerScopeCapacity(t *testing.T) {
	m := open(t, contextforge.Config{MaxEntriesPerScope: 2})
	for i := range 9 {
		save(t, m, fmt.Sprint("e", i), contextforge.SaveOptions{Scope: []string{"a", "b", ""}[i%3], Timestamp: time.Unix(int64(i), 0)})
	}
	if got := contents(t, m, "*", contextforge.QueryOptions{}); !slices.Equal(got, []string{"e8", "e7", "e6", "e5", "e4", "e3"}) {
		t.Errorf("left %q", got)
	}
}

// plugged is a caller's own storage and search: a slice.
type plugged struct{ entries []contextforge.Entry }

func (p *plugged) Save(ctx context.Context, e contextforge.Entry) error {
	return p.SaveBatch(ctx, []contextforge.Entry{e})
}

func (p *plugged) SaveBatch(_ context.Context, entries []contextforge.Entry) error {
	p.entries = append(p.entries, entries...)
	return nil
}

func (p *plugged) TopK(_ context.Context, k int) ([]contextforge.Entry, error) {
	return p.entries[:min(k, len(p.entries))], nil
}

func (p *plugged) All(context.Context) iter.Seq2[contextforge.Entry, error] {
	return func(yield func(contextforge.Entry, error) bool) {
		for _, e := range p.entries {
			if !yield(e, nil) {
				return
			}
		}
	}
}

func (p *plugged) remove(drop func(contextforge.Entry) bool) int {
	n := len(p.entries)
	p.entries = slices.DeleteFunc(p.entries, drop)
	return n - len(p.entries)
}

func (p *plugged) Delete(_ context.Context, id string) (bool, error) {
	return p.remove(func(e contextforge.Entry) bool { return e.ID == id }) > 0, nil
}

func (p *plugged) Clear(context.Context) (int, error) {
	return p.remove(func(contextforge.Entry) bool { return true }), nil
}

func (p *plugged) ClearScope(_ context.Context, scope string) (int, error) {
	return p.remove(func(e contextforge.Entry) bool { return e.Scope == scope }), nil
}

func (p *plugged) Count(context.Context) (int, error) { return len(p.entries), nil }

func (p *plugged) Search(_ context.Context, query, scope string, limit int) ([]contextforge.ScoredEntry, error) {
	var out []contextforge.ScoredEntry
	for _, e := range p.entries {
		if (query == contextforge.MatchAll || strings.Contains(e.Content, query)) && (scope == "" || scope == e.Scope) && len(out) != limit {
			out = append(out, contextforge.ScoredEntry{Entry: e, Score: 1 / float64(1+len(out))})
		}
	}
	return out, nil
}

func TestPluggedStorage(t *testing.T) {
	p := &plugged{}
	m := open(t, contextforge.Config{Storage: p})
	a := save(t, m, "apple pie", contextforge.SaveOptions{Scope: "s"})
	b := save(t, m, "apple tart", contextforge.SaveOptions{})
	if got := ask(t, m, "apple", contextforge.QueryOptions{}); !slices.Equal(got, []string{a, b}) {
		t.Errorf("found %q", got)
	}
	if got := ask(t, m, "apple", contextforge.QueryOptions{Filter: contextforge.Filter{Scope: "s"}}); !slices.Equal(got, []string{a}) {
		t.Errorf("in scope %q", got)
	}
	if got := ask(t, m, "*", contextforge.QueryOptions{}); len(got) != 2 {
		t.Errorf("matched %q", got)
	}
	if n, err := m.Count(ctx, contextforge.Filter{Scope: "s"}); n != 1 || err != nil {
		t.Errorf("counted %d, %v", n, err)
	}
	if top, err := m.TopK(ctx, 1); err != nil || len(top) != 1 {
		t.Errorf("top %v, %v", top, err)
	}
	_, err := m.Query(ctx, "apple", contextforge.QueryOptions{Filter: contextforge.Filter{Kinds: []string{"fact"}}})
	_, err2 := m.Get(ctx, a)
	_, err3 := m.Update(ctx, a, contextforge.Change{})
	_, err4 := m.Forget(ctx, contextforge.Filter{Scope: "s"}, true)
	for i, err := range []error{err, err2, err3, err4, m.Checkpoint(ctx, "x"), m.Compact(ctx)} {
		if !errors.Is(err, contextforge.ErrUnsupported) {
			t.Errorf("%d: %v", i, err)
		}
	}
	if n, err := m.ClearScope(ctx, ""); n != 1 || err != nil {
		t.Errorf("cleared %d, %v", n, err)
	}
	if ok, err := m.Delete(ctx, a); !ok || err != nil {
		t.Error(ok, err)
	}
	if _, err := contextforge.Open(ctx, contextforge.Config{Storage: onlyStorage{p}}); !errors.Is(err, contextforge.ErrInvalidConfig) {
		t.Errorf("storage without search: %v", err)
	}
}

type onlyStorage struct{ contextforge.Storage }

func TestEntryJSONIsExact(t *testing.T) {
	var e contextforge.Entry
	if err := json.Unmarshal([]byte(`{"content":"keep me","Content":"oops","SCOPE":"other","iD":"zz","unknown":[1]}`), &e); err != nil || e.Content != "keep me" || e.Scope != "" || e.ID != "" {
		t.Errorf("got %+v, %v", e, err)
	}
	for text, want := range map[string]time.Time{
		`1767583930`: time.Unix(1767583930, 0), `1767583930.285`: time.Unix(1767583930, 285e6), `-0.5`: time.Unix(-1, 5e8),
		`"2026-01-05T03:32:10.5+01:00"`: time.Unix(1767580330, 5e8), `"1767583930.000000001"`: time.Unix(1767583930, 1),
		`1.767583930e9`: time.Unix(1767583930, 0), `0.` + strings.Repeat("3", 1<<20): time.Unix(0, 333333333), `null`: {},
	} {
		var e contextforge.Entry
		if err := json.Unmarshal([]byte(`{"timestamp":`+text+`}`), &e); err != nil || !e.Timestamp.Equal(want) {
			t.Errorf("%.40s is %v, want %v, %v", text, e.Timestamp, want, err)
		}
	}
	for _, text := range []string{`1e999`, `"yesterday"`, `1e300`, `"0x10"`, `"1.2.3"`, `"--5"`, `{}`, `1099511627777`, `"1_0"`} {
		var e contextforge.Entry
		if err := json.Unmarshal([]byte(`{"timestamp":`+text+`}`), &e); err == nil {
			t.Errorf("%s is taken for %v", text, e.Timestamp)
		} else if len(err.Error()) > 200 {
			t.Errorf("a message of %d bytes", len(err.Error()))
		}
	}
}

func TestBudgetsAtTheirEnds(t *testing.T) {
	m := open(t, contextforge.Config{})
	items := make([]contextforge.Item, 500)
	for i := range items {
		items[i].Content = "budget words"
	}
	if _, err := m.SaveBatch(ctx, items); err != nil {
		t.Fatal(err)
	}
	for _, budget := range []int{contextforge.Unlimited, math.MaxInt, math.MaxInt/2 + 1, 1 << 30} {
		if got := ask(t, m, "budget", contextforge.QueryOptions{TokenBudget: budget, Limit: 0}); len(got) != 500 {
			t.Errorf("budget %d: %d hits", budget, len(got))
		}
	}
	big := open(t, contextforge.Config{})
	for i := range items[:300] {
		items[i].Content = strings.Repeat("budget ", 9000)
		items[i].TokenCount = 10_000
	}
	if _, err := big.SaveBatch(ctx, items[:300]); err != nil {
		t.Fatal(err)
	}
	small := save(t, big, "the small budget entry that fits", contextforge.SaveOptions{})
	if got := ask(t, big, "budget", contextforge.QueryOptions{}); !slices.Equal(got, []string{small}) {
		t.Errorf("crowded out: %q", got)
	}
}

func TestSeededRandAfterReopening(t *testing.T) {
	cfg := contextforge.Config{Path: t.TempDir() + "/m", Clock: newClock().Now}
	ids := map[string]bool{}
	for range 3 {
		cfg.Rand = rand.NewChaCha8([32]byte{7})
		m := open(t, cfg)
		ids[save(t, m, "again", contextforge.SaveOptions{})] = true
		if err := errors.Join(m.Verify(ctx), m.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if len(ids) != 3 {
		t.Errorf("ids %v", ids)
	}
}

func TestExactNumbersInFilters(t *testing.T) {
	m := open(t, contextforge.Config{})
	a := save(t, m, "x", contextforge.SaveOptions{Metadata: map[string]any{"h": uint64(18446744073709551615)}})
	save(t, m, "x", contextforge.SaveOptions{Metadata: map[string]any{"h": uint64(18446744073709551614)}})
	save(t, m, "x", contextforge.SaveOptions{Metadata: json.RawMessage(`{"h":1e99999999999}`)})
	got, err := m.Forget(ctx, contextforge.Filter{Metadata: map[string]any{"h": uint64(18446744073709551615)}}, false)
	if err != nil || !slices.Equal(got, []string{a}) || count(t, m) != 2 {
		t.Errorf("forgot %q, %v", got, err)
	}
	for same, other := range map[string]string{"1": "1.0", "100": "1e2", "0.5": "5E-1", "-0": "0.00", "12.50": "1250e-2"} {
		b := save(t, m, "y", contextforge.SaveOptions{Metadata: json.RawMessage(`{"n":` + same + `}`)})
		if got := ask(t, m, "y", contextforge.QueryOptions{Filter: contextforge.Filter{Metadata: map[string]any{"n": json.Number(other)}}}); !slices.Contains(got, b) {
			t.Errorf("%s is not %s: %q", same, other, got)
		}
	}
}

func TestHistoryGoesWithItsEntry(t *testing.T) {
	c := newClock()
	m := open(t, contextforge.Config{Clock: c.Now})
	id := save(t, m, "first secret", contextforge.SaveOptions{TTL: time.Second})
	text := "second"
	if _, err := m.Update(ctx, id, contextforge.Change{Content: &text}); err != nil {
		t.Fatal(err)
	}
	c.Advance(time.Hour)
	if h, err := m.History(ctx, id); !errors.Is(err, contextforge.ErrNotFound) {
		t.Errorf("history of an expired entry: %+v, %v", h, err)
	}
	if s, err := m.Stats(ctx); err != nil || s.Entries != 0 {
		t.Errorf("stats %+v, %v", s, err)
	}
	save(t, m, "a new life", contextforge.SaveOptions{ID: id})
	if h, err := m.History(ctx, id); err != nil || len(h) != 0 {
		t.Errorf("history of the new entry: %+v, %v", h, err)
	}
}

// oddCounter counts what no counter should.
type oddCounter int

func (o oddCounter) Count(string) int { return int(o) }

func TestOddCallers(t *testing.T) {
	m := open(t, contextforge.Config{Counter: oddCounter(-1)})
	save(t, m, "counted below zero", contextforge.SaveOptions{})
	if s, err := m.Stats(ctx); err != nil || s.Tokens != 0 || m.Verify(ctx) != nil {
		t.Errorf("stats %+v, %v", s, err)
	}
	c := newClock()
	broken := false
	m = open(t, contextforge.Config{Clock: func() time.Time {
		if broken {
			panic("no time")
		}
		return c.Now()
	}})
	broken = true
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic of the clock is swallowed")
			}
		}()
		_, _ = m.Delete(ctx, "x")
	}()
	broken = false
	save(t, m, "usable again", contextforge.SaveOptions{})
	g, err := m.Engine()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range []contextforge.Entry{
		{Content: "no id"}, {ID: "x", Content: "y", Metadata: json.RawMessage("{bad")}, {ID: "x", Content: "y", Metadata: json.RawMessage("\"\xff\"")},
	} {
		if err := g.Save(ctx, e); !errors.Is(err, contextforge.ErrInvalidEntry) {
			t.Errorf("%+v: %v", e, err)
		}
	}
	for _, o := range []contextforge.SaveOptions{{TokenCount: -1}, {ExpiresAt: c.now}} {
		if _, err := m.Save(ctx, "x", "", o); !errors.Is(err, contextforge.ErrInvalidEntry) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if _, err := m.Count(ctx, contextforge.Filter{}, contextforge.Filter{}); !errors.Is(err, contextforge.ErrInvalidFilter) {
		t.Errorf("two filters: %v", err)
	}
}

// limited is a Searcher that knows no filters and keeps to the limit.
type limited struct{ *plugged }

func TestPluggedSearcherOfManyMatches(t *testing.T) {
	p := &plugged{}
	m := open(t, contextforge.Config{Storage: limited{p}})
	items := make([]contextforge.Item, 1000)
	for i := range items {
		items[i] = contextforge.Item{Content: "match", SaveOptions: contextforge.SaveOptions{TokenCount: 100}}
	}
	if _, err := m.SaveBatch(ctx, items); err != nil {
		t.Fatal(err)
	}
	for _, o := range []contextforge.QueryOptions{{}, {Limit: 10}} {
		if got := ask(t, m, "match", o); len(got) == 0 {
			t.Errorf("%+v finds nothing", o)
		}
	}
}

func TestQueryOfAWholeText(t *testing.T) {
	m, ids := remember(t, "word7 alone")
	var b strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&b, "word%d ", i)
	}
	if got := ask(t, m, b.String(), contextforge.QueryOptions{}); !slices.Equal(got, ids) {
		t.Errorf("found %q", got)
	}
}
