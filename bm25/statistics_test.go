// This file decides whether a caller can score by itself: frequencies, a
// scope's statistics and the formula, compared with the oracle.

package bm25

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
)

// checkFrequencies asks for random documents, some twice, and terms, some
// unknown.
func (m *model) checkFrequencies(what string, v *View, r kv.Reader, truth *oracle) {
	m.t.Helper()
	var terms []string
	for range m.g.IntN(9) {
		terms = append(terms, m.g.anyTerm())
	}
	nums := make([]uint64, m.g.IntN(60))
	from := m.g.Uint64N(m.next + 1)
	for i := range nums {
		if nums[i] = m.g.Uint64N(m.next + 3); m.g.IntN(2) == 0 {
			nums[i] = from + m.g.Uint64N(20)
		}
	}
	f, err := v.Frequencies(ctx, r, terms, nums)
	if err != nil {
		m.t.Fatalf("%s: frequencies: %v", what, err)
	}
	sameFrequencies(m.t, what, truth, f, terms, nums)
	m.checkFormula(what, v, r, truth, nums)
}

// sameFrequencies compares with the oracle.
func sameFrequencies(t testing.TB, what string, truth *oracle, f *Frequencies, terms []string, nums []uint64) {
	t.Helper()
	want := truth.frequencies(terms, nums)
	for i, num := range nums {
		if f.Known[i] != want.Known[i] || f.Length[i] != want.Length[i] || !slices.Equal(f.Row(i), want.Row(i)) {
			t.Fatalf("%s: document %d: %t, length %d, %q occur %d times; want %t, %d, %d", what, num,
				f.Known[i], f.Length[i], terms, f.Row(i), want.Known[i], want.Length[i], want.Row(i))
		}
	}
	if !reflect.DeepEqual(f, want) {
		t.Fatalf("%s: %d frequencies, %d lengths of %d terms in %d documents", what, len(f.TF), len(f.Length), len(terms), len(nums))
	}
}

func (o *oracle) frequencies(terms []string, nums []uint64) *Frequencies {
	f := &Frequencies{TF: make([]uint32, len(terms)*len(nums)), Length: make([]uint32, len(nums)), Known: make([]bool, len(nums))}
	for i, num := range nums {
		at := o.find(num)
		if at < 0 {
			continue
		}
		f.Length[i], f.Known[i] = o.docs[at].Vector.Length, true
		for k, term := range terms {
			f.TF[i*len(terms)+k] = tfOf(&o.docs[at], term)
		}
	}
	return f
}

// checkFormula scores by hand, with the statistics of the whole index.
func (m *model) checkFormula(what string, v *View, r kv.Reader, truth *oracle, nums []uint64) {
	m.t.Helper()
	query := append(m.g.query(), m.g.anyTerm())
	got := scoreByHand(m.t, v, r, truth.params, nil, query, nums)
	want, _, err := v.Scores(ctx, r, query, nums)
	if err != nil || !slices.Equal(got, want) {
		m.t.Fatalf("%s: scores of %q by hand %v, want %v, %v", what, query, got, want, err)
	}
}

// scoreByHand scores documents with the statistics of a scope.
func scoreByHand(t testing.TB, v *View, r kv.Reader, p Params, scope *string, query []string, nums []uint64) []float64 {
	t.Helper()
	var terms []string
	var counts []int
	for _, q := range distinct(query) {
		terms, counts = append(terms, q.text), append(counts, q.count)
	}
	st, err := v.Statistics(ctx, r, scope, terms)
	if err != nil {
		t.Fatal(err)
	}
	f, err := v.Frequencies(ctx, r, terms, nums)
	if err != nil {
		t.Fatal(err)
	}
	s, scores := NewScorer(p, st.Docs, st.Tokens), make([]float64, len(nums))
	for i := range nums {
		for k, tf := range f.Row(i) {
			scores[i] += float64(s.Weight(counts[k], st.DF[k]) * s.Saturation(tf, f.Length[i]))
		}
	}
	return scores
}

// checkStatistics asks for the statistics of a scope, or of all.
func (m *model) checkStatistics(what string, v *View, r kv.Reader, truth *oracle) {
	m.t.Helper()
	scope := m.g.anyScope()
	var terms []string
	for range m.g.IntN(9) {
		terms = append(terms, m.g.anyTerm())
	}
	got, err := v.Statistics(ctx, r, scope, terms)
	if err != nil {
		m.t.Fatalf("%s: statistics: %v", what, err)
	}
	sameStatistics(m.t, what, truth, got, scope, terms)
}

func sameStatistics(t testing.TB, what string, truth *oracle, got Statistics, scope *string, terms []string) {
	t.Helper()
	if want := truth.statistics(scope, terms); !reflect.DeepEqual(got, want) {
		name := "all scopes"
		if scope != nil {
			name = fmt.Sprintf("scope %q", *scope)
		}
		t.Fatalf("%s: statistics of %s for %q: %+v, want %+v", what, name, terms, got, want)
	}
}

func (o *oracle) statistics(scope *string, terms []string) Statistics {
	part := o.only(scope)
	st := Statistics{Docs: uint64(len(part.docs)), Tokens: part.tokens(), DF: make([]uint64, len(terms))}
	for i, term := range terms {
		st.DF[i] = part.df(term)
	}
	return st
}

// only is the oracle of an index that holds one scope.
func (o *oracle) only(scope *string) *oracle {
	if scope == nil {
		return o
	}
	part := &oracle{params: o.params}
	for _, d := range o.docs {
		if d.Scope == *scope {
			part.docs = append(part.docs, d)
		}
	}
	return part
}
