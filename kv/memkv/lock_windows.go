// This file decides how a folder is locked on Windows.

package memkv

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// errSharingViolation is ERROR_SHARING_VIOLATION.
const errSharingViolation = syscall.Errno(32)

// lockFile opens the file without sharing, which keeps out every other opener
// until it is closed or the process ends.
func lockFile(name string) (io.Closer, error) {
	path, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return nil, err
	}
	handle, err := syscall.CreateFile(path, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil,
		syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if err == nil {
		return os.NewFile(uintptr(handle), name), nil
	}
	if errors.Is(err, errSharingViolation) {
		err = errLocked
	}
	return nil, fmt.Errorf("lock %s: %w", name, err)
}
