// This file decides whether searches are exact: every distribution, dimension,
// kernel, limit and filter against the oracle.

package vecindex

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/internal/simd"
)

// difference says where two answers part.
func difference(got, want []Hit) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Sprintf("hit %d is %+v, want %+v", i, got[i], want[i])
		}
	}
	return fmt.Sprintf("%d hits, want %d", len(got), len(want))
}

func TestSearchEqualsBruteForce(t *testing.T) {
	dims := []int{1, 2, 3, 7, 16, 17, 31, 32, 33, 64, 100, 384, 385, 1024}
	for _, kind := range kinds {
		t.Run(kind.name, func(t *testing.T) {
			t.Parallel()
			for i, dim := range dims {
				if testing.Short() && i%2 == 1 {
					continue
				}
				r := rand.New(rand.NewPCG(uint64(dim), 1))
				f := newFixture(t, nil, Options{tuning: small, Parallelism: 1 + r.IntN(3), MaxResident: maxResidents[i%len(maxResidents)]})
				f.addDocs(someDocs(r, 40+r.IntN(60), dim, kind.draw)...)
				f.reopen()
				compareAll(f, r, kind.draw, dim)
			}
		})
	}
}

// maxResidents hold nothing, little, something, and everything.
var maxResidents = []int64{-1, 1, 3000, 20000, 0}

// compareAll searches with all filters and several limits.
func compareAll(f *fixture, r *rand.Rand, d draw, dim int) {
	f.Helper()
	z := f.freeze()
	for range 2 {
		query := d(r, dim)
		for _, filter := range filters(r) {
			for _, limit := range []int{0, 1, 2, 10, len(f.truth) / 2, len(f.truth), len(f.truth) + 5, -1} {
				f.compare(z, query, filter, limit)
			}
		}
	}
}

func TestSearchWithEveryKernel(t *testing.T) {
	for _, name := range simd.Available() {
		t.Run(name, func(t *testing.T) {
			k, err := simd.Select(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, dim := range []int{5, 48, 384, 400} {
				r := rand.New(rand.NewPCG(9, uint64(dim)))
				f := newFixture(t, nil, Options{Kernels: k})
				f.addDocs(someDocs(r, 300, dim, gauss)...)
				compareAll(f, r, gauss, dim)
			}
		})
	}
}

// Thousands of duplicates: all tie, and the order of ties decides.
func TestSearchManyDuplicates(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	f := newFixture(t, nil, Options{})
	f.addDocs(someDocs(r, 3000, 24, around(2, 0))...)
	for _, limit := range []int{1, 50, 1499, 2999} {
		for _, filter := range filters(r) {
			f.search(around(2, 0)(r, 24), filter, limit)
		}
	}
}

// Scores that rise from row to row make every row a candidate.
func TestSearchAscendingScores(t *testing.T) {
	f := newFixture(t, nil, Options{})
	var docs []Doc
	for i := range 20000 {
		docs = append(docs, Doc{Num: uint64(i), Vectors: [][]float32{{1, 2 - float32(i)/10000}}})
	}
	f.addDocs(docs...)
	f.search([]float32{1, 0}, Filter{}, 10)
	f.search([]float32{1, -1}, Filter{}, 3000)
}

// One document with many windows spread over the rows takes one place.
func TestSearchCountsADocumentOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	f := newFixture(t, nil, Options{tuning: small})
	near := around(1, 1e-4)
	f.addDocs(Doc{Num: 5, Vectors: [][]float32{near(r, 20)}})
	for i := range 60 {
		f.addDocs(Doc{Num: uint64(10 + i), Vectors: [][]float32{gauss(r, 20)}},
			Doc{Num: 5, First: 1 + i, Vectors: [][]float32{near(r, 20)}})
	}
	for _, limit := range []int{1, 2, 5, 30} {
		f.search(near(r, 20), Filter{}, limit)
	}
	f.reopen()
	f.search(near(r, 20), Filter{}, 5)
}

// Case P24: 5,000 entries of another scope are nearer than the five asked for.
func TestP24FilterBeforeTheCut(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	f := newFixture(t, nil, Options{})
	query := gauss(r, 32)
	var docs []Doc
	for i := range 5005 {
		d := Doc{Num: uint64(i), Scope: "A", Vectors: [][]float32{query}}
		if i%1001 == 7 {
			d.Scope, d.Vectors = "B", [][]float32{gauss(r, 32)}
		}
		docs = append(docs, d)
	}
	f.addDocs(docs...)
	scope, asked := "B", 0
	f.search(query, Filter{Scope: &scope}, 5)
	inTime := func(num uint64) (bool, error) { asked++; return num%1001 == 7, nil }
	f.search(query, Filter{Accept: inTime}, 5)
	f.search(query, Filter{Accept: inTime, Scope: &scope}, 5)
	hits, err := f.ix.View().Search(ctx, f.store, query, Filter{Scope: &scope}, 5)
	if err != nil || len(hits) != 5 {
		t.Errorf("%d hits, %v, want 5", len(hits), err)
	}
}

// Case P25: limits over 4,096, 0, -1, and over the count.
func TestP25LargeLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	f := newFixture(t, nil, Options{})
	var docs []Doc
	for i := range 12000 {
		docs = append(docs, Doc{Num: uint64(i), Vectors: [][]float32{gauss(r, 8)}})
	}
	f.addDocs(docs...)
	for _, test := range []struct{ limit, want int }{{10000, 10000}, {0, 0}, {-1, 12000}, {20000, 12000}, {math.MaxInt, 12000}} {
		hits, err := f.ix.View().Search(ctx, f.store, gauss(r, 8), Filter{}, test.limit)
		if err != nil || len(hits) != test.want {
			t.Errorf("limit %d: %d hits, %v, want %d", test.limit, len(hits), err, test.want)
		}
	}
	f.search(gauss(r, 8), Filter{}, 10000)
}

// Case P23: what is no direction is refused by name, as vector and as query.
func TestP23BadVectors(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	f := newFixture(t, nil, Options{})
	f.addDocs(Doc{Num: 1, Vectors: [][]float32{{1, 2, 3}}})
	for _, test := range []struct {
		vector []float32
		want   error
	}{
		{[]float32{0, 0, 0}, ErrZero},
		{[]float32{0, float32(math.Copysign(0, -1)), 0}, ErrZero},
		{[]float32{nan, 1, 1}, ErrNotFinite},
		{[]float32{1, 1, inf}, ErrNotFinite},
		{[]float32{1, -inf, nan}, ErrNotFinite},
		{[]float32{1, 2}, ErrDimension},
		{[]float32{1, 2, 3, 4}, ErrDimension},
		{nil, ErrDimension},
		{make([]float32, MaxDim+1), ErrDimension},
	} {
		tx := f.ix.Begin()
		if err := tx.Add(Doc{Num: 2, Vectors: [][]float32{{1, 1, 1}, test.vector}}); !errors.Is(err, test.want) {
			t.Errorf("Add %v: %v, want %v", test.vector, err, test.want)
		}
		f.commit(tx)
		if _, err := f.ix.View().Search(ctx, f.store, test.vector, Filter{}, 5); !errors.Is(err, test.want) {
			t.Errorf("Search %v: %v, want %v", test.vector, err, test.want)
		}
		if _, _, err := f.ix.View().Scores(ctx, f.store, test.vector, []uint64{1}); !errors.Is(err, test.want) {
			t.Errorf("Scores %v: %v, want %v", test.vector, err, test.want)
		}
	}
	f.verify(f.freeze())
	f.search([]float32{1, 0, 0}, Filter{}, 5)
}

// The interval must hold the score for every pair.
func TestBoundsHoldTheScore(t *testing.T) {
	for _, kind := range kinds {
		for _, dim := range []int{1, 2, 15, 16, 17, 100, 384, 1024, 5000, MaxDim} {
			r := rand.New(rand.NewPCG(8, uint64(dim)))
			for range min(200, 1+100000/dim) {
				x := kind.draw(r, dim)
				q := newQuery(x, strideOf(dim))
				for _, v := range [][]float32{kind.draw(r, dim), x} {
					checkBounds(t, kind.name, q, v)
				}
			}
		}
	}
}

func checkBounds(t *testing.T, kind string, q *query, x []float32) {
	t.Helper()
	unit := normalize(x)
	codes, scale, residual := quantize(unit)
	product := int64(0)
	for i, c := range codes {
		product += int64(c) * int64(q.codes[i])
	}
	if product != int64(int32(product)) {
		t.Fatalf("%s, %d values: the product is %d", kind, len(x), product)
	}
	lower, upper := q.bounds(int32(product), scale, residual)
	if score := simd.Dot(q.unit, unit); score < lower || score > upper {
		t.Fatalf("%s, %d values: score %v not within %v and %v", kind, len(x), score, lower, upper)
	}
}

func TestSearchReturnsErrorsOfTheFilter(t *testing.T) {
	f := newFixture(t, nil, Options{Parallelism: 4, tuning: small})
	r := rand.New(rand.NewPCG(1, 9))
	f.addDocs(someDocs(r, 200, 6, around(1, 0))...)
	bad := errors.New("bad")
	accept := func(num uint64) (bool, error) { return true, map[bool]error{true: bad}[num == 77] }
	if _, err := f.ix.View().Search(ctx, f.store, gauss(r, 6), Filter{Accept: accept}, 500); !errors.Is(err, bad) {
		t.Errorf("Accept: %v", err)
	}
	before := func(a, b uint64) (bool, error) { return a < b, map[bool]error{true: bad}[a == 77 || b == 77] }
	if _, err := f.ix.View().Search(ctx, f.store, gauss(r, 6), Filter{Before: before}, 500); !errors.Is(err, bad) {
		t.Errorf("Before: %v", err)
	}
}

func TestSearchStopsWithItsContext(t *testing.T) {
	for _, maxResident := range maxResidents {
		f := newFixture(t, nil, Options{Parallelism: 3, tuning: small, MaxResident: maxResident})
		r := rand.New(rand.NewPCG(1, 10))
		f.addDocs(someDocs(r, 300, 6, gauss)...)
		f.reopen()
		for _, loaded := range []bool{false, true} {
			c, cancel := context.WithCancel(ctx)
			accept := func(uint64) (bool, error) { cancel(); return true, nil }
			if loaded {
				f.search(gauss(r, 6), Filter{}, 3)
			} else {
				cancel()
			}
			if _, err := f.ix.View().Search(c, f.store, gauss(r, 6), Filter{Accept: accept}, 500); !errors.Is(err, context.Canceled) {
				t.Errorf("MaxResident %d, loaded %v: %v", maxResident, loaded, err)
			}
			cancel()
		}
	}
}

// Only documents that can still be among the hits cost a question.
func TestFilterIsAskedLittle(t *testing.T) {
	f := newFixture(t, nil, Options{Parallelism: 1})
	r := rand.New(rand.NewPCG(1, 11))
	var docs []Doc
	for i := range 20000 {
		docs = append(docs, Doc{Num: uint64(i), Vectors: [][]float32{gauss(r, 64)}})
	}
	f.addDocs(docs...)
	asked := map[uint64]int{}
	accept := func(num uint64) (bool, error) { asked[num]++; return true, nil }
	if _, err := f.ix.View().Search(ctx, f.store, gauss(r, 64), Filter{Accept: accept}, 50); err != nil {
		t.Fatal(err)
	}
	if len(asked) > 600 {
		t.Errorf("%d of 20000 documents were asked about", len(asked))
	}
	for num, n := range asked {
		if n > 1 {
			t.Errorf("document %d was asked about %d times", num, n)
		}
	}
}

func TestScoresEqualTheSearch(t *testing.T) {
	f := newFixture(t, nil, Options{})
	r := rand.New(rand.NewPCG(1, 12))
	f.addDocs(someDocs(r, 50, 33, gauss)...)
	query := gauss(r, 33)
	hits, err := f.ix.View().Search(ctx, f.store, query, Filter{}, -1)
	f.must(err)
	var nums []uint64
	for _, h := range hits {
		nums = append(nums, h.Num, h.Num+1) // even numbers are no documents
	}
	nums = append(nums, 0, math.MaxUint64, hits[0].Num)
	scores, known, err := f.ix.View().Scores(ctx, f.store, query, nums)
	f.must(err)
	for i, num := range nums {
		want := float32(0)
		if num%2 == 1 && i < 2*len(hits) {
			want = hits[i/2].Score
		} else if i == len(nums)-1 {
			want = hits[0].Score
		}
		if scores[i] != want || known[i] != (want != 0) {
			t.Errorf("document %d: %v, %v, want %v", num, scores[i], known[i], want)
		}
	}
}

func TestOpenRefusesAnEmptyPrefix(t *testing.T) {
	if _, err := Open(newFixture(t, nil, Options{}).store, Options{}); !errors.Is(err, ErrOptions) || !strings.Contains(err.Error(), "prefix") {
		t.Errorf("%v", err)
	}
}
