// Package kv is the ordered key-value contract that every index of Context
// Forge is written against.
//
// A [Store] maps byte-string keys to byte-string values, ordered by
// bytes.Compare. Changes are made only through a [Batch], which [Store.Commit]
// applies as one unit: after a crash it is there wholly or not at all. Readers
// use the store itself, which always shows the newest committed state, or a
// [Snapshot], which never changes.
//
// Two implementations exist: kv/pebblekv (disk, or Pebble in RAM) and
// kv/memkv (RAM with an optional log file, on every platform Go has). The
// package kvtest holds the conformance suite that both pass.
//
// # Guarantees
//
// All methods of a Store and of a Snapshot may be called concurrently. A Batch
// and an Iterator belong to one goroutine at a time. Commits are applied in
// some total order; a commit is visible to every read that starts after
// Commit has returned.
//
// # Caveats
//
// Keys whose first byte is 0xFF are reserved for implementations: they are
// refused by Commit and never shown by an Iterator. An empty key is not valid.
package kv

import (
	"context"
	"errors"
	"io"
)

// Sentinel errors. Implementations wrap them with detail; match them with
// errors.Is.
var (
	// ErrNotFound is returned by Get for a key that is not in the store.
	ErrNotFound = errors.New("not found")
	// ErrClosed is returned by every operation on a closed store or snapshot.
	ErrClosed = errors.New("closed")
	// ErrLocked is returned by an opener when another process, or another
	// store of this process, holds the folder. The message names the folder.
	ErrLocked = errors.New("already open, here or in another process")
	// ErrFailed is returned by Commit, and by every later write, after the
	// disk refused a write (full, read-only, I/O error). Reads and Close keep
	// working; what was committed before is safe. Close the store, make room
	// and open it again.
	ErrFailed = errors.New("store failed, writes are refused")
	// ErrCorrupt reports stored bytes that can't be what was written.
	ErrCorrupt = errors.New("corrupt")
	// ErrForeign reports a folder that holds something else than a store of
	// this kind.
	ErrForeign = errors.New("not a Context Forge store")
	// ErrReserved is returned by Commit for an empty key or one that starts
	// with 0xFF.
	ErrReserved = errors.New("reserved key")
	// ErrBatchTooLarge is returned by Commit for a batch over the
	// implementation's limit (at least 1 GiB).
	ErrBatchTooLarge = errors.New("batch too large")
)

// Reader is what a Store and a Snapshot have in common.
type Reader interface {
	// Get returns the value of key. The value may be read, not changed, until
	// the closer is closed, which the caller must do exactly once. A missing
	// key gives ErrNotFound and a nil closer.
	Get(key []byte) (value []byte, closer io.Closer, err error)
	// Iter returns an iterator over the keys in [lower, upper); a nil bound is
	// open, and a range whose upper bound is not above the lower one is empty.
	// The iterator is not positioned yet and must be closed. On a Store it
	// reads one consistent state, that of the call. The bounds must not be
	// changed while the iterator is open.
	Iter(lower, upper []byte) (Iterator, error)
}

// Iterator walks a key range in either direction. The positioning methods
// return whether the iterator stands on an entry; after false, Error tells an
// exhausted range (nil) from a failed read, and Next and Prev keep returning
// false until First, Last or a seek positions the iterator again. An iterator
// of a snapshot outlives the snapshot.
type Iterator interface {
	First() bool
	Last() bool
	// SeekGE moves to the first key ≥ key inside the bounds.
	SeekGE(key []byte) bool
	// SeekLT moves to the last key < key inside the bounds.
	SeekLT(key []byte) bool
	Next() bool
	Prev() bool
	Valid() bool
	// Key is valid until the next positioning call and must not be changed.
	Key() []byte
	// Value is valid until the next positioning call and must not be changed.
	Value() ([]byte, error)
	Error() error
	Close() error
}

// Snapshot is a frozen, consistent state of a store. Taking one is cheap and
// blocks nobody; close it soon, as it keeps overwritten values alive.
type Snapshot interface {
	Reader
	io.Closer
}

// Batch collects changes. Keys and values are copied by the call, so the
// caller may reuse its slices. A later change of the same key wins. Problems
// (reserved keys, size) surface in Commit. A batch may be committed once; Reset
// makes it empty and usable again.
type Batch interface {
	Set(key, value []byte)
	Delete(key []byte)
	// DeleteRange removes all keys in [lower, upper), those set earlier in this
	// batch included; nil bounds are open, a crossed range removes nothing.
	DeleteRange(lower, upper []byte)
	// Count is the number of changes, Size their approximate size in bytes.
	Count() int
	Size() int
	Reset()
	// Close releases the batch's memory; it may be called more than once.
	Close() error
}

// Durability says when Commit returns.
type Durability int

const (
	// Sync returns once the batch, and with it every batch committed before,
	// is on stable storage.
	Sync Durability = iota
	// NoSync returns once the batch is visible to readers and handed to the
	// operating system's care at the implementation's leisure; a later Sync
	// commit or Flush makes it durable.
	NoSync
)

// Store is an ordered key-value store.
type Store interface {
	Reader
	NewBatch() Batch
	// Commit applies the batch atomically. On an error nothing of it is
	// applied as far as readers of this process see, except after ErrFailed,
	// when a reopened store shows it wholly or not at all.
	Commit(b Batch, d Durability) error
	Snapshot() (Snapshot, error)
	// Flush makes everything committed durable and moves it out of the log.
	Flush() error
	// Compact rewrites the store so that deleted and overwritten values,
	// those in recycled or obsolete logs included, are no longer on the disk
	// when it returns. Snapshots that are open keep what they see.
	Compact(ctx context.Context) error
	// Checkpoint writes a consistent copy of the store, openable on its own,
	// into dir, which must not exist or be empty. Writers go on meanwhile.
	Checkpoint(ctx context.Context, dir string) error
	// Verify reads everything and checks every checksum. It reports commits
	// that were acknowledged and are gone (a damaged log tail), damaged blocks
	// and the like, joined, each wrapping ErrCorrupt.
	Verify(ctx context.Context) error
	Metrics() Metrics
	// Close releases the folder. Open snapshots, iterators and values should be
	// closed before: if some are open, Close returns an error, they stay
	// usable, and the folder is released when the last of them is closed.
	// Otherwise it returns the first error that endangered data, if any. A
	// second Close returns ErrClosed.
	Close() error
}

// Metrics are figures for monitoring; a figure that an implementation does
// not have is 0.
type Metrics struct {
	DiskBytes   int64 // size of all files of the store
	MemoryBytes int64 // cache and write buffers held in RAM
	Syncs       int64 // syncs of the commit log since open
}

// GetCopy returns a copy of the value of key, appended to dst[:0].
func GetCopy(r Reader, dst, key []byte) ([]byte, error) {
	v, closer, err := r.Get(key)
	if err != nil {
		return nil, err
	}
	dst = append(dst[:0], v...)
	if err := closer.Close(); err != nil {
		return nil, err
	}
	return dst, nil
}

// PrefixEnd returns the smallest key greater than every key that starts with
// prefix, or nil if there is none.
func PrefixEnd(prefix []byte) []byte {
	end := append([]byte(nil), prefix...)
	for i := len(end) - 1; i >= 0; i-- {
		if end[i] < 0xFF {
			end[i]++
			return end[:i+1]
		}
	}
	return nil
}
