package main

// This file decides how questions are put and answers are shown.

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/contextforge-go/contextforge"
)

type queryFlags struct {
	filterFlags
	budget, limit int
	minScore      float64
	asOf, ranking string
	explain, json bool
}

func (a *app) queryCommand() *cobra.Command {
	var f queryFlags
	cmd := &cobra.Command{
		Use:   "query TEXT",
		Short: "Answer a question with the entries worth their tokens",
		Long: `Answer a question with the entries that are worth their tokens, best first. TEXT
is plain language and may be several words; "-", or no TEXT when stdin isn't a
terminal, reads it from stdin. "*" takes every entry, newest first.

The exit code is 3 when nothing is found, or nothing that fits the budget: stderr
says which. With --json the answer is then [] and the code 0.`,
		Args: cobra.ArbitraryArgs,
		RunE: runs(func(ctx context.Context, args []string) error { return a.query(ctx, args, &f) }),
	}
	fs := cmd.Flags()
	f.add(fs)
	fs.IntVar(&f.budget, "budget", 0, "`tokens` that the answer may take, -1 for any number (default 8192)")
	fs.IntVar(&f.limit, "limit", 0, "at most so many entries (default any number)")
	fs.Float64Var(&f.minScore, "min-score", 0, "only entries with this score or a better one")
	fs.StringVar(&f.asOf, "as-of", "", "answer as of this `time` (default now)")
	fs.StringVar(&f.ranking, "ranking", "", "default, reference or reference09 (default that of the configuration)")
	fs.BoolVar(&f.explain, "explain", false, "say how every score came about")
	fs.BoolVar(&f.json, "json", false, "print a JSON array")
	return cmd
}

func (f *queryFlags) options() (o contextforge.QueryOptions, err error) {
	o = contextforge.QueryOptions{TokenBudget: f.budget, Limit: f.limit, MinScore: f.minScore}
	if o.Filter, err = f.filter(); err != nil {
		return o, err
	}
	if o.AsOf, err = timeFlag("as-of", f.asOf); err != nil {
		return o, err
	}
	o.Ranking, err = rankingFlag(f.ranking)
	return o, err
}

func (a *app) query(ctx context.Context, args []string, f *queryFlags) error {
	o, err := f.options()
	if err != nil {
		return err
	}
	text, err := a.text(ctx, args)
	if err != nil {
		return err
	}
	if strings.TrimSpace(text) == "" {
		return usagef("the question is empty")
	}
	cfg, err := a.settings()
	if err != nil {
		return err
	}
	budget := budgetOf(f.budget, cfg.TokenBudget)
	return a.withStore(ctx, func(ctx context.Context, m *contextforge.Memory) error {
		hits, err := m.Query(ctx, text, o)
		if err == nil && len(hits) == 0 {
			err = a.explainNothing(ctx, m, text, o, budget, f.json)
		}
		switch {
		case err != nil:
			return err
		case f.json:
			return printArray(a, each(hits))
		}
		return a.printHits(hits, f.explain, budget)
	})
}

// explainNothing tells matches that don't fit the budget from no match. With
// JSON the empty answer goes out as any other.
func (a *app) explainNothing(ctx context.Context, m *contextforge.Memory, text string, o contextforge.QueryOptions, budget int, asJSON bool) error {
	o.TokenBudget, o.Limit = contextforge.Unlimited, 1
	best, err := m.Query(ctx, text, o)
	switch {
	case err != nil:
		return err
	case len(best) > 0:
		a.note("nothing fits: the best match needs %s, the budget is %d", count(best[0].Explain.Tokens, "token", "tokens"), budget)
	case !asJSON:
		a.note("nothing found")
	}
	if asJSON {
		return nil
	}
	return exitCode(exitNotFound)
}

// budgetOf returns the budget that holds, as the library resolves it.
func budgetOf(asked, configured int) int {
	for _, n := range []int{asked, configured} {
		if n != 0 {
			return n
		}
	}
	return contextforge.DefaultTokenBudget
}

func (a *app) printHits(hits []contextforge.Hit, explain bool, budget int) error {
	tokens := 0
	for i := range hits {
		h := &hits[i]
		tokens += h.Explain.Tokens
		if err := a.printf("%d. %s  score %.4f\n", i+1, provenance(&h.Entry), h.Score); err != nil {
			return err
		}
		if explain {
			if err := a.printf("   %s\n", explanation(h)); err != nil {
				return err
			}
		}
		if err := a.printContent(h.Content); err != nil {
			return err
		}
	}
	of := ""
	if budget >= 0 {
		of = fmt.Sprintf(" of %d", budget)
	}
	return a.printf("%s, %d%s tokens\n", entries(len(hits)), tokens, of)
}

// explanation returns how the score of a hit came about, on one line.
func explanation(h *contextforge.Hit) string {
	x := &h.Explain
	words := "not found by its words"
	if x.Lexical.Rank > 0 {
		words = fmt.Sprintf("rank %d by its words, BM25 %.4f", x.Lexical.Rank, x.Lexical.Score)
	}
	meaning := ""
	if x.Semantic.Rank > 0 {
		meaning = fmt.Sprintf("; rank %d by its meaning, cosine %.4f", x.Semantic.Rank, x.Semantic.Score)
	}
	reserved := ""
	if x.Reserved {
		reserved = "; in a place reserved for its kind"
	}
	return fmt.Sprintf("%s%s; fused %.4f × decay %.4f (%s old) × importance %.4f (boost %.4f); %d tokens%s",
		words, meaning, x.Fused, x.Decay, age(x.AgeSeconds), x.Multiplier, x.Boost, x.Tokens, reserved)
}

// age returns seconds in the largest unit of which there are at least two.
func age(seconds float64) string {
	for _, unit := range []struct {
		seconds float64
		name    string
	}{{86400, "days"}, {3600, "hours"}, {60, "minutes"}} {
		if seconds >= 2*unit.seconds {
			return fmt.Sprintf("%.0f %s", seconds/unit.seconds, unit.name)
		}
	}
	return fmt.Sprintf("%.0f seconds", seconds)
}
