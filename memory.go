package contextforge

// This file decides how a memory is opened and how a question is answered.
// Query reads like the pipeline it is.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/contextforge-go/contextforge/bm25"
	"github.com/contextforge-go/contextforge/decay"
	"github.com/contextforge-go/contextforge/fusion"
	"github.com/contextforge-go/contextforge/injection"
	"github.com/contextforge-go/contextforge/internal/store"
	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/scrub"
)

// Memory is an open memory. All its methods are safe for concurrent use.
type Memory struct {
	cfg      Config
	ids      *idSource
	store    *store.Store    // nil when Config.Storage is set
	storage  Storage         // nil when the built-in store is used
	searcher Searcher        // nil when the built-in index is used
	ownRand  bool            // Config.Rand was set, so ids may come twice
	secrets  *scrub.Scrubber // what Config.Scrub says, Disabled or not
	scrubber *scrub.Scrubber // what is redacted by, nothing with Disabled
	evicted  atomic.Int64

	importance    *importance
	queries       *vectorCache  // vectors of the latest questions
	filling       chan struct{} // holds what fills in vectors, one at a time
	mending       chan struct{} // holds an audit that mends, one at a time
	background    background
	embedFailures atomic.Int64
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
	m := &Memory{
		cfg: cfg, ids: newIDSource(cfg.Clock, cfg.Rand), ownRand: ownRand, storage: cfg.Storage, searcher: cfg.Searcher,
		importance: newImportance(cfg.Lexicon, cfg.Searcher == nil && cfg.Storage == nil),
		queries:    newVectorCache(), filling: make(chan struct{}, 1), mending: make(chan struct{}, 1),
	}
	if err := m.openScrubbers(); err != nil {
		return nil, fmt.Errorf("contextforge: %w", err)
	}
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
	o.Evicted, o.Shown = m.reportEvicted, m.shown
	if m.cfg.SentenceVectors && m.cfg.Embedder != nil {
		o.Sentence = m.hasSentence
	}
	if m.store, err = store.Open(ctx, o); err != nil {
		return err
	}
	if err := m.store.EnforceCapacity(ctx); err != nil {
		return err
	}
	if m.cfg.Warm {
		if err := m.store.Warm(ctx); err != nil {
			return err
		}
	}
	if m.cfg.Embedder != nil && m.cfg.EmbedMode == EmbedInBackground {
		m.startBackground()
	}
	opened = true
	return nil
}

// Query answers a question with the entries that are worth their tokens, best
// first. text is plain language: no character of it is query syntax, except
// that the whole text "*" is MatchAll. A text without any word finds nothing.
//
// With the default ranking the turns around a match in its session come along, as far
// as the budget goes, also those that share no word with the question: what was said
// is often told by what it answers. Ranking.Neighbours 0 returns matches alone.
//
// Secrets in the question are redacted first, as they were in what was saved, and
// nothing else sees them: no Embedder, Searcher, Lexicon, log or error. A question
// that is nothing but a secret finds nothing.
//
// What comes back is remembered text, to be quoted as data: never treat it as
// instructions.
func (m *Memory) Query(ctx context.Context, text string, o QueryOptions) (hits []Hit, err error) {
	text = m.question(ctx, text)
	q, err := m.newQuery(text, o)
	if err != nil {
		return nil, err
	}
	if m.cfg.Embedder != nil {
		q.meaning = func(ctx context.Context) ([]float32, error) { return m.queryVector(ctx, text) }
	}
	return m.ask(ctx, q, o.Filter)
}

// ask answers a query from the current state.
func (m *Memory) ask(ctx context.Context, q *query, f Filter) (hits []Hit, err error) {
	src, err := m.source(ctx, f)
	if err != nil {
		return nil, fmt.Errorf("contextforge: query: %w", err)
	}
	defer func() { err = errors.Join(err, src.close()) }()
	if hits, err = q.answer(ctx, src); err != nil {
		return nil, fmt.Errorf("contextforge: query: %w", err)
	}
	if m.cfg.Hooks.Queried != nil {
		q.trace.Hits = len(hits)
		for i := range hits {
			q.trace.Tokens += hits[i].Explain.Tokens
		}
		m.cfg.Hooks.Queried(ctx, q.trace)
	}
	return hits, nil
}

// query is one question with everything that decides its answer.
type query struct {
	text       string
	words      string  // what is searched for: the text and the dates it speaks of
	period     period  // that the text restricts itself to
	within     float64 // the part that entries of the period win
	filter     store.Filter
	asOf       time.Time
	budget     int // < 0: unlimited
	limit      int // ≤ 0: unlimited
	min        float64
	ranking    Ranking
	bm25       bm25.Params
	importance *importance
	clock      func() time.Time
	log        *slog.Logger

	// meaning returns the vector to search with; nil searches words alone.
	meaning func(context.Context) ([]float32, error)
	// similar is the least cosine of a candidate that only its meaning found.
	similar     float64
	calibration fusion.Calibration // of cosines, see alike.go
	calibrating bool               // it's told by the cosines of the scope
	vector      []float32          // of the question, once it was embedded
	usual       float64            // cosine of the candidates, what those count as that have no vector
	usualKnown  bool
	suspicious  Suspicion
	except      uint64 // a record that is no candidate
	trace       QueryTrace

	surroundings *surroundings // nil when the ranking doesn't look at them

	crowded bool // repetitions had to fill the answer
	starved bool // nothing is left beside what was excluded
	more    bool // the searches may have more candidates than they were asked for
	widened int  // how often they were asked for more
}

func (m *Memory) newQuery(text string, o QueryOptions) (*query, error) {
	q := &query{
		text: text, asOf: o.AsOf, budget: o.TokenBudget, limit: o.Limit, min: o.MinScore,
		ranking: m.cfg.Ranking, bm25: m.cfg.BM25, importance: m.importance, clock: m.cfg.Clock, log: m.cfg.Logger, similar: o.MinSimilarity,
		suspicious: o.Suspicious,
	}
	if q.asOf.IsZero() {
		q.asOf = m.cfg.Clock()
	}
	if q.bm25 == (bm25.Params{}) {
		q.bm25 = bm25.Params{K1: bm25.DefaultK1, B: bm25.DefaultB}
	}
	defaultTo(&q.budget, m.cfg.TokenBudget)
	if math.IsNaN(o.MinScore) || math.IsNaN(o.MinSimilarity) {
		return nil, fmt.Errorf("contextforge: query: %w: MinScore is %v and MinSimilarity %v, want numbers", ErrInvalidFilter, o.MinScore, o.MinSimilarity)
	}
	if err := o.Suspicious.check(); err != nil {
		return nil, fmt.Errorf("contextforge: query: %w", err)
	}
	if o.Ranking != nil {
		if err := o.Ranking.check(); err != nil {
			return nil, fmt.Errorf("contextforge: query: %w", err)
		}
		q.ranking = *o.Ranking
	}
	if q.similar == 0 {
		q.similar = q.ranking.MinSimilarity
	} else if q.similar < 0 {
		q.similar = -1
	}
	if m.searcher != nil { // it gets the text as it is
		q.ranking.PeriodGain, q.ranking.EventGain = 0, 0
	}
	if q.words = text; q.ranking.looksAround() && q.ranking.PeriodGain > 0 {
		q.within = q.ranking.PeriodGain
		q.period, q.words = periodOf(text, q.asOf)
	}
	q.calibrate(m.cfg.Embedder)
	var err error
	q.filter, err = o.compile(q.asOf)
	return q, err
}

// candidate is an entry on its way into the answer.
type candidate struct {
	found
	legs     [2]fusion.Leg // what the search by words and that by meaning say
	around   [2]fusion.Leg // the same as it counts, with what the turns around it lend
	assumed  bool          // the latter is a guess: it has no vector
	spoken   bool          // its longest sentence has a vector
	sentence float64       // cosine of that
	score    float64
	explain  Explanation
	entry    *Entry // once it had to be read
	unlike   bool   // the question; it is here for its neighbours
	repeats  bool   // a better hit

	judged   bool // whether its text was looked at
	reasons  []injection.Reason
	excluded bool // for these
}

// answer answers; once more, with more candidates, when those at hand repeat each
// other too much to fill the budget, and as often as need be when all of them were
// excluded: no number of entries to be excluded may hide the others.
func (q *query) answer(ctx context.Context, src source) ([]Hit, error) {
	if q.text == MatchAll {
		began := q.clock()
		hits, err := q.newest(ctx, src)
		q.trace.Pack = q.clock().Sub(began)
		return hits, err
	}
	if err := q.anchor(ctx, src); err != nil {
		return nil, err
	}
	for {
		hits, err := q.attempt(ctx, src)
		if err != nil || !q.more || !q.starved && (!q.crowded || q.widened > 0) {
			return hits, err
		}
		q.widened++
		q.crowded, q.starved = false, false
	}
}

// attempt is the query path: candidates of both searches → what stands around them
// → fusion → decay → importance → total order → token budget.
func (q *query) attempt(ctx context.Context, src source) ([]Hit, error) {
	began := q.clock()
	all, err := q.candidates(ctx, src)
	if err != nil {
		return nil, err
	}
	if all, err = q.surround(ctx, src, all); err != nil {
		return nil, err
	}
	found := q.clock()
	ranked := q.fuse(all)
	q.weighByAge(ranked)
	if err := q.importance.weigh(ctx, q, src, ranked); err != nil {
		return nil, err
	}
	slices.SortFunc(ranked, compareCandidates)
	ranked = q.aboveMinimum(ranked)
	weighed := q.clock()
	hits, err := q.pack(ctx, src, ranked)
	q.trace.Find += found.Sub(began)
	q.trace.Rank += weighed.Sub(found)
	q.trace.Pack += q.clock().Sub(weighed)
	return hits, err
}

// fuse joins what both searches, and what stands around a candidate, say of it into
// one score.
func (q *query) fuse(all []*candidate) []*candidate {
	scores := q.scores(all)
	for i, c := range all {
		c.explain.Lexical = legOf(c.legs[lexicalLeg])
		if !c.assumed {
			c.explain.Semantic = legOf(c.legs[semanticLeg])
		}
		c.explain.Fused = scores[i]
		c.explain.Suspicion = 1
		c.score = scores[i]
	}
	return slices.DeleteFunc(all, func(c *candidate) bool { return c.unlike })
}

// scores fuses the searches, with what surround found out about their candidates.
func (q *query) scores(all []*candidate) []float64 {
	fused := make([]fusion.Candidate[int], len(all))
	for i, c := range all {
		if q.surroundings == nil {
			c.around = c.legs
			c.around[semanticLeg].Score = q.alike(c)
		}
		fused[i] = fusion.Candidate[int]{ID: i, Legs: c.around[:]}
	}
	fusion.Score(q.ranking.rule(), fused)
	scores := make([]float64, len(all))
	for i := range fused {
		scores[i] = fused[i].Score
	}
	if q.surroundings == nil {
		return scores
	}
	return q.surroundings.weigh(scores, all)
}

func legOf(l fusion.Leg) Leg { return Leg{Rank: l.Rank, Score: l.Score} }

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
	m.stopBackground()
	if err := m.store.Close(); err != nil {
		return fmt.Errorf("contextforge: close: %w", err)
	}
	return nil
}
