// This file decides what is in a store's folder, how it is found again at
// open, and when it counts as failed.

package memkv

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"path/filepath"
	"strings"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/internal/ackmark"
	"github.com/contextforge-go/contextforge/kv/internal/lifecycle"
)

const (
	markName = "memkv.ack"
	lockName = "memkv.lock"
)

func snapshotName(generation uint64) string { return fmt.Sprintf("memkv-%016d.snap", generation) }
func logName(generation uint64) string      { return fmt.Sprintf("memkv-%016d.log", generation) }

// Options tune Open; the zero value is what most callers want.
type Options struct {
	// Logger hears of lost commits, dropped tails and failures; nil is silent.
	Logger *slog.Logger

	files fileSystem // nil is the operating system's
	limit int        // largest batch, 0 is maxBatch
}

func (o Options) withDefaults() Options {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.files == nil {
		o.files = osFiles{}
	}
	if o.limit == 0 {
		o.limit = maxBatch
	}
	return o
}

// folder writes commits to disk. The store's writeMu guards it.
type folder struct {
	files  fileSystem
	logger *slog.Logger
	dir    string
	lock   io.Closer

	generation    uint64
	sequence      uint64 // newest commit in the log
	log, ack      file
	logBytes      int64 // intact bytes of the log
	synced        bool  // everything in the log is on stable storage
	snapshotBytes int64
	mark          ackmark.Mark
	failed        error // why writes are refused, wraps kv.ErrFailed
	syncs         int64
	scratch       []byte
}

// Open opens the store in dir, creating it and its parents if needed. It
// returns kv.ErrLocked if the folder is in use, kv.ErrForeign if it holds
// something else or a newer format, kv.ErrCorrupt if its files are damaged.
// Files that aren't the store's are left alone.
func Open(dir string, o Options) (*Store, error) {
	o = o.withDefaults()
	s := &Store{limit: o.limit}
	s.state.tree = newTree()
	f, err := openFolder(dir, o, &s.state)
	if err != nil {
		return nil, fmt.Errorf("memkv: open %s: %w", dir, err)
	}
	s.folder = f
	s.gate = lifecycle.New(s.shutdown)
	return s, nil
}

func openFolder(dir string, o Options, st *state) (_ *folder, err error) {
	if err := o.files.MkdirAll(dir); err != nil {
		return nil, err
	}
	names, foreign, err := listFolder(o.files, dir)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 && foreign != "" {
		return nil, fmt.Errorf("the folder holds other files, such as %q: %w", foreign, kv.ErrForeign)
	}
	f := &folder{files: o.files, logger: o.Logger, dir: dir}
	if f.lock, err = o.files.Lock(f.path(lockName)); err != nil {
		if errors.Is(err, errLocked) {
			return nil, fmt.Errorf("%w (%s is in use)", kv.ErrLocked, dir)
		}
		return nil, err
	}
	defer func() {
		if err != nil {
			f.release()
		}
	}()
	// Listed again: what another opener did before it gave the lock up counts.
	if names, _, err = listFolder(o.files, dir); err != nil {
		return nil, err
	}
	if err := f.load(names, st); err != nil {
		return nil, err
	}
	return f, nil
}

func (f *folder) path(name string) string { return filepath.Join(f.dir, name) }

// listFolder returns the names that are the store's, and one of those that
// belong to something else. Files that systems and crashed programs strew
// (hidden ones, empty *.tmp, Thumbs.db ...) belong to nobody.
func listFolder(files fileSystem, dir string) (names []string, foreign string, err error) {
	entries, err := files.List(dir)
	if err != nil {
		return nil, "", err
	}
	for _, e := range entries {
		name := e.Name()
		switch {
		case name == lockName || name == markName:
			// Both may exist before the first snapshot does.
		case strings.HasPrefix(name, "memkv-"):
			names = append(names, name)
		case !isStray(name, e) && foreign == "":
			foreign = name
		}
	}
	return names, foreign, nil
}

func isStray(name string, e fs.DirEntry) bool {
	switch strings.ToLower(name) {
	case "thumbs.db", "desktop.ini", "lost+found":
		return true
	}
	if strings.HasPrefix(name, ".") {
		return true
	}
	info, err := e.Info()
	return strings.HasSuffix(name, ".tmp") && err == nil && info.Mode().IsRegular() && info.Size() == 0
}

// load brings the newest generation into st, or creates the first one.
func (f *folder) load(names []string, st *state) error {
	generation, ok := newestSnapshot(names)
	if !ok {
		return f.create(names, st)
	}
	f.generation = generation
	if err := f.loadSnapshot(st); err != nil {
		return err
	}
	if err := f.loadLog(st); err != nil {
		return err
	}
	f.removeOthers(names)
	return f.loadMark(st)
}

func newestSnapshot(names []string) (generation uint64, ok bool) {
	for _, name := range names {
		var g uint64
		if _, err := fmt.Sscanf(name, "memkv-%016d.snap", &g); err == nil && name == snapshotName(g) && g >= generation {
			generation, ok = g, true
		}
	}
	return generation, ok
}

// create writes generation 1. Leftovers of an earlier attempt that failed are
// logs and temporary files; anything else is a format this code doesn't know.
func (f *folder) create(names []string, st *state) error {
	for _, name := range names {
		if !strings.HasSuffix(name, ".tmp") && name != logName(1) {
			return fmt.Errorf("unknown file %s, perhaps of a newer version: %w", name, kv.ErrForeign)
		}
	}
	f.removeOthers(names)
	if err := f.rotate(context.Background(), st); err != nil {
		return err
	}
	return f.loadMark(st)
}

func (f *folder) loadSnapshot(st *state) error {
	data, err := f.files.ReadFile(f.path(snapshotName(f.generation)))
	if err != nil {
		return err
	}
	if newerFormat(data, snapshotMagic) {
		return fmt.Errorf("%s has a newer format: %w", snapshotName(f.generation), kv.ErrForeign)
	}
	last, entries, err := readSnapshot(data, f.generation, st.apply)
	if err != nil {
		return err
	}
	if n, _ := st.usage(); uint64(n) != entries {
		return fmt.Errorf("snapshot of generation %d has %d entries instead of %d: %w",
			f.generation, n, entries, kv.ErrCorrupt)
	}
	f.sequence, f.snapshotBytes = last, int64(len(data))
	return nil
}

// newerFormat reports whether data is an intact header whose magic differs
// from want in the version digit only.
func newerFormat(data []byte, want string) bool {
	_, payload, _, ok := cutFrame(data)
	return ok && len(payload) >= magicSize && string(payload[:magicSize-1]) == want[:magicSize-1] &&
		payload[magicSize-1] > want[magicSize-1]
}

func (f *folder) loadLog(st *state) error {
	name := f.path(logName(f.generation))
	data, err := f.files.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is missing: %w", logName(f.generation), kv.ErrCorrupt)
	}
	if err != nil {
		return err
	}
	last, intact, err := readLog(data, f.generation, st.apply)
	if err != nil {
		return err
	}
	if last < f.sequence {
		return fmt.Errorf("log of generation %d ends at commit %d, before its snapshot: %w",
			f.generation, last, kv.ErrCorrupt)
	}
	if f.log, err = f.files.OpenWrite(name); err != nil {
		return err
	}
	f.sequence, f.logBytes = last, int64(intact)
	if intact == len(data) {
		return nil
	}
	f.logger.Warn("dropped a record that a crash cut off", "folder", f.dir,
		"bytes", len(data)-intact, "commit", last+1)
	if err := f.log.Truncate(f.logBytes); err != nil {
		return err
	}
	return f.log.Sync()
}

// removeOthers deletes what belongs to no or another generation: leftovers of
// a rotation that a crash interrupted. Failing to is harmless.
func (f *folder) removeOthers(names []string) {
	for _, name := range names {
		if name != snapshotName(f.generation) && name != logName(f.generation) {
			_ = f.files.Remove(f.path(name))
		}
	}
}

// loadMark compares the mark with what was found and goes on from both.
func (f *folder) loadMark(st *state) error {
	data, err := f.files.ReadFile(f.path(markName))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	found, known := ackmark.Decode(data)
	f.mark = found.Reconcile(f.sequence)
	if !known {
		f.ack, err = f.files.Create(f.path(markName))
	} else {
		f.ack, err = f.files.OpenWrite(f.path(markName))
	}
	if err != nil {
		return err
	}
	if f.mark == found && known {
		return nil
	}
	if err := errors.Join(f.writeMark(), f.ack.Sync(), f.files.SyncDir(f.dir)); err != nil {
		return err
	}
	if f.mark.Lost == found.Lost {
		return nil
	}
	f.logger.Warn("acknowledged commits are missing from the end of the log", "folder", f.dir,
		"missing", f.mark.Lost-found.Lost, "last", f.sequence)
	// A new generation starts at the acknowledged number, so that none is
	// given out twice and the loss isn't found again.
	f.sequence = f.mark.Acknowledged
	return f.rotate(context.Background(), st)
}

func (f *folder) writeMark() error {
	b := f.mark.Encode()
	_, err := f.ack.WriteAt(b[:], 0)
	return err
}

// fail refuses all further writes because of err and returns what to tell.
func (f *folder) fail(err error) error {
	if f.failed == nil {
		f.failed = fmt.Errorf("memkv: %s: %w; what was committed before is safe: "+
			"close the store, free space or repair the disk, and open it again (%w)", f.dir, kv.ErrFailed, err)
		f.logger.Error("store failed, writes are refused", "folder", f.dir, "error", err)
	}
	return f.failed
}

// append adds one commit to the log and, for kv.Sync, makes it durable.
func (f *folder) append(payload []byte, d kv.Durability) error {
	if f.failed != nil {
		return f.failed
	}
	f.scratch = appendFrame(f.scratch[:0], f.sequence+1, payload)
	if _, err := f.log.WriteAt(f.scratch, f.logBytes); err != nil {
		return f.fail(err)
	}
	f.logBytes += int64(len(f.scratch))
	f.sequence++
	f.synced = false
	if cap(f.scratch) > maxScratch {
		f.scratch = nil
	}
	if d == kv.NoSync {
		return nil
	}
	return f.sync()
}

// maxScratch is how large a buffer is kept between commits.
const maxScratch = 1 << 20

// sync makes the log durable and notes that in the mark.
func (f *folder) sync() error {
	if f.failed != nil {
		return f.failed
	}
	if f.synced {
		return nil
	}
	f.syncs++
	if err := f.log.Sync(); err != nil {
		return f.fail(err)
	}
	f.synced = true
	f.mark.Acknowledged = f.sequence
	if err := f.writeMark(); err != nil {
		return f.fail(err)
	}
	return nil
}

func (f *folder) acceptLoss() error {
	if f.failed != nil {
		return f.failed
	}
	f.mark.Lost = 0
	if err := errors.Join(f.writeMark(), f.ack.Sync()); err != nil {
		return f.fail(err)
	}
	return nil
}

// verify reads both files again.
func (f *folder) verify(ctx context.Context) error {
	nothing := func([]byte) bool { return ctx.Err() == nil }
	var problems []error
	if f.mark.Lost > 0 {
		problems = append(problems, fmt.Errorf("memkv: %d acknowledged commits are missing: %w", f.mark.Lost, kv.ErrCorrupt))
	}
	data, err := f.files.ReadFile(f.path(snapshotName(f.generation)))
	if err == nil {
		_, _, err = readSnapshot(data, f.generation, nothing)
	}
	problems = append(problems, err)
	data, err = f.files.ReadFile(f.path(logName(f.generation)))
	if err == nil {
		var last uint64
		last, _, err = readLog(data, f.generation, nothing)
		if err == nil && last != f.sequence {
			err = fmt.Errorf("memkv: log ends at commit %d instead of %d: %w", last, f.sequence, kv.ErrCorrupt)
		}
	}
	problems = append(problems, err)
	if err := ctx.Err(); err != nil {
		return err
	}
	return errors.Join(problems...)
}

// close makes everything durable and gives the folder up.
func (f *folder) close() error {
	err := f.failed
	if err == nil {
		err = errors.Join(f.sync(), f.ack.Sync())
	}
	f.release()
	return err
}

func (f *folder) release() {
	for _, c := range []io.Closer{f.log, f.ack, f.lock} {
		if c != nil {
			_ = c.Close()
		}
	}
}
