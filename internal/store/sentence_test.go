package store

// The part of the model that has to do with second vectors: they come and go with
// the others, and are found by nothing but their records.

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/contextforge-go/contextforge/kv/memkv"
	"github.com/contextforge-go/contextforge/vecindex"
)

// hasSentence says of which test contents a second vector is to be kept.
func hasSentence(content string) bool { return len(content)%3 > 0 }

// used are the models in use, that of second vectors among them.
func (m *model) used() []Model {
	use := m.opts.Model
	if use.ID == "" {
		return nil
	}
	if m.opts.Sentence == nil {
		return []Model{use}
	}
	return []Model{use, {use.ID + "#sentence", use.Dim}}
}

// switchSentences turns second vectors on or off, or leaves them as they are.
func (m *model) switchSentences(n int) {
	switch n {
	case 0:
		m.opts.Sentence = nil
	case 1:
		m.opts.Sentence = hasSentence
	}
}

// sentence draws a second vector, often none.
func (m *model) sentence() []float32 {
	if m.opts.Model.ID == "" || m.opts.Sentence == nil && m.rng2().IntN(3) > 0 || m.rng2().IntN(4) == 0 {
		return nil
	}
	return testVector(m.opts.Model.Dim, m.rng2().Uint64())
}

// second mirrors that an entry gets a second vector, unless it has one.
func (m *model) second(e *modelEntry, vector []float32) {
	id := m.opts.Model.ID + "#sentence"
	if m.opts.Model.ID != "" && m.opts.Sentence != nil && vector != nil && len(e.units[id]) == 0 {
		e.units[id] = unitsOf([][]float32{vector})
	}
}

// usedUnits are an entry's vectors of the models in use.
func (m *model) usedUnits(e *modelEntry) map[string][][]float32 {
	kept := map[string][][]float32{}
	for _, use := range m.used() {
		if units := e.units[use.ID]; len(units) > 0 {
			kept[use.ID] = units
		}
	}
	return kept
}

func (m *model) lacksSentence(e *modelEntry) bool {
	return m.opts.Model.ID != "" && m.opts.Sentence != nil && hasSentence(e.Content) && len(e.units[m.opts.Model.ID+"#sentence"]) == 0
}

// compareSentences compares what a view knows of second vectors.
func (m *model) compareSentences(v *View) {
	m.t.Helper()
	on := m.opts.Model.ID != "" && m.opts.Sentence != nil
	id := m.opts.Model.ID + "#sentence"
	known := map[string]Embedding{"never saved": {}}
	nums, want := []uint64{1 << 40}, [][]float32{nil}
	for _, e := range m.bySaved() {
		nums = append(nums, m.num(v, e.ID))
		var second []float32
		if units := e.units[id]; on && len(units) > 0 {
			second = units[0]
		}
		want = append(want, second)
		if units := e.units[m.opts.Model.ID]; len(known[e.Content].Vectors) == 0 && !e.waits && len(units) > 0 {
			known[e.Content] = Embedding{Vectors: units, Sentence: second}
		}
	}
	for i, unit := range want {
		query := m.query()
		if on {
			query = testVector(m.opts.Model.Dim, 3)
		}
		got, has, err := v.SentenceCosines(context.Background(), query, nums[i:i+1])
		m.check(err)
		cos := float32(0)
		if unit != nil {
			cos = dotOf(unitOf(query), unit)
		}
		if has[0] != (unit != nil) || got[0] < cos-0.05 || got[0] > cos+0.05 {
			m.t.Fatalf("second vector of %d: %v %v, want about %v", nums[i], got[0], has[0], cos)
		}
	}
	for content, want := range known {
		got, complete, err := v.KnownEmbedding(content)
		m.check(err)
		whole := len(want.Vectors) > 0 && (!on || want.Sentence != nil || !hasSentence(content))
		if !equalVectors(got.Vectors, want.Vectors) || !slices.Equal(got.Sentence, want.Sentence) || complete != whole {
			m.t.Fatalf("known of %q: %v %v, want %v %v", content, got, complete, want, whole)
		}
	}
}

func dotOf(a, b []float32) (sum float32) {
	for i := range a {
		sum += float32(a[i] * b[i])
	}
	return sum
}

// A store that was filled without them gets second vectors later, in the order of
// the records, and lacks nothing afterwards.
func TestSentencesComeLater(t *testing.T) {
	ctx, pairs := context.Background(), memkv.New()
	m := newModel(t, 4)
	m.close()
	o := m.opts
	o.KV, o.Sentence = keep{pairs}, nil
	s, err := Open(ctx, o)
	m.check(err)
	r := rand.New(rand.NewPCG(1, 2))
	var list []Draft
	for range 30 {
		rec := m.record()
		list = append(list, Draft{Record: rec, Embedding: Embedding{Vectors: [][]float32{testVector(o.Model.Dim, r.Uint64())}, Sentence: testVector(o.Model.Dim, 1)}})
	}
	m.check(s.Save(ctx, list))
	if st := figuresOf(m, s); st.Sentences != 0 || len(st.Others) != 0 {
		t.Errorf("without second vectors: %+v", st)
	}
	m.check(s.Close())
	o.Sentence = hasSentence
	s, err = Open(ctx, o)
	m.check(err)
	v, err := s.SearchView(ctx)
	m.check(err)
	var additions []Addition
	for w, err := range v.Unembedded(0) {
		m.check(err)
		if !w.Sentence || w.Windows != 1 || !hasSentence(w.Content) {
			t.Errorf("%+v", w)
		}
		additions = append(additions, Addition{Num: w.Num, First: w.Windows, Sentence: testVector(o.Model.Dim, w.Num)})
	}
	m.check(v.Close())
	n, err := s.AddVectors(ctx, additions)
	m.check(err)
	if st := figuresOf(m, s); n != len(additions) || n == 0 || st.Sentences != n {
		t.Errorf("%d additions, %d complete, %+v", len(additions), n, st)
	}
	m.check(s.DropOtherModels(ctx))
	m.check(s.Rebuild(ctx))
	m.check(s.Warm(ctx))
	m.check(s.Verify(ctx))
	if st := figuresOf(m, s); st.Sentences != n {
		t.Errorf("after a rebuild: %+v", st)
	}
	v, err = s.SearchView(ctx)
	m.check(err)
	for range v.Unembedded(0) {
		t.Error("a record lacks vectors still")
	}
	// A survey counts records, not second vectors.
	_, d, err := v.Survey(ctx, testVector(o.Model.Dim, 5), Filter{AsOf: TimeOf(m.now)}, 3)
	if records := figuresOf(m, s).Records; err != nil || d.N != records || d == (vecindex.Distribution{}) {
		t.Errorf("%+v, %v, of %d records", d, err, records)
	}
	m.check(v.Close())
	m.check(s.Close())
	o.Sentence = nil // what is no longer asked for goes when others do
	s, err = Open(ctx, o)
	m.check(err)
	if st := figuresOf(m, s); len(st.Others) != 1 || st.Others[0].Vectors != n {
		t.Errorf("switched off: %+v", st)
	}
	m.check(s.DropOtherModels(ctx))
	if st := figuresOf(m, s); len(st.Others) != 0 || st.Records == 0 {
		t.Errorf("dropped: %+v", st)
	}
	m.check(s.Verify(ctx))
	m.check(s.Close())
}

func figuresOf(m *model, s *Store) EmbeddingStats {
	m.t.Helper()
	v, err := s.SearchView(context.Background())
	m.check(err)
	st := v.Embeddings()
	m.check(v.Close())
	return st
}
