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
// readable. It returns one line about each thing lost.
func Prune(ctx context.Context, pairs kv.Store) (lost []string, err error) {
	b := pairs.NewBatch()
	defer func() { err = errors.Join(err, b.Close()) }()
	for _, family := range [...]byte{famRecord, famHistory} {
		err := scan(pairs, []byte{family}, func(key, value []byte) (bool, error) {
			if _, err := decodeRecord(0, value); err != nil {
				lost = append(lost, fmt.Sprintf("record under key %x: %v", key, err))
				b.Delete(key)
			}
			return true, ctx.Err()
		})
		if err != nil {
			return lost, err
		}
	}
	if _, err := readState(pairs); errors.Is(err, ErrNewer) {
		return lost, err
	} else if err != nil {
		b.Delete(stateKey())
	}
	b.Set(rebuildKey(), nil)
	return lost, pairs.Commit(b, kv.Sync)
}
