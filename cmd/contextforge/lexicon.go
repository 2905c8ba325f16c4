package main

// This file decides which commands there are for lexicon files, and what is wrong
// input to them.

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/contextforge-go/contextforge/lexicon"
)

func (a *app) lexiconCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lexicon",
		Short: "Look after files that say which words make an entry important",
		Long: `Look after lexicon files. A lexicon is a TOML file that says which words make an
entry more important than its rank alone:

  [terms]                      # each adds its weight, above 0 and at most 1.5
  pager = 0.9
  "on-call rota" = 0.6

  [affirmations]               # each adds 0.5
  patterns = ["ship it"]

  [negations]                  # each takes off 0.3
  patterns = ["that broke"]

Everything counts once per entry, and not at all behind a "not" or the like. No
command here needs a store.`,
		Args: onlyCommands,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },

		SuggestionsMinimumDistance: 2,
	}
	cmd.AddCommand(a.lexiconCheckCommand(), a.lexiconExplainCommand(), a.lexiconAddCommand(), a.lexiconRemoveCommand(), a.lexiconBootstrapCommand())
	return cmd
}

// lexiconError tells what is wrong with a lexicon, or with what should become part
// of one, from what is wrong with the disk.
func lexiconError(err error) error {
	for _, input := range []error{lexicon.ErrLexicon, lexicon.ErrForm, lexicon.ErrProposal, lexicon.ErrNoLexicon} {
		if errors.Is(err, input) && !isPathError(err) {
			return &usageError{err}
		}
	}
	return err
}

// pieceFlags say which term or pattern is meant.
type pieceFlags struct {
	file                        string
	term, affirmation, negation string
}

func (f *pieceFlags) add(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&f.file, "file", "", "the lexicon `file`")
	fs.StringVar(&f.term, "term", "", "the term")
	fs.StringVar(&f.affirmation, "affirmation", "", "the affirmation, a `pattern`")
	fs.StringVar(&f.negation, "negation", "", "the negation, a `pattern`")
}

// piece returns the one that was given, as a proposal without weight.
func (f *pieceFlags) piece(cmd *cobra.Command) (p lexicon.Proposal, err error) {
	if err := exclusive(cmd.Flags(), "term", "affirmation", "negation"); err != nil {
		return p, err
	}
	switch {
	case f.file == "":
		return p, usagef("%s needs --file", cmd.Name())
	case f.term != "":
		return lexicon.Proposal{Sort: lexicon.Term, Pattern: f.term}, nil
	case f.affirmation != "":
		return lexicon.Proposal{Sort: lexicon.Affirmation, Pattern: f.affirmation}, nil
	case f.negation != "":
		return lexicon.Proposal{Sort: lexicon.Negation, Pattern: f.negation}, nil
	}
	return p, usagef("%s needs one of --term, --affirmation and --negation", cmd.Name())
}

func (a *app) lexiconAddCommand() *cobra.Command {
	var f pieceFlags
	var weight float64
	var rationale string
	var sources []string
	var asJSON bool
	cmd := jsonFlag(&cobra.Command{
		Use:   "add",
		Short: "Add a term or pattern to a lexicon file",
		Long: `Add a term, an affirmation or a negation to a lexicon file, and make the file if
there is none. All else in the file stays as it is, comments included. A term that
is there, in whatever case, gets the new weight; a pattern that is there stays as it
is. Several processes can do so at a time.`,
		Args: noOperands,
	}, &asJSON)
	f.add(cmd)
	cmd.Flags().Float64Var(&weight, "weight", 0, "the weight of the term, above 0 and at most 1.5")
	cmd.Flags().StringVar(&rationale, "rationale", "", "why; a `comment` on the same line")
	cmd.Flags().StringArrayVar(&sources, "source", nil, "`id` of an entry that it comes from; give it again for several")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		p, err := f.piece(cmd)
		if err == nil && (p.Sort == lexicon.Term) != cmd.Flags().Changed("weight") {
			err = usagef("--weight goes with --term")
		}
		if err != nil {
			return err
		}
		p.Weight, p.Rationale, p.SourceIDs = weight, rationale, sources
		return runs(func(ctx context.Context, _ []string) error {
			changed, err := lexicon.NewAppender(f.file).Append(ctx, p)
			if err != nil {
				return lexiconError(err)
			}
			return a.printLexiconEdit(lexiconEdit{f.file, p.Sort, p.Pattern, changed}, asJSON, "added", "already there:")
		})(cmd, args)
	}
	return cmd
}

func (a *app) lexiconRemoveCommand() *cobra.Command {
	var f pieceFlags
	var asJSON bool
	cmd := jsonFlag(&cobra.Command{
		Use:   "remove",
		Short: "Remove a term or pattern from a lexicon file",
		Long: `Remove a term, an affirmation or a negation from a lexicon file, in whatever case
it is written, with the comment on its line. All else stays as it is. The exit code
is 3 if there is none.`,
		Args: noOperands,
	}, &asJSON)
	f.add(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		p, err := f.piece(cmd)
		if err != nil {
			return err
		}
		return runs(func(ctx context.Context, _ []string) error {
			changed, err := removePiece(ctx, lexicon.NewAppender(f.file), p)
			if err != nil {
				return lexiconError(err)
			}
			if err := a.printLexiconEdit(lexiconEdit{f.file, p.Sort, p.Pattern, changed}, asJSON, "removed", "not found:"); err != nil || changed {
				return err
			}
			return exitCode(exitNotFound)
		})(cmd, args)
	}
	return cmd
}

func removePiece(ctx context.Context, a *lexicon.Appender, p lexicon.Proposal) (bool, error) {
	switch p.Sort {
	case lexicon.Term:
		return a.RemoveTerm(ctx, p.Pattern)
	case lexicon.Affirmation:
		return a.RemoveAffirmation(ctx, p.Pattern)
	}
	return a.RemoveNegation(ctx, p.Pattern)
}

// lexiconEdit is what became of a term or pattern.
type lexiconEdit struct {
	File    string       `json:"file"`
	Sort    lexicon.Sort `json:"sort"`
	Pattern string       `json:"pattern"`
	Changed bool         `json:"changed"`
}

func (a *app) printLexiconEdit(e lexiconEdit, asJSON bool, done, idle string) error {
	if asJSON {
		return a.printJSON(e)
	}
	if !e.Changed {
		done = idle
	}
	return a.printf("%s %s %s\n", done, e.Sort, visible(strings.TrimSpace(e.Pattern)))
}
