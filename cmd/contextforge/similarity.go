package main

// This file decides how alike two texts are said to be.

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/contextforge-go/contextforge/minilm"
)

type similarityFlags struct {
	embedderFlags
	json bool
}

func (a *app) similarityCommand() *cobra.Command {
	var f similarityFlags
	cmd := &cobra.Command{
		Use:   "similarity A B",
		Short: "Say how alike two texts are in meaning",
		Long: `Print the cosine of the vectors of two texts: 1 for equal texts, around 0 for
texts that have nothing to do with each other. "-" in the place of one of them
reads it, in UTF-8, from stdin. A text beyond the model's limit
(` + limitOfHelp + `) is cut into overlapping windows, and the most
alike count; stderr says so.`,
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		// Not in Args, so that an empty flag is complained about first.
		if err := twoTexts(args); err != nil {
			return err
		}
		return runs(func(ctx context.Context, args []string) error { return a.similarity(ctx, args, &f) })(cmd, args)
	}
	fs := cmd.Flags()
	f.addModel(fs)
	fs.BoolVar(&f.json, "json", false, `print {"similarity":…}`)
	return cmd
}

func twoTexts(args []string) error {
	switch {
	case len(args) == 0:
		return fmt.Errorf("the arguments A and B are missing")
	case len(args) == 1:
		return fmt.Errorf("the argument B is missing")
	case len(args) > 2:
		return fmt.Errorf("similarity takes two texts, but there are %d arguments; put each in quotes", len(args))
	case args[0] == "-" && args[1] == "-":
		return fmt.Errorf("only one of the texts can come from stdin")
	}
	return nil
}

func (a *app) similarity(ctx context.Context, args []string, f *similarityFlags) error {
	m, err := f.loadBare()
	if err != nil {
		return err
	}
	var sides [2][]minilm.Window
	for i, text := range args {
		if text == "-" {
			if text, err = a.utf8Text(ctx); err != nil {
				return err
			}
		}
		if sides[i], err = m.EmbedWindows(ctx, text); err != nil {
			return err
		}
	}
	for i, side := range sides {
		if len(side) > 1 {
			a.note("text %c is beyond the model's limit of %d tokens: the best of its %d windows counts", 'A'+i, m.MaxTokens(), len(side))
		}
	}
	best, err := bestSimilarity(ctx, sides[0], sides[1])
	switch {
	case err != nil:
		return err
	case f.json:
		return a.printJSON(struct {
			Similarity float32 `json:"similarity"`
		}{best})
	}
	return a.printf("%.4f\n", best)
}

// utf8Text returns stdin without a byte-order mark and the last line break.
func (a *app) utf8Text(ctx context.Context) (string, error) {
	text, err := a.text(ctx, []string{"-"})
	if err == nil && isUTF16([]byte(text[:min(len(text), toldFrom)])) {
		err = errUTF16
	}
	return strings.TrimPrefix(text, string(byteOrderMark)), err
}

// bestSimilarity returns the cosine of the two windows that are most alike.
func bestSimilarity(ctx context.Context, a, b []minilm.Window) (float32, error) {
	best := float32(-1)
	for _, v := range a {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		for _, w := range b {
			best = max(best, minilm.Similarity(v.Vector, w.Vector))
		}
	}
	return min(best, 1), nil // what is beyond 1 is rounding
}
