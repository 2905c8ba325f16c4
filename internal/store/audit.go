package store

// This file decides how everything that is stored can be walked through, expired
// entries and earlier versions included, and where what such a walk must not
// forget is kept.

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/contextforge-go/contextforge/kv"
)

// Numbered is a record with its docNum.
type Numbered struct {
	Num uint64
	*Record
}

// From yields the records whose docNum is at least num, in that order, expired
// ones included.
func (v *View) From(num uint64) iter.Seq2[Numbered, error] {
	return func(yield func(Numbered, error) bool) {
		for rec, err := range recordsFrom(v.state.snap, num) {
			if err != nil {
				yield(Numbered{}, err)
				return
			}
			if !yield(Numbered{rec.num, &rec.Record}, nil) {
				return
			}
		}
	}
}

// Versions yields the earlier versions of an entry, oldest first.
func (v *View) Versions(id string) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		err := scan(v.state.snap, historyPrefix(id), func(_, value []byte) (bool, error) {
			rec, err := decodeRecord(0, value)
			return err == nil && yield(&rec.Record, nil), err
		})
		if err != nil {
			yield(nil, err)
		}
	}
}

// NameKey returns the key with which names are replaced, which is fresh if the
// store has none. It is kept until DropNameKey, so that a name gets the same
// replacement when the work is taken up again.
func (s *Store) NameKey(ctx context.Context, fresh []byte) (key []byte, err error) {
	err = s.submit(ctx, func(t *tx) error {
		key, err = kv.GetCopy(t.s.kv, nil, nameKey())
		if errors.Is(err, kv.ErrNotFound) {
			key = fresh
			t.changes++
			t.batch.Set(nameKey(), key)
			return nil
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("store: the key for names: %w", err)
	}
	return key, nil
}

// DropNameKey forgets the key of NameKey, if there is one; after Compact it is
// nowhere.
func (s *Store) DropNameKey(ctx context.Context) error {
	return s.submit(ctx, func(t *tx) error {
		found, err := has(t.s.kv, nameKey())
		if found {
			t.changes++
			t.batch.Delete(nameKey())
		}
		return err
	})
}
