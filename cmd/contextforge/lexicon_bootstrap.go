package main

// This file decides how a person gets from a persona to a first lexicon, with a
// language model of their own in between.

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/contextforge-go/contextforge/lexicon"
)

func (a *app) lexiconBootstrapCommand() *cobra.Command {
	var persona string
	var parse bool
	cmd := &cobra.Command{
		Use:   "bootstrap",
		Short: "Print a prompt that makes a language model write a lexicon, or read its answer",
		Long: `Print a prompt that makes a language model write a lexicon for a persona, which
--persona describes. Give the prompt to a model of your choice, and its answer to
bootstrap --parse, which finds the lexicon in it, checks it, and prints it:

  contextforge lexicon bootstrap --persona "plans the night shifts of a hospital"
  contextforge lexicon bootstrap --parse < answer.txt > hospital.toml

Nothing is sent anywhere. Without --persona, the prompt has a placeholder to be
replaced by hand.`,
		Args: noOperands,
	}
	cmd.Flags().StringVar(&persona, "persona", "", "describes the persona; \"-\" reads the `text` from stdin")
	cmd.Flags().BoolVar(&parse, "parse", false, "read a model's answer from stdin and print the lexicon in it")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := exclusive(cmd.Flags(), "persona", "parse"); err != nil {
			return err
		}
		return runs(func(ctx context.Context, _ []string) error {
			if parse {
				return a.printAnswer(ctx)
			}
			return a.printPrompt(ctx, persona)
		})(cmd, args)
	}
	return cmd
}

// printPrompt prints the prompt. Characters that act on a terminal are of no use
// to a model either.
func (a *app) printPrompt(ctx context.Context, persona string) (err error) {
	if persona == "-" {
		if persona, err = a.text(ctx, []string{"-"}); err != nil {
			return err
		}
		if strings.TrimSpace(persona) == "" {
			return usagef("the persona is empty")
		}
	}
	return a.printf("%s", lexicon.BootstrapPrompt(strings.Join(block(persona), "\n")))
}

// printAnswer prints the lexicon in a model's answer.
func (a *app) printAnswer(ctx context.Context) error {
	if a.stdinTerminal {
		a.note("paste the answer, then end it with a line of its own that ends the input (Ctrl-D)")
	}
	answer, err := io.ReadAll(io.LimitReader(a.interruptible(ctx), lexicon.MaxAnswerBytes+1))
	if err != nil {
		return err
	}
	text, _, err := lexicon.ParseBootstrap(string(answer))
	if err != nil {
		return lexiconError(err)
	}
	if n := strings.IndexFunc(text, acts); n >= 0 {
		return usagef("the lexicon has the character %+q in line %d, which can't be seen", []rune(text[n:])[0], 1+strings.Count(text[:n], "\n"))
	}
	return a.printf("%s", text)
}
