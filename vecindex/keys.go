// This file decides the keys.

package vecindex

import (
	"encoding/binary"

	"github.com/contextforge-go/contextforge/kv"
)

// Kinds of keys, behind the prefix.
const (
	kindState  = 'S'
	kindCode   = 'C'
	kindMaster = 'V'
)

// rowKey identifies a vector.
type rowKey struct {
	num    uint64
	window uint16
}

func (k rowKey) less(l rowKey) bool {
	return k.num < l.num || k.num == l.num && k.window < l.window
}

// next is the smallest key above k; ok is false if there is none.
func (k rowKey) next() (n rowKey, ok bool) {
	if k.window < MaxWindows-1 {
		return rowKey{k.num, k.window + 1}, true
	}
	return rowKey{k.num + 1, 0}, k.num+1 != 0
}

// rowKeyBytes is the length of a rowKey.
const rowKeyBytes = 10

// keyspace makes keys under a prefix.
type keyspace struct{ prefix []byte }

func (s keyspace) state() []byte { return s.kind(kindState) }

// kind returns prefix and kind, with room for a row's key.
func (s keyspace) kind(kind byte) []byte {
	k := make([]byte, 0, len(s.prefix)+1+rowKeyBytes)
	return append(append(k, s.prefix...), kind)
}

func (s keyspace) row(kind byte, k rowKey) []byte {
	return appendRowKey(s.kind(kind), k)
}

// appendRowKey completes the key of a row.
func appendRowKey(b []byte, k rowKey) []byte {
	b = binary.BigEndian.AppendUint64(b, k.num)
	return binary.BigEndian.AppendUint16(b, k.window)
}

// end is behind the rows of a kind.
func (s keyspace) end(kind byte) []byte { return kv.PrefixEnd(s.kind(kind)) }

// document bounds the rows of a document.
func (s keyspace) document(kind byte, num uint64) (lower, upper []byte) {
	lower = binary.BigEndian.AppendUint64(s.kind(kind), num)
	return lower, kv.PrefixEnd(lower)
}

// isRow reports whether a key of a kind of rows has the length of one.
func (s keyspace) isRow(key []byte) bool { return len(key) == len(s.prefix)+1+rowKeyBytes }

// parse reads a row's key.
func (s keyspace) parse(key []byte) (rowKey, error) {
	n := len(s.prefix) + 1
	if !s.isRow(key) {
		return rowKey{}, corrupt("key %x", key)
	}
	return rowKey{binary.BigEndian.Uint64(key[n:]), binary.BigEndian.Uint16(key[n+8:])}, nil
}
