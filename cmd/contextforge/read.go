package main

// This file decides how entries and figures are read without a question.

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"

	"github.com/spf13/cobra"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/minilm/allminilm"
)

// jsonFlag adds --json to a command.
func jsonFlag(cmd *cobra.Command, to *bool) *cobra.Command {
	cmd.Flags().BoolVar(to, "json", false, "print JSON")
	return cmd
}

func (a *app) listCommand() *cobra.Command {
	var f filterFlags
	var limit int
	var asJSON, asLines bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List entries, newest first",
		Args:  noOperands,
	}
	f.add(cmd.Flags())
	cmd.Flags().IntVar(&limit, "limit", 0, "at most so many entries (default any number)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	cmd.Flags().BoolVar(&asLines, "jsonl", false, "print JSON Lines")
	cmd.RunE = runs(func(ctx context.Context, _ []string) error {
		filter, err := f.filter()
		if err = errors.Join(err, exclusive(cmd.Flags(), "json", "jsonl")); err != nil {
			return err
		}
		return a.withStore(ctx, func(ctx context.Context, m *contextforge.Memory) error {
			list := first(limit, m.List(ctx, filter))
			if asJSON {
				return printArray(a, list)
			}
			for e, err := range list {
				if err != nil {
					return err
				}
				if asLines {
					err = a.printJSON(e)
				} else {
					err = a.printEntry(&e)
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
	})
	return cmd
}

// first yields at most n elements, all when n isn't positive.
func first[T any](n int, list iter.Seq2[T, error]) iter.Seq2[T, error] {
	if n <= 0 {
		return list
	}
	return func(yield func(T, error) bool) {
		left := n
		for v, err := range list {
			if left--; !yield(v, err) || left == 0 {
				return
			}
		}
	}
}

func (a *app) getCommand() *cobra.Command {
	var asJSON bool
	return jsonFlag(&cobra.Command{
		Use:   "get ID",
		Short: "Show one entry with all its fields",
		Args:  operands("ID", 1, 1),
		RunE: runs(func(ctx context.Context, args []string) error {
			return a.withStore(ctx, func(ctx context.Context, m *contextforge.Memory) error {
				e, err := m.Get(ctx, args[0])
				switch {
				case err != nil:
					return err
				case asJSON:
					return a.printJSON(e)
				}
				return a.printDetails(&e)
			})
		}),
	}, &asJSON)
}

func (a *app) historyCommand() *cobra.Command {
	var asJSON bool
	return jsonFlag(&cobra.Command{
		Use:   "history ID",
		Short: "Show the earlier versions of an entry, oldest first",
		Args:  operands("ID", 1, 1),
		RunE: runs(func(ctx context.Context, args []string) error {
			return a.withStore(ctx, func(ctx context.Context, m *contextforge.Memory) error {
				versions, err := m.History(ctx, args[0])
				switch {
				case err != nil:
					return err
				case asJSON:
					return printArray(a, each(versions))
				}
				for i := range versions {
					if i > 0 {
						if err := a.printf("\n"); err != nil {
							return err
						}
					}
					if err := a.printDetails(&versions[i]); err != nil {
						return err
					}
				}
				return nil
			})
		}),
	}, &asJSON)
}

func (a *app) countCommand() *cobra.Command {
	var f filterFlags
	var asJSON bool
	cmd := jsonFlag(&cobra.Command{
		Use:   "count",
		Short: "Count entries",
		Args:  noOperands,
	}, &asJSON)
	f.add(cmd.Flags())
	cmd.RunE = runs(func(ctx context.Context, _ []string) error {
		filter, err := f.filter()
		if err != nil {
			return err
		}
		return a.withStore(ctx, func(ctx context.Context, m *contextforge.Memory) error {
			n, err := m.Count(ctx, filter)
			switch {
			case err != nil:
				return err
			case asJSON:
				return a.printJSON(struct {
					Entries int `json:"entries"`
				}{n})
			}
			return a.printf("%d\n", n)
		})
	})
	return cmd
}

func (a *app) scopesCommand() *cobra.Command {
	var asJSON bool
	return jsonFlag(&cobra.Command{
		Use:   "scopes",
		Short: "List the scopes with the number of their entries",
		Args:  noOperands,
		RunE: runs(func(ctx context.Context, _ []string) error {
			return a.withStore(ctx, func(ctx context.Context, m *contextforge.Memory) error {
				scopes, err := m.Scopes(ctx)
				switch {
				case err != nil:
					return err
				case asJSON:
					return printArray(a, each(scopes))
				}
				for _, s := range scopes {
					if err := a.printf("%8d  %s\n", s.Entries, shown(s.Scope, "(global)")); err != nil {
						return err
					}
				}
				return nil
			})
		}),
	}, &asJSON)
}

func (a *app) statsCommand() *cobra.Command {
	var asJSON bool
	return jsonFlag(&cobra.Command{
		Use:   "stats",
		Short: "Show figures of the store",
		Args:  noOperands,
		RunE: runs(func(ctx context.Context, _ []string) error {
			return a.withStore(ctx, func(ctx context.Context, m *contextforge.Memory) error {
				s, err := m.Stats(ctx)
				if err != nil {
					return err
				}
				id, name, err := a.model.identity(a)
				if err != nil {
					return err
				}
				asUsedWith(&s, id)
				if asJSON {
					return a.printJSON(s)
				}
				return a.printStats(&s, name)
			})
		}),
	}, &asJSON)
}

// asUsedWith turns the figures of a store that was opened without a model into
// those of one opened with it. So nothing has to be loaded, and nothing changes.
func asUsedWith(s *contextforge.Stats, id string) {
	s.Model, s.OtherModels = id, []string{}
	for _, m := range s.Models {
		if m.ID != id {
			s.OtherModels = append(s.OtherModels, m.ID)
			continue
		}
		s.Dimension, s.Embedded, s.Vectors, s.Sentences = m.Dimension, m.Entries, m.Vectors, m.Sentences
	}
}

func (a *app) printStats(s *contextforge.Stats, model string) error {
	var others []string
	for _, m := range s.Models {
		if m.ID != s.Model && m.Entries > 0 {
			others = append(others, fmt.Sprintf("%s (%s)", modelName(m.ID), entries(m.Entries)))
		}
	}
	for _, line := range []struct {
		name  string
		value any
	}{
		{"entries", s.Entries},
		{"tokens", s.Tokens},
		{"scopes", s.Scopes},
		{"expiring", s.Expiring},
		{"commits ever", s.Commits},
		{"index terms", s.IndexTokens},
		{"index segments", s.IndexSegments},
		{"index tail", s.IndexTail},
		{"index dead", s.IndexDead},
		{"model", shown(model, "(none)")},
		{"embedded", s.Embedded},
		{"vectors", s.Vectors},
		{"sentences", s.Sentences},
		{"waiting", s.Waiting},
		{"other models", shown(strings.Join(others, ", "), "(none)")},
		{"on disk", megabytes(s.DiskBytes)},
		{"caches in memory", megabytes(s.MemoryBytes)},
	} {
		if err := a.printf("%-17s %v\n", line.name, line.value); err != nil {
			return err
		}
	}
	return nil
}

// modelName returns what a model is called if that is known, else its identity.
func modelName(id string) string {
	if id == allminilm.ID {
		return allminilm.Name
	}
	return id
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }
