// This file decides how changes reach the index: collected in a transaction,
// turned into keys of the caller's batch, and published after its commit. A
// transaction that is dropped has changed nothing.

package vecindex

import (
	"fmt"
	"slices"

	"github.com/contextforge-go/contextforge/kv"
)

// Tx is a group of changes; it belongs to one goroutine, under the caller's
// write lock from Begin until Publish. Call Add, Delete, Clear and SetDim as
// needed, then Apply once, and after the commit Publish.
type Tx struct {
	ix      *Index
	base    state
	st      state
	cleared bool
	deleted map[uint64]bool // documents of the index before that go
	order   []uint64        // the same, in order
	gone    []rowKey        // their rows
	adds    []added
	windows map[uint64]int // the next window of documents added to
	applied bool
}

// added is a vector that comes.
type added struct {
	row    *codeRow
	master []float32
}

// Begin starts a transaction.
func (ix *Index) Begin() *Tx {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	return &Tx{ix: ix, base: ix.st, st: ix.st, deleted: map[uint64]bool{}, windows: map[uint64]int{}}
}

// SetDim fixes the dimension of an index that has none. It returns ErrDimension
// if the index has another one, or no index can have that.
func (tx *Tx) SetDim(dim int) error {
	if dim < 1 || dim > MaxDim || tx.st.dim != 0 && tx.st.dim != dim {
		return fmt.Errorf("%w: %d, the index has %d", ErrDimension, dim, tx.st.dim)
	}
	tx.st.dim = dim
	return nil
}

// Add adds the vectors of a document, or later windows of one that is there. The
// first vector fixes the dimension of an index that has none. It returns
// ErrDimension, ErrNotFinite, ErrZero or ErrWindows, and adds nothing then.
func (tx *Tx) Add(d Doc) error {
	next, known := tx.windows[d.Num]
	if d.First < 0 || d.First+len(d.Vectors) > MaxWindows || known && d.First != next {
		return fmt.Errorf("%w: document %d, %d from %d on", ErrWindows, d.Num, len(d.Vectors), d.First)
	}
	dim := tx.st.dim
	for i, v := range d.Vectors {
		if err := check(v, dim); err != nil {
			return fmt.Errorf("document %d, window %d: %w", d.Num, d.First+i, err)
		}
		dim = len(v)
	}
	if len(d.Vectors) == 0 {
		return nil
	}
	tx.st.dim = dim
	for i, v := range d.Vectors {
		tx.add(rowKey{d.Num, uint16(d.First + i)}, d.Scope, v)
	}
	if d.First == 0 {
		tx.st.documents++
	}
	tx.st.vectors += uint64(len(d.Vectors))
	tx.windows[d.Num] = d.First + len(d.Vectors)
	return nil
}

func (tx *Tx) add(key rowKey, scope string, v []float32) {
	row := &codeRow{key: key, scope: scope}
	unit := normalize(v)
	row.codes, row.scale, row.residual = quantize(unit)
	tx.adds = append(tx.adds, added{row, unit})
}

// Delete removes all windows of a document; r shows the newest committed state.
// A number without vectors is fine. The work is proportional to the document.
func (tx *Tx) Delete(r kv.Reader, num uint64) error {
	tx.withdraw(num)
	if tx.cleared || tx.deleted[num] || tx.base.vectors == 0 {
		return nil
	}
	rows, err := tx.ix.keys.windows(r, num)
	if err != nil {
		return fmt.Errorf("vecindex: document %d: %w", num, err)
	}
	if len(rows) == 0 {
		return nil
	}
	tx.deleted[num] = true
	tx.order = append(tx.order, num)
	tx.gone = append(tx.gone, rows...)
	tx.st.documents = reduced(tx.st.documents, 1)
	tx.st.vectors = reduced(tx.st.vectors, uint64(len(rows)))
	return nil
}

// withdraw takes back what the transaction added to a document.
func (tx *Tx) withdraw(num uint64) {
	if _, ok := tx.windows[num]; !ok {
		return
	}
	delete(tx.windows, num)
	tx.adds = slices.DeleteFunc(tx.adds, func(a added) bool {
		if a.row.key.num != num {
			return false
		}
		if a.row.key.window == 0 {
			tx.st.documents--
		}
		tx.st.vectors--
		return true
	})
}

// reduced is a - b, or 0: windows added wrongly must not make counters wrap.
func reduced(a, b uint64) uint64 { return a - min(a, b) }

// windows reads the keys of a document's rows.
func (s keyspace) windows(r kv.Reader, num uint64) (rows []rowKey, err error) {
	it, err := r.Iter(s.document(kindCode, num))
	if err != nil {
		return nil, err
	}
	defer it.Close()
	for ok := it.First(); ok; ok = it.Next() {
		key, err := s.parse(it.Key())
		if err != nil {
			return nil, err
		}
		rows = append(rows, key)
	}
	return rows, it.Error()
}

// Clear removes everything, the dimension and what was added earlier in the
// transaction included. What is added later in it stays.
func (tx *Tx) Clear() {
	tx.cleared = true
	tx.st = state{}
	tx.adds, tx.order, tx.gone = nil, nil, nil
	clear(tx.deleted)
	clear(tx.windows)
}

// Apply writes the transaction into the batch. It changes nothing in memory.
func (tx *Tx) Apply(b kv.Batch) error {
	keys := tx.ix.keys
	if tx.cleared {
		b.DeleteRange(keys.prefix, kv.PrefixEnd(keys.prefix))
	}
	for _, k := range tx.gone {
		b.Delete(keys.row(kindCode, k))
		b.Delete(keys.row(kindMaster, k))
	}
	for _, a := range tx.adds {
		b.Set(keys.row(kindCode, a.row.key), a.row.encode())
		b.Set(keys.row(kindMaster, a.row.key), encodeMaster(a.master))
	}
	before := tx.base
	if tx.cleared {
		before = state{}
	}
	if tx.st != before {
		b.Set(keys.state(), tx.st.encode())
	}
	tx.applied = true
	return nil
}

// Publish makes the applied and committed transaction visible to new views.
func (tx *Tx) Publish() {
	if !tx.applied {
		return
	}
	tx.applied = false
	c := change{cleared: tx.cleared, deleted: tx.order}
	for _, a := range tx.adds {
		c.added = append(c.added, a.row)
	}
	tx.ix.publish(tx.st, c)
}
