//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package storebench

// This file decides how growth with the number of entries is measured: the
// stores of all sizes do the same in turn, so that the state of the machine
// doesn't look like growth.

import (
	"context"
	"errors"
	"fmt"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/bench/internal/measure"
)

// growth compares the first and the last size where that is wanted.
func growth(ctx context.Context, r *measure.Report, all []*bench) error {
	if len(all) < 2 {
		return nil
	}
	first, last := all[0], all[len(all)-1]
	compare := func(key, what, target string, times func() ([]measure.Series, error)) error {
		series, err := times()
		if err == nil {
			r.Grow(key, what, first.n, last.n, series[0], series[len(all)-1], target)
		}
		return err
	}
	if first.wants("open") {
		err := compare("open", "open after a clean close", "≤ 1.3", func() ([]measure.Series, error) {
			return measure.Rounds(first.Rounds, func(int) ([]measure.Times, error) { return openInTurn(ctx, all) })
		})
		if err != nil {
			return err
		}
	}
	if !first.wants("save") && !first.wants("delete") {
		return nil
	}
	memories, err := openAllSizes(ctx, all)
	if err == nil {
		err = errors.Join(
			compare("save", "durable save of one entry", "≤ 1.3", func() ([]measure.Series, error) {
				return measure.Rounds(first.Rounds, func(int) ([]measure.Times, error) {
					return inTurn(all, func(k int) error { return all[k].saveOne(ctx, memories[k]) })
				})
			}),
			compare("delete", "delete of one entry", "", func() ([]measure.Series, error) {
				return measure.Rounds(first.Rounds, func(int) ([]measure.Times, error) {
					return inTurn(all, func(k int) error { return all[k].deleteOne(ctx, memories[k]) })
				})
			}))
	}
	for _, m := range memories {
		err = errors.Join(err, m.Close())
	}
	return err
}

// openInTurn opens and closes the stores of all sizes; only opening counts.
func openInTurn(ctx context.Context, all []*bench) ([]measure.Times, error) {
	out := make([]measure.Times, len(all))
	for i := range opensPerRound {
		for k := range all {
			b := all[(i+k)%len(all)]
			took, err := clockOpen(func() (closer, error) { return b.open(ctx, b.main()) })
			if err != nil {
				return nil, err
			}
			out[(i+k)%len(all)] = append(out[(i+k)%len(all)], took)
		}
	}
	return out, nil
}

func inTurn(all []*bench, do func(k int) error) ([]measure.Times, error) {
	n := savesPerRound
	operations := make([]func(int) error, len(all))
	for k, b := range all {
		n = min(n, len(b.ids)/(2*b.Rounds))
		operations[k] = func(int) error { return do(k) }
	}
	return measure.InTurn(n, operations...)
}

// openAllSizes opens the stores and lets each load what its first query needs.
func openAllSizes(ctx context.Context, all []*bench) (out []*contextforge.Memory, err error) {
	for _, b := range all {
		m, err := b.open(ctx, b.main())
		if err != nil {
			return out, err
		}
		out = append(out, m)
		if _, err := m.Query(ctx, "warm", contextforge.QueryOptions{}); err != nil {
			return out, fmt.Errorf("%d entries: %w", b.n, err)
		}
		if _, err := settle(ctx, m); err != nil {
			return out, err
		}
	}
	return out, nil
}
