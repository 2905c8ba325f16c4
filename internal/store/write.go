package store

// This file decides the changes that callers can ask for.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"sync"

	"github.com/contextforge-go/contextforge/bm25"
)

// Save stores the drafts, all or none, in one durable commit. A record whose id
// exists is replaced; of several drafts with one id the last wins. It sets Twin
// of the drafts with Dedup, and Stale of those with Was.
func (s *Store) Save(ctx context.Context, drafts []Draft) error {
	_, err := s.save(ctx, drafts, saveOptions{})
	return err
}

// SaveUnless is Save, but saves nothing and returns ErrConflict if a record that
// conflicts was put since a View whose Next is since. So what the drafts were
// made from still holds when they are saved. conflicts may be asked more than
// once, and must not use the store.
func (s *Store) SaveUnless(ctx context.Context, drafts []Draft, since uint64, conflicts func(*Record) bool) error {
	_, err := s.save(ctx, drafts, saveOptions{since: since, conflicts: conflicts})
	return err
}

// Restore is Save, but leaves records alone that the store already holds
// exactly so. It returns how many were written.
func (s *Store) Restore(ctx context.Context, drafts []Draft) (written int, err error) {
	return s.save(ctx, drafts, saveOptions{skipEqual: true})
}

// saveOptions are the ways in which saves differ.
type saveOptions struct {
	skipEqual bool
	since     uint64
	conflicts func(*Record) bool // nil if nothing does
}

func (s *Store) save(ctx context.Context, drafts []Draft, o saveOptions) (written int, err error) {
	if len(drafts) == 0 {
		return 0, nil
	}
	vectors, err := s.analyzeAll(ctx, drafts)
	if err != nil {
		return 0, err
	}
	if 2*len(drafts) >= s.tailDocs() { // the index will seal its tail along with them
		if err := s.ensureLoaded(ctx); err != nil {
			return 0, err
		}
	}
	err = s.submit(ctx, func(t *tx) error {
		written = 0
		if err := t.refuse(&o); err != nil {
			return err
		}
		for i := range drafts {
			ok, err := t.saveDraft(&drafts[i], &vectors[i], o.skipEqual)
			if err != nil {
				return err
			}
			if ok {
				written++
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	s.relieve(ctx)
	return written, nil
}

// refuse returns ErrConflict if there is a record with which nothing is to be
// saved.
func (t *tx) refuse(o *saveOptions) error {
	if o.conflicts == nil {
		return nil
	}
	for num, rec := range t.added {
		if num >= o.since && o.conflicts(&rec.Record) {
			return ErrConflict
		}
	}
	if t.cleared {
		return nil
	}
	for rec, err := range recordsFrom(t.s.kv, o.since) {
		if err != nil {
			return err
		}
		if !t.removed[rec.num] && o.conflicts(&rec.Record) {
			return ErrConflict
		}
	}
	return nil
}

func (t *tx) saveDraft(d *Draft, v *bm25.TermVector, skipEqual bool) (saved bool, err error) {
	if d.Dedup {
		if d.Twin, err = t.twin(&d.Record); err != nil || d.Twin != "" {
			return false, err
		}
	}
	var old *stored
	if !d.NewID {
		if old, err = t.find(d.ID); err != nil {
			return false, err
		}
	}
	if old != nil && old.Expired(t.now) { // gone already, its history with it
		if err := t.remove(old); err != nil {
			return false, err
		}
		old = nil
	}
	if d.Stale = d.Was != 0 && (old == nil || old.num != d.Was); d.Stale {
		return false, nil
	}
	if skipEqual && old != nil && equalRecords(&old.Record, &d.Record) {
		return false, nil
	}
	next := &stored{Record: d.Record, vector: v}
	if !d.KeepVersion || old == nil {
		return true, t.put(next, old, &d.Embedding)
	}
	next.hasHistory = true
	if err := t.keepVersion(old); err != nil {
		return false, err
	}
	if old.Content != next.Content {
		return true, t.put(next, old, &d.Embedding)
	}
	if t.s.sameTerms(&old.Record, &next.Record) {
		old.vector = v
	}
	return true, t.replaceKeeping(next, old)
}

// text is what has to be the same in twins.
type text struct{ scope, content string }

// noteText keeps the oldest record that this tx added with a text.
func (t *tx) noteText(rec *stored) {
	key := text{rec.Scope, rec.Content}
	if old := t.texts[key]; old == nil || old.Expired(t.now) || !rec.Expired(t.now) && compareAge(rec, old) < 0 {
		t.texts[key] = rec
	}
}

// twin returns the id of a live record of the same scope and content, "" if
// there is none: the oldest of those that this tx added, else any.
func (t *tx) twin(d *Record) (string, error) {
	if t.texts == nil {
		t.texts = make(map[text]*stored, len(t.added))
		for _, rec := range t.sortedAdded() {
			t.noteText(rec)
		}
	}
	same := func(rec *stored) bool {
		return rec.Scope == d.Scope && rec.Content == d.Content && !rec.Expired(t.now)
	}
	if rec := t.texts[text{d.Scope, d.Content}]; rec != nil && same(rec) {
		return rec.ID, nil
	}
	if t.cleared {
		return "", nil
	}
	id := ""
	err := scan(t.s.kv, contentPrefix(d.Content), func(key, _ []byte) (bool, error) {
		num := contentNum(key)
		if t.removed[num] {
			return true, nil
		}
		rec, err := readRecord(t.s.kv, num)
		if err == nil && same(rec) {
			id = rec.ID
		}
		return id == "", err
	})
	return id, err
}

// analyzeAll analyses the texts on all processors.
func (s *Store) analyzeAll(ctx context.Context, recs []Draft) ([]bm25.TermVector, error) {
	vectors := make([]bm25.TermVector, len(recs))
	workers := min(runtime.GOMAXPROCS(0), (len(recs)+31)/32)
	if workers == 1 {
		for i := range recs {
			vectors[i] = s.analyze(&recs[i].Record)
		}
		return vectors, ctx.Err()
	}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(recs) && ctx.Err() == nil; i += workers {
				vectors[i] = s.analyze(&recs[i].Record)
			}
		})
	}
	wg.Wait()
	return vectors, ctx.Err()
}

func equalRecords(a, b *Record) bool {
	return a.ID == b.ID && a.Content == b.Content && a.Timestamp.Equal(b.Timestamp) && a.Kind == b.Kind &&
		a.Scope == b.Scope && a.SessionID == b.SessionID && a.TokenCount == b.TokenCount &&
		equalMetadata(a.Metadata, b.Metadata) && a.CreatedAt.Equal(b.CreatedAt) &&
		a.UpdatedAt.Equal(b.UpdatedAt) && a.ExpiresAt.Equal(b.ExpiresAt)
}

// equalMetadata compares JSON apart from spelling: escapes, blanks, the order of
// fields. Numbers must be written alike.
func equalMetadata(a, b json.RawMessage) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var x, y any
	return len(a) > 0 && len(b) > 0 && decodeJSON(a, &x) == nil && decodeJSON(b, &y) == nil && reflect.DeepEqual(x, y)
}

// Update changes the entry of an id in place: change receives a copy of it and
// edits it, all but the id. The version before goes to the history. content,
// when not nil, is the new content, analysed before the store is locked. An
// update that changes nothing leaves no trace. change may run more than once. e
// is what the embedder made of the new content.
func (s *Store) Update(ctx context.Context, id string, content *string, e Embedding, change func(*Record) error) (Record, error) {
	ahead := s.analyzeAhead(id, content, change)
	var result Record
	err := s.submit(ctx, func(t *tx) error {
		old, err := t.find(id)
		if err != nil {
			return err
		}
		if old == nil || old.Expired(t.now) {
			return fmt.Errorf("%w: %q", ErrNotFound, s.shown(id))
		}
		next := &stored{Record: old.Record, hasHistory: true}
		if content != nil {
			next.Content = *content
		}
		if err := change(&next.Record); err != nil {
			return err
		}
		next.ID = old.ID
		result = next.Record
		plain := next.Record
		plain.UpdatedAt = old.UpdatedAt
		if equalRecords(&plain, &old.Record) {
			result = old.Record
			return nil
		}
		if ahead != nil && s.sameTerms(&ahead.Record, &next.Record) {
			next.vector = ahead.vector
		}
		if content != nil {
			t.analyzed(next)
			return errors.Join(t.keepVersion(old), t.put(next, old, &e))
		}
		if err := t.keepVersion(old); err != nil {
			return err
		}
		return t.replaceKeeping(next, old)
	})
	return result, err
}

// analyzeAhead analyses what an update is about to make of an entry, outside of
// the store's lock; nil if that can't be told yet. The update checks that it is
// what it has to be.
func (s *Store) analyzeAhead(id string, content *string, change func(*Record) error) *stored {
	if content == nil {
		return nil
	}
	v, err := s.View()
	if err != nil {
		return nil
	}
	rec, err := v.Get(id)
	if v.Close() != nil || err != nil {
		return nil
	}
	next := &stored{Record: *rec}
	next.Content = *content
	if change(&next.Record) != nil {
		return nil
	}
	terms := s.analyze(&next.Record)
	next.vector = &terms
	return next
}

// keepVersion adds a record to the history of its id and trims that to the
// limit, oldest first.
func (t *tx) keepVersion(old *stored) error {
	limit := t.s.opts.HistoryLimit
	if limit == 0 {
		return nil
	}
	t.changes++
	t.batch.Set(historyKey(old.ID, old.num), appendRecord(nil, old))
	t.versions[old.ID] = append(t.versions[old.ID], old.num)
	if limit < 0 {
		return nil
	}
	var keys [][]byte
	err := scan(t.s.kv, historyPrefix(old.ID), func(key, _ []byte) (bool, error) {
		keys = append(keys, slices.Clone(key))
		return true, nil
	})
	if err != nil {
		return err
	}
	for _, num := range t.versions[old.ID] {
		keys = append(keys, historyKey(old.ID, num))
	}
	for len(keys) > limit {
		t.batch.Delete(keys[0])
		keys = keys[1:]
	}
	return nil
}

// Delete removes the entries of the given ids with their history and returns
// how many there were.
func (s *Store) Delete(ctx context.Context, ids ...string) (int, error) {
	return s.deleteIf(ctx, ids, func(*stored) bool { return true })
}

// Forget removes the entries of the given ids that still match the filter.
func (s *Store) Forget(ctx context.Context, ids []string, f Filter) (int, error) {
	return s.deleteIf(ctx, ids, f.match)
}

// deleteIf works in commits of perCommit ids.
func (s *Store) deleteIf(ctx context.Context, ids []string, wanted func(*stored) bool) (int, error) {
	total := 0
	for part := range slices.Chunk(ids, perCommit) {
		n, err := s.deletePart(ctx, part, wanted)
		total += n
		if err != nil {
			return total, err
		}
	}
	return total, nil
}

func (s *Store) deletePart(ctx context.Context, ids []string, wanted func(*stored) bool) (n int, err error) {
	known, err := s.vectorsOf(ids)
	if err != nil {
		return 0, err
	}
	err = s.submit(ctx, func(t *tx) error {
		n = 0
		for _, id := range ids {
			rec, err := t.find(id)
			if err != nil {
				return err
			}
			if rec == nil || !wanted(rec) {
				continue
			}
			if v, ok := known[rec.num]; ok {
				rec.vector = &v
			}
			if !rec.Expired(t.now) {
				n++
			}
			if err := t.remove(rec); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return n, nil
}

// vectorsOf analyses the entries of some ids ahead of a change, outside of the
// store's lock; the change checks that they are still the same versions.
func (s *Store) vectorsOf(ids []string) (map[uint64]bm25.TermVector, error) {
	v, err := s.View()
	if err != nil {
		return nil, err
	}
	known := make(map[uint64]bm25.TermVector, min(len(ids), 1024))
	for _, id := range ids[:min(len(ids), 1024)] {
		num, err := lookupID(v.state.snap, id)
		if err != nil {
			return nil, errors.Join(err, v.Close())
		}
		if num == 0 {
			continue
		}
		rec, err := readRecord(v.state.snap, num)
		if err != nil {
			return nil, errors.Join(err, v.Close())
		}
		known[num] = s.analyze(&rec.Record)
	}
	return known, v.Close()
}

// Clear removes everything and returns the number of entries there were.
func (s *Store) Clear(ctx context.Context) (n int, err error) {
	err = s.submit(ctx, func(t *tx) error {
		n = int(t.st.live)
		if n == 0 {
			return nil
		}
		t.clear()
		return nil
	})
	return n, err
}

// ClearScope removes the entries of one scope, "" being the global one, and
// returns their number. It works in commits of perCommit entries.
func (s *Store) ClearScope(ctx context.Context, scope string) (int, error) {
	for total := 0; ; {
		n, more, err := s.clearPart(ctx, scope)
		total += n
		if err != nil || !more {
			return total, err
		}
	}
}

func (s *Store) clearPart(ctx context.Context, scope string) (n int, more bool, err error) {
	err = s.submit(ctx, func(t *tx) error {
		n, more = 0, false
		recs := t.addedIn(&scope)
		if !t.cleared {
			nums, err := t.oldestCommitted(perCommit, scopePrefix(scope))
			if err != nil {
				return err
			}
			more = len(nums) == perCommit
			for _, num := range nums {
				rec, err := t.load(num)
				if err != nil {
					return err
				}
				recs = append(recs, rec)
			}
		}
		for _, rec := range recs {
			if !rec.Expired(t.now) {
				n++
			}
			if err := t.remove(rec); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return 0, false, err
	}
	return n, more, nil
}

// relieve seals the tail of the text index on the caller's goroutine when the
// background can't keep up, so that the tail stays bounded.
func (s *Store) relieve(ctx context.Context) {
	s.viewMu.Lock()
	waiting := s.view != nil && s.view.index.Stats().TailDocs >= uint64(8*s.tailDocs())
	s.viewMu.Unlock()
	if s.opts.Manual || !waiting {
		return
	}
	// The save itself is done, so a failure here is not its failure.
	if _, err := s.runJob(context.WithoutCancel(ctx)); err != nil && !errors.Is(err, ErrClosed) {
		s.opts.Logger.Warn("contextforge: sealing the text index", "err", err)
	}
}
