package main

// This file decides how entries are removed, and when a person is asked first.

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/contextforge-go/contextforge"
)

// errNotConfirmed is a no to the question whether to remove something.
var errNotConfirmed = errors.New("not confirmed, nothing was removed")

// confirm asks whether to go on, unless yes was said on the command line.
func (a *app) confirm(ctx context.Context, yes bool, question string) error {
	if yes {
		return nil
	}
	if !a.stdinTerminal {
		return usagef("%s Say so with --yes, there is nobody to ask", question)
	}
	if _, err := fmt.Fprintf(a.stderr, "%s [y/N] ", question); err != nil {
		return err
	}
	answer, err := bufio.NewReader(a.interruptible(ctx)).ReadString('\n')
	if ctx.Err() != nil {
		return err
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return nil
	}
	return errNotConfirmed
}

func (a *app) deleteCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "delete ID...",
		Short: "Delete entries with their history",
		Long:  "Delete entries with their history, and report each. The exit code is 3 when one of\nthem, or more, doesn't exist; the others are deleted all the same.",
		Args:  operands("ID", 1, -1),
		RunE:  runs(func(ctx context.Context, args []string) error { return a.delete(ctx, args, asJSON) }),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// deletion is what became of one id.
type deletion struct {
	ID      string `json:"id"`
	Deleted bool   `json:"deleted"`
}

func (a *app) delete(ctx context.Context, ids []string, asJSON bool) error {
	return a.withStore(ctx, func(ctx context.Context, m *contextforge.Memory) error {
		var done []deletion
		missing := false
		for _, id := range ids {
			deleted, err := m.Delete(ctx, id)
			if err != nil {
				return err
			}
			missing = missing || !deleted
			done = append(done, deletion{id, deleted})
		}
		if err := a.printDeletions(done, asJSON); err != nil {
			return err
		}
		if missing {
			return exitCode(exitNotFound)
		}
		return nil
	})
}

func (a *app) printDeletions(done []deletion, asJSON bool) error {
	if asJSON {
		return printArray(a, each(done))
	}
	for _, d := range done {
		what := "deleted"
		if !d.Deleted {
			what = "not found:"
		}
		if err := a.printf("%s %s\n", what, visible(d.ID)); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) forgetCommand() *cobra.Command {
	var f filterFlags
	var dryRun, yes, asJSON bool
	cmd := &cobra.Command{
		Use:   "forget",
		Short: "Delete the entries that a filter takes",
		Long: `Delete every entry that the filter takes, in one step. At least one filter is
needed; clear removes everything. --dry-run only lists the ids.`,
		Args: noOperands,
	}
	f.add(cmd.Flags())
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "list the ids, delete nothing")
	cmd.Flags().BoolVar(&yes, "yes", false, "don't ask")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the ids as a JSON array")
	cmd.RunE = runs(func(ctx context.Context, _ []string) error {
		filter, err := f.filter()
		if err != nil {
			return err
		}
		if f.isZero() {
			return usagef("forget needs a filter such as --scope, --kind or --until; clear deletes everything")
		}
		return a.withStore(ctx, func(ctx context.Context, m *contextforge.Memory) error {
			ids, err := m.Forget(ctx, filter, true)
			if err != nil {
				return err
			}
			if !dryRun && len(ids) > 0 {
				if err := a.confirm(ctx, yes, fmt.Sprintf("Forget %s?", entries(len(ids)))); err != nil {
					return err
				}
				if ids, err = m.Forget(ctx, filter, false); err != nil {
					return err
				}
			}
			return a.printForgotten(ids, dryRun, asJSON)
		})
	})
	return cmd
}

func (a *app) printForgotten(ids []string, dryRun, asJSON bool) error {
	switch {
	case asJSON:
		return printArray(a, each(ids))
	case !dryRun:
		return a.printf("forgot %s\n", entries(len(ids)))
	}
	for _, id := range ids {
		if err := a.printf("%s\n", visible(id)); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) clearCommand() *cobra.Command {
	var scope string
	var global, all, yes, asJSON bool
	cmd := &cobra.Command{
		Use:   "clear {--scope S | --global | --all}",
		Short: "Delete all entries of a scope, or all there are",
		Args:  noOperands,
	}
	fs := cmd.Flags()
	fs.StringVar(&scope, "scope", "", "the entries of this scope")
	fs.BoolVar(&global, "global", false, "the entries without a scope")
	fs.BoolVar(&all, "all", false, "everything")
	fs.BoolVar(&yes, "yes", false, "don't ask")
	fs.BoolVar(&asJSON, "json", false, "print JSON")
	cmd.RunE = runs(func(ctx context.Context, _ []string) error {
		if err := exclusive(fs, "scope", "global", "all"); err != nil {
			return err
		}
		if scope == "" && !global && !all {
			return usagef("clear needs one of --scope, --global and --all")
		}
		return a.withStore(ctx, func(ctx context.Context, m *contextforge.Memory) error {
			n, err := m.Count(ctx, contextforge.Filter{Scope: scope, GlobalOnly: global})
			if err != nil {
				return err
			}
			if err := a.confirm(ctx, yes, fmt.Sprintf("Delete %s?", entries(n))); err != nil {
				return err
			}
			if all {
				n, err = m.Clear(ctx)
			} else {
				n, err = m.ClearScope(ctx, scope)
			}
			if err != nil {
				return err
			}
			return a.printRemoved(n, asJSON)
		})
	})
	return cmd
}

func (a *app) printRemoved(n int, asJSON bool) error {
	if asJSON {
		return a.printJSON(struct {
			Removed int `json:"removed"`
		}{n})
	}
	return a.printf("removed %s\n", entries(n))
}
