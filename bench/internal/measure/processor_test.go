package measure

// These tests decide that the clocks of processor time never run backwards and
// see work of their own.

import (
	"runtime"
	"testing"
)

func TestProcessorTime(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for name, clock := range map[string]func() int64{
		"thread":  func() int64 { return int64(ThreadTime()) },
		"process": func() int64 { return int64(ProcessTime()) },
	} {
		start := clock()
		if start < 0 {
			t.Fatalf("%s: the clock reads %d", name, start)
		}
		last, work := start, uint64(1)
		for i := 0; last == start && i < 1<<24; i++ {
			for range 1000 {
				work = work*6364136223846793005 + 1442695040888963407
			}
			now := clock()
			if now < last {
				t.Fatalf("%s: %d after %d", name, now, last)
			}
			last = now
		}
		if last == start {
			t.Errorf("%s: the clock stands still (%d)", name, work)
		}
	}
	if ProcessorClock == "" {
		t.Error("the clock has no name")
	}
}
