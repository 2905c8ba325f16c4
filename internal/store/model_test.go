package store

// Model-based test: random operations on a store and on a plain map, which must
// agree after every few steps, whatever is sealed, merged, evicted, expired or
// reopened in between. The searches, by words and by vector, are checked against
// a scan over the map; what has to do with vectors is in modelvector_test.go.

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge/bm25"
	"github.com/contextforge-go/contextforge/bm25/analyzer"
	"github.com/contextforge-go/contextforge/internal/fmath"
	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/memkv"
)

// keep is a kv.Store that survives the Close of the store above it.
type keep struct{ kv.Store }

func (keep) Close() error { return nil }

type model struct {
	t       *testing.T
	rng     *rand.Rand
	pairs   kv.Store
	s       *Store
	opts    Options
	nowMu   sync.Mutex // for the background: only step changes now
	now     time.Time
	entries map[string]*modelEntry
	history map[string][]string // id: earlier contents
	order   int
	serial  int
	models  []Model           // that the store knows
	nums    map[string]uint64 // ids: docNums before the last save
	stale   []uint64          // numbers of records that had to wait once
	old     []*oldView
}

type modelEntry struct {
	Record
	saved    int // order of saving
	units    map[string][][]float32
	waits    bool
	failures int
}

func testOptions(pairs kv.Store, now func() time.Time) Options {
	return Options{
		KV: keep{pairs}, Analyzer: analyzer.NewText(analyzer.Options{}), Now: now,
		Logger: slog.New(slog.NewTextHandler(io.Discard, nil)), HistoryLimit: 3, Manual: true,
		Index: bm25.Options{TailDocs: 8, MergeFactor: 3, SegmentDocs: 32, ResidentIDs: true},
	}
}

func newModel(t *testing.T, seed uint64) *model {
	m := &model{
		t: t, rng: rand.New(rand.NewPCG(seed, 7)), pairs: memkv.New(), now: time.Unix(1_700_000_000, 0).UTC(),
		entries: map[string]*modelEntry{}, history: map[string][]string{},
	}
	m.opts = testOptions(m.pairs, func() time.Time { return m.now })
	m.opts.Index.ResidentIDs = seed%2 == 0
	m.opts.Vectors.MaxResident = []int64{0, 900, -1, 1}[seed%4]
	m.opts.Model = testModels[1+seed%2]
	if seed%3 != 1 {
		m.opts.Sentence = hasSentence
	}
	m.rules(int(seed % 3))
	m.open()
	return m
}

func (m *model) open() {
	m.t.Helper()
	m.reopened()
	s := m.s
	m.check(s.EnforceCapacity(context.Background()))
	m.beforeWrite()
	m.afterWrite()
}

var modelWords = strings.Fields(`alpha beta gamma delta river stone house tree running runs ran café naïve 東京 東京都 привет
zeta eta theta iota kappa lambda mu nu omicron pi rho sigma tau upsilon phi chi psi omega x y z`)

func (m *model) text() string {
	n := 1 + m.rng.IntN(12)
	if m.rng.IntN(40) == 0 {
		n = 300
	}
	words := make([]string, n)
	for i := range words {
		words[i] = modelWords[min(m.rng.IntN(len(modelWords)), m.rng.IntN(len(modelWords)))]
	}
	return strings.Join(words, " ")
}

func (m *model) pick(list ...string) string { return list[m.rng.IntN(len(list))] }

func (m *model) record() Record {
	m.serial++
	r := Record{
		ID: fmt.Sprintf("id-%d", m.serial), Content: m.text(), Kind: m.pick("manual", "fact", "snapshot"),
		Scope: m.pick("", "a", "a\x00b", "scope/long/name"), SessionID: m.pick("", "", "s1", "s2"),
		Timestamp: time.Unix(1_600_000_000+int64(m.rng.IntN(40)), int64(m.rng.IntN(2))*500).UTC(), CreatedAt: m.now,
	}
	if m.rng.IntN(8) == 0 && len(m.entries) > 0 {
		r.ID = m.anyID()
	}
	if m.rng.IntN(6) == 0 {
		r.ExpiresAt = m.now.Add(time.Duration(m.rng.IntN(30)) * time.Second)
	}
	if m.rng.IntN(3) == 0 {
		r.Metadata = json.RawMessage(fmt.Sprintf(`{"n":%d}`, m.rng.IntN(3)))
	}
	r.TokenCount = 1 + len(r.Content)/4
	return r
}

func drafts(recs ...Record) []Draft {
	out := make([]Draft, len(recs))
	for i, r := range recs {
		out[i].Record = r
	}
	return out
}

func (m *model) ids() []string {
	ids := make([]string, 0, len(m.entries))
	for id := range m.entries {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

func (m *model) anyID() string {
	ids := m.ids()
	if len(ids) == 0 || m.rng.IntN(20) == 0 {
		return "unknown"
	}
	return ids[m.rng.IntN(len(ids))]
}

// put mirrors a save.
func (m *model) put(r Record) { m.putDraft(&Draft{Record: r}) }

func (m *model) drop(id string) {
	delete(m.entries, id)
	delete(m.history, id)
}

// beforeWrite mirrors the purge at the beginning of every commit.
func (m *model) beforeWrite() {
	for _, id := range m.ids() {
		if e := m.entries[id]; e.Expired(TimeOf(m.now)) {
			m.drop(id)
		}
	}
}

// afterWrite mirrors the capacities.
func (m *model) afterWrite() {
	if limit := m.opts.MaxEntries; limit > 0 {
		for len(m.entries) > limit {
			m.drop(m.oldest(func(*modelEntry) bool { return true }).ID)
		}
	}
	if limit := m.opts.MaxPerScope; limit > 0 {
		for _, scope := range []string{"", "a", "a\x00b", "scope/long/name"} {
			in := func(e *modelEntry) bool { return e.Scope == scope }
			for m.size(in) > limit {
				m.drop(m.oldest(in).ID)
			}
		}
	}
}

func (m *model) size(in func(*modelEntry) bool) (n int) {
	for _, e := range m.entries {
		if in(e) {
			n++
		}
	}
	return n
}

func (m *model) oldest(in func(*modelEntry) bool) *modelEntry {
	var old *modelEntry
	for _, e := range m.entries {
		if !in(e) {
			continue
		}
		if old == nil || e.Timestamp.Before(old.Timestamp) || e.Timestamp.Equal(old.Timestamp) && e.saved < old.saved {
			old = e
		}
	}
	return old
}

func (m *model) check(err error) {
	m.t.Helper()
	if err != nil {
		m.t.Fatal(err)
	}
}

func (m *model) step() {
	ctx := context.Background()
	m.nowMu.Lock()
	m.now = m.now.Add(time.Duration(m.rng.IntN(2000)) * time.Millisecond)
	m.nowMu.Unlock()
	switch op := m.rng.IntN(146); {
	case op < 40:
		m.save(ctx, 1)
	case op < 50:
		m.save(ctx, m.rng.IntN(30))
	case op < 62:
		m.update(ctx)
	case op < 74:
		id := m.anyID()
		n, err := m.s.Delete(ctx, id)
		m.check(err)
		m.beforeWrite()
		if _, had := m.entries[id]; had != (n == 1) {
			m.t.Fatalf("delete %q gave %d, model had it: %v", id, n, had)
		}
		m.drop(id)
	case op < 77:
		scope := m.pick("", "a", "nowhere")
		n, err := m.s.ClearScope(ctx, scope)
		m.check(err)
		m.beforeWrite()
		want := 0
		for _, id := range m.ids() {
			if m.entries[id].Scope == scope {
				m.drop(id)
				want++
			}
		}
		if n != want {
			m.t.Fatalf("clear scope %q gave %d, want %d", scope, n, want)
		}
	case op < 78:
		_, err := m.s.Clear(ctx)
		m.check(err)
		clear(m.entries)
		clear(m.history)
	case op < 86:
		m.close()
		m.open()
	case op < 94:
		if m.rng.IntN(2) == 0 {
			_, err := m.s.runJob(ctx)
			m.check(err)
		} else {
			_, err := m.s.Maintain(ctx)
			m.check(err)
		}
	case op < 96:
		m.check(m.s.Compact(ctx))
		m.beforeWrite()
	case op < 97:
		m.check(m.s.Rebuild(ctx))
	case op < 99:
		m.close()
		m.opts.MaxEntries = m.pick2(0, 20, 60)
		m.opts.MaxPerScope = m.pick2(0, 0, 15)
		m.open()
	case op < 100:
		m.check(m.s.Verify(ctx))
	case op < 140:
		m.vectorStep(ctx, op-100)
	case op < 143:
		m.redact(ctx)
	default:
		m.close()
		m.rules(m.rng.IntN(3))
		m.open()
	}
}

// save saves n records.
func (m *model) save(ctx context.Context, n int) {
	list := make([]Draft, n)
	for i := range list {
		list[i] = m.draft()
	}
	m.revise(list)
	refused := m.saveAs(ctx, list)
	if n == 0 {
		return
	}
	m.beforeWrite()
	if refused {
		return
	}
	fresh := map[string]bool{}
	for i := range list {
		d := &list[i]
		twin := ""
		if d.Dedup {
			twin = m.twin(&d.Record, fresh)
		}
		if d.Twin != twin {
			m.t.Fatalf("the twin of %q is %q, want %q", d.ID, d.Twin, twin)
		}
		if twin == "" && m.putRevision(d, fresh[d.ID]) {
			fresh[d.ID] = true
		}
	}
	m.afterWrite()
}

func (m *model) close() {
	m.t.Helper()
	m.closeOld()
	m.check(m.s.Close())
}

func (m *model) pick2(list ...int) int { return list[m.rng.IntN(len(list))] }

func (m *model) update(ctx context.Context) {
	id, text, e := m.anyID(), m.text(), m.embedding()
	rec, err := m.s.Update(ctx, id, &text, e, func(r *Record) error {
		r.UpdatedAt, r.TokenCount = m.now, 1+len(r.Content)/4
		return nil
	})
	m.beforeWrite()
	old, ok := m.entries[id]
	if ok != (err == nil) {
		m.t.Fatalf("update %q: %v, model has it: %v", id, err, ok)
	}
	if !ok || old.Content == text {
		return
	}
	m.keepVersion(old)
	next := old.Record
	next.Content, next.UpdatedAt, next.TokenCount = text, m.now, 1+len(text)/4
	if !equalRecords(&next, &rec) {
		m.t.Fatalf("update gave %+v, want %+v", rec, next)
	}
	m.putDraft(&Draft{Record: next, Embedding: e})
}

// visible returns the entries that a filter takes, newest first, then by id.
func (m *model) visible(f Filter) []*modelEntry {
	var out []*modelEntry
	for _, e := range m.entries {
		if f.Match(&e.Record) {
			out = append(out, e)
		}
	}
	slices.SortFunc(out, func(a, b *modelEntry) int {
		if c := b.Timestamp.Compare(a.Timestamp); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return out
}

func (m *model) compare() {
	m.t.Helper()
	v, err := m.s.SearchView(context.Background())
	m.check(err)
	defer func() { m.check(v.Close()) }()
	since, until := Time{Sec: 1_600_000_010}, Time{Sec: 1_600_000_030, Nsec: 500}
	asOf := TimeOf(m.now)
	filters := []Filter{
		{}, {Scope: "a"}, {GlobalOnly: true}, {Scope: "a\x00b", Kinds: []string{"fact", "manual"}}, {SessionID: "s1"},
		{Since: &since}, {Until: &until, Kinds: []string{"snapshot"}}, {Scope: "a", Since: &since, Until: &until},
		{Metadata: Metadata{"n": json.Number("1")}}, {Scope: "nowhere"},
		{Scope: m.pick("", "a"), NotKinds: []string{m.pick("fact", "unheard of"), "other"}},
		{SessionID: "s2", Kinds: []string{"fact", "other"}, NotKinds: []string{"other"}},
	}
	for i := range filters {
		filters[i].AsOf = asOf
		m.compareList(v, filters[i])
		m.compareSearch(v, filters[i])
	}
	for _, id := range m.ids() {
		m.compareOne(v, id)
	}
	m.compareScopes(v, asOf)
	m.compareVectors(v, filters)
	for range 2 {
		f := filters[m.rng.IntN(len(filters))]
		m.compareAround(v, f)
		m.compareWords(v, f)
	}
}

func (m *model) compareOne(v *View, id string) {
	m.t.Helper()
	rec, err := v.Get(id)
	m.check(err)
	if !equalRecords(rec, &m.entries[id].Record) {
		m.t.Fatalf("get %q gave %+v, want %+v", id, rec, m.entries[id].Record)
	}
	versions, err := v.History(id)
	m.check(err)
	var contents []string
	for _, r := range versions {
		contents = append(contents, r.Content)
	}
	if !slices.Equal(contents, m.history[id]) {
		m.t.Fatalf("history of %q is %q, want %q", id, contents, m.history[id])
	}
}

func (m *model) compareList(v *View, f Filter) {
	m.t.Helper()
	want := m.visible(f)
	var got []string
	for rec, err := range v.List(f) {
		m.check(err)
		got = append(got, rec.ID)
	}
	var ids []string
	for _, e := range want {
		ids = append(ids, e.ID)
	}
	if !slices.Equal(got, ids) {
		m.t.Fatalf("list %+v\n got %q\nwant %q", f, got, ids)
	}
	n, err := v.Count(f)
	m.check(err)
	if n != len(want) {
		m.t.Fatalf("count %+v is %d, want %d", f, n, len(want))
	}
	i := 0
	for p, err := range v.Order(context.Background(), f) {
		m.check(err)
		if p.Tokens != want[i].TokenCount {
			m.t.Fatalf("order %+v: tokens %d, want %d", f, p.Tokens, want[i].TokenCount)
		}
		i++
	}
}

func (m *model) compareScopes(v *View, asOf Time) {
	m.t.Helper()
	list, err := v.Scopes(asOf)
	m.check(err)
	var want []ScopeCount
	for _, scope := range []string{"", "a", "a\x00b", "scope/long/name"} {
		n := m.size(func(e *modelEntry) bool { return e.Scope == scope && !e.Expired(asOf) })
		if n > 0 {
			want = append(want, ScopeCount{scope, n})
		}
	}
	if !slices.Equal(list, want) {
		m.t.Fatalf("scopes %v, want %v", list, want)
	}
}

func (m *model) compareSearch(v *View, f Filter) {
	m.t.Helper()
	query := m.text()
	if len(query) > 200 {
		query = "東京 running"
	}
	want := m.search(query, f)
	for _, limit := range []int{-1, 1, 3, 10} {
		got, err := v.Search(context.Background(), query, f, limit)
		m.check(err)
		expect := want
		if limit >= 0 {
			expect = want[:min(limit, len(want))]
		}
		if len(got) != len(expect) {
			m.t.Fatalf("search %q %+v limit %d: %d hits, want %d", query, f, limit, len(got), len(expect))
		}
		for i, h := range got {
			if h.ID != expect[i].id || h.Score != expect[i].score || int(h.Cost) != m.entries[h.ID].TokenCount || h.Kind != m.entries[h.ID].Kind {
				m.t.Fatalf("search %q %+v limit %d place %d: got %s %v, want %s %v", query, f, limit, i, h.ID, h.Score, expect[i].id, expect[i].score)
			}
		}
	}
}

type scored struct {
	id    string
	score float64
}

// search is BM25 by the book: a scan over all entries.
func (m *model) search(query string, f Filter) []scored {
	a := m.opts.Analyzer
	var total, docs float64
	freqs := map[string]map[string]float64{}
	lengths := map[string]float64{}
	df := map[string]float64{}
	for _, e := range m.entries {
		terms := a.Document(nil, e.Content)
		freq := map[string]float64{}
		for _, term := range append(terms, m.extra(&e.Record)...) {
			freq[term]++
		}
		for term := range freq {
			df[term]++
		}
		freqs[e.ID], lengths[e.ID] = freq, float64(len(terms))
		total += float64(len(terms))
		docs++
	}
	var terms []string
	qtf := map[string]float64{}
	for _, term := range a.Query(nil, query) {
		if qtf[term] == 0 {
			terms = append(terms, term)
		}
		qtf[term]++
	}
	var out []scored
	for _, e := range m.visible(f) {
		score, matched := 0.0, false
		for _, term := range terms {
			tf := freqs[e.ID][term]
			if tf == 0 {
				continue
			}
			matched = true
			// The index's order of operations, for equal bits.
			idf := fmath.Log(1 + (docs-df[term]+0.5)/(df[term]+0.5))
			k1, b := 1.2, 0.75
			slope := float64(k1 * float64(b/(total/docs)))
			sat := tf / (tf + (float64(k1*(1-b)) + float64(slope*lengths[e.ID])))
			score += float64(float64(float64(qtf[term]*idf)*(k1+1)) * sat)
		}
		if matched {
			out = append(out, scored{e.ID, score})
		}
	}
	slices.SortStableFunc(out, func(a, b scored) int { // stable: newest first, then id
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	return out
}

// rebuilt checks that a store built afresh from the entries answers the same.
func (m *model) rebuilt() {
	m.t.Helper()
	ctx := context.Background()
	o := testOptions(memkv.New(), m.opts.Now)
	o.Index, o.Extra, o.ExtraName = bm25.Options{}, m.opts.Extra, m.opts.ExtraName
	fresh, err := Open(ctx, o)
	m.check(err)
	var recs []Record
	for _, id := range m.ids() {
		recs = append(recs, m.entries[id].Record)
	}
	m.rng.Shuffle(len(recs), func(i, j int) { recs[i], recs[j] = recs[j], recs[i] })
	if len(recs) > 0 {
		// Without the purge of a commit, as the store under test has it.
		m.check(fresh.Save(ctx, drafts(recs...)))
	}
	m.rebuiltVectors()
	a, err := m.s.SearchView(ctx)
	m.check(err)
	b, err := fresh.SearchView(ctx)
	m.check(err)
	for range 5 {
		query := m.text()
		x, err := a.Search(ctx, query, Filter{AsOf: TimeOf(m.now)}, 20)
		m.check(err)
		y, err := b.Search(ctx, query, Filter{AsOf: TimeOf(m.now)}, 20)
		m.check(err)
		if len(x) != len(y) {
			m.t.Fatalf("fresh build: %d hits, want %d", len(y), len(x))
		}
		for i := range x {
			if x[i].ID != y[i].ID || x[i].Score != y[i].Score {
				m.t.Fatalf("fresh build: place %d is %s %v, want %s %v", i, y[i].ID, y[i].Score, x[i].ID, x[i].Score)
			}
		}
	}
	m.check(a.Close())
	m.check(b.Close())
	m.check(fresh.Close())
}

func TestModel(t *testing.T) {
	seeds, steps := 12, 400
	if testing.Short() {
		seeds, steps = 3, 200
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			m := newModel(t, uint64(seed))
			for i := range steps {
				m.step()
				if i%3 == 0 {
					m.compare()
				}
				if i%40 == 0 {
					m.rebuilt()
				}
			}
			m.check(m.s.Verify(context.Background()))
			m.close()
		})
	}
}
