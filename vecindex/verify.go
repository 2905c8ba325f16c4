// This file decides whether a stored index is right: codes and vectors side by
// side, and beside them the documents they belong to.

package vecindex

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/contextforge-go/contextforge/kv"
)

// DocRef is a document that the caller knows.
type DocRef struct {
	Num   uint64
	Scope string
	// Windows is how many vectors it has to have; less than 0 means any
	// number, 0 included.
	Windows int
}

// maxProblems is how many problems Verify reports.
const maxProblems = 100

// Verify reads the whole index from the snapshot that belongs to the view and
// reports what is wrong, joined, each problem wrapping kv.ErrCorrupt: values that
// can't be decoded, codes that are not those of their vector or lack it, vectors
// without codes, missing windows, wrong counts. docs are all documents that may
// have vectors, ascending by number: rows of others are reported too, as are
// documents with another scope or number of vectors. With nil docs nothing is
// known about documents. Failed reads, errors of docs and that of the context
// end it.
func (v *View) Verify(ctx context.Context, r kv.Reader, docs iter.Seq2[DocRef, error]) error {
	c := &verifier{view: v, ctx: ctx}
	if docs != nil {
		next, stop := iter.Pull2(docs)
		defer stop()
		c.next = next
	}
	if err := c.run(r); err != nil {
		return fmt.Errorf("vecindex: verify: %w", err)
	}
	return errors.Join(c.problems...)
}

// verifier walks over the rows in the order of their keys.
type verifier struct {
	view     *View
	ctx      context.Context
	problems []error
	rows     int

	next  func() (DocRef, error, bool) // nil if nothing is known about documents
	ref   DocRef                       // what it returned
	known bool                         // it returned one

	documents, vectors uint64 // so far
	current            DocRef // the latest document, as its rows say
}

func (c *verifier) report(text string, args ...any) {
	if len(c.problems) < maxProblems {
		c.problems = append(c.problems, corrupt(text, args...))
	}
}

func (c *verifier) run(r kv.Reader) error {
	if c.next != nil {
		if err := c.advance(); err != nil {
			return err
		}
	}
	keys := c.view.ix.keys
	codes, err := r.Iter(keys.kind(kindCode), keys.end(kindCode))
	if err != nil {
		return err
	}
	defer codes.Close()
	masters, err := r.Iter(keys.kind(kindMaster), keys.end(kindMaster))
	if err != nil {
		return err
	}
	defer masters.Close()
	codes.First()
	masters.First()
	for codes.Valid() || masters.Valid() {
		if err := c.step(codes, masters); err != nil {
			return err
		}
	}
	if err := errors.Join(codes.Error(), masters.Error()); err != nil {
		return err
	}
	return c.end()
}

// step looks at the smaller of the two keys.
func (c *verifier) step(codes, masters kv.Iterator) error {
	if c.rows++; c.rows%checkEvery == 0 && c.ctx.Err() != nil {
		return c.ctx.Err()
	}
	order, n := 0, len(c.view.ix.keys.prefix)+1
	switch {
	case !masters.Valid():
		order = -1
	case !codes.Valid():
		order = 1
	default:
		order = bytes.Compare(codes.Key()[n:], masters.Key()[n:])
	}
	if order > 0 {
		c.report("no code row for the vector under key %x", masters.Key())
		masters.Next()
		return nil
	}
	var value []byte
	if order == 0 {
		var err error
		if value, err = masters.Value(); err != nil {
			return err
		}
	} else {
		c.report("no vector for the code row under key %x", codes.Key())
	}
	if err := c.row(codes, value); err != nil {
		return err
	}
	codes.Next()
	if order == 0 {
		masters.Next()
	}
	return nil
}

// row checks a code row and its master, nil if it has none.
func (c *verifier) row(codes kv.Iterator, master []byte) error {
	if !c.view.ix.keys.isRow(codes.Key()) {
		c.report("key %x is no key of a row", codes.Key())
		return nil
	}
	key, err := c.view.ix.keys.parse(codes.Key())
	if err != nil {
		return err
	}
	value, err := codes.Value()
	if err != nil {
		return err
	}
	dim := c.view.st.dim
	row, bad := decodeRow(codes.Key(), value, dim)
	if bad != nil {
		c.report("code row, key %x", codes.Key())
	}
	c.vectors++
	if err := c.document(key, row, bad == nil); err != nil {
		return err
	}
	if master == nil {
		return nil
	}
	mkey := c.view.ix.keys.row(kindMaster, key)
	unit, merr := decodeMaster(mkey, master, dim)
	switch {
	case merr != nil:
		c.report("vector, key %x", mkey)
	case bad == nil && !matches(row, unit):
		c.report("code row under key %x is not that of its vector", codes.Key())
	}
	return nil
}

// matches reports whether the row is the code of the vector, and the vector's
// length 1.
func matches(row rawRow, unit []float32) bool {
	norm := length(len(unit), func(i int) float64 { return float64(unit[i]) })
	codes, scale, residual := quantize(unit)
	return math.Abs(norm-1) <= nearUnit && scale == row.scale && residual == row.residual &&
		slices.EqualFunc(codes, row.codes, func(a int8, b byte) bool { return a == int8(b) })
}

// document checks that a row continues its document, or begins one.
func (c *verifier) document(key rowKey, row rawRow, decoded bool) error {
	if c.documents == 0 || c.current.Num != key.num {
		if err := c.finish(); err != nil {
			return err
		}
		c.documents++
		c.current = DocRef{Num: key.num, Scope: string(row.scope)}
	} else if decoded && string(row.scope) != c.current.Scope {
		c.report("document %d is in several scopes", key.num)
	}
	if int(key.window) != c.current.Windows {
		c.report("document %d has no window %d", key.num, c.current.Windows)
	}
	c.current.Windows = int(key.window) + 1
	return nil
}

// finish compares the current document, if there is one, with what the caller
// knows of it.
func (c *verifier) finish() error {
	if c.documents == 0 || c.next == nil {
		return nil
	}
	if err := c.skip(func(ref DocRef) bool { return ref.Num < c.current.Num }); err != nil {
		return err
	}
	switch ref := c.ref; {
	case !c.known || ref.Num != c.current.Num:
		c.report("vectors of document %d, which is unknown", c.current.Num)
		return nil
	case ref.Scope != c.current.Scope:
		c.report("document %d is in another scope than its vectors", ref.Num)
	case ref.Windows >= 0 && ref.Windows != c.current.Windows:
		c.report("document %d has %d vectors, not %d", ref.Num, c.current.Windows, ref.Windows)
	}
	return c.advance()
}

// skip passes over known documents that have no vectors.
func (c *verifier) skip(while func(ref DocRef) bool) error {
	for c.known && while(c.ref) {
		if c.ref.Windows > 0 {
			c.report("document %d has no vectors, not %d", c.ref.Num, c.ref.Windows)
		}
		if err := c.advance(); err != nil {
			return err
		}
	}
	return nil
}

// advance moves to the next known document.
func (c *verifier) advance() error {
	ref, err, ok := c.next()
	if err != nil {
		return err
	}
	if ok && c.known && ref.Num <= c.ref.Num {
		return fmt.Errorf("%w: document %d after %d", errOrder, ref.Num, c.ref.Num)
	}
	c.ref, c.known = ref, ok
	return nil
}

// errOrder reports known documents that don't ascend.
var errOrder = errors.New("documents don't ascend")

// end compares the counts, and the documents after the last row.
func (c *verifier) end() error {
	if err := c.finish(); err != nil {
		return err
	}
	if err := c.skip(func(DocRef) bool { return true }); err != nil {
		return err
	}
	if st := c.view.st; st.documents != c.documents || st.vectors != c.vectors {
		c.report("the state under key %x counts %d documents with %d vectors, not %d with %d",
			c.view.ix.keys.state(), st.documents, st.vectors, c.documents, c.vectors)
	}
	return nil
}
