//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package storebench

// This file decides what is measured at each size, and in which order: first
// what reads, since it leaves the number of entries alone.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strconv"
	"time"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/bench/internal/corpus"
	"github.com/contextforge-go/contextforge/bench/internal/measure"
)

// Options say what to measure.
type Options struct {
	Entries     []int     // sizes
	Rounds      int       // per figure; the median counts
	Dir         string    // where the folders are made; "" is the system's place for temporary files
	SmallDevice bool      // open with Config.SmallDevice
	Only        []string  // groups to measure; all when empty
	CPUProfile  string    // prefix of profile files, one for each size and group; "" for none
	Progress    io.Writer // a line for each step
	// Resident measures the memory of a process of its own that ingests and
	// queries; nil leaves that out.
	Resident func(ctx context.Context, entries int, dir string, small bool) (Memory, error)

	hold time.Duration // how long each side of concurrent savers runs
}

const (
	// Seed is that of the texts and questions.
	Seed      = 20260101
	batchSize = 5000
	queries   = 1000 // of a kind, or as many as there are entries
	// gridLimit is the largest size at which ingestion is repeated with other
	// batch sizes and processor counts.
	gridLimit = 200_000
)

// group is a set of figures that are measured together.
type group struct {
	name string
	run  func(*bench, context.Context) error
}

// groups in the order in which they run.
func groups() []group {
	return []group{
		{"ingest", (*bench).ingest}, {"disk", (*bench).disk}, {"open", (*bench).reopen}, {"query", (*bench).query}, {"list", (*bench).list},
		{"save", (*bench).save}, {"crash", (*bench).crash}, {"delete", (*bench).remove}, {"concurrent", (*bench).concurrent},
		{"memory", (*bench).memory},
	}
}

// Groups returns the names that Options.Only understands.
func Groups() []string {
	var names []string
	for _, g := range groups() {
		names = append(names, g.name)
	}
	return names
}

// bench is the measurement of one size.
type bench struct {
	Options
	n      int
	dir    string // holds everything of this size
	corpus *corpus.Corpus
	table  *measure.Table
	next   int      // next entry of the corpus that is not saved yet
	ids    []string // of what was ingested and not deleted
	random *rand.Rand
}

// Run measures all sizes, and at the end how opening and saving grow from the
// first to the last.
func Run(ctx context.Context, o Options) (_ *measure.Report, err error) {
	for _, name := range o.Only {
		if !slices.Contains(Groups(), name) {
			return nil, fmt.Errorf("no group %q; there are %v", name, Groups())
		}
	}
	if o.hold == 0 {
		o.hold = time.Second
	}
	dir, err := os.MkdirTemp(o.Dir, "contextforge-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	r := &measure.Report{Title: "Store and text search", Machine: measure.ThisMachine(), Notes: notes(o)}
	c := corpus.New(Seed)
	var all []*bench
	for _, n := range o.Entries {
		b := &bench{
			Options: o, n: n, dir: filepath.Join(dir, strconv.Itoa(n)), corpus: c, random: rand.New(rand.NewPCG(Seed, uint64(n))),
			table: &measure.Table{Title: fmt.Sprintf("%d entries", n), Entries: n},
		}
		if err := b.measure(ctx); err != nil {
			return nil, fmt.Errorf("%d entries: %w", n, err)
		}
		all = append(all, b)
		r.Tables = append(r.Tables, b.table)
	}
	if err := growth(ctx, r, all); err != nil {
		return nil, fmt.Errorf("growth: %w", err)
	}
	return r, nil
}

func notes(o Options) []string {
	device := "default options"
	if o.SmallDevice {
		device = "small-device options"
	}
	return []string{
		fmt.Sprintf("%s; median of %d rounds; times in ms; a ratio compares the p50 with what stands beside, interleaved in the same run", device, o.Rounds),
		"entries of 10-80 words, 45 on average, Zipf-Mandelbrot vocabulary of 50,000, 50 scopes, 30 s apart; scrubbing and token counting on",
		"queries of 2-8 words, top 50: drawn like the texts, which makes most words common ones; from text: consecutive words of a random entry; content words: those without the 100 commonest, as analyzers drop function words from questions. SQLite FTS5 is the yardstick for how heavy they are: see scripts/bench-peers",
		"CPU is the processor time of the whole process per operation, background included; it is steadier than the times where other programs run",
		"open: in-process, so the files are in the page cache; bare Pebble opens the same folder with its own defaults",
	}
}

// measure runs the groups and leaves nothing but the shared store.
func (b *bench) measure(ctx context.Context) error {
	if err := os.Mkdir(b.dir, 0o700); err != nil {
		return err
	}
	for _, g := range groups() {
		wanted := b.wants(g.name)
		if !wanted && g.name != "ingest" { // nothing works on an empty store
			continue
		}
		if err := b.profiled(g.name, wanted, func() error { return g.run(b, ctx) }); err != nil {
			return fmt.Errorf("%s: %w", g.name, err)
		}
	}
	left, err := os.ReadDir(b.dir)
	for _, e := range left {
		if path := b.path(e.Name()); path != b.main() {
			err = errors.Join(err, os.RemoveAll(path))
		}
	}
	return err
}

func (o *Options) wants(name string) bool { return len(o.Only) == 0 || slices.Contains(o.Only, name) }

func (b *bench) profiled(name string, wanted bool, run func() error) (err error) {
	start := time.Now()
	defer func() {
		fmt.Fprintf(b.Progress, "%d entries: %s took %.1f s\n", b.n, name, time.Since(start).Seconds())
	}()
	if b.CPUProfile == "" || !wanted {
		return run()
	}
	f, err := os.Create(fmt.Sprintf("%s.%d.%s.pprof", b.CPUProfile, b.n, name))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := pprof.StartCPUProfile(f); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	return run()
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

// main is the folder of the store that the groups share.
func (b *bench) main() string { return b.path("store") }

func (b *bench) open(ctx context.Context, dir string) (*contextforge.Memory, error) {
	return contextforge.Open(ctx, config(dir, b.SmallDevice))
}

func config(dir string, small bool) contextforge.Config {
	return contextforge.Config{Path: dir, SmallDevice: small, MaxEntries: contextforge.Unlimited}
}

// with opens the shared store for one piece of work.
func (b *bench) with(ctx context.Context, work func(*contextforge.Memory) error) error {
	m, err := b.open(ctx, b.main())
	if err != nil {
		return err
	}
	return errors.Join(work(m), m.Close())
}

func item(e corpus.Entry) contextforge.Item {
	return contextforge.Item{
		Content: e.Content, Kind: contextforge.KindSnapshot,
		SaveOptions: contextforge.SaveOptions{Scope: e.Scope, Timestamp: e.Time},
	}
}

// items returns the entries from up to, but not including, to.
func items(c *corpus.Corpus, from, to int) []contextforge.Item {
	out := make([]contextforge.Item, 0, to-from)
	for i := from; i < to; i++ {
		out = append(out, item(c.Entry(i)))
	}
	return out
}

// fresh returns an entry that was not saved yet.
func (b *bench) fresh() contextforge.Item {
	b.next++
	return item(b.corpus.Entry(b.next - 1))
}

// settle waits until the store has nothing left to do in the background, seen
// from its figures standing still, and returns how long that took.
func settle(ctx context.Context, m *contextforge.Memory) (time.Duration, error) {
	const pause, enough = 50 * time.Millisecond, 10
	start, moved := time.Now(), time.Now()
	var last contextforge.Stats
	for still := 0; still < enough; still++ {
		st, err := m.Stats(ctx)
		if err := errors.Join(err, ctx.Err()); err != nil {
			return 0, err
		}
		if st.IndexSegments != last.IndexSegments || st.IndexTail != last.IndexTail || st.DiskBytes != last.DiskBytes {
			still, moved = 0, time.Now()
		}
		last = st
		time.Sleep(pause)
	}
	return moved.Sub(start), nil
}
