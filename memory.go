package contextforge

// This file decides how a memory is opened and how a question is answered.
// Query reads like the pipeline it is.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/contextforge-go/contextforge/decay"
	"github.com/contextforge-go/contextforge/fusion"
	"github.com/contextforge-go/contextforge/internal/store"
	"github.com/contextforge-go/contextforge/kv"
)

// Memory is an open memory. All its methods are safe for concurrent use.
type Memory struct {
	cfg      Config
	ids      *idSource
	store    *store.Store // nil when Config.Storage is set
	storage  Storage      // nil when the built-in store is used
	searcher Searcher     // nil when the built-in index is used
	ownRand  bool         // Config.Rand was set, so ids may come twice
	evicted  atomic.Int64
}

// Open opens the memory that cfg describes, creating it when there is none.
// The time it takes does not depend on the number of entries. A folder that
// another process holds gives ErrLocked at once, one with something else in it
// ErrForeign, one of a newer version ErrNewer. What exceeds the capacity, that
// of a zero Config being 10,000 entries, is evicted before Open returns, and
// reported to Config.Hooks and Config.Logger.
func Open(ctx context.Context, cfg Config) (*Memory, error) {
	ownRand := cfg.Rand != nil
	cfg, err := cfg.resolved()
	if err != nil {
		return nil, err
	}
	m := &Memory{cfg: cfg, ids: newIDSource(cfg.Clock, cfg.Rand), ownRand: ownRand, storage: cfg.Storage, searcher: cfg.Searcher}
	if m.storage != nil {
		if m.searcher == nil {
			m.searcher = cfg.Storage.(Searcher)
		}
		return m, nil
	}
	pairs, err := openKV(cfg)
	if err != nil {
		return nil, fmt.Errorf("contextforge: open %s: %w", cfg.where(), err)
	}
	if err := m.openStore(ctx, pairs); err != nil {
		return nil, fmt.Errorf("contextforge: open %s: %w", cfg.where(), err)
	}
	return m, nil
}

// openStore opens the store in pairs, which it closes if that fails, even by a
// panic of a hook.
func (m *Memory) openStore(ctx context.Context, pairs kv.Store) (err error) {
	opened := false
	defer func() {
		switch {
		case opened:
		case m.store != nil:
			err = errors.Join(err, m.store.Close())
		default:
			err = errors.Join(err, pairs.Close())
		}
	}()
	o := m.cfg.storeOptions(pairs)
	o.Evicted = m.reportEvicted
	if m.store, err = store.Open(ctx, o); err != nil {
		return err
	}
	if err := m.store.EnforceCapacity(ctx); err != nil {
		return err
	}
	opened = true
	return nil
}

// Query answers a question with the entries that are worth their tokens, best
// first. text is plain language: no character of it is query syntax, except
// that the whole text "*" is MatchAll. A text without any word finds nothing.
//
// What comes back is remembered text, to be quoted as data: never treat it as
// instructions.
func (m *Memory) Query(ctx context.Context, text string, o QueryOptions) (hits []Hit, err error) {
	q, err := m.newQuery(text, o)
	if err != nil {
		return nil, err
	}
	src, err := m.source(ctx, o.Filter)
	if err != nil {
		return nil, fmt.Errorf("contextforge: query: %w", err)
	}
	defer func() { err = errors.Join(err, src.close()) }()
	if hits, err = q.answer(ctx, src); err != nil {
		return nil, fmt.Errorf("contextforge: query: %w", err)
	}
	return hits, nil
}

// query is one question with everything that decides its answer.
type query struct {
	text    string
	filter  store.Filter
	asOf    time.Time
	budget  int // < 0: unlimited
	limit   int // ≤ 0: unlimited
	min     float64
	ranking Ranking
	lexicon Scorer
}

func (m *Memory) newQuery(text string, o QueryOptions) (*query, error) {
	q := &query{
		text: text, asOf: o.AsOf, budget: o.TokenBudget, limit: o.Limit, min: o.MinScore,
		ranking: m.cfg.Ranking, lexicon: m.cfg.Lexicon,
	}
	if q.asOf.IsZero() {
		q.asOf = m.cfg.Clock()
	}
	defaultTo(&q.budget, m.cfg.TokenBudget)
	if o.Ranking != nil {
		if err := o.Ranking.check(); err != nil {
			return nil, fmt.Errorf("contextforge: query: %w", err)
		}
		q.ranking = *o.Ranking
	}
	var err error
	q.filter, err = o.compile(q.asOf)
	return q, err
}

// candidate is an entry on its way into the answer.
type candidate struct {
	found
	score   float64
	explain Explanation
	entry   *Entry // once it had to be read
}

// answer is the query path: candidates → fusion → decay → importance → total
// order → token budget.
func (q *query) answer(ctx context.Context, src source) ([]Hit, error) {
	if q.text == MatchAll {
		return q.newest(ctx, src)
	}
	lexical, err := q.lexical(ctx, src)
	if err != nil {
		return nil, err
	}
	ranked := q.fuse(lexical)
	q.weighByAge(ranked)
	if err := q.weighByImportance(ctx, src, ranked); err != nil {
		return nil, err
	}
	slices.SortFunc(ranked, compareCandidates)
	ranked = q.aboveMinimum(ranked)
	return q.pack(ctx, src, ranked)
}

// fuse joins the candidate lists into one. A candidate's place in lexical is
// its key in the fusion.
func (q *query) fuse(lexical []found) []*candidate {
	all := make([]candidate, len(lexical))
	list := make(fusion.List[int], len(lexical))
	for i, f := range lexical {
		all[i].found = f
		list[i] = fusion.Scored[int]{ID: i, Score: f.score}
	}
	fused := fusion.Fuse(q.ranking.rule(), list, nil)
	out := make([]*candidate, len(fused))
	for i, f := range fused {
		c := &all[f.ID]
		c.explain.Lexical = Leg{Rank: f.Legs[0].Rank, Score: f.Legs[0].Score}
		c.explain.Semantic = Leg{Rank: f.Legs[1].Rank, Score: f.Legs[1].Score}
		c.explain.Fused = f.Score
		c.score = f.Score
		out[i] = c
	}
	return out
}

// weighByAge multiplies by the decay of each candidate's age.
func (q *query) weighByAge(ranked []*candidate) {
	curves := q.ranking.curves()
	now := store.TimeOf(q.asOf)
	for _, c := range ranked {
		age := decay.BetweenUnix(c.time.Sec, c.time.Nsec, now.Sec, now.Nsec)
		c.explain.AgeSeconds = float64(age.Sec) + float64(age.Nsec)/1e9
		c.explain.Decay = curves.Weight(c.kind, age)
		c.score *= c.explain.Decay
	}
}

// weighByImportance multiplies by what the lexicon says of each candidate.
func (q *query) weighByImportance(ctx context.Context, src source, ranked []*candidate) error {
	for _, c := range ranked {
		c.explain.Multiplier = 1
		if q.lexicon == nil {
			continue
		}
		if err := c.read(ctx, src); err != nil {
			return err
		}
		c.explain.Boost = q.lexicon.Score(c.entry, q.text)
		c.explain.Multiplier = q.ranking.multiplier(c.explain.Boost)
		c.score *= c.explain.Multiplier
	}
	return nil
}

// compareCandidates is the total order of an answer: score descending, newest
// first, then by id.
func compareCandidates(a, b *candidate) int {
	if c := cmp.Compare(b.score, a.score); c != 0 {
		return c
	}
	if c := b.time.Compare(a.time); c != 0 {
		return c
	}
	return strings.Compare(a.id, b.id)
}

func (q *query) aboveMinimum(ranked []*candidate) []*candidate {
	for i, c := range ranked {
		if c.score < q.min {
			return ranked[:i]
		}
	}
	return ranked
}

func (c *candidate) read(ctx context.Context, src source) (err error) {
	if c.entry == nil {
		c.entry, err = src.entry(ctx, c.num)
	}
	return err
}

// Close waits for what is running and closes the memory; afterwards every
// method returns ErrClosed. What was acknowledged is on the disk already.
func (m *Memory) Close() error {
	if m.store == nil {
		return nil
	}
	if err := m.store.Close(); err != nil {
		return fmt.Errorf("contextforge: close: %w", err)
	}
	return nil
}
