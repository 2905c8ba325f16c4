// This file decides how a caller that scores documents by itself learns how
// often terms occur in them: one pass through each term's list, decoding only
// the blocks with documents that are asked for.

package bm25

import (
	"context"
	"fmt"
	"math/bits"

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
	q := &query{view: v, r: r, scratch: v.ix.borrow()}
	defer v.ix.giveBack(q.scratch)
	wanted, err := q.locate(nums)
	if err != nil {
		return nil, err
	}
	lists, err := v.lookUp(r, terms)
	if err != nil {
		return nil, err
	}
	wanted, again := distinctDocs(wanted)
	for len(wanted) > 0 {
		end := 1
		for end < len(wanted) && wanted[end].part == wanted[0].part {
			end++
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := q.countAll(terms, lists, wanted[:end], f); err != nil {
			return nil, err
		}
		wanted = wanted[end:]
	}
	for _, a := range again {
		copy(f.Row(int(a[1])), f.Row(int(a[0])))
		f.Length[a[1]], f.Known[a[1]] = f.Length[a[0]], f.Known[a[0]]
	}
	return f, nil
}

// distinctDocs removes repeated documents and returns the places of each: of the
// one that stays, and of its repetition.
func distinctDocs(wanted []wantedDoc) (list []wantedDoc, again [][2]int32) {
	list = wanted[:0]
	for _, w := range wanted {
		if n := len(list); n > 0 && list[n-1].part == w.part && list[n-1].local == w.local {
			again = append(again, [2]int32{list[n-1].at, w.at})
			continue
		}
		list = append(list, w)
	}
	return list, again
}

// countAll fills in the rows of documents of one part, ascending.
func (q *query) countAll(terms []string, lists []*termStats, wanted []wantedDoc, f *Frequencies) error {
	t := tally{docs: wanted, marks: &q.scratch.marked, tf: f.TF, terms: len(terms)}
	t.marks.add(wanted)
	defer t.marks.remove(wanted)
	part := int(wanted[0].part)
	if part == len(q.view.set.segs) {
		for _, w := range wanted {
			f.Length[w.at], f.Known[w.at] = q.view.tail.docs[w.local].Vector.Length, true
		}
		for i, term := range terms {
			docs, tfs := q.view.tail.list(term)
			t.plain(i, docs, tfs)
		}
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
	l := &q.scratch.cursor(0).look
	for i, stats := range lists {
		info := stats.infos[part]
		if info == nil {
			continue
		}
		if info.docs != nil {
			t.plain(i, info.docs, info.tfs)
			continue
		}
		l.reset(q.r, seg, info)
		if err := t.chunked(i, l); err != nil {
			return fmt.Errorf("bm25: frequencies in segment %d: %w", seg.id, err)
		}
	}
	return nil
}

// marks finds documents of one part among those asked for: a bit by local id,
// and by word the number of ones before it. All bits are 0 between uses.
type marks struct {
	words  []uint64
	before []uint32 // right where the word isn't 0
}

// add marks ascending documents.
func (m *marks) add(docs []wantedDoc) {
	if n := int(docs[len(docs)-1].local/64) + 1; n > len(m.words) {
		m.words, m.before = make([]uint64, n), make([]uint32, n)
	}
	for i, d := range docs {
		w := d.local / 64
		if m.words[w] == 0 {
			m.before[w] = uint32(i)
		}
		m.words[w] |= 1 << (d.local % 64)
	}
}

func (m *marks) remove(docs []wantedDoc) {
	for _, d := range docs {
		m.words[d.local/64] = 0
	}
}

// place is the number of marked documents before a marked one.
func (m *marks) place(d uint32) uint32 {
	w := d / 64
	return m.before[w] + uint32(bits.OnesCount64(m.words[w]&(1<<(d%64)-1)))
}

// tally counts terms in the documents of one part.
type tally struct {
	docs  []wantedDoc // ascending
	marks *marks      // of docs
	tf    []uint32
	terms int
}

// set notes the frequency of a term in docs[i].
func (t *tally) set(term int, i uint32, tf uint32) { t.tf[int(t.docs[i].at)*t.terms+term] = tf }

// fewDocs documents in a list are looked up; for more of them the list, or a
// block of it, is gone through.
const fewDocs = 4

// plain counts a term by its decoded list.
func (t *tally) plain(term int, docs, tfs []uint32) {
	if len(docs) == 0 {
		return
	}
	from := 0
	if len(t.docs) <= fewDocs {
		for i, w := range t.docs {
			from += gallop(docs[from:], w.local)
			if from < len(docs) && docs[from] == w.local {
				t.set(term, uint32(i), tfs[from])
			}
		}
		return
	}
	last := t.docs[len(t.docs)-1].local
	from = lowerBound(docs, t.docs[0].local)
	words := t.marks.words
	for i, d := range docs[from:] {
		if d > last {
			return
		}
		if words[d/64]>>(d%64)&1 != 0 {
			t.set(term, t.marks.place(d), tfs[from+i])
		}
	}
}

// chunked counts a term by the blocks of its list in which documents lie.
func (t *tally) chunked(term int, l *listReader) error {
	for i := 0; i < len(t.docs); {
		d := t.docs[i].local
		if !l.seekChunk(d) {
			return nil
		}
		if err := l.read(); err != nil {
			return err
		}
		l.seekBlock(d)
		last, end := l.ch.last(l.bi), i+1
		for end < len(t.docs) && t.docs[end].local <= last {
			end++
		}
		if l.ch.coding(l.bi) == codingBitmap {
			t.bitmap(term, l, i, end)
		} else if err := t.gaps(term, l, i, end); err != nil {
			return err
		}
		i = end
	}
	return nil
}

// bitmap counts a term in docs[from:to] by a block that is a bitmap.
func (t *tally) bitmap(term int, l *listReader, from, to int) {
	base, width := l.ch.baseOf(l.bi), l.ch.freqWidth(l.bi)
	stored := l.ch.data[l.ch.offset(l.bi):][:l.ch.docBytes(l.bi)]
	freqs := l.ch.freqs(l.bi)
	ones, word := 0, 0 // ones before the word
	for i := from; i < to; i++ {
		bit := t.docs[i].local - base - 1
		if stored[bit>>3]>>(bit&7)&1 == 0 {
			continue
		}
		tf := uint32(1)
		if width > 0 {
			for ; word < int(bit/64); word++ {
				ones += bits.OnesCount64(load64(stored, word*8))
			}
			inWord := load64(stored, word*8) & (1<<(bit%64) - 1)
			tf += packedAt(freqs, ones+bits.OnesCount64(inWord), width)
		}
		t.set(term, uint32(i), tf)
	}
}

// gaps counts a term in docs[from:to] by any other block.
func (t *tally) gaps(term int, l *listReader, from, to int) error {
	l.have = false
	if err := l.decode(); err != nil {
		return err
	}
	freqs, width := l.ch.freqs(l.bi), l.ch.freqWidth(l.bi)
	frequency := func(at int) uint32 {
		if width == 0 {
			return 1
		}
		return packedAt(freqs, at, width) + 1
	}
	if to-from <= fewDocs {
		for i := from; i < to; i++ {
			if l.skip(t.docs[i].local); l.docs[l.pos] == t.docs[i].local {
				t.set(term, uint32(i), frequency(l.pos))
			}
		}
		return nil
	}
	words, last := t.marks.words, t.docs[to-1].local
	for at := lowerBound(l.docs, t.docs[from].local); at < len(l.docs) && l.docs[at] <= last; at++ {
		if d := l.docs[at]; words[d/64]>>(d%64)&1 != 0 {
			t.set(term, t.marks.place(d), frequency(at))
		}
	}
	return nil
}
