// This file decides when writers must wait for compactions to catch up.

//go:build !js && !wasip1 && !solaris && !aix && !plan9

package pebblekv

import (
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

const (
	// maxSublevels is how many layers of level 0, each of which a read has to
	// look into, may wait for compaction before commits are slowed down.
	maxSublevels = 16
	// checkEvery is after how many flushed tables the layers are counted.
	checkEvery = 4
	// maxBrake is how long a commit waits at most: a brake, not a lock, as
	// compactions may be unable to go on.
	maxBrake = 500 * time.Millisecond
	// pause is what every commit waits while the whole store is compacted, which
	// new tables on top would otherwise put off for as long as they come.
	pause = time.Millisecond
)

// brake slows writers down. Pebble's own stall would hold locks, and could not
// be ended when the store fails.
type brake struct {
	flushed atomic.Int64 // tables flushed since open
	checked atomic.Int64 // flushed at the last count
	whole   atomic.Int32 // compactions of the whole store under way
}

// flushEnd counts what a flush adds; it is Pebble's event.
func (b *brake) flushEnd(info pebble.FlushInfo) { b.flushed.Add(int64(len(info.Output))) }

// wait returns when sublevels is low enough, failed is closed, or maxBrake has
// passed. It asks once per checkEvery flushed tables.
func (b *brake) wait(sublevels func() int, failed <-chan struct{}) {
	if b.whole.Load() > 0 {
		select {
		case <-failed:
			return
		case <-time.After(pause):
		}
	}
	flushed, checked := b.flushed.Load(), b.checked.Load()
	if flushed-checked < checkEvery || !b.checked.CompareAndSwap(checked, flushed) {
		return
	}
	timeout := time.NewTimer(maxBrake)
	defer timeout.Stop()
	for sublevels() > maxSublevels {
		select {
		case <-failed:
			return
		case <-timeout.C:
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
}
