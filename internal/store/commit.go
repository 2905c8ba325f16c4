package store

// This file decides how changes reach the disk: callers queue their
// operations, one of them leads and commits everything that is waiting as one
// batch with one sync (group commit, as in DeWitt et al., "Implementation
// Techniques for Main Memory Database Systems", 1984, section 5).

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/contextforge-go/contextforge/kv"
)

var errPanicked = errors.New("store: an operation panicked")

// request is one queued operation. op must set its results rather than add to
// them, since it runs again when another operation of its group fails midway.
type request struct {
	op       func(*tx) error
	err      error
	evicted  []Eviction
	panicked any // what op panicked with, which is the caller's to deal with
	// turn receives true when the request has been carried out, false when its
	// goroutine is to lead the next group.
	turn chan bool
}

// Eviction reports an entry that left the store without being deleted.
type Eviction struct {
	ID      string
	Scope   string
	Expired bool // its time was up; else the store was over its capacity
}

// submit carries out op in the next commit and returns once that is durable.
// Entries that had to leave because of it are reported from here, so that the
// receiver may use the store. A context that is done before the operation began
// withdraws it.
func (s *Store) submit(ctx context.Context, op func(*tx) error) error {
	evicted, err := s.enqueue(ctx, op)
	if len(evicted) > 0 && s.opts.Evicted != nil {
		s.opts.Evicted(ctx, evicted)
	}
	return err
}

func (s *Store) enqueue(ctx context.Context, op func(*tx) error) ([]Eviction, error) {
	r := &request{turn: make(chan bool, 1)}
	r.op = func(t *tx) (err error) {
		// A caller's code that panics must not take its group along, nor the lead.
		defer func() {
			if r.panicked = recover(); r.panicked != nil {
				err = errPanicked
			}
		}()
		if err := ctx.Err(); err != nil {
			return err
		}
		return op(t)
	}
	defer func() {
		if r.panicked != nil {
			panic(r.panicked)
		}
	}()
	s.queueMu.Lock()
	if s.closed {
		s.queueMu.Unlock()
		return nil, ErrClosed
	}
	s.queue = append(s.queue, r)
	lead := !s.leading
	s.leading = true
	s.queueMu.Unlock()
	if !lead && <-r.turn {
		return r.evicted, r.err
	}
	s.leadGroup()
	return r.evicted, r.err
}

// leadGroup commits all that is queued, then hands the lead to the first
// request that has come in meanwhile.
func (s *Store) leadGroup() {
	if s.crowded.Load() {
		runtime.Gosched() // lets those that were just woken queue again
	}
	s.queueMu.Lock()
	group := s.queue
	s.crowded.Store(len(group) > 1)
	s.queue = nil
	s.queueMu.Unlock()

	defer s.handOver(group)
	s.commitGroup(group)
}

// handOver ends the turn of a group, whose leader is its first member. A panic
// on the way, of a clock or an analyzer that the caller configured, goes on in
// the leader; the others get an error, and the store stays usable.
func (s *Store) handOver(group []*request) {
	if p := recover(); p != nil {
		for _, r := range group {
			r.err = fmt.Errorf("%w: %v", errPanicked, p)
		}
		group[0].panicked = p
	}
	for _, r := range group[1:] {
		r.turn <- true
	}
	s.queueMu.Lock()
	if len(s.queue) > 0 {
		s.queue[0].turn <- false
	} else {
		s.leading = false
		s.idle.Broadcast()
	}
	s.queueMu.Unlock()
}

// commitGroup carries out the operations of the group in order, as one commit.
// If that commit is refused for what is in it, each operation gets its own.
func (s *Store) commitGroup(group []*request) {
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	if s.failure != nil {
		for _, r := range group {
			r.err = s.failure
		}
		return
	}
	err := s.carryOut(group)
	if err == nil || len(group) == 1 || s.failure != nil {
		return
	}
	for _, r := range group {
		if errors.Is(r.err, err) {
			r.err = nil
			_ = s.carryOut([]*request{r}) // r hears of it
		}
	}
}

// carryOut makes one commit of the operations and returns the error of the
// commit itself. An operation that fails before it changed anything only fails
// itself; after one that fails midway the rest starts again without it.
func (s *Store) carryOut(group []*request) error {
	group = append([]*request(nil), group...)
	for {
		t := s.beginTx()
		failed := t.runAll(group)
		if failed < 0 {
			return t.finish(group)
		}
		t.drop()
		group = append(group[:failed], group[failed+1:]...)
	}
}

// runAll returns the index of the operation that failed midway, or −1.
func (t *tx) runAll(group []*request) int {
	if err := t.purgeExpired(purgePerCommit); err != nil {
		for _, r := range group {
			r.err = err
		}
		t.changes = 0
		return -1
	}
	for i, r := range group {
		changes, evicted := t.changes, len(t.evicted)
		r.err = r.op(t)
		if r.err == nil {
			r.err = t.enforceCapacity()
		}
		if r.err != nil && t.changes != changes {
			return i
		}
		r.evicted = t.evicted[evicted:]
		if i == 0 {
			r.evicted = t.evicted
		}
	}
	return -1
}

// finish commits the transaction and tells the outcome to those whose
// operation is part of it.
func (t *tx) finish(group []*request) error {
	defer t.drop()
	if t.changes == 0 {
		return nil
	}
	err := t.commit()
	if err == nil {
		return nil
	}
	err = fmt.Errorf("commit: %w", err)
	t.s.noteFailure(err)
	for _, r := range group {
		if r.err == nil {
			r.err, r.evicted = err, nil
		}
	}
	return err
}

// noteFailure remembers a failure of the key-value store: what its readers see
// from then on may hold the commit that failed, and nothing may build on that.
// The caller holds writeMu.
func (s *Store) noteFailure(err error) {
	if s.failure == nil && errors.Is(err, kv.ErrFailed) {
		s.failure = err
	}
}

// waitIdle blocks until no operation is queued or being committed, with
// queueMu held by the caller.
func (s *Store) waitIdle() {
	for s.leading {
		s.idle.Wait()
	}
}
