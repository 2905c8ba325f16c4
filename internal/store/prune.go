package store

// This file decides what of a damaged store can be kept.

import (
	"context"
	"errors"
	"fmt"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/vecindex"
)

// Prune removes the records, counters and vectors that can't be decoded and asks
// for a rebuild, which the next Open carries out. pairs is a copy of what was
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
	models, err := readModels(pairs)
	if errors.Is(err, kv.ErrCorrupt) {
		lost = append(lost, fmt.Sprintf("all vectors: %v", err))
		b.Delete(modelsKey())
	} else if err != nil {
		return kept, lost, err
	}
	b.Set(rebuildKey(), nil)
	if err := pairs.Commit(b, kv.Sync); err != nil {
		return kept, lost, err
	}
	return kept, lost, pruneVectors(ctx, pairs, models)
}

// pruneVectors repairs the vectors that couldn't even be opened; the rebuild does
// the others.
func pruneVectors(ctx context.Context, pairs kv.Store, models []generation) error {
	for _, g := range models {
		prefix := vectorPrefix(g.epoch)
		_, err := vecindex.Open(pairs, vecindex.Options{Prefix: prefix})
		if errors.Is(err, kv.ErrCorrupt) {
			err = vecindex.Repair(ctx, pairs, prefix, ownerIn(pairs))
		}
		if err != nil {
			return fmt.Errorf("vectors of %s: %w", g.model.ID, err)
		}
	}
	return nil
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
