// This file decides what a store does on each call, and in which order a
// commit reaches the log and the readers.

package memkv

import (
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/internal/lifecycle"
)

// Store implements kv.Store in memory, with a folder or without.
type Store struct {
	gate  *lifecycle.Gate
	state state

	writeMu sync.Mutex // serialises commits and work on the folder
	folder  *folder    // nil without one
	limit   int        // largest batch
}

// New returns an empty store that ends with the process. Flush and Compact do
// nothing, Sync equals NoSync, and Checkpoint writes a folder for [Open].
func New() *Store {
	s := &Store{limit: maxBatch}
	s.state.tree = newTree()
	s.gate = lifecycle.New(s.shutdown)
	return s
}

func (s *Store) shutdown() error {
	if s.folder == nil {
		return nil
	}
	return s.folder.close()
}

// Get returns the newest committed value of key, which stays valid for good;
// see kv.Reader.
func (s *Store) Get(key []byte) ([]byte, io.Closer, error) {
	if s.gate.Closed() {
		return nil, nil, kv.ErrClosed
	}
	return found(s.state.get(key))
}

// Iter returns an iterator over the state of this moment; see kv.Reader.
func (s *Store) Iter(lower, upper []byte) (kv.Iterator, error) {
	if err := s.gate.Hold(); err != nil {
		return nil, err
	}
	return newIterator(s.gate, s.state.freeze(), lower, upper), nil
}

// Snapshot freezes the state of this moment in O(1).
func (s *Store) Snapshot() (kv.Snapshot, error) {
	if err := s.gate.Hold(); err != nil {
		return nil, err
	}
	return &snapshot{gate: s.gate, tree: s.state.freeze(), closed: make(chan struct{})}, nil
}

// NewBatch returns an empty batch for this store.
func (s *Store) NewBatch() kv.Batch { return &batch{limit: s.limit} }

// Commit logs the batch, then shows it to readers; see kv.Store.
func (s *Store) Commit(b kv.Batch, d kv.Durability) error {
	mine, ok := b.(*batch)
	if !ok {
		return fmt.Errorf("memkv: commit of a foreign batch of type %T", b)
	}
	if err := s.gate.Enter(); err != nil {
		return err
	}
	defer s.gate.Leave()
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	if err := mine.check(); err != nil {
		return err
	}
	if s.folder != nil {
		if err := s.folder.append(mine.data, d); err != nil {
			return err
		}
	}
	mine.committed = true
	s.state.apply(mine.data)
	if s.folder != nil {
		// A failure here refuses later writes; this commit is in the log.
		_ = s.folder.rotateIfOutgrown(&s.state)
	}
	return nil
}

// locked runs work on the folder between two commits; without a folder it
// does nothing.
func (s *Store) locked(work func(*folder) error) error {
	if err := s.gate.Enter(); err != nil {
		return err
	}
	defer s.gate.Leave()
	if s.folder == nil {
		return nil
	}
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	return work(s.folder)
}

// enterable returns why work can't begin: a closed store, a done context.
func (s *Store) enterable(ctx context.Context) error {
	if s.gate.Closed() {
		return kv.ErrClosed
	}
	return ctx.Err()
}

// Flush makes every commit durable.
func (s *Store) Flush() error {
	return s.locked(func(f *folder) error { return f.sync() })
}

// Compact writes a snapshot of the current state and removes the log.
func (s *Store) Compact(ctx context.Context) error {
	if err := s.enterable(ctx); err != nil {
		return err
	}
	return s.locked(func(f *folder) error { return f.rotate(ctx, &s.state) })
}

// Checkpoint writes the current state into dir as a folder of its own.
func (s *Store) Checkpoint(ctx context.Context, dir string) error {
	if err := s.gate.Enter(); err != nil {
		return err
	}
	defer s.gate.Leave()
	var files fileSystem = osFiles{}
	var sequence uint64
	s.writeMu.Lock()
	if s.folder != nil {
		files, sequence = s.folder.files, s.folder.sequence
	}
	frozen := s.state.freeze()
	s.writeMu.Unlock()
	return writeCheckpoint(ctx, files, dir, frozen, sequence)
}

// Verify reads the folder's files again and checks every record.
func (s *Store) Verify(ctx context.Context) error {
	if err := s.enterable(ctx); err != nil {
		return err
	}
	return s.locked(func(f *folder) error { return f.verify(ctx) })
}

// AcceptLoss makes Verify forget acknowledged commits that were found missing
// when the store was opened, after the caller has dealt with the loss.
func (s *Store) AcceptLoss() error {
	return s.locked(func(f *folder) error { return f.acceptLoss() })
}

// LostCommits returns how many acknowledged commits were found missing and
// have not been accepted yet.
func (s *Store) LostCommits() uint64 {
	var lost uint64
	_ = s.locked(func(f *folder) error { lost = f.mark.Lost; return nil })
	return lost
}

// Metrics returns the current figures.
func (s *Store) Metrics() kv.Metrics {
	m := kv.Metrics{MemoryBytes: s.state.memory()}
	_ = s.locked(func(f *folder) error {
		m.DiskBytes, m.Syncs = f.snapshotBytes+f.logBytes, f.syncs
		return nil
	})
	return m
}

// Close syncs and releases the folder; see kv.Store.
func (s *Store) Close() error { return s.gate.Close() }
