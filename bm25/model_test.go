// This file decides whether the index is right: random operations of all kinds,
// each state compared with the oracle and with a fresh build.

package bm25

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
)

// model drives a fixture through random operations.
type model struct {
	*fixture
	g   *gen
	old []oldView
	job *Job // planned, maybe run, not finished
	ran bool
}

// oldView is a view that has to keep its answers.
type oldView struct {
	v     *View
	snap  kv.Snapshot
	truth *oracle
}

func TestModel(t *testing.T) {
	seeds, steps := 16, 130
	if testing.Short() {
		seeds = 6
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			runModel(t, nil, uint64(seed), steps)
		})
	}
}

// runModel runs steps operations with options drawn from the seed.
func runModel(t *testing.T, store kv.Store, seed uint64, steps int) {
	g := &gen{Rand: rand.New(rand.NewPCG(seed, 7)), vocabulary: 60 << (seed % 4), scopes: 1 + int(seed%5)}
	opts := Options{TailDocs: 2 + g.IntN(20), SegmentDocs: 5 + g.IntN(100), MergeFactor: 2 + g.IntN(3), ResidentIDs: g.IntN(2) == 0}
	if g.IntN(3) == 0 {
		opts.TailTokens = 100
	}
	if g.IntN(3) == 0 {
		opts.CacheBytes = 1 << 12
	}
	if g.IntN(3) == 0 {
		opts.Params = Params{K1: 2 * g.Float64(), B: g.Float64()}
	}
	m := &model{fixture: newFixture(t, store, opts), g: g}
	for range steps {
		m.step()
		m.check()
	}
	m.tidy(m.ix.Plan)
	m.check()
	m.tidy(m.ix.PlanFull)
	m.check()
	if s := m.ix.View().Stats(); s.Segments > 1 || s.Dead > 0 {
		t.Fatalf("after PlanFull: %+v", s)
	}
	for _, o := range m.old {
		o.snap.Close()
	}
}

// step does one random operation.
func (m *model) step() {
	switch n := m.g.IntN(100); {
	case n < 45:
		m.commit(m.randomChange(1 + m.g.IntN(3)))
	case n < 60:
		m.commit(m.randomChange(m.g.IntN(150)))
	case n < 75:
		m.stepJob()
	case n < 80:
		m.tidy(m.ix.Plan)
	case n < 82:
		m.tidy(m.ix.PlanFull)
	case n < 90:
		m.keepView()
	case n < 97:
		m.job, m.ran = nil, false
		m.reopen()
		for range m.g.IntN(4) { // unloaded, as a short-lived process works
			m.commit(m.randomChange(m.g.IntN(30)))
		}
		m.load()
	default:
		c := change{clear: true}
		for range m.g.IntN(10) {
			c.adds = append(c.adds, m.newDoc())
		}
		m.commit(c)
	}
}

func (m *model) newDoc() Doc {
	m.next += uint64(m.g.IntN(3))
	d := m.g.doc(m.next)
	m.next++
	return d
}

// randomChange adds n documents and deletes some, sometimes new ones.
func (m *model) randomChange(n int) (c change) {
	for range n {
		c.adds = append(c.adds, m.newDoc())
	}
	candidates := slices.Clone(m.truth.docs)
	if m.g.IntN(4) == 0 {
		candidates = append(candidates, c.adds...)
	}
	dels := m.g.IntN(3)
	if m.g.IntN(10) == 0 {
		dels = m.g.IntN(1 + len(candidates))
	}
	for range min(dels, len(candidates)) {
		i := m.g.IntN(len(candidates))
		c.dels = append(c.dels, candidates[i].Num)
		candidates = slices.Delete(candidates, i, i+1)
	}
	return c
}

// stepJob plans, runs, finishes or drops a job, one of these at a time.
func (m *model) stepJob() {
	switch {
	case m.job == nil:
		plan := m.ix.Plan
		if m.g.IntN(5) == 0 {
			plan = m.ix.PlanFull
		}
		m.job, m.ran = plan(), false
	case !m.ran:
		_ = m.run(m.job) // fails if a Clear overtook it
		m.ran = true
	default:
		if m.g.IntN(6) > 0 {
			m.commit(m.randomChange(m.g.IntN(3)), m.job)
		}
		m.job = nil
	}
}

func (m *model) keepView() {
	if len(m.old) == 3 {
		m.old[0].snap.Close()
		m.old = m.old[1:]
	}
	snap, err := m.store.Snapshot()
	if err != nil {
		m.t.Fatal(err)
	}
	m.old = append(m.old, oldView{m.ix.View(), snap, m.truth.clone()})
}

// check compares the index, and the views kept, with the oracle.
func (m *model) check() {
	m.t.Helper()
	m.checkView("now", m.ix.View(), m.store, m.truth, 4)
	for i, o := range m.old {
		m.checkView(fmt.Sprintf("view %d", i), o.v, o.snap, o.truth, 1)
	}
	if m.g.IntN(5) == 0 {
		m.verify()
	}
	if m.g.IntN(20) == 0 {
		m.checkFresh()
	}
}

func (m *model) checkView(what string, v *View, r kv.Reader, truth *oracle, queries int) {
	m.t.Helper()
	if s := v.Stats(); s.Docs != uint64(len(truth.docs)) || s.Tokens != truth.tokens() {
		m.t.Fatalf("%s: stats %+v, want %d documents, %d tokens", what, s, len(truth.docs), truth.tokens())
	}
	for range queries {
		terms, f, limit := m.g.query(), m.g.filter(), m.g.limit()
		got, err := v.Search(ctx, r, terms, f, limit)
		if err != nil {
			m.t.Fatalf("%s: search: %v", what, err)
		}
		sameHits(m.t, fmt.Sprintf("%s: search %q limit %d filter %+v", what, terms, limit, f), got, truth.search(terms, f, limit))
		m.checkScores(what, v, r, truth, terms)
		m.checkDescriptions(what, v, r, truth, f)
	}
	m.checkFrequencies(what, v, r, truth)
	m.checkStatistics(what, v, r, truth)
	term := m.g.anyTerm()
	if n, err := v.DF(ctx, r, term); err != nil || n != truth.df(term) {
		m.t.Fatalf("%s: df of %q = %d, %v, want %d", what, term, n, err, truth.df(term))
	}
}

func (m *model) checkScores(what string, v *View, r kv.Reader, truth *oracle, terms []string) {
	m.t.Helper()
	var nums []uint64
	for range 10 {
		nums = append(nums, m.g.Uint64N(m.next+3))
	}
	scores, matched, err := v.Scores(ctx, r, terms, nums)
	if err != nil {
		m.t.Fatalf("%s: scores: %v", what, err)
	}
	weights, average := truth.weights(terms), truth.average()
	for i, num := range nums {
		want := 0.0
		if at := slices.IndexFunc(truth.docs, func(d Doc) bool { return d.Num == num }); at >= 0 {
			want = truth.score(&truth.docs[at], weights, average)
		}
		if scores[i] != want || matched[i] != (want > 0) {
			m.t.Fatalf("%s: score of %d for %q = %v, %t, want %v", what, num, terms, scores[i], matched[i], want)
		}
	}
}

// checkDescriptions asks about documents that no search of the index found.
func (m *model) checkDescriptions(what string, v *View, r kv.Reader, truth *oracle, f Filter) {
	m.t.Helper()
	nums := make([]uint64, 10)
	for i := range nums {
		nums[i] = m.g.Uint64N(m.next + 3)
	}
	hits, known, err := v.Describe(ctx, r, nums)
	if err != nil {
		m.t.Fatalf("%s: describe: %v", what, err)
	}
	m.checkKinds(what, v, r, truth)
	admits, err := v.Admitter(ctx, r, f)
	if err != nil {
		m.t.Fatalf("%s: admitter: %v", what, err)
	}
	for i, num := range nums {
		var want Hit
		at := truth.find(num)
		if at >= 0 {
			d := &truth.docs[at]
			want = Hit{Num: num, ID: d.ID, Scope: d.Scope, Session: d.Session, Kind: d.Kind, Sec: d.Sec, Nsec: d.Nsec, Cost: d.Cost}
		}
		if hits[i] != want || known[i] != (at >= 0) {
			m.t.Fatalf("%s: %d is %+v, %t, want %+v", what, num, hits[i], known[i], want)
		}
		ok, err := admits(num)
		if pass := at >= 0 && f.admitsDoc(&truth.docs[at]); err != nil || ok != pass {
			m.t.Fatalf("%s: filter %+v admits %d: %t, %v, want %t", what, f, num, ok, err, pass)
		}
	}
}

// checkKinds: what HasKind denies isn't there, and what isn't deleted it knows.
func (m *model) checkKinds(what string, v *View, r kv.Reader, truth *oracle) {
	m.t.Helper()
	for _, kinds := range [][]string{{"note"}, {"chat", ""}, {"unheard of"}, {}} {
		has, err := v.HasKind(ctx, r, kinds...)
		want := slices.ContainsFunc(truth.docs, func(d Doc) bool { return slices.Contains(kinds, d.Kind) })
		if err != nil || want && !has || has && (len(kinds) == 0 || kinds[0] == "unheard of") {
			m.t.Fatalf("%s: kinds %q: %t, %v, want %t", what, kinds, has, err, want)
		}
	}
}

// checkFresh compares with an index built in one go from the live documents.
func (m *model) checkFresh() {
	m.t.Helper()
	opts := m.opts
	opts.TailDocs, opts.SegmentDocs, opts.TailTokens = 1+m.g.IntN(2000), 1<<16, 1<<30
	fresh := newFixture(m.t, nil, opts)
	fresh.commit(change{adds: m.truth.docs})
	for range 5 {
		terms, f, limit := m.g.query(), m.g.filter(), m.g.limit()
		sameHits(m.t, "fresh build", m.search(terms, f, limit), fresh.search(terms, f, limit))
	}
}
