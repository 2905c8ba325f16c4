package main

// This file decides how an answer is printed for a prompt.

import (
	"context"
	"strings"

	"github.com/spf13/pflag"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/budget"
	"github.com/contextforge-go/contextforge/render"
)

// blockFlags ask for one quoted block instead of a listing.
type blockFlags struct {
	style    string // "" for none
	rendered string // the latest answer
}

func (f *blockFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.style, "block", "", "print one quoted block for a prompt, which keeps within the budget as a whole, in this `style`: markdown, json or xml")
}

// question returns the question that also renders its answers.
func (f *blockFlags) question(text string) (asking, error) {
	if f.style == "" {
		return func(ctx context.Context, m *contextforge.Memory, o contextforge.QueryOptions) ([]contextforge.Hit, error) {
			return m.Query(ctx, text, o)
		}, nil
	}
	styles := map[string]render.Style{"markdown": render.Markdown, "json": render.JSON, "xml": render.XML}
	style, ok := styles[f.style]
	if !ok {
		return nil, usagef("--block %q is not markdown, json or xml", f.style)
	}
	return func(ctx context.Context, m *contextforge.Memory, o contextforge.QueryOptions) (hits []contextforge.Hit, err error) {
		f.rendered, hits, err = m.QueryBlock(ctx, text, o, render.Options{Style: style})
		return hits, err
	}, nil
}

// needs returns the tokens that the best hit takes alone.
func (f *blockFlags) needs(best *contextforge.Hit) int {
	if f.style == "" {
		return best.Explain.Tokens
	}
	return budget.Estimate{}.Count(f.rendered)
}

// suspiciousFlag reads --suspicious.
func suspiciousFlag(value string) (contextforge.Suspicion, error) {
	switch s := contextforge.Suspicion(value); s {
	case "keep":
		return contextforge.SuspiciousKeep, nil
	case contextforge.SuspiciousDownRank, contextforge.SuspiciousExclude:
		return s, nil
	}
	return "", usagef("--suspicious %q is not keep, down-rank or exclude", value)
}

// suspicion says in an explanation what is suspicious in a hit.
func suspicion(h *contextforge.Hit) string {
	if len(h.Suspicious) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("; suspicious: ")
	for i, reason := range h.Suspicious {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(reason))
	}
	if h.Explain.Suspicion != 1 {
		b.WriteString(" (score halved)")
	}
	return b.String()
}
