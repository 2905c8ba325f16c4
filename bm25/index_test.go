// This file decides the behaviour of an index at its edges: named cases, empty
// and odd documents, wrong calls, opening without loading, leftovers of crashes.

package bm25

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/memkv"
)

// textDoc is a document with the words of a text.
func textDoc(num uint64, text string) Doc {
	d := Doc{Num: num, ID: fmt.Sprintf("%016d", num), Sec: int64(num)}
	at := map[string]int{}
	for _, w := range strings.Fields(text) {
		if _, ok := at[w]; !ok {
			at[w] = len(d.Vector.Terms)
			d.Vector.Terms = append(d.Vector.Terms, Term{Text: w})
		}
		d.Vector.Terms[at[w]].TF++
		d.Vector.Length++
	}
	return d
}

func texts(from uint64, list ...string) (docs []Doc) {
	for i, text := range list {
		docs = append(docs, textDoc(from+uint64(i), text))
	}
	return docs
}

func TestP07CommonTermsScorePositive(t *testing.T) {
	for _, with := range []int{2, 3, 4} {
		var docs []Doc
		for i := range 4 {
			text := "filler words here"
			if i < with {
				text = "target words here"
			}
			docs = append(docs, textDoc(uint64(i+1), text))
		}
		f := newFixture(t, nil, Options{})
		f.commit(change{adds: docs})
		hits := f.search([]string{"target"}, Filter{}, -1)
		if len(hits) != with || hits[0].Score <= 0 {
			t.Fatalf("term in %d of 4: %v", with, hits)
		}
	}
	f := newFixture(t, nil, Options{})
	f.commit(change{adds: texts(1, "a b c d", "a a c d", "a a a d", "a a a a")})
	hits := f.search([]string{"a"}, Filter{}, -1)
	for i, h := range hits {
		if h.Num != uint64(4-i) || h.Score <= 0 {
			t.Fatalf("more occurrences score lower: %v", hits)
		}
	}
}

func TestP08CommonWordsOrder(t *testing.T) {
	f := newFixture(t, nil, Options{})
	f.commit(change{adds: texts(1, "duckdb database lorem", "duckdb database ipsum", "duckdb database ipsum")})
	hits := f.search([]string{"duckdb", "database", "lorem"}, Filter{}, -1)
	if len(hits) != 3 || hits[0].Num != 1 || hits[2].Score <= 0 {
		t.Fatalf("%v", hits)
	}
}

func TestP09UpdatesLeaveNoTrace(t *testing.T) {
	for _, tail := range []int{1, 2, 100} {
		f := newFixture(t, nil, Options{TailDocs: tail, MergeFactor: 2})
		f.commit(change{adds: texts(1, "alpha beta beta", "gamma beta delta epsilon")})
		for i := range uint64(5) {
			num := f.truth.docs[len(f.truth.docs)-1].Num
			if i == 0 {
				num = 1
			}
			f.commit(change{dels: []uint64{num}, adds: []Doc{textDoc(10+i, "alpha beta beta")}})
			f.tidy(f.ix.Plan)
		}
		fresh := newFixture(t, nil, Options{})
		fresh.commit(change{adds: f.truth.docs})
		for _, q := range [][]string{{"alpha"}, {"beta"}, {"gamma", "beta"}} {
			sameHits(t, fmt.Sprint(q), f.search(q, Filter{}, -1), fresh.search(q, Filter{}, -1))
		}
		got, want := f.ix.View().Stats(), fresh.ix.View().Stats()
		if got.Docs != want.Docs || got.Tokens != want.Tokens {
			t.Fatalf("stats %+v, want %+v", got, want)
		}
		f.verify()
	}
}

func TestOddDocumentsAndQueries(t *testing.T) {
	f := newFixture(t, nil, Options{TailDocs: 3})
	huge := textDoc(4, "x")
	huge.Vector = TermVector{Terms: []Term{{"x", math.MaxUint32}, {"", 7}, {strings.Repeat("long", 100_000), 1}, {"\xff\x00", 1}}, Length: math.MaxUint32}
	twice := Doc{Num: 5, ID: "twice", Vector: TermVector{Terms: []Term{{"y", 1}, {"y", math.MaxUint32}, {"z", 0}}, Length: 3}}
	f.bulk(append(texts(1, "", "x y", "x"), huge, twice, textDoc(6, "y")))
	for q, want := range map[string]int{"x": 3, "": 1, strings.Repeat("long", 100_000): 1, "\xff\x00": 1, "y": 3, "z": 1, "absent": 0, "\xff": 0} {
		if n := len(f.search([]string{q}, Filter{}, -1)); n != want {
			t.Errorf("%.20q: %d hits, want %d", q, n, want)
		}
	}
	if hits := f.search(nil, Filter{}, 10); len(hits) != 0 {
		t.Errorf("empty query: %v", hits)
	}
	if hits := f.search([]string{"x"}, Filter{}, 0); len(hits) != 0 {
		t.Errorf("limit 0: %v", hits)
	}
	if s := f.ix.View().Stats(); s.Docs != 6 || s.Segments != 1 {
		t.Errorf("%+v", s)
	}
	many := make([]string, 0, 2000)
	for i := range 1000 {
		many = append(many, fmt.Sprint("w", i), "x")
	}
	if hits := f.search(many, Filter{}, -1); len(hits) != 3 {
		t.Errorf("long query: %d hits", len(hits))
	}
}

func TestOnlyEmptyDocuments(t *testing.T) {
	f := newFixture(t, nil, Options{TailDocs: 2})
	f.commit(change{adds: texts(1, "", "", "")})
	if hits := f.search([]string{"a"}, Filter{}, -1); len(hits) != 0 {
		t.Fatal(hits)
	}
	f.verify()
	f.commit(change{adds: texts(4, "a", "")})
	if hits := f.search([]string{"a"}, Filter{}, -1); len(hits) != 1 {
		t.Fatal(hits)
	}
	f.tidy(f.ix.PlanFull)
	f.verify()
}

// TestTies cuts thousands of equal scores in the middle, by time and then id.
func TestTies(t *testing.T) {
	n := 9000
	if testing.Short() {
		n = 5000
	}
	g := &gen{Rand: newCorpus(3, 10).rng}
	for _, opts := range []Options{{TailDocs: 1 << 20}, {SegmentDocs: 1 << 20}, {SegmentDocs: 700, ResidentIDs: true}} {
		f := newFixture(t, nil, opts)
		var docs []Doc
		for i := range n {
			d := textDoc(uint64(i+1), "same words")
			d.ID, d.Sec, d.Nsec = fmt.Sprintf("%08x", g.Uint32()), int64(g.IntN(3)), uint32(g.IntN(2))
			docs = append(docs, d)
		}
		f.commit(change{adds: docs})
		for _, limit := range []int{1, 7, 100, n/2 + 1, -1} {
			sameHits(t, fmt.Sprint("limit ", limit), f.search([]string{"words"}, Filter{}, limit), f.truth.search([]string{"words"}, Filter{}, limit))
		}
	}
}

// TestGrowingFrequency searches for a term while it spreads over all documents.
func TestGrowingFrequency(t *testing.T) {
	f := newFixture(t, nil, Options{TailDocs: 40, MergeFactor: 3})
	for i := range uint64(300) {
		f.commit(change{adds: texts(i*2+1, "every one", fmt.Sprint("every w", i%7))})
		if i%10 == 0 {
			f.tidy(f.ix.Plan)
			q := []string{"every", "w3"}
			sameHits(t, fmt.Sprint(i), f.search(q, Filter{}, 20), f.truth.search(q, Filter{}, 20))
			if n, err := f.ix.View().DF(ctx, f.store, "every"); err != nil || n != 2*i+2 {
				t.Fatalf("df %d, %v", n, err)
			}
		}
	}
	f.verify()
}

// TestSameResultsHoweverCut is metamorphic: the options that decide how an index
// is cut into segments don't show in results.
func TestSameResultsHoweverCut(t *testing.T) {
	build := func(opts Options, batch int, tidy bool) *fixture {
		g := &gen{Rand: newCorpus(11, 10).rng, vocabulary: 200, scopes: 4}
		f := newFixture(t, nil, opts)
		var docs []Doc
		for i := range uint64(700) {
			docs = append(docs, g.doc(i*2+1))
		}
		for from := 0; from < len(docs); from += batch {
			c := change{adds: docs[from:min(from+batch, len(docs))]}
			if from > 0 {
				c.dels = []uint64{docs[from-1].Num}
			}
			f.commit(c)
			if tidy {
				f.tidy(f.ix.Plan)
			}
		}
		for _, d := range docs[:100] { // the same documents live in the end
			if i := f.truth.find(d.Num); i >= 0 && d.Num%3 == 0 {
				f.commit(change{dels: []uint64{d.Num}})
			}
		}
		return f
	}
	var first *fixture
	for _, o := range []struct {
		opts  Options
		batch int
		tidy  bool
	}{{Options{}, 7, false}, {Options{TailDocs: 5, MergeFactor: 2}, 7, true}, {Options{TailDocs: 3, SegmentDocs: 4, MergeFactor: 50}, 7, true},
		{Options{TailDocs: 50, MergeFactor: 3}, 7, true}} {
		f := build(o.opts, o.batch, o.tidy)
		if first == nil {
			first = f
			continue
		}
		g := &gen{Rand: newCorpus(12, 10).rng, vocabulary: 200, scopes: 4}
		for range 100 {
			q, flt, limit := g.query(), g.filter(), g.limit()
			sameHits(t, fmt.Sprintf("%+v %q", o, q), f.search(q, flt, limit), first.search(q, flt, limit))
		}
	}
}

func (o *oracle) find(num uint64) int {
	for i, d := range o.docs {
		if d.Num == num {
			return i
		}
	}
	return -1
}

func TestParamsAndOptions(t *testing.T) {
	store := memkv.New()
	defer store.Close()
	for _, p := range []Params{{math.NaN(), 0.5}, {1, math.NaN()}, {-1, 0.5}, {1, -0.1}, {1, 1.1}, {math.Inf(1), 0.5}, {1e7, 0.5}} {
		_, err := Open(store, Options{Prefix: []byte("i"), Params: p})
		wantErr(t, err, ErrParams)
	}
	_, err := Open(store, Options{})
	wantErr(t, err, ErrParams)
	for _, p := range []Params{{0, 0.5}, {1e6, 1}, {1.2, 0}} {
		f := newFixture(t, nil, Options{Params: p, TailDocs: 2})
		f.commit(change{adds: texts(1, "a b", "a a c", "b")})
		sameHits(t, fmt.Sprint(p), f.search([]string{"a", "b"}, Filter{}, -1), f.truth.search([]string{"a", "b"}, Filter{}, -1))
	}
}

func TestWrongCalls(t *testing.T) {
	f := newFixture(t, nil, Options{TailDocs: 4})
	f.commit(change{adds: texts(10, "a", "b", "c", "d", "e")}) // sealed
	f.commit(change{adds: texts(20, "f", "g")})
	tx := f.ix.Begin()
	tx.Add(textDoc(21, "again"))
	b := f.store.NewBatch()
	defer b.Close()
	wantErr(t, tx.Apply(b), ErrOrder)
	f.commit(change{dels: []uint64{11, 20}})
	tx = f.ix.Begin()
	v := textDoc(1, "a").Vector
	for _, num := range []uint64{0, 9, 11, 20, 22, 1000, math.MaxUint64} {
		wantErr(t, tx.Delete(num, v), ErrNotIndexed)
	}
	if err := tx.Delete(10, v); err != nil {
		t.Fatal(err)
	}
	wantErr(t, tx.Delete(10, v), ErrNotIndexed)
	tx.Publish() // not applied: nothing happens
	if s := f.ix.View().Stats(); s.Docs != 5 {
		t.Fatalf("%+v", s)
	}
	f.verify()
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	_, err := f.ix.View().Search(cancelled, f.store, []string{"a"}, Filter{}, 1)
	wantErr(t, err, context.Canceled)
	boom := errors.New("boom")
	_, err = f.ix.View().Search(ctx, f.store, []string{"a", "f", "g"}, Filter{Accept: func(uint64) (bool, error) { return false, boom }}, 1)
	wantErr(t, err, boom)
	sameHits(t, "after a failure", f.search([]string{"a", "e"}, Filter{}, -1), f.truth.search([]string{"a", "e"}, Filter{}, -1))
}

// TestDroppedTransaction applies without publishing: the index stays as it was.
func TestDroppedTransaction(t *testing.T) {
	f := newFixture(t, nil, Options{TailDocs: 4})
	f.commit(change{adds: texts(1, "a", "b", "c", "d", "e a")})
	f.commit(change{adds: texts(11, "a f")})
	before := f.search([]string{"a"}, Filter{}, -1)
	for range 3 {
		tx := f.ix.Begin()
		for _, d := range texts(20, "a", "a", "a", "a", "a") {
			tx.Add(d)
		}
		if err := tx.Delete(1, f.truth.docs[0].Vector); err != nil {
			t.Fatal(err)
		}
		b := f.store.NewBatch()
		if err := tx.Apply(b); err != nil {
			t.Fatal(err)
		}
		b.Close()
	}
	sameHits(t, "dropped", f.search([]string{"a"}, Filter{}, -1), before)
	f.commit(change{adds: texts(20, "a", "a", "a", "a", "a")})
	f.verify()
}

func TestUnloaded(t *testing.T) {
	f := newFixture(t, nil, Options{TailDocs: 8})
	f.commit(change{adds: texts(1, "a", "b", "c", "d", "e")})
	f.commit(change{adds: texts(11, "a", "b")})
	f.reopen()
	v := f.ix.View()
	if f.ix.Loaded() || f.ix.Plan() != nil {
		t.Fatal("loaded")
	}
	if s := v.Stats(); s != (Stats{Docs: 7, Tokens: 7, Segments: 1, TailDocs: 2}) {
		t.Fatalf("%+v", s)
	}
	_, err := v.Search(ctx, f.store, []string{"a"}, Filter{}, 1)
	wantErr(t, err, ErrNotLoaded)
	_, _, err = v.Scores(ctx, f.store, []string{"a"}, []uint64{1})
	wantErr(t, err, ErrNotLoaded)
	_, err = v.DF(ctx, f.store, "a")
	wantErr(t, err, ErrNotLoaded)
	wantErr(t, v.Verify(ctx, f.store, seqOf(nil)), ErrNotLoaded)
	f.commit(change{adds: texts(21, "x", "x", "x", "x", "x"), dels: []uint64{1, 11}})
	if s := f.ix.View().Stats(); s != (Stats{Docs: 10, Tokens: 10, Segments: 1, TailDocs: 6, Dead: 1}) {
		t.Fatalf("%+v", s)
	}
	f.load()
	f.load()
	f.verify()
	f.tidy(f.ix.Plan)
	f.verify()
	f.reopen()
	f.commit(change{clear: true, adds: texts(31, "z")})
	if !f.ix.Loaded() {
		t.Fatal("an empty index needs no loading")
	}
	f.verify()
}

// TestUnloadedBulk seals at once when there is no tail to be loaded.
func TestUnloadedBulk(t *testing.T) {
	f := newFixture(t, nil, Options{TailDocs: 4})
	f.commit(change{adds: texts(1, "a", "b", "c", "d", "e")})
	f.reopen()
	f.commit(change{adds: texts(11, "a", "b", "c", "d", "e")})
	if s := f.ix.View().Stats(); s.Segments != 2 || s.TailDocs != 0 {
		t.Fatalf("%+v", s)
	}
	f.load()
	f.verify()
}

// TestLoadFails leaves the index unloaded, to be loaded again.
func TestLoadFails(t *testing.T) {
	f := newFixture(t, nil, Options{TailDocs: 8})
	f.commit(change{adds: texts(1, "a", "b", "c", "d", "e")})
	f.commit(change{dels: []uint64{2}, adds: texts(11, "a", "b")})
	f.reopen()
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	wantErr(t, f.ix.Load(cancelled, f.store), context.Canceled)
	if f.ix.Loaded() {
		t.Fatal("loaded")
	}
	f.load()
	f.verify()
	b := f.store.NewBatch()
	b.Delete(recordKey(11))
	if err := f.store.Commit(b, kv.NoSync); err != nil {
		t.Fatal(err)
	}
	f.reopen()
	wantErr(t, f.ix.Load(ctx, f.store), kv.ErrCorrupt)
}
