package main

// This file decides how entries that lack vectors get them, and what is said
// meanwhile.

import (
	"context"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"github.com/contextforge-go/contextforge"
)

func (a *app) backfillCommand() *cobra.Command {
	var batch int
	var asJSON bool
	cmd := jsonFlag(&cobra.Command{
		Use:   "backfill",
		Short: "Make the vectors that entries lack",
		Long: `Make vectors for every entry that has none of the model: what was saved without
one (--embedder none), with another one, by an earlier version, or what the model
failed on. When all have theirs, those of other models are removed.

It can be stopped at any time; started again it goes on where it was. Entries
that the model fails on are reported and skipped, and the exit code is then 6.`,
		Args: noOperands,
	}, &asJSON)
	cmd.Flags().IntVar(&batch, "batch", 32, "`entries` to embed and commit at a time")
	cmd.RunE = runs(func(ctx context.Context, _ []string) error {
		if batch < 1 {
			return usagef("--batch %d is not a positive number", batch)
		}
		return a.backfill(ctx, batch, asJSON)
	})
	return cmd
}

// filling is the outcome of a backfill.
type filling struct {
	Embedded int `json:"embedded"`
	Skipped  int `json:"skipped"`
}

func (a *app) backfill(ctx context.Context, batch int, asJSON bool) error {
	cfg, err := a.settings()
	if err != nil {
		return err
	}
	p := &fillProgress{app: a}
	cfg.Hooks.EmbeddingFailed = p.failed
	load := func(cfg *contextforge.Config) error { return a.needModel(cfg, "backfill") }
	return a.withExisting(ctx, unlimited(cfg), load, func(ctx context.Context, m *contextforge.Memory) error {
		before, err := m.Stats(ctx)
		if err != nil {
			return err
		}
		n, err := m.BackfillEmbeddings(ctx, batch, p.show)
		p.clear()
		if err != nil {
			a.note("the backfill stopped: embedded %d, skipped %d of %s; start it again to go on", n, p.skipped, entries(p.total))
			return err
		}
		return a.printFilling(filling{n, p.skipped}, &before, asJSON)
	})
}

func (a *app) printFilling(f filling, before *contextforge.Stats, asJSON bool) error {
	var err error
	if asJSON {
		err = a.printJSON(f)
	} else {
		err = a.printf("embedded %s, skipped %d\n", entries(f.Embedded), f.Skipped)
	}
	switch {
	case err != nil:
		return err
	case f.Skipped > 0:
		return exitCode(exitPartial)
	}
	for _, m := range before.Models {
		if m.ID != before.Model && m.Entries > 0 {
			a.note("the vectors of another model are removed: %s (%s)", visible(modelName(m.ID)), entries(m.Entries))
		}
	}
	return nil
}

// fillProgress shows how far a backfill is: a bar for a person who watches, else
// a line at every tenth of the work.
type fillProgress struct {
	app     *app
	bar     *progressbar.ProgressBar
	total   int
	tenths  int // that were said
	skipped int
}

func (p *fillProgress) show(done, total int) {
	if p.total = total; p.app.stderrTerminal {
		p.draw(done)
		return
	}
	if tenths := int(int64(done) * 10 / int64(max(total, 1))); tenths > p.tenths && done < total {
		p.tenths = tenths
		p.app.note("embedded %d of %s", done, entries(total))
	}
}

// draw moves the bar; that it can't be drawn is no reason to stop.
func (p *fillProgress) draw(done int) {
	if p.bar == nil {
		p.bar = progressbar.NewOptions(p.total,
			progressbar.OptionSetWriter(p.app.stderr),
			progressbar.OptionSetDescription("embedding"),
			progressbar.OptionShowCount(),
			progressbar.OptionShowIts(),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionThrottle(barInterval),
		)
	}
	if p.bar.GetMax() != p.total {
		p.bar.ChangeMax(p.total)
	}
	_ = p.bar.Set(done)
}

func (p *fillProgress) clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}

// failed reports entries that the model failed on.
func (p *fillProgress) failed(_ context.Context, list []contextforge.EmbeddingFailure) {
	for _, f := range list {
		p.skipped++
		switch {
		case p.app.global.verbose || p.skipped <= shownFaults:
			p.clear()
			p.app.note("%s: %s", visible(f.ID), oneLine(message(f.Err)))
		case p.skipped == shownFaults+1:
			p.app.note("further failures are only counted; -v shows them all")
		}
	}
}
