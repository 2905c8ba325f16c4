package contextforge

// This file decides how a store that can't be opened any more is saved.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/contextforge-go/contextforge/internal/store"
)

// RecoverReport says what Recover brought back.
type RecoverReport struct {
	Entries  int      `json:"entries"`  // in the recovered store
	Lost     int      `json:"lost"`     // pieces that could not be read
	Damaged  string   `json:"damaged"`  // folder to which the damaged store was moved
	Problems []string `json:"problems"` // what was wrong, in words
}

// Recover salvages the store in cfg.Path: whatever can be read, log and tables,
// is copied into a new folder, indexed again, and put in the place of the old
// one, which is moved aside and never changed. It is for a store that Open
// refuses as corrupt, or whose Verify names losses; the store must not be open.
// When a damaged part held deletions, an entry deleted shortly before may come
// back.
func Recover(ctx context.Context, cfg Config) (RecoverReport, error) {
	report, err := recoverStore(ctx, cfg)
	if err != nil {
		return report, fmt.Errorf("contextforge: recover %s: %w", cfg.where(), err)
	}
	return report, nil
}

func recoverStore(ctx context.Context, cfg Config) (RecoverReport, error) {
	var report RecoverReport
	if cfg.KV != nil || cfg.Storage != nil || cfg.Path == "" || cfg.Path == MemoryPath {
		return report, fmt.Errorf("%w: only a folder in Path can be recovered", ErrInvalidConfig)
	}
	work := cfg.Path + ".recovering"
	if err := os.RemoveAll(work); err != nil { // of a recovery that was cut off
		return report, err
	}
	problems, err := salvage(cfg, work)
	report.Problems = problems
	if err != nil {
		return report, err
	}
	lost, err := pruneAndCount(ctx, cfg, work, &report)
	report.Problems = append(report.Problems, lost...)
	report.Lost = len(report.Problems)
	if err != nil {
		return report, err
	}
	clock := cfg.Clock
	if clock == nil {
		clock = time.Now
	}
	report.Damaged = cfg.Path + ".damaged-" + clock().UTC().Format("20060102T150405.000000000")
	if err := os.Rename(cfg.Path, report.Damaged); err != nil {
		return report, err
	}
	return report, os.Rename(work, cfg.Path)
}

// pruneAndCount makes a sound store out of the copy in work.
func pruneAndCount(ctx context.Context, cfg Config, work string, report *RecoverReport) ([]string, error) {
	cfg.Path = work
	cfg.MaxEntries, cfg.MaxEntriesPerScope = Unlimited, Unlimited // evict nothing here
	pairs, err := openKV(cfg)
	if err != nil {
		return nil, err
	}
	lost, err := store.Prune(ctx, pairs)
	if err := errors.Join(err, pairs.Close()); err != nil {
		return lost, err
	}
	m, err := Open(ctx, cfg)
	if err != nil {
		return lost, err
	}
	report.Entries, err = m.Count(ctx)
	return lost, errors.Join(err, m.Verify(ctx), m.Close())
}
