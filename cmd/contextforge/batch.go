package main

// This file decides how the records of an import are written, and which of
// several with one id.

import (
	"context"
	"errors"
	"maps"
	"reflect"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/internal/jsonl"
)

// flush writes the batch, of several records with one id the last. When one is
// refused, all are written one by one.
func (p *importer) flush(ctx context.Context) error {
	batch, at, last := p.batch, p.at, p.last
	p.batch, p.at, p.last, p.size = p.batch[:0], p.at[:0], nil, 0
	if len(batch) == 0 {
		return nil
	}
	kept := make([]contextforge.Entry, 0, len(last))
	for i := range batch {
		if last[batch[i].ID] == i {
			kept = append(kept, batch[i])
		}
	}
	redacted := maps.Clone(p.app.redacted)
	n, err := p.memory.Restore(ctx, kept)
	switch {
	case errors.Is(err, contextforge.ErrInvalidEntry):
		p.app.redacted = redacted
		return p.flushSingly(ctx, batch, at)
	case err != nil:
		return err
	}
	p.Imported += n
	p.Unchanged += len(kept) - n
	for i := range batch {
		if of := last[batch[i].ID]; of != i {
			p.countRepeated(&batch[i], &batch[of])
		}
	}
	return nil
}

// flushSingly writes every record that nothing is wrong with, of several with
// one id the last such.
func (p *importer) flushSingly(ctx context.Context, batch []contextforge.Entry, at []jsonl.Position) error {
	groups, order := map[string][]int{}, []string{}
	for i := range batch {
		id := batch[i].ID
		if groups[id] == nil {
			order = append(order, id)
		}
		groups[id] = append(groups[id], i)
	}
	for _, id := range order {
		written := -1
		for k := len(groups[id]) - 1; k >= 0; k-- {
			i := groups[id][k]
			if written >= 0 {
				p.countRepeated(&batch[i], &batch[written])
				continue
			}
			ok, err := p.restoreOne(ctx, batch[i], at[i])
			if err != nil {
				return err
			}
			if ok {
				written = i
			}
		}
	}
	return nil
}

// countRepeated counts a record that a later one takes the place of.
func (p *importer) countRepeated(e, later *contextforge.Entry) {
	if reflect.DeepEqual(e, later) {
		p.Unchanged++
	} else {
		p.Repeated++
	}
}

// restoreOne reports whether the entry was good.
func (p *importer) restoreOne(ctx context.Context, e contextforge.Entry, at jsonl.Position) (bool, error) {
	n, err := p.memory.Restore(ctx, []contextforge.Entry{e})
	switch {
	case errors.Is(err, contextforge.ErrInvalidEntry):
		p.skip(at, reasonOf(err))
		return false, nil
	case err != nil:
		return false, err
	}
	p.Imported += n
	p.Unchanged += 1 - n
	return true, nil
}
