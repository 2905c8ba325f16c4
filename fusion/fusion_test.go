// Tables for each rule, the case of a candidate in both lists, and random lists
// against a plain oracle.

package fusion

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"testing"
)

var (
	nan = math.NaN()
	inf = math.Inf(1)
)

// list gives the ids descending scores.
func list(ids ...string) List[string] {
	l := make(List[string], len(ids))
	for i, id := range ids {
		l[i] = Scored[string]{id, 10 - float64(i)}
	}
	return l
}

func ids(candidates []Candidate[string]) []string {
	out := []string{}
	for _, c := range candidates {
		out = append(out, c.ID)
	}
	return out
}

func find(t *testing.T, candidates []Candidate[string], id string) Candidate[string] {
	t.Helper()
	for _, c := range candidates {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("no candidate %q", id)
	return Candidate[string]{}
}

// P26: a candidate that both lists hold beats those that one list ranks higher.
// The published rule adds nothing for an absent candidate; the reference's adds
// 1/(60 + limit + 1), on purpose, and both put Y first here.
func TestP26AbsentRank(t *testing.T) {
	dense, sparse := list("X", "a", "Y"), list("b", "c", "Y")
	tests := []struct {
		name   string
		rule   Rule
		order  []string
		first  float64
		second float64
	}{
		{"published", RRF{}, []string{"Y", "X", "b", "a", "c"}, 2.0 / 63, 1.0 / 61},
		{"reference", ReferenceRRF(50), []string{"Y", "X", "b", "a", "c"}, 2.0 / 63, 1.0/61 + 1.0/111},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Fuse(tt.rule, dense, sparse)
			if !slices.Equal(ids(got), tt.order) {
				t.Errorf("order %v, want %v", ids(got), tt.order)
			}
			if math.Abs(got[0].Score-tt.first) > 1e-17 || math.Abs(got[1].Score-tt.second) > 1e-17 {
				t.Errorf("scores %v, %v, want %v, %v", got[0].Score, got[1].Score, tt.first, tt.second)
			}
		})
	}
}

// The two rules part where a candidate stands deep in both lists: the
// reference's prefers the top of one list.
func TestP26RulesDiffer(t *testing.T) {
	var a, b List[int]
	for rank := 1; rank <= 50; rank++ {
		a = append(a, Scored[int]{rank, 100 - float64(rank)})
		b = append(b, Scored[int]{1000 + rank, 100 - float64(rank)})
	}
	a[24].ID, b[24].ID = 7777, 7777
	if got := Fuse(RRF{}, a, b)[0].ID; got != 7777 {
		t.Errorf("published rule: first is %d, want the one in both", got)
	}
	got := Fuse(ReferenceRRF(50), a, b)
	if got[0].ID != 1 || got[1].ID != 1001 {
		t.Errorf("reference rule: first are %d, %d, want 1, 1001", got[0].ID, got[1].ID)
	}
	if s := got[0].Score; math.Abs(s-0.025402451) > 1e-9 {
		t.Errorf("reference rule: score %v of a first place in one list", s)
	}
}

// The reference's figures: one list, every candidate absent from the other.
func TestReferenceSingleList(t *testing.T) {
	var l List[int]
	for rank := range 50 {
		l = append(l, Scored[int]{rank, float64(-rank)})
	}
	got := Fuse(ReferenceRRF(50), l, nil)
	want := map[int]float64{0: 0.025402, 1: 0.025138, 49: 0.018100}
	for i, c := range got {
		exact := new(big.Rat).Add(big.NewRat(1, int64(61+i)), big.NewRat(1, 111))
		value, _ := exact.Float64()
		if math.Abs(c.Score/value-1) > 1e-15 {
			t.Errorf("rank %d scores %v, want %v", i+1, c.Score, value)
		}
		if w, ok := want[i]; ok && math.Abs(c.Score-w) > 1e-6 {
			t.Errorf("rank %d scores %v, want about %v", i+1, c.Score, w)
		}
		if c.ID != i || c.Legs[0].Rank != i+1 || c.Legs[1] != (Leg{}) {
			t.Errorf("place %d holds %+v", i, c)
		}
	}
}

func TestUnionLegs(t *testing.T) {
	a := List[string]{{"x", 3}, {"bad", nan}, {"y", 2}, {"x", 1}, {"worse", inf}, {"z", -1}}
	b := List[string]{{"z", 0.9}, {"low", -inf}, {"w", 0.8}}
	got := Union(a, nil, b)
	want := []Candidate[string]{
		{ID: "x", Legs: []Leg{{1, 3, true}, {}, {}}},
		{ID: "y", Legs: []Leg{{2, 2, true}, {}, {}}},
		{ID: "z", Legs: []Leg{{3, -1, true}, {}, {1, 0.9, true}}},
		{ID: "w", Legs: []Leg{{}, {}, {2, 0.8, true}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	got[0].Legs = append(got[0].Legs, Leg{Rank: 99})
	if got[1].Legs[0].Rank != 2 {
		t.Error("appending to one candidate's legs changed another's")
	}
}

func TestEmpty(t *testing.T) {
	for _, rule := range []Rule{RRF{}, ReferenceRRF(50), Hybrid(0.3), Convex{}} {
		for _, lists := range [][]List[string]{nil, {nil}, {nil, {}}, {{{"a", nan}}}} {
			if got := Fuse(rule, lists...); len(got) != 0 {
				t.Errorf("%T of %v: %v", rule, lists, got)
			}
		}
	}
}

func TestRRFOptions(t *testing.T) {
	a, b := list("x", "y"), list("y")
	tests := []struct {
		name string
		rule RRF
		x, y float64
	}{
		{"default", RRF{}, 1.0 / 61, 1.0/62 + 1.0/61},
		{"k 10", RRF{K: 10}, 1.0 / 11, 1.0/12 + 1.0/11},
		{"k negative", RRF{K: -1}, 1.0 / 61, 1.0/62 + 1.0/61},
		{"k NaN", RRF{K: nan}, 1.0 / 61, 1.0/62 + 1.0/61},
		{"k infinite", RRF{K: inf}, 1.0 / 61, 1.0/62 + 1.0/61},
		{"absent rank", RRF{AbsentRank: 51}, 1.0/61 + 1.0/111, 1.0/62 + 1.0/61},
		{"negative absent rank", RRF{AbsentRank: -3}, 1.0 / 61, 1.0/62 + 1.0/61},
		{"weights", RRF{Weights: []float64{2, 3}}, 2.0 / 61, 2.0/62 + 3.0/61},
		{"missing weight", RRF{Weights: []float64{2}}, 2.0 / 61, 2.0/62 + 1.0/61},
		{"bad weights", RRF{Weights: []float64{nan, -1}}, 0, 0},
		{"infinite weight", RRF{Weights: []float64{inf}}, 0, 1.0 / 61},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Fuse(tt.rule, a, b)
			if x, y := find(t, got, "x").Score, find(t, got, "y").Score; math.Abs(x-tt.x) > 1e-16 || math.Abs(y-tt.y) > 1e-16 {
				t.Errorf("x %v, y %v, want %v, %v", x, y, tt.x, tt.y)
			}
		})
	}
}

func TestConvex(t *testing.T) {
	lexical := List[string]{{"a", 8}, {"b", 4}, {"c", 2}}
	dense := List[string]{{"c", 0.5}, {"a", 0}, {"d", -0.25}}
	tests := []struct {
		name  string
		rule  Convex
		lists []List[string]
		want  map[string]float64
	}{
		{"hybrid", Hybrid(0.3), []List[string]{lexical, dense}, map[string]float64{
			"a": 0.3 + 0.7/1.5, "b": 0.15, "c": 0.075 + 0.7, "d": 0.7 * 0.75 / 1.5}},
		{"lexical alone", Hybrid(0.3), []List[string]{lexical, nil}, map[string]float64{"a": 1, "b": 0.5, "c": 0.25}},
		{"dense alone", Hybrid(0.3), []List[string]{nil, dense}, map[string]float64{"c": 1, "a": 1 / 1.5, "d": 0.5}},
		{"min-max", Convex{Norms: []Norm{MinMax(), MinMax()}}, []List[string]{lexical, dense}, map[string]float64{
			"a": 0.5 + 0.25/0.75/2, "b": 2.0 / 6 / 2, "c": 0.5, "d": 0}},
		{"min-max of one", Convex{Norms: []Norm{MinMax()}}, []List[string]{{{"a", 5}}}, map[string]float64{"a": 1}},
		{"all at the minimum", Hybrid(0.5), []List[string]{{{"a", 0}}, {{"b", -1}}}, map[string]float64{"a": 0, "b": 0}},
		{"below the minimum", Hybrid(1), []List[string]{{{"a", 2}, {"b", -2}}}, map[string]float64{"a": 1, "b": 0}},
		{"all below the minimum", Convex{}, []List[string]{{{"a", -2}}}, map[string]float64{"a": 0}},
		{"weights scaled", Convex{Weights: []float64{2, 6}}, []List[string]{{{"a", 1}}, {{"b", 1}}}, map[string]float64{"a": 0.25, "b": 0.75}},
		{"weights all bad", Convex{Weights: []float64{nan, -1}}, []List[string]{{{"a", 1}}, {{"b", 1}}}, map[string]float64{"a": 0.5, "b": 0.5}},
		{"the only list has weight 0", Hybrid(0), []List[string]{{{"a", 4}, {"b", 1}}, nil}, map[string]float64{"a": 1, "b": 0.25}},
		{"bad minimum", Convex{Norms: []Norm{TheoreticalMin(nan)}}, []List[string]{{{"a", 4}, {"b", 1}}}, map[string]float64{"a": 1, "b": 0.25}},
		{"ends of the range", Convex{Norms: []Norm{MinMax()}}, []List[string]{{{"a", math.MaxFloat64}, {"b", 0}, {"c", -math.MaxFloat64}}},
			map[string]float64{"a": 1, "b": 0.5, "c": 0}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Fuse(tt.rule, tt.lists...)
			if len(got) != len(tt.want) {
				t.Fatalf("%d candidates, want %d", len(got), len(tt.want))
			}
			for _, c := range got {
				if math.Abs(c.Score-tt.want[c.ID]) > 1e-15 {
					t.Errorf("%s scores %v, want %v", c.ID, c.Score, tt.want[c.ID])
				}
			}
		})
	}
}

func TestHybridShare(t *testing.T) {
	for share, want := range map[float64][]float64{0.3: {0.3, 0.7}, -1: {0, 1}, 7: {1, 0}, inf: {1, 0}} {
		if got := Hybrid(share).Weights; !slices.Equal(got, want) {
			t.Errorf("Hybrid(%v) has weights %v, want %v", share, got, want)
		}
	}
	if got := Hybrid(nan).Weights; !slices.Equal(got, []float64{0.3, 0.7}) {
		t.Errorf("Hybrid(NaN) has weights %v", got)
	}
}

// A looked-up score counts under Convex and changes nothing under RRF.
func TestLookedUpScores(t *testing.T) {
	candidates := Union(List[string]{{"a", 4}}, List[string]{{"b", 0.5}})
	candidates[1].Legs[0] = Leg{Score: 2, Known: true}
	candidates[0].Legs[1] = Leg{Score: nan, Known: true}
	Score(Hybrid(0.5), candidates)
	if a, b := candidates[0].Score, candidates[1].Score; a != 0.5 || b != 0.75 {
		t.Errorf("convex scores %v, %v, want 0.5, 0.75", a, b)
	}
	Score(RRF{}, candidates)
	if a, b := candidates[0].Score, candidates[1].Score; a != 1.0/61 || b != 1.0/61 {
		t.Errorf("ranks: %v, %v, want 1/61 both", a, b)
	}
	Sort(candidates)
	if candidates[0].ID != "a" {
		t.Error("equal scores are not in the order of ids")
	}
}

// oracle is the reference rule written as its definition says.
func oracle(lists []List[int], k, absent float64) []Candidate[int] {
	scores := map[int]float64{}
	for _, l := range lists {
		for _, item := range l {
			if !math.IsNaN(item.Score) && !math.IsInf(item.Score, 0) {
				scores[item.ID] = 0
			}
		}
	}
	out := []Candidate[int]{}
	for id := range scores {
		sum := 0.0
		for _, l := range lists {
			rank, seen := absent, map[int]bool{}
			for _, item := range l {
				if math.IsNaN(item.Score) || math.IsInf(item.Score, 0) || seen[item.ID] {
					continue
				}
				seen[item.ID] = true
				if item.ID == id {
					rank = float64(len(seen))
				}
			}
			sum += 1 / (k + rank)
		}
		out = append(out, Candidate[int]{ID: id, Score: sum})
	}
	slices.SortFunc(out, func(a, b Candidate[int]) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	return out
}

func randomLists(r *rand.Rand) []List[int] {
	lists := make([]List[int], r.IntN(4))
	for i := range lists {
		for range r.IntN(30) {
			score := r.NormFloat64()
			switch r.IntN(20) {
			case 0:
				score = nan
			case 1:
				score = inf
			}
			lists[i] = append(lists[i], Scored[int]{r.IntN(40), score})
		}
	}
	return lists
}

func TestRandomAgainstOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 1))
	for range 2000 {
		lists := randomLists(r)
		got, want := Fuse(ReferenceRRF(50), lists...), oracle(lists, 60, 51)
		if len(got) != len(want) {
			t.Fatalf("%d candidates, want %d", len(got), len(want))
		}
		for i := range got {
			if got[i].ID != want[i].ID || got[i].Score != want[i].Score {
				t.Fatalf("place %d: %d %v, want %d %v\n%v", i, got[i].ID, got[i].Score, want[i].ID, want[i].Score, lists)
			}
		}
	}
}

// Whatever the lists hold, convex scores lie in [0, 1], the order is total, and
// a second run yields the same bits.
func TestConvexProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 2))
	for range 2000 {
		lists := randomLists(r)
		rule := Convex{Weights: []float64{r.Float64(), r.Float64() * 1e300, r.NormFloat64()}, Norms: []Norm{MinMax(), TheoreticalMin(-2)}}
		got := Fuse(rule, lists...)
		for i, c := range got {
			if !(c.Score >= 0 && c.Score <= 1+1e-15) {
				t.Fatalf("score %v of %v", c.Score, lists)
			}
			if i > 0 && (got[i-1].Score < c.Score || got[i-1].Score == c.Score && got[i-1].ID >= c.ID) {
				t.Fatalf("places %d and %d are out of order", i-1, i)
			}
		}
		if again := Fuse(rule, lists...); !reflect.DeepEqual(got, again) {
			t.Fatal("two runs differ")
		}
	}
}

// A ranking with its legs and bits, fixed: a platform that differs fails.
func TestGoldenRanking(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 3))
	h := fnv.New64a()
	for range 500 {
		lists := randomLists(r)
		for _, rule := range []Rule{RRF{Weights: []float64{0.7, 1.9}}, ReferenceRRF(50), Hybrid(0.3), Convex{Norms: []Norm{MinMax(), MinMax()}}} {
			for _, c := range Fuse(rule, lists...) {
				fmt.Fprintf(h, "%d %x %v\n", c.ID, math.Float64bits(c.Score), c.Legs)
			}
		}
	}
	if got, want := fmt.Sprintf("%016x", h.Sum64()), "736c27f1c6817877"; got != want {
		t.Errorf("hash of 2,000 rankings is %s, want %s", got, want)
	}
}

func benchmarkLists(n int) (a, b List[uint64]) {
	r := rand.New(rand.NewPCG(1, 1))
	for i := range n {
		a = append(a, Scored[uint64]{r.Uint64N(uint64(3 * n)), 20 - float64(i)/float64(n)})
		b = append(b, Scored[uint64]{r.Uint64N(uint64(3 * n)), 0.9 - 0.5*float64(i)/float64(n)})
	}
	return a, b
}

func BenchmarkRRF(b *testing.B) {
	for _, n := range []int{50, 1000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) { benchmarkFuse(b, ReferenceRRF(50), n) })
	}
}

func BenchmarkConvex(b *testing.B) {
	for _, n := range []int{50, 1000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) { benchmarkFuse(b, Hybrid(0.3), n) })
	}
}

func benchmarkFuse(b *testing.B, rule Rule, n int) {
	x, y := benchmarkLists(n)
	b.ReportAllocs()
	for b.Loop() {
		if len(Fuse(rule, x, y)) == 0 {
			b.Fatal("no candidates")
		}
	}
}
