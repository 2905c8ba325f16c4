package main

// This file decides how a damaged store is salvaged.

import (
	"context"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/contextforge-go/contextforge"
)

func (a *app) recoverCommand() *cobra.Command {
	var asJSON bool
	return jsonFlag(&cobra.Command{
		Use:   "recover",
		Short: "Save what is readable of a damaged store",
		Long: `Save what is readable of a damaged store that doesn't open any more: the damaged
original is moved aside, and a sound store with what it still held takes its place.`,
		Args: cobra.NoArgs,
		RunE: runs(func(ctx context.Context, _ []string) error {
			cfg, err := a.settings()
			if err != nil {
				return err
			}
			if err := requireRemains(cfg.Path); err != nil {
				return err
			}
			r, err := contextforge.Recover(ctx, cfg)
			switch {
			case err != nil:
				return err
			case asJSON:
				r.Problems = append([]string{}, r.Problems...) // [] rather than null
				return a.printJSON(r)
			}
			return a.printRecovery(&r)
		}),
	}, &asJSON)
}

func (a *app) printRecovery(r *contextforge.RecoverReport) error {
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
	return a.printf("the damaged original is in %s\n", visible(r.Damaged))
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
