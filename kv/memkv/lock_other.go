// This file decides how a folder is locked where locks of an open file are
// missing: among the stores of one process, and by fcntl where that exists.

//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd || windows)

package memkv

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
)

// held are the folders this process has open. A lock is a property of the
// process here, so it can't live in any one store.
var held sync.Map

type heldLock struct {
	key string
	f   *os.File
}

func (l heldLock) Close() error {
	err := l.f.Close()
	held.Delete(l.key)
	return err
}

func lockFile(name string) (io.Closer, error) {
	key, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	if _, taken := held.LoadOrStore(key, true); taken {
		return nil, fmt.Errorf("lock %s: %w", name, errLocked)
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil {
		if err = lockProcess(f); err == nil {
			return heldLock{key, f}, nil
		}
		_ = f.Close()
	}
	held.Delete(key)
	return nil, fmt.Errorf("lock %s: %w", name, err)
}
