package store

// This file decides how an entry loses a part of its text, or its id, for good.

import (
	"context"
	"errors"
	"fmt"
)

// errUnwritten says that the entry, or a version of it, is only in the commit that
// is being made.
var errUnwritten = errors.New("not written yet")

// unwritten reports whether the history of a record can't be read yet.
func (t *tx) unwritten(rec *stored) bool {
	return t.added[rec.num] != nil || len(t.versions[rec.ID]) > 0
}

// Redact edits an entry and the versions in its history, and keeps nothing of
// what they were, which Compact then removes from the disk. edit receives
// copies and reports whether it changed one; it may change all but the id, and
// may run more than once. An entry with a new content loses its vectors and, if
// missing says so, waits for new ones. Redact reports whether anything changed.
func (s *Store) Redact(ctx context.Context, id string, missing bool, edit func(*Record) (bool, error)) (changed bool, err error) {
	for {
		err := s.submit(ctx, func(t *tx) (err error) {
			changed, err = t.redact(id, missing, edit)
			return err
		})
		if !errors.Is(err, errUnwritten) {
			return changed && err == nil, err
		}
	}
}

func (t *tx) redact(id string, missing bool, edit func(*Record) (bool, error)) (changed bool, err error) {
	old, err := t.find(id)
	switch {
	case err != nil:
		return false, err
	case old == nil:
		return false, fmt.Errorf("%w: %q", ErrNotFound, t.s.shown(id))
	case t.unwritten(old):
		return false, errUnwritten
	}
	next := &stored{Record: old.Record, hasHistory: old.hasHistory}
	if changed, err = edit(&next.Record); err != nil {
		return false, err
	}
	versions, err := t.redactVersions(id, edit)
	if err != nil || !changed {
		return versions, err
	}
	next.ID = old.ID
	if next.Content == old.Content {
		return true, t.replaceKeeping(next, old)
	}
	v := t.s.analyze(&next.Record)
	next.vector = &v
	return true, t.put(next, old, &Embedding{Missing: missing})
}

// redactVersions edits the versions in the history of an id.
func (t *tx) redactVersions(id string, edit func(*Record) (bool, error)) (changed bool, err error) {
	type version struct{ key, value []byte }
	var edited []version
	err = scan(t.s.kv, historyPrefix(id), func(key, value []byte) (bool, error) {
		rec, err := decodeRecord(0, value)
		if err != nil {
			return false, err
		}
		changed, err := edit(&rec.Record)
		if err == nil && changed {
			rec.ID = id
			edited = append(edited, version{append([]byte(nil), key...), appendRecord(nil, rec)})
		}
		return true, err
	})
	if err != nil {
		return false, err
	}
	for _, v := range edited {
		t.changes++
		t.batch.Set(v.key, v.value)
	}
	return len(edited) > 0, nil
}

// replaceKeeping puts a record with the content of the old one, whose vectors it
// takes over.
func (t *tx) replaceKeeping(next, old *stored) error {
	if t.s.sameTerms(&next.Record, &old.Record) {
		next.vector = t.analyzed(old)
	}
	t.analyzed(next)
	vectors, err := t.carry(old.num)
	if err != nil {
		return err
	}
	if err := t.put(next, old, &Embedding{}); err != nil {
		return err
	}
	return t.embedAs(next, vectors)
}

// Rename gives an entry another id, which must be free, and keeps nothing of the
// old one, which Compact then removes from the disk. History, vectors and times
// stay.
func (s *Store) Rename(ctx context.Context, id, to string) error {
	for {
		err := s.submit(ctx, func(t *tx) error { return t.rename(id, to) })
		if !errors.Is(err, errUnwritten) {
			return err
		}
	}
}

func (t *tx) rename(id, to string) error {
	old, err := t.find(id)
	if err != nil {
		return err
	}
	taken, err := t.lookup(to)
	switch {
	case err != nil:
		return err
	case old == nil:
		return fmt.Errorf("%w: %q", ErrNotFound, t.s.shown(id))
	case taken != 0:
		return fmt.Errorf("%w: %q is the id of an entry", ErrConflict, t.s.shown(to))
	case t.unwritten(old):
		return errUnwritten
	}
	err = scan(t.s.kv, historyPrefix(id), func(key, value []byte) (bool, error) {
		rec, err := decodeRecord(0, value)
		if err != nil {
			return false, err
		}
		rec.ID = to
		t.batch.Set(append(historyPrefix(to), key[len(historyPrefix(id)):]...), appendRecord(nil, rec))
		t.batch.Delete(key)
		return true, nil
	})
	if err != nil {
		return err
	}
	next := &stored{Record: old.Record, hasHistory: old.hasHistory}
	next.ID = to
	return t.replaceKeeping(next, old)
}
