package main

// This file decides how the store is looked after.

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/contextforge-go/contextforge"
)

func (a *app) verifyCommand() *cobra.Command {
	var asJSON bool
	return jsonFlag(&cobra.Command{
		Use:   "verify",
		Short: "Read everything and report what is wrong",
		Long:  "Read everything and report what is wrong. The exit code is 5 when something is.",
		Args:  noOperands,
		RunE: runs(func(ctx context.Context, _ []string) error {
			found := report{Problems: []string{}}
			err := a.withStore(ctx, func(ctx context.Context, m *contextforge.Memory) (err error) {
				if found.Entries, err = m.Count(ctx); err != nil {
					return err
				}
				return m.Verify(ctx)
			})
			if err != nil && !errors.Is(err, contextforge.ErrCorrupt) {
				return err
			}
			found.add(err)
			return a.printReport(&found, asJSON)
		}),
	}, &asJSON)
}

// report is the outcome of a verification.
type report struct {
	Sound    bool     `json:"sound"`
	Entries  int      `json:"entries"`
	Problems []string `json:"problems"`
}

func (r *report) add(err error) {
	if r.Sound = err == nil; r.Sound {
		return
	}
	for line := range strings.Lines(message(err)) {
		r.Problems = append(r.Problems, strings.TrimSpace(line))
	}
}

func (a *app) printReport(r *report, asJSON bool) error {
	switch {
	case asJSON:
		if err := a.printJSON(r); err != nil {
			return err
		}
	case r.Sound:
		return a.printf("sound: %s\n", entries(r.Entries))
	}
	if r.Sound {
		return nil
	}
	for _, p := range r.Problems {
		if asJSON {
			break
		}
		if err := a.printf("%s\n", visible(p)); err != nil {
			return err
		}
	}
	return exitCode(exitDamaged)
}

// maintenance returns a command without arguments or output of its own.
func (a *app) maintenance(use, short, long, done string, work useFunc) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Long: long, Args: noOperands,
		RunE: runs(func(ctx context.Context, _ []string) error {
			if err := a.withStore(ctx, work); err != nil {
				return err
			}
			return a.printf("%s\n", done)
		}),
	}
}

func (a *app) rebuildCommand() *cobra.Command {
	return a.maintenance("rebuild", "Derive the index, the orders and the counters from the entries again", "", "rebuilt",
		func(ctx context.Context, m *contextforge.Memory) error { return m.Rebuild(ctx) })
}

func (a *app) compactCommand() *cobra.Command {
	return a.maintenance("compact", "Remove what was deleted from the disk",
		"Rewrite the store so that the text of deleted, replaced and expired entries is\nnowhere on the disk any more.", "compacted",
		func(ctx context.Context, m *contextforge.Memory) error { return m.Compact(ctx) })
}

func (a *app) checkpointCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "checkpoint DIR",
		Short: "Copy the store, as it is at this moment, into a new folder",
		Args:  operands("DIR", 1, 1),
		RunE: runs(func(ctx context.Context, args []string) error {
			err := a.withStore(ctx, func(ctx context.Context, m *contextforge.Memory) error {
				return m.Checkpoint(ctx, args[0])
			})
			if err != nil {
				return err
			}
			return a.printf("copied to %s\n", visible(args[0]))
		}),
	}
}
