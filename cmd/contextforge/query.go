package main

// This file decides how questions are put and answers are shown.

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/contextforge-go/contextforge"
)

type queryFlags struct {
	filterFlags
	budget, limit     int
	minScore, similar float64
	asOf, ranking     string
	suspicious        string
	block             blockFlags
	lexicons          []string
	superseded        bool
	explain, json     bool
	byMeaning         bool // alone: words say nothing
	given             func(flag string) bool
}

func (f *queryFlags) addAll(fs *pflag.FlagSet) {
	f.add(fs)
	fs.IntVar(&f.budget, "budget", 0, "`tokens` that the answer may take, -1 for any number (default 8192)")
	fs.IntVar(&f.limit, "limit", 0, "at most so many entries (default any number)")
	fs.Float64Var(&f.minScore, "min-score", 0, "only entries with this score or a better one")
	fs.Float64Var(&f.similar, "min-similarity", 0, fmt.Sprintf("least `cosine`, -1 to 1, of an entry that shares no word with what is asked (default that of the ranking, %v)",
		contextforge.RankingDefault().MinSimilarity))
	fs.StringVar(&f.asOf, "as-of", "", "answer as of this `time` (default now)")
	fs.StringVar(&f.ranking, "ranking", "", "default, reference or reference09 (default that of the configuration)")
	fs.StringArrayVar(&f.lexicons, "lexicon", nil, "lexicon `file` that says what matters besides the English one, repeatable; none leaves that out (default that of the configuration)")
	fs.StringVar(&f.suspicious, "suspicious", "keep", "what to do with entries that read like an attack on a model: keep, down-rank or exclude")
	fs.BoolVar(&f.superseded, "superseded", false, "also facts that newer ones have taken the place of, see distill")
	fs.BoolVar(&f.explain, "explain", false, "say how every score came about")
	fs.BoolVar(&f.json, "json", false, "print a JSON array")
	f.given = fs.Changed
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
	}
	f.addAll(cmd.Flags())
	f.block.add(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		for _, other := range []string{"json", "explain"} {
			if err := exclusive(cmd.Flags(), "block", other); err != nil {
				return err
			}
		}
		return runs(func(ctx context.Context, args []string) error { return a.query(ctx, args, &f) })(cmd, args)
	}
	return cmd
}

func (a *app) similarCommand() *cobra.Command {
	f := queryFlags{byMeaning: true}
	cmd := &cobra.Command{
		Use:   "similar ID",
		Short: "Find the entries whose meaning is nearest to an entry's",
		Long: `Find the entries whose meaning is nearest to that of an entry, best first; the
entry itself is not among them. Of a long text its beginning counts.

The exit code is 3 when there is no such entry, or nothing is found; with --json
and nothing found the answer is [] and the code 0.`,
		Args: operands("ID", 1, 1),
		RunE: runs(func(ctx context.Context, args []string) error { return a.similar(ctx, args[0], &f) }),
	}
	f.addAll(cmd.Flags())
	return cmd
}

func (f *queryFlags) options() (o contextforge.QueryOptions, err error) {
	o = contextforge.QueryOptions{TokenBudget: f.budget, Limit: f.limit, MinScore: f.minScore, IncludeSuperseded: f.superseded}
	if o.Filter, err = f.filter(); err != nil {
		return o, err
	}
	if o.AsOf, err = timeFlag("as-of", f.asOf); err != nil {
		return o, err
	}
	if o.MinSimilarity, err = f.minSimilarity(); err != nil {
		return o, err
	}
	if o.Suspicious, err = suspiciousFlag(f.suspicious); err != nil {
		return o, err
	}
	o.Ranking, err = rankingFlag(f.ranking)
	return o, err
}

// minSimilarity returns the threshold as the library takes it, where 0 means the
// default: whoever asks for 0 gets what is as good as that.
func (f *queryFlags) minSimilarity() (float64, error) {
	if !(f.similar >= -1 && f.similar <= 1) { // also NaN
		return 0, usagef("--min-similarity %v is not between -1 and 1", f.similar)
	}
	if f.similar == 0 && f.given("min-similarity") {
		return -math.SmallestNonzeroFloat64, nil
	}
	return f.similar, nil
}

// asking asks a store.
type asking func(context.Context, *contextforge.Memory, contextforge.QueryOptions) ([]contextforge.Hit, error)

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
	load := a.embedWith
	if text == contextforge.MatchAll {
		load = nil // takes every entry, whatever it means
	}
	question, err := f.block.question(text)
	if err != nil {
		return err
	}
	return a.ask(ctx, f, o, load, question)
}

func (a *app) similar(ctx context.Context, id string, f *queryFlags) error {
	o, err := f.options()
	if err != nil {
		return err
	}
	load := func(cfg *contextforge.Config) error { return a.needModel(cfg, "similar") }
	return a.ask(ctx, f, o, load, func(ctx context.Context, m *contextforge.Memory, o contextforge.QueryOptions) ([]contextforge.Hit, error) {
		return m.MoreLike(ctx, id, o)
	})
}

// ask puts a question to the store and prints the answer.
func (a *app) ask(ctx context.Context, f *queryFlags, o contextforge.QueryOptions, load func(*contextforge.Config) error, question asking) error {
	cfg, err := a.settings()
	if err != nil {
		return err
	}
	if len(f.lexicons) > 0 {
		a.lexicons = f.lexicons
	}
	if cfg.Lexicon, err = scorerOf(a.lexicons); err != nil {
		return err
	}
	budget := budgetOf(f.budget, cfg.TokenBudget)
	return a.withExisting(ctx, unlimited(cfg), load, func(ctx context.Context, m *contextforge.Memory) error {
		hits, err := question(ctx, m, o)
		if err == nil {
			err = a.noteUnembedded(ctx, m)
		}
		if err == nil && len(hits) == 0 {
			err = a.explainNothing(ctx, m, question, o, budget, f)
		}
		switch {
		case err != nil:
			return err
		case f.json:
			return printArray(a, each(hits))
		case f.block.style != "":
			return a.printf("%s", f.block.rendered)
		}
		return a.printHits(hits, f, budget)
	})
}

// noteUnembedded says that entries can't be found by their meaning, if the store
// is used with a model.
func (a *app) noteUnembedded(ctx context.Context, m *contextforge.Memory) error {
	s, err := m.Stats(ctx)
	if lacking := s.Entries - s.Embedded; err == nil && s.Model != "" && lacking > 0 {
		a.note("%d of %s can be found by words alone, having no vectors yet: contextforge backfill makes them", lacking, entries(s.Entries))
	}
	return err
}

// explainNothing tells matches that don't fit the budget from no match. With
// JSON the empty answer goes out as any other.
func (a *app) explainNothing(ctx context.Context, m *contextforge.Memory, question asking, o contextforge.QueryOptions, budget int, f *queryFlags) error {
	o.TokenBudget, o.Limit = contextforge.Unlimited, 1
	best, err := question(ctx, m, o)
	switch {
	case err != nil:
		return err
	case len(best) > 0:
		a.note("nothing fits: the best match needs %s, the budget is %d", count(f.block.needs(&best[0]), "token", "tokens"), budget)
	case !f.json:
		a.note("nothing found")
	}
	if f.json {
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

func (a *app) printHits(hits []contextforge.Hit, f *queryFlags, budget int) error {
	tokens := 0
	for i := range hits {
		h := &hits[i]
		tokens += h.Explain.Tokens
		if err := a.printf("%d. %s  score %.4f\n", i+1, provenance(&h.Entry), h.Score); err != nil {
			return err
		}
		if f.explain {
			if err := a.printf("   %s\n", explanation(h, f.byMeaning)); err != nil {
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
func explanation(h *contextforge.Hit, byMeaning bool) string {
	x := &h.Explain
	words := "not found by its words; "
	switch {
	case byMeaning:
		words = ""
	case x.Lexical.Rank > 0:
		words = fmt.Sprintf("rank %d by its words, BM25 %.4f; ", x.Lexical.Rank, x.Lexical.Score)
	case x.Lexical.Score > 0:
		words = fmt.Sprintf("not listed by its words, BM25 %.4f; ", x.Lexical.Score)
	}
	meaning := ""
	switch {
	case x.Semantic.Rank > 0:
		meaning = fmt.Sprintf("rank %d by its meaning, cosine %.4f; ", x.Semantic.Rank, x.Semantic.Score)
	case x.Semantic.Score != 0:
		meaning = fmt.Sprintf("not listed by its meaning, cosine %.4f; ", x.Semantic.Score)
	}
	around := ""
	if h.SessionID != "" && x.Prior != 0 { // the ranking looked at the turns around
		around = fmt.Sprintf("with the turns around: BM25 %.4f, cosine %.4f; form × %.4f; ", x.Words, x.Meaning, x.Prior)
	}
	reserved := ""
	if x.Reserved {
		reserved = "; in a place reserved for its kind"
	}
	return fmt.Sprintf("%s%s%sfused %.4f × decay %.4f (%s old) × importance %.4f (boost %.4f%s); %d tokens%s%s",
		words, meaning, around, x.Fused, x.Decay, age(x.AgeSeconds), x.Multiplier, x.Boost, matched(x.Matches), x.Tokens, reserved, suspicion(h))
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
