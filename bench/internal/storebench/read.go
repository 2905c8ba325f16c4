//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package storebench

// This file decides how opening, searching and listing are measured.

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/bench/internal/corpus"
	"github.com/contextforge-go/contextforge/bench/internal/measure"
	"github.com/contextforge-go/contextforge/bm25"
	"github.com/contextforge-go/contextforge/bm25/analyzer"
	"github.com/contextforge-go/contextforge/internal/store"
	"github.com/contextforge-go/contextforge/kv/pebblekv"
)

const (
	topK = 50
	// opensPerRound is how often a cleanly closed store is opened in a round.
	opensPerRound = 7
	smallCache    = 1 << 20
	normalCache   = 8 << 20
)

// reopen measures opening after a clean close.
func (b *bench) reopen(ctx context.Context) error {
	q := b.corpus.QueriesFromText(b.Rounds*opensPerRound, b.n)
	var first measure.Series
	series, err := measure.Rounds(b.Rounds, func(r int) ([]measure.Times, error) {
		out := make([]measure.Times, 3)
		var asked measure.Times
		for i := range opensPerRound {
			if err := b.openAll(ctx, [3]string{b.main(), b.main(), b.main()}, q[r*opensPerRound+i], out, &asked); err != nil {
				return nil, err
			}
		}
		first = append(first, asked)
		return out, nil
	})
	if err != nil {
		return err
	}
	b.openRows("open", "open after a clean close", "≤ 1.5×; ≤ 4 ms", series, first)
	return nil
}

func (b *bench) openRows(key, what, target string, series []measure.Series, first measure.Series) {
	b.table.Add(measure.Timed(key, what, series[0], "bare Pebble, same folder", series[2], target))
	b.table.Add(measure.Timed(key+".kv", what+": the key-value store alone", series[1], "bare Pebble, same folder", series[2], ""))
	b.table.Add(measure.Timed(key+".query", "first query of that", first, "", nil, ""))
}

// openAll opens each folder once: ours with a first query, its key-value store
// alone, and a bare Pebble.
func (b *bench) openAll(ctx context.Context, dirs [3]string, q corpus.Query, times []measure.Times, asked *measure.Times) error {
	var m *contextforge.Memory
	took, err := measure.Clock(func() (err error) { m, err = b.open(ctx, dirs[0]); return })
	if err != nil {
		return err
	}
	times[0] = append(times[0], took)
	took, err = measure.Clock(func() error {
		_, err := m.Query(ctx, q.Text, contextforge.QueryOptions{Limit: topK})
		return err
	})
	*asked = append(*asked, took)
	if err := errors.Join(err, m.Close()); err != nil {
		return err
	}
	took, err = clockOpen(func() (closer, error) { return pebblekv.Open(dirs[1], pebblekv.Options{SmallDevice: b.SmallDevice}) })
	if err != nil {
		return err
	}
	times[1] = append(times[1], took)
	took, err = clockOpen(func() (closer, error) { return openBare(dirs[2]) })
	times[2] = append(times[2], took)
	return err
}

type closer interface{ Close() error }

func clockOpen(open func() (closer, error)) (took time.Duration, err error) {
	start := time.Now()
	c, err := open()
	took = time.Since(start)
	if err != nil {
		return 0, err
	}
	return took, c.Close()
}

// crash measures opening what a crash left behind, a new copy each time.
func (b *bench) crash(ctx context.Context) error {
	if _, err := os.Stat(b.path("crashed")); err != nil {
		return fmt.Errorf("the group save leaves the folder for this one: %w", err)
	}
	q := b.corpus.QueriesFromText(b.Rounds*3, b.n)
	var first measure.Series
	series, err := measure.Rounds(b.Rounds, func(r int) ([]measure.Times, error) {
		out := make([]measure.Times, 3)
		var asked measure.Times
		for i := range 3 {
			if err := b.openCopies(ctx, q[3*r+i], out, &asked); err != nil {
				return nil, err
			}
		}
		first = append(first, asked)
		return out, nil
	})
	if err != nil {
		return err
	}
	b.openRows("open.crash", "open after a crash", "≤ 1.5×; ≤ 20 ms", series, first)
	return nil
}

func (b *bench) openCopies(ctx context.Context, q corpus.Query, times []measure.Times, asked *measure.Times) (err error) {
	var dirs [3]string
	for i := range dirs {
		dirs[i] = b.path(fmt.Sprintf("copy%d", i))
		defer func() { err = errors.Join(err, os.RemoveAll(dirs[i])) }()
		if err := copyFolder(b.path("crashed"), dirs[i]); err != nil {
			return err
		}
	}
	return b.openAll(ctx, dirs, q, times, asked)
}

// query measures text search by the engine alone, which yields ids, and by the
// whole pipeline, which yields entries.
func (b *bench) query(ctx context.Context) error {
	if err := b.queryIDs(ctx); err != nil {
		return err
	}
	return b.with(ctx, func(m *contextforge.Memory) error {
		if _, err := settle(ctx, m); err != nil {
			return err
		}
		for _, s := range b.querySets() {
			ask := func(o contextforge.QueryOptions) func(q corpus.Query) error {
				return func(q corpus.Query) error {
					if s.scoped {
						o.Scope = q.Scope
					}
					_, err := m.Query(ctx, q.Text, o)
					return err
				}
			}
			if err := b.timeQueries(s.key+".entries", s.what+", top 50 with entries", s.targetEntries, s.queries, ask(contextforge.QueryOptions{Limit: topK})); err != nil {
				return err
			}
			if s.key != "query.content" {
				continue
			}
			if err := b.timeQueries(s.key+".budget", s.what+", filling 2,048 tokens", "", s.queries, ask(contextforge.QueryOptions{TokenBudget: 2048})); err != nil {
				return err
			}
		}
		return nil
	})
}

// querySet is a kind of question.
type querySet struct {
	key, what                string
	scoped                   bool
	queries                  []corpus.Query
	targetIDs, targetEntries string
}

func (b *bench) querySets() []querySet {
	n := min(queries, b.n)
	drawn, text, content := b.corpus.Queries(n), b.corpus.QueriesFromText(n, b.n), b.corpus.QueriesOfContent(n, b.n)
	sets := []querySet{
		{key: "query.content", what: "query, content words", queries: content},
		{key: "query.content.scoped", what: "query, content words, in 1 of 50 scopes", scoped: true, queries: content},
		{key: "query", what: "query, words drawn", queries: drawn},
		{key: "query.scoped", what: "query, words drawn, in 1 of 50 scopes", scoped: true, queries: drawn},
		{key: "query.text", what: "query, from text", queries: text},
	}
	switch b.n {
	case 10_000:
		sets[0].targetIDs, sets[0].targetEntries = ".05/.22", ".15/.4"
	case 100_000:
		sets[0].targetIDs, sets[0].targetEntries, sets[1].targetIDs = ".10/1.1", ".30/1.4", ".05/.5"
	case 1_000_000:
		sets[0].targetIDs = ".52/9.9"
	}
	return sets
}

func (b *bench) queryIDs(ctx context.Context) (err error) {
	s, err := b.openEngine(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	v, err := s.SearchView(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, v.Close()) }()
	for _, set := range b.querySets() {
		err := b.timeQueries(set.key+".ids", set.what+", top 50, ids only", set.targetIDs, set.queries, func(q corpus.Query) error {
			f := store.Filter{AsOf: store.TimeOf(time.Now())}
			if set.scoped {
				f.Scope = q.Scope
			}
			_, err := v.Search(ctx, q.Text, f, topK)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// openEngine opens the store below the memory, with the memory's options.
func (b *bench) openEngine(ctx context.Context) (*store.Store, error) {
	pairs, err := pebblekv.Open(b.main(), pebblekv.Options{SmallDevice: b.SmallDevice})
	if err != nil {
		return nil, err
	}
	o := store.Options{
		KV: pairs, Analyzer: analyzer.NewText(analyzer.Options{}), Now: time.Now, Logger: slog.New(slog.DiscardHandler),
		Index: bm25.Options{CacheBytes: normalCache, ResidentIDs: true},
	}
	if b.SmallDevice {
		o.Index.CacheBytes, o.Index.ResidentIDs = smallCache, false
	}
	s, err := store.Open(ctx, o)
	if err != nil {
		return nil, errors.Join(err, pairs.Close())
	}
	return s, nil
}

// timeQueries asks all queries once to warm up and then once a round.
func (b *bench) timeQueries(key, what, target string, list []corpus.Query, ask func(corpus.Query) error) error {
	for _, q := range list {
		if err := ask(q); err != nil {
			return err
		}
	}
	return b.timeAlone(key, what, target, len(list), func(i int) error { return ask(list[i]) })
}

// timeAlone measures n calls a round of an operation with nothing beside it,
// and with that its processor time.
func (b *bench) timeAlone(key, what, target string, n int, call func(i int) error) error {
	before := measure.CPU()
	series, err := measure.Rounds(b.Rounds, func(int) ([]measure.Times, error) { return measure.InTurn(n, call) })
	if err != nil {
		return err
	}
	row := measure.Timed(key, what, series[0], "", nil, target)
	row.CPU = perCall(measure.CPU()-before, n*b.Rounds)
	b.table.Add(row)
	return nil
}

// perCall returns the share of one of n calls in milliseconds.
func perCall(d time.Duration, n int) float64 { return float64(d.Nanoseconds()) / 1e6 / float64(n) }

// list measures what is read without a question.
func (b *bench) list(ctx context.Context) error {
	return b.with(ctx, func(m *contextforge.Memory) error {
		timed := func(key, what string, n int, work func() error) error {
			return b.timeAlone(key, what, "", n, func(int) error { return work() })
		}
		query := func(o contextforge.QueryOptions) func() error {
			return func() error {
				_, err := m.Query(ctx, contextforge.MatchAll, o)
				return err
			}
		}
		return errors.Join(
			timed("matchall", "match all, newest 50", 50, query(contextforge.QueryOptions{Limit: topK})),
			timed("matchall.scoped", "match all in a scope, newest 50", 50, query(contextforge.QueryOptions{Limit: topK, Filter: contextforge.Filter{Scope: "project:7"}})),
			timed("matchall.budget", "match all, filling 8,192 tokens", 50, query(contextforge.QueryOptions{})),
			timed("list.scoped", "list a scope", 1, func() error { return count(ctx, m, "project:7") }),
			timed("list", "list everything", 1, func() error { return count(ctx, m, "") }),
			timed("scopes", "scopes with counts", 50, func() error { _, err := m.Scopes(ctx); return err }),
		)
	})
}

func count(ctx context.Context, m *contextforge.Memory, scope string) error {
	for _, err := range m.List(ctx, contextforge.Filter{Scope: scope}) {
		if err != nil {
			return err
		}
	}
	return nil
}
