// This file decides how the entries of one table are read, damaged or not.

//go:build !js && !wasip1 && !solaris && !aix && !plan9

package pebblekv

import (
	"bytes"
	"context"
	"errors"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// tableEntry is one version of a key in a table, valid during the call it is
// passed to.
type tableEntry struct {
	key      []byte
	sequence uint64
	deleted  bool
	value    func() ([]byte, error)
}

// openTable opens a table for reading outside of a database.
func openTable(ctx context.Context, fs vfs.FS, path string, o Options) (*sstable.Reader, error) {
	f, err := fs.Open(path)
	if err != nil {
		return nil, err
	}
	readable, err := sstable.NewSimpleReadable(f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	p := o.pebbleOptions(vfs.Default)
	p.EnsureDefaults()
	return sstable.NewReader(ctx, readable, p.MakeReaderOptions()) // closes the file on an error
}

// eachEntry passes every readable entry of a table to visit and, if deletions
// is not nil, its range deletions to that. It goes forward to the first damaged
// block, then backward from the end to the last.
func (s *salvage) eachEntry(name string, visit func(tableEntry) error, deletions func(span)) (err error) {
	defer recoverDamage(&err)
	r, err := openTable(context.Background(), s.fs, s.fs.PathJoin(s.dir, name), s.opts)
	if err != nil {
		return err
	}
	defer r.Close()
	if deletions != nil {
		if err := eachDeletion(r, deletions); err != nil {
			return err
		}
	}
	front, err := walkTable(r, false, nil, visit)
	var write *writeFailure
	if err == nil || errors.As(err, &write) {
		return err
	}
	_, backErr := walkTable(r, true, front, visit)
	return errors.Join(err, backErr)
}

// walkTable visits entries in one direction until the end, an error, or the
// key stop. It returns the last key seen.
func walkTable(r *sstable.Reader, backward bool, stop []byte, visit func(tableEntry) error) (last []byte, err error) {
	it, err := r.NewIter(sstable.NoTransforms, nil, nil, sstable.AssertNoBlobHandles)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, it.Close()) }()
	first, next := it.First, it.Next
	if backward {
		first, next = it.Last, it.Prev
	}
	for e := first(); e != nil; e = next() {
		if stop != nil && bytes.Compare(e.K.UserKey, stop) <= 0 {
			return last, nil
		}
		last = append(last[:0], e.K.UserKey...)
		kind := e.Kind()
		if len(last) == 0 || kind != pebble.InternalKeyKindSet && kind != pebble.InternalKeyKindSetWithDelete &&
			kind != pebble.InternalKeyKindDelete {
			continue
		}
		entry := tableEntry{
			key: last, sequence: uint64(e.SeqNum()), deleted: kind == pebble.InternalKeyKindDelete,
			value: func() ([]byte, error) { v, _, err := e.Value(nil); return v, err },
		}
		if err := visit(entry); err != nil {
			return last, err
		}
	}
	return last, it.Error()
}

func eachDeletion(r *sstable.Reader, visit func(span)) error {
	it, err := r.NewRawRangeDelIter(context.Background(), sstable.NoFragmentTransforms, sstable.NoReadEnv)
	if err != nil || it == nil {
		return err
	}
	defer it.Close()
	found, err := it.First()
	for ; found != nil; found, err = it.Next() {
		for _, key := range found.Keys {
			visit(span{bytes.Clone(found.Start), bytes.Clone(found.End), uint64(key.SeqNum())})
		}
	}
	return err
}
