// This file decides how values, iterators and snapshots are handed out.

//go:build !js && !wasip1 && !solaris && !aix && !plan9

package pebblekv

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/internal/lifecycle"
)

// source is what a Pebble database and a Pebble snapshot have in common.
type source interface {
	Get(key []byte) ([]byte, io.Closer, error)
	NewIter(*pebble.IterOptions) (*pebble.Iterator, error)
}

// value releases what Get returned. Values are pooled, as Get is the hottest
// call of all.
type value struct {
	gate  *lifecycle.Gate
	inner io.Closer
}

var valuePool = sync.Pool{New: func() any { return new(value) }}

func (v *value) Close() error {
	gate, err := v.gate, v.inner.Close()
	*v = value{}
	valuePool.Put(v)
	gate.Drop()
	return err
}

// getFrom looks key up in src; the caller has admitted one reader, which ends
// with the value, or here if there is none.
func getFrom(gate *lifecycle.Gate, src source, key []byte) ([]byte, io.Closer, error) {
	if len(key) == 0 || key[0] == reservedByte {
		gate.Drop()
		return nil, nil, kv.ErrNotFound
	}
	data, inner, err := src.Get(key)
	if err != nil {
		gate.Drop()
		return nil, nil, readError(err)
	}
	v := valuePool.Get().(*value)
	v.gate, v.inner = gate, inner
	return data, v, nil
}

// readError translates an error of a read.
func readError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, pebble.ErrNotFound):
		return kv.ErrNotFound
	case pebble.IsCorruptionError(err):
		return fmt.Errorf("pebblekv: %w: %w", kv.ErrCorrupt, err)
	}
	return fmt.Errorf("pebblekv: read: %w", err)
}

// iterator wraps a Pebble iterator. Pebble moves back on after it has run off
// an end; here only the positioning calls do.
type iterator struct {
	gate  *lifecycle.Gate
	it    *pebble.Iterator // nil after Close
	valid bool
}

// iterFrom returns an iterator over src; the caller has admitted one reader,
// which ends with the iterator.
func iterFrom(gate *lifecycle.Gate, src source, lower, upper []byte) (kv.Iterator, error) {
	lower, upper = clampBounds(lower, upper)
	it, err := src.NewIter(&pebble.IterOptions{LowerBound: lower, UpperBound: upper})
	if err != nil {
		gate.Drop()
		return nil, readError(err)
	}
	return &iterator{gate: gate, it: it}, nil
}

// clampBounds keeps the reserved keys out. Pebble takes an empty bound for
// none and forbids crossed ones, so an empty range is made an equal pair.
func clampBounds(lower, upper []byte) ([]byte, []byte) {
	if upper == nil || bytes.Compare(upper, userEnd) > 0 {
		upper = userEnd
	}
	if len(upper) == 0 || bytes.Compare(lower, upper) >= 0 {
		return userEnd, userEnd
	}
	if len(lower) == 0 {
		lower = nil
	}
	return lower, upper
}

func (i *iterator) First() bool { return i.settle(i.it != nil && i.it.First()) }
func (i *iterator) Last() bool  { return i.settle(i.it != nil && i.it.Last()) }
func (i *iterator) Next() bool  { return i.settle(i.valid && i.it.Next()) }
func (i *iterator) Prev() bool  { return i.settle(i.valid && i.it.Prev()) }

// SeekGE of the empty key, which Pebble doesn't expect, is First.
func (i *iterator) SeekGE(key []byte) bool {
	if len(key) == 0 {
		return i.First()
	}
	return i.settle(i.it != nil && i.it.SeekGE(key))
}

// SeekLT of the empty key finds nothing.
func (i *iterator) SeekLT(key []byte) bool {
	return i.settle(i.it != nil && len(key) > 0 && i.it.SeekLT(key))
}

func (i *iterator) settle(valid bool) bool {
	i.valid = valid
	return valid
}

func (i *iterator) Valid() bool { return i.valid }

func (i *iterator) Key() []byte {
	if !i.valid {
		return nil
	}
	return i.it.Key()
}

func (i *iterator) Value() ([]byte, error) {
	if !i.valid {
		return nil, i.Error()
	}
	v, err := i.it.ValueAndErr()
	return v, readError(err)
}

func (i *iterator) Error() error {
	if i.it == nil {
		return kv.ErrClosed
	}
	return readError(i.it.Error())
}

func (i *iterator) Close() error {
	if i.it == nil {
		return kv.ErrClosed
	}
	err := i.it.Close()
	i.it, i.valid = nil, false
	i.gate.Drop()
	return readError(err)
}

// snapshot wraps a Pebble snapshot.
type snapshot struct {
	gate   *lifecycle.Gate
	snap   *pebble.Snapshot
	mu     sync.RWMutex // Close excludes Get and Iter
	closed atomic.Bool
}

func (s *snapshot) Get(key []byte) ([]byte, io.Closer, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed.Load() {
		return nil, nil, kv.ErrClosed
	}
	s.gate.Share()
	return getFrom(s.gate, s.snap, key)
}

func (s *snapshot) Iter(lower, upper []byte) (kv.Iterator, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed.Load() {
		return nil, kv.ErrClosed
	}
	s.gate.Share()
	return iterFrom(s.gate, s.snap, lower, upper)
}

func (s *snapshot) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed.Swap(true) {
		return kv.ErrClosed
	}
	err := s.snap.Close()
	s.gate.Drop()
	return err
}
