//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package storebench

// This file decides how writing is measured: bulk ingestion, single durable
// saves, many savers at once, deletion.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/bench/internal/measure"
)

const (
	savesPerRound = 300
	savers        = 32
	// ahead bounds the generated entries held in memory.
	ahead = 100_000
)

// ingestion is what filling a store took.
type ingestion struct {
	took time.Duration // the calls of SaveBatch
	rest time.Duration // until the background had nothing left to do
	cpu  time.Duration // processor time of both
}

// ingest fills the shared store and then, at sizes where that is quick, further
// ones with several batch sizes on one and two processors, each beside a bare
// Pebble.
func (b *bench) ingest(ctx context.Context) error {
	first, err := b.fill(ctx, b.main(), batchSize, func(ids []string) { b.ids = append(b.ids, ids...) })
	if err != nil {
		return err
	}
	b.next = b.n
	floor, err := b.fillBare(b.main()+"-bare", batchSize)
	if err != nil {
		return err
	}
	if !b.wants("ingest") {
		return nil
	}
	if b.n > gridLimit {
		b.table.Add(b.ingestRow("ingest", runtime.GOMAXPROCS(0), batchSize, []ingestion{first}, []time.Duration{floor}))
		return nil
	}
	for procs := 1; procs <= min(2, runtime.NumCPU()); procs++ {
		for _, batch := range []int{1000, 5000, 10_000} {
			if batch > b.n {
				break
			}
			if err := b.ingestWith(ctx, procs, batch); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *bench) ingestWith(ctx context.Context, procs, batch int) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
	var ours []ingestion
	var floors []time.Duration
	dir, bareDir := b.path("ingest"), b.path("ingest-bare")
	for range b.Rounds {
		in, err := b.fill(ctx, dir, batch, func([]string) {})
		if err := errors.Join(err, os.RemoveAll(dir)); err != nil {
			return err
		}
		floor, err := b.fillBare(bareDir, batch)
		if err := errors.Join(err, os.RemoveAll(bareDir)); err != nil {
			return err
		}
		ours, floors = append(ours, in), append(floors, floor)
	}
	b.table.Add(b.ingestRow(fmt.Sprintf("ingest.%d.%d", procs, batch), procs, batch, ours, floors))
	return nil
}

func (b *bench) ingestRow(key string, procs, batch int, ours []ingestion, floors []time.Duration) measure.Row {
	var took, rest, cpu []time.Duration
	var ratios []float64
	for i, in := range ours {
		took, rest, cpu = append(took, in.took), append(rest, in.rest), append(cpu, in.cpu)
		ratios = append(ratios, floors[i].Seconds()/in.took.Seconds())
	}
	rate := func(d time.Duration) float64 { return float64(b.n) / d.Seconds() }
	row := measure.Row{
		Key: key, What: fmt.Sprintf("bulk ingest, batches of %d, GOMAXPROCS %d; background done %.1f s later", batch, procs, measure.Median(rest).Seconds()),
		Unit: "entries/s", P50: rate(measure.Median(took)), CPU: perCall(measure.Median(cpu), b.n),
		Beside: "bare Pebble, same batches of the texts", B50: rate(measure.Median(floors)), Ratio: measure.Median(ratios),
	}
	if b.n >= 100_000 {
		row.Target = map[bool]string{true: "≥ 60,000", false: "≥ 100,000"}[procs == 1]
	}
	return row
}

// fill saves the first n entries into a new store and waits until its
// background work is done. Making the entries is not part of the times.
func (b *bench) fill(ctx context.Context, dir string, batch int, saved func(ids []string)) (in ingestion, err error) {
	m, err := b.open(ctx, dir)
	if err != nil {
		return in, err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	err = b.batches(batch, func(part []contextforge.Item) error {
		cpu := measure.CPU()
		took, err := measure.Clock(func() error {
			ids, err := m.SaveBatch(ctx, part)
			saved(ids)
			return err
		})
		in.took += took
		in.cpu += measure.CPU() - cpu
		return err
	})
	if err != nil {
		return in, err
	}
	cpu := measure.CPU()
	in.rest, err = settle(ctx, m)
	in.cpu += measure.CPU() - cpu
	return in, err
}

// fillBare puts the same batches into a new bare Pebble.
func (b *bench) fillBare(dir string, batch int) (sum time.Duration, err error) {
	p, err := newBare(dir)
	if err != nil {
		return 0, err
	}
	err = b.batches(batch, func(part []contextforge.Item) error {
		took, err := measure.Clock(func() error { return p.saveBatch(part) })
		sum += took
		return err
	})
	return sum, errors.Join(err, p.db.Close())
}

// batches calls do with the first n entries, in batches; all but the last of
// each hundred thousand are full.
func (b *bench) batches(batch int, do func([]contextforge.Item) error) error {
	for from := 0; from < b.n; from += ahead {
		list := items(b.corpus, from, min(from+ahead, b.n))
		for len(list) > 0 {
			part := list[:min(batch, len(list))]
			list = list[len(part):]
			if err := do(part); err != nil {
				return err
			}
		}
	}
	return nil
}

// save measures one durable save after the other beside the floors, and leaves
// a copy of the folder as a crash would.
func (b *bench) save(ctx context.Context) error {
	return b.with(ctx, func(m *contextforge.Memory) error {
		if _, err := m.Query(ctx, "warm", contextforge.QueryOptions{}); err != nil {
			return err
		}
		p, err := newBare(b.main() + "-bare")
		if err != nil {
			return err
		}
		p.next = uint64(b.n)
		a, err := newAppender(b.path("appended"))
		if err != nil {
			return errors.Join(err, p.db.Close())
		}
		err = b.saves(ctx, m, p, a)
		return errors.Join(err, copyFolder(b.main(), b.path("crashed")), p.db.Close(), a.f.Close())
	})
}

func (b *bench) saves(ctx context.Context, m *contextforge.Memory, p *bare, a *appender) error {
	series, err := measure.Rounds(b.Rounds, func(int) ([]measure.Times, error) {
		list := make([]contextforge.Item, min(savesPerRound, b.n))
		for i := range list {
			list[i] = b.fresh()
		}
		return measure.InTurn(len(list),
			func(i int) error {
				_, err := m.Save(ctx, list[i].Content, list[i].Kind, list[i].SaveOptions)
				return err
			},
			func(i int) error { return p.save(list[i].Content) },
			func(i int) error { return a.save(list[i].Content) })
	})
	if err != nil {
		return err
	}
	b.table.Add(measure.Timed("save", "durable save of one entry", series[0], "bare Pebble, synced put of the text", series[1], "≤ 1.3×; .22/.5"))
	b.table.Add(measure.Timed("save.append", "durable save of one entry", series[0], "append + fsync", series[2], ""))
	return nil
}

// remove measures deletions in turn with saves.
func (b *bench) remove(ctx context.Context) error {
	return b.with(ctx, func(m *contextforge.Memory) error {
		perRound := min(savesPerRound, len(b.ids)/(4*b.Rounds))
		series, err := measure.Rounds(b.Rounds, func(int) ([]measure.Times, error) {
			return measure.InTurn(perRound,
				func(int) error { return b.deleteOne(ctx, m) },
				func(int) error { return b.saveOne(ctx, m) })
		})
		if err != nil {
			return err
		}
		b.table.Add(measure.Timed("delete", "delete of one entry", series[0], "durable save", series[1], "≤ 2×"))
		return nil
	})
}

func (b *bench) saveOne(ctx context.Context, m *contextforge.Memory) error {
	it := b.fresh()
	_, err := m.Save(ctx, it.Content, it.Kind, it.SaveOptions)
	return err
}

// deleteOne deletes a random one of the entries that were ingested.
func (b *bench) deleteOne(ctx context.Context, m *contextforge.Memory) error {
	at := b.random.IntN(len(b.ids))
	id := b.ids[at]
	b.ids[at] = b.ids[len(b.ids)-1]
	b.ids = b.ids[:len(b.ids)-1]
	_, err := m.Delete(ctx, id)
	return err
}

// concurrent compares many savers with one, in turn, and with as many savers
// into the bare Pebble.
func (b *bench) concurrent(ctx context.Context) error {
	return b.with(ctx, func(m *contextforge.Memory) error {
		p, err := newBare(b.path("concurrent-bare"))
		if err != nil {
			return err
		}
		err = b.compareSavers(ctx, m, p)
		return errors.Join(err, p.db.Close())
	})
}

func (b *bench) compareSavers(ctx context.Context, m *contextforge.Memory, p *bare) error {
	var one, many, floor, gain, perSync []float64
	for range b.Rounds {
		single, _, err := b.saversRate(ctx, m, 1)
		if err != nil {
			return err
		}
		before, err := m.Stats(ctx)
		if err != nil {
			return err
		}
		all, saved, err := b.saversRate(ctx, m, savers)
		if err != nil {
			return err
		}
		after, err := m.Stats(ctx)
		if err != nil {
			return err
		}
		raw, err := b.bareRate(p)
		if err != nil {
			return err
		}
		one, many, floor = append(one, single), append(many, all), append(floor, raw)
		gain = append(gain, all/single)
		perSync = append(perSync, float64(saved)/float64(max(1, after.Syncs-before.Syncs)))
	}
	b.table.Add(measure.Row{
		Key: "concurrent", What: fmt.Sprintf("durable saves, %d savers at once", savers), Unit: "saves/s", P50: measure.Median(many),
		Beside: "one saver", B50: measure.Median(one), Ratio: measure.Median(gain), Target: "≥ 8× where fsync is the cost",
	})
	b.table.Add(measure.Row{
		Key: "concurrent.bare", What: fmt.Sprintf("durable saves, %d savers at once", savers), Unit: "saves/s", P50: measure.Median(many),
		Beside: "bare Pebble, as many savers", B50: measure.Median(floor), Ratio: measure.Median(many) / measure.Median(floor),
	})
	b.table.Add(measure.Row{Key: "concurrent.syncs", What: "saves that share a sync", Unit: "saves/sync", P50: measure.Median(perSync)})
	return nil
}

// saversRate lets n goroutines save for a while.
func (b *bench) saversRate(ctx context.Context, m *contextforge.Memory, n int) (rate float64, saved int, err error) {
	list := make([][]contextforge.Item, n)
	for g := range list {
		list[g] = items(b.corpus, b.next, b.next+512)
		b.next += 512
	}
	return hammer(n, b.hold, func(g, i int) error {
		it := list[g][i%len(list[g])]
		_, err := m.Save(ctx, it.Content, it.Kind, it.SaveOptions)
		return err
	})
}

func (b *bench) bareRate(p *bare) (float64, error) {
	var mu sync.Mutex
	text := b.corpus.Entry(0).Content
	rate, _, err := hammer(savers, b.hold, func(int, int) error {
		mu.Lock()
		key := p.key()
		mu.Unlock()
		return p.put(key, text)
	})
	return rate, err
}

// hammer calls work from n goroutines for a while and returns the calls per
// second and their number.
func hammer(n int, hold time.Duration, work func(g, i int) error) (rate float64, calls int, err error) {
	var wg sync.WaitGroup
	counts, errs := make([]int, n), make([]error, n)
	start := time.Now()
	for g := range n {
		wg.Go(func() {
			for errs[g] == nil && time.Since(start) < hold {
				errs[g] = work(g, counts[g])
				counts[g]++
			}
		})
	}
	wg.Wait()
	took := time.Since(start)
	for _, c := range counts {
		calls += c
	}
	return float64(calls) / took.Seconds(), calls, errors.Join(errs...)
}
