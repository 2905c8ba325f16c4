// This file decides what is copied out of a folder that can't be opened, and
// which of several versions of a key counts.

//go:build !js && !wasip1 && !solaris && !aix && !plan9

package pebblekv

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/wal"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/internal/ackmark"
)

// SalvageReport tells what [Salvage] found.
type SalvageReport struct {
	Tables        int // tables read, wholly or in part
	DamagedTables int // tables of which something could not be read
	Logs          int // logs read, wholly or in part
	DamagedLogs   int // logs that ended in damage
	Entries       int // entries in the new store
	// LostCommits counts the acknowledged commits that are known to be missing,
	// those that an earlier Open found and those that [Store.AcceptLoss] was
	// called for included. It is a lower bound when tables are damaged.
	LostCommits uint64
	// Problems describes each damage that was met.
	Problems []string
}

// Salvage copies what is readable in the damaged store dir into a new store in
// the folder to, which must not exist or be empty. It only reads dir; both are
// closed when it returns. It returns kv.ErrLocked if dir is in use.
//
// Tables and logs are read directly, so that a lost manifest doesn't matter.
// From a damaged table the entries before the first and after the last damaged
// block are taken, from a damaged log the commits before the damage. What the
// lost parts held is missing: new values, but also deletions, so that an old
// value may come back. Commits are no longer whole then; whoever keeps indexes
// in the store should rebuild them. Memory is needed for all keys, not for
// values.
func Salvage(dir, to string, o Options) (SalvageReport, error) {
	w, err := newWreck(dir, o)
	if err == nil {
		// A lock file that can't be made, as on a read-only medium, is no obstacle.
		if lockErr := w.claim(); errors.Is(lockErr, kv.ErrLocked) {
			err = lockErr
		}
	}
	if err != nil {
		return SalvageReport{}, fmt.Errorf("pebblekv: salvage %s: %w", dir, err)
	}
	r, err := w.Salvage(to)
	return r, errors.Join(err, w.Release())
}

// Salvage copies what is readable into a new store; see the function Salvage.
func (w *Wreck) Salvage(to string) (SalvageReport, error) {
	s := &salvage{fs: w.fs, dir: w.dir, opts: w.opts, newest: map[string]version{}}
	isNew, err := freeFor(w.fs, to)
	switch {
	case err == nil && !isNew:
		err = fmt.Errorf("folder %s is not empty: %w", to, kv.ErrForeign)
	case err == nil:
		err = s.run(to)
	}
	if err != nil {
		return s.report, fmt.Errorf("pebblekv: salvage %s: %w", w.dir, err)
	}
	return s.report, nil
}

// freeFor reports whether a new store may be made in to.
func freeFor(fs vfs.FS, to string) (bool, error) {
	names, err := fs.List(to)
	if isNotExist(err) {
		return true, nil
	}
	return len(names) == 0, err
}

// version is one version of a key in a table.
type version struct {
	sequence uint64 // Pebble's
	table    int    // index into salvage.tables
	deleted  bool
}

// span is a range deletion.
type span struct {
	lower, upper []byte
	sequence     uint64
}

// salvage is one run.
type salvage struct {
	fs     vfs.FS
	dir    string
	opts   Options
	out    *Store
	batch  kv.Batch
	report SalvageReport

	tables  []string           // names
	newest  map[string]version // by key
	spans   []span
	commits uint64 // newest commit number in any table
	lost    uint64 // acknowledged commits that were found missing earlier

	// Which commits are there: all up to base, and some up to last.
	base, last uint64
	later      uint64 // how many after base, acknowledged ones
	mark       ackmark.Mark
}

func (s *salvage) problem(name string, err error) {
	s.report.Problems = append(s.report.Problems, fmt.Sprintf("%s: %v", name, err))
}

// run reads all keys to learn which versions count, then copies their values,
// then replays the commits that are in no table yet.
func (s *salvage) run(to string) (err error) {
	if s.mark, _, err = readMark(s.fs, s.dir); err != nil {
		return err
	}
	if s.tables, err = s.listTables(); err != nil {
		return err
	}
	for i := range s.tables {
		s.collect(i)
	}
	if s.out, err = Open(to, Options{FS: s.opts.FS, SmallDevice: s.opts.SmallDevice, Logger: s.opts.Logger}); err != nil {
		return err
	}
	s.batch = s.out.NewBatch()
	err = s.copyTables()
	if err == nil {
		err = s.replayLogs()
	}
	if err == nil {
		s.countLost()
		err = errors.Join(s.commit(), s.out.Flush(), s.countEntries())
	}
	return errors.Join(err, s.batch.Close(), s.out.Close())
}

// listTables returns the tables that belong to the store, if Pebble can still
// tell without changing anything, and otherwise all that are there.
func (s *salvage) listTables() ([]string, error) {
	names, err := s.fs.List(s.dir)
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !isTable(name) })
	slices.Sort(names)
	live := s.liveTables()
	if live == nil {
		return names, nil
	}
	return slices.DeleteFunc(names, func(name string) bool { return !live[name] }), nil
}

func (s *salvage) liveTables() (live map[string]bool) {
	var err error
	defer func() {
		if err != nil {
			live = nil
			s.problem("open", err)
			if isNotExist(err) && s.hasManifest() {
				s.report.DamagedTables++ // a table that the manifest names is gone
			}
		}
	}()
	defer recoverDamage(&err)
	p := s.opts.pebbleOptions(heldFS{s.fs})
	p.ReadOnly, p.DisableConsistencyCheck = true, true
	p.EventListener = &pebble.EventListener{DataCorruption: func(pebble.DataCorruptionInfo) {}}
	db, err := pebble.Open(s.dir, p)
	if err != nil {
		return nil
	}
	levels, err := db.SSTables()
	live = map[string]bool{}
	for _, level := range levels {
		for _, table := range level {
			live[table.BackingSSTNum.String()+".sst"] = true
		}
	}
	err = errors.Join(err, db.Close())
	return live
}

func (s *salvage) hasManifest() bool {
	desc, err := pebble.Peek(s.dir, s.fs)
	if err != nil || desc == nil {
		return false
	}
	_, err = s.fs.Stat(desc.ManifestFilename)
	return desc.Exists && err == nil
}

// collect notes the keys of one table.
func (s *salvage) collect(i int) {
	err := s.eachEntry(s.tables[i], func(e tableEntry) error {
		s.note(i, e)
		return nil
	}, func(d span) { s.spans = append(s.spans, d) })
	s.report.Tables++
	if err != nil {
		s.report.DamagedTables++
		s.problem(s.tables[i], err)
	}
}

// note keeps e if it is the newest version so far. Of equal numbers, which are
// zeros of fully compacted tables, the one in the later table counts.
func (s *salvage) note(table int, e tableEntry) {
	if bytes.Equal(e.key, sequenceKey) {
		if v, err := e.value(); err == nil && len(v) == 8 {
			s.commits = max(s.commits, binary.BigEndian.Uint64(v))
		}
	}
	if bytes.Equal(e.key, lostKey) {
		if v, err := e.value(); err == nil && len(v) == 8 {
			s.lost = max(s.lost, binary.BigEndian.Uint64(v))
		}
	}
	if e.key[0] == reservedByte {
		return
	}
	if old, ok := s.newest[string(e.key)]; ok && old.sequence > e.sequence {
		return
	}
	s.newest[string(e.key)] = version{sequence: e.sequence, table: table, deleted: e.deleted}
}

// copyTables copies the versions that count.
func (s *salvage) copyTables() error {
	for i, name := range s.tables {
		err := s.eachEntry(name, func(e tableEntry) error { return s.copyEntry(i, e) }, nil)
		var write *writeFailure
		if errors.As(err, &write) {
			return write.err
		}
	}
	return nil
}

// writeFailure tells an error of the new store from one of the old.
type writeFailure struct{ err error }

func (w *writeFailure) Error() string { return w.err.Error() }

func (s *salvage) copyEntry(table int, e tableEntry) error {
	v, ok := s.newest[string(e.key)]
	if !ok || v.table != table || v.sequence != e.sequence || v.deleted || s.isDeleted(e) {
		return nil
	}
	value, err := e.value()
	if err != nil {
		return err
	}
	s.batch.Set(e.key, value)
	if err := s.commitIfLarge(); err != nil {
		return &writeFailure{err}
	}
	return nil
}

func (s *salvage) isDeleted(e tableEntry) bool {
	return slices.ContainsFunc(s.spans, func(d span) bool {
		return d.sequence > e.sequence && bytes.Compare(d.lower, e.key) <= 0 && bytes.Compare(e.key, d.upper) < 0
	})
}

const salvageBatch = 1 << 20

func (s *salvage) commitIfLarge() error {
	if s.batch.Size() < salvageBatch {
		return nil
	}
	return s.commit()
}

func (s *salvage) commit() error {
	err := s.out.Commit(s.batch, kv.NoSync)
	s.batch.Reset()
	return err
}

func (s *salvage) countEntries() error {
	it, err := s.out.Iter(nil, nil)
	if err != nil {
		return err
	}
	for ok := it.First(); ok; ok = it.Next() {
		s.report.Entries++
	}
	return errors.Join(it.Error(), it.Close())
}

// replayLogs applies the commits newer than any in a table, in order. A log
// that was kept to be recycled holds only older ones.
func (s *salvage) replayLogs() error {
	logs, err := wal.Scan(wal.Dir{FS: s.fs, Dirname: s.dir})
	if err != nil {
		return err
	}
	s.base, s.last = s.commits, s.commits
	for _, log := range logs {
		s.report.Logs++
		err := s.replayLog(log)
		var write *writeFailure
		if errors.As(err, &write) {
			return write.err
		}
		if err != nil {
			s.report.DamagedLogs++
			s.problem(fmt.Sprintf("%s.log", log.Num), err)
		}
	}
	return nil
}

func (s *salvage) replayLog(log wal.LogicalLog) (err error) {
	defer recoverDamage(&err)
	r := log.OpenForRead()
	defer r.Close()
	for {
		record, _, err := r.NextRecord()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		data, err := io.ReadAll(record)
		if err != nil {
			return err
		}
		if err := s.replayCommit(data); err != nil {
			return err
		}
	}
}

// replayCommit applies one batch unless its number says that tables have it.
func (s *salvage) replayCommit(data []byte) error {
	r, err := decodeBatch(data)
	if err != nil || r.number != 0 && r.number <= s.commits {
		return err
	}
	s.count(r)
	for _, c := range r.changes {
		c(s.batch)
	}
	if err := s.commitIfLarge(); err != nil {
		return &writeFailure{err}
	}
	return nil
}

// count notes that a commit is there.
func (s *salvage) count(r logRecord) {
	if r.number <= s.last {
		return
	}
	s.last = r.number
	switch {
	case r.lost > 0: // what is missing before it was noted with it
		s.lost = max(s.lost, r.lost)
		s.base, s.later = r.number, 0
	case r.number <= s.mark.Acknowledged:
		s.later++
	}
}

// countLost compares what was acknowledged with what is there. The number of
// the newest commit in tables may be in a damaged one, so that then too many
// seem to be missing.
func (s *salvage) countLost() {
	s.report.LostCommits = max(s.lost, s.mark.Lost)
	missing := uint64(0)
	if there := s.base + s.later; there < s.mark.Acknowledged {
		missing = s.mark.Acknowledged - there
	}
	if s.report.DamagedTables == 0 {
		s.report.LostCommits += missing
		missing = 0
	}
	if n := s.report.LostCommits; n > 0 {
		s.report.Problems = append(s.report.Problems, fmt.Sprintf("%d acknowledged commits are missing", n))
	}
	if missing > 0 {
		s.report.Problems = append(s.report.Problems, fmt.Sprintf("up to %d acknowledged commits may be missing with the damaged tables", missing))
	}
}

// logRecord is one commit in a log.
type logRecord struct {
	changes []func(kv.Batch)
	number  uint64 // of the commit
	lost    uint64 // acknowledged commits that it says are lost
}

func decodeBatch(data []byte) (r logRecord, err error) {
	var b pebble.Batch
	if err := b.SetRepr(data); err != nil {
		return r, err
	}
	reader := b.Reader()
	for {
		kind, key, value, ok, err := reader.Next()
		if err != nil || !ok {
			return r, err
		}
		if len(key) == 0 || key[0] == reservedByte {
			r.addReserved(key, value)
			continue
		}
		switch kind {
		case pebble.InternalKeyKindSet:
			r.changes = append(r.changes, func(b kv.Batch) { b.Set(key, value) })
		case pebble.InternalKeyKindDelete:
			r.changes = append(r.changes, func(b kv.Batch) { b.Delete(key) })
		case pebble.InternalKeyKindRangeDelete:
			r.changes = append(r.changes, func(b kv.Batch) { b.DeleteRange(key, value) })
		}
	}
}

func (r *logRecord) addReserved(key, value []byte) {
	if len(value) != 8 {
		return
	}
	switch number := binary.BigEndian.Uint64(value); string(key) {
	case string(sequenceKey):
		r.number = number
	case string(lostKey):
		r.lost = number
	}
}
