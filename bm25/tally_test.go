// This file decides whether lists are counted right at their borders: blocks of
// all codings, several chunks, ranges and documents anywhere in them.

package bm25

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// denseIndex has documents in three scopes, the middle one by far the biggest, and
// terms that occur in a certain share of the documents.
func denseIndex(t *testing.T, n int, shares map[string]float64) *fixture {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	f := newFixture(t, nil, Options{SegmentDocs: n})
	c := change{adds: make([]Doc, n)}
	for i := range c.adds {
		d := Doc{Num: uint64(i) + 1, ID: fmt.Sprint(i), Scope: "b"}
		switch {
		case i < n/40:
			d.Scope = "a"
		case i > n-n/30:
			d.Scope = "c"
		}
		for _, term := range []string{"all", "half", "some", "few", "rare"} {
			if rng.Float64() < shares[term] {
				d.Vector.Terms = append(d.Vector.Terms, Term{Text: term, TF: 1 + rng.Uint32N(3)})
			}
		}
		d.Vector.Length = rng.Uint32N(9)
		c.adds[i] = d
	}
	f.commit(c)
	return f
}

func TestStatisticsOfLongLists(t *testing.T) {
	f := denseIndex(t, 20_000, map[string]float64{"all": 1, "half": 0.5, "some": 0.03, "few": 0.004, "rare": 0.001})
	terms := []string{"all", "half", "some", "few", "rare", "none"}
	check := func(what string) {
		t.Helper()
		for _, scope := range []string{"a", "b", "c", "d", ""} {
			got, err := f.ix.View().Statistics(ctx, f.store, &scope, terms)
			if err != nil {
				t.Fatal(err)
			}
			sameStatistics(t, what, f.truth, got, &scope, terms)
		}
		got, err := f.ix.View().Statistics(ctx, f.store, nil, terms)
		if err != nil {
			t.Fatal(err)
		}
		sameStatistics(t, what, f.truth, got, nil, terms)
	}
	check("sealed")
	var dels []uint64
	for num := uint64(3); num < 20_000; num += 17 {
		dels = append(dels, num)
	}
	f.commit(change{dels: dels})
	check("with tombstones")
	f.reopen()
	f.load()
	check("reopened")
	f.tidy(f.ix.PlanFull)
	check("rewritten")
}

func TestFrequenciesOfLongLists(t *testing.T) {
	f := denseIndex(t, 20_000, map[string]float64{"all": 1, "half": 0.5, "some": 0.03, "few": 0.008, "rare": 0.001})
	f.commit(change{dels: []uint64{7, 700, 15_000}})
	terms := []string{"rare", "few", "none", "some", "half", "all", "half"}
	rng := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{1, 3, 40, 700} {
		var nums []uint64
		for range n {
			from := rng.Uint64N(20_010)
			for i := range 1 + rng.Uint64N(9) {
				nums = append(nums, from+i)
			}
		}
		nums = append(nums, nums[0], 7, 700, 0)
		got, err := f.ix.View().Frequencies(ctx, f.store, terms, nums)
		if err != nil {
			t.Fatal(err)
		}
		sameFrequencies(t, fmt.Sprint(n), f.truth, got, terms, nums)
	}
}

// TestUncountedTerms: terms that Length leaves out live like others, in the tail,
// sealed, merged, deleted and reopened.
func TestUncountedTerms(t *testing.T) {
	g := &gen{Rand: rand.New(rand.NewPCG(8, 9)), vocabulary: 40, scopes: 3}
	f := newFixture(t, nil, Options{TailDocs: 1000})
	check := func(what string) {
		t.Helper()
		f.verify()
		v := f.ix.View()
		for _, scope := range []*string{nil, new(string)} {
			st, err := v.Statistics(ctx, f.store, scope, features)
			if err != nil {
				t.Fatal(err)
			}
			sameStatistics(t, what, f.truth, st, scope, features)
		}
		var nums []uint64
		for num := range f.next {
			nums = append(nums, num)
		}
		fr, err := v.Frequencies(ctx, f.store, features, nums)
		if err != nil {
			t.Fatal(err)
		}
		sameFrequencies(t, what, f.truth, fr, features, nums)
		sameHits(t, what, f.search(features, Filter{}, 20), f.truth.search(features, Filter{}, 20))
	}
	docs := func() (list []Doc) {
		for range 100 {
			d := g.doc(f.next)
			f.next++
			d.Vector = TermVector{Length: d.Vector.Length % 3} // may be 0 with terms
			for _, term := range features {
				d.Vector.Terms = append(d.Vector.Terms, Term{Text: term, TF: 1 + g.Uint32N(2)})
			}
			list = append(list, d)
		}
		return list
	}
	f.commit(change{adds: docs()})
	f.commit(change{adds: docs(), dels: []uint64{5, 50}})
	check("tail")
	f.ix.opts.TailDocs = 10
	f.tidy(f.ix.Plan)
	check("sealed")
	f.commit(change{adds: docs(), dels: []uint64{6, 60, 160}})
	check("two segments with tombstones")
	f.reopen()
	f.load()
	check("reopened")
	f.tidy(f.ix.PlanFull)
	check("merged")
}

func TestScoringByHandOddCalls(t *testing.T) {
	f := newFixture(t, nil, Options{})
	v := f.ix.View()
	if fr, err := v.Frequencies(ctx, f.store, []string{"a"}, []uint64{1, 2}); err != nil || fr.Known[0] || len(fr.Row(1)) != 1 {
		t.Fatalf("empty index: %+v, %v", fr, err)
	}
	if st, err := v.Statistics(ctx, f.store, new(string), []string{"a", "a"}); err != nil || st.Docs != 0 || !slices.Equal(st.DF, []uint64{0, 0}) {
		t.Fatalf("empty index: %+v, %v", st, err)
	}
	f.commit(change{adds: []Doc{{Num: 4, Vector: TermVector{Terms: []Term{{"a", 2}}, Length: 2}}}})
	v = f.ix.View()
	fr, err := v.Frequencies(ctx, f.store, nil, []uint64{4})
	if err != nil || !fr.Known[0] || fr.Length[0] != 2 || len(fr.Row(0)) != 0 {
		t.Fatalf("no terms: %+v, %v", fr, err)
	}
	if fr, err = v.Frequencies(ctx, f.store, []string{"a"}, nil); err != nil || len(fr.TF) != 0 {
		t.Fatalf("no documents: %+v, %v", fr, err)
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	_, err = v.Frequencies(gone, f.store, []string{"a"}, []uint64{4})
	wantErr(t, err, context.Canceled)
	_, err = v.Statistics(gone, f.store, nil, nil)
	wantErr(t, err, context.Canceled)
	f.reopen()
	_, err = f.ix.View().Frequencies(ctx, f.store, nil, nil)
	wantErr(t, err, ErrNotLoaded)
	_, err = f.ix.View().Statistics(ctx, f.store, nil, nil)
	wantErr(t, err, ErrNotLoaded)
}

func TestScorerEdges(t *testing.T) {
	for _, p := range []Params{{}, {K1: 0, B: 1}, {K1: 1.2, B: 0}, {K1: 1e6, B: 1}} {
		s := NewScorer(p, 10, 0)
		if x := s.Saturation(0, 5); x != 0 {
			t.Errorf("%+v: saturation of no occurrence is %v", p, x)
		}
		if x := s.Saturation(3, 0); !(x > 0 && x <= 1) {
			t.Errorf("%+v: saturation in an empty document is %v", p, x)
		}
		if s.IDF(0) <= s.IDF(1) || s.IDF(10) <= 0 {
			t.Errorf("%+v: IDF of 0, 1, 10: %v, %v, %v", p, s.IDF(0), s.IDF(1), s.IDF(10))
		}
	}
	s, d := NewScorer(Params{}, 3, 9), NewScorer(Params{DefaultK1, DefaultB}, 3, 9)
	if s != d {
		t.Errorf("zero parameters %+v, defaults %+v", s, d)
	}
}

// FuzzTally makes a list and documents out of bytes: the list's gaps and
// frequencies, then every how many documents one is asked for.
func FuzzTally(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 200, 0, 0, 1}, uint16(300), uint8(3), uint16(5), uint16(900))
	f.Add([]byte{0}, uint16(9000), uint8(1), uint16(0), uint16(65535))
	f.Add([]byte{3, 0, 7}, uint16(90), uint8(2), uint16(1), uint16(60))
	f.Add([]byte{9, 255}, uint16(700), uint8(250), uint16(100), uint16(101))
	f.Fuzz(func(t *testing.T, gaps []byte, postings uint16, step uint8, lo, hi uint16) {
		if len(gaps) == 0 {
			return
		}
		n := int(postings)%20_000 + 1
		docs, tfs, next := make([]uint32, n), make([]uint32, n), uint32(0)
		for i := range docs {
			b := gaps[i%len(gaps)]
			docs[i], tfs[i] = next+uint32(b), 1+uint32(b)%5
			next = docs[i] + 1
		}
		seg, store, info := segmentOfList(t, docs, tfs, next+10)
		l := &listReader{}
		l.reset(store, seg, info)
		checkRange(t, l, docs, uint32(lo), uint32(hi))
		var wanted []wantedDoc
		for d := uint32(lo); d < next+10 && len(wanted) < 5000; d += 1 + uint32(step)*uint32(gaps[int(d)%len(gaps)])/16 {
			wanted = append(wanted, wantedDoc{local: d, at: int32(len(wanted))})
		}
		if len(wanted) == 0 {
			return
		}
		var m marks
		m.add(wanted)
		stored := tally{docs: wanted, marks: &m, tf: make([]uint32, len(wanted)), terms: 1}
		if l.reset(store, seg, info); info.docs != nil {
			stored.plain(0, info.docs, info.tfs)
		} else if err := stored.chunked(0, l); err != nil {
			t.Fatal(err)
		}
		plain := tally{docs: wanted, marks: &m, tf: make([]uint32, len(wanted)), terms: 1}
		plain.plain(0, docs, tfs)
		for i, w := range wanted {
			want := uint32(0)
			if at, ok := slices.BinarySearch(docs, w.local); ok {
				want = tfs[at]
			}
			if stored.tf[i] != want || plain.tf[i] != want {
				t.Fatalf("document %d: %d and %d times, want %d", w.local, stored.tf[i], plain.tf[i], want)
			}
		}
		if m.remove(wanted); slices.ContainsFunc(m.words, func(w uint64) bool { return w != 0 }) {
			t.Fatal("marks stayed")
		}
	})
}

func checkRange(t *testing.T, l *listReader, docs []uint32, lo, hi uint32) {
	t.Helper()
	lo, hi = min(lo, l.seg.docs-1), min(hi, l.seg.docs)
	if lo >= hi {
		return
	}
	got, err := l.countRange(lo, hi)
	if want := lowerBound(docs, hi) - lowerBound(docs, lo); err != nil || got != uint64(want) {
		t.Fatalf("%d documents from %d to %d, want %d, %v", got, lo, hi, want, err)
	}
}
