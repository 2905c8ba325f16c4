//go:build !linux

package measure

// This file decides what stands for the processor time where no clock of it is
// read: the time that passes.

import "time"

// ProcessorClock says what ThreadTime and ProcessTime read here.
const ProcessorClock = "wall time: no clock of processor time is read on this system, so columns of it have the time that passed"

// began is a reading of the steady clock to count from; it never changes.
var began = time.Now()

// ThreadTime returns the time since the program began.
func ThreadTime() time.Duration { return time.Since(began) }

// ProcessTime is ThreadTime.
func ProcessTime() time.Duration { return ThreadTime() }
