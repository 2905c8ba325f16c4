package contextforge_test

// What is found without a common word, near a vector and near an entry; and what
// hooks hear of it.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/vecindex"
)

type pair struct {
	Query string `json:"query"`
	Entry string `json:"entry"`
}

func readPairs(t testing.TB, name string) (out []pair) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "meaning", name))
	if err != nil {
		t.Fatal(err)
	}
	for d := json.NewDecoder(bytes.NewReader(text)); d.More(); {
		var p pair
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}

// A question that has no word in common with its answer has it in the first
// place, as the reference claims of itself.
func TestMeaningWithoutACommonWord(t *testing.T) {
	pairs, others := readPairs(t, "pairs.jsonl"), readPairs(t, "others.jsonl")
	if len(pairs) != 10 || len(others) != 40 {
		t.Fatalf("%d pairs among %d", len(pairs), len(others))
	}
	m := open(t, contextforge.Config{Embedder: model(t)})
	var items []contextforge.Item
	for _, p := range append(others, pairs...) {
		items = append(items, contextforge.Item{Content: p.Entry})
	}
	if _, err := m.SaveBatch(ctx, items); err != nil {
		t.Fatal(err)
	}
	for _, p := range pairs {
		words := strings.Fields(strings.ToLower(p.Entry))
		for _, w := range strings.Fields(p.Query) {
			if slices.ContainsFunc(words, func(other string) bool { return strings.Trim(other, ".,") == w }) {
				t.Errorf("%q and %q have %q in common", p.Query, p.Entry, w)
			}
		}
		hits := query(t, m, p.Query, contextforge.QueryOptions{})
		if len(hits) == 0 || hits[0].Content != p.Entry || hits[0].Explain.Lexical != (contextforge.Leg{}) {
			t.Errorf("%q:", p.Query)
			for _, h := range hits[:min(3, len(hits))] {
				t.Errorf("  %q: %v", h.Content, h.Explain)
			}
		}
	}
}

func TestQueryByVector(t *testing.T) {
	e := newBag()
	m := open(t, contextforge.Config{Embedder: e, Clock: newClock().Now})
	save(t, m, "the car is red", contextforge.SaveOptions{ID: "red", Scope: "s"})
	save(t, m, "my vehicle", contextforge.SaveOptions{ID: "mine"})
	save(t, m, "a cat sleeps", contextforge.SaveOptions{ID: "cat"})
	e.take()
	vector := e.vector("car")
	before := slices.Clone(vector)
	for name, c := range map[string]struct {
		o    contextforge.QueryOptions
		want []string
	}{
		"usual":   {contextforge.QueryOptions{}, []string{"mine", "red"}},
		"all":     {all(), []string{"mine", "red", "cat"}},
		"limit":   {contextforge.QueryOptions{Limit: 1}, []string{"mine"}},
		"scope":   {contextforge.QueryOptions{Filter: contextforge.Filter{Scope: "s"}}, []string{"red"}},
		"nothing": {contextforge.QueryOptions{MinSimilarity: 0.99}, nil},
	} {
		hits, err := m.QueryByVector(ctx, vector, c.o)
		var got []string
		for i, h := range hits {
			got = append(got, h.ID)
			if h.Explain.Lexical != (contextforge.Leg{}) || h.Explain.Semantic.Rank != i+1 || math.Abs(h.Explain.Semantic.Score-cosine(vector, e.vector(h.Content))) > 1e-6 {
				t.Errorf("%s, %s: %v", name, h.ID, h.Explain)
			}
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q; %v", name, got, c.want, err)
		}
	}
	if !slices.Equal(vector, before) || len(e.take()) != 0 {
		t.Error("the vector was changed, or the embedder asked")
	}
	for name, v := range map[string][]float32{
		"none": nil, "short": {1, 2}, "zeros": make([]float32, 64), "NaN": append(make([]float32, 63), float32(math.NaN())),
	} {
		hits, err := m.QueryByVector(ctx, v, contextforge.QueryOptions{})
		if !errors.Is(err, vecindex.ErrDimension) && !errors.Is(err, vecindex.ErrZero) && !errors.Is(err, vecindex.ErrNotFinite) || hits != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMoreLike(t *testing.T) {
	c, e := newClock(), newBag()
	m := open(t, contextforge.Config{Embedder: e, Clock: c.Now})
	save(t, m, "the car is red", contextforge.SaveOptions{ID: "red"})
	save(t, m, "the vehicle is blue", contextforge.SaveOptions{ID: "blue"})
	save(t, m, "the car is red", contextforge.SaveOptions{ID: "twin"})
	save(t, m, "my physician sleeps", contextforge.SaveOptions{ID: "other"})
	save(t, m, "the car is brief", contextforge.SaveOptions{ID: "brief", TTL: time.Minute})
	e.take()
	like := func(id string, o contextforge.QueryOptions) (ids []string) {
		t.Helper()
		hits, err := m.MoreLike(ctx, id, o)
		if err != nil {
			t.Error(err)
		}
		for _, h := range hits {
			ids = append(ids, h.ID)
		}
		return ids
	}
	if got := like("red", contextforge.QueryOptions{}); len(got) != 3 || got[0] != "twin" || slices.Contains(got, "red") {
		t.Errorf("found %q", got)
	}
	if got := like("red", contextforge.QueryOptions{Limit: 1}); !slices.Equal(got, []string{"twin"}) {
		t.Errorf("the nearest is %q", got)
	}
	if got := like("other", all()); len(got) != 4 {
		t.Errorf("all others: %q", got)
	}
	if calls := e.take(); len(calls) != 0 {
		t.Errorf("embedded %q", calls)
	}
	e.answer = failings()["error"]
	save(t, m, "a car that waits", contextforge.SaveOptions{ID: "waits"})
	c.Advance(time.Hour)
	for id, want := range map[string]error{"nobody": contextforge.ErrNotFound, "": contextforge.ErrNotFound, "brief": contextforge.ErrNotFound, "waits": contextforge.ErrNoEmbedder} {
		if hits, err := m.MoreLike(ctx, id, contextforge.QueryOptions{}); !errors.Is(err, want) || hits != nil {
			t.Errorf("%q: %v", id, err)
		}
	}
	if got := like("red", contextforge.QueryOptions{}); slices.Contains(got, "brief") || slices.Contains(got, "waits") {
		t.Errorf("found %q", got)
	}
}

// ticking is a clock that goes on by a second whenever it's read.
func ticking() func() time.Time {
	c := newClock()
	return func() time.Time {
		c.Advance(time.Second)
		return c.Now()
	}
}

func TestTraces(t *testing.T) {
	e := newBag()
	var saved []contextforge.SaveTrace
	var queried []contextforge.QueryTrace
	m := open(t, contextforge.Config{Embedder: e, Clock: ticking(), Hooks: contextforge.Hooks{
		Saved:   func(_ context.Context, s contextforge.SaveTrace) { saved = append(saved, s) },
		Queried: func(_ context.Context, q contextforge.QueryTrace) { queried = append(queried, q) },
	}})
	if _, err := m.SaveBatch(ctx, []contextforge.Item{{Content: "the car is red"}, {Content: "a cat"}, {Content: "red, all red"}}); err != nil {
		t.Fatal(err)
	}
	e.answer = failings()["zeros"]
	id := save(t, m, "red things", contextforge.SaveOptions{})
	e.answer = nil
	kind := "fact"
	if _, err := m.Update(ctx, id, contextforge.Change{Kind: &kind}); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Save(ctx, "", "", contextforge.SaveOptions{}); err == nil {
		t.Error("empty content was saved")
	}
	for i, want := range []contextforge.SaveTrace{{Entries: 3, Vectors: 3}, {Entries: 1, Waiting: 1}, {}} {
		if i >= len(saved) {
			t.Fatalf("%d saves were traced", len(saved))
		}
		got := saved[i]
		if got.Embed <= 0 || got.Commit <= 0 {
			t.Errorf("save %d took %v and %v", i, got.Embed, got.Commit)
		}
		got.Embed, got.Commit = 0, 0
		if got != want {
			t.Errorf("save %d: %+v, want %+v", i, got, want)
		}
	}
	if len(saved) != 3 {
		t.Errorf("%d saves were traced", len(saved))
	}
	for text, want := range map[string]contextforge.QueryTrace{
		"red vehicle": {Lexical: 3, Semantic: 3, Union: 4, Hits: 4},
		"feline":      {Semantic: 3, Union: 3, Hits: 3},
		"?":           {},
		"*":           {Hits: 4},
	} {
		queried = nil
		hits := query(t, m, text, all())
		if len(queried) != 1 {
			t.Fatalf("%s: %d traces", text, len(queried))
		}
		got := queried[0]
		for _, h := range hits {
			want.Tokens += h.Explain.Tokens
		}
		if got.Pack <= 0 || text != "*" && (got.Find <= 0 || got.Rank <= 0) {
			t.Errorf("%s took %v, %v and %v", text, got.Find, got.Rank, got.Pack)
		}
		got.Find, got.Rank, got.Pack = 0, 0, 0
		if got != want {
			t.Errorf("%s: %+v, want %+v", text, got, want)
		}
	}
	queried = nil
	if _, err := m.Query(ctx, "red", contextforge.QueryOptions{Filter: contextforge.Filter{Scope: "s", GlobalOnly: true}}); err == nil || len(queried) != 0 {
		t.Errorf("a question that failed was traced: %v", err)
	}
}

// Row 55 and 56.
func TestBehaviourEmbedder(t *testing.T) {
	t.Run("row 55: an embedder of one's own", func(t *testing.T) {
		m := open(t, contextforge.Config{Embedder: newBag()})
		id := save(t, m, "the doctor is in", contextforge.SaveOptions{})
		save(t, m, "an empty page", contextforge.SaveOptions{})
		if got := ask(t, m, "physician", contextforge.QueryOptions{Limit: 1}); !slices.Equal(got, []string{id}) {
			t.Errorf("found %q", got)
		}
	})
	t.Run("row 56: one embedder for three memories", func(t *testing.T) {
		e := newBag()
		for i := range 3 {
			m := open(t, contextforge.Config{Embedder: e})
			id := save(t, m, fmt.Sprint("doctor number ", i), contextforge.SaveOptions{})
			if got := ask(t, m, "physician", contextforge.QueryOptions{}); !slices.Equal(got, []string{id}) {
				t.Errorf("memory %d finds %q", i, got)
			}
		}
		if calls := e.take(); len(calls) != 6 {
			t.Errorf("asked %q", calls)
		}
	})
}
