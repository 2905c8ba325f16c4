package embedbench

// This file decides what is measured, in which order, and what is left out.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/contextforge-go/contextforge/bench/internal/measure"
	"github.com/contextforge-go/contextforge/internal/simd"
)

// Options say what to measure.
type Options struct {
	Source  Source
	Kernels []string // implementations of the loops, fastest first; all of this machine when empty
	Tokens  []int    // of a text, ascending
	Batches []int    // texts in a call, ascending
	Threads []int
	Rounds  int
	Slot    time.Duration // an engine's turn in a round
	Slowest time.Duration // cells whose calls are expected to take longer are left out
	Peers   []Peer
	Python  string // the program that runs the peers
	// Resident measures the memory of a process of its own (MeasureMemory); nil leaves
	// that out.
	Resident func(context.Context) (Memory, error)
	Progress io.Writer // a line for each step
}

// Kernels returns the names of the implementations that this machine can run,
// fastest first.
func Kernels() []string {
	list := simd.Available()
	slices.Reverse(list)
	return list
}

// mostCalls bounds an engine's turn.
const mostCalls = 200

// contender is an engine with its times.
type contender struct {
	name   string
	own    bool
	engine engine
	rest   time.Duration // to wait for after its turn
	rate   time.Duration // wall time of a token in the cell before; 0 when none was measured
	out    bool          // of the present cell
	wall   measure.Series
	cpu    measure.Series
}

// bench is one run.
type bench struct {
	Options
	report *Report
	tok    encode
}

// Run measures everything that the options name.
func Run(ctx context.Context, o Options) (*Report, error) {
	if len(o.Kernels) == 0 {
		o.Kernels = Kernels()
	}
	m, err := o.Source.load(o.Kernels[0], 1)
	if err != nil {
		return nil, err
	}
	for _, tokens := range o.Tokens { // before anything is measured
		if tokens < frame || tokens > m.MaxTokens() {
			return nil, fmt.Errorf("a text of %d tokens: the model takes %d to %d", tokens, frame, m.MaxTokens())
		}
	}
	b := &bench{Options: o, tok: m.Tokenize, report: &Report{
		Title: "Embedding", Machine: measure.ThisMachine(), Clock: measure.ProcessorClock,
		Model: o.Source.Name(), Rounds: o.Rounds, LeftOut: o.Slowest.Seconds(),
	}}
	for _, step := range []struct {
		name string
		run  func(context.Context) error
	}{
		{"loading", b.load}, {"memory", b.memory}, {"tokenizing", b.tokenize}, {"accuracy", b.accuracy}, {"speed", b.speed},
	} {
		start := time.Now()
		if err := step.run(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", step.name, err)
		}
		fmt.Fprintf(o.Progress, "%s took %.1f s\n", step.name, time.Since(start).Seconds())
	}
	return b.report, nil
}

// contenders starts every engine with so many threads. The last one is our
// tokenizer alone.
func (b *bench) contenders(ctx context.Context, threads int) (list []*contender, err error) {
	for _, kernels := range b.Kernels {
		m, err := b.Source.load(kernels, threads)
		if err != nil {
			return nil, err
		}
		list = append(list, &contender{name: kernels, own: true, engine: &own{m, threads}})
	}
	for _, p := range b.Peers {
		c, err := startPeer(ctx, b.Python, p, threads)
		if errors.Is(err, errMissing) {
			b.report.missing(p.Name, err)
			continue
		}
		if err != nil {
			return list, errors.Join(err, closeAll(list))
		}
		b.report.version(p.Name, p.Engine+" "+c.version)
		list = append(list, &contender{name: p.Name, engine: c, rest: rest(threads)})
	}
	return append(list, &contender{name: tokenizing, engine: tokenizer{list[0].engine.(*own).model}}), nil
}

// rest returns how long the threads of another engine are waited for: they look
// out for more work a while before they sleep, at the cost of whoever is next.
func rest(threads int) time.Duration {
	if threads > 1 {
		return 20 * time.Millisecond
	}
	return 0
}

// tokenizing is the name of the contender that only tokenises.
const tokenizing = "tokenizer"

func closeAll(list []*contender) (err error) {
	for _, c := range list {
		err = errors.Join(err, c.engine.close())
	}
	return err
}

// speed measures all cells, with one number of threads after the other, so that
// only the engines that are measured exist.
func (b *bench) speed(ctx context.Context) error {
	for _, threads := range b.Threads {
		list, err := b.contenders(ctx, threads)
		if err != nil {
			return err
		}
		err = b.cells(ctx, threads, list)
		if err := errors.Join(err, closeAll(list)); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) cells(ctx context.Context, threads int, list []*contender) error {
	for _, batch := range b.Batches {
		for _, tokens := range b.Tokens {
			if err := b.cell(ctx, list, batch, tokens); err != nil {
				return fmt.Errorf("%d texts of %d tokens: %w", batch, tokens, err)
			}
			b.report.add(threads, batch, tokens, list)
			fmt.Fprintf(b.Progress, "%d threads, %d texts of %d tokens\n", threads, batch, tokens)
		}
	}
	return nil
}

// cell lets every engine embed the same texts, round by round, beginning with
// another engine each time.
func (b *bench) cell(ctx context.Context, list []*contender, batch, tokens int) error {
	all, err := samples(batch, tokens, b.tok)
	if err != nil {
		return err
	}
	for _, c := range list {
		c.wall, c.cpu = nil, nil
		c.out = c.rate*time.Duration(batch*tokens) > b.Slowest
		if c.out {
			continue
		}
		// The first call is nobody's figure: it fills caches and buffers.
		t, err := c.engine.time(ctx, all[0], 0, 1)
		if err != nil {
			return err
		}
		c.rate = t.wall.At(50) / time.Duration(batch*tokens)
	}
	for r := range b.Rounds {
		if err := b.round(ctx, list, r, all[r%len(all)]); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) round(ctx context.Context, list []*contender, r int, s sample) error {
	for k := range list {
		c := list[(r+k)%len(list)]
		if c.out {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		t, err := c.engine.time(ctx, s, b.Slot, mostCalls)
		if err != nil {
			return err
		}
		c.wall, c.cpu = append(c.wall, t.wall), append(c.cpu, t.cpu)
		time.Sleep(c.rest)
	}
	return nil
}

// accuracy compares the built-in model's vectors, and those of other engines with
// the same model, with those of the unrounded weights.
func (b *bench) accuracy(ctx context.Context) (err error) {
	path := b.Source.reference()
	if path == "" {
		return nil
	}
	list, err := b.contenders(ctx, 1)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeAll(list)) }()
	recordings, err := readRecorded(path, list[0].engine.(*own).model.Dimension())
	if err != nil {
		return err
	}
	s := sample{texts: pick(recordings, func(r recorded) string { return r.Text })}
	s.ids = pick(s.texts, func(text string) []int32 { return b.tok(text) })
	want := pick(recordings, func(r recorded) []float32 { return r.Embedding })
	for i, c := range list {
		// The other implementations have the same bits.
		if c.own && i > 0 || c.name == tokenizing {
			continue
		}
		vectors, err := c.engine.embed(ctx, s)
		if err != nil {
			return err
		}
		b.report.Accuracy = append(b.report.Accuracy, Accuracy{Engine: c.name, Agreement: agreement(vectors, want)})
	}
	return nil
}

// load times making the model.
func (b *bench) load(ctx context.Context) error {
	const calls = 7
	for _, kernels := range b.Kernels {
		t, err := repeat(1, time.Minute, calls, func() error {
			_, err := b.Source.load(kernels, 1)
			return errors.Join(err, ctx.Err())
		})
		if err != nil {
			return err
		}
		b.report.Loading = append(b.report.Loading, Loading{Kernels: kernels, CPU: ms(t.cpu.At(50)), Wall: ms(t.wall.At(50))})
	}
	return nil
}

// tokenize times the conversation's turns as far as they are read to the end.
func (b *bench) tokenize(ctx context.Context) error {
	texts, err := turns()
	if err != nil {
		return err
	}
	limit := len(b.tok(fmt.Sprint(texts)))
	texts = slices.DeleteFunc(texts, func(text string) bool { return len(b.tok(text)) >= limit })
	var bytes, tokens int
	for _, text := range texts {
		bytes, tokens = bytes+len(text), tokens+len(b.tok(text))
	}
	t, err := repeat(1, b.Slot*time.Duration(b.Rounds), mostCalls, func() error {
		for _, text := range texts {
			b.tok(text)
		}
		return ctx.Err()
	})
	b.report.Tokenizing = Tokenizing{
		Texts: len(texts), Bytes: bytes, Tokens: tokens, MBPerSecond: float64(bytes) / 1000 / ms(t.cpu.At(50)),
	}
	return err
}

func (b *bench) memory(ctx context.Context) error {
	if b.Resident == nil {
		return nil
	}
	m, err := b.Resident(ctx)
	b.report.Memory = &m
	return err
}

func ms(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }
