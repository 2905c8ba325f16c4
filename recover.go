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

// The copy is made in a folder beside the store and gets the name ".recovered"
// once it is complete, so that a recovery that was cut off before starts again
// and one that was cut off after only has to put it in place.
func recoverStore(ctx context.Context, cfg Config) (RecoverReport, error) {
	report := RecoverReport{Problems: []string{}}
	if cfg.KV != nil || cfg.Storage != nil || cfg.Path == "" || cfg.Path == MemoryPath {
		return report, fmt.Errorf("%w: only a folder in Path can be recovered", ErrInvalidConfig)
	}
	work, done := cfg.Path+".recovering", cfg.Path+".recovered"
	if _, err := os.Stat(done); errors.Is(err, os.ErrNotExist) {
		if err := os.RemoveAll(work); err != nil {
			return report, err
		}
		if err := makeCopy(ctx, cfg, work, &report); err != nil {
			return report, err
		}
		if err := os.Rename(work, done); err != nil {
			return report, err
		}
	} else if err != nil {
		return report, err
	}
	return report, putInPlace(ctx, cfg, done, &report)
}

// makeCopy fills work with a sound store made of what is readable.
func makeCopy(ctx context.Context, cfg Config, work string, report *RecoverReport) error {
	problems, err := salvage(cfg, work)
	report.Problems = append(report.Problems, problems...)
	if err != nil {
		return err
	}
	cfg.Path = work
	lost, err := prune(ctx, cfg)
	report.Problems = append(report.Problems, lost...)
	report.Lost = len(report.Problems)
	if err != nil {
		return err
	}
	_, err = countSound(ctx, cfg)
	return err
}

// putInPlace exchanges the damaged folder for the complete copy.
func putInPlace(ctx context.Context, cfg Config, done string, report *RecoverReport) error {
	clock := cfg.Clock
	if clock == nil {
		clock = time.Now
	}
	if _, err := os.Stat(cfg.Path); err == nil {
		report.Damaged = cfg.Path + ".damaged-" + clock().UTC().Format("20060102T150405.000000000")
		if err := os.Rename(cfg.Path, report.Damaged); err != nil {
			return err
		}
	}
	if err := os.Rename(done, cfg.Path); err != nil {
		return err
	}
	var err error
	report.Entries, err = countSound(ctx, cfg)
	return err
}

// prune makes what was salvaged consistent.
func prune(ctx context.Context, cfg Config) ([]string, error) {
	pairs, err := openKV(cfg)
	if err != nil {
		return nil, err
	}
	lost, err := store.Prune(ctx, pairs)
	return lost, errors.Join(err, pairs.Close())
}

// countSound opens the store, which finishes its rebuild, and counts.
func countSound(ctx context.Context, cfg Config) (int, error) {
	cfg.MaxEntries, cfg.MaxEntriesPerScope = Unlimited, Unlimited // evict nothing here
	m, err := Open(ctx, cfg)
	if err != nil {
		return 0, err
	}
	n, err := m.Count(ctx)
	return n, errors.Join(err, m.Verify(ctx), m.Close())
}
