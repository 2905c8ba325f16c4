package store

// Redact against the model, and what is left on the disk. Also how a model is made
// for such a case.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/kv/memkv"
)

// redact replaces a word in an entry and its history.
func (m *model) redact(ctx context.Context) {
	id := m.anyID()
	word := strings.Fields(m.text() + " x")[0]
	replace := func(text string) string { return strings.ReplaceAll(text, word, "REDACTED") }
	changed, err := m.s.Redact(ctx, id, true, func(r *Record) (bool, error) {
		old := r.Content
		r.Content = replace(r.Content)
		return r.Content != old, nil
	})
	m.beforeWrite()
	e, ok := m.entries[id]
	if ok != (err == nil) {
		m.t.Fatalf("redact %q: %v, model has it: %v", id, err, ok)
	}
	if !ok {
		return
	}
	next := e.Record
	next.Content = replace(next.Content)
	want := next.Content != e.Content
	versions := slices.Clone(m.history[id])
	for i, text := range versions {
		versions[i] = replace(text)
		want = want || versions[i] != text
	}
	if len(versions) > 0 {
		m.history[id] = versions
	}
	if changed != want {
		m.t.Fatalf("redact %q reported %v, want %v", id, changed, want)
	}
	if next.Content != e.Content {
		m.putDraft(&Draft{Record: next, Embedding: Embedding{Missing: true}})
		m.afterWrite()
	}
}

// newModelOn is newModel on a given key-value store with other options.
func newModelOn(t *testing.T, seed uint64, pairs kv.Store, change func(*Options)) *model {
	m := &model{
		t: t, rng: rand.New(rand.NewPCG(seed, 7)), pairs: pairs, now: time.Unix(1_700_000_000, 0).UTC(),
		entries: map[string]*modelEntry{}, history: map[string][]string{},
	}
	m.opts = testOptions(pairs, func() time.Time {
		m.nowMu.Lock()
		defer m.nowMu.Unlock()
		return m.now
	})
	m.opts.KV = pairs
	m.opts.Model = testModels[1]
	m.rules(int(seed % 3))
	if change != nil {
		change(&m.opts)
	}
	m.open()
	return m
}

// records draws some.
func (m *model) records(n int) (out []Record) {
	for range n {
		m.serial++
		out = append(out, Record{ID: fmt.Sprintf("id-%d", m.serial), Content: m.text(), Scope: m.pick("", "a"), Timestamp: m.now, TokenCount: 3})
	}
	return out
}

func TestRedactLeavesNothing(t *testing.T) {
	ctx := context.Background()
	const secret = "hunter2hunter2"
	m := newModelOn(t, 1, memkv.New(), nil)
	rec := m.records(1)[0]
	rec.Content, rec.SessionID, rec.Metadata = "the first "+secret, secret, []byte(`{"k":"`+secret+`"}`)
	vectors := Embedding{Vectors: m.vectors(1)}
	m.check(m.s.Save(ctx, []Draft{{Record: rec, Embedding: vectors}}))
	second := "the second " + secret
	_, err := m.s.Update(ctx, rec.ID, &second, vectors, func(*Record) error { return nil })
	m.check(err)
	third := "the third, without"
	_, err = m.s.Update(ctx, rec.ID, &third, vectors, func(*Record) error { return nil })
	m.check(err)

	edit := func(r *Record) (bool, error) {
		before := *r
		r.Content = strings.ReplaceAll(r.Content, secret, "gone")
		r.SessionID = strings.ReplaceAll(r.SessionID, secret, "gone")
		r.Metadata = bytes.ReplaceAll(r.Metadata, []byte(secret), []byte("gone"))
		return !equalRecords(&before, r), nil
	}
	if changed, err := m.s.Redact(ctx, rec.ID, true, edit); err != nil || !changed {
		t.Fatalf("redact: %v, %v", changed, err)
	}
	if changed, err := m.s.Redact(ctx, rec.ID, true, edit); err != nil || changed {
		t.Fatalf("the second time: %v, %v", changed, err)
	}
	m.check(m.s.Compact(ctx))
	err = scan(m.pairs, nil, func(key, value []byte) (bool, error) {
		if bytes.Contains(key, []byte(secret)) || bytes.Contains(value, []byte(secret)) {
			t.Errorf("the secret stands under key %q", key)
		}
		return true, nil
	})
	m.check(err)
	v, err := m.s.View()
	m.check(err)
	got, err := v.Get(rec.ID)
	m.check(err)
	versions, err := v.History(rec.ID)
	m.check(err)
	if got.Content != third || len(versions) != 2 || versions[1].Content != "the second gone" {
		t.Errorf("left: %q and %d versions", got.Content, len(versions))
	}
	if num, err := v.Num(rec.ID); err != nil {
		t.Error(err)
	} else if vectors, err := v.Vectors(num); err != nil || len(vectors) != 1 {
		t.Errorf("a text that did not change has %d vectors, %v", len(vectors), err)
	}
	m.check(v.Close())
	m.check(m.s.Verify(ctx))
	if _, err := m.s.Redact(ctx, "nobody", false, edit); !errors.Is(err, ErrNotFound) {
		t.Errorf("an unknown id: %v", err)
	}
	failed := errors.New("no")
	if _, err := m.s.Redact(ctx, rec.ID, false, func(*Record) (bool, error) { return true, failed }); !errors.Is(err, failed) {
		t.Errorf("an edit that fails: %v", err)
	}
}
