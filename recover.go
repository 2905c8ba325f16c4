package contextforge

// This file decides how a store that can't be opened any more is saved, and in
// which order, so that at every moment the damaged original or the complete
// copy is there.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/contextforge-go/contextforge/internal/store"
)

// RecoverReport says what Recover brought back.
type RecoverReport struct {
	Entries int `json:"entries"` // in the recovered store
	// Lost counts what is known to be missing: tables, logs and records that
	// could not be read to their end, and commits that were acknowledged and are
	// not there, those that were missed when the store was opened before
	// included.
	Lost     int      `json:"lost"`
	Damaged  string   `json:"damaged"`  // folder to which the damaged store was moved
	Problems []string `json:"problems"` // what was wrong, in words; never nil
}

// Recover salvages the store in cfg.Path: whatever can be read, log and tables,
// is copied into a new folder, indexed again, and put in the place of the old
// one, which is moved aside and never changed. It is for a store that Open
// refuses as corrupt, or whose Verify names losses; the store must not be open.
// When a damaged part held deletions, an entry deleted shortly before may come
// back.
//
// It works in folders beside the store, named like it with ".recovering" and
// ".recovered" appended; if one of them exists and is not a recovery's, it
// returns ErrForeign, as for a folder in Path that never was a store. A
// recovery that was cut off is finished by calling Recover again; until then
// Open refuses to create a new store in its place.
func Recover(ctx context.Context, cfg Config) (RecoverReport, error) {
	r := recovery{cfg: cfg, report: RecoverReport{Problems: []string{}}}
	if err := r.run(ctx); err != nil {
		return r.report, fmt.Errorf("contextforge: recover %s: %w", cfg.where(), err)
	}
	return r.report, nil
}

// wreck is a damaged store's folder, locked.
type wreck interface {
	// Ours reports whether a file in it says that it is a store's.
	Ours() bool
	// Fingerprint changes when anything in the folder does.
	Fingerprint() (string, error)
	// Salvage copies what is readable into a new store. It returns the number
	// of losses and a line about each damage.
	Salvage(to string) (lost int, problems []string, err error)
	// Release gives up the lock; further calls do nothing.
	Release() error
}

// recovery is one call of Recover.
type recovery struct {
	cfg    Config
	dir    string     // the damaged store, its real path
	work   sideFolder // where the copy is made
	done   sideFolder // where it is once it is complete
	report RecoverReport
}

func (r *recovery) run(ctx context.Context) error {
	if err := r.locate(); err != nil {
		return err
	}
	if isGone(r.dir) && r.done.isComplete() {
		return r.resume()
	}
	if _, err := os.Stat(r.dir); err != nil {
		return err
	}
	from, err := hold(r.dir, r.cfg)
	if err != nil {
		return err
	}
	return errors.Join(r.replace(ctx, from), from.Release())
}

// locate names the folders.
func (r *recovery) locate() (err error) {
	if r.cfg.KV != nil || r.cfg.Storage != nil || r.cfg.Path == "" || r.cfg.Path == MemoryPath {
		return fmt.Errorf("%w: only a folder in Path can be recovered", ErrInvalidConfig)
	}
	if r.dir, err = realPath(r.cfg.Path); err != nil {
		return err
	}
	if r.dir == filepath.Dir(r.dir) {
		return fmt.Errorf("%w: Path is a root folder, which can't be replaced", ErrInvalidConfig)
	}
	r.work, r.done = sideFolder(r.dir+".recovering"), sideFolder(r.dir+".recovered")
	if r.cfg.Clock == nil {
		r.cfg.Clock = time.Now
	}
	// What is worth saying goes into the report.
	r.cfg.Logger, r.cfg.Hooks = nil, Hooks{}
	return nil
}

// replace makes a copy of what is readable, unless one of just this state is
// there, and exchanges the two.
func (r *recovery) replace(ctx context.Context, from wreck) error {
	if err := errors.Join(r.work.check(), r.done.check()); err != nil {
		return err
	}
	source, err := from.Fingerprint()
	if err != nil {
		return err
	}
	note, err := r.done.read()
	if err != nil || !r.done.isComplete() || note.Source != source {
		if note, err = r.makeCopy(ctx, from, source); err != nil {
			return err
		}
	}
	if err := r.moveAside(from, note); err != nil {
		return err
	}
	return r.putInPlace()
}

// makeCopy fills the side folder with a sound store made of what is readable,
// and returns its note as it was written.
func (r *recovery) makeCopy(ctx context.Context, from wreck, source string) (note sideNote, err error) {
	if err := r.discardAll(); err != nil {
		return note, err
	}
	note.Source = source
	defer func() {
		if err != nil {
			err = errors.Join(err, r.work.discard())
		}
	}()
	if err := r.work.create(note); err != nil {
		return note, err
	}
	if err := r.salvage(ctx, from); err != nil {
		return note, err
	}
	note.Complete, note.Report = true, r.report
	if err := r.work.write(note); err != nil {
		return note, err
	}
	if err := os.Rename(string(r.work), string(r.done)); err != nil {
		return note, err
	}
	syncFolder(filepath.Dir(r.dir))
	return note, nil
}

// discardAll removes what earlier recoveries left. A copy is renamed first, so
// that half of one is never taken for a whole one.
func (r *recovery) discardAll() error {
	if err := r.work.discard(); err != nil {
		return err
	}
	if err := os.Rename(string(r.done), string(r.work)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return r.work.discard()
}

// salvage makes the copy and fills the report.
func (r *recovery) salvage(ctx context.Context, from wreck) error {
	lost, problems, err := from.Salvage(r.work.store())
	r.report.Lost, r.report.Problems = lost, append(r.report.Problems, problems...)
	if err != nil {
		return err
	}
	cfg := r.cfg
	cfg.Path = r.work.store()
	kept, pruned, err := prune(ctx, cfg)
	r.report.Lost, r.report.Problems = lost+len(pruned), append(r.report.Problems, pruned...)
	if err != nil {
		return err
	}
	if kept == 0 && !from.Ours() {
		return fmt.Errorf("%w: it has neither the file that says so nor a readable entry", ErrForeign)
	}
	r.report.Entries, err = countSound(ctx, cfg)
	return err
}

// moveAside makes way for the complete copy. Its note says where the damaged
// folder is going, for whoever has to go on.
func (r *recovery) moveAside(from wreck, note sideNote) error {
	r.report = note.Report
	r.report.Damaged = r.freeName()
	note.Report = r.report
	if err := r.done.write(note); err != nil {
		return err
	}
	if runtime.GOOS == "windows" {
		// A folder can't be moved while a file in it is open, others' included.
		if err := from.Release(); err != nil {
			return err
		}
	}
	if err := os.Rename(r.dir, r.report.Damaged); err != nil {
		r.report.Damaged = ""
		return err
	}
	syncFolder(filepath.Dir(r.dir))
	return nil
}

// freeName returns a name beside the store that nothing has.
func (r *recovery) freeName() string {
	name := r.dir + ".damaged-" + r.cfg.Clock().UTC().Format("20060102T150405.000000000")
	for n, free := 2, name; ; n++ {
		if _, err := os.Lstat(free); errors.Is(err, fs.ErrNotExist) {
			return free
		}
		free = fmt.Sprintf("%s-%d", name, n)
	}
}

// resume finishes a recovery that had moved the damaged folder aside.
func (r *recovery) resume() error {
	if err := errors.Join(r.work.check(), r.done.check()); err != nil {
		return err
	}
	note, err := r.done.read()
	if err != nil {
		return err
	}
	r.report = note.Report
	if _, err := os.Stat(r.report.Damaged); err != nil {
		r.report.Damaged = ""
	}
	if err := os.Remove(r.dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return r.putInPlace()
}

func (r *recovery) putInPlace() error {
	if err := os.Rename(r.done.store(), r.dir); err != nil {
		return err
	}
	syncFolder(filepath.Dir(r.dir))
	// What may be left of the side folders does no harm; the next Recover removes it.
	_ = r.discardAll()
	return nil
}

// prune makes what was salvaged consistent and counts the entries.
func prune(ctx context.Context, cfg Config) (kept int, lost []string, err error) {
	pairs, err := openKV(cfg)
	if err != nil {
		return 0, nil, err
	}
	kept, lost, err = store.Prune(ctx, pairs)
	return kept, lost, errors.Join(err, pairs.Close())
}

// countSound opens the store, which finishes its rebuild, and counts.
func countSound(ctx context.Context, cfg Config) (int, error) {
	cfg.MaxEntries, cfg.MaxEntriesPerScope = Unlimited, Unlimited // evict nothing here
	m, err := Open(ctx, cfg)
	if err != nil {
		return 0, err
	}
	n, err := m.Count(ctx)
	return n, errors.Join(err, m.Verify(ctx), m.Close())
}
