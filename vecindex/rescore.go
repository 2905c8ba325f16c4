// This file decides how candidates get their scores: from the highest upper end
// down, one by one through the cache, or many at once in the order of their keys
// where all of them are needed.

package vecindex

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/contextforge-go/contextforge/kv"
)

// rescore gives candidates their scores, until no other can be among the hits.
func (s *scan) rescore(r kv.Reader, dim int) error {
	for left := s.picker.rank(); len(left) > 0; {
		reach := s.picker.best()
		n := sort.Search(len(left), func(i int) bool { return left[i].upper < reach })
		if n == 0 {
			return nil
		}
		batch := s.batch(n)
		if err := s.ctx.Err(); err != nil {
			return err
		}
		score := s.scoreMany
		if batch == 1 {
			score = s.scoreOne
		}
		if err := score(r, left[:batch], dim); err != nil {
			return err
		}
		left = left[batch:]
	}
	return nil
}

// batch says how many of the n next candidates are scored before it is asked
// again who can still be among the hits: one, unless very many can, or that many
// hits are missing.
func (s *scan) batch(n int) int {
	many := s.ix.opts.tuning.bulkRows
	if missing := s.picker.limit - len(s.picker.heap); missing > 0 {
		if n = min(n, missing); n < many {
			return 1
		}
		return n
	}
	if n < many {
		return 1
	}
	return many
}

// scoreOne scores the only candidate of the list.
func (s *scan) scoreOne(r kv.Reader, list []candidate, dim int) error {
	unit, err := s.master(r, list[0], dim)
	if err != nil {
		return err
	}
	s.picker.scored(list[0], s.ix.opts.Kernels.Dot(s.q.unit, unit))
	return nil
}

// nearby is how many keys are passed over rather than sought.
const nearby = 4

// scoreMany scores candidates in the order of their keys, which it sorts them by.
func (s *scan) scoreMany(r kv.Reader, list []candidate, dim int) error {
	docs := s.picker.docs
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(docs[a.doc].num, docs[b.doc].num), cmp.Compare(a.window, b.window))
	})
	keys := s.ix.keys
	it, err := r.Iter(keys.kind(kindMaster), keys.end(kindMaster))
	if err != nil {
		return fmt.Errorf("vecindex: vectors: %w", err)
	}
	defer it.Close()
	unit, prefix := make([]float32, dim), keys.kind(kindMaster)
	for i, c := range list {
		if i%checkEvery == 0 && s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		value, err := find(it, appendRowKey(prefix, rowKey{docs[c.doc].num, c.window}))
		if err != nil {
			return err
		}
		if err := decodeMasterInto(unit, it.Key(), value); err != nil {
			return err
		}
		s.picker.scored(c, s.ix.opts.Kernels.Dot(s.q.unit, unit))
	}
	return nil
}

// forward moves the iterator, which is not behind a key, to the first one from it
// on, as SeekGE does.
func forward(it kv.Iterator, key []byte) bool {
	for range nearby {
		if !it.Valid() || !adjoins(it.Key(), key) {
			break
		}
		if bytes.Compare(it.Key(), key) >= 0 {
			return true
		}
		it.Next()
	}
	return it.Valid() && bytes.Equal(it.Key(), key) || it.SeekGE(key)
}

// adjoins reports whether so few documents can be between two keys of rows, the
// first of which is not behind the second, that they may well be passed over.
func adjoins(at, key []byte) bool {
	n := len(key) - rowKeyBytes
	return len(at) == len(key) && binary.BigEndian.Uint64(key[n:])-binary.BigEndian.Uint64(at[n:]) <= nearby
}

// find moves the iterator forward to a key, which must be there.
func find(it kv.Iterator, key []byte) ([]byte, error) {
	ok := forward(it, key)
	if err := it.Error(); err != nil {
		return nil, fmt.Errorf("vecindex: vectors: %w", err)
	}
	if !ok || !bytes.Equal(it.Key(), key) {
		return nil, corrupt("no vector under key %x", key)
	}
	value, err := it.Value()
	if err != nil {
		return nil, fmt.Errorf("vecindex: vectors: %w", err)
	}
	return value, nil
}

// master returns the vector of a candidate.
func (s *scan) master(r kv.Reader, c candidate, dim int) ([]float32, error) {
	var name masterKey
	if c.row >= 0 {
		name = masterKey{s.at.table.id, uint32(c.row)}
		if unit := s.ix.masters.get(name); unit != nil {
			return unit, nil
		}
	}
	unit, err := s.ix.keys.master(r, rowKey{s.picker.docs[c.doc].num, c.window}, dim)
	if err == nil && c.row >= 0 {
		s.ix.masters.put(name, unit)
	}
	return unit, err
}

// master reads a vector, which must be there.
func (s keyspace) master(r kv.Reader, k rowKey, dim int) ([]float32, error) {
	key := s.row(kindMaster, k)
	value, closer, err := r.Get(key)
	if errors.Is(err, kv.ErrNotFound) {
		return nil, corrupt("no vector under key %x", key)
	}
	if err != nil {
		return nil, fmt.Errorf("vecindex: vector: %w", err)
	}
	unit, err := decodeMaster(key, value, dim)
	if e := closer.Close(); err == nil && e != nil {
		return nil, fmt.Errorf("vecindex: vector: %w", e)
	}
	return unit, err
}
