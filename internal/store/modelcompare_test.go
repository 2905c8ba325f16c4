package store

// What the model compares with: everything that a view tells about vectors and
// the queue.

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/contextforge-go/contextforge/bm25"
	"github.com/contextforge-go/contextforge/internal/simd"
	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/memkv"
	"github.com/contextforge-go/contextforge/vecindex"
)

// compareVectors compares all that a view tells about vectors with the truth.
func (m *model) compareVectors(v *View, filters []Filter) {
	m.t.Helper()
	m.compareFigures(v)
	m.compareQueue(v)
	m.compareStored(v)
	for i, f := range filters {
		if i < 3 || len(m.entries) < 200 { // products of all with all take long
			m.compareSimilar(v, f)
		}
	}
	m.compareEach(v, m.query())
}

// query draws a vector to search for.
func (m *model) query() []float32 {
	if q := m.vector(); q != nil {
		return q
	}
	return []float32{1, 2}
}

func (m *model) compareFigures(v *View) {
	m.t.Helper()
	got := v.Embeddings()
	want := EmbeddingStats{Model: m.opts.Model, Resident: got.Resident}
	want.Records, want.Vectors = m.figures(want.Model.ID)
	if m.opts.Sentence != nil {
		want.Sentences, _ = m.figures(want.Model.ID + "#sentence")
	}
	for _, e := range m.entries {
		if e.waits {
			want.Pending++
		}
	}
	for _, other := range m.models {
		if !slices.Contains(m.used(), other) {
			records, vectors := m.figures(other.ID)
			want.Others = append(want.Others, OtherModel{other, records, vectors})
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		m.t.Fatalf("figures %+v, want %+v", got, want)
	}
}

// compareQueue compares what waits and what lacks vectors, from some place on.
func (m *model) compareQueue(v *View) {
	m.t.Helper()
	var pending, lacking []Waiting
	for _, e := range m.bySaved() {
		w := Waiting{Num: m.num(v, e.ID), ID: e.ID, Content: e.Content, Windows: len(e.units[m.opts.Model.ID])}
		w.Sentence = m.lacksSentence(e)
		if m.opts.Model.ID != "" && (w.Windows == 0 || e.waits || w.Sentence) {
			lacking = append(lacking, w)
		}
		if w.Failures = e.failures; e.waits {
			pending = append(pending, w)
		}
	}
	for _, side := range []struct {
		what string
		list func(uint64) func(func(Waiting, error) bool)
		want []Waiting
	}{
		{"waits", func(n uint64) func(func(Waiting, error) bool) { return v.Pending(n) }, pending},
		{"lacks vectors", func(n uint64) func(func(Waiting, error) bool) { return v.Unembedded(n) }, lacking},
	} {
		from := uint64(0)
		if n := len(side.want); n > 1 {
			side.want = side.want[n/2:]
			from = side.want[0].Num
		}
		var got []Waiting
		for w, err := range side.list(from) {
			m.check(err)
			got = append(got, w)
		}
		if !slices.Equal(got, side.want) {
			m.t.Fatalf("what %s: %+v\nwant %+v", side.what, got, side.want)
		}
	}
}

func (m *model) num(v *View, id string) uint64 {
	m.t.Helper()
	num, err := v.Num(id)
	m.check(err)
	return num
}

// compareStored compares the vectors of each record, and those that its content
// is known by.
func (m *model) compareStored(v *View) {
	m.t.Helper()
	known := map[string][][]float32{"never saved": nil}
	for _, e := range m.bySaved() {
		units := e.units[m.opts.Model.ID]
		got, err := v.Vectors(m.num(v, e.ID))
		m.check(err)
		if !equalVectors(got, units) {
			m.t.Fatalf("vectors of %q: %v, want %v", e.ID, got, units)
		}
		if known[e.Content] == nil && !e.waits {
			known[e.Content] = units
		}
	}
	m.compareSentences(v)
	for content, want := range known {
		got, err := v.Known(content)
		m.check(err)
		if !equalVectors(got, want) {
			m.t.Fatalf("known of %q: %v, want %v", content, got, want)
		}
	}
}

func equalVectors(a, b [][]float32) bool {
	return slices.EqualFunc(a, b, slices.Equal[[]float32])
}

// cosine is that of the best window.
func (e *modelEntry) cosine(model string, unit []float32) (best float32, ok bool) {
	for _, u := range e.units[model] {
		if c := simd.Dot(unit, u); !ok || c > best {
			best, ok = c, true
		}
	}
	return best, ok
}

func (m *model) compareSimilar(v *View, f Filter) {
	m.t.Helper()
	ctx := context.Background()
	query := m.query()
	unit := unitOf(query)
	var want []scored
	for _, e := range m.visible(f) {
		if c, ok := e.cosine(m.opts.Model.ID, unit); ok {
			want = append(want, scored{e.ID, float64(c)})
		}
	}
	slices.SortStableFunc(want, func(a, b scored) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	for _, limit := range []int{-1, 1, 7} {
		got, err := v.Similar(ctx, query, f, limit)
		m.check(err)
		expect := want
		if limit >= 0 {
			expect = want[:min(limit, len(want))]
		}
		if len(got) != len(expect) {
			m.t.Fatalf("similar %+v limit %d: %d hits, want %d", f, limit, len(got), len(expect))
		}
		for i, h := range got {
			if h.ID != expect[i].id || h.Score != expect[i].score || int(h.Cost) != m.entries[h.ID].TokenCount {
				m.t.Fatalf("similar %+v limit %d place %d: %s %v, want %s %v", f, limit, i, h.ID, h.Score, expect[i].id, expect[i].score)
			}
		}
	}
}

// compareEach asks for the scores of single records, in any order, and of some
// that are not there.
func (m *model) compareEach(v *View, query []float32) {
	m.t.Helper()
	ctx := context.Background()
	ids := append(m.ids(), "", "")
	m.rng.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	nums := make([]uint64, len(ids))
	for i, id := range ids {
		nums[i] = 1 << 40
		if id != "" {
			nums[i] = m.num(v, id)
		}
	}
	cosines, embedded, err := v.Cosines(ctx, query, nums)
	m.check(err)
	hits, known, err := v.Describe(ctx, nums)
	m.check(err)
	for i, id := range ids {
		e := m.entries[id]
		if known[i] != (e != nil) || e != nil && (hits[i].ID != id || hits[i].Kind != e.Kind || hits[i].Score != 0) {
			m.t.Fatalf("%q is described as %+v, %v", id, hits[i], known[i])
		}
		want, ok := float32(0), false
		if e != nil {
			want, ok = e.cosine(m.opts.Model.ID, unitOf(query))
		}
		if cosines[i] != want || embedded[i] != ok {
			m.t.Fatalf("cosine of %q is %v, %v, want %v, %v", id, cosines[i], embedded[i], want, ok)
		}
	}
}

// holdsVectors reports whether the pairs have just the vectors of an entry, and
// its place in the queue.
func (m *model) holdsVectors(num uint64, e *modelEntry) bool {
	m.t.Helper()
	models, err := readModels(m.pairs)
	m.check(err)
	found := 0
	for _, g := range models {
		ix, err := vecindex.Open(m.pairs, vecindex.Options{Prefix: vectorPrefix(g.epoch)})
		m.check(err)
		vectors, err := ix.View().Vectors(m.pairs, num)
		m.check(err)
		if !equalVectors(vectors, e.units[g.model.ID]) {
			return false
		}
		if len(vectors) > 0 {
			found++
		}
	}
	for _, units := range e.units {
		if len(units) > 0 {
			found--
		}
	}
	waits, failures := m.place(num)
	return found == 0 && waits == e.waits && failures == e.failures
}

// place returns whether a record waits for vectors, and how often they failed.
func (m *model) place(num uint64) (waits bool, failures int) {
	value, closer, err := m.pairs.Get(pendingKey(num))
	if errors.Is(err, kv.ErrNotFound) {
		return false, 0
	}
	m.check(err)
	n, err := decodePending(value)
	m.check(errors.Join(err, closer.Close()))
	return true, int(n)
}

// rebuiltVectors checks that a store built afresh from the entries has the same
// vectors, bit for bit.
func (m *model) rebuiltVectors() {
	m.t.Helper()
	if m.opts.Model.ID == "" {
		return
	}
	ctx := context.Background()
	o := testOptions(memkv.New(), m.opts.Now)
	o.Model, o.Index = m.opts.Model, bm25.Options{}
	fresh, err := Open(ctx, o)
	m.check(err)
	var list []Draft
	for _, id := range m.ids() {
		e := m.entries[id]
		list = append(list, Draft{Record: e.Record, Embedding: Embedding{Vectors: e.units[o.Model.ID], Missing: e.waits}})
	}
	m.check(fresh.Save(ctx, list))
	a, err := m.s.SearchView(ctx)
	m.check(err)
	b, err := fresh.SearchView(ctx)
	m.check(err)
	for range 5 {
		query, f := m.vector(), Filter{AsOf: TimeOf(m.now)}
		x, err := a.Similar(ctx, query, f, 20)
		m.check(err)
		y, err := b.Similar(ctx, query, f, 20)
		m.check(err)
		if !slices.EqualFunc(x, y, func(x, y bm25.Hit) bool { return x.ID == y.ID && x.Score == y.Score }) {
			m.t.Fatalf("fresh build: %+v\nwant %+v", y, x)
		}
	}
	m.check(a.Close())
	m.check(b.Close())
	m.check(fresh.Close())
}
