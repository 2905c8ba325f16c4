// This file decides how another process is kept out where only POSIX locks
// exist.

//go:build aix || (solaris && !illumos)

package memkv

import (
	"errors"
	"io"
	"os"
	"syscall"
)

func lockProcess(f *os.File) error {
	lock := syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart}
	err := syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, &lock)
	if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EACCES) {
		return errLocked
	}
	return err
}
