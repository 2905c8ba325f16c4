package main

// This file decides how the command asks what matters in the memory.

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/analysis"
	"github.com/contextforge-go/contextforge/sessions"
)

type analyzeFlags struct {
	filterFlags
	gap                              time.Duration
	budget, compactions, minSessions int
	json, mark                       bool
	page                             string
}

func (a *app) analyzeCommand() *cobra.Command {
	var f analyzeFlags
	cmd := &cobra.Command{
		Use:   "analyze",
		Short: "Find what matters: passages around what comes back in several sessions",
		Long: `Find what matters in the conversations: the passages around words that come back
in several sessions, the most important first. A passage may be corrective (says
that something is not so), stateful (gives something a value), decisive (prefers
one thing to another, with a reason) or reinforcing (confirms the same in several
sessions); a newer statement replaces older ones about the same. Importance is
shown as a share of the greatest one; with --json it is what it is now, sinking
with age.

Entries of one session have its id, or have none and follow one another without
a long pause. It takes three sessions at least for anything to come out.

--mark writes {"importance": 0 to 1, "categories": [...]} into the metadata of the
entries that the passages are from, beside what is there, and takes what it wrote
before from the other entries that were looked at.

The exit code is 3 when nothing is found; with --json the answer is then empty and
the code 0.`,
		Args: noOperands,
		RunE: runs(func(ctx context.Context, _ []string) error { return a.analyze(ctx, &f) }),
	}
	fs := cmd.Flags()
	f.add(fs)
	fs.DurationVar(&f.gap, "gap", 0, "pause that ends a session of entries without a session id (default "+sessions.DefaultGap.String()+")")
	fs.IntVar(&f.budget, "budget", 0, "`tokens` that the passages may have in all, -1 for any number (default any number)")
	fs.IntVar(&f.compactions, "compactions", 0, "how `often` the context was compacted that they are for: more raises the budget and prefers what was confirmed")
	fs.IntVar(&f.minSessions, "min-sessions", 0, "least `number` of sessions in which a word comes back (default 2)")
	fs.BoolVar(&f.json, "json", false, "print JSON Lines")
	fs.StringVar(&f.page, "html", "", "write a page with plots to this `file`, in place of printing them as text")
	fs.BoolVar(&f.mark, "mark", false, "write importance and categories into the metadata of the entries")
	return cmd
}

func (f *analyzeFlags) options() (o contextforge.AnalyzeOptions, err error) {
	for _, n := range []struct {
		name  string
		value int64
	}{
		{"gap", int64(f.gap)}, {"compactions", int64(f.compactions)}, {"min-sessions", int64(f.minSessions)},
	} {
		if n.value < 0 {
			return o, usagef("--%s is negative", n.name)
		}
	}
	o.Gap, o.Budget, o.Compactions, o.Recurrence.MinSessions = f.gap, f.budget, f.compactions, f.minSessions
	return o, nil
}

func (a *app) analyze(ctx context.Context, f *analyzeFlags) error {
	filter, err := f.filter()
	if err != nil {
		return err
	}
	o, err := f.options()
	if err != nil {
		return err
	}
	return a.withStore(ctx, func(ctx context.Context, m *contextforge.Memory) error {
		var segments []analysis.Segment
		for s, err := range m.Analyze(ctx, filter, o) {
			if err != nil {
				return err
			}
			segments = append(segments, s)
		}
		if f.mark {
			if err := a.mark(ctx, m, filter, segments); err != nil {
				return err
			}
		}
		return a.printAnalysis(segments, f)
	})
}

func (a *app) printAnalysis(segments []analysis.Segment, f *analyzeFlags) error {
	if f.json && f.page == "" {
		return a.printSegments(segments)
	}
	relative := shares(segments)
	report := analysis.Summary(slices.Values(relative), analysis.SummaryConfig{})
	if f.page != "" {
		err := writeFile(f.page, func(w io.Writer) error { return writePage(w, relative, &report) })
		if err != nil {
			return err
		}
	}
	switch {
	case f.json:
		return a.printSegments(segments)
	case len(segments) == 0:
		a.note("nothing found: no word comes back in enough of the sessions")
		return exitCode(exitNotFound)
	case f.page != "":
		return a.printf("wrote %s to %s\n", passages(len(segments)), visible(f.page))
	}
	return errors.Join(a.printPassages(relative), a.printSummary(&report))
}

// shares returns the segments with importances relative to the greatest one. What
// all of it is worth sinks as it gets older, which says nothing to a reader.
func shares(segments []analysis.Segment) []analysis.Segment {
	list := slices.Clone(segments)
	greatest := 0.0
	for i := range list {
		greatest = max(greatest, list[i].Importance)
	}
	for i := range list {
		if greatest > 0 {
			list[i].Importance /= greatest
		}
	}
	return list
}

// printSegments prints one JSON object a line.
func (a *app) printSegments(segments []analysis.Segment) error {
	for i := range segments {
		if err := a.printJSON(&segments[i]); err != nil {
			return err
		}
	}
	return nil
}

func passages(n int) string { return count(n, "passage", "passages") }
