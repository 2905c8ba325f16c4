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
	"math/bits"
	"slices"
)

const (
	windowDocs = 4096 // a power of two
	// firstWindow is the size of a search's first window, which is scored
	// whole as there is no threshold yet; every later one is twice as big.
	firstWindow = 256
	// Bounds by a document's length are kept for lengths that are multiples of
	// lengthStep, up to the last one for all longer documents.
	lengthStep  = 8
	lengthSteps = 32
)

// searchScratch is the memory of a search, reused by later ones.
type searchScratch struct {
	acc     [windowDocs]float64
	touched []uint32 // documents with a sum, some more than once
	freqs   [blockDocs]uint32
	tmp     unpackBuf
	cursors []*cursor
	active  []*cursor               // those of the segment being searched, in query order
	byMost  []*cursor               // the same, smallest bound first
	marks   [windowDocs / 64]uint64 // candidates of the window
	lookups []lookup
	row     []float64 // contributions of a candidate, in query order
	tail    []float64
	entries []entry
	ids     []byte
	ends    []int
	wanted  []wantedDoc
	marked  marks
}

// lookup is an inessential term of a window.
type lookup struct {
	c *cursor
	// rest bounds what this term and those before it add to a document, by
	// length/lengthStep.
	rest [lengthSteps]float64
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
		s.theta = s.q.top.theta
		var ok bool
		if a, ok = s.nextStart(a); !ok || a >= hi {
			return nil
		}
		b := hi
		if hi-a > s.q.window {
			b = a + s.q.window
		}
		if err := s.scan(a, b); err != nil {
			return err
		}
		a = b
		s.q.window = min(2*s.q.window, windowDocs)
	}
	return nil
}

// inessential is the number of leading cursors of byMost whose bounds together
// stay below the threshold.
func (s *segmentSearch) inessential(bound func(*cursor) float64) int {
	sum := 0.0
	for n, c := range s.byMost {
		if sum += bound(c); float64(sum*boundSlack) >= s.theta {
			return n
		}
	}
	return len(s.byMost)
}

// nextStart is the first document ≥ a that may enter the result, as far as the
// bounds of whole lists and the gaps between blocks tell.
func (s *segmentSearch) nextStart(a uint32) (uint32, bool) {
	n := s.inessential(func(c *cursor) float64 { return c.most })
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
	n := 0
	if s.theta > 0 {
		for _, c := range s.byMost {
			c.window, c.maxTF = c.windowBound(s.table, a, b)
		}
		n = s.inessential(func(c *cursor) float64 { return c.window })
		if n == len(s.byMost) {
			return nil
		}
	}
	s.touched = s.touched[:0]
	essential := s.byMost[n:]
	if n == 0 {
		essential = s.active // in query order: the sums are final
	}
	for _, c := range essential {
		if err := s.accumulate(c, a, b); err != nil {
			return s.abandon(err)
		}
	}
	if n == 0 {
		return s.collect(a)
	}
	s.boundRest(s.byMost[:n])
	s.mark(a)
	return s.refine(a, essential)
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
			s.acc[(l.docs[i]-a)%windowDocs] += c.small[i-c.first]
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
	s.addFreqs(docs, l.ch.tfs(l.bi, &s.freqs, &s.tmp)[from:end], c.w, a)
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

// touch lists documents.
func (s *segmentSearch) touch(docs []uint32, a uint32) {
	n := len(s.touched)
	s.touched = slices.Grow(s.touched, len(docs))[:n+len(docs)]
	to := s.touched[n:]
	for i, d := range docs {
		to[i] = d - a
	}
}

// collect offers the documents of the window at a, whose sums are final.
func (s *segmentSearch) collect(a uint32) error {
	for _, i := range s.touched {
		v := s.acc[i%windowDocs]
		if s.acc[i%windowDocs] = 0; v > 0 && v >= s.q.top.theta {
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
	clear(s.marks[:])
	return err
}

// boundRest lists the inessential terms that occur in the window, with what
// they can add to a document of a certain length.
func (s *segmentSearch) boundRest(inessential []*cursor) {
	s.lookups = s.lookups[:0]
	var rest [lengthSteps]float64
	for _, c := range inessential {
		if c.window == 0 {
			continue
		}
		for i := range rest {
			most := float64(c.w * s.table.most(c.maxTF, uint32(i)*lengthStep))
			rest[i] += min(most, c.window)
		}
		s.lookups = append(s.lookups, lookup{c: c, rest: rest})
	}
}

// mark notes the documents whose partial sums may still reach the threshold.
func (s *segmentSearch) mark(a uint32) {
	cut, lens := s.theta/boundSlack, s.lens[a:]
	var rest [lengthSteps]float64
	if n := len(s.lookups); n > 0 {
		rest = s.lookups[n-1].rest
	}
	for _, i := range s.touched {
		i %= windowDocs
		var bit uint64
		if s.acc[i]+rest[min(lens[i]/lengthStep, lengthSteps-1)] >= cut {
			bit = 1
		}
		s.marks[i/64] |= bit << (i % 64)
	}
}

// refine looks the marked documents of the window at a up in the inessential
// lists, scores those that stay promising, and clears the window.
func (s *segmentSearch) refine(a uint32, essential []*cursor) error {
	s.row = slices.Grow(s.row[:0], len(s.active))[:len(s.active)]
	for w, word := range s.marks {
		s.marks[w] = 0
		for ; word != 0; word &= word - 1 {
			i := w*64 + bits.TrailingZeros64(word)
			if err := s.refineDoc(a+uint32(i), s.acc[i], essential); err != nil {
				return s.abandon(err)
			}
		}
	}
	for _, i := range s.touched {
		s.acc[i%windowDocs] = 0
	}
	return nil
}

// refineDoc completes the score of one document, whose essential terms add up
// to sum, unless it falls behind the threshold.
func (s *segmentSearch) refineDoc(d uint32, sum float64, essential []*cursor) error {
	if !s.adm.admits(d) {
		return nil
	}
	cut, step := s.q.top.theta/boundSlack, min(s.lens[d]/lengthStep, lengthSteps-1)
	clear(s.row)
	for k := len(s.lookups) - 1; k >= 0; k-- {
		l := &s.lookups[k]
		if sum+l.rest[step] < cut {
			return nil
		}
		x, err := l.c.contribution(s.table, s.lens, d)
		if err != nil {
			return err
		}
		s.row[l.c.slot] = x
		sum += x
	}
	if sum < cut {
		return nil
	}
	for _, c := range essential {
		x, err := c.contribution(s.table, s.lens, d)
		if err != nil {
			return err
		}
		s.row[c.slot] = x
	}
	score := 0.0
	for _, x := range s.row {
		score += x
	}
	return s.offer(d, score)
}

// offer gives a document with its final score to the result.
func (s *segmentSearch) offer(d uint32, score float64) error {
	if score < s.q.top.theta || !s.adm.admits(d) {
		return nil
	}
	return s.q.offer(entry{score: score, part: s.part, local: d})
}
