// This file decides what folder is opened as a store, and in which order.

//go:build !js && !wasip1 && !solaris && !aix && !plan9

package pebblekv

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/internal/lifecycle"
)

// Open opens the store in dir, creating it and its parents if needed. It
// returns kv.ErrLocked if the folder is in use, kv.ErrForeign if it holds
// something else or a newer format, kv.ErrCorrupt if Pebble can't make sense of
// its files ([Salvage] may), kv.ErrFailed if the disk refused a write meanwhile.
// Files that aren't the store's are left alone.
func Open(dir string, o Options) (*Store, error) {
	s, err := open(dir, o)
	if err != nil {
		return nil, fmt.Errorf("pebblekv: open %s: %w", dir, err)
	}
	return s, nil
}

func open(dir string, o Options) (_ *Store, err error) {
	fs := o.FS
	if fs == nil {
		fs = privateFS{vfs.Default}
		// One spelling per folder: the lock goes by name within a process.
		if dir, err = realPath(dir); err != nil {
			return nil, err
		}
	}
	if err := makeFolder(fs, dir); err != nil {
		return nil, err
	}
	if _, err := checkFolder(fs, dir); err != nil {
		return nil, err
	}
	lock, err := lockFolder(fs, dir)
	if err != nil {
		return nil, err
	}
	s := &Store{opts: o, logger: o.logger(), dir: dir, lock: lock, limit: maxBatch}
	s.guard = newGuard(heldFS{fs}, dir, s.logger)
	if err := s.start(); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	s.gate = lifecycle.New(s.shutdown)
	return s, nil
}

// realPath makes dir absolute and free of links, as far as it exists.
func realPath(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	rest := ""
	for at := abs; ; at = filepath.Dir(at) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest), nil
		}
		if at == filepath.Dir(at) {
			return abs, nil
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}

// lockFolder claims the folder. Pebble gets it through a [heldFS]: the lock is
// the store's, so that it can be released whatever state Pebble is in.
func lockFolder(fs vfs.FS, dir string) (io.Closer, error) {
	lock, err := fs.Lock(fs.PathJoin(dir, lockName))
	if err == nil {
		return lock, nil
	}
	if isLocked(err) {
		return nil, fmt.Errorf("%w (%s is in use)", kv.ErrLocked, dir)
	}
	return nil, err
}

// heldFS is a file system whose folder is locked already.
type heldFS struct{ vfs.FS }

func (heldFS) Lock(string) (io.Closer, error) { return io.NopCloser(nil), nil }

// isLocked tells a lock that is held from a lock file that can't be created:
// the latter error names the file's path.
func isLocked(err error) bool {
	var path *os.PathError
	if errors.As(err, &path) {
		return false
	}
	var number syscall.Errno
	return !errors.As(err, &number) || isLockErrno(number)
}

// start opens Pebble behind the guard; the folder is locked.
func (s *Store) start() (err error) {
	isNew, err := checkFolder(s.guard.FS, s.dir)
	if err != nil {
		return err
	}
	if isNew || isUnfinished(s.guard.FS, s.dir) {
		if err := s.create(); err != nil {
			return err
		}
	}
	if err := s.openPebble(false); err != nil {
		return err
	}
	if err := s.reconcile(); err != nil {
		return errors.Join(err, s.closePebble())
	}
	return nil
}

// create makes a new store, or goes on with one whose creation was cut off, and
// closes it. Reopened, it has a log that was begun under the pinned format, in
// which damage is told from the end.
func (s *Store) create() error {
	if err := beginCreation(s.guard, s.dir); err != nil {
		return err
	}
	holds, err := holdsData(s.guard.FS, s.dir)
	if err != nil {
		return err
	}
	if err := s.openPebble(!holds); err != nil {
		return err
	}
	if err := s.closePebble(); err != nil {
		return err
	}
	return endCreation(s.guard, s.dir)
}

// openPebble opens the database, or makes it if it may. In a folder without its
// marker Pebble would otherwise begin a new database and delete the tables. A
// disk that refuses a write meanwhile lets Pebble succeed, so the guard has the
// last word.
func (s *Store) openPebble(create bool) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic in the storage engine: %v: %w", r, kv.ErrCorrupt)
		}
	}()
	p := s.opts.pebbleOptions(s.guard)
	p.ErrorIfNotExists = !create
	p.Logger = pebbleLogger{s.logger, s.guard.fail}
	p.EventListener = s.events()
	s.guard.opening.Store(true)
	s.db, err = pebble.Open(s.dir, p)
	s.guard.opening.Store(false)
	if err != nil {
		if failed := s.guard.failure(); failed != nil {
			return failed
		}
		return openError(err)
	}
	if failed := s.guard.failure(); failed != nil {
		return errors.Join(failed, s.closePebble())
	}
	return nil
}

// openError says whether Pebble's refusal to open is damage.
func openError(err error) error {
	var number syscall.Errno
	if pebble.IsCorruptionError(err) || !errors.As(err, &number) || isNotExist(err) {
		return fmt.Errorf("%w: %w", kv.ErrCorrupt, err)
	}
	return err
}

func isNotExist(err error) bool { return errors.Is(err, os.ErrNotExist) }

// events returns the listener of a store.
func (s *Store) events() *pebble.EventListener {
	return &pebble.EventListener{
		BackgroundError: func(err error) {
			s.logger.Warn("background error of the storage engine", "folder", s.dir, "error", oneLine(err.Error()))
		},
		DataCorruption: func(info pebble.DataCorruptionInfo) {
			s.logger.Error("damaged table", "file", info.Path, "error", oneLine(info.Details.Error()))
		},
		FlushEnd: s.brake.flushEnd,
	}
}

// reconcile compares the newest commit found with the newest acknowledged.
func (s *Store) reconcile() error {
	present, err := s.readNumber(sequenceKey)
	if err != nil {
		return err
	}
	before, known, err := readMark(s.guard.FS, s.dir)
	if err != nil {
		return err
	}
	mark := before.Reconcile(present)
	if s.ack, err = openMark(s.guard, s.dir, before, mark, known); err != nil {
		return err
	}
	s.sequence = mark.Acknowledged
	if mark.Lost > before.Lost {
		s.logger.Warn("acknowledged commits are missing: the log's tail was damaged",
			"folder", s.dir, "missing", mark.Lost-before.Lost, "last", present)
		if err := s.storeLoss(mark.Lost - before.Lost); err != nil {
			return err
		}
	}
	return s.guard.failure()
}

// storeLoss adds lost commits to those that were ever lost here. Stored under
// the acknowledged number, the loss isn't found again.
func (s *Store) storeLoss(lost uint64) error {
	earlier, err := s.readNumber(lostKey)
	if err != nil {
		return err
	}
	b := s.db.NewBatch()
	defer b.Close()
	if err := errors.Join(b.Set(lostKey, encodeSequence(earlier+lost), nil),
		b.Set(sequenceKey, encodeSequence(s.sequence), nil)); err != nil {
		return err
	}
	return b.Commit(pebble.Sync)
}

// readNumber returns the number under a reserved key, 0 if there is none.
func (s *Store) readNumber(key []byte) (uint64, error) {
	v, closer, err := s.db.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, readError(err)
	}
	defer closer.Close()
	if len(v) != 8 {
		return 0, fmt.Errorf("number of %d bytes under %q: %w", len(v), key, kv.ErrCorrupt)
	}
	return binary.BigEndian.Uint64(v), nil
}

// closePebble closes the database; a panic in it must not reach the caller.
func (s *Store) closePebble() (err error) {
	defer s.recoverPanic(&err)
	s.guard.beginClose()
	return s.db.Close()
}

// shutdown runs when the last user has left the closed store.
func (s *Store) shutdown() error {
	var err error
	s.guard.beginClose()
	s.work.Wait()
	if !s.wedged.Load() {
		err = s.closePebble()
		s.ack.advance(s.sequence)
		err = errors.Join(err, s.ack.sync())
	}
	err = errors.Join(err, s.ack.file.Close(), s.lock.Close())
	if failed := s.guard.failure(); failed != nil {
		return failed
	}
	return err
}
