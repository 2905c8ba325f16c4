package main

// This file decides how a damaged store is salvaged.

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/contextforge-go/contextforge"
)

func (a *app) recoverCommand() *cobra.Command {
	var asJSON, force bool
	cmd := jsonFlag(&cobra.Command{
		Use:   "recover",
		Short: "Save what is readable of a damaged store",
		Long: `Save what is readable of a damaged store: the damaged original is moved aside,
and a sound store with what it still held takes its place. A store that verify
finds sound is left alone unless --force is given.`,
		Args: noOperands,
		RunE: runs(func(ctx context.Context, _ []string) error {
			r, err := a.recover(ctx, force)
			switch {
			case err != nil:
				return err
			case asJSON:
				r.Problems = append([]string{}, r.Problems...) // [] rather than null
				return a.printJSON(r)
			}
			return a.printRecovery(r)
		}),
	}, &asJSON)
	cmd.Flags().BoolVar(&force, "force", false, "do it even to a sound store")
	return cmd
}

// recovery is the outcome of a recover.
type recovery struct {
	Sound bool `json:"sound"` // there was nothing to do
	contextforge.RecoverReport
}

func (a *app) recover(ctx context.Context, force bool) (*recovery, error) {
	cfg, err := a.settings()
	if err != nil {
		return nil, err
	}
	cutOff := isCutOff(cfg.Path)
	if err := requireRemains(cfg.Path); err != nil && !cutOff {
		return nil, err
	}
	cfg = unlimited(cfg)
	if !a.global.verbose {
		cfg.Logger = nil // that the copy is indexed anew is no news here
	}
	r := &recovery{}
	if cfg.Path != contextforge.MemoryPath && !cutOff {
		r.Entries, err = a.check(ctx, cfg)
		if r.Sound = err == nil && !force; r.Sound || isBeyondRecovery(ctx, err) {
			return r, err
		}
	}
	r.RecoverReport, err = contextforge.Recover(ctx, cfg)
	return r, err
}

// check opens the store, verifies it and counts its entries.
func (a *app) check(ctx context.Context, cfg contextforge.Config) (n int, err error) {
	err = a.withMemory(ctx, cfg, func(ctx context.Context, m *contextforge.Memory) error {
		var err error
		n, err = m.Count(ctx)
		return errors.Join(err, m.Verify(ctx))
	})
	return n, err
}

// isBeyondRecovery tells what keeps a store from being checked from damage.
func isBeyondRecovery(ctx context.Context, err error) bool {
	if ctx.Err() != nil {
		return true
	}
	for _, cause := range []error{contextforge.ErrLocked, contextforge.ErrNewer, contextforge.ErrStoreFailed, contextforge.ErrInvalidConfig} {
		if errors.Is(err, cause) {
			return true
		}
	}
	return false
}

func (a *app) printRecovery(r *recovery) error {
	if r.Sound {
		return a.printf("the store is sound (%s), nothing to recover\n", entries(r.Entries))
	}
	for _, p := range r.Problems {
		if err := a.printf("%s\n", visible(p)); err != nil {
			return err
		}
	}
	if err := a.printf("recovered %s, lost %d\n", entries(r.Entries), r.Lost); err != nil {
		return err
	}
	if r.Damaged == "" {
		return nil
	}
	return a.printf("the original is in %s, with all it held, deleted text included; delete that folder when nothing is missing\n", visible(r.Damaged))
}

// isCutOff reports whether a recovery was cut off between moving the damaged
// store aside and putting its copy in place, so that only the copy is there.
func isCutOff(dir string) bool {
	abs, err := filepath.Abs(dir)
	if err != nil || requireStore(dir) == nil {
		return false
	}
	_, err = os.Stat(filepath.Join(abs+".recovered", "RECOVERY"))
	return err == nil
}

// requireRemains refuses a folder in which nothing is left of a store, or never
// was: recovering would move it aside.
func requireRemains(dir string) error {
	if err := requireStore(dir); err != nil || dir == contextforge.MemoryPath {
		return err
	}
	for _, pattern := range []string{"CONTEXTFORGE", "*.sst", "*.log"} {
		// The folder's own name may hold what Glob takes for a pattern.
		if found, err := fs.Glob(os.DirFS(dir), pattern); err != nil || len(found) > 0 {
			return err
		}
	}
	return fmt.Errorf("recover %s: %w", dir, contextforge.ErrForeign)
}
