// This file decides whether scores of given documents and the distribution of all
// are right: compared with codes and sums that are made one number at a time.

package vecindex

import (
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/contextforge-go/contextforge/internal/simd"
)

// codesOf divides a vector's values by the greatest of them over so much, and rounds.
func codesOf(unit []float32, most float64) (codes []int64, scale float32) {
	greatest := 0.0
	for _, v := range unit {
		greatest = max(greatest, math.Abs(float64(v)))
	}
	scale = float32(greatest / most)
	for _, v := range unit {
		codes = append(codes, int64(max(-most, min(most, math.Round(float64(v)/float64(scale))))))
	}
	return codes, scale
}

// approximate is the score of a vector by its code.
func (o oracle) approximate(query, unit []float32) float32 {
	q, step := codesOf(unitOf(query), min(32767, math.Floor((1<<31-1)/float64(127*len(query)))))
	c, scale := codesOf(unit, 127)
	sum := int64(0)
	for i := range q {
		sum += q[i] * c[i]
	}
	product := float32(sum) * step
	return product * scale
}

// scores returns what Scores or Approximate have to answer.
func (o oracle) scores(nums []uint64, score func(unit []float32) float32) (scores []float32, known []bool) {
	scores, known = make([]float32, len(nums)), make([]bool, len(nums))
	for i, num := range nums {
		if d := o[num]; d != nil {
			known[i], scores[i] = true, float32(math.Inf(-1))
			for _, u := range d.units {
				scores[i] = max(scores[i], score(u))
			}
		}
	}
	return scores, known
}

// distribution counts documents in big numbers.
func (o oracle) distribution(query []float32, scope *string, most int) Distribution {
	in := func(places uint) (nums []uint64) {
		for _, num := range o.nums() {
			if (scope == nil || *scope == o[num].scope) && (places >= 64 || num*0x9E3779B97F4A7C15>>places == 0) {
				nums = append(nums, num)
			}
		}
		return nums
	}
	places := uint(64)
	for len(in(places)) > most {
		places--
	}
	nums := in(places)
	n := int64(len(nums))
	if n == 0 {
		return Distribution{}
	}
	sum, squares := new(big.Int), new(big.Int)
	var scores []*big.Int
	for _, num := range nums {
		x := big.NewInt(int64(o.approximate(query, o[num].units[0]) * (1 << 24)))
		scores = append(scores, x)
		sum.Add(sum, x)
	}
	middle := new(big.Int).Quo(sum, big.NewInt(n))
	for _, x := range scores {
		d := new(big.Int).Sub(x, middle)
		squares.Add(squares, d.Mul(d, d))
	}
	return Distribution{int(n), float64(sum.Int64()) / float64(n) / (1 << 24), math.Sqrt(float64(squares.Int64())/float64(n)) / (1 << 24)}
}

// lookups compares scores of documents with the truth: some runs of numbers, some
// that are no documents, some twice.
func (f *fixture) lookups(z *frozen, r *rand.Rand, query []float32) {
	f.Helper()
	var nums []uint64
	for range r.IntN(6) {
		first := uint64(r.IntN(400))
		for i := range uint64(1 + r.IntN(9)) {
			nums = append(nums, first+i*uint64(r.IntN(3)))
		}
	}
	nums = append(nums, r.Uint64(), math.MaxUint64)
	if r.IntN(2) == 0 {
		slices.Sort(nums)
	}
	q := unitOf(query)
	want, wantKnown := z.truth.scores(nums, func(unit []float32) float32 { return simd.Dot(q, unit) })
	got, known, err := z.v.Scores(ctx, z.snap, query, nums)
	f.must(err)
	if !slices.Equal(got, want) || !slices.Equal(known, wantKnown) {
		f.Fatalf("scores of %v: %v %v, want %v %v", nums, got, known, want, wantKnown)
	}
	want, _ = z.truth.scores(nums, func(unit []float32) float32 { return z.truth.approximate(query, unit) })
	got, known, err = z.v.Approximate(ctx, z.snap, query, nums)
	f.must(err)
	if !slices.Equal(got, want) || !slices.Equal(known, wantKnown) {
		f.Fatalf("approximate scores of %v: %v %v, want %v %v", nums, got, known, want, wantKnown)
	}
}

// survey compares a Survey with the truth.
func (f *fixture) survey(z *frozen, query []float32, filter Filter, limit int) {
	f.Helper()
	got, dist, err := z.v.Survey(ctx, z.snap, query, filter, limit)
	f.must(err)
	if want := z.truth.search(query, filter, limit); !slices.Equal(got, want) {
		f.Fatalf("limit %d of %d documents:\n%s", limit, len(z.truth), difference(got, want))
	}
	if want := z.truth.distribution(query, filter.Scope, maxSample); dist != want {
		f.Fatalf("%+v, want %+v", dist, want)
	}
}

// A table whose rows don't ascend, with dead ones between.
func TestLookupsOutOfOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for _, maxResident := range maxResidents {
		f := newFixture(t, nil, Options{tuning: small, MaxResident: maxResident})
		f.must(f.ix.Load(ctx, f.store, f.ix.View()))
		docs := someDocs(r, 200, 12, gauss)
		r.Shuffle(len(docs), func(a, b int) { docs[a], docs[b] = docs[b], docs[a] })
		var old []*frozen
		for i, d := range docs {
			f.addDocs(d)
			if i%7 == 0 {
				f.remove(docs[r.IntN(i+1)].Num)
			}
			if i%50 == 0 {
				old = append(old, f.freeze())
			}
		}
		for range 40 {
			query := gauss(r, 12)
			for _, z := range append(old, f.freeze()) {
				f.lookups(z, r, query)
			}
		}
	}
}

// Every document by itself, in a table of exactly so many rows.
func TestLookupsAtBorders(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 44))
	for n := range 20 {
		f := newFixture(t, nil, Options{tuning: small})
		f.addDocs(someDocs(r, n, 5, gauss)...)
		z := f.freeze()
		f.must(f.ix.Load(ctx, z.snap, z.v))
		for num := range uint64(2*n + 3) {
			for other := range uint64(2*n + 3) {
				nums, query := []uint64{num, other}, gauss(r, 5)
				if n == 0 {
					continue
				}
				want, _ := z.truth.scores(nums, func(unit []float32) float32 { return z.truth.approximate(query, unit) })
				got, _, err := z.v.Approximate(ctx, z.snap, query, nums)
				f.must(err)
				if !slices.Equal(got, want) {
					t.Fatalf("%d documents, %d and %d: %v, want %v", n, num, other, got, want)
				}
			}
		}
	}
}

func TestApproximateErrors(t *testing.T) {
	f := newFixture(t, nil, Options{})
	if s, known, err := f.ix.View().Approximate(ctx, f.store, []float32{1}, []uint64{3}); err != nil || s[0] != 0 || known[0] {
		t.Errorf("empty index: %v %v %v", s, known, err)
	}
	f.addDocs(Doc{Num: 3, Vectors: [][]float32{{1, 2}}})
	for _, test := range []struct {
		vector []float32
		want   error
	}{{nil, ErrDimension}, {[]float32{1}, ErrDimension}, {[]float32{0, 0}, ErrZero}, {[]float32{1, float32(math.NaN())}, ErrNotFinite}} {
		if _, _, err := f.ix.View().Approximate(ctx, f.store, test.vector, []uint64{3}); !errors.Is(err, test.want) {
			t.Errorf("%v: %v, want %v", test.vector, err, test.want)
		}
		if _, _, err := f.ix.View().Survey(ctx, f.store, test.vector, Filter{}, 3); !errors.Is(err, test.want) {
			t.Errorf("survey %v: %v, want %v", test.vector, err, test.want)
		}
	}
}

// What is more than a sample: of each scope the part that its documents tell.
func TestSurveySamples(t *testing.T) {
	r := rand.New(rand.NewPCG(45, 46))
	for _, stride := range []uint64{1, 2, 256, 1 << 40, 0x9E3779B97F4A7C15} {
		f := newFixture(t, nil, Options{Parallelism: 3, MaxResident: 40_000})
		tx := f.ix.Begin()
		for i := range uint64(6000) {
			scope := "a"
			if i%3 == 0 {
				scope = "b"
			}
			d := Doc{Num: i * stride, Scope: scope, Vectors: [][]float32{gauss(r, 4)}}
			f.must(tx.Add(d))
			f.truth.add(d)
		}
		f.commit(tx)
		z := f.freeze()
		for _, scope := range []*string{nil, ptr("a"), ptr("b"), ptr("nowhere")} {
			f.survey(z, gauss(r, 4), Filter{Scope: scope}, 10)
		}
	}
}

func ptr[T any](v T) *T { return &v }

// The same documents give the same distribution, whatever came before them, and
// however much of it is in memory.
func TestSurveySameHoweverMade(t *testing.T) {
	r := rand.New(rand.NewPCG(47, 48))
	docs, query := someDocs(r, 3000, 8, around(4, 1)), gauss(r, 8)
	var want Distribution
	for i, opts := range []Options{{}, {Parallelism: 4, tuning: small}, {MaxResident: 1}, {MaxResident: 9000}} {
		f := newFixture(t, nil, opts)
		shuffled := slices.Clone(docs)
		if i > 0 {
			r.Shuffle(len(shuffled), func(a, b int) { shuffled[a], shuffled[b] = shuffled[b], shuffled[a] })
			f.addDocs(someDocs(r, 2500, 8, gauss)...)
			f.must(f.ix.Load(ctx, f.store, f.ix.View()))
			f.remove(f.truth.nums()...)
		}
		for part := range slices.Chunk(shuffled, 500) {
			f.addDocs(part...)
		}
		z := f.freeze()
		_, got, err := z.v.Survey(ctx, z.snap, query, Filter{}, 5)
		f.must(err)
		if i == 0 {
			want = got
		}
		if got != want || got.N < 500 || got.N > maxSample {
			t.Errorf("way %d: %+v, want %+v", i, got, want)
		}
	}
}

func TestSurveyOfKnownScores(t *testing.T) {
	f := newFixture(t, nil, Options{})
	for i, x := range []float32{1, 0, -1, 0} { // by their first windows
		f.addDocs(Doc{Num: uint64(i), Vectors: [][]float32{{x, 1 - x*x}, {1, 0}}})
	}
	for _, limit := range []int{0, 2, -1} {
		hits, d, err := f.ix.View().Survey(ctx, f.store, []float32{2, 0}, Filter{Accept: func(uint64) (bool, error) { return false, nil }}, limit)
		if err != nil || len(hits) != 0 {
			t.Fatalf("%v, %v", hits, err)
		}
		if d.N != 4 || math.Abs(d.Mean) > 1e-3 || math.Abs(d.Deviation-math.Sqrt(0.5)) > 1e-3 {
			t.Errorf("limit %d: %+v", limit, d)
		}
	}
	empty := newFixture(t, nil, Options{})
	if hits, d, err := empty.ix.View().Survey(ctx, empty.store, []float32{1}, Filter{}, 4); len(hits) > 0 || d != (Distribution{}) || err != nil {
		t.Errorf("empty index: %v, %+v, %v", hits, d, err)
	}
}
