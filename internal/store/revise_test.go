package store

// Drafts that change a record against the model: what goes to the history, which
// vectors stay, what is left out as stale; and saves that are refused for what
// was put meanwhile.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/contextforge-go/contextforge/kv/memkv"
)

// keepVersion mirrors that an entry's content goes to the history.
func (m *model) keepVersion(old *modelEntry) {
	versions := append(m.history[old.ID], old.Content)
	if over := len(versions) - m.opts.HistoryLimit; over > 0 {
		versions = versions[over:]
	}
	m.history[old.ID] = versions
}

// revise makes some of the drafts changes of records, of which some are stale.
func (m *model) revise(list []Draft) {
	v, err := m.s.View()
	m.check(err)
	m.nums = map[string]uint64{}
	for _, id := range m.ids() {
		if m.nums[id], err = v.Num(id); err != nil {
			m.t.Fatal(err)
		}
	}
	m.check(v.Close())
	for i := range list {
		d := &list[i]
		if m.rng.IntN(4) > 0 {
			continue
		}
		d.KeepVersion, d.Dedup = true, false
		if e := m.entries[m.anyID()]; e != nil {
			d.ID = e.ID
			if m.rng.IntN(3) > 0 {
				d.Record = e.Record
				d.Kind = m.pick("manual", "other")
			}
		}
		if m.rng.IntN(2) == 0 {
			d.Was = 1<<40 + m.nums[d.ID]
			if m.rng.IntN(3) > 0 {
				d.Was = m.nums[d.ID]
			}
		}
	}
}

// saveAs saves, sometimes on condition of what the store holds since some time,
// which is only what it is about to hold. It reports whether that was refused: for
// the latest record, which is not to be there.
func (m *model) saveAs(ctx context.Context, list []Draft) (refused bool) {
	if m.rng.IntN(3) > 0 {
		m.check(m.s.Save(ctx, list))
		return false
	}
	live := slices.DeleteFunc(m.bySaved(), func(e *modelEntry) bool { return e.Expired(TimeOf(m.now)) })
	if refused = len(list) > 0 && len(live) > 0 && m.rng.IntN(2) == 0; refused {
		last := live[len(live)-1].ID
		err := m.s.SaveUnless(ctx, list, m.nums[last], func(r *Record) bool { return r.ID == last })
		if !errors.Is(err, ErrConflict) {
			m.t.Fatalf("saved beside %q: %v", last, err)
		}
		return true
	}
	v, err := m.s.View()
	m.check(err)
	since := v.Next()
	m.check(v.Close())
	m.check(m.s.SaveUnless(ctx, list, since, func(*Record) bool { return true }))
	return false
}

// putRevision mirrors a draft; fresh says that the very save put a record with
// its id. It reports whether the draft isn't stale.
func (m *model) putRevision(d *Draft, fresh bool) bool {
	old := m.entries[d.ID]
	if old != nil && old.Expired(TimeOf(m.now)) {
		m.drop(d.ID)
		old = nil
	}
	stale := d.Was != 0 && (old == nil || fresh || m.nums[d.ID] != d.Was)
	if d.Stale != stale {
		m.t.Fatalf("%q is stale: %v, want %v", d.ID, d.Stale, stale)
	}
	if stale {
		return false
	}
	if !d.KeepVersion || old == nil {
		m.putDraft(d)
		return true
	}
	m.keepVersion(old)
	if old.Content != d.Content {
		m.putDraft(d)
		return true
	}
	next := *old
	m.order++
	next.Record, next.saved, next.failures = d.Record, m.order, 0
	if fresh { // its vectors are in no view yet and are made anew
		next.units = map[string][][]float32{}
		next.waits = old.waits || m.opts.Model.ID != ""
	}
	m.entries[d.ID] = &next
	return true
}

// A change of a record that somebody else has changed, deleted or let expire
// leaves everything as it is, and the rest of the batch is saved.
func TestStaleDrafts(t *testing.T) {
	ctx := context.Background()
	for name, change := range map[string]func(*model, *Record){
		"nothing": func(*model, *Record) {},
		"updated": func(m *model, r *Record) {
			_, err := m.s.Update(ctx, r.ID, nil, Embedding{}, func(r *Record) error { r.Kind = "else"; return nil })
			m.check(err)
		},
		"deleted": func(m *model, r *Record) {
			_, err := m.s.Delete(ctx, r.ID)
			m.check(err)
		},
		"replaced": func(m *model, r *Record) { m.check(m.s.Save(ctx, drafts(*r))) },
		"cleared": func(m *model, r *Record) {
			_, err := m.s.Clear(ctx)
			m.check(err)
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := newModelOn(t, 3, memkv.New(), nil)
			list := m.records(2)
			m.check(m.s.Save(ctx, []Draft{{Record: list[0], Embedding: Embedding{Vectors: m.vectors(2)}}}))
			num := m.numOf(list[0].ID)
			before := m.vectorsOf(list[0].ID)
			change(m, &list[0])
			retired := list[0]
			retired.Kind = "superseded"
			both := []Draft{{Record: list[1], NewID: true}, {Record: retired, KeepVersion: true, Was: num}}
			m.check(m.s.Save(ctx, both))
			if stale := name != "nothing"; both[1].Stale != stale {
				t.Errorf("stale: %v, want %v", both[1].Stale, stale)
			}
			v, err := m.s.SearchView(ctx)
			m.check(err)
			if _, err := v.Get(list[1].ID); err != nil {
				t.Errorf("the other one: %v", err)
			}
			rec, err := v.Get(list[0].ID)
			want, there := map[string]string{"nothing": "superseded", "updated": "else", "replaced": list[0].Kind}[name]
			if (err == nil) != there || there && rec.Kind != want {
				t.Errorf("the record is %+v, %v, want kind %q", rec, err, want)
			}
			versions, err := v.History(list[0].ID)
			m.check(err)
			if want := map[string]int{"nothing": 1, "updated": 1}[name]; len(versions) != want {
				t.Errorf("%d versions, want %d", len(versions), want)
			}
			m.check(v.Close())
			if name == "nothing" {
				if after := m.vectorsOf(list[0].ID); len(before) != 2 || !slices.EqualFunc(before, after, slices.Equal[[]float32]) {
					t.Errorf("vectors were %v, are %v", before, after)
				}
			}
			m.check(m.s.Verify(ctx))
		})
	}
}

func (m *model) numOf(id string) uint64 {
	m.t.Helper()
	v, err := m.s.View()
	m.check(err)
	num, err := v.Num(id)
	m.check(err)
	m.check(v.Close())
	return num
}

func (m *model) vectorsOf(id string) [][]float32 {
	m.t.Helper()
	v, err := m.s.View()
	m.check(err)
	num, err := v.Num(id)
	m.check(err)
	vectors, err := v.Vectors(num)
	m.check(err)
	m.check(v.Close())
	return vectors
}

// Many that save only what nobody has saved since they looked: each text is
// saved once.
func TestSaveUnlessIsATransaction(t *testing.T) {
	ctx := context.Background()
	m := newModelOn(t, 5, memkv.New(), nil)
	var wg sync.WaitGroup
	const workers, texts = 8, 12
	for w := range workers {
		wg.Go(func() {
			for i := range texts {
				if err := saveOnce(ctx, m.s, fmt.Sprintf("id-%d-%d", w, i), fmt.Sprintf("text %d", i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	v, err := m.s.View()
	m.check(err)
	n, err := v.Count(Filter{})
	m.check(err)
	m.check(v.Close())
	if n != texts {
		t.Errorf("%d records, want %d", n, texts)
	}
	m.check(m.s.Verify(ctx))
}

// saveOnce saves a text unless there is one.
func saveOnce(ctx context.Context, s *Store, id, text string) error {
	same := func(r *Record) bool { return r.Content == text }
	for {
		v, err := s.View()
		if err != nil {
			return err
		}
		since, known := v.Next(), false
		for rec, err := range v.List(Filter{}) {
			if err != nil {
				return errors.Join(err, v.Close())
			}
			known = known || same(rec)
		}
		if err := v.Close(); err != nil || known {
			return err
		}
		err = s.SaveUnless(ctx, drafts(Record{ID: id, Content: text}), since, same)
		if !errors.Is(err, ErrConflict) {
			return err
		}
	}
}
