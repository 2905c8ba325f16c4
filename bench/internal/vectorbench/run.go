//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package vectorbench

// This file decides what is measured, and in which order.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/contextforge-go/contextforge/bench/internal/measure"
	"github.com/contextforge-go/contextforge/internal/simd"
	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/pebblekv"
	"github.com/contextforge-go/contextforge/vecindex"
)

// Options say what to measure.
type Options struct {
	Sizes    []int // numbers of vectors
	Dim      int
	Threads  []int
	Scopes   int // equally big ones
	Top      int // vectors to find
	Rounds   int
	Slot     time.Duration // the turn of a search in a round
	Dir      string        // where the folders are made; "" is the system's place for temporary files
	Peers    []string      // of Peers()
	Python   string        // the program that runs the peers
	Progress io.Writer     // a line for each step
}

const (
	seed = 20
	// questions is how many there are to ask.
	questions = 500
	// checked is the number of questions whose answers are compared.
	checked = 4
	// leastCalls and mostCalls bound a turn.
	leastCalls, mostCalls = 3, 400
)

// Run measures everything that the options name.
func Run(ctx context.Context, o Options) (*Report, error) {
	kernels, err := simd.Select("")
	if err != nil {
		return nil, err
	}
	r := &Report{
		Title: "Exact nearest neighbours", Machine: measure.ThisMachine(), Clock: measure.ProcessorClock, Kernels: kernels.Name(),
		Dim: o.Dim, Top: o.Top, Scopes: o.Scopes, Rounds: o.Rounds,
	}
	for _, n := range o.Sizes {
		if err := measureSize(ctx, o, n, r); err != nil {
			return nil, fmt.Errorf("%d vectors: %w", n, err)
		}
	}
	return r, nil
}

// bench is the measurement of one size.
type bench struct {
	Options
	source  *Source
	dir     string // holds all files
	report  *Report
	size    Size
	queries [][]float32
	exact   [][]scored // answers to the questions that are checked
}

func measureSize(ctx context.Context, o Options, n int, r *Report) (err error) {
	dir, err := os.MkdirTemp(o.Dir, "contextforge-vectors-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	b := &bench{Options: o, source: NewSource(seed, n, o.Dim, o.Scopes), dir: dir, report: r, size: Size{Vectors: n}}
	for j := range questions {
		b.queries = append(b.queries, b.source.Query(j))
	}
	for _, step := range []struct {
		name string
		run  func(context.Context) error
	}{{"adding", b.build}, {"first searches", b.first}, {"searches", b.searches}} {
		start := time.Now()
		if err := step.run(ctx); err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
		fmt.Fprintf(o.Progress, "%d vectors, %s: %.1f s\n", n, step.name, time.Since(start).Seconds())
	}
	r.Sizes = append(r.Sizes, b.size)
	return nil
}

func (b *bench) storeDir() string { return filepath.Join(b.dir, "store") }

func (b *bench) build(ctx context.Context) error {
	took, err := build(ctx, b.storeDir(), b.source)
	if err != nil {
		return err
	}
	b.size.Added = float64(b.size.Vectors) / took.Seconds()
	b.size.Disk, err = folderBytes(b.storeDir())
	return err
}

// first measures the first search after opening.
func (b *bench) first(ctx context.Context) error {
	for _, threads := range b.Threads {
		var opening, searching measure.Times
		for j := range b.Rounds {
			o, s, err := firstSearch(ctx, b.storeDir(), threads, b.queries[j%questions], b.Top)
			if err != nil {
				return err
			}
			opening, searching = append(opening, o), append(searching, s)
		}
		b.size.First = append(b.size.First, First{threads, ms(opening.At(50)), ms(searching.At(50))})
	}
	return nil
}

// searches measures every kind of search beside the peers.
func (b *bench) searches(ctx context.Context) (err error) {
	store, err := pebblekv.Open(b.storeDir(), pebblekv.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	states, err := b.open(store)
	defer func() {
		for _, s := range states {
			err = errors.Join(err, s.close())
		}
	}()
	if err != nil {
		return err
	}
	if err := b.check(ctx, states); err != nil {
		return err
	}
	b.size.Resident = states[0].view.Stats().Resident
	list := b.own(states)
	peers, err := b.peers(ctx)
	defer func() {
		for _, p := range peers {
			err = errors.Join(err, p.close())
		}
	}()
	if err != nil {
		return err
	}
	for _, p := range peers {
		list = append(list, b.beside(p))
	}
	return b.rounds(ctx, list)
}

// open opens the index once for each number of threads, and at last once with
// nothing held in memory.
func (b *bench) open(store kv.Store) (states []*opened, err error) {
	for _, threads := range b.Threads {
		o, err := open(store, options(threads, -1))
		if err != nil {
			return states, err
		}
		states = append(states, o)
	}
	o, err := open(store, options(1, 1))
	if err != nil {
		return states, err
	}
	return append(states, o), nil
}

// check compares answers, of all vectors and of a scope, with those of a scan in
// float64. That also brings the codes into memory.
func (b *bench) check(ctx context.Context, states []*opened) error {
	var some []int
	for j := range checked {
		some = append(some, j)
	}
	scope := b.source.Scope(0)
	b.exact = nearest(b.source, some, "", b.Top)
	inScope := nearest(b.source, some, scope, b.Top)
	for j, q := range b.queries[:checked] {
		for _, o := range states {
			hits, err := o.search(ctx, q, vecindex.Filter{}, b.Top)
			if err == nil {
				err = compare(hits, b.exact[j])
			}
			if err != nil {
				return fmt.Errorf("question %d: %w", j, err)
			}
			hits, err = o.search(ctx, q, vecindex.Filter{Scope: &scope}, b.Top)
			if err == nil {
				err = compare(hits, inScope[j])
			}
			if err != nil {
				return fmt.Errorf("question %d in %s: %w", j, scope, err)
			}
		}
	}
	b.size.cosines(b.exact)
	return nil
}

// search is a kind of search with its times.
type search struct {
	Timing
	call func(ctx context.Context, j int) error
	peer *process
	wall measure.Series
	cpu  measure.Series
}

// own lists our kinds of search.
func (b *bench) own(states []*opened) (list []*search) {
	scope, above := b.source.Scope(0), float32(2)
	kind := func(what string, o *opened, threads int, f vecindex.Filter, again bool) {
		list = append(list, &search{Timing: Timing{What: what, Engine: ownName, Threads: threads}, call: func(ctx context.Context, j int) error {
			if again {
				j = 0
			}
			_, err := o.search(ctx, b.queries[j%questions], f, b.Top)
			return err
		}})
	}
	for i, threads := range b.Threads {
		o := states[i]
		kind(WhatAll, o, threads, vecindex.Filter{}, false)
		kind(WhatAgain, o, threads, vecindex.Filter{}, true)
		kind(WhatScan, o, threads, vecindex.Filter{MinScore: &above}, false)
		kind(WhatScope, o, threads, vecindex.Filter{Scope: &scope}, false)
		kind(WhatScopeAgain, o, threads, vecindex.Filter{Scope: &scope}, true)
	}
	kind(WhatStream, states[len(states)-1], 1, vecindex.Filter{}, false)
	return list
}

// peers starts those that are installed.
func (b *bench) peers(ctx context.Context) (list []*process, err error) {
	if len(b.Peers) == 0 {
		return nil, nil
	}
	vectors, asked := filepath.Join(b.dir, "vectors.f32"), filepath.Join(b.dir, "queries.f32")
	if err := errors.Join(b.source.write(vectors, 0, b.size.Vectors), b.source.write(asked, b.size.Vectors, questions)); err != nil {
		return nil, err
	}
	for _, name := range b.Peers {
		p, err := startPeer(ctx, b.Python, name, vectors, asked, b.Dim, b.Top)
		switch {
		case errors.Is(err, errMissing):
			b.report.about(name, err.Error())
			continue
		case err != nil:
			return list, err
		}
		list = append(list, p)
		b.report.about(name, p.version)
		if err := b.agreement(p); err != nil {
			return list, err
		}
	}
	return list, nil
}

// agreement counts how many of the right vectors a peer finds.
func (b *bench) agreement(p *process) error {
	a := Agreement{Engine: p.name}
	for j, best := range b.exact {
		r, err := p.ask(j, 0, 1)
		if err != nil {
			return err
		}
		for _, s := range best {
			if a.Of++; slices.Contains(r.Found, s.num) {
				a.Found++
			}
		}
	}
	b.size.Agreements = append(b.size.Agreements, a)
	return nil
}

func (b *bench) beside(p *process) *search {
	return &search{Timing: Timing{What: WhatAll, Engine: p.name, Threads: 1}, peer: p}
}

// rounds gives every search its turns, the order turned by one each round.
func (b *bench) rounds(ctx context.Context, list []*search) error {
	for round := range b.Rounds {
		for k := range list {
			s := list[(k+round)%len(list)]
			wall, cpu, err := b.turn(ctx, s, 1+round*mostCalls)
			if err != nil {
				return err
			}
			s.wall, s.cpu = append(s.wall, wall), append(s.cpu, cpu)
		}
	}
	for _, s := range list {
		s.CPU, s.P50, s.P99 = ms(s.cpu.At(50)), ms(s.wall.At(50)), ms(s.wall.At(99))
		for _, p := range list {
			if p.peer != nil && s.peer == nil && s.What == WhatAll {
				s.Ratios = append(s.Ratios, Ratio{p.Engine, ratio(s, p)})
			}
		}
		b.size.Timings = append(b.size.Timings, s.Timing)
	}
	return nil
}

// ratio compares a search with a peer's: processor time with one thread, wall time
// with more.
func ratio(s, p *search) float64 {
	if s.Threads > 1 {
		return s.wall.Ratio(p.wall, 50)
	}
	return s.cpu.Ratio(p.cpu, 50)
}

// turn times a search with the questions from j on.
func (b *bench) turn(ctx context.Context, s *search, j int) (wall, cpu measure.Times, err error) {
	if s.peer != nil {
		r, err := s.peer.ask(j, b.Slot, mostCalls)
		return r.Wall, r.CPU, err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	clock := measure.ThreadTime
	if s.Threads > 1 {
		clock = measure.ProcessTime
	}
	for spent := time.Duration(0); len(wall) < leastCalls || spent < b.Slot && len(wall) < mostCalls; j++ {
		busy := clock()
		took, err := measure.Clock(func() error { return s.call(ctx, j) })
		if err != nil {
			return nil, nil, err
		}
		wall, cpu = append(wall, took), append(cpu, clock()-busy)
		spent += took
	}
	return wall, cpu, nil
}

func ms(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }
