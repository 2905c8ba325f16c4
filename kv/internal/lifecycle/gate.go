// This file decides when a store may shut down: once it is closed and its last
// user has left.

// Package lifecycle lets a store be closed while others still read from it:
// the resources go when the last reader is gone, never underneath one.
//
// A [Gate] counts two kinds of users: short calls ([Gate.Enter], [Gate.Leave]),
// which Close waits for, and open readers ([Gate.Hold], [Gate.Drop]), such as
// snapshots and iterators, which make Close report an error. All methods may
// be called concurrently.
package lifecycle

import (
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/contextforge-go/contextforge/kv"
)

// Gate guards the resources of one store. Create it with [New].
type Gate struct {
	closed   atomic.Bool
	users    atomic.Int64 // the store itself, calls in progress, open readers
	readers  atomic.Int64 // open readers
	once     sync.Once
	done     chan struct{}
	shutdown func() error
	err      error // what shutdown returned; written before done is closed
}

// New returns an open gate; shutdown runs exactly once, on the goroutine of
// the last user to leave after Close.
func New(shutdown func() error) *Gate {
	g := &Gate{done: make(chan struct{}), shutdown: shutdown}
	g.users.Store(1)
	return g
}

// Enter admits one call, which must end with Leave, or returns kv.ErrClosed.
func (g *Gate) Enter() error {
	g.users.Add(1)
	if g.closed.Load() {
		g.Leave()
		return kv.ErrClosed
	}
	return nil
}

// Leave ends what Enter began.
func (g *Gate) Leave() {
	if g.users.Add(-1) == 0 {
		g.once.Do(func() {
			g.err = g.shutdown()
			close(g.done)
		})
	}
}

// Hold admits one open reader, which must end with Drop, or returns
// kv.ErrClosed.
func (g *Gate) Hold() error {
	g.readers.Add(1)
	if err := g.Enter(); err != nil {
		g.readers.Add(-1)
		return err
	}
	return nil
}

// Share admits one more open reader on behalf of one that is still held, also
// after Close; it must end with Drop.
func (g *Gate) Share() {
	g.readers.Add(1)
	g.users.Add(1)
}

// Drop ends what Hold or Share began.
func (g *Gate) Drop() {
	g.readers.Add(-1)
	g.Leave()
}

// Readers returns how many open readers there are.
func (g *Gate) Readers() int { return int(g.readers.Load()) }

// Closed reports whether Close was called.
func (g *Gate) Closed() bool { return g.closed.Load() }

// Close turns new users away. Without open readers it waits for calls in
// progress, then returns what shutdown returned; with open readers it returns
// an error at once and the last of them shuts the store down. A second Close
// returns kv.ErrClosed.
func (g *Gate) Close() error {
	if !g.closed.CompareAndSwap(false, true) {
		return kv.ErrClosed
	}
	open := g.readers.Load()
	g.Leave()
	if open > 0 {
		return fmt.Errorf("kv: store closed while %d snapshots, iterators or values are open; "+
			"its folder is released with the last of them", open)
	}
	<-g.done
	return g.err
}
