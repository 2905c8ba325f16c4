//go:build unix

package main

// This file decides how a reader of stdout that goes away is noticed.

import (
	"errors"
	"os/signal"
	"syscall"
)

// reportBrokenPipes makes a write to a closed pipe return an error instead of
// killing the process, so that the store is closed in good order.
func reportBrokenPipes() { signal.Ignore(syscall.SIGPIPE) }

func isBrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
