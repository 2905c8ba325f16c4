//go:build !js && !wasip1 && !solaris && !aix && !plan9

package store

// Power loss at any moment: what the disk holds at a random change of a random
// operation is opened as after a crash. Everything acknowledged must be there
// exactly, the operation under way wholly or not at all, and a search must
// equal a scan.

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/contextforge-go/contextforge/internal/faultfs"
	"github.com/contextforge-go/contextforge/kv/pebblekv"
)

// crashes copies a crashable file system at random changes, as a power loss at
// that moment would leave it.
type crashes struct {
	mu     sync.Mutex
	rng    *rand.Rand
	mem    *vfs.MemFS
	every  int // mean number of changes between two copies
	left   int
	taken  []*crash
	moment func(*crash) // called before each copy
}

type crash struct {
	fs      *vfs.MemFS
	percent int // of what was not synced that is there
	op      faultfs.Op
	acked   map[string]bool
}

func newCrashes(mem *vfs.MemFS, seed uint64, every int) *crashes {
	c := &crashes{rng: rand.New(rand.NewPCG(seed, 99)), mem: mem, every: every}
	c.left = 1 + c.rng.IntN(every)
	return c
}

func (c *crashes) fs() vfs.FS { return faultfs.Wrap(c.mem, c.before) }

func (c *crashes) before(op faultfs.Op) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left--; c.left > 0 {
		return nil
	}
	c.left = 1 + c.rng.IntN(2*c.every)
	at := &crash{op: op, percent: []int{0, 50, 100}[c.rng.IntN(3)]}
	if c.moment != nil {
		c.moment(at)
	}
	at.fs = c.mem.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: at.percent, RNG: rand.New(rand.NewPCG(c.rng.Uint64(), 1))})
	c.taken = append(c.taken, at)
	return nil
}

// take returns the copies made since the last call.
func (c *crashes) take() []*crash {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := c.taken
	c.taken = nil
	return out
}

// recovered is the store found in a crashed file system.
func (m *model) recovered(at *crash) (*model, *pebblekv.Store) {
	m.t.Helper()
	pairs, err := pebblekv.Open(crashDir, pebblekv.Options{FS: at.fs})
	if err != nil {
		m.t.Fatalf("after a crash before %v (%d %%): %v", at.op, at.percent, err)
	}
	r := &model{t: m.t, rng: rand.New(rand.NewPCG(m.rng.Uint64(), 3)), pairs: pairs, opts: m.opts, now: m.now}
	r.opts.KV, r.opts.Now, r.opts.Manual = keep{pairs}, func() time.Time { return r.now }, true
	return r, pairs
}

// holds reports whether the store has exactly the entries of a truth, those
// that have expired included, with just their vectors and places in the queue.
func (m *model) holds(t truth) bool {
	m.t.Helper()
	n := 0
	same := true
	for rec, err := range recordsFrom(m.pairs, 0) {
		m.check(err)
		n++
		e := t.entries[rec.ID]
		same = same && e != nil && equalRecords(&rec.Record, &e.Record) && m.holdsVectors(rec.num, e)
	}
	return same && n == len(t.entries) && maps.EqualFunc(m.versions(), t.history, slices.Equal)
}

// versions returns the contents in every history.
func (m *model) versions() map[string][]string {
	out := map[string][]string{}
	m.check(scan(m.pairs, []byte{famHistory}, func(_, value []byte) (bool, error) {
		rec, err := decodeRecord(0, value)
		if err == nil {
			out[rec.ID] = append(out[rec.ID], rec.Content)
		}
		return true, err
	}))
	return out
}

// expectOneOf opens the store of a crash, which must hold one of the states,
// wholly, and go on working.
func (m *model) expectOneOf(at *crash, states ...truth) {
	m.t.Helper()
	r, pairs := m.recovered(at)
	if cut, err := has(pairs, rebuildKey()); err != nil || cut { // the vectors can't be read until it is repeated
		r.check(err)
		s, err := Open(context.Background(), r.opts)
		r.check(err)
		r.check(s.Close())
	}
	i := slices.IndexFunc(states, r.holds)
	if i < 0 {
		m.t.Fatalf("after a crash before %v (%d %%) the store holds neither what was acknowledged nor what was under way", at.op, at.percent)
	}
	r.entries, r.history = states[i].entries, states[i].history
	r.reopened()
	r.compare()
	r.check(r.s.Verify(context.Background()))
	r.goesOn()
	r.check(r.s.Close())
	r.check(pairs.Close())
}

// goesOn saves and finds one more entry.
func (m *model) goesOn() {
	m.t.Helper()
	ctx := context.Background()
	m.check(m.s.Save(ctx, drafts(Record{ID: "after", Content: "aftermath alpha", Timestamp: m.now, TokenCount: 1})))
	v, err := m.s.SearchView(ctx)
	m.check(err)
	hits, err := v.Search(ctx, "aftermath", Filter{AsOf: TimeOf(m.now)}, -1)
	if err != nil || len(hits) != 1 || hits[0].ID != "after" {
		m.t.Fatalf("a save after the recovery is found as %v, %v", hits, err)
	}
	m.check(v.Close())
}

func TestPowerLossAtAnyChange(t *testing.T) {
	seeds, steps := 4, 100
	if testing.Short() {
		seeds, steps = 2, 60
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			mem := vfs.NewCrashableMem()
			c := newCrashes(mem, uint64(seed), 12)
			disk := openOnDisk(t, c.fs(), seed%2 == 1)
			m := newModelOn(t, uint64(300+seed), disk, nil)
			tested := m.survive(c.take(), truth{})
			for range steps {
				before := m.truth()
				m.step()
				tested += m.survive(c.take(), before)
			}
			m.close()
			m.check(disk.Store.Close())
			tested += m.survive(c.take(), m.truth())
			if tested < steps/4 {
				t.Errorf("only %d crashes were tested", tested)
			}
		})
	}
}

// survive tests some of the crashes that happened during one operation.
func (m *model) survive(list []*crash, before truth) int {
	m.t.Helper()
	const most = 3
	m.rng2().Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	list = list[:min(most, len(list))]
	for i, at := range list {
		if i == 0 {
			m.crashAgain(at, before, m.truth())
		}
		m.expectOneOf(at, before, m.truth())
	}
	return len(list)
}

// crashAgain crashes while the store is recovering from a crash.
func (m *model) crashAgain(first *crash, states ...truth) {
	m.t.Helper()
	again := newCrashes(first.fs.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: 100, RNG: m.rng2()}), uint64(m.order), 10)
	pairs, err := pebblekv.Open(crashDir, pebblekv.Options{FS: again.fs()})
	m.check(err)
	o := m.opts
	o.KV = pairs
	s, err := Open(context.Background(), o)
	m.check(err)
	m.check(s.Close())
	for _, at := range again.take() {
		m.expectOneOf(at, states...)
	}
}
