// This file decides how the postings of one segment are scored: block-max
// MaxScore over windows of local ids.
//
// In every window the terms are split by upper bounds: those that even together
// can't lift a document to the threshold are only looked up, for documents that
// the other, essential ones have brought near it (Turtle and Flood 1995; Ding
// and Suel 2011). A document is dropped only if its bound, rounded up, is
// strictly below the threshold, so ties survive. What remains is scored exactly,
// term by term in query order.

package bm25

import (
	"context"
	"math"
	"slices"
)

const (
	windowDocs = 4096 // a power of two
	// touchedMax documents touched in a window are listed; beyond them the
	// window is swept as a whole.
	touchedMax = windowDocs / 4
)

// searchScratch is the memory of a search, reused by later ones.
type searchScratch struct {
	acc     [windowDocs]float64
	touched [touchedMax + blockDocs]uint32
	freqs   [blockDocs]uint32
	cursors []*cursor
	active  []*cursor // those of the segment being searched, in query order
	byMost  []*cursor // the same, smallest bound first
	cands   []candidate
	row     []float64
	tail    []float64
	entries []entry
}

// candidate is a document with a part of its score.
type candidate struct {
	doc uint32 // local id
	row uint32 // place of its contributions
	sum float64
}

// segmentSearch scores one segment.
type segmentSearch struct {
	*searchScratch
	ctx   context.Context
	q     *query
	part  int32
	table *satTable
	lens  []uint32
	adm   admission

	count int  // touched documents listed
	sweep bool // more were touched
	theta float64
}

// searchSegment offers the matching documents of segment i to the result.
func (q *query) searchSegment(ctx context.Context, i int) error {
	seg := q.view.set.segs[i]
	core, err := seg.getCore(q.r)
	if err != nil {
		return err
	}
	lo, hi := uint32(0), seg.docs
	if name, only := q.filter.scope(); only {
		lo, hi = core.scopeOf(name)
	}
	if lo == hi {
		return nil
	}
	s := &segmentSearch{searchScratch: q.scratch, ctx: ctx, q: q, part: int32(i), table: q.table, lens: core.lens}
	s.active = s.active[:0]
	for t, term := range q.terms {
		if info := term.stats.infos[i]; info != nil {
			c := s.cursor(len(s.active))
			c.reset(q.r, seg, info, q.terms[t].weight)
			if c.setMost(q.table, core.lens, lo, hi); c.most > 0 {
				s.active = append(s.active, c)
			}
		}
	}
	if len(s.active) == 0 {
		return nil
	}
	dead, err := seg.deadUpTo(q.r, q.view.deadIn(i))
	if err != nil {
		return err
	}
	adm, none, err := q.filter.bind(q.r, seg, dead)
	if err != nil || none {
		return err
	}
	s.adm = adm
	return s.run(lo, hi)
}

// cursor returns the scratch's i-th cursor.
func (s *searchScratch) cursor(i int) *cursor {
	if i == len(s.cursors) {
		s.cursors = append(s.cursors, &cursor{})
	}
	s.cursors[i].slot = i
	return s.cursors[i]
}

// run goes through [lo, hi) window by window.
func (s *segmentSearch) run(lo, hi uint32) error {
	s.byMost = append(s.byMost[:0], s.active...)
	slices.SortStableFunc(s.byMost, func(a, b *cursor) int {
		switch {
		case a.most < b.most:
			return -1
		case a.most > b.most:
			return 1
		}
		return 0
	})
	for a := lo; a < hi; {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		s.theta = s.q.top.threshold()
		var ok bool
		if a, ok = s.nextStart(a); !ok || a >= hi {
			return nil
		}
		b := hi
		if hi-a > windowDocs {
			b = a + windowDocs
		}
		if err := s.scan(a, b); err != nil {
			return err
		}
		a = b
	}
	return nil
}

// inessential is the number of leading cursors of byMost whose bounds together
// stay below the threshold, and the sum of these bounds.
func (s *segmentSearch) inessential(bound func(*cursor) float64) (n int, sum float64) {
	for _, c := range s.byMost {
		next := sum + bound(c)
		if float64(next*boundSlack) >= s.theta {
			break
		}
		sum = next
		n++
	}
	return n, sum
}

// nextStart is the first document ≥ a that may enter the result, as far as the
// bounds of whole lists and the gaps between blocks tell.
func (s *segmentSearch) nextStart(a uint32) (uint32, bool) {
	n, _ := s.inessential(func(c *cursor) float64 { return c.most })
	first, found := uint32(0), false
	for _, c := range s.byMost[n:] {
		if d, ok := c.next(a); ok && (!found || d < first) {
			first, found = d, true
		}
	}
	return first, found
}

// scan scores the window [a, b).
func (s *segmentSearch) scan(a, b uint32) error {
	n, sum := 0, 0.0
	if s.theta > 0 {
		for _, c := range s.byMost {
			c.window = c.windowBound(s.table, a, b)
		}
		n, sum = s.inessential(func(c *cursor) float64 { return c.window })
		if n == len(s.byMost) {
			return nil
		}
	}
	s.count, s.sweep = 0, false
	essential := s.byMost[n:]
	if n == 0 {
		essential = s.active // in query order: the sums are final
	}
	for _, c := range essential {
		if err := s.accumulate(c, a, b); err != nil {
			return err
		}
	}
	if n == 0 {
		return s.collectFinal(a, b)
	}
	s.collect(a, b, s.theta/boundSlack-float64(sum*boundSlack))
	return s.refine(n)
}

// accumulate adds a term's contributions to the documents of [a, b).
func (s *segmentSearch) accumulate(c *cursor, a, b uint32) error {
	l := &c.acc
	if l.info.docs != nil {
		l.skip(a)
		end := l.pos
		for end < len(l.docs) && l.docs[end] < b {
			end++
		}
		s.touch(l.docs[l.pos:end], a)
		for i := l.pos; i < end; i++ {
			s.acc[(l.docs[i]-a)%windowDocs] += c.small[i]
		}
		return nil
	}
	for at := a; l.seekChunk(at); {
		if l.ci > 0 && l.info.refs[l.ci-1].last+1 >= b {
			return nil
		}
		if err := l.read(); err != nil {
			return err
		}
		for l.seekBlock(at); l.bi < l.ch.blocks; l.bi++ {
			if l.ch.baseOf(l.bi)+1 >= b {
				return nil
			}
			if err := l.decode(); err != nil {
				return err
			}
			if s.addBlock(c, a, b); l.docs[len(l.docs)-1] >= b {
				return nil
			}
			if l.bi == l.ch.blocks-1 {
				break
			}
			l.have = false
		}
		if at = l.ch.last(l.ch.blocks-1) + 1; at >= b {
			return nil
		}
	}
	return nil
}

// addBlock adds the decoded block's documents in [a, b).
func (s *segmentSearch) addBlock(c *cursor, a, b uint32) {
	l := &c.acc
	l.skip(a)
	from, end := l.pos, len(l.docs)
	if l.docs[end-1] >= b {
		for end = from; l.docs[end] < b; end++ {
		}
	}
	docs := l.docs[from:end]
	s.touch(docs, a)
	if l.ch.freqWidth(l.bi) == 0 {
		s.addOnes(docs, c.w, a)
		return
	}
	s.addFreqs(docs, l.ch.tfs(l.bi, &s.freqs)[from:end], c.w, a)
}

// addOnes adds documents in which the term occurs once.
func (s *segmentSearch) addOnes(docs []uint32, w float64, a uint32) {
	lens, table := s.lens, s.table
	for _, d := range docs {
		var x float64
		if n := lens[d]; n < tableLens {
			x = table.of[n]
		} else {
			x = table.saturation(1, n)
		}
		s.acc[(d-a)%windowDocs] += float64(w * x)
	}
}

// addFreqs adds documents with the term's frequencies less one.
func (s *segmentSearch) addFreqs(docs, freqs []uint32, w float64, a uint32) {
	lens, table := s.lens, s.table
	for i, d := range docs {
		s.acc[(d-a)%windowDocs] += float64(w * table.sat(freqs[i], lens[d]))
	}
}

// touch lists documents, unless there are too many.
func (s *segmentSearch) touch(docs []uint32, a uint32) {
	if s.sweep {
		return
	}
	if s.count+len(docs) > touchedMax {
		s.sweep = true
		return
	}
	to := s.touched[s.count : s.count+len(docs)]
	for i, d := range docs {
		to[i] = d - a
	}
	s.count += len(docs)
}

// collectFinal offers the documents of the window, whose sums are final.
func (s *segmentSearch) collectFinal(a, b uint32) error {
	if s.sweep {
		for i := range s.acc[:b-a] {
			if v := s.acc[i]; v > 0 {
				s.acc[i] = 0
				if v >= s.theta {
					if err := s.offer(a+uint32(i), v); err != nil {
						return s.abandon(err)
					}
				}
			}
		}
		return nil
	}
	for _, i := range s.touched[:s.count] {
		v := s.acc[i%windowDocs]
		if s.acc[i%windowDocs] = 0; v > 0 && v >= s.theta {
			if err := s.offer(a+i, v); err != nil {
				return s.abandon(err)
			}
		}
	}
	return nil
}

// abandon leaves clean scratch memory behind after a failure.
func (s *segmentSearch) abandon(err error) error {
	clear(s.acc[:])
	return err
}

// collect makes the documents whose partial sums reach cut candidates,
// ascending.
func (s *segmentSearch) collect(a, b uint32, cut float64) {
	s.cands = s.cands[:0]
	cut = max(cut, math.SmallestNonzeroFloat64)
	if s.sweep {
		for i := range s.acc[:b-a] {
			if v := s.acc[i]; v >= cut && s.adm.admits(a+uint32(i)) {
				s.cands = append(s.cands, candidate{doc: a + uint32(i), sum: v})
			}
		}
		clear(s.acc[:b-a])
		return
	}
	sorted := true
	for _, i := range s.touched[:s.count] {
		v := s.acc[i%windowDocs]
		if s.acc[i%windowDocs] = 0; v >= cut && s.adm.admits(a+i) {
			if n := len(s.cands); n > 0 && s.cands[n-1].doc > a+i {
				sorted = false
			}
			s.cands = append(s.cands, candidate{doc: a + i, sum: v})
		}
	}
	if !sorted {
		slices.SortFunc(s.cands, func(x, y candidate) int { return int(int32(x.doc - y.doc)) })
	}
}

// refine looks the candidates up in the n inessential lists, the most
// promising first, dropping those that fall behind, and offers the rest.
func (s *segmentSearch) refine(n int) error {
	m := len(s.active)
	s.row = slices.Grow(s.row[:0], len(s.cands)*m)[:len(s.cands)*m]
	for i := range s.cands {
		s.cands[i].row = uint32(i * m)
	}
	clear(s.row)
	for k := n - 1; k >= 0 && len(s.cands) > 0; k-- {
		c, rest := s.byMost[k], 0.0
		for _, o := range s.byMost[:k] {
			rest += o.window
		}
		kept := s.cands[:0]
		for _, cand := range s.cands {
			x, err := c.contribution(s.table, s.lens, cand.doc)
			if err != nil {
				return err
			}
			s.row[int(cand.row)+c.slot] = x
			if cand.sum += x; float64((cand.sum+rest)*boundSlack) >= s.theta {
				kept = append(kept, cand)
			}
		}
		s.cands = kept
	}
	return s.finish(n)
}

// finish computes the candidates' scores in query order and offers them.
func (s *segmentSearch) finish(n int) error {
	essential := s.byMost[n:]
	for _, cand := range s.cands {
		row := s.row[cand.row : int(cand.row)+len(s.active)]
		for _, c := range essential {
			x, err := c.contribution(s.table, s.lens, cand.doc)
			if err != nil {
				return err
			}
			row[c.slot] = x
		}
		score := 0.0
		for _, x := range row {
			score += x
		}
		if err := s.offer(cand.doc, score); err != nil {
			return err
		}
	}
	return nil
}

// offer gives a document with its final score to the result.
func (s *segmentSearch) offer(d uint32, score float64) error {
	if score < s.q.top.threshold() || !s.adm.admits(d) {
		return nil
	}
	h := s.adm.hits
	e := entry{score: score, part: s.part, local: d, sec: int64(h.sec.at(d) ^ signBit), nsec: uint32(h.nsec.at(d))}
	return s.q.offer(e)
}
