// This file decides how a frozen tree is read: by key, and in both directions.

package memkv

import (
	"bytes"
	"io"

	"github.com/tidwall/btree"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/internal/lifecycle"
)

// noopCloser closes values, which need no release: they are never overwritten.
type noopCloser struct{}

func (noopCloser) Close() error { return nil }

func found(value []byte, ok bool) ([]byte, io.Closer, error) {
	if !ok {
		return nil, nil, kv.ErrNotFound
	}
	return value, noopCloser{}, nil
}

// snapshot is a frozen tree.
type snapshot struct {
	gate   *lifecycle.Gate
	tree   *tree
	closed chan struct{} // closed by Close
}

func (s *snapshot) isClosed() bool {
	select {
	case <-s.closed:
		return true
	default:
		return false
	}
}

func (s *snapshot) Get(key []byte) ([]byte, io.Closer, error) {
	if s.isClosed() {
		return nil, nil, kv.ErrClosed
	}
	e, ok := s.tree.Get(entry{key: key})
	return found(e.value, ok)
}

func (s *snapshot) Iter(lower, upper []byte) (kv.Iterator, error) {
	if s.isClosed() {
		return nil, kv.ErrClosed
	}
	s.gate.Share()
	return newIterator(s.gate, s.tree, lower, upper), nil
}

func (s *snapshot) Close() error {
	if s.isClosed() {
		return kv.ErrClosed
	}
	close(s.closed)
	s.gate.Drop()
	return nil
}

// iterator walks a frozen tree within [lower, upper).
type iterator struct {
	gate         *lifecycle.Gate
	it           btree.IterG[entry]
	lower, upper []byte // nil is open
	item         entry
	valid        bool
	closed       bool
}

// newIterator walks t; the caller has admitted one reader, which ends with the
// iterator.
func newIterator(gate *lifecycle.Gate, t *tree, lower, upper []byte) *iterator {
	return &iterator{gate: gate, it: t.Iter(), lower: bytes.Clone(lower), upper: bytes.Clone(upper)}
}

func (i *iterator) First() bool {
	if i.lower != nil {
		return i.settle(!i.closed && i.it.Seek(entry{key: i.lower}))
	}
	return i.settle(!i.closed && i.it.First())
}

func (i *iterator) Last() bool {
	if i.upper != nil {
		return i.seekBefore(i.upper)
	}
	return i.settle(!i.closed && i.it.Last())
}

func (i *iterator) SeekGE(key []byte) bool {
	if i.lower != nil && bytes.Compare(key, i.lower) < 0 {
		key = i.lower
	}
	return i.settle(!i.closed && i.it.Seek(entry{key: key}))
}

func (i *iterator) SeekLT(key []byte) bool {
	if i.upper != nil && bytes.Compare(key, i.upper) > 0 {
		key = i.upper
	}
	return i.seekBefore(key)
}

func (i *iterator) seekBefore(key []byte) bool {
	if i.closed {
		return false
	}
	if i.it.Seek(entry{key: key}) {
		return i.settle(i.it.Prev())
	}
	return i.settle(i.it.Last())
}

func (i *iterator) Next() bool { return i.settle(i.valid && i.it.Next()) }
func (i *iterator) Prev() bool { return i.settle(i.valid && i.it.Prev()) }

// settle takes over the tree's position if there is one inside the bounds.
func (i *iterator) settle(positioned bool) bool {
	i.item, i.valid = entry{}, false
	if !positioned {
		return false
	}
	item := i.it.Item()
	if i.lower != nil && bytes.Compare(item.key, i.lower) < 0 ||
		i.upper != nil && bytes.Compare(item.key, i.upper) >= 0 {
		return false
	}
	i.item, i.valid = item, true
	return true
}

func (i *iterator) Valid() bool            { return i.valid }
func (i *iterator) Key() []byte            { return i.item.key }
func (i *iterator) Value() ([]byte, error) { return i.item.value, nil }

func (i *iterator) Error() error {
	if i.closed {
		return kv.ErrClosed
	}
	return nil
}

func (i *iterator) Close() error {
	if i.closed {
		return kv.ErrClosed
	}
	i.closed, i.valid, i.item = true, false, entry{}
	i.gate.Drop()
	return nil
}
