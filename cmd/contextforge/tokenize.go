package main

// This file decides how the tokens of texts are asked for and printed.

import (
	"context"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/contextforge-go/contextforge/minilm"
)

type tokenizeFlags struct {
	embedderFlags
	sourceFlags
	json bool
}

func (a *app) tokenizeCommand() *cobra.Command {
	var f tokenizeFlags
	cmd := &cobra.Command{
		Use:   "tokenize [TEXT...]",
		Short: "Show the tokens that a model reads of texts",
		Long: `Print the token ids of every line of stdin on a line, as soon as the line is
there: [CLS], the pieces of the words, [SEP], cut to the model's limit
(` + limitOfHelp + `). With arguments, each of them is a text
instead; "-" alone means stdin. With --whole all of stdin is one text; with --null
texts end with a NUL byte and may have several lines. Stdin is UTF-8.`,
		RunE: runs(func(ctx context.Context, args []string) error { return a.tokenize(ctx, args, &f) }),
	}
	fs := cmd.Flags()
	f.embedderFlags.add(fs)
	f.sourceFlags.add(fs)
	fs.BoolVar(&f.json, "json", false, `print {"ids":[…]} a line, instead of ids between blanks`)
	return cmd
}

func (a *app) tokenize(ctx context.Context, args []string, f *tokenizeFlags) error {
	return a.eachBatch(ctx, source{args: args, flags: f.sourceFlags}, f.loadBare, func(m *minilm.Model, texts []string) error {
		for _, text := range texts {
			if err := a.printIDs(m.Tokenize(text), f.json); err != nil {
				return err
			}
		}
		return nil
	})
}

func (a *app) printIDs(ids []int32, asJSON bool) error {
	if asJSON {
		return a.printJSON(struct {
			IDs []int32 `json:"ids"`
		}{ids})
	}
	var row []byte
	for i, id := range ids {
		if i > 0 {
			row = append(row, ' ')
		}
		row = strconv.AppendInt(row, int64(id), 10)
	}
	_, err := a.out.Write(append(row, '\n'))
	return err
}
