package contextforge

// This file decides how a memory that lives in RAM is copied to disk: as a
// folder that opens like any other.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/contextforge-go/contextforge/kv"
)

// ramStore is a store in RAM whose Checkpoint writes what Open reads.
type ramStore struct {
	kv.Store
	cfg Config
}

func (s ramStore) Checkpoint(ctx context.Context, dir string) (err error) {
	snap, err := s.Snapshot()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, snap.Close()) }()
	return checkpointTo(ctx, snap, dir, s.cfg)
}

// checkpointTo writes the state s as a store into dir, which must not exist or
// be empty. It is made beside dir and renamed when it is complete.
func checkpointTo(ctx context.Context, s kv.Snapshot, dir string, cfg Config) (err error) {
	if dir == "" {
		return errors.New("the folder for the copy has no name")
	}
	if dir, err = realPath(dir); err != nil {
		return err
	}
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return errors.New("the folder for the copy is not empty")
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	parent, base := filepath.Split(dir)
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(parent, base+".partial-")
	if err != nil {
		return err
	}
	cfg.KV, cfg.Path = nil, temp
	if err := copyPairs(ctx, s, cfg); err != nil {
		return errors.Join(err, os.RemoveAll(temp))
	}
	if err := moveInto(temp, dir); err != nil {
		return errors.Join(err, os.RemoveAll(temp))
	}
	syncFolder(parent)
	return nil
}

// moveInto puts a folder in the place of an empty or missing one.
func moveInto(from, dir string) error {
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(from, dir)
}

// copyBatch is the size of a commit of a copy, bytes.
const copyBatch = 1 << 20

// copyPairs makes a new store of everything in s.
func copyPairs(ctx context.Context, s kv.Snapshot, cfg Config) (err error) {
	out, err := openKV(cfg)
	if err != nil {
		return fmt.Errorf("create the copy: %w", err)
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	it, err := s.Iter(nil, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, it.Close()) }()
	b := out.NewBatch()
	defer func() { err = errors.Join(err, b.Close()) }()
	for ok := it.First(); ok; ok = it.Next() {
		value, err := it.Value()
		if err := errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		b.Set(it.Key(), value)
		if b.Size() < copyBatch {
			continue
		}
		if err := out.Commit(b, kv.NoSync); err != nil {
			return err
		}
		b.Reset()
	}
	if err := it.Error(); err != nil {
		return err
	}
	return errors.Join(out.Commit(b, kv.Sync), out.Flush())
}
