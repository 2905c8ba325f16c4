package main

// This file decides how the records of an import are written, and which of
// several with one id.

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/internal/jsonl"
)

// flush writes the batch, of several records with one id the last.
func (p *importer) flush(ctx context.Context) error {
	b := batch{p.batch, p.at, p.last}
	ends := p.ends
	p.batch, p.at, p.ends, p.last, p.size = p.batch[:0], p.at[:0], p.ends[:0], nil, 0
	for part := range slices.Chunk(b.kept(), p.perWrite) {
		if err := p.write(ctx, &b, part); err != nil {
			return err
		}
		p.show(ends[part[len(part)-1]])
	}
	return nil
}

// batch is records with their places, and where each id is for the last time.
type batch struct {
	entries []contextforge.Entry
	at      []jsonl.Position
	last    map[string]int
}

// kept returns the records that no later one takes the place of.
func (b *batch) kept() (list []int) {
	for i := range b.entries {
		if b.last[b.entries[i].ID] == i {
			list = append(list, i)
		}
	}
	return list
}

// of returns the records with the ids of some, in order, by id.
func (b *batch) of(some []int) (groups map[string][]int, order []string) {
	groups = make(map[string][]int, len(some))
	for _, i := range some {
		groups[b.entries[i].ID] = nil
	}
	for i := range b.entries {
		id := b.entries[i].ID
		group, wanted := groups[id]
		if !wanted {
			continue
		}
		if group == nil {
			order = append(order, id)
		}
		groups[id] = append(group, i)
	}
	return groups, order
}

// write writes some of the records in one commit. When one is refused, all are
// written one by one.
func (p *importer) write(ctx context.Context, b *batch, some []int) error {
	list := make([]contextforge.Entry, len(some))
	for k, i := range some {
		list[k] = b.entries[i]
	}
	redacted := maps.Clone(p.app.redacted)
	n, err := p.memory.Restore(ctx, list)
	switch {
	case errors.Is(err, contextforge.ErrInvalidEntry):
		p.app.redacted = redacted
		return p.writeSingly(ctx, b, some)
	case err != nil:
		return err
	}
	p.Imported += n
	p.Unchanged += len(list) - n
	groups, order := b.of(some)
	for _, id := range order {
		group := groups[id]
		for _, i := range group[:len(group)-1] {
			p.countRepeated(&b.entries[i], &b.entries[group[len(group)-1]])
		}
	}
	return nil
}

// writeSingly writes every record that nothing is wrong with, of several with
// one id the last such.
func (p *importer) writeSingly(ctx context.Context, b *batch, some []int) error {
	groups, order := b.of(some)
	for _, id := range order {
		written := -1
		for _, i := range slices.Backward(groups[id]) {
			if written >= 0 {
				p.countRepeated(&b.entries[i], &b.entries[written])
				continue
			}
			ok, err := p.restoreOne(ctx, b.entries[i], b.at[i])
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
