package evalbench

// This file decides what a run measures, and in which order.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/bench/internal/measure"
	"github.com/contextforge-go/contextforge/render"
)

// Options say what to measure.
type Options struct {
	Sets      []*Set
	Pipelines []Pipeline // the first is what the others are compared with
	Embedder  contextforge.Embedder
	// Vectors is the folder where vectors are kept; "" keeps none.
	Vectors string
	// OneScope saves everything into the global scope and asks all of it.
	OneScope bool
	// Main names the categories whose questions have means of their own together,
	// where a set has both these and others.
	Main []string
	// Render says what a block looks like that evidence has to fit into.
	Render    render.Options
	Resamples int
	Progress  io.Writer
}

// Run measures every pipeline on every set.
func Run(ctx context.Context, o Options) (r *Report, err error) {
	r = &Report{Title: "Retrieval quality", Machine: measure.ThisMachine(), OneScope: o.OneScope, Resamples: o.Resamples}
	var cache *Cache
	if o.Embedder != nil {
		if cache, err = OpenCache(o.Vectors, o.Embedder); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, cache.Close()) }()
		r.Model = cache.Name()
	}
	for _, p := range o.Pipelines {
		r.Pipelines = append(r.Pipelines, Description{p.Name, p.What})
	}
	for _, s := range o.Sets {
		one, err := measureSet(ctx, o, s, cache)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		r.Sets = append(r.Sets, one)
	}
	if cache != nil {
		return r, cache.Err()
	}
	return r, nil
}

// measureSet measures every pipeline on a set.
func measureSet(ctx context.Context, o Options, s *Set, cache *Cache) (*SetReport, error) {
	var embedder contextforge.Embedder
	if cache != nil {
		embedder = cache
		start, before := time.Now(), cache.Made()
		if err := warm(ctx, s, cache); err != nil {
			return nil, err
		}
		fmt.Fprintf(o.Progress, "%s: %d texts embedded in %.1f s\n", s.Name, cache.Made()-before, time.Since(start).Seconds())
	}
	b := newBench(o, s)
	if cache != nil {
		took, err := b.embedding(ctx, cache)
		if err != nil {
			return nil, err
		}
		b.report.Embedding = milliseconds(took.At(50))
	}
	for _, p := range o.Pipelines {
		start := time.Now()
		if err := b.pipeline(ctx, p, embedder); err != nil {
			return nil, fmt.Errorf("pipeline %s: %w", p.Name, err)
		}
		fmt.Fprintf(o.Progress, "%s, %s: %.1f s\n", s.Name, p.Name, time.Since(start).Seconds())
	}
	b.compare(o.Resamples)
	return b.report, nil
}

// bench is the measurement of one set.
type bench struct {
	options  Options
	set      *Set
	queries  []*Query          // with something relevant
	sessions map[string]string // of documents, by id
	figures  []figure
	main     *group
	scores   [][][]float64 // by pipeline, question and figure
	report   *SetReport
}

func newBench(o Options, s *Set) *bench {
	b := &bench{options: o, set: s, sessions: map[string]string{}, figures: s.figures()}
	for i := range s.Queries {
		if len(s.Queries[i].Relevant) > 0 {
			b.queries = append(b.queries, &s.Queries[i])
		}
	}
	for _, d := range s.Documents {
		b.sessions[d.ID] = d.Session
	}
	b.report = &SetReport{Name: s.Name, Documents: len(s.Documents), Queries: len(b.queries), Unanswerable: len(s.Queries) - len(b.queries), Textless: s.Textless, Strays: s.Strays}
	for _, f := range b.figures {
		b.report.figures = append(b.report.figures, Description{f.key, f.label})
	}
	in := func(q *Query) bool { return slices.Contains(o.Main, q.Category) }
	if n := countIf(b.queries, in); n > 0 && n < len(b.queries) {
		b.main = &group{"main", in}
		b.report.MainCategories = o.Main
	}
	return b
}

// timedQuestions is the number of questions, about, whose embedding is timed.
const timedQuestions = 40

// embedding times the model on some of the questions, one after another.
func (b *bench) embedding(ctx context.Context, c *Cache) (times measure.Times, err error) {
	for i := 0; i < len(b.queries); i += max(1, len(b.queries)/timedQuestions) {
		took, err := measure.Clock(func() error {
			_, err := c.compute(ctx, b.queries[i].Text)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("embedding questions: %w", err)
		}
		times = append(times, took)
	}
	return times, nil
}

func countIf(queries []*Query, has func(*Query) bool) (n int) {
	for _, q := range queries {
		if has(q) {
			n++
		}
	}
	return n
}

// pipeline measures one pipeline.
func (b *bench) pipeline(ctx context.Context, p Pipeline, e contextforge.Embedder) (err error) {
	a, took, err := ingest(ctx, b.set, p, e, !b.options.OneScope)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	scores, times, err := b.ask(ctx, a)
	if err != nil {
		return err
	}
	b.scores = append(b.scores, scores)
	out := &PipelineReport{Name: p.Name, Categories: map[string]Figures{}, Times: Times{
		Query50: milliseconds(times.At(50)), Query99: milliseconds(times.At(99)),
		Save: milliseconds(took) / float64(max(1, len(b.set.Documents))),
	}}
	out.Overall = summarize(b.figures, b.queries, scores, group{"overall", func(*Query) bool { return true }})
	if b.main != nil {
		out.Main = summarize(b.figures, b.queries, scores, *b.main)
	}
	for _, name := range b.categories() {
		out.Categories[name] = summarize(b.figures, b.queries, scores, group{name, func(q *Query) bool { return q.Category == name }})
	}
	b.report.Pipelines = append(b.report.Pipelines, out)
	return nil
}

// categories returns those of the questions, sorted; none when there is but one.
func (b *bench) categories() (names []string) {
	for _, q := range b.queries {
		names = append(names, q.Category)
	}
	slices.Sort(names)
	if names = slices.Compact(names); len(names) < 2 {
		return nil
	}
	return names
}

// ask asks every question and returns the figures of the answers. What is timed is asked
// alone, one question after another, the rest on all processors.
func (b *bench) ask(ctx context.Context, a *asked) (scores [][]float64, times measure.Times, err error) {
	first := make([][]found, len(b.queries))
	for i, q := range b.queries {
		if i == 0 { // the first search of a memory builds what the later ones use
			if _, err := a.query(ctx, q, shallow); err != nil {
				return nil, nil, err
			}
		}
		took, err := measure.Clock(func() (err error) {
			first[i], err = a.query(ctx, q, shallow)
			return err
		})
		if err != nil {
			return nil, nil, err
		}
		times = append(times, took)
	}
	scores = make([][]float64, len(b.queries))
	err = divided(len(b.queries), func(i int) (err error) {
		scores[i], err = b.judge(ctx, a, b.queries[i], first[i])
		return err
	})
	return scores, times, err
}

// judge asks a question for the rest that its figures need, and returns them.
func (b *bench) judge(ctx context.Context, a *asked, q *Query, first []found) ([]float64, error) {
	deeper, err := a.query(ctx, q, deep)
	if err != nil {
		return nil, err
	}
	rendered := map[int][]found{}
	for _, tokens := range budgets() {
		if rendered[tokens], err = a.render(ctx, q, tokens, b.options.Render); err != nil {
			return nil, err
		}
	}
	got := b.set.newAnswer(q, b.sessions, first, deeper, rendered)
	row := make([]float64, len(b.figures))
	for k, f := range b.figures {
		row[k] = f.of(got)
	}
	return row, nil
}

// divided calls do for 0 to n-1, divided among the processors, and returns the errors.
func divided(n int, do func(i int) error) error {
	workers := min(runtime.GOMAXPROCS(0), max(n, 1))
	errs := make([]error, workers)
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for i := w; i < n && errs[w] == nil; i += workers {
				errs[w] = do(i)
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// compare sets the differences of every pipeline to the first, over the main questions
// where there are such.
func (b *bench) compare(resamples int) {
	counts := func(q *Query) bool { return b.main == nil || b.main.has(q) }
	chosen := func(scores [][]float64) (some [][]float64) {
		for i, q := range b.queries {
			if counts(q) {
				some = append(some, scores[i])
			}
		}
		return some
	}
	for i, p := range b.report.Pipelines {
		if i == 0 {
			continue
		}
		p.Differences = map[string]Difference{}
		for k, d := range bootstrap(chosen(b.scores[0]), chosen(b.scores[i]), resamples) {
			if !math.IsNaN(d.Mean) {
				p.Differences[b.figures[k].key] = d
			}
		}
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }
