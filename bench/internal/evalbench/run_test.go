package evalbench

// These tests decide that a memory is asked as the package comment says, and hold the
// whole result for sets of our own.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/bench/internal/measure"
	"github.com/contextforge-go/contextforge/budget"
	"github.com/contextforge-go/contextforge/render"
)

var update = flag.Bool("update", false, "write the golden files anew")

// result runs pipelines on our own sets, and removes what differs between machines.
func result(t *testing.T, o Options, pipelines string) *Report {
	t.Helper()
	var err error
	if o.Sets, err = Find(sets, ""); err != nil {
		t.Fatal(err)
	}
	if o.Pipelines, err = Named(pipelines); err != nil {
		t.Fatal(err)
	}
	o.Main, o.Resamples = []string{"1", "2", "3", "4"}, 500
	if o.Progress == nil {
		o.Progress = io.Discard
	}
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	r.Machine = measure.Machine{}
	for _, s := range r.Sets {
		if (s.Embedding > 0) != (o.Embedder != nil) {
			t.Errorf("%s: the model takes %v ms", s.Name, s.Embedding)
		}
		s.Embedding = 0
		for _, p := range s.Pipelines {
			if p.Times.Query50 <= 0 || p.Times.Query99 < p.Times.Query50 || p.Times.Save <= 0 {
				t.Errorf("%s, %s: times %+v", s.Name, p.Name, p.Times)
			}
			p.Times = Times{}
		}
	}
	return r
}

func encoded(t *testing.T, r *Report) []byte {
	t.Helper()
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return append(text, '\n')
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; got\n%s", name, got)
	}
}

func TestRunGolden(t *testing.T) {
	r := result(t, Options{Embedder: &bag{}, Vectors: t.TempDir()}, "plain,plain-apart,reference-no-decay,meaning")
	golden(t, "golden.json", encoded(t, r))
	golden(t, "golden.txt", []byte(r.Text()))
}

// The result is that of a run before, with the vectors in a file, in memory, or made
// anew.
func TestRunAgain(t *testing.T) {
	dir := t.TempDir()
	want := encoded(t, result(t, Options{Embedder: &bag{}, Vectors: dir}, "default,text"))
	var progress bytes.Buffer
	if got := encoded(t, result(t, Options{Embedder: &bag{}, Vectors: dir, Progress: &progress}, "default,text")); !bytes.Equal(got, want) {
		t.Errorf("with known vectors:\n%s\nwant\n%s", got, want)
	}
	if !strings.Contains(progress.String(), "diary: 0 texts embedded") || !strings.Contains(progress.String(), "sessions, text") {
		t.Errorf("%s", progress.String())
	}
	if got := encoded(t, result(t, Options{Embedder: &bag{}}, "default,text")); !bytes.Equal(got, want) {
		t.Errorf("without a file:\n%s\nwant\n%s", got, want)
	}
}

func TestRunWithoutEmbedder(t *testing.T) {
	r := result(t, Options{}, "default,text")
	if r.Model != "" || !strings.Contains(r.Text(), "no embedder") {
		t.Errorf("%s", r.Text())
	}
	for _, s := range r.Sets {
		if a, b := s.Pipelines[0].Overall, s.Pipelines[1].Overall; a["budget4096"] != b["budget4096"] || a["session_ndcg10"] != b["session_ndcg10"] {
			t.Errorf("%s: %v and %v", s.Name, a, b)
		}
	}
}

// Nothing of a set but its name, its categories and figures gets into a report.
func TestReportTellsNothing(t *testing.T) {
	r := result(t, Options{}, "text,plain")
	text := strings.ToLower(r.Text() + string(encoded(t, r)))
	for _, s := range []string{"diary", "sessions"} {
		set := load(t, s)
		for _, d := range set.Documents {
			if strings.Contains(text, `"`+d.ID+`"`) || strings.Contains(text, strings.ToLower(d.Text[6:20])) || d.Scope != "" && strings.Contains(text, d.Scope) {
				t.Errorf("the report names document %s", d.ID)
			}
		}
		for _, q := range set.Queries {
			if strings.Contains(text, `"`+q.ID+`"`) || strings.Contains(text, strings.ToLower(q.Text[:12])) {
				t.Errorf("the report names question %s", q.ID)
			}
		}
	}
}

func TestRunKeys(t *testing.T) {
	r := result(t, Options{}, "text,plain")
	keys := func(f Figures) (list []string) {
		for key := range f {
			list = append(list, key)
		}
		slices.Sort(list)
		return list
	}
	documents := strings.Fields("budget1024 budget2048 budget4096 budget512 mrr ndcg10 queries recall1 recall10 recall5 recall50 rendered_budget1024 rendered_budget2048 rendered_budget4096 rendered_budget512 session_ndcg10 session_recall1 session_recall10 session_recall3 session_recall5")
	sessions := strings.Fields("budget1024 budget2048 budget4096 budget512 queries rendered_budget1024 rendered_budget2048 rendered_budget4096 rendered_budget512 session_ndcg10 session_recall1 session_recall10 session_recall3 session_recall5")
	diary, bySession := r.Sets[0], r.Sets[1]
	for _, p := range diary.Pipelines {
		for _, f := range []Figures{p.Overall, p.Main, p.Categories["5"]} {
			if !slices.Equal(keys(f), documents) {
				t.Errorf("%s: %v", p.Name, keys(f))
			}
		}
		if p.Overall["queries"] != 7 || p.Main["queries"] != 6 || p.Categories["5"]["queries"] != 1 || len(p.Categories) != 4 {
			t.Errorf("%+v", p)
		}
	}
	if diary.Unanswerable != 1 || diary.Pipelines[0].Differences != nil || len(diary.Pipelines[1].Differences) != len(documents)-1 {
		t.Errorf("%+v", diary)
	}
	for _, p := range bySession.Pipelines {
		if !slices.Equal(keys(p.Overall), sessions) || p.Main != nil || len(p.Categories) != 2 {
			t.Errorf("%+v", p)
		}
	}
}

// asking opens a memory with a set in it.
func asking(t *testing.T, s *Set, p Pipeline, scopes bool) *asked {
	t.Helper()
	a, _, err := ingest(t.Context(), s, p, nil, scopes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.close(); err != nil {
			t.Error(err)
		}
	})
	return a
}

func TestIngest(t *testing.T) {
	s := load(t, "diary")
	for _, scopes := range []bool{true, false} {
		a := asking(t, s, Pipelines()[0], scopes)
		e, err := a.memories[""].Get(t.Context(), "garden-3")
		if err != nil {
			t.Fatal(err)
		}
		d := s.Documents[3]
		if e.Content != d.Text || e.SessionID != "garden/2" || !e.Timestamp.Equal(d.Time) || e.Kind != contextforge.KindSnapshot ||
			string(e.Metadata) != `{"speaker":"Ilan","turn":0}` || (e.Scope == "garden") != scopes {
			t.Errorf("scopes %t: %+v", scopes, e)
		}
		if a.tokens["garden-3"] != 16 {
			t.Errorf("%d tokens", a.tokens["garden-3"])
		}
		hits, err := a.query(t.Context(), &Query{Text: "water", Scope: "garden"}, 50)
		if err != nil {
			t.Fatal(err)
		}
		boat := slices.ContainsFunc(hits, func(h found) bool { return strings.HasPrefix(h.id, "boat") })
		if len(hits) == 0 || boat == scopes {
			t.Errorf("scopes %t: %v", scopes, hits)
		}
	}
}

// A block takes no more than its budget, labels included, and what fits is that of the
// product.
func TestRender(t *testing.T) {
	s := load(t, "diary")
	a := asking(t, s, Pipelines()[0], true)
	q := &Query{Text: "Who planted tomatoes and roses?", Scope: "garden"}
	bare := render.Options{Omit: render.FieldTime | render.FieldKind | render.FieldScope | render.FieldSession | render.FieldID | render.FieldSuspicious}
	before := 0
	for _, tokens := range []int{1, 60, 120, 1000} {
		labelled, err := a.render(t.Context(), q, tokens, render.Options{})
		if err != nil {
			t.Fatal(err)
		}
		plain, err := a.render(t.Context(), q, tokens, bare)
		if err != nil {
			t.Fatal(err)
		}
		block, hits, err := a.memories[""].QueryBlock(t.Context(), q.Text, contextforge.QueryOptions{
			Filter: contextforge.Filter{Scope: "garden"}, TokenBudget: tokens, AsOf: a.after("garden"),
		}, render.Options{})
		if err != nil || len(hits) != len(labelled) || (budget.Estimate{}).Count(block) > tokens {
			t.Errorf("%d tokens: %d hits, %d in the block, %v", tokens, len(labelled), len(hits), err)
		}
		if len(labelled) < before || len(plain) < len(labelled) || tokens == 1 && len(plain) > 0 {
			t.Errorf("%d tokens: %d labelled, %d without", tokens, len(labelled), len(plain))
		}
		before = len(labelled)
	}
	if before < 3 {
		t.Errorf("a large block has %d entries", before)
	}
}

// Age counts from the question's time, else from the newest document of its scope.
func TestAsOf(t *testing.T) {
	s := load(t, "diary")
	a := asking(t, s, Pipelines()[0], true)
	for scope, want := range map[string]string{"garden": "2024-06-02T07:15:21Z", "boat": "2024-06-09T08:00:01Z", "": "2024-06-09T08:00:01Z"} {
		if got := a.after(scope).Format(time.RFC3339); got != want {
			t.Errorf("%q: %s, want %s", scope, got, want)
		}
	}
	timeless := &Set{Documents: []Document{{ID: "a", Text: "roses"}}}
	if got := asking(t, timeless, Pipelines()[0], true).after(""); !got.Equal(epoch().Add(time.Second)) {
		t.Errorf("a set without times: %v", got)
	}
	early := Query{Text: "roses", Scope: "garden", Time: s.Documents[0].Time}
	if hits, err := a.query(t.Context(), &early, 1); err != nil || len(hits) != 1 {
		t.Errorf("%v, %v", hits, err)
	}
}

// A memory for each scope has only what is in it.
func TestApart(t *testing.T) {
	s := load(t, "diary")
	a := asking(t, s, Pipeline{Name: "x", Configure: asIs, Apart: true}, true)
	if len(a.memories) != 2 {
		t.Fatalf("%d memories", len(a.memories))
	}
	if n, err := a.memories["boat"].Count(t.Context(), contextforge.Filter{}); err != nil || n != 5 {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := a.query(t.Context(), &Query{Text: "roses"}, 1); !errors.Is(err, ErrData) {
		t.Errorf("a question without a scope: %v", err)
	}
	if hits, err := a.query(t.Context(), &Query{Text: "roses", Scope: "sea"}, 1); err != nil || len(hits) != 0 {
		t.Errorf("a question in a scope without documents: %v, %v", hits, err)
	}
	if a := asking(t, s, Pipeline{Name: "x", Configure: asIs, Apart: true}, false); len(a.memories) != 1 {
		t.Errorf("without scopes: %d memories", len(a.memories))
	}
}

// Every index is done once, whatever their number; an error is returned.
func TestDivided(t *testing.T) {
	for _, n := range []int{0, 1, 2, 101} {
		done := make([]int, n)
		if err := divided(n, func(i int) error { done[i]++; return nil }); err != nil {
			t.Fatal(err)
		}
		for i, times := range done {
			if times != 1 {
				t.Errorf("%d of %d is done %d times", i, n, times)
			}
		}
	}
	broken := errors.New("broken")
	if err := divided(9, func(i int) error {
		if i == 4 {
			return broken
		}
		return nil
	}); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

func TestRunFails(t *testing.T) {
	all, err := Find(sets, "")
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	good := Options{Sets: all, Pipelines: Pipelines()[:1], Resamples: 1, Progress: io.Discard}
	o := good
	o.Embedder = &bag{err: broken}
	if _, err := Run(t.Context(), o); !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
	o = good
	o.Pipelines = []Pipeline{{Name: "bad", Configure: func(c *contextforge.Config) { c.BM25.B = 7 }}}
	if _, err := Run(t.Context(), o); !errors.Is(err, contextforge.ErrInvalidConfig) {
		t.Errorf("%v", err)
	}
	o = good
	o.Embedder, o.Vectors = &bag{}, filepath.Join("testdata", "golden.json")
	if _, err := Run(t.Context(), o); err == nil {
		t.Error("a file is taken for the folder of vectors")
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := Run(ended, good); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// An embedder that fails within the memory, which goes on without, ends the run.
func TestRunNoticesLateFailures(t *testing.T) {
	all, err := Find(sets, "")
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	inner := &bag{}
	late := Pipeline{Name: "late", Configure: func(c *contextforge.Config) {
		inner.err = broken
		cache := c.Embedder.(*Cache)
		clear(cache.known)
	}}
	_, err = Run(t.Context(), Options{Sets: all[:1], Pipelines: []Pipeline{late}, Embedder: inner, Resamples: 1, Progress: io.Discard})
	if !errors.Is(err, broken) {
		t.Errorf("%v", err)
	}
}

func TestEmptySet(t *testing.T) {
	set := &Set{Name: "empty", Documents: []Document{{ID: "a", Text: "roses"}}, Queries: []Query{{ID: "q", Text: "roses"}}}
	r, err := Run(t.Context(), Options{Sets: []*Set{set}, Pipelines: Pipelines()[:2], Resamples: 5, Progress: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	if text := r.Text(); !strings.Contains(text, "0 questions (and 1 without an answer)\n") {
		t.Errorf("%s", text)
	}
	r.Label, r.Sets[0].Textless, r.Sets[0].Strays = "time", 2, 3
	for _, want := range []string{"labelled with: time", "2 documents without text left out", "3 judgements of what isn't there"} {
		if text := r.Text(); !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	encoded(t, r)
}

func BenchmarkAsk(b *testing.B) {
	s, err := Load(filepath.Join(sets, "diary"), "")
	if err != nil {
		b.Fatal(err)
	}
	a, _, err := ingest(b.Context(), s, Pipelines()[0], nil, true)
	if err != nil {
		b.Fatal(err)
	}
	defer a.close()
	b.Run("12", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := a.query(b.Context(), &s.Queries[0], shallow); err != nil {
				b.Fatal(err)
			}
		}
	})
}
