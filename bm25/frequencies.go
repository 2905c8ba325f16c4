// This file decides how a caller that scores documents by itself learns how
// often terms occur in them: one pass through each term's list, decoding only
// the blocks with documents that are asked for.

package bm25

import (
	"context"
	"fmt"
	"slices"

	"github.com/contextforge-go/contextforge/kv"
)

// Frequencies tells how often terms occur in documents; see View.Frequencies.
type Frequencies struct {
	// TF has a row for each document, in the order asked for, with the
	// frequency of each term in it, 0 if it doesn't have the term.
	TF []uint32
	// Length is the length of each document, 0 if it isn't known.
	Length []uint32
	// Known tells whether the index holds the document; a deleted one is
	// unknown.
	Known []bool
}

// Row returns the frequencies of document i, by term.
func (f *Frequencies) Row(i int) []uint32 {
	n := len(f.TF) / max(1, len(f.Known))
	return f.TF[i*n : (i+1)*n : (i+1)*n]
}

// Frequencies returns how often each of the terms occurs in each of the
// documents, and the documents' lengths. Numbers may come in any order and
// repeat; ascending ones are fastest. Unknown documents get zeros. r is the
// snapshot that belongs to the view.
func (v *View) Frequencies(ctx context.Context, r kv.Reader, terms []string, nums []uint64) (*Frequencies, error) {
	if err := v.ready(ctx); err != nil {
		return nil, err
	}
	cells := len(nums) * len(terms)
	ints := make([]uint32, cells+len(nums))
	f := &Frequencies{TF: ints[:cells:cells], Length: ints[cells:], Known: make([]bool, len(nums))}
	q := &query{view: v, r: r, filter: &Filter{}, scratch: v.ix.borrow()}
	defer v.ix.giveBack(q.scratch)
	wanted, err := q.locate(nums)
	if err != nil {
		return nil, err
	}
	for from := 0; from < len(wanted); {
		end := from
		for end < len(wanted) && wanted[end].part == wanted[from].part {
			end++
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := q.countAll(terms, wanted[from:end], f); err != nil {
			return nil, err
		}
		from = end
	}
	return f, nil
}

// countAll fills in the rows of documents of one part, ascending.
func (q *query) countAll(terms []string, wanted []wantedDoc, f *Frequencies) error {
	part := wanted[0].part
	if part == len(q.view.set.segs) {
		q.countTail(terms, wanted, f)
		return nil
	}
	seg := q.view.set.segs[part]
	core, err := seg.getCore(q.r)
	if err != nil {
		return err
	}
	for _, w := range wanted {
		f.Length[w.at], f.Known[w.at] = core.lens[w.local], true
	}
	for t, term := range terms {
		stats, err := q.view.set.stats(q.r, term)
		if err != nil {
			return err
		}
		if stats.infos[part] == nil {
			continue
		}
		l := &q.scratch.cursor(0).look
		l.reset(q.r, seg, stats.infos[part])
		for _, w := range wanted {
			tf1, ok, err := l.find(w.local)
			if err != nil {
				return fmt.Errorf("bm25: frequencies in segment %d: %w", seg.id, err)
			}
			if ok {
				f.TF[w.at*len(terms)+t] = tf1 + 1
			}
		}
	}
	return nil
}

func (q *query) countTail(terms []string, wanted []wantedDoc, f *Frequencies) {
	for _, w := range wanted {
		f.Length[w.at], f.Known[w.at] = q.view.tail.docs[w.local].Vector.Length, true
	}
	for t, term := range terms {
		docs, tfs := q.view.tail.list(term)
		for _, w := range wanted {
			if i, ok := slices.BinarySearch(docs, w.local); ok {
				f.TF[w.at*len(terms)+t] = tfs[i]
			}
		}
	}
}
