// This file decides how work is divided among goroutines without changing what
// comes out.

package analysis

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// workers returns how many goroutines a parallelism means, 0 and less being the
// number that Go would run at a time. That number is only read.
func workers(parallelism int) int {
	if parallelism > 0 {
		return parallelism
	}
	return runtime.GOMAXPROCS(0)
}

// inParallel does the pieces of work 0 to n-1 and returns when no goroutine is
// left. Each worker is made by its own call of start, so that it can have buffers
// of its own, and takes the next piece that nobody has taken. The result is the
// same for any number of workers if a piece writes only what belongs to it.
//
// When ctx ends, no further piece is begun; its error is returned.
func inParallel(ctx context.Context, workers, n int, start func() func(i int)) error {
	var next atomic.Int64
	work := func() {
		do := start()
		for ctx.Err() == nil {
			i := next.Add(1) - 1
			if i >= int64(n) {
				return
			}
			do(int(i))
		}
	}
	var group sync.WaitGroup
	for range min(workers, n) - 1 {
		group.Go(work)
	}
	if n > 0 {
		work()
	}
	group.Wait()
	return ctx.Err()
}
