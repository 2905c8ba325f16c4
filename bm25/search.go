// This file decides the course of a search: statistics of the query's terms,
// then the tail, then the segments, biggest first, each raising the threshold for
// the next.

package bm25

import (
	"context"
	"fmt"
	"slices"

	"github.com/contextforge-go/contextforge/kv"
)

// Hit is a search result: a document's score, and what the index knows of it
// without reading the caller's record.
type Hit struct {
	Num     uint64
	ID      string
	Scope   string // as Session and Kind shared with the index
	Session string
	Kind    string
	Score   float64 // > 0
	Sec     int64
	Nsec    uint32
	Cost    uint32
}

// queryTerm is a distinct term of a query that some live document has.
type queryTerm struct {
	text   string
	count  int // in the query
	weight float64
	stats  *termStats
}

// query is a search under way.
type query struct {
	view    *View
	r       kv.Reader
	filter  *Filter
	terms   []queryTerm // in order of first appearance
	table   *satTable
	top     topK
	scratch *searchScratch
	window  uint32 // size of the next window
}

// Search returns the documents that contain a term of the analysed query,
// ranked by (score descending, time descending, id ascending), at most limit of
// them; a negative limit means all, 0 none. A term that the query repeats counts
// as often. r is the snapshot that belongs to the view.
//
// A score is the sum over the query's distinct terms, in order of first
// appearance, of qtf·idf·(k1+1)·tf/(tf + k1·(1 − b + b·length/average)), with
// the statistics of all live documents, whatever the filter.
func (v *View) Search(ctx context.Context, r kv.Reader, terms []string, f Filter, limit int) ([]Hit, error) {
	if err := v.ready(ctx); err != nil {
		return nil, err
	}
	if limit == 0 || v.docs == 0 {
		return nil, nil
	}
	q := &query{view: v, r: r, filter: &f, scratch: v.ix.borrow(), window: firstWindow}
	defer v.ix.giveBack(q.scratch)
	if err := q.prepare(terms); err != nil || len(q.terms) == 0 {
		return nil, err
	}
	q.top = topK{limit: limit, entries: q.scratch.entries[:0], docs: q}
	if err := q.run(ctx); err != nil {
		return nil, err
	}
	entries, err := q.top.sorted()
	q.scratch.entries = entries
	if err != nil {
		return nil, err
	}
	return q.hits(entries)
}

func (ix *Index) borrow() *searchScratch {
	if s, ok := ix.scratch.Get().(*searchScratch); ok {
		return s
	}
	return &searchScratch{}
}

func (ix *Index) giveBack(s *searchScratch) {
	for _, c := range s.cursors { // don't keep readers and lists alive
		c.acc.r, c.acc.seg, c.acc.info, c.acc.ch, c.acc.docs = nil, nil, nil, nil, nil
		c.look.r, c.look.seg, c.look.info, c.look.ch, c.look.docs = nil, nil, nil, nil, nil
	}
	if cap(s.entries) > 1<<16 || cap(s.ends) > 1<<16 || cap(s.ids) > 1<<20 {
		s.entries, s.ids, s.ends = nil, nil, nil
	}
	ix.scratch.Put(s)
}

// saturations returns the view's scorer.
func (v *View) saturations() *satTable {
	if t := v.table.v.Load(); t != nil {
		return t
	}
	t, _ := v.table.get(func() (*satTable, error) {
		return newSatTable(newScorer(v.ix.opts.Params, v.docs, v.tokens)), nil
	})
	return t
}

// prepare looks up the statistics of the query's terms.
func (q *query) prepare(terms []string) error {
	v := q.view
	q.table = v.saturations()
	for _, t := range distinct(terms) {
		stats, err := v.set.stats(q.r, t.text)
		if err != nil {
			return err
		}
		if df := v.df(t.text, stats); df > 0 {
			t.weight, t.stats = q.table.weight(t.count, v.docs, df), stats
			q.terms = append(q.terms, t)
		}
	}
	return nil
}

// distinct counts the terms of a query, in order of first appearance.
func distinct(terms []string) []queryTerm {
	list := make([]queryTerm, 0, min(len(terms), 64))
	var index map[string]int // beyond a few terms
	for _, text := range terms {
		at, ok := 0, false
		if index == nil {
			at = slices.IndexFunc(list, func(t queryTerm) bool { return t.text == text })
			ok = at >= 0
		} else {
			at, ok = index[text]
		}
		if ok {
			list[at].count++
			continue
		}
		list = append(list, queryTerm{text: text, count: 1})
		if index != nil {
			index[text] = len(list) - 1
		} else if len(list) == 32 {
			index = make(map[string]int, len(terms))
			for i, t := range list {
				index[t.text] = i
			}
		}
	}
	return list
}

func (q *query) run(ctx context.Context) error {
	if err := q.searchTail(); err != nil {
		return err
	}
	order := make([]int, len(q.view.set.segs))
	for i := range order {
		order[i] = i
	}
	segs := q.view.set.segs
	slices.SortStableFunc(order, func(a, b int) int { return int(segs[b].docs) - int(segs[a].docs) })
	for _, i := range order {
		if err := q.searchSegment(ctx, i); err != nil {
			return fmt.Errorf("bm25: search in segment %d: %w", segs[i].id, err)
		}
	}
	return nil
}

// searchTail scores the documents that are in no segment yet.
func (q *query) searchTail() error {
	t := &q.view.tail
	if len(t.docs) == 0 {
		return nil
	}
	s := q.scratch
	s.tail = slices.Grow(s.tail[:0], len(t.docs))[:len(t.docs)]
	clear(s.tail)
	for _, term := range q.terms {
		docs, tfs := t.list(term.text)
		for i, d := range docs {
			s.tail[d] += float64(term.weight * q.table.sat(tfs[i]-1, t.docs[d].Vector.Length))
		}
	}
	for i, score := range s.tail {
		if score == 0 || score < q.top.theta || t.dead.has(uint32(i)) || !q.filter.admitsDoc(t.docs[i]) {
			continue
		}
		err := q.offer(entry{score: score, part: int32(len(q.view.set.segs)), local: uint32(i)})
		if err != nil {
			return err
		}
	}
	return nil
}

// offer keeps an entry if it is good enough and the filter's Accept agrees.
func (q *query) offer(e entry) error {
	if !q.top.enters(&e) {
		return q.top.err
	}
	if q.filter.Accept != nil {
		if ok, err := q.filter.Accept(q.num(e)); err != nil || !ok {
			return err
		}
	}
	q.top.add(e)
	return q.top.err
}

// id returns an entry's id.
func (q *query) id(e entry) ([]byte, error) {
	if int(e.part) == len(q.view.set.segs) {
		return []byte(q.view.tail.docs[e.local].ID), nil
	}
	return q.view.set.segs[e.part].idOf(q.r, e.local)
}

// num returns an entry's document number.
func (q *query) num(e entry) uint64 {
	if int(e.part) == len(q.view.set.segs) {
		return q.view.tail.docs[e.local].Num
	}
	return q.view.set.segs[e.part].rows.v.Load().num(e.local)
}

// time returns an entry's time.
func (q *query) time(e entry) Time {
	if int(e.part) == len(q.view.set.segs) {
		d := q.view.tail.docs[e.local]
		return Time{d.Sec, d.Nsec}
	}
	return q.view.set.segs[e.part].rows.v.Load().time(e.local)
}

// hits turns entries into results.
func (q *query) hits(entries []entry) ([]Hit, error) {
	hits := make([]Hit, len(entries))
	if err := q.fill(hits, entries, func(i int) int { return i }); err != nil {
		return nil, err
	}
	return hits, nil
}

// fill puts what is known of entries into their places among results; their ids share
// one string.
func (q *query) fill(hits []Hit, entries []entry, place func(i int) int) error {
	ids, ends := q.scratch.ids[:0], q.scratch.ends[:0]
	for i, e := range entries {
		id, err := q.id(e)
		if err == nil {
			err = q.describe(e, &hits[place(i)])
		}
		if err != nil {
			return err
		}
		ids = append(ids, id...)
		ends = append(ends, len(ids))
	}
	q.scratch.ids, q.scratch.ends = ids, ends
	all, from := string(ids), 0
	for i, end := range ends {
		hits[place(i)].ID = all[from:end]
		from = end
	}
	return nil
}

// describe fills in what the index knows of a document, but for the id.
func (q *query) describe(e entry, h *Hit) error {
	if int(e.part) == len(q.view.set.segs) {
		d := q.view.tail.docs[e.local]
		*h = Hit{Num: d.Num, Scope: d.Scope, Session: d.Session, Kind: d.Kind, Score: e.score, Sec: d.Sec, Nsec: d.Nsec, Cost: d.Cost}
		return nil
	}
	seg := q.view.set.segs[e.part]
	core, err := seg.getCore(q.r)
	if err != nil {
		return err
	}
	rows, err := seg.getRows(q.r)
	if err != nil {
		return err
	}
	at := rows.time(e.local)
	*h = Hit{Num: rows.num(e.local), Scope: core.scopeAt(e.local).name, Session: rows.session(e.local), Kind: rows.kind(e.local),
		Score: e.score, Sec: at.Sec, Nsec: at.Nsec, Cost: rows.cost(e.local)}
	return nil
}

// Scores returns the scores that Search would give the documents, whatever a
// filter, and whether a term matches at all; documents that the index doesn't
// hold get 0 and false. Only the lists' blocks with these documents are read.
func (v *View) Scores(ctx context.Context, r kv.Reader, terms []string, nums []uint64) ([]float64, []bool, error) {
	if err := v.ready(ctx); err != nil {
		return nil, nil, err
	}
	scores, matched := make([]float64, len(nums)), make([]bool, len(nums))
	if v.docs == 0 || len(nums) == 0 {
		return scores, matched, nil
	}
	q := &query{view: v, r: r, filter: &Filter{}, scratch: v.ix.borrow()}
	defer v.ix.giveBack(q.scratch)
	if err := q.prepare(terms); err != nil || len(q.terms) == 0 {
		return scores, matched, err
	}
	wanted, err := q.locate(nums)
	if err != nil {
		return nil, nil, err
	}
	for from := 0; from < len(wanted); {
		end := from
		for end < len(wanted) && wanted[end].part == wanted[from].part {
			end++
		}
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		if err := q.scoreAll(wanted[from:end], scores); err != nil {
			return nil, nil, err
		}
		from = end
	}
	for i, s := range scores {
		matched[i] = s > 0
	}
	return scores, matched, nil
}

// wantedDoc is a document whose score is asked for.
type wantedDoc struct {
	part  int32
	local uint32
	at    int32 // place in the answer
}

// locate finds live documents by number, ordered by part and local id. The list
// belongs to the scratch memory.
func (q *query) locate(nums []uint64) ([]wantedDoc, error) {
	segs := q.view.set.segs
	wanted := slices.Grow(q.scratch.wanted[:0], len(nums))
	part, locals, dead := -1, (*localIndex)(nil), deadSet{}
	for at, num := range nums {
		if local, ok := q.view.tail.find(num); ok {
			wanted = append(wanted, wantedDoc{int32(len(segs)), local, int32(at)})
			continue
		}
		if part < 0 || num < segs[part].minNum || num > segs[part].maxNum {
			if part = covering(segs, num); part < 0 {
				continue
			}
			var err error
			if locals, err = segs[part].getLocals(q.r); err != nil {
				return nil, err
			}
			if dead, err = segs[part].deadUpTo(q.r, q.view.deadIn(part)); err != nil {
				return nil, err
			}
		}
		if local, ok := locals.find(num); ok && !dead.has(local) {
			wanted = append(wanted, wantedDoc{int32(part), local, int32(at)})
		}
	}
	q.scratch.wanted = wanted
	slices.SortFunc(wanted, func(a, b wantedDoc) int {
		if a.part != b.part {
			return int(a.part - b.part)
		}
		return int(int32(a.local - b.local))
	})
	return wanted, nil
}

// scoreAll scores documents of one part, ascending.
func (q *query) scoreAll(wanted []wantedDoc, scores []float64) error {
	part := int(wanted[0].part)
	if part == len(q.view.set.segs) {
		q.scoreTail(wanted, scores)
		return nil
	}
	seg := q.view.set.segs[part]
	core, err := seg.getCore(q.r)
	if err != nil {
		return err
	}
	for _, term := range q.terms { // adds in query order for every document
		info := term.stats.infos[part]
		if info == nil {
			continue
		}
		c := q.scratch.cursor(0)
		c.reset(q.r, seg, info, term.weight)
		for _, w := range wanted {
			x, err := c.contribution(q.table, core.lens, w.local)
			if err != nil {
				return fmt.Errorf("bm25: scores in segment %d: %w", seg.id, err)
			}
			scores[w.at] += x
		}
	}
	return nil
}

func (q *query) scoreTail(wanted []wantedDoc, scores []float64) {
	for _, term := range q.terms {
		docs, tfs := q.view.tail.list(term.text)
		for _, w := range wanted {
			if i, ok := slices.BinarySearch(docs, w.local); ok {
				scores[w.at] += float64(term.weight * q.table.sat(tfs[i]-1, q.view.tail.docs[w.local].Vector.Length))
			}
		}
	}
}
