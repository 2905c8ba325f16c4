// This file decides which system errors mean a held lock on Unix.

//go:build !js && !wasip1 && !solaris && !aix && !plan9 && !windows

package pebblekv

import "syscall"

func isLockErrno(n syscall.Errno) bool { return n == syscall.EAGAIN || n == syscall.EACCES }
