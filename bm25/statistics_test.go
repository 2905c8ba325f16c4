// This file decides whether a caller can score by itself: frequencies, a
// scope's statistics and the formula, compared with the oracle.

package bm25

import (
	"fmt"
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
	if len(f.TF) != len(terms)*len(nums) || len(f.Length) != len(nums) || len(f.Known) != len(nums) {
		t.Fatalf("%s: %d frequencies, %d lengths, %d known of %d terms in %d documents", what, len(f.TF), len(f.Length), len(f.Known), len(terms), len(nums))
	}
	for i, num := range nums {
		row, length, at := make([]uint32, len(terms)), uint32(0), truth.find(num)
		if at >= 0 {
			length = truth.docs[at].Vector.Length
			for k, term := range terms {
				row[k] = tfOf(&truth.docs[at], term)
			}
		}
		if f.Known[i] != (at >= 0) || f.Length[i] != length || !slices.Equal(f.Row(i), row) {
			t.Fatalf("%s: document %d: %t, length %d, %q occur %d times; want %t, %d, %d", what, num, f.Known[i], f.Length[i], terms, f.Row(i), at >= 0, length, row)
		}
	}
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
	part := truth.only(scope)
	want := Statistics{Docs: uint64(len(part.docs)), Tokens: part.tokens()}
	for _, term := range terms {
		want.DF = append(want.DF, part.df(term))
	}
	if got.Docs != want.Docs || got.Tokens != want.Tokens || !slices.Equal(got.DF, want.DF) {
		name := "all scopes"
		if scope != nil {
			name = fmt.Sprintf("scope %q", *scope)
		}
		t.Fatalf("%s: statistics of %s for %q: %+v, want %+v", what, name, terms, got, want)
	}
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
