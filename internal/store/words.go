package store

// This file decides what can be asked of the words of records that were found.

import (
	"context"

	"github.com/contextforge-go/contextforge/bm25"
)

// Words says how the terms of a question occur in records.
type Words struct {
	// Weights has each distinct term's weight in BM25, see bm25.Scorer.Weight.
	Weights []float64
	// TF has the frequencies: a row for each record, of len(Weights) terms and behind
	// them the marks that were asked for.
	TF []uint32
	// Length has the number of terms of each record.
	Length []uint32
	// MarkDF has the number of records of each mark.
	MarkDF []uint64
	// Docs and Tokens are the number of records and their terms.
	Docs, Tokens uint64
}

// Words looks up the terms of a query in records, and marks beside them. The
// statistics behind the weights are those of the one scope that the filter allows, or
// of all records.
func (v *View) Words(ctx context.Context, query string, marks []string, f Filter, nums []uint64) (*Words, error) {
	terms, counts := distinct(v.terms(query))
	all := append(terms, marks...)
	var only *string
	if scope, one := f.scope(); one {
		only = &scope
	}
	index, snap := v.state.index, v.state.snap
	st, err := index.Statistics(ctx, snap, only, all)
	if err != nil {
		return nil, err
	}
	found, err := index.Frequencies(ctx, snap, all, nums)
	if err != nil {
		return nil, err
	}
	scorer := bm25.NewScorer(v.s.opts.Index.Params, st.Docs, st.Tokens)
	w := &Words{Weights: make([]float64, len(terms)), TF: found.TF, Length: found.Length, MarkDF: st.DF[len(terms):], Docs: st.Docs, Tokens: st.Tokens}
	for i, n := range counts {
		w.Weights[i] = scorer.Weight(n, st.DF[i])
	}
	return w, nil
}

// distinct returns each term once, in order of first appearance, and how often it
// was there.
func distinct(terms []string) (once []string, counts []int) {
	place := make(map[string]int, len(terms))
	for _, term := range terms {
		i, seen := place[term]
		if !seen {
			i = len(once)
			place[term] = i
			once, counts = append(once, term), append(counts, 0)
		}
		counts[i]++
	}
	return once, counts
}
