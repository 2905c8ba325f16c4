// This file decides how the rows of a view are looked through: chunk by chunk in
// memory, by several goroutines where that pays, and block by block from the
// snapshot for what is not in memory.

package vecindex

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/contextforge-go/contextforge/kv"
)

// scan is one search's way through the rows.
type scan struct {
	ix     *Index
	ctx    context.Context
	q      *query
	at     *position // nil if nothing is in memory
	scope  *string
	picker *picker
	sample *sample // nil if it isn't asked for
}

// scratch is what a goroutine of a scan needs.
type scratch struct {
	products []int32
	rows     []uint32 // within the chunk
	reached  []uint32 // those that Reach found
	passed   []passed
	sampled  []sampled
}

// passed is a row whose upper end reaches the threshold.
type passed struct {
	i            int // in the chunk
	lower, upper float32
}

func (ix *Index) getScratch() *scratch {
	if s, ok := ix.scratch.Get().(*scratch); ok {
		return s
	}
	n := max(ix.opts.tuning.pieceRows, ix.opts.tuning.streamRows)
	return &scratch{products: make([]int32, n), rows: make([]uint32, 0, n), reached: make([]uint32, n), sampled: make([]sampled, 0, n)}
}

// piece is a part of a chunk: n rows from first on, or those listed.
type piece struct {
	chunk, first, n int
	rows            []uint32 // numbers in the table, all of this chunk
}

// pieces is what is to be scanned in memory: a list, or the first rows of the
// table.
type pieces struct {
	list   []piece
	rows   int
	count  int // of pieces
	tuning *tuning
}

// at returns a piece. Without a list, each chunk makes so many.
func (p *pieces) at(i int) piece {
	if p.list != nil {
		return p.list[i]
	}
	size, chunk := p.tuning.pieceRows, p.tuning.chunkRows
	each := (chunk + size - 1) / size
	c, first := i/each, i%each*size
	return piece{chunk: c, first: first, n: min(size, chunk-first, p.rows-c*chunk-first)}
}

// pieces cuts up what is to be scanned.
func (s *scan) pieces() *pieces {
	p := &pieces{tuning: &s.ix.opts.tuning}
	size, chunk := p.tuning.pieceRows, p.tuning.chunkRows
	if s.scope == nil {
		p.rows = s.at.count
		p.count = p.rows/chunk*((chunk+size-1)/size) + (p.rows%chunk+size-1)/size
		return p
	}
	listed := s.at.table.listed(*s.scope, s.at.count)
	p.rows = len(listed)
	for len(listed) > 0 {
		c, n := int(listed[0])/chunk, 1
		end := uint32((c + 1) * chunk)
		for n < min(len(listed), size) && listed[n] < end {
			n++
		}
		p.list = append(p.list, piece{chunk: c, n: n, rows: listed[:n]})
		listed = listed[n:]
	}
	p.count = len(p.list)
	return p
}

// resident looks through the rows in memory.
func (s *scan) resident() error {
	pieces := s.pieces()
	workers := min(s.ix.opts.Parallelism, pieces.count, 1+pieces.rows/s.ix.opts.tuning.parallelRows)
	var next atomic.Int64
	if workers <= 1 {
		return s.work(pieces, &next)
	}
	var wait sync.WaitGroup
	errs := make([]error, workers)
	for w := range workers {
		wait.Go(func() {
			if errs[w] = s.work(pieces, &next); errs[w] != nil {
				next.Store(int64(pieces.count))
			}
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// work does pieces until none is left.
func (s *scan) work(pieces *pieces, next *atomic.Int64) error {
	tmp := s.ix.getScratch()
	defer s.ix.scratch.Put(tmp)
	for {
		i := int(next.Add(1)) - 1
		if i >= pieces.count {
			return nil
		}
		if err := s.ctx.Err(); err != nil {
			return err
		}
		if err := s.piece(pieces.at(i), tmp); err != nil {
			return err
		}
	}
}

func (s *scan) piece(p piece, tmp *scratch) error {
	c, start := s.at.chunks[p.chunk], p.chunk*s.ix.opts.tuning.chunkRows
	products := tmp.products[:p.n]
	if p.rows == nil {
		s.ix.opts.Kernels.DotCodes(products, c.codes[p.first*len(s.q.codes):], s.q.codes)
		s.filter(c, p.first, products, tmp)
		if s.sample != nil {
			s.survey(c, p.first, nil, products, s.at, tmp)
		}
	} else {
		rows := tmp.rows[:0]
		for _, r := range p.rows {
			rows = append(rows, r-uint32(start))
		}
		s.ix.opts.Kernels.DotGather(products, c.codes, rows, s.q.codes)
		s.filterListed(c, rows, products, tmp)
		if s.sample != nil {
			s.survey(c, 0, rows, products, s.at, tmp)
		}
	}
	return s.offer(c, tmp.passed, int64(start))
}

// filter collects those of a chunk's rows from first on whose upper end reaches
// the threshold.
func (s *scan) filter(c *chunk, first int, products []int32, tmp *scratch) {
	u, out := s.q.upper, tmp.passed[:0]
	u.Threshold = s.picker.threshold()
	n := s.ix.opts.Kernels.Reach(tmp.reached, products, c.scale[first:], c.residual[first:], u)
	for _, j := range tmp.reached[:n] {
		i := first + int(j)
		lower, upper := s.q.bounds(products[j], c.scale[i], c.residual[i])
		out = append(out, passed{i, lower, upper})
	}
	tmp.passed = out
}

// filterListed is filter for listed rows.
func (s *scan) filterListed(c *chunk, rows []uint32, products []int32, tmp *scratch) {
	reach, out := s.picker.threshold(), tmp.passed[:0]
	for j, i := range rows {
		if lower, upper := s.q.bounds(products[j], c.scale[i], c.residual[i]); upper >= reach {
			out = append(out, passed{int(i), lower, upper})
		}
	}
	tmp.passed = out
}

// offer gives the rows that passed to the picker; start is the number of the
// chunk's first row, -1 for a block from the snapshot.
func (s *scan) offer(c *chunk, rows []passed, start int64) error {
	if len(rows) == 0 {
		return nil
	}
	if len(rows) > 2*s.picker.limit {
		greatestFirst(rows, s.picker.limit)
	}
	s.picker.mu.Lock()
	defer s.picker.mu.Unlock()
	for _, p := range rows {
		row := int64(-1)
		if start >= 0 {
			if !s.at.alive(c, p.i) {
				continue
			}
			row = start + int64(p.i)
		}
		if err := s.picker.offer(rowKey{c.nums[p.i], c.windows[p.i]}, row, p.lower, p.upper); err != nil {
			return err
		}
	}
	return nil
}

// greatestFirst moves the k rows with the greatest upper ends to the front, so
// that they raise the threshold before the others are looked at: fewer documents
// are noted, and the filter is asked about fewer. It is Hoare's selection, with
// the median of three as pivot.
func greatestFirst(rows []passed, k int) {
	for lo, hi := 0, len(rows)-1; lo < hi; {
		a, b, c := rows[lo].upper, rows[(lo+hi)/2].upper, rows[hi].upper
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := lo, hi
		for i <= j {
			for rows[i].upper > pivot {
				i++
			}
			for rows[j].upper < pivot {
				j--
			}
			if i <= j {
				rows[i], rows[j] = rows[j], rows[i]
				i++
				j--
			}
		}
		switch {
		case k-1 <= j:
			hi = j
		case k-1 >= i:
			lo = i
		default:
			return
		}
	}
}

// stream looks through the rows that are only in the snapshot.
func (s *scan) stream(r kv.Reader, dim int) error {
	from := rowKey{}
	if s.at != nil {
		if !s.at.left.set {
			return nil
		}
		from = s.at.left.from
	}
	tmp := s.ix.getScratch()
	defer s.ix.scratch.Put(tmp)
	stride, size := len(s.q.codes), s.ix.opts.tuning.streamRows
	block, n := newChunk(size, stride), 0
	flush := func() error {
		s.ix.opts.Kernels.DotCodes(tmp.products[:n], block.codes, s.q.codes)
		s.filter(block, 0, tmp.products[:n], tmp)
		if s.sample != nil {
			s.survey(block, 0, nil, tmp.products[:n], nil, tmp)
		}
		n = 0
		if err := s.offer(block, tmp.passed, -1); err != nil {
			return err
		}
		return s.ctx.Err()
	}
	err := eachRow(r, s.ix.keys, from, dim, func(key rowKey, row rawRow) (bool, error) {
		if s.scope != nil && string(row.scope) != *s.scope {
			return true, nil
		}
		setRow(block, n, stride, key, row.scale, row.residual, row.codes)
		if n++; n == size {
			return true, flush()
		}
		return true, nil
	})
	if err != nil {
		return err
	}
	return flush()
}
