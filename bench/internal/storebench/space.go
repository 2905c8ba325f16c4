//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package storebench

// This file decides how memory and disk are measured.

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/bench/internal/corpus"
	"github.com/contextforge-go/contextforge/bench/internal/measure"
)

// Memory is the use of memory by a process in bytes; resident figures are 0
// where the system does not tell them.
type Memory struct {
	Before   int64 `json:"before"`   // resident before the store was opened
	Ingested int64 `json:"ingested"` // resident after the ingestion and queries
	Peak     int64 `json:"peak"`     // largest resident so far
	Own      int64 `json:"own"`      // of Ingested, without the pages of the program file
	Returned int64 `json:"returned"` // Own after unused memory was given back
	Heap     int64 `json:"heap"`     // live heap then
	Reopened int64 `json:"reopened"` // resident after closing, reopening and the same queries
	Disk     int64 `json:"disk"`     // folder after the close
}

// disk measures the folder as the ingestion left it, and a copy of it after
// compaction. It has to run before anything else is saved.
func (b *bench) disk(ctx context.Context) error {
	closed, err := folderBytes(b.main())
	if err != nil {
		return err
	}
	raw, err := folderBytes(b.main() + "-bare")
	if err != nil {
		return err
	}
	dir := b.path("compacted")
	if err := copyFolder(b.main(), dir); err != nil {
		return err
	}
	m, err := b.open(ctx, dir)
	if err != nil {
		return err
	}
	took, err := measure.Clock(func() error { return m.Compact(ctx) })
	if err := errors.Join(err, m.Close()); err != nil {
		return err
	}
	compacted, err := folderBytes(dir)
	if err != nil {
		return err
	}
	text := 0
	for i := range b.n {
		text += len(b.corpus.Entry(i).Content)
	}
	target := ""
	if b.n == 100_000 {
		target = "≤ 40 MB"
	}
	b.table.Add(sizeRow("disk", "disk after ingestion and close", closed, "bare Pebble with the texts", raw, target))
	b.table.Add(sizeRow("disk.compact", "disk after Compact", compacted, "the texts themselves", int64(text), ""))
	b.table.Add(measure.Row{Key: "compact", What: "Compact", Unit: "ms", P50: float64(took.Milliseconds())})
	return nil
}

func sizeRow(key, what string, bytes int64, beside string, other int64, target string) measure.Row {
	row := measure.Row{Key: key, What: what, Unit: "MB", P50: float64(bytes) / 1e6, Beside: beside, B50: float64(other) / 1e6, Target: target}
	if other > 0 {
		row.Ratio = float64(bytes) / float64(other)
	}
	return row
}

// memory measures processes of their own, with default and small-device
// options.
func (b *bench) memory(ctx context.Context) error {
	if b.Resident == nil {
		return nil
	}
	for _, device := range []struct {
		key, what, target string
		small             bool
	}{{"memory", "", "≤ 45 MB", false}, {"memory.small", ", small device", "≤ 28 MB", true}} {
		u, err := b.Resident(ctx, b.n, b.dir, device.small)
		if err != nil {
			return err
		}
		if b.n != 100_000 {
			device.target = ""
		}
		b.table.Add(sizeRow(device.key, "resident after ingestion and queries"+device.what, u.Ingested, "before opening", u.Before, device.target))
		b.table.Add(sizeRow(device.key+".own", "of that without the program file"+device.what, u.Own, "", 0, ""))
		b.table.Add(sizeRow(device.key+".returned", "the same after giving unused memory back"+device.what, u.Returned, "live heap", u.Heap, ""))
		b.table.Add(sizeRow(device.key+".peak", "resident at the peak of it"+device.what, u.Peak, "", 0, ""))
		b.table.Add(sizeRow(device.key+".reopened", "resident after reopening and queries"+device.what, u.Reopened, "", 0, device.target))
	}
	return nil
}

// MeasureMemory ingests and queries in this process, which should do nothing
// else, and tells the memory it took.
func MeasureMemory(ctx context.Context, entries int, dir string, small bool) (u Memory, err error) {
	dir, err = os.MkdirTemp(dir, "memory-")
	if err != nil {
		return u, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	path := filepath.Join(dir, "store")
	c := corpus.New(Seed)
	debug.FreeOSMemory()
	u.Before, _, _ = measure.Resident()
	if err := ingestAndAsk(ctx, c, entries, path, small, &u); err != nil {
		return u, err
	}
	if u.Disk, err = folderBytes(path); err != nil {
		return u, err
	}
	debug.FreeOSMemory()
	m, err := contextforge.Open(ctx, config(path, small))
	if err != nil {
		return u, err
	}
	err = askAll(ctx, m, c, entries)
	u.Reopened, _, _ = measure.Resident()
	return u, errors.Join(err, m.Close())
}

func ingestAndAsk(ctx context.Context, c *corpus.Corpus, entries int, path string, small bool, u *Memory) error {
	m, err := contextforge.Open(ctx, config(path, small))
	if err != nil {
		return err
	}
	for from := 0; from < entries && err == nil; from += 1000 {
		_, err = m.SaveBatch(ctx, items(c, from, min(from+1000, entries)))
	}
	if err == nil {
		_, err = settle(ctx, m)
	}
	if err = errors.Join(err, askAll(ctx, m, c, entries)); err == nil {
		u.Ingested, u.Own, u.Peak = measure.Resident()
		debug.FreeOSMemory()
		_, u.Returned, _ = measure.Resident()
		var heap runtime.MemStats
		runtime.ReadMemStats(&heap)
		u.Heap = int64(heap.HeapAlloc)
	}
	return errors.Join(err, m.Close())
}

func askAll(ctx context.Context, m *contextforge.Memory, c *corpus.Corpus, entries int) error {
	n := min(queries, entries)
	for _, q := range append(c.Queries(n), c.QueriesFromText(n, entries)...) {
		if _, err := m.Query(ctx, q.Text, contextforge.QueryOptions{Limit: topK}); err != nil {
			return err
		}
	}
	return nil
}
