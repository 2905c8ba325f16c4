// This file decides how changes are collected, and which are refused.

//go:build !js && !wasip1 && !solaris && !aix && !plan9

package pebblekv

import (
	"encoding/binary"
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"github.com/contextforge-go/contextforge/kv"
)

// reservedByte begins the keys that users may not write or see.
const reservedByte = 0xFF

// userEnd is the upper bound of the users' keys.
var userEnd = []byte{reservedByte}

// sequenceKey holds the number of the newest commit.
var sequenceKey = []byte("\xffseq")

// lostKey holds how many acknowledged commits were ever found missing.
var lostKey = []byte("\xfflost")

// maxBatch is the largest batch in bytes: over the contract's 1 GiB, below
// what makes Pebble panic.
const maxBatch = 1<<30 + 1<<24

// batch wraps a Pebble batch. Pebble holds the bytes in the form in which they
// go to the log.
type batch struct {
	b         *pebble.Batch // nil after Close
	count     int
	limit     int
	reserved  bool // a key was empty or reserved
	tooLarge  bool // changes over the limit were dropped
	committed bool
}

func (b *batch) Set(key, value []byte) {
	if b.admit(key, len(key)+len(value)) {
		_ = b.b.Set(key, value, nil)
	}
}

func (b *batch) Delete(key []byte) {
	if b.admit(key, len(key)) {
		_ = b.b.Delete(key, nil)
	}
}

func (b *batch) DeleteRange(lower, upper []byte) {
	if upper == nil {
		upper = userEnd
	}
	if len(upper) > 1 && upper[0] == reservedByte {
		b.reserved = true
	}
	if len(lower) == 0 {
		lower = []byte{0} // the smallest key there can be
	}
	if b.admit(lower, len(lower)+len(upper)) {
		_ = b.b.DeleteRange(lower, upper, nil)
	}
}

// admit counts a change and reports whether it can be added.
func (b *batch) admit(key []byte, bytes int) bool {
	b.count++
	if len(key) == 0 || key[0] == reservedByte {
		b.reserved = true
	}
	if b.b != nil && bytes > b.limit-b.b.Len() {
		b.tooLarge = true
	}
	return b.b != nil && !b.reserved && !b.tooLarge
}

func (b *batch) Count() int { return b.count }

func (b *batch) Size() int {
	if b.b == nil || b.b.Empty() {
		return 0
	}
	return b.b.Len()
}

func (b *batch) Reset() {
	if b.b != nil {
		b.b.Reset()
	}
	b.count, b.reserved, b.tooLarge, b.committed = 0, false, false, false
}

func (b *batch) Close() error {
	if b.b == nil {
		return nil
	}
	err := b.b.Close()
	b.b = nil
	return err
}

// check returns why the batch can't be committed, or nil.
func (b *batch) check() error {
	switch {
	case b.b == nil:
		return fmt.Errorf("pebblekv: commit of a closed batch")
	case b.committed:
		return fmt.Errorf("pebblekv: batch committed twice without Reset")
	case b.reserved:
		return fmt.Errorf("pebblekv: commit: %w", kv.ErrReserved)
	case b.tooLarge:
		return fmt.Errorf("pebblekv: commit of more than %d bytes: %w", b.limit, kv.ErrBatchTooLarge)
	}
	return nil
}

func encodeSequence(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }
