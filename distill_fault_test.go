package contextforge_test

// Tests of distillations that are cut off at every read of the store, and at
// every question whether the context is done.

import (
	"context"
	"errors"
	"io"
	"reflect"
	"sync/atomic"
	"testing"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/distill"
	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/memkv"
)

var errUnreadable = errors.New("unreadable")

// readsKV is a kv.Store of which only so many reads succeed while it is armed.
type readsKV struct {
	kv.Store
	armed atomic.Bool
	left  atomic.Int64
}

func (r *readsKV) fails() bool { return r.armed.Load() && r.left.Add(-1) < 0 }

func (r *readsKV) Get(key []byte) ([]byte, io.Closer, error) {
	if r.fails() {
		return nil, nil, errUnreadable
	}
	return r.Store.Get(key)
}

func (r *readsKV) Iter(lower, upper []byte) (kv.Iterator, error) {
	if r.fails() {
		return nil, errUnreadable
	}
	return r.Store.Iter(lower, upper)
}

func (r *readsKV) Snapshot() (kv.Snapshot, error) {
	if r.fails() {
		return nil, errUnreadable
	}
	s, err := r.Store.Snapshot()
	return &readsSnapshot{s, r}, err
}

type readsSnapshot struct {
	kv.Snapshot
	of *readsKV
}

func (s *readsSnapshot) Get(key []byte) ([]byte, io.Closer, error) {
	if s.of.fails() {
		return nil, nil, errUnreadable
	}
	return s.Snapshot.Get(key)
}

func (s *readsSnapshot) Iter(lower, upper []byte) (kv.Iterator, error) {
	if s.of.fails() {
		return nil, errUnreadable
	}
	return s.Snapshot.Iter(lower, upper)
}

// countedContext is done at the n-th question whether it is.
type countedContext struct {
	context.Context
	left atomic.Int64
}

func (c *countedContext) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return c.Context.Err()
}

func TestDistillCutOffEverywhere(t *testing.T) {
	facts := append(states("The API port is 81.", "The deploy day is now Friday."), fact(distill.Preference, "Ana likes tea."))
	// cutOff reports whether a distillation that may do so much failed.
	cutOff := func(t *testing.T, reads, questions int64) bool {
		pairs := &readsKV{Store: memkv.New()}
		m := open(t, contextforge.Config{KV: pairs, Embedder: newBag()})
		distillTo(t, m, gives("Before.", states("The API port is 80.", "It rains.")...), contextforge.DistillOptions{})
		before := stored(t, m)
		use := ctx
		if questions >= 0 {
			counted := &countedContext{Context: ctx}
			counted.left.Store(questions)
			use = counted
		}
		pairs.left.Store(reads)
		pairs.armed.Store(reads >= 0)
		res, err := m.DistillAndSave(use, "User: hello there", gives("S", facts...), contextforge.DistillOptions{})
		pairs.armed.Store(false)
		if errors.Is(err, contextforge.ErrStoreFailed) { // committed, but nobody can be shown it
			if _, err := m.DistillAndSave(ctx, "User: hello", gives("T"), contextforge.DistillOptions{}); !errors.Is(err, contextforge.ErrStoreFailed) {
				t.Errorf("reads %d: writing goes on: %v", reads, err)
			}
			return true
		}
		if err != nil {
			if !errors.Is(err, errUnreadable) && !errors.Is(err, context.Canceled) {
				t.Errorf("reads %d, questions %d: %v", reads, questions, err)
			}
			if after := stored(t, m); !reflect.DeepEqual(before, after) || !reflect.DeepEqual(res, contextforge.DistillResult{}) {
				t.Fatalf("reads %d, questions %d: %v, and after\n%+v", reads, questions, err, after)
			}
			res = distillTo(t, m, gives("S", facts...), contextforge.DistillOptions{})
		}
		if len(res.IDs) != 4 || len(res.Superseded) != 1 {
			t.Fatalf("reads %d, questions %d: %+v", reads, questions, res)
		}
		if err := m.Verify(ctx); err != nil {
			t.Errorf("reads %d, questions %d: %v", reads, questions, err)
		}
		return err != nil
	}
	t.Run("reads", func(t *testing.T) {
		n := int64(0)
		for cutOff(t, n, -1) {
			n++
		}
		t.Logf("%d reads", n)
		if n < 4 {
			t.Errorf("only %d reads", n)
		}
	})
	t.Run("context", func(t *testing.T) {
		n := int64(0)
		for cutOff(t, -1, n) {
			n++
		}
		t.Logf("%d questions", n)
		if n < 4 {
			t.Errorf("only %d questions", n)
		}
	})
}
