// This file decides the scores of documents that are known already: exact ones by
// their vectors, from the cache as far as they are there, else in one pass over
// their keys; or approximate ones by the codes in memory.

package vecindex

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/contextforge-go/contextforge/kv"
)

// lookup is the scores of documents by their place among those asked for.
type lookup struct {
	v      *View
	r      kv.Reader
	ctx    context.Context
	nums   []uint64
	scores []float32
	known  []bool
}

// Scores returns for each of the documents the score that Search would give it,
// and whether it has one. It reads the vectors that are not in the cache. The
// documents may stand in any order, and more than once.
func (v *View) Scores(ctx context.Context, r kv.Reader, vector []float32, nums []uint64) ([]float32, []bool, error) {
	l, err := v.newLookup(ctx, r, vector, nums)
	if err != nil {
		return nil, nil, err
	}
	if err := l.exact(normalize(vector), v.at.Load()); err != nil {
		return nil, nil, err
	}
	return l.scores, l.known, nil
}

// Approximate is Scores by the codes, many times faster where they are in memory:
// it reads no vector. Scores of vectors of sentence models are off by 0.0003 to
// 0.0007 on average and by less than 0.005 (turns of chats, three models); at
// worst, of vectors of n values with one that is far greater than all others, it is
// √n/254. A score depends on the two vectors alone and has the same bits on every
// platform, whatever is in memory. Codes that are not in memory are read into it
// first, as by Search; those beyond Options.MaxResident from the snapshot.
func (v *View) Approximate(ctx context.Context, r kv.Reader, vector []float32, nums []uint64) ([]float32, []bool, error) {
	l, err := v.newLookup(ctx, r, vector, nums)
	if err != nil {
		return nil, nil, err
	}
	if v.st.vectors == 0 {
		return l.scores, l.known, nil
	}
	at, err := v.ix.ready(ctx, r, v)
	if err != nil {
		return nil, nil, err
	}
	if err := l.approximate(newQuery(vector, strideOf(v.st.dim)), at); err != nil {
		return nil, nil, err
	}
	return l.scores, l.known, nil
}

func (v *View) newLookup(ctx context.Context, r kv.Reader, vector []float32, nums []uint64) (*lookup, error) {
	if err := check(vector, v.st.dim); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return &lookup{v, r, ctx, nums, make([]float32, len(nums)), make([]bool, len(nums))}, nil
}

// note keeps the best score of a document's windows.
func (l *lookup) note(place int32, score float32) {
	if !l.known[place] || score > l.scores[place] {
		l.scores[place], l.known[place] = score, true
	}
}

// exact scores the documents by their vectors.
func (l *lookup) exact(q []float32, at *position) error {
	if l.v.st.vectors == 0 {
		return nil
	}
	dot := l.v.ix.opts.Kernels.Dot
	if at != nil {
		rows := at.locate(l.nums)
		units := make([][]float32, len(rows))
		l.v.ix.masters.getAll(at.table.id, rows, units)
		missing := rows[:0]
		for i, unit := range units {
			if unit == nil {
				missing = append(missing, rows[i])
			} else {
				l.note(rows[i].place, dot(q, unit))
			}
		}
		if err := l.read(q, at, missing); err != nil {
			return err
		}
	}
	unit := make([]float32, len(q))
	return l.v.eachBeyond(l.r, at, kindMaster, l.nums, func(place int32, raw, value []byte) error {
		if err := decodeMasterInto(unit, raw, value); err != nil {
			return err
		}
		l.note(place, dot(q, unit))
		return nil
	})
}

// read scores rows by vectors that are not in the cache, in the order of their
// keys, and keeps them there.
func (l *lookup) read(q []float32, at *position, rows []located) error {
	if len(rows) == 0 {
		return nil
	}
	slices.SortFunc(rows, func(a, b located) int {
		k, m := at.key(a.row), at.key(b.row)
		return cmp.Or(cmp.Compare(k.num, m.num), cmp.Compare(k.window, m.window))
	})
	keys := l.v.ix.keys
	it, err := l.r.Iter(keys.kind(kindMaster), keys.end(kindMaster))
	if err != nil {
		return fmt.Errorf("vecindex: vectors: %w", err)
	}
	defer it.Close()
	prefix := keys.kind(kindMaster)
	var unit []float32
	for i, row := range rows {
		if i%checkEvery == 0 && l.ctx.Err() != nil {
			return l.ctx.Err()
		}
		if i == 0 || row.row != rows[i-1].row {
			value, err := find(it, appendRowKey(prefix, at.key(row.row)))
			if err != nil {
				return err
			}
			if unit, err = decodeMaster(it.Key(), value, len(q)); err != nil {
				return err
			}
			l.v.ix.masters.put(masterKey{at.table.id, row.row}, unit)
		}
		l.note(row.place, l.v.ix.opts.Kernels.Dot(q, unit))
	}
	return nil
}

// approximate scores the documents by their codes.
func (l *lookup) approximate(q *query, at *position) error {
	dim, kernels := l.v.st.dim, l.v.ix.opts.Kernels
	if at != nil {
		l.gather(q, at, at.locate(l.nums))
	}
	var product [1]int32
	codes := make([]int8, len(q.codes))
	return l.v.eachBeyond(l.r, at, kindCode, l.nums, func(place int32, raw, value []byte) error {
		row, err := decodeRow(raw, value, dim)
		if err != nil {
			return err
		}
		for i, c := range row.codes {
			codes[i] = int8(c)
		}
		kernels.DotCodes(product[:], codes, q.codes)
		l.note(place, q.middle(product[0], row.scale))
		return nil
	})
}

// gather scores rows in memory by their codes, those of a chunk together.
func (l *lookup) gather(q *query, at *position, rows []located) {
	tmp := l.v.ix.getScratch()
	defer l.v.ix.scratch.Put(tmp)
	size := uint32(at.table.tuning.chunkRows)
	for len(rows) > 0 {
		chunk, n := rows[0].row/size, 0
		list := tmp.rows[:0]
		for n < min(len(rows), cap(list)) && rows[n].row/size == chunk {
			list = append(list, rows[n].row%size)
			n++
		}
		c, products := at.chunks[chunk], tmp.products[:n]
		l.v.ix.opts.Kernels.DotGather(products, c.codes, list, q.codes)
		for i, product := range products {
			l.note(rows[i].place, q.middle(product, c.scale[list[i]]))
		}
		rows = rows[n:]
	}
}
