// This file decides what an Appender asks of a file system, and how the system's
// own answers.

package lexicon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// fileSystem is what an Appender needs of a file system. Every method is one step
// that can fail or be the last before a crash.
type fileSystem interface {
	// Readlink returns what a symbolic link says, "" for anything else, missing
	// files included.
	Readlink(name string) (string, error)
	// Read returns a regular file of at most so many bytes.
	Read(name string, most int) ([]byte, fs.FileInfo, error)
	// Writable fails if the file may not be written to.
	Writable(name string) error
	// Create makes a file with a new name in a folder, for everybody to read as far
	// as the umask allows, or for the owner alone.
	Create(dir string, shared bool) (newFile, error)
	Rename(from, to string) error
	Remove(name string) error
	// SyncDir makes what happened in a folder durable.
	SyncDir(dir string) error
	// Lock waits for an exclusive lock under a name.
	Lock(ctx context.Context, name string) (unlock func() error, err error)
}

// newFile is a file being written.
type newFile interface {
	io.WriteCloser
	Name() string
	// Imitate takes over mode and, as far as that is allowed, owner.
	Imitate(like fs.FileInfo) error
	Sync() error
}

// osFiles is the file system of the operating system.
type osFiles struct{}

func (osFiles) Readlink(name string) (string, error) {
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", err
	case info.Mode()&fs.ModeSymlink == 0:
		return "", nil
	}
	return os.Readlink(name)
}

func (osFiles) Read(name string, most int) ([]byte, fs.FileInfo, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, nil, err
	case !info.Mode().IsRegular():
		return nil, nil, errors.New("not a regular file")
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, int64(most)+1))
	if err == nil && len(text) > most {
		err = errTooLarge(most)
	}
	return text, info, err
}

func (osFiles) Writable(name string) error {
	file, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return file.Close()
}

func (osFiles) Create(dir string, shared bool) (newFile, error) {
	mode := fs.FileMode(0o600)
	if shared {
		mode = 0o666
	}
	name := filepath.Join(dir, fmt.Sprintf(".lexicon-%016x.tmp", rand.Uint64()))
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return nil, err
	}
	return osFile{file}, nil
}

func (osFiles) Rename(from, to string) error { return os.Rename(from, to) }

func (osFiles) Remove(name string) error { return os.Remove(name) }

// lockInterval is how often a lock that is held is asked for.
const lockInterval = 5 * time.Millisecond

// Lock locks a file under the name and removes it when done. Whoever waited for
// it meanwhile then holds a lock on a file without a name, and starts over.
func (osFiles) Lock(ctx context.Context, name string) (unlock func() error, err error) {
	for {
		lock := flock.New(name, flock.SetPermissions(0o666), lockFlag())
		_, err := lock.TryLockContext(ctx, lockInterval)
		switch {
		case errors.Is(err, errors.ErrUnsupported):
			return func() error { return nil }, nil
		case err != nil:
			return nil, errors.Join(err, lock.Close())
		case hasName(lock, name):
			return func() error {
				// A lock file that can't be removed does no harm.
				_ = os.Remove(name)
				return lock.Close()
			}, nil
		}
		if err := lock.Close(); err != nil {
			return nil, err
		}
	}
}

// hasName reports whether the locked file is still the one under the name.
func hasName(lock *flock.Flock, name string) bool {
	held, heldErr := lock.Stat()
	named, namedErr := os.Stat(name)
	return heldErr == nil && namedErr == nil && os.SameFile(held, named)
}

type osFile struct{ *os.File }

func (f osFile) Imitate(like fs.FileInfo) error {
	takeOwner(f.File, like)
	return f.Chmod(like.Mode().Perm())
}
