// This file decides what is right: a naive oracle that keeps all unit vectors
// and multiplies each of them, and the harness of the tests.

package vecindex

import (
	"context"
	"iter"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"github.com/contextforge-go/contextforge/internal/simd"
	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/memkv"
)

var (
	ctx        = context.Background()
	testPrefix = []byte("v/")
)

// oracle is the plain truth.
type oracle map[uint64]*oracleDoc

type oracleDoc struct {
	scope string
	units [][]float32
}

// clone copies the documents; vectors never change.
func (o oracle) clone() oracle {
	c := oracle{}
	for num, d := range o {
		c[num] = &oracleDoc{d.scope, slices.Clone(d.units)}
	}
	return c
}

func (o oracle) nums() []uint64 { return slices.Sorted(maps.Keys(o)) }

func (o oracle) vectors() (n int) {
	for _, d := range o {
		n += len(d.units)
	}
	return n
}

func (o oracle) add(d Doc) {
	if len(d.Vectors) == 0 {
		return
	}
	if o[d.Num] == nil {
		o[d.Num] = &oracleDoc{scope: d.Scope}
	}
	for _, v := range d.Vectors {
		o[d.Num].units = append(o[d.Num].units, unitOf(v))
	}
}

// unitOf divides a vector by its length, unless that is 1 but for rounding.
func unitOf(v []float32) []float32 {
	sum := 0.0
	for _, x := range v {
		sum += float64(float64(x) * float64(x))
	}
	if math.Abs(math.Sqrt(sum)-1) <= math.Ldexp(1, -23) {
		return slices.Clone(v)
	}
	u := make([]float32, len(v))
	for i, x := range v {
		u[i] = float32(float64(x) / math.Sqrt(sum))
	}
	return u
}

// search multiplies everything.
func (o oracle) search(query []float32, f Filter, limit int) []Hit {
	q, hits := unitOf(query), []Hit{}
	for num, d := range o {
		if f.Scope != nil && *f.Scope != d.scope {
			continue
		}
		if f.Accept != nil {
			if ok, _ := f.Accept(num); !ok {
				continue
			}
		}
		best := Hit{num, float32(math.Inf(-1)), -1}
		for w, u := range d.units {
			if s := simd.Dot(q, u); s > best.Score {
				best.Score, best.Window = s, w
			}
		}
		if f.MinScore == nil || best.Score >= *f.MinScore {
			hits = append(hits, best)
		}
	}
	before := func(a, b uint64) bool { return a > b }
	if f.Before != nil {
		before = func(a, b uint64) bool { first, _ := f.Before(a, b); return first }
	}
	sort.Slice(hits, func(i, j int) bool {
		if hits[i].Score != hits[j].Score {
			return hits[i].Score > hits[j].Score
		}
		return before(hits[i].Num, hits[j].Num)
	})
	if limit >= 0 && limit < len(hits) {
		hits = hits[:limit]
	}
	return hits
}

// refs are the documents for Verify.
func (o oracle) refs() iter.Seq2[DocRef, error] {
	return func(yield func(DocRef, error) bool) {
		for _, num := range o.nums() {
			if !yield(DocRef{num, o[num].scope, len(o[num].units)}, nil) {
				return
			}
		}
	}
}

// fixture is an index in a store, with the truth about it.
type fixture struct {
	testing.TB
	store kv.Store
	opts  Options
	ix    *Index
	truth oracle
}

// small are sizes with which borders are everywhere.
var small = tuning{chunkRows: 8, pieceRows: 3, firstRows: 2, slackRows: 3, parallelRows: 16, backlogRows: 10, streamRows: 5, bulkRows: 6}

func newFixture(t testing.TB, store kv.Store, opts Options) *fixture {
	if store == nil {
		store = memkv.New()
		t.Cleanup(func() { store.Close() })
	}
	opts.Prefix = testPrefix
	f := &fixture{TB: t, store: store, opts: opts, truth: oracle{}}
	f.reopen()
	return f
}

// must fails the test on an error.
func (f *fixture) must(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

func (f *fixture) reopen() {
	f.Helper()
	ix, err := Open(f.store, f.opts)
	f.must(err)
	f.ix = ix
}

// commit applies a transaction, commits and publishes it.
func (f *fixture) commit(tx *Tx) {
	f.Helper()
	b := f.store.NewBatch()
	defer b.Close()
	f.must(tx.Apply(b))
	f.must(f.store.Commit(b, kv.NoSync))
	tx.Publish()
}

// addDocs commits documents.
func (f *fixture) addDocs(docs ...Doc) {
	f.Helper()
	tx := f.ix.Begin()
	for _, d := range docs {
		f.must(tx.Add(d))
		f.truth.add(d)
	}
	f.commit(tx)
}

// remove commits deletions.
func (f *fixture) remove(nums ...uint64) {
	f.Helper()
	tx := f.ix.Begin()
	for _, num := range nums {
		f.must(tx.Delete(f.store, num))
		delete(f.truth, num)
	}
	f.commit(tx)
}

// frozen is a view with its snapshot and its truth.
type frozen struct {
	v     *View
	snap  kv.Snapshot
	truth oracle
}

func (f *fixture) freeze() *frozen {
	f.Helper()
	snap, err := f.store.Snapshot()
	f.must(err)
	z := &frozen{f.ix.View(), snap, f.truth.clone()}
	f.Cleanup(func() { snap.Close() })
	return z
}

// compare searches and compares with the truth.
func (f *fixture) compare(z *frozen, query []float32, filter Filter, limit int) {
	f.Helper()
	got, err := z.v.Search(ctx, z.snap, query, filter, limit)
	f.must(err)
	want := z.truth.search(query, filter, limit)
	if !slices.Equal(got, want) {
		f.Fatalf("limit %d of %d documents:\n%s", limit, len(z.truth), difference(got, want))
	}
}

// search compares the newest view.
func (f *fixture) search(query []float32, filter Filter, limit int) {
	f.Helper()
	snap, err := f.store.Snapshot()
	f.must(err)
	defer snap.Close()
	f.compare(&frozen{f.ix.View(), snap, f.truth}, query, filter, limit)
}

// verify checks the stored index and its counts.
func (f *fixture) verify(z *frozen) {
	f.Helper()
	f.must(z.v.Verify(ctx, z.snap, z.truth.refs()))
	s := z.v.Stats()
	if s.Documents != uint64(len(z.truth)) || s.Vectors != uint64(z.truth.vectors()) {
		f.Fatalf("%+v, want %d documents with %d vectors", s, len(z.truth), z.truth.vectors())
	}
}

// draw makes vectors of one kind.
type draw func(r *rand.Rand, dim int) []float32

func gauss(r *rand.Rand, dim int) []float32 {
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return orOne(v)
}

// orOne makes sure that a vector isn't zero.
func orOne(v []float32) []float32 {
	if largest(v) == 0 {
		v[0] = 1
	}
	return v
}

// scaled multiplies the values of a draw by a power of two.
func scaled(d draw, exp int) draw {
	return func(r *rand.Rand, dim int) []float32 {
		v := d(r, dim)
		for i := range v {
			v[i] = float32(math.Ldexp(float64(v[i]), exp))
		}
		return orOne(v)
	}
}

// around draws near one of a few centres, by an amount.
func around(centres int, amount float64) draw {
	return func(r *rand.Rand, dim int) []float32 {
		v := gauss(rand.New(rand.NewPCG(uint64(r.IntN(centres)), 3)), dim)
		for i := range v {
			v[i] += float32(amount * r.NormFloat64())
		}
		return orOne(v)
	}
}

// kinds are the distributions that searches must get right.
var kinds = []struct {
	name string
	draw draw
}{
	{"gauss", gauss},
	{"clustered", around(5, 0.2)},
	{"close", around(3, 1e-3)},
	{"closerThanBounds", around(2, 1e-7)},
	{"duplicates", around(4, 0)},
	{"same", around(1, 0)},
	{"oneHot", func(r *rand.Rand, dim int) []float32 {
		v := make([]float32, dim)
		v[r.IntN(dim)] = float32(r.IntN(2)*2 - 1)
		return v
	}},
	{"signs", func(r *rand.Rand, dim int) []float32 {
		v := make([]float32, dim)
		for i := range v {
			v[i] = float32(r.IntN(3) - 1)
		}
		return orOne(v)
	}},
	{"wide", func(r *rand.Rand, dim int) []float32 {
		v := gauss(r, dim)
		for i := range v {
			v[i] = float32(math.Ldexp(float64(v[i]), -r.IntN(40)))
		}
		return orOne(v)
	}},
	{"subnormal", scaled(gauss, -140)},
	{"huge", scaled(gauss, 124)},
	{"mixed", func(r *rand.Rand, dim int) []float32 {
		switch r.IntN(3) {
		case 0:
			return scaled(gauss, r.IntN(240)-120)(r, dim)
		case 1:
			return around(2, 1e-6)(r, dim)
		}
		return around(9, 0)(r, dim)
	}},
}

// someDocs makes documents of one to three windows, in four scopes.
func someDocs(r *rand.Rand, n, dim int, d draw) []Doc {
	docs := make([]Doc, n)
	for i := range docs {
		docs[i] = Doc{Num: uint64(2*i + 1), Scope: testScopes[r.IntN(len(testScopes))]}
		for range 1 + r.IntN(7)/3 {
			docs[i].Vectors = append(docs[i].Vectors, d(r, dim))
		}
	}
	return docs
}

var testScopes = []string{"", "a", "project:x", "an ünusual scope"}

// filters are of every selectivity.
func filters(r *rand.Rand) []Filter {
	accept := func(m uint64) func(num uint64) (bool, error) {
		return func(num uint64) (bool, error) { return num*0x9E3779B97F4A7C15>>32%m == 0, nil }
	}
	low, high := float32(r.NormFloat64()/4), float32(0.95)
	scope, unknown := testScopes[r.IntN(4)], "nowhere"
	ascending := func(a, b uint64) (bool, error) { return a < b, nil }
	return []Filter{
		{}, {Scope: &scope}, {Scope: &unknown}, {Accept: accept(2)}, {Accept: accept(20)}, {Accept: accept(1 << 31)},
		{MinScore: &low}, {MinScore: &high, Before: ascending}, {Before: ascending},
		{Scope: &scope, Accept: accept(3), MinScore: &low, Before: ascending},
	}
}
