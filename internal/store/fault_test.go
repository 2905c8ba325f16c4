//go:build !js && !wasip1 && !solaris && !aix && !plan9

package store

// Case P12 and its kin: a disk that refuses any one change, or all from one on,
// of a life with every kind of operation. Nothing panics, the operation returns
// a clear error, reads go on, and the store opened again holds all that was
// acknowledged and the operation that failed wholly or not at all.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/contextforge-go/contextforge/internal/faultfs"
	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/pebblekv"
)

var errRefused = errors.New("no space left on the test device")

const copyDir = "copy"

// refusal is a disk that obeys until a given change.
type refusal struct {
	mu     sync.Mutex
	at     int  // change that is refused, counted from 0; < 0 for none
	sticky bool // and all after it
	short  bool // half of a write gets through
	seen   int
	hit    faultfs.Op
}

func (r *refusal) before(op faultfs.Op) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if op.Kind == faultfs.Sync && op.Path == copyDir {
		return nil
	}
	n := r.seen
	r.seen++
	if r.at < 0 || n < r.at || n > r.at && !r.sticky {
		return nil
	}
	if n == r.at {
		r.hit = op
	}
	if r.short {
		return fmt.Errorf("%w: %w", errRefused, faultfs.ErrShort)
	}
	return errRefused
}

// deed is one operation of the life: what it does to the store, and to the
// model.
type deed struct {
	name   string
	do     func(ctx context.Context, m *model) error
	mirror func(m *model)
	apart  bool // its failure need not make the store refuse writes
}

func saves(name string, recs ...Record) deed {
	return deed{
		name: name,
		do:   func(ctx context.Context, m *model) error { return m.s.Save(ctx, drafts(recs...)) },
		mirror: func(m *model) {
			for _, r := range recs {
				m.put(r)
			}
		},
	}
}

func deletes(ids ...string) deed {
	return deed{
		name: "delete",
		do: func(ctx context.Context, m *model) error {
			_, err := m.s.Delete(ctx, ids...)
			return err
		},
		mirror: func(m *model) {
			for _, id := range ids {
				m.drop(id)
			}
		},
	}
}

// savesWith saves records with what an embedder made of them, in turn.
func savesWith(list []Embedding, recs ...Record) deed {
	all := drafts(recs...)
	for i := range all {
		all[i].Embedding = list[i%len(list)]
	}
	return deed{
		name: "save with vectors",
		do:   func(ctx context.Context, m *model) error { return m.s.Save(ctx, all) },
		mirror: func(m *model) {
			for i := range all {
				m.putDraft(&all[i])
			}
		},
	}
}

// embeds gives the records of some ids, or all that lack any, more vectors.
func embeds(missing, failed bool, ids ...string) deed {
	addition := func(e *modelEntry, model Model) Addition {
		a := Addition{First: len(e.units[model.ID]), Missing: missing, Failed: failed}
		if !failed {
			a.Vectors = testVectors(model, uint64(e.saved), uint64(e.saved+1))
		}
		return a
	}
	chosen := func(m *model) (list []*modelEntry) {
		for _, e := range m.bySaved() {
			if slices.Contains(ids, e.ID) || len(ids) == 0 && (e.waits || len(e.units[m.opts.Model.ID]) == 0) {
				list = append(list, e)
			}
		}
		return list
	}
	return deed{
		name: "add vectors",
		do: func(ctx context.Context, m *model) error {
			v, err := m.s.View()
			m.check(err)
			var list []Addition
			for _, e := range chosen(m) {
				a := addition(e, m.opts.Model)
				a.Num = m.num(v, e.ID)
				list = append(list, a)
			}
			m.check(v.Close())
			_, err = m.s.AddVectors(ctx, list)
			return err
		},
		mirror: func(m *model) {
			for _, e := range chosen(m) {
				a := addition(e, m.opts.Model)
				m.added(e.ID, &a, map[string]bool{})
			}
		},
	}
}

func relabels(id string) deed {
	return deed{
		name: "relabel",
		do: func(ctx context.Context, m *model) error {
			_, err := m.s.Update(ctx, id, nil, Embedding{}, func(r *Record) error {
				r.Kind += "!"
				return nil
			})
			return err
		},
		mirror: func(m *model) {
			next := *m.entries[id]
			m.history[id] = append(slices.Clone(m.history[id]), next.Content)
			m.order++
			next.saved, next.failures = m.order, 0
			next.Kind += "!"
			m.entries[id] = &next
		},
	}
}

func updates(id, text string) deed {
	return deed{
		name: "update",
		do: func(ctx context.Context, m *model) error {
			_, err := m.s.Update(ctx, id, &text, Embedding{}, func(*Record) error { return nil })
			return err
		},
		mirror: func(m *model) {
			old := m.entries[id].Record
			m.history[id] = append(slices.Clone(m.history[id]), old.Content)
			old.Content = text
			m.put(old)
		},
	}
}

func neutral(name string, do func(ctx context.Context, m *model) error) deed {
	return deed{name: name, do: do, mirror: func(*model) {}}
}

// life is a script with every kind of change, seals and merges included.
func life(m *model) []deed {
	rec := m.records
	maintain := neutral("maintain", func(ctx context.Context, m *model) error {
		_, err := m.s.Maintain(ctx)
		return err
	})
	checkpoint := neutral("checkpoint", func(ctx context.Context, m *model) error { return m.s.Checkpoint(ctx, copyDir) })
	compact := neutral("compact", func(ctx context.Context, m *model) error { return m.s.Compact(ctx) })
	checkpoint.apart, compact.apart = true, true
	return []deed{
		saves("save", rec(1)...), saves("bulk", rec(10)...), saves("save", rec(3)...), updates("id-2", "alpha twice"),
		deletes("id-3", "id-12"), saves("batch", rec(6)...), maintain, saves("bulk", rec(9)...), maintain, checkpoint,
		updates("id-2", "alpha thrice"), deletes("id-5"), compact,
		saves("save", rec(2)...), neutral("rebuild", func(ctx context.Context, m *model) error { return m.s.Rebuild(ctx) }),
		deletes("id-1"), saves("bulk", rec(8)...), neutral("flush", func(_ context.Context, m *model) error { return m.pairs.Flush() }),
		saves("save", rec(1)...),
	}
}

// lifeWithVectors is one with an embedder, after another one's.
func lifeWithVectors(m *model) []deed {
	use := m.opts.Model
	made := []Embedding{{Vectors: testVectors(use, 1, 2)}, {Missing: true}, {Vectors: testVectors(use, 3), Missing: true}, {}}
	drop := deed{
		name:   "drop other models",
		do:     func(ctx context.Context, m *model) error { return m.s.DropOtherModels(ctx) },
		mirror: (*model).onlyModel,
	}
	rebuild := neutral("rebuild", func(ctx context.Context, m *model) error { return m.s.Rebuild(ctx) })
	return []deed{
		savesWith(made, m.records(6)...), embeds(true, false, "id-1", "id-2", "id-5"), embeds(true, true, "id-5"), relabels("id-1"),
		relabels("id-5"), embeds(false, false, "id-5", "id-6"), deletes("id-2", "id-7"), rebuild, updates("id-1", "alpha anew"),
		embeds(false, false), savesWith(made, m.records(3)...), drop, rebuild, embeds(false, false),
		{
			name: "clear",
			do: func(ctx context.Context, m *model) error {
				_, err := m.s.Clear(ctx)
				return err
			},
			mirror: func(m *model) {
				clear(m.entries)
				clear(m.history)
			},
		},
		savesWith(made, m.records(2)...),
	}
}

func TestCaseP12EveryRefusedChange(t *testing.T) {
	most := 300
	if testing.Short() {
		most = 60
	}
	refuseEach(t, most, liveAndFail)
}

// The same of a life with vectors, in which a first embedder has left some.
func TestCaseP12EveryRefusedChangeWithVectors(t *testing.T) {
	most := 100
	if testing.Short() {
		most = 40
	}
	refuseEach(t, most, embedAndFail)
}

// refuseEach refuses each change of a life, or at most so many.
func refuseEach(t *testing.T, most int, attempt func(t *testing.T, r *refusal, powerLoss bool)) {
	whole := &refusal{at: -1}
	attempt(t, whole, false)
	stride := max(1, whole.seen/most)
	t.Logf("%d changes, every %d. is refused", whole.seen, stride)
	for at := 0; at < whole.seen; at += stride {
		how := at / stride % 3
		r := &refusal{at: at, sticky: how == 1, short: how == 2}
		t.Run(fmt.Sprintf("%d/sticky=%v,short=%v", at, r.sticky, r.short), func(t *testing.T) {
			attempt(t, r, at%2 == 1)
		})
	}
}

func newLife(t *testing.T) *model {
	m := &model{
		t: t, rng: rand.New(rand.NewPCG(1, 1)), now: time.Unix(1_700_000_000, 0).UTC(),
		entries: map[string]*modelEntry{}, history: map[string][]string{},
	}
	m.opts = testOptions(nil, func() time.Time { return m.now })
	return m
}

func liveAndFail(t *testing.T, r *refusal, powerLoss bool) {
	newLife(t).failOn(vfs.NewCrashableMem(), r, powerLoss, life)
}

func embedAndFail(t *testing.T, r *refusal, powerLoss bool) {
	mem := vfs.NewCrashableMem()
	m := newLife(t)
	m.opts.Model = testModels[2]
	first := newLife(t)
	first.opts.Model = testModels[1]
	if !first.begin(mem) {
		return
	}
	made := []Embedding{{Vectors: testVectors(testModels[1], 1, 2)}, {Vectors: testVectors(testModels[1], 1), Missing: true}}
	d := savesWith(made, first.records(5)...)
	first.check(d.do(t.Context(), first))
	d.mirror(first)
	first.check(first.s.Close())
	m.entries, m.order, m.serial = first.entries, first.order, first.serial
	m.failOn(mem, r, powerLoss, lifeWithVectors)
}

// failOn lives a life on a disk that refuses a change, then opens what is on the
// disk, after a power loss if powerLoss is set.
func (m *model) failOn(mem *vfs.MemFS, r *refusal, powerLoss bool, script func(*model) []deed) {
	t := m.t
	possible := []truth{m.truth()}
	if m.begin(faultfs.Wrap(mem, r.before)) {
		possible = m.live(script)
		if err := m.s.Close(); err != nil && !errors.Is(err, kv.ErrFailed) {
			t.Errorf("close: %v", err)
		}
	}
	if powerLoss {
		mem = mem.CrashClone(vfs.CrashCloneCfg{})
	}
	m.expectOneOf(&crash{fs: mem, op: r.hit}, possible...)
}

// begin opens the store, or checks the error.
func (m *model) begin(fs vfs.FS) bool {
	m.t.Helper()
	pairs, err := pebblekv.Open(crashDir, pebblekv.Options{FS: fs})
	if err != nil {
		if !errors.Is(err, errRefused) {
			m.t.Errorf("open: %v", err)
		}
		return false
	}
	m.pairs, m.opts.KV = pairs, pairs
	m.know()
	if m.s, err = Open(context.Background(), m.opts); err != nil {
		if !errors.Is(err, errRefused) {
			m.t.Errorf("open: %v", err)
		}
		if err := pairs.Close(); err != nil && !errors.Is(err, kv.ErrFailed) {
			m.t.Errorf("close: %v", err)
		}
		return false
	}
	return true
}

// live does the deeds up to the first that fails and returns what the disk may
// hold then.
func (m *model) live(script func(*model) []deed) []truth {
	m.t.Helper()
	ctx := context.Background()
	for _, d := range script(m) {
		before := m.truth()
		err := d.do(ctx, m)
		if err == nil {
			d.mirror(m)
			continue
		}
		if !errors.Is(err, errRefused) {
			m.t.Errorf("%s: %v, which does not name the cause", d.name, err)
		}
		if d.apart && !errors.Is(err, kv.ErrFailed) {
			continue
		}
		m.refusesWrites(d.name, err)
		m.compare()
		d.mirror(m)
		return []truth{before, m.truth()}
	}
	m.compare()
	return []truth{m.truth()}
}

// refusesWrites checks that after an error every write gives ErrFailed.
func (m *model) refusesWrites(name string, err error) {
	m.t.Helper()
	ctx := context.Background()
	text := "never"
	_, deleted := m.s.Delete(ctx, m.ids()...)
	_, updated := m.s.Update(ctx, m.anyID(), &text, Embedding{}, func(*Record) error { return nil })
	saved := m.s.Save(ctx, drafts(Record{ID: "never", Content: text, Timestamp: m.now}))
	_, added := m.s.AddVectors(ctx, []Addition{{Num: 1, Vectors: m.vectors(1)}})
	list := []error{err, saved, added, m.s.Rebuild(ctx)}
	if len(m.entries) > 0 {
		list = append(list, deleted)
	}
	if !errors.Is(updated, ErrNotFound) {
		list = append(list, updated)
	}
	for i, err := range list {
		if !errors.Is(err, kv.ErrFailed) || !errors.Is(err, errRefused) {
			m.t.Errorf("after %s: error %d is %v", name, i, err)
		}
	}
}

func TestRebuildCutOff(t *testing.T) {
	ctx := context.Background()
	stride := 3
	if testing.Short() {
		stride = 9
	}
	// A rebuild asks its context before it begins, and then for every row of vectors.
	for questions, done := 0, false; !done; questions += min(questions+1, stride) {
		m := newModelOn(t, 5, openOnDisk(t, vfs.NewMem(), false), nil)
		for range 14 {
			m.step()
		}
		m.close()
		m.opts.Model, m.opts.MaxEntries, m.opts.MaxPerScope = testModels[2], 0, 0
		m.open()
		m.save(ctx, 40)
		r := m.record()
		m.check(m.s.Save(ctx, drafts(r)))
		m.beforeWrite()
		m.put(r)
		err := m.s.Rebuild(&countdown{ctx, questions})
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		done = err == nil
		m.compare()
		saved := m.s.Save(ctx, drafts(r))
		switch {
		case questions == 0 && (err == nil || saved != nil):
			t.Errorf("a rebuild cancelled before it began: %v, then a save: %v", err, saved)
		case questions > 0 && err != nil && !errors.Is(saved, kv.ErrFailed):
			t.Errorf("a rebuild cut off at question %d: %v, then a save: %v", questions, err, saved)
		}
		if saved == nil {
			m.beforeWrite()
			m.put(r)
			m.afterWrite()
		}
		m.close()
		m.reopened()
		m.compare()
		m.check(m.s.Verify(ctx))
		m.close()
		if done {
			t.Logf("%d questions", questions)
		}
		if done && questions < 40 {
			t.Errorf("only %d questions", questions)
		}
	}
}
