// This file decides which system errors mean a held lock on Windows.

package pebblekv

import "syscall"

// isLockErrno knows ERROR_SHARING_VIOLATION and ERROR_LOCK_VIOLATION.
func isLockErrno(n syscall.Errno) bool { return n == 32 || n == 33 }
