//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package vectorbench

// This file decides how the index on disk is built, opened and searched.

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/contextforge-go/contextforge/bench/internal/measure"
	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/pebblekv"
	"github.com/contextforge-go/contextforge/vecindex"
)

// perCommit is the number of vectors added in one commit.
const perCommit = 1000

// build makes the store with its index and returns the time that adding took, without
// that of making the vectors.
func build(ctx context.Context, dir string, s *Source) (took time.Duration, err error) {
	store, err := pebblekv.Open(dir, pebblekv.Options{})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	ix, err := vecindex.Open(store, options(1, 0))
	if err != nil {
		return 0, err
	}
	for first := 0; first < s.Vectors; first += perCommit {
		docs := make([]vecindex.Doc, min(perCommit, s.Vectors-first))
		for k := range docs {
			i := first + k
			docs[k] = vecindex.Doc{Num: uint64(i), Scope: s.Scope(i), Vectors: [][]float32{s.Vector(i)}}
		}
		part, err := measure.Clock(func() error { return add(store, ix, docs) })
		if took += part; err != nil {
			return took, err
		}
		if err := ctx.Err(); err != nil {
			return took, err
		}
	}
	part, err := measure.Clock(store.Flush)
	return took + part, err
}

func add(store kv.Store, ix *vecindex.Index, docs []vecindex.Doc) error {
	tx := ix.Begin()
	for _, d := range docs {
		if err := tx.Add(d); err != nil {
			return err
		}
	}
	b := store.NewBatch()
	err := tx.Apply(b)
	if err == nil {
		err = store.Commit(b, kv.NoSync)
	}
	if err = errors.Join(err, b.Close()); err == nil {
		tx.Publish()
	}
	return err
}

// options are those of an index; resident as in vecindex.Options.
func options(threads int, resident int64) vecindex.Options {
	return vecindex.Options{Prefix: []byte("v"), Parallelism: threads, MaxResident: resident}
}

// opened is a state of the index that can be searched.
type opened struct {
	ix   *vecindex.Index
	view *vecindex.View
	snap kv.Snapshot
}

func open(store kv.Store, o vecindex.Options) (*opened, error) {
	ix, err := vecindex.Open(store, o)
	if err != nil {
		return nil, err
	}
	snap, err := store.Snapshot()
	if err != nil {
		return nil, err
	}
	return &opened{ix, ix.View(), snap}, nil
}

func (o *opened) search(ctx context.Context, q []float32, f vecindex.Filter, top int) ([]vecindex.Hit, error) {
	return o.view.Search(ctx, o.snap, q, f, top)
}

func (o *opened) close() error { return o.snap.Close() }

// firstSearch opens the store and asks it once.
func firstSearch(ctx context.Context, dir string, threads int, q []float32, top int) (opening, searching time.Duration, err error) {
	var store *pebblekv.Store
	opening, err = measure.Clock(func() (err error) {
		store, err = pebblekv.Open(dir, pebblekv.Options{})
		return err
	})
	if err != nil {
		return opening, 0, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	var o *opened
	searching, err = measure.Clock(func() (err error) {
		if o, err = open(store, options(threads, -1)); err == nil {
			_, err = o.search(ctx, q, vecindex.Filter{}, top)
		}
		return err
	})
	if o != nil {
		err = errors.Join(err, o.close())
	}
	return opening, searching, err
}

// folderBytes returns the size of the files in a folder.
func folderBytes(dir string) (n int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			n += info.Size()
		}
		return err
	})
	return n, err
}
