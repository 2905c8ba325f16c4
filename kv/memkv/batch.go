// This file decides how changes are collected and written as bytes.

package memkv

import (
	"encoding/binary"
	"fmt"

	"github.com/contextforge-go/contextforge/kv"
)

// Kinds of change inside a batch, part of the log format.
const (
	kindSet         = 1
	kindDelete      = 2
	kindDeleteRange = 3
)

// maxBatch is the largest payload of a log record. It is over the contract's
// 1 GiB and well inside an int on 32-bit platforms.
const maxBatch = 1<<30 + 1<<24

// reservedByte begins the keys that users may not write.
const reservedByte = 0xFF

// batch holds changes in log format, so that a commit writes it as it is.
type batch struct {
	data      []byte
	count     int
	reserved  bool // a key was empty or reserved
	committed bool
	limit     int
}

func (b *batch) Set(key, value []byte) {
	b.checkKey(key)
	b.append(kindSet, key, value)
}

func (b *batch) Delete(key []byte) {
	b.checkKey(key)
	b.append(kindDelete, key, nil)
}

func (b *batch) DeleteRange(lower, upper []byte) {
	if upper == nil {
		upper = []byte{reservedByte}
	}
	if isReserved(lower) || len(upper) > 1 && upper[0] == reservedByte {
		b.reserved = true
	}
	b.append(kindDeleteRange, lower, upper)
}

func (b *batch) checkKey(key []byte) {
	if len(key) == 0 || isReserved(key) {
		b.reserved = true
	}
}

func isReserved(key []byte) bool { return len(key) > 0 && key[0] == reservedByte }

func (b *batch) append(kind byte, key, value []byte) {
	b.count++
	b.data = appendChange(b.data, kind, key, value)
}

func appendChange(dst []byte, kind byte, key, value []byte) []byte {
	dst = append(dst, kind)
	dst = binary.AppendUvarint(dst, uint64(len(key)))
	dst = append(dst, key...)
	dst = binary.AppendUvarint(dst, uint64(len(value)))
	return append(dst, value...)
}

func (b *batch) Count() int { return b.count }
func (b *batch) Size() int  { return len(b.data) }

func (b *batch) Reset() {
	b.data, b.count, b.reserved, b.committed = b.data[:0], 0, false, false
}

func (b *batch) Close() error {
	b.data = nil
	return nil
}

// check returns why the batch can't be committed, or nil.
func (b *batch) check() error {
	switch {
	case b.committed:
		return fmt.Errorf("memkv: batch committed twice without Reset")
	case b.reserved:
		return fmt.Errorf("memkv: commit: %w", kv.ErrReserved)
	case len(b.data) > b.limit:
		return fmt.Errorf("memkv: commit of %d bytes, the limit is %d: %w", len(b.data), b.limit, kv.ErrBatchTooLarge)
	}
	return nil
}

// change is one decoded element of a batch; its slices alias the batch.
type change struct {
	kind       byte
	key, value []byte
}

// nextChange decodes the first change of data and returns the rest; ok is
// false if data isn't what a batch writes.
func nextChange(data []byte) (c change, rest []byte, ok bool) {
	if len(data) == 0 || data[0] < kindSet || data[0] > kindDeleteRange {
		return change{}, nil, false
	}
	c.kind = data[0]
	if c.key, rest, ok = cutBytes(data[1:]); !ok {
		return change{}, nil, false
	}
	c.value, rest, ok = cutBytes(rest)
	return c, rest, ok
}

// cutBytes takes a uvarint length and as many bytes off the front of data.
func cutBytes(data []byte) (head, rest []byte, ok bool) {
	n, size := binary.Uvarint(data)
	if size <= 0 || n > uint64(len(data)-size) {
		return nil, nil, false
	}
	end := size + int(n)
	return data[size:end:end], data[end:], true
}
