package contextforge

// This file decides how a memory is kept in order.

import (
	"context"
	"fmt"

	"github.com/contextforge-go/contextforge/bm25"
	"github.com/contextforge-go/contextforge/internal/store"
	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/vecindex"
)

// smallCache and normalCache bound the text index's cache of postings, bytes.
const (
	smallCache  = 1 << 20
	normalCache = 8 << 20
	// smallVectors bounds the compressed vectors on a small device.
	smallVectors = 32 << 20
)

func (c *Config) where() string {
	if c.KV != nil {
		return "Config.KV"
	}
	if c.Path == "" {
		return MemoryPath
	}
	return c.Path
}

func (c *Config) storeOptions(pairs kv.Store) store.Options {
	o := store.Options{
		KV: pairs, Analyzer: c.Analyzer, Now: c.Clock, Logger: c.Logger,
		MaxEntries: c.MaxEntries, MaxPerScope: c.MaxEntriesPerScope, HistoryLimit: c.HistoryLimit,
		Index: bm25.Options{Params: c.BM25, CacheBytes: normalCache, ResidentIDs: true},
		Model: modelOf(c.Embedder), Vectors: vecindex.Options{MaxResident: c.VectorMemory},
	}
	if !c.TextOnly {
		o.Extra, o.ExtraName = extraOf, marksVersion
	}
	if c.SmallDevice {
		o.Index.CacheBytes, o.Index.ResidentIDs = smallCache, false
		o.Vectors.CacheBytes, o.Vectors.Parallelism = smallCache, 1
		if c.VectorMemory == 0 {
			o.Vectors.MaxResident = smallVectors
		}
	}
	return o
}

// Checkpoint writes a consistent copy of the memory into dir, a folder that
// must be new or empty and outside the store's own, while saving and reading go
// on. The copy opens like any other, that of a memory in RAM too.
func (m *Memory) Checkpoint(ctx context.Context, dir string) error {
	return m.maintain("checkpoint", func(s *store.Store) error { return s.Checkpoint(ctx, dir) })
}

// Compact rewrites the store so that the text of deleted, replaced and expired
// entries leaves the disk, logs included. Reads that are under way keep what
// they see until they end.
func (m *Memory) Compact(ctx context.Context) error {
	return m.maintain("compact", func(s *store.Store) error { return s.Compact(ctx) })
}

// Verify reads everything and returns all that is wrong, joined, each wrapping
// ErrCorrupt; nil when the store is sound.
func (m *Memory) Verify(ctx context.Context) error {
	return m.maintain("verify", func(s *store.Store) error { return s.Verify(ctx) })
}

// Rebuild derives the text index, the orders and the counters from the entries
// again. Saves wait meanwhile, queries go on.
func (m *Memory) Rebuild(ctx context.Context) error {
	return m.maintain("rebuild", func(s *store.Store) error { return s.Rebuild(ctx) })
}

func (m *Memory) maintain(what string, work func(*store.Store) error) error {
	if m.store == nil {
		return unsupported(what)
	}
	if err := work(m.store); err != nil {
		return fmt.Errorf("contextforge: %s: %w", what, err)
	}
	return nil
}
