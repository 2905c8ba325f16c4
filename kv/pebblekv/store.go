// This file decides how a commit is numbered, made durable and acknowledged.

//go:build !js && !wasip1 && !solaris && !aix && !plan9

package pebblekv

import (
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/internal/lifecycle"
)

// Store implements kv.Store on Pebble.
type Store struct {
	gate   *lifecycle.Gate
	guard  *guard
	db     *pebble.DB
	opts   Options
	logger *slog.Logger
	dir    string
	lock   io.Closer
	ack    *acknowledged
	brake  brake
	limit  int // largest batch

	// removeMu keeps Compact from removing files that a checkpoint copies, and
	// checkpoints apart.
	removeMu sync.Mutex

	commitMu sync.Mutex // numbers commits in the order of the log
	sequence uint64     // newest commit
	wedged   atomic.Bool
	work     sync.WaitGroup // calls into Pebble that were given up
}

// Get returns the newest committed value of key; see kv.Reader.
func (s *Store) Get(key []byte) ([]byte, io.Closer, error) {
	if err := s.gate.Hold(); err != nil {
		return nil, nil, err
	}
	return getFrom(s.gate, s.db, key)
}

// Iter returns an iterator over the state of this moment; see kv.Reader.
func (s *Store) Iter(lower, upper []byte) (kv.Iterator, error) {
	if err := s.gate.Hold(); err != nil {
		return nil, err
	}
	return iterFrom(s.gate, s.db, lower, upper)
}

// Snapshot freezes the state of this moment.
func (s *Store) Snapshot() (kv.Snapshot, error) {
	if err := s.gate.Hold(); err != nil {
		return nil, err
	}
	return &snapshot{gate: s.gate, snap: s.db.NewSnapshot()}, nil
}

// NewBatch returns an empty batch for this store.
func (s *Store) NewBatch() kv.Batch { return &batch{b: s.db.NewBatch(), limit: s.limit} }

// Commit applies the batch; see kv.Store. Many goroutines that commit with
// kv.Sync share one disk sync.
func (s *Store) Commit(b kv.Batch, d kv.Durability) error {
	mine, ok := b.(*batch)
	if !ok {
		return fmt.Errorf("pebblekv: commit of a foreign batch of type %T", b)
	}
	if err := s.begin(); err != nil {
		return err
	}
	defer s.gate.Leave()
	if err := mine.check(); err != nil {
		return err
	}
	s.brake.wait(s.sublevels, s.guard.failed)
	mine.committed = true
	n, err := s.apply(mine.b, d)
	if err != nil || d == kv.NoSync {
		return err
	}
	s.ack.advance(n)
	return nil
}

// sublevels returns how many layers level 0 has.
func (s *Store) sublevels() int { return int(s.db.Metrics().Levels[0].Sublevels) }

// begin admits a call that changes the store.
func (s *Store) begin() error {
	if err := s.gate.Enter(); err != nil {
		return err
	}
	if err := s.guard.failure(); err != nil {
		s.gate.Leave()
		return err
	}
	return nil
}

// apply numbers the batch, hands it to Pebble and, for kv.Sync, waits for the
// disk. A nil error means that the disk has obeyed all along.
func (s *Store) apply(b *pebble.Batch, d kv.Durability) (n uint64, err error) {
	defer s.recoverPanic(&err)
	if n, err = s.enqueue(b, d); err != nil {
		return n, s.writeError(err)
	}
	if d == kv.Sync {
		err = b.SyncWait()
	}
	return n, s.writeError(err)
}

// enqueue gives the batch the next number and its place in the log.
func (s *Store) enqueue(b *pebble.Batch, d kv.Durability) (uint64, error) {
	s.commitMu.Lock()
	defer s.commitMu.Unlock()
	return s.enqueueLocked(b, d)
}

func (s *Store) enqueueLocked(b *pebble.Batch, d kv.Durability) (uint64, error) {
	n := s.sequence + 1
	if err := b.Set(sequenceKey, encodeSequence(n), nil); err != nil {
		return n, err
	}
	s.sequence = n
	if d == kv.Sync {
		return n, s.db.ApplyNoSyncWait(b, pebble.Sync)
	}
	return n, s.db.Apply(b, pebble.NoSync)
}

// writeError is what a write that Pebble answered with err returns: a frozen
// disk lets Pebble believe in success.
func (s *Store) writeError(err error) error {
	if failed := s.guard.failure(); failed != nil {
		return failed
	}
	if err != nil {
		s.guard.fail(err)
		return s.guard.failure()
	}
	return nil
}

// recoverPanic turns a panic inside Pebble into a failed store. Pebble may
// still hold its locks then, so nothing but reads is tried any more.
func (s *Store) recoverPanic(err *error) {
	if r := recover(); r != nil {
		s.wedged.Store(true)
		s.guard.fail(fmt.Errorf("panic in the storage engine: %v", r))
		*err = s.guard.failure()
	}
}

// Close releases the folder; see kv.Store. Commits with kv.NoSync become
// durable. A failed store returns its failure once more.
func (s *Store) Close() error { return s.gate.Close() }
