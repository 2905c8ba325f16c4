package measure

// This file decides how the processor time of a short call is taken on Linux.

import (
	"time"

	"golang.org/x/sys/unix"
)

// ProcessorClock says what ThreadTime and ProcessTime read here.
const ProcessorClock = "processor time: CLOCK_THREAD_CPUTIME_ID of one thread, CLOCK_PROCESS_CPUTIME_ID of several"

// ThreadTime returns the processor time that the calling thread has used. A
// difference of two readings means something only within runtime.LockOSThread.
func ThreadTime() time.Duration { return reading(unix.CLOCK_THREAD_CPUTIME_ID) }

// ProcessTime returns the processor time that all threads of the process have
// used; in steps of nanoseconds, unlike CPU.
func ProcessTime() time.Duration { return reading(unix.CLOCK_PROCESS_CPUTIME_ID) }

func reading(clock int32) time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(clock, &t); err != nil {
		return 0
	}
	return time.Duration(t.Nano())
}
