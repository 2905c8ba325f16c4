package store

// The part of the model that has to do with meaning: vectors of two models, the
// queue of what waits for them, contents saved once. The oracle multiplies
// everything with everything.

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// testModels are no model, and two that differ in their dimension.
var testModels = []Model{{}, {ID: "model-a", Dim: 5}, {ID: "model-b", Dim: 33}}

// truth is what a store may hold.
type truth struct {
	entries map[string]*modelEntry
	history map[string][]string
}

// truth copies what the model holds now.
func (m *model) truth() truth {
	h := make(map[string][]string, len(m.history))
	for id, list := range m.history {
		h[id] = slices.Clone(list)
	}
	return truth{maps.Clone(m.entries), h}
}

// rng2 is for choices that must not change the sequence of operations.
func (m *model) rng2() *rand.Rand { return rand.New(rand.NewPCG(uint64(m.order), 5)) }

// oldView is a view with the truth at its time.
type oldView struct {
	v *View
	*model
}

// unitOf divides a vector by its length, unless that is 1 but for rounding.
func unitOf(v []float32) []float32 {
	sum := 0.0
	for _, x := range v {
		sum += float64(float64(x) * float64(x))
	}
	norm := math.Sqrt(sum)
	if math.Abs(norm-1) <= 0x1p-23 {
		return slices.Clone(v)
	}
	u := make([]float32, len(v))
	for i, x := range v {
		u[i] = float32(float64(x) / norm)
	}
	return u
}

func unitsOf(vectors [][]float32) (units [][]float32) {
	for _, v := range vectors {
		units = append(units, unitOf(v))
	}
	return units
}

// testVector returns a vector that depends on nothing but the seed.
func testVector(dim int, seed uint64) []float32 {
	r := rand.New(rand.NewPCG(seed, 41))
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v
}

// vector draws one for the model in use: often one of a few, so that there are
// equals. It is nil without a model.
func (m *model) vector() []float32 {
	seed := m.rng.Uint64()
	if m.rng.IntN(2) == 0 {
		seed %= 7
	}
	if m.opts.Model.ID == "" {
		return nil
	}
	return testVector(m.opts.Model.Dim, seed)
}

func (m *model) vectors(n int) (list [][]float32) {
	for range n {
		if v := m.vector(); v != nil {
			list = append(list, v)
		}
	}
	return list
}

// embedding draws what an embedder may make of a text.
func (m *model) embedding() Embedding {
	e := Embedding{Vectors: m.vectors(1 + m.rng.IntN(3))}
	switch m.rng.IntN(8) {
	case 0, 1:
		e = Embedding{Missing: true}
	case 2:
		e.Missing = true
	case 3:
		e = Embedding{}
	}
	e.Sentence = m.sentence()
	return e
}

func (m *model) draft() Draft {
	d := Draft{Record: m.record(), Embedding: m.embedding(), Dedup: m.rng.IntN(6) == 0}
	if ids := m.ids(); len(ids) > 0 && m.rng.IntN(5) == 0 {
		twin := m.entries[ids[m.rng.IntN(len(ids))]]
		d.Content, d.Scope = twin.Content, twin.Scope
		d.TokenCount = 1 + len(d.Content)/4
	}
	return d
}

// putDraft mirrors a save.
func (m *model) putDraft(d *Draft) {
	if old := m.entries[d.ID]; old != nil && old.Expired(TimeOf(m.now)) {
		m.drop(d.ID)
	}
	m.order++
	e := &modelEntry{Record: d.Record, saved: m.order, units: map[string][][]float32{}, waits: d.Embedding.Missing}
	if id := m.opts.Model.ID; id != "" && len(d.Embedding.Vectors) > 0 {
		e.units[id] = unitsOf(d.Embedding.Vectors)
	}
	m.second(e, d.Embedding.Sentence)
	m.entries[d.ID] = e
}

// twin is the id that a draft with Dedup gets instead of its own: that of the
// oldest of this very save, else that of the first saved.
func (m *model) twin(r *Record, fresh map[string]bool) string {
	var first *modelEntry
	before := func(a, b *modelEntry) bool {
		if fresh[a.ID] != fresh[b.ID] {
			return fresh[a.ID]
		}
		if c := a.Timestamp.Compare(b.Timestamp); c != 0 && fresh[a.ID] {
			return c < 0
		}
		return a.saved < b.saved
	}
	for _, e := range m.entries {
		if e.Scope == r.Scope && e.Content == r.Content && !e.Expired(TimeOf(m.now)) && (first == nil || before(e, first)) {
			first = e
		}
	}
	if first == nil {
		return ""
	}
	return first.ID
}

// reopened is open without the eviction that may follow it.
func (m *model) reopened() {
	m.t.Helper()
	m.know()
	s, err := Open(context.Background(), m.opts)
	m.check(err)
	m.s = s
}

// know finds out which models the store will know once it is opened.
func (m *model) know() {
	m.t.Helper()
	known, err := readModels(m.opts.KV)
	m.check(err)
	m.models = nil
	for _, g := range known {
		m.models = append(m.models, g.model)
	}
	for _, use := range m.used() {
		if !slices.Contains(m.models, use) {
			m.models = slices.DeleteFunc(m.models, func(other Model) bool {
				records, _ := m.figures(other.ID)
				return records == 0 && !slices.Contains(m.used(), other)
			})
			m.models = append(m.models, use)
		}
	}
}

// figures returns how many records have vectors of a model, and how many those are.
func (m *model) figures(id string) (records, vectors int) {
	for _, e := range m.entries {
		if n := len(e.units[id]); n > 0 {
			records, vectors = records+1, vectors+n
		}
	}
	return records, vectors
}

// bySaved returns the entries in the order in which they were saved.
func (m *model) bySaved() []*modelEntry {
	return slices.SortedFunc(maps.Values(m.entries), func(a, b *modelEntry) int { return a.saved - b.saved })
}

// vectorStep does one operation of those that have to do with vectors.
func (m *model) vectorStep(ctx context.Context, op int) {
	m.t.Helper()
	switch {
	case op < 16:
		m.addVectors(ctx)
	case op < 22:
		m.relabel(ctx)
	case op < 26:
		m.restore(ctx)
	case op < 31:
		m.close()
		m.opts.Model = testModels[m.rng.IntN(len(testModels))]
		m.switchSentences(m.rng.IntN(3))
		m.open()
	case op < 34:
		m.check(m.s.DropOtherModels(ctx))
		m.onlyModel()
	case op < 38:
		m.keepView(ctx)
	default:
		m.check(m.s.Warm(ctx))
	}
}

// onlyModel mirrors DropOtherModels.
func (m *model) onlyModel() {
	if m.opts.Model.ID == "" {
		return
	}
	m.models = slices.DeleteFunc(slices.Clone(m.models), func(other Model) bool { return !slices.Contains(m.used(), other) })
	for id, e := range m.entries {
		next := *e
		next.units = m.usedUnits(e)
		m.entries[id] = &next
	}
}

// waiting lists records that lack vectors, in one of the two ways.
func (m *model) waiting(ctx context.Context) (list []Waiting) {
	v, err := m.s.SearchView(ctx)
	m.check(err)
	records := v.Pending
	if m.rng.IntN(2) == 0 {
		records = v.Unembedded
	}
	for w, err := range records(0) {
		m.check(err)
		if list = append(list, w); len(list) == 8 {
			break
		}
	}
	m.check(v.Close())
	return list
}

// addVectors adds to records that lack vectors, some windows at a time, and to
// some that are gone or have other windows by now.
func (m *model) addVectors(ctx context.Context) {
	if m.opts.Model.ID == "" {
		return
	}
	var list []Addition
	var ids []string
	for _, w := range m.waiting(ctx) {
		a := Addition{Num: w.Num, First: w.Windows, Vectors: m.vectors(m.rng.IntN(4))}
		switch m.rng.IntN(6) {
		case 0:
			a.First += 1 - m.rng.IntN(3)
		case 1:
			a.Missing, a.Failed, a.Vectors = true, true, nil
		case 2, 3:
			a.Missing = true
		}
		if w.Sentence && !a.Failed || m.rng.IntN(8) == 0 {
			a.Sentence = m.sentence()
		}
		list, ids = append(list, a), append(ids, w.ID)
		if m.rng.IntN(5) == 0 { // the same once more, which the first makes stale
			list, ids = append(list, a), append(ids, w.ID)
		}
		m.stale = append(m.stale, w.Num)
	}
	if len(m.stale) > 0 && m.rng.IntN(2) == 0 {
		list = append(list, Addition{Num: m.stale[m.rng.IntN(len(m.stale))], First: 9999, Vectors: m.vectors(1)})
		ids = append(ids, "")
	}
	got, err := m.s.AddVectors(ctx, list)
	m.check(err)
	m.beforeWrite()
	want := 0
	done := map[string]bool{}
	for i, a := range list {
		if m.added(ids[i], &a, done) {
			want++
		}
	}
	if got != want {
		m.t.Fatalf("%d records got all vectors, want %d, of %+v", got, want, list)
	}
}

// added mirrors an addition to a record and reports whether that has all now.
func (m *model) added(id string, a *Addition, done map[string]bool) bool {
	old, model := m.entries[id], m.opts.Model.ID
	if old == nil || done[id] || a.First != len(old.units[model]) {
		return false
	}
	done[id] = true
	next := *old
	next.units = maps.Clone(old.units)
	if len(a.Vectors) > 0 {
		next.units[model] = append(slices.Clone(old.units[model]), unitsOf(a.Vectors)...)
	}
	m.second(&next, a.Sentence)
	m.entries[id] = &next
	if a.Missing {
		next.waits = true
		if a.Failed {
			next.failures++
		}
		return false
	}
	if old.waits { // the other model may have had part of the windows only
		next.units = m.usedUnits(&next)
	}
	next.waits, next.failures = false, 0
	return true
}

// relabel updates without a new content, which keeps the vectors, all that else
// decides the terms of a record.
func (m *model) relabel(ctx context.Context) {
	id, to, changed := m.anyID(), m.record(), m.rng.IntN(32)
	change := func(r *Record) {
		for i, set := range []func(){
			func() { r.Kind = to.Kind }, func() { r.Scope = to.Scope }, func() { r.SessionID = to.SessionID },
			func() { r.Timestamp = to.Timestamp }, func() { r.Metadata = to.Metadata },
		} {
			if changed>>i&1 == 1 {
				set()
			}
		}
	}
	_, err := m.s.Update(ctx, id, nil, Embedding{}, func(r *Record) error {
		change(r)
		return nil
	})
	m.beforeWrite()
	old, ok := m.entries[id]
	if ok != (err == nil) {
		m.t.Fatalf("update %q: %v, model has it: %v", id, err, ok)
	}
	if !ok {
		return
	}
	next := *old
	if change(&next.Record); equalRecords(&next.Record, &old.Record) {
		return
	}
	m.keepVersion(old)
	m.order++
	next.saved, next.failures = m.order, 0
	m.entries[id] = &next
	m.afterWrite()
}

// restore gives the store records as it has them, changed ones and new ones.
func (m *model) restore(ctx context.Context) {
	var list []Draft
	for range m.rng.IntN(6) {
		d := m.draft()
		if e := m.entries[m.anyID()]; e != nil && m.rng.IntN(2) == 0 {
			d.Record = e.Record
		}
		d.Dedup = false
		list = append(list, d)
	}
	got, err := m.s.Restore(ctx, list)
	m.check(err)
	if len(list) == 0 {
		return
	}
	m.beforeWrite()
	want := 0
	for i := range list {
		if old := m.entries[list[i].ID]; old != nil && !old.Expired(TimeOf(m.now)) && equalRecords(&old.Record, &list[i].Record) {
			continue
		}
		m.putDraft(&list[i])
		want++
	}
	m.afterWrite()
	if got != want {
		m.t.Fatalf("restored %d, want %d", got, want)
	}
}

// keepView keeps a view, to be looked at after later changes.
func (m *model) keepView(ctx context.Context) {
	if len(m.old) > 2 {
		m.closeOld()
	}
	v, err := m.s.SearchView(ctx)
	m.check(err)
	truth := m.truth()
	m.old = append(m.old, &oldView{v, &model{
		t: m.t, rng: m.rng2(), s: m.s, opts: m.opts, now: m.now, entries: truth.entries, history: truth.history, models: m.models,
	}})
}

// closeOld compares the views that were kept and closes them.
func (m *model) closeOld() {
	m.t.Helper()
	for _, o := range m.old {
		o.compareVectors(o.v, []Filter{{AsOf: TimeOf(o.now)}, {AsOf: TimeOf(o.now), Scope: "a"}})
		m.check(o.v.Close())
	}
	m.old = nil
}

// TestModel with an embedder that changes often.
func TestModelChangesOfEmbedder(t *testing.T) {
	seeds := 4
	if testing.Short() {
		seeds = 2
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			m := newModel(t, uint64(500+seed))
			ctx := context.Background()
			for i := range 60 {
				for range 3 {
					m.step()
				}
				m.close()
				m.opts.Model = testModels[(i+seed)%3]
				m.switchSentences(i / 7 % 3)
				m.open()
				m.compare()
				if i%10 == 9 {
					m.check(m.s.Verify(ctx))
				}
			}
			m.close()
		})
	}
}
