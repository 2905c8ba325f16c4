// This file decides how an index is made again from its vectors, which are the
// truth about them.

package vecindex

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/contextforge-go/contextforge/kv"
)

// Check returns ErrDimension, ErrNotFinite or ErrZero for a vector that can't be
// stored in an index of dim values, or be searched for in it.
func Check(vector []float32, dim int) error { return check(vector, dim) }

// repairBatch is the number of rows in a commit of a repair.
const repairBatch = 1024

// Repair makes the codes and the counts of the index under a prefix again from
// the vectors. A document with a vector that can't be read or is missing loses all
// of its, and so does one that the caller doesn't want (any more):
// owner returns a document's scope and whether it stays. No Index of the prefix
// may be in use; open it afterwards. A repair that was cut off is to be repeated.
func Repair(ctx context.Context, store kv.Store, prefix []byte, owner func(num uint64) (scope string, keep bool, err error)) error {
	r := repair{ctx: ctx, store: store, keys: keyspace{prefix}, owner: owner}
	if err := r.run(); err != nil {
		return fmt.Errorf("vecindex: repair: %w", err)
	}
	return nil
}

type repair struct {
	ctx   context.Context
	store kv.Store
	keys  keyspace
	owner func(num uint64) (string, bool, error)

	batch kv.Batch
	st    state
	doc   []rowKey    // of the current document
	units [][]float32 // its vectors, nil once one can't be read
}

func (r *repair) run() (err error) {
	r.batch = r.store.NewBatch()
	defer func() { err = errors.Join(err, r.batch.Close()) }()
	if err := r.dropTorn(); err != nil {
		return err
	}
	r.batch.Delete(r.keys.state())
	r.batch.DeleteRange(r.keys.kind(kindCode), r.keys.end(kindCode))
	if err := r.commit(kv.NoSync); err != nil {
		return err
	}
	if err := r.documents(); err != nil {
		return err
	}
	if r.st != (state{}) {
		r.batch.Set(r.keys.state(), r.st.encode())
	}
	return r.commit(kv.Sync)
}

// dropTorn removes the documents with a code row that has no vector. The code rows,
// which go next, are all that tells of a last window.
func (r *repair) dropTorn() error {
	codes, err := r.store.Iter(r.keys.kind(kindCode), r.keys.end(kindCode))
	if err != nil {
		return err
	}
	defer codes.Close()
	masters, err := r.store.Iter(r.keys.kind(kindMaster), r.keys.end(kindMaster))
	if err != nil {
		return err
	}
	defer masters.Close()
	n := len(r.keys.prefix) + 1
	masters.First()
	for ok := codes.First(); ok; ok = codes.Next() {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		for masters.Valid() && bytes.Compare(masters.Key()[n:], codes.Key()[n:]) < 0 {
			masters.Next()
		}
		if masters.Valid() && bytes.Equal(masters.Key()[n:], codes.Key()[n:]) {
			continue
		}
		if err := r.dropVectors(codes.Key()); err != nil {
			return err
		}
	}
	return errors.Join(codes.Error(), masters.Error())
}

// dropVectors removes the vectors of the document that a code row is of.
func (r *repair) dropVectors(raw []byte) error {
	if !r.keys.isRow(raw) {
		return nil // of no document; it goes with the others
	}
	key, err := r.keys.parse(raw)
	if err != nil {
		return err
	}
	r.batch.DeleteRange(r.keys.document(kindMaster, key.num))
	if r.batch.Count() < repairBatch {
		return nil
	}
	return r.commit(kv.NoSync)
}

func (r *repair) commit(d kv.Durability) error {
	err := r.store.Commit(r.batch, d)
	r.batch.Reset()
	return err
}

// documents walks over the vectors, document by document.
func (r *repair) documents() error {
	it, err := r.store.Iter(r.keys.kind(kindMaster), r.keys.end(kindMaster))
	if err != nil {
		return err
	}
	defer it.Close()
	for ok := it.First(); ok; ok = it.Next() {
		if err := r.ctx.Err(); err != nil {
			return err
		}
		key, err := r.keys.parse(it.Key())
		if err != nil {
			r.batch.Delete(append([]byte(nil), it.Key()...))
			continue
		}
		if len(r.doc) > 0 && r.doc[0].num != key.num {
			if err := r.document(); err != nil {
				return err
			}
		}
		value, err := it.Value()
		if err != nil {
			return err
		}
		r.collect(key, it.Key(), value)
	}
	if err := it.Error(); err != nil {
		return err
	}
	return r.document()
}

// collect adds a row to the current document. The first vector that can be read
// tells the dimension.
func (r *repair) collect(key rowKey, raw, value []byte) {
	if len(r.doc) == 0 {
		r.units = make([][]float32, 0, 1)
	}
	r.doc = append(r.doc, key)
	dim := r.st.dim
	if dim == 0 && len(r.units) > 0 {
		dim = len(r.units[0])
	}
	if n := len(value) - 1 - crcBytes; dim == 0 && n > 0 && n%4 == 0 && n/4 <= MaxDim {
		dim = n / 4
	}
	unit, err := decodeMaster(raw, value, dim)
	if err == nil {
		norm := length(dim, func(i int) float64 { return float64(unit[i]) })
		if dim == 0 || math.Abs(norm-1) > nearUnit {
			err = kv.ErrCorrupt
		}
	}
	if err != nil || r.units == nil || int(key.window) != len(r.units) {
		r.units = nil
		return
	}
	r.units = append(r.units, unit)
}

// document writes the code rows of the current document, or removes it.
func (r *repair) document() error {
	if len(r.doc) == 0 {
		return nil
	}
	rows := r.doc
	r.doc = nil
	scope, keep, err := r.owner(rows[0].num)
	if err != nil {
		return err
	}
	if keep && r.units != nil {
		r.st.dim = len(r.units[0])
		r.st.documents++
		r.st.vectors += uint64(len(rows))
		for i, key := range rows {
			row := codeRow{key: key, scope: scope}
			row.codes, row.scale, row.residual = quantize(r.units[i])
			r.batch.Set(r.keys.row(kindCode, key), row.encode())
		}
	} else {
		for _, key := range rows {
			r.batch.Delete(r.keys.row(kindMaster, key))
		}
	}
	if r.batch.Count() < repairBatch {
		return nil
	}
	return r.commit(kv.NoSync)
}
