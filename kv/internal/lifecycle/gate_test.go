// This file checks that a store shuts down once, and never under a user.

package lifecycle

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
)

func TestCloseReturnsShutdown(t *testing.T) {
	want := errors.New("shutdown")
	calls := 0
	g := New(func() error { calls++; return want })
	if err := g.Close(); err != want || calls != 1 {
		t.Fatalf("error %v after %d calls", err, calls)
	}
	for what, call := range map[string]func() error{"Close": g.Close, "Enter": g.Enter, "Hold": g.Hold} {
		if err := call(); !errors.Is(err, kv.ErrClosed) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if calls != 1 || !g.Closed() {
		t.Errorf("%d calls, closed %v", calls, g.Closed())
	}
}

func TestCloseWithReaders(t *testing.T) {
	down := false
	g := New(func() error { down = true; return nil })
	if err := g.Hold(); err != nil {
		t.Fatal(err)
	}
	g.Share()
	if g.Readers() != 2 {
		t.Fatalf("%d readers", g.Readers())
	}
	if err := g.Close(); err == nil || down {
		t.Fatalf("error %v, shut down %v", err, down)
	}
	g.Drop()
	g.Share() // the reader that is left may still fork
	g.Drop()
	if down {
		t.Fatal("shut down under a reader")
	}
	g.Drop()
	if !down {
		t.Fatal("not shut down by the last reader")
	}
}

// TestRace lets users come and go while the gate closes.
func TestRace(t *testing.T) {
	for range 200 {
		var inside, down atomic.Int64
		g := New(func() error { down.Add(1); return nil })
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				for g.Enter() == nil {
					inside.Add(1)
					if down.Load() != 0 {
						t.Error("inside after the shutdown")
					}
					inside.Add(-1)
					g.Leave()
				}
			})
		}
		if err := g.Close(); err != nil || inside.Load() != 0 || down.Load() != 1 {
			t.Errorf("error %v, %d inside, %d shutdowns", err, inside.Load(), down.Load())
		}
		group.Wait()
		if down.Load() != 1 {
			t.Errorf("%d shutdowns", down.Load())
		}
	}
}
