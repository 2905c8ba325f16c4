package store

// This file decides what of a damaged store can be kept.

import (
	"context"
	"errors"
	"fmt"

	"github.com/contextforge-go/contextforge/kv"
)

// Prune removes the records and counters that can't be decoded and asks for a
// rebuild, which the next Open carries out. pairs is a copy of what was
// readable. It returns the number of records kept, versions in the history not
// counted, and one line about each thing lost.
func Prune(ctx context.Context, pairs kv.Store) (kept int, lost []string, err error) {
	b := pairs.NewBatch()
	defer func() { err = errors.Join(err, b.Close()) }()
	for _, family := range [...]byte{famRecord, famHistory} {
		err := scan(pairs, []byte{family}, func(key, value []byte) (bool, error) {
			if err := checkPair(family, key, value); err != nil {
				lost = append(lost, fmt.Sprintf("record under key %x: %v", key, err))
				b.Delete(key)
			} else if family == famRecord {
				kept++
			}
			return true, ctx.Err()
		})
		if err != nil {
			return kept, lost, err
		}
	}
	if _, err := readState(pairs); errors.Is(err, ErrNewer) {
		return kept, lost, err
	} else if err != nil {
		b.Delete(stateKey())
	}
	b.Set(rebuildKey(), nil)
	return kept, lost, pairs.Commit(b, kv.Sync)
}

// checkPair reports what is wrong with a record and its key.
func checkPair(family byte, key, value []byte) error {
	if family == famRecord {
		if _, err := parseNum(key); err != nil {
			return err
		}
	}
	_, err := decodeRecord(0, value)
	return err
}
