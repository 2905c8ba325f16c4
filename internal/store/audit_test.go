package store

// Walking through everything, the key for names, and other ids for entries.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/memkv"
)

func TestRenameLeavesNothing(t *testing.T) {
	ctx := context.Background()
	const old = "hunter2hunter2"
	m := newModelOn(t, 3, memkv.New(), nil)
	rec := m.records(1)[0]
	rec.ID = old
	m.check(m.s.Save(ctx, []Draft{{Record: rec, Embedding: Embedding{Vectors: m.vectors(1)}}, {Record: m.records(1)[0]}}))
	text := "another text"
	_, err := m.s.Update(ctx, old, &text, Embedding{Vectors: m.vectors(1)}, func(*Record) error { return nil })
	m.check(err)
	if err := m.s.Rename(ctx, "nobody", "new"); !errors.Is(err, ErrNotFound) {
		t.Errorf("an unknown id: %v", err)
	}
	if err := m.s.Rename(ctx, old, "id-2"); !errors.Is(err, ErrConflict) {
		t.Errorf("an id that is taken: %v", err)
	}
	m.check(m.s.Rename(ctx, old, "new"))
	m.check(m.s.Compact(ctx))
	m.check(scan(m.pairs, nil, func(key, value []byte) (bool, error) {
		if bytes.Contains(key, []byte(old)) || bytes.Contains(value, []byte(old)) {
			t.Errorf("the id stands under key %q", key)
		}
		return true, nil
	}))
	v, err := m.s.View()
	m.check(err)
	got, err := v.Get("new")
	m.check(err)
	history, err := v.History("new")
	m.check(err)
	if got.Content != text || len(history) != 1 || history[0].ID != "new" || history[0].Content != rec.Content {
		t.Errorf("%+v with %+v", got, history)
	}
	num, err := v.Num("new")
	m.check(err)
	if vectors, err := v.Vectors(num); err != nil || len(vectors) != 1 {
		t.Errorf("%d vectors, %v", len(vectors), err)
	}
	m.check(v.Close())
	m.check(m.s.Verify(ctx))
}

func TestFromAndVersions(t *testing.T) {
	ctx := context.Background()
	m := newModelOn(t, 4, memkv.New(), nil)
	recs := m.records(5)
	recs[1].ExpiresAt = m.now.Add(1) // gone by the clock, still stored
	for _, rec := range recs {
		m.check(m.s.Save(ctx, []Draft{{Record: rec}}))
	}
	for i := range 3 {
		text := fmt.Sprint("text ", i)
		_, err := m.s.Update(ctx, recs[0].ID, &text, Embedding{}, func(*Record) error { return nil })
		m.check(err)
	}
	v, err := m.s.View()
	m.check(err)
	var nums []uint64
	for rec, err := range v.From(3) {
		m.check(err)
		nums = append(nums, rec.Num)
		if len(nums) == 3 {
			break
		}
	}
	if got, want := fmt.Sprint(nums), "[3 4 5]"; got != want {
		t.Errorf("from 3 on %s, want %s", got, want)
	}
	n := 0
	for old, err := range v.Versions(recs[0].ID) {
		m.check(err)
		if n++; n == 2 && old.Content != "text 0" {
			t.Errorf("the second version is %q", old.Content)
		}
	}
	if n != 3 {
		t.Errorf("%d versions", n)
	}
	m.check(v.Close())
}

func TestNameKey(t *testing.T) {
	ctx := context.Background()
	m := newModelOn(t, 5, memkv.New(), nil)
	m.check(m.s.DropNameKey(ctx)) // there is none
	for _, want := range []string{"first", "first"} {
		for _, fresh := range []string{"first", "second"} {
			if key, err := m.s.NameKey(ctx, []byte(fresh)); err != nil || string(key) != want {
				t.Errorf("%q, %v", key, err)
			}
		}
	}
	m.check(m.s.Verify(ctx))
	m.check(m.s.DropNameKey(ctx))
	if _, err := kv.GetCopy(m.pairs, nil, nameKey()); !errors.Is(err, kv.ErrNotFound) {
		t.Errorf("it is still there: %v", err)
	}
	if key, err := m.s.NameKey(ctx, []byte("second")); err != nil || string(key) != "second" {
		t.Errorf("%q, %v", key, err)
	}
}

// What reports and errors say of names is what Options.Shown makes of them.
func TestShownNames(t *testing.T) {
	ctx := context.Background()
	m := newModelOn(t, 6, memkv.New(), func(o *Options) {
		o.Shown = func(name string) string {
			if name == "hidden" {
				return "***"
			}
			return name
		}
	})
	rec := m.records(1)[0]
	rec.ID, rec.Scope = "hidden", "hidden"
	m.check(m.s.Save(ctx, []Draft{{Record: rec}}))
	b := m.pairs.NewBatch()
	b.Delete(timeKey(TimeOf(rec.Timestamp), 1))
	b.Set(countKey("hidden"), []byte{9})
	m.check(m.pairs.Commit(b, kv.Sync))
	m.check(b.Close())
	m.check(m.s.Save(ctx, []Draft{{Record: m.records(1)[0]}})) // what was changed is seen from now on
	err := m.s.Verify(ctx)
	if err == nil || bytes.Contains([]byte(err.Error()), []byte("hidden")) || bytes.Contains([]byte(err.Error()), fmt.Appendf(nil, "%x", "hidden")) ||
		!bytes.Contains([]byte(err.Error()), []byte("***")) {
		t.Errorf("verify says %v", err)
	}
}
