package main

// This file decides what a text is on stdin: a line, what stands between NULs, or
// all there is.

import (
	"context"
	"io"
	"slices"

	"github.com/spf13/pflag"

	"github.com/contextforge-go/contextforge/minilm"
)

// mostTexts is how many texts are worked on at once: enough to keep several
// cores busy, few enough that the first answer comes soon.
const mostTexts = 64

// sourceFlags say what ends a text of stdin.
type sourceFlags struct{ whole, null bool }

func (f *sourceFlags) add(fs *pflag.FlagSet) {
	fs.BoolVar(&f.whole, "whole", false, "all of stdin is one text, line breaks included")
	fs.BoolVarP(&f.null, "null", "0", false, "texts of stdin end with a NUL byte instead of a line break")
}

// source is where texts come from.
type source struct {
	args  []string
	flags sourceFlags
	uncut bool // texts are needed beyond the model's limit
}

// stdin reports whether the texts aren't the arguments.
func (s *source) stdin() bool { return len(s.args) == 0 || len(s.args) == 1 && s.args[0] == "-" }

func (s *source) check() error {
	switch {
	case s.flags.whole && s.flags.null:
		return usagef("--whole and --null exclude each other")
	case !s.stdin() && (s.flags.whole || s.flags.null):
		return usagef("--whole and --null are about stdin, but there are texts as arguments")
	}
	return nil
}

// reader returns what reads the texts of an input for a model.
func (s *source) reader(in io.Reader, m *minilm.Model) *textReader {
	r := newTextReader(in)
	switch {
	case s.flags.whole:
		r.end = noEnd
	case s.flags.null:
		r.end = 0
	}
	if !s.uncut {
		const frame = 2 // [CLS] and [SEP]
		r.tokens = func(text string) int { return len(m.Tokenize(text)) - frame }
		r.enough = m.MaxTokens() - frame
	}
	return r
}

// eachBatch calls work with the texts as they come, some at a time, and sends off
// what it has printed after each call.
func (a *app) eachBatch(ctx context.Context, from source, load func() (*minilm.Model, error), work func(m *minilm.Model, texts []string) error) error {
	if err := from.check(); err != nil {
		return err
	}
	if len(from.args) == 0 && a.stdinTerminal {
		return &usageError{errNoText}
	}
	m, err := load()
	if err != nil {
		return err
	}
	step := func(texts []string) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := work(m, texts); err != nil {
			return err
		}
		return a.out.Flush()
	}
	if from.stdin() {
		return from.reader(a.interruptible(ctx), m).each(step)
	}
	for some := range slices.Chunk(from.args, mostTexts) {
		if err := step(some); err != nil {
			return err
		}
	}
	return nil
}
