package contextforge

// This file decides what a folder beside a store, in which a recovery makes its
// copy, looks like, and how it is told from a folder of somebody else's.
//
//	store.recovering/      or, once the copy is complete, store.recovered/
//	    RECOVERY           a sideNote in JSON
//	    store/             the copy

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

const (
	noteName   = "RECOVERY"
	noteFormat = "contextforge recovery 1"
	noteTemp   = noteName + ".tmp"
	sideStore  = "store"
)

// sideNote says whose copy a side folder holds.
type sideNote struct {
	Format   string        `json:"format"`
	Source   string        `json:"source"`   // fingerprint of the damaged store
	Complete bool          `json:"complete"` // the copy is
	Report   RecoverReport `json:"report"`
}

// sideFolder is the path of such a folder.
type sideFolder string

func (s sideFolder) store() string { return filepath.Join(string(s), sideStore) }

func (s sideFolder) note() string { return filepath.Join(string(s), noteName) }

// read returns the note, or an error if there is none.
func (s sideFolder) read() (note sideNote, err error) {
	data, err := os.ReadFile(s.note())
	if err != nil {
		return note, err
	}
	if err := json.Unmarshal(data, &note); err != nil || note.Format != noteFormat {
		return sideNote{}, fmt.Errorf("%w: %s is not a note of a recovery", ErrForeign, s.note())
	}
	if note.Report.Problems == nil {
		note.Report.Problems = []string{}
	}
	return note, nil
}

// write replaces the note, durably and as a whole.
func (s sideFolder) write(note sideNote) error {
	note.Format = noteFormat
	data, err := json.Marshal(note)
	if err != nil {
		return err
	}
	temp := filepath.Join(string(s), noteTemp)
	f, err := os.OpenFile(temp, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp, s.note()); err != nil {
		return err
	}
	syncFolder(string(s))
	return nil
}

// create makes the folder.
func (s sideFolder) create(note sideNote) error {
	if err := os.Mkdir(string(s), 0o700); err != nil {
		return err
	}
	return s.write(note)
}

// isComplete reports whether a complete copy is there.
func (s sideFolder) isComplete() bool {
	note, err := s.read()
	if err != nil || !note.Complete {
		return false
	}
	info, err := os.Stat(s.store())
	return err == nil && info.IsDir()
}

// check returns ErrForeign if the folder exists and isn't a recovery's: one has
// a note and a copy, or not even the note yet.
func (s sideFolder) check() error {
	entries, err := os.ReadDir(string(s))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if info, statErr := os.Lstat(string(s)); err != nil && statErr == nil && info.IsDir() {
		return err
	} else if err != nil || statErr != nil || !info.IsDir() {
		return s.foreign()
	}
	for _, e := range entries {
		switch e.Name() {
		case noteTemp:
		case noteName, sideStore:
			if _, err := s.read(); err != nil {
				return errors.Join(s.foreign(), err)
			}
		default:
			return s.foreign()
		}
	}
	return nil
}

func (s sideFolder) foreign() error {
	return fmt.Errorf("%w: %s is in the way and not from a recovery; move it elsewhere", ErrForeign, string(s))
}

// discard removes the folder, the note last, so that it stays known as what it
// is. It deletes nothing of another's.
func (s sideFolder) discard() error {
	if err := s.check(); err != nil {
		return err
	}
	if err := os.RemoveAll(s.store()); err != nil {
		return err
	}
	for _, name := range []string{filepath.Join(string(s), noteTemp), s.note(), string(s)} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// isGone reports whether there is no folder, or an empty one, at dir.
func isGone(dir string) bool {
	entries, err := os.ReadDir(dir)
	return errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0
}

// checkRecovered refuses to create a store where a cut-off recovery has moved
// the damaged one aside and its copy waits to take the place.
func checkRecovered(path string) error {
	dir, err := realPath(path)
	if err != nil {
		return err
	}
	done := sideFolder(dir + ".recovered")
	if isGone(dir) && done.isComplete() {
		return fmt.Errorf("%w: a recovery was cut off before its last step; run Recover again to finish it, the entries are in %s", ErrCorrupt, done.store())
	}
	return nil
}

// maxSymlinks bounds a chain of links that leads to no folder.
const maxSymlinks = 40

// realPath makes a path absolute and follows its links as far as they lead, so
// that a link stays one when the folder it names is replaced.
func realPath(path string) (string, error) {
	at, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	for range maxSymlinks {
		real, err := filepath.EvalSymlinks(at)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return real, err
		}
		target, err := os.Readlink(at)
		if err != nil { // no link: what is missing is the folder itself or a parent
			if parent, err := filepath.EvalSymlinks(filepath.Dir(at)); err == nil {
				at = filepath.Join(parent, filepath.Base(at))
			}
			return at, nil
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(at), target)
		}
		at = target
	}
	return "", fmt.Errorf("%s: too many links", path)
}

// syncFolder makes the names in a folder durable where the platform can.
func syncFolder(dir string) {
	if f, err := os.Open(dir); err == nil {
		_ = f.Sync()
		_ = f.Close()
	}
}
