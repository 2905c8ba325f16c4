package store

// This file decides who leaves when the store is over its capacity: the oldest
// timestamp first, among equals the earliest saved.

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/contextforge-go/contextforge/kv"
)

// perCommit bounds the entries that one commit removes when very many are to go,
// so that memory stays bounded.
const perCommit = 16384

// EnforceCapacity evicts what exceeds the limits; called after opening with
// smaller ones.
func (s *Store) EnforceCapacity(ctx context.Context) error {
	for {
		more := false
		err := s.submit(ctx, func(t *tx) error {
			t.evictAtMost = perCommit
			if t.s.opts.MaxPerScope > 0 {
				if err := t.countScopes(); err != nil {
					return err
				}
			}
			err := t.enforceCapacity()
			more = len(t.evicted) >= perCommit
			return err
		})
		if err != nil || !more {
			return err
		}
	}
}

// countScopes makes every scope's count known to the tx, so that all limits
// are enforced.
func (t *tx) countScopes() error {
	return scan(t.s.kv, []byte{famCount}, func(key, value []byte) (bool, error) {
		d := decoder{b: value}
		scope := string(key[1:])
		if _, ok := t.counts[scope]; !ok {
			t.counts[scope] = int64(d.uvarint())
		}
		return true, d.err
	})
}

// enforceCapacity evicts what exceeds the limits, counting this tx's changes.
func (t *tx) enforceCapacity() error {
	if limit := t.s.opts.MaxEntries; limit > 0 && t.st.live > uint64(limit) {
		if err := t.evictOldest(int(t.st.live-uint64(limit)), []byte{famTime}, nil); err != nil {
			return err
		}
	}
	perScope := int64(t.s.opts.MaxPerScope)
	if perScope <= 0 {
		return nil
	}
	for _, scope := range slices.Sorted(maps.Keys(t.counts)) {
		over := t.counts[scope] - perScope
		if over <= 0 {
			continue
		}
		if err := t.evictOldest(int(over), scopePrefix(scope), &scope); err != nil {
			return err
		}
	}
	return nil
}

// evictOldest removes the n oldest records among those listed under prefix and
// those that this tx added (to scope, when given).
func (t *tx) evictOldest(n int, prefix []byte, scope *string) error {
	if t.evictAtMost > 0 {
		n = min(n, t.evictAtMost-len(t.evicted))
	}
	if n <= 0 {
		return nil
	}
	pending := t.addedIn(scope)
	var committed []uint64
	if !t.cleared {
		var err error
		if committed, err = t.oldestCommitted(n, prefix); err != nil {
			return err
		}
	}
	for ; n > 0; n-- {
		var rec *stored
		if len(committed) > 0 {
			var err error
			if rec, err = t.load(committed[0]); err != nil {
				return err
			}
		}
		switch {
		case len(pending) > 0 && (rec == nil || compareAge(pending[0], rec) < 0):
			rec, pending = pending[0], pending[1:]
		case rec != nil:
			committed = committed[1:]
			t.raised[string(prefix)] = appendTimeNum(slices.Clone(prefix), rec.time(), rec.num)
		default:
			return nil
		}
		if err := t.remove(rec); err != nil {
			return err
		}
		t.evicted = append(t.evicted, Eviction{ID: rec.ID, Scope: rec.Scope})
	}
	return nil
}

// addedIn returns the records of this tx in a scope (nil: all), oldest first.
func (t *tx) addedIn(scope *string) []*stored {
	all := t.sortedAdded()
	if scope == nil {
		return all
	}
	var in []*stored
	for _, rec := range all {
		if rec.Scope == *scope {
			in = append(in, rec)
		}
	}
	return in
}

// oldestCommitted returns up to n docNums under an order prefix, oldest first,
// less those that this tx has removed.
func (t *tx) oldestCommitted(n int, prefix []byte) (nums []uint64, err error) {
	it, err := t.s.kv.Iter(t.s.hintFor(prefix), kv.PrefixEnd(prefix))
	if err != nil {
		return nil, err
	}
	for ok := it.First(); ok && len(nums) < n; ok = it.Next() {
		_, num, err := parseTimeNum(it.Key())
		if err != nil {
			return nil, errors.Join(err, it.Close())
		}
		if !t.removed[num] {
			nums = append(nums, num)
		}
	}
	return nums, errors.Join(it.Error(), it.Close())
}
