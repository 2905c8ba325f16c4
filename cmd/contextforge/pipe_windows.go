package main

// This file decides how a reader of stdout that goes away is noticed.

import (
	"errors"
	"syscall"
)

func reportBrokenPipes() {}

func isBrokenPipe(err error) bool {
	const noData syscall.Errno = 232 // ERROR_NO_DATA: the pipe is being closed
	return errors.Is(err, syscall.ERROR_BROKEN_PIPE) || errors.Is(err, noData)
}
