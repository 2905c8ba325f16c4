package store

// This file decides what a sound store is: every record has its id and its
// places in the orders, nothing else is there, counters and text index agree.

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"

	"github.com/contextforge-go/contextforge/bm25"
	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/vecindex"
)

// maxProblems bounds the length of a verification's report.
const maxProblems = 100

// Verify reads the whole store and returns all that is wrong with it, joined;
// nil when it is sound. It works on one View, while changes go on.
func (s *Store) Verify(ctx context.Context) error {
	v, err := s.SearchView(ctx)
	if err != nil {
		return err
	}
	c := &check{v: v, ctx: ctx, found: map[byte]uint64{}, counts: map[string]uint64{}}
	if err := s.kv.Verify(ctx); err != nil {
		c.problems = append(c.problems, err)
	}
	c.problems = append(c.problems, c.all(), v.Close())
	return errors.Join(c.problems...)
}

type check struct {
	v        *View
	ctx      context.Context
	found    map[byte]uint64 // family: keys that records ask for
	counts   map[string]uint64
	sum      state
	problems []error
}

func (c *check) report(format string, args ...any) {
	if len(c.problems) < maxProblems {
		c.problems = append(c.problems, fmt.Errorf("%w: "+format, append([]any{kv.ErrCorrupt}, args...)...))
	}
}

// all returns the error that ended the check early; what it found is reported.
func (c *check) all() error {
	snap := c.v.state.snap
	for rec, err := range recordsFrom(snap, 0) {
		if err == nil {
			err = c.ctx.Err()
		}
		if err != nil {
			return err
		}
		if err := c.record(rec); err != nil {
			return err
		}
	}
	c.counters()
	for family, want := range c.found {
		got, err := countKeys(snap, family)
		if err != nil {
			return err
		}
		if got != want {
			c.report("%d keys of family %#x, the records ask for %d", got, family, want)
		}
	}
	err := scan(snap, []byte{famHistory}, func(key, _ []byte) (bool, error) {
		owned, err := ownsHistory(snap, key)
		if err == nil && !owned {
			c.report("history under key %x belongs to no entry", key)
		}
		return true, err
	})
	if err != nil {
		return err
	}
	if err := c.vectors(); err != nil {
		return err
	}
	return c.v.state.index.Verify(c.ctx, snap, c.documents())
}

// vectors checks that vectors and queue are those of records.
func (c *check) vectors() error {
	snap := c.v.state.snap
	waiting := uint64(0)
	err := scan(snap, []byte{famPending}, func(key, value []byte) (bool, error) {
		waiting++
		if !isNumKey(key) {
			c.report("key %x of a waiting record", key)
			return true, nil
		}
		num, err := parseNum(key)
		if err != nil {
			return false, err
		}
		if _, err := decodePending(value); err != nil {
			c.report("waiting record %d: %v", num, err)
		}
		ok, err := has(snap, recordKey(num))
		if err == nil && !ok {
			c.report("record %d, which is not there, waits for vectors", num)
		}
		return true, err
	})
	if err != nil {
		return err
	}
	if st := c.v.state.st; st.pending != waiting {
		c.report("counter of waiting entries is %d, there are %d", st.pending, waiting)
	}
	stray, err := strayEpochs(snap)
	if err != nil {
		return err
	}
	for _, epoch := range stray {
		c.report("vectors under key %x are of no model", vectorPrefix(epoch))
	}
	for _, g := range c.v.state.generations {
		if err := g.view.Verify(c.ctx, snap, c.owners()); err != nil {
			c.problems = append(c.problems, fmt.Errorf("vectors of %s: %w", g.model.ID, err))
		}
	}
	return nil
}

// owners yields the records as those that may have vectors.
func (c *check) owners() iter.Seq2[vecindex.DocRef, error] {
	return func(yield func(vecindex.DocRef, error) bool) {
		for rec, err := range recordsFrom(c.v.state.snap, 0) {
			ref := vecindex.DocRef{Windows: -1}
			if err == nil {
				ref.Num, ref.Scope = rec.num, rec.Scope
			}
			if !yield(ref, err) {
				return
			}
		}
	}
}

func (c *check) documents() iter.Seq2[bm25.Doc, error] {
	return c.v.s.documentsFrom(c.v.state.snap, 0)
}

// record checks the keys that one record asks for.
func (c *check) record(rec *stored) error {
	at, num := rec.time(), rec.num
	tokens := binary.AppendUvarint(nil, uint64(rec.TokenCount))
	c.sum.live++
	c.sum.tokens += uint64(rec.TokenCount)
	c.sum.next = max(c.sum.next, num+1)
	c.counts[rec.Scope]++
	wants := []struct{ key, value []byte }{
		{idKey(rec.ID), binary.AppendUvarint(nil, num)},
		{timeKey(at, num), tokens},
		{scopeKey(rec.Scope, at, num), tokens},
		{contentKey(rec.Content, num), nil},
	}
	if rec.SessionID != "" {
		wants = append(wants, struct{ key, value []byte }{sessionKey(rec.SessionID, at, num), tokens})
	}
	if exp, ok := rec.expiry(); ok {
		c.sum.expiring++
		wants = append(wants, struct{ key, value []byte }{expiryKey(exp, num), nil})
	}
	for _, w := range wants {
		c.found[w.key[0]]++
		got, err := kv.GetCopy(c.v.state.snap, nil, w.key)
		switch {
		case errors.Is(err, kv.ErrNotFound):
			c.report("entry %q lacks its key %s", c.v.s.shown(rec.ID), c.shownKey(rec, w.key))
		case err != nil:
			return err
		case !bytes.Equal(got, w.value):
			c.report("entry %q: key %s holds %x, want %x", c.v.s.shown(rec.ID), c.shownKey(rec, w.key), got, w.value)
		}
	}
	return nil
}

// shownKey returns a key of a record as a report may show it: of one with a name
// that must not be shown, its family alone.
func (c *check) shownKey(rec *stored, key []byte) string {
	for _, name := range [...]string{rec.ID, rec.Scope, rec.SessionID} {
		if c.v.s.shown(name) != name {
			return fmt.Sprintf("of family %#x", key[0])
		}
	}
	return fmt.Sprintf("%x", key)
}

func (c *check) counters() {
	st := c.v.state.st
	for _, n := range []struct {
		what      string
		got, want uint64
	}{{"entries", st.live, c.sum.live}, {"tokens", st.tokens, c.sum.tokens}, {"expiring", st.expiring, c.sum.expiring}} {
		if n.got != n.want {
			c.report("counter of %s is %d, the records give %d", n.what, n.got, n.want)
		}
	}
	if st.next < c.sum.next {
		c.report("next record number %d was used already", st.next)
	}
	for scope, want := range c.counts {
		c.found[famCount]++
		got, err := readCount(c.v.state.snap, scope)
		if err != nil || got != want {
			c.report("scope %q counts %d entries (%v), the records give %d", c.v.s.shown(scope), got, err, want)
		}
	}
	for _, family := range [...]byte{famID, famTime, famScope, famSession, famExpiry, famCount, famContent} {
		c.found[family] += 0
	}
}

func countKeys(r kv.Reader, family byte) (n uint64, err error) {
	err = scan(r, []byte{family}, func(_, _ []byte) (bool, error) {
		n++
		return true, nil
	})
	return n, err
}
