// This file decides what a view is, and what it tells about documents without a
// scan.

package vecindex

import (
	"fmt"
	"sync/atomic"

	"github.com/contextforge-go/contextforge/kv"
)

// View is an immutable state of an index; its methods may be called
// concurrently, for as long as the snapshot that belongs to it is open.
type View struct {
	ix      *Index
	st      state
	version uint64
	at      atomic.Pointer[position] // nil while its rows are only in the snapshot
}

// Stats are the figures of a view.
type Stats struct {
	Documents uint64 // with at least one vector
	Vectors   uint64
	Dim       int
	// Resident is how many bytes the codes in memory take, those of dead
	// vectors and of the index's newest state included.
	Resident int64
	// Loaded tells that the view can be searched without reading the codes
	// first.
	Loaded bool
}

// Stats returns the figures of the view; it reads nothing.
func (v *View) Stats() Stats {
	s := Stats{Documents: v.st.documents, Vectors: v.st.vectors, Dim: v.st.dim}
	s.Loaded = v.at.Load() != nil || v.st.vectors == 0
	v.ix.mu.Lock()
	defer v.ix.mu.Unlock()
	if v.ix.table != nil {
		s.Resident = v.ix.table.bytes()
	}
	return s
}

// Has returns how many vectors a document has.
func (v *View) Has(r kv.Reader, num uint64) (windows int, err error) {
	if v.st.vectors == 0 {
		return 0, nil
	}
	rows, err := v.ix.keys.windows(r, num)
	if err != nil {
		return 0, fmt.Errorf("vecindex: document %d: %w", num, err)
	}
	return len(rows), nil
}

// Vectors returns the vectors of a document, each of length 1 and exactly as
// searches use it, in the order of the windows; none for a document without.
func (v *View) Vectors(r kv.Reader, num uint64) (vectors [][]float32, err error) {
	err = v.eachMaster(r, []uint64{num}, func(_ int, unit []float32) { vectors = append(vectors, unit) })
	return vectors, err
}

// eachMaster calls visit with the vectors of the documents, and their place in
// nums.
func (v *View) eachMaster(r kv.Reader, nums []uint64, visit func(i int, unit []float32)) error {
	if v.st.vectors == 0 {
		return nil
	}
	keys := v.ix.keys
	it, err := r.Iter(keys.kind(kindMaster), keys.end(kindMaster))
	if err != nil {
		return fmt.Errorf("vecindex: vectors: %w", err)
	}
	defer it.Close()
	for i, num := range nums {
		for ok := it.SeekGE(keys.row(kindMaster, rowKey{num, 0})); ok; ok = it.Next() {
			key, err := keys.parse(it.Key())
			if err != nil {
				return err
			}
			if key.num != num {
				break
			}
			value, err := it.Value()
			if err != nil {
				return fmt.Errorf("vecindex: vectors: %w", err)
			}
			unit, err := decodeMaster(it.Key(), value, v.st.dim)
			if err != nil {
				return err
			}
			visit(i, unit)
		}
		if err := it.Error(); err != nil {
			return fmt.Errorf("vecindex: vectors: %w", err)
		}
	}
	return nil
}
