package store

// This file decides what one change writes: the record, its places in the
// orders, the counters and the text index, all in one batch.

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/contextforge-go/contextforge/bm25"
	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/vecindex"
)

// purgePerCommit bounds the expired records that one commit removes, so that
// no save pays for a long absence.
const purgePerCommit = 256

// tx is one commit in the making. It sees the committed state of the store and
// its own changes on top. Everything runs under Store.writeMu.
type tx struct {
	s       *Store
	batch   kv.Batch
	index   *bm25.Tx
	vectors []*vecindex.Tx // by generation
	st      state
	now     Time
	changes int

	ids      map[string]uint64   // changed ids: their docNum, 0 when removed
	added    map[uint64]*stored  // records put by this tx and still there
	sessions map[string]struct{} // of records put or removed
	removed  map[uint64]bool     // committed records that this tx removes
	counts   map[string]int64    // changed scopes: their live entries
	versions map[string][]uint64 // ids: versions that this tx adds to their history
	pending  map[uint64]bool     // records: whether they wait for vectors now, where that has changed
	texts    map[text]*stored    // added, by what Dedup compares; nil until it is asked for
	embedded map[uint64]bool     // committed records that got vectors, or failed to
	evicted  []Eviction

	cleared     bool              // nothing committed before counts any more
	order       []*stored         // added, oldest first; nil when stale
	evictAtMost int               // > 0: bound of this tx's evictions; the rest is for a next one
	raised      map[string][]byte // order prefix: last key evicted, see hint.go
}

func (s *Store) beginTx() *tx {
	t := &tx{
		s: s, batch: s.kv.NewBatch(), index: s.index.Begin(), st: s.st, now: TimeOf(s.opts.Now()),
		ids: map[string]uint64{}, added: map[uint64]*stored{}, removed: map[uint64]bool{}, counts: map[string]int64{},
		versions: map[string][]uint64{}, raised: map[string][]byte{}, pending: map[uint64]bool{}, embedded: map[uint64]bool{},
	}
	for _, g := range s.generations {
		t.vectors = append(t.vectors, g.index.Begin())
	}
	return t
}

func (t *tx) drop() {
	if err := t.batch.Close(); err != nil {
		t.s.opts.Logger.Warn("contextforge: releasing a batch", "err", err)
	}
}

// lookup returns the docNum of an id, 0 when the store does not hold it.
func (t *tx) lookup(id string) (uint64, error) {
	if num, ok := t.ids[id]; ok {
		return num, nil
	}
	if t.cleared {
		return 0, nil
	}
	return lookupID(t.s.kv, id)
}

// find returns the record of an id, or nil.
func (t *tx) find(id string) (*stored, error) {
	num, err := t.lookup(id)
	if err != nil || num == 0 {
		return nil, err
	}
	return t.load(num)
}

func (t *tx) load(num uint64) (*stored, error) {
	if rec, ok := t.added[num]; ok {
		return rec, nil
	}
	return readRecord(t.s.kv, num)
}

// put saves an analysed record under a new docNum; old, if not nil, is the
// record that has its id until now.
func (t *tx) put(rec, old *stored, e *Embedding) error {
	if old != nil {
		if err := t.unlink(old); err != nil {
			return err
		}
		rec.hasHistory = rec.hasHistory || old.hasHistory
	}
	count, err := t.count(rec.Scope)
	if err != nil {
		return err
	}
	t.changes++
	rec.num = t.st.next
	t.st.next++
	t.st.live++
	t.st.tokens += uint64(rec.TokenCount)
	t.counts[rec.Scope] = count + 1
	t.ids[rec.ID] = rec.num
	t.added[rec.num] = rec
	if t.texts != nil {
		t.noteText(rec)
	}
	t.order = nil
	t.writeRecord(rec)
	t.index.Add(document(rec, *rec.vector))
	return t.embed(rec, e)
}

func (t *tx) writeRecord(rec *stored) {
	at, num := rec.time(), rec.num
	buf := appendRecord(t.s.scratch[:0], rec)
	t.batch.Set(recordKey(num), buf)
	t.s.scratch = buf[:0:min(cap(buf), maxScratch)]
	t.batch.Set(idKey(rec.ID), binary.AppendUvarint(nil, num))
	t.batch.Set(contentKey(rec.Content, num), nil)
	tokens := binary.AppendUvarint(nil, uint64(rec.TokenCount))
	for _, key := range [...][]byte{timeKey(at, num), scopeKey(rec.Scope, at, num)} {
		t.batch.Set(key, tokens)
		t.s.lowerHint(key)
	}
	if rec.SessionID != "" {
		t.batch.Set(sessionKey(rec.SessionID, at, num), tokens)
		t.noteSession(rec.SessionID)
	}
	if exp, ok := rec.expiry(); ok {
		t.st.expiring++
		t.batch.Set(expiryKey(exp, num), nil)
	}
}

func (t *tx) noteSession(session string) {
	if t.sessions == nil {
		t.sessions = map[string]struct{}{}
	}
	t.sessions[session] = struct{}{}
}

// remove deletes a record and its history.
func (t *tx) remove(rec *stored) error {
	if err := t.unlink(rec); err != nil {
		return err
	}
	if !rec.hasHistory {
		return nil
	}
	for _, num := range t.versions[rec.ID] {
		t.batch.Delete(historyKey(rec.ID, num))
	}
	delete(t.versions, rec.ID)
	return scan(t.s.kv, historyPrefix(rec.ID), func(key, _ []byte) (bool, error) {
		t.batch.Delete(key)
		return true, nil
	})
}

// unlink takes a record out of everything but its history.
func (t *tx) unlink(rec *stored) error {
	count, err := t.count(rec.Scope)
	if err != nil {
		return err
	}
	t.changes++
	at, num := rec.time(), rec.num
	if err := t.index.Delete(num, *t.analyzed(rec)); err != nil {
		return err
	}
	if err := t.unembed(num); err != nil {
		return err
	}
	t.st.live--
	t.st.tokens -= uint64(rec.TokenCount)
	t.counts[rec.Scope] = count - 1
	t.ids[rec.ID] = 0
	if _, mine := t.added[num]; mine {
		delete(t.added, num)
		t.texts = nil // another one may be the oldest with its text now
		t.order = nil
	} else {
		t.removed[num] = true
	}
	t.batch.Delete(recordKey(num))
	t.batch.Delete(idKey(rec.ID))
	t.batch.Delete(contentKey(rec.Content, num))
	t.batch.Delete(timeKey(at, num))
	t.batch.Delete(scopeKey(rec.Scope, at, num))
	if rec.SessionID != "" {
		t.batch.Delete(sessionKey(rec.SessionID, at, num))
		t.noteSession(rec.SessionID)
	}
	if exp, ok := rec.expiry(); ok {
		t.st.expiring--
		t.batch.Delete(expiryKey(exp, num))
	}
	return nil
}

// analyzed returns the terms of a record, analysing it now if need be.
func (t *tx) analyzed(rec *stored) *bm25.TermVector {
	if rec.vector == nil {
		v := t.s.analyze(&rec.Record)
		rec.vector = &v
	}
	return rec.vector
}

// count returns the number of live entries in a scope.
func (t *tx) count(scope string) (int64, error) {
	if n, ok := t.counts[scope]; ok || t.cleared {
		return n, nil
	}
	n, err := readCount(t.s.kv, scope)
	return int64(n), err
}

// commit writes everything durably and makes it visible.
func (t *tx) commit() error {
	t.st.commits++
	for scope, n := range t.counts {
		if n <= 0 {
			t.batch.Delete(countKey(scope))
		} else {
			t.batch.Set(countKey(scope), binary.AppendUvarint(nil, uint64(n)))
		}
	}
	t.batch.Set(stateKey(), t.st.encode())
	if err := t.index.Apply(t.batch); err != nil {
		return err
	}
	for _, v := range t.vectors {
		if err := v.Apply(t.batch); err != nil {
			return err
		}
	}
	if err := t.s.kv.Commit(t.batch, kv.Sync); err != nil {
		return err
	}
	t.index.Publish()
	for _, v := range t.vectors {
		v.Publish()
	}
	t.s.st = t.st
	if t.cleared {
		t.s.orders.reset(t.st.commits)
	} else {
		t.s.orders.changed(t.st.commits, t.sessions)
	}
	t.s.raiseHints(t)
	err := t.s.publish()
	if err == nil || errors.Is(err, ErrClosed) {
		return err
	}
	// It is committed, but readers go on seeing the state before, on which no write
	// may build.
	return fmt.Errorf("%w: committed, but not shown before the store is opened again: %w", kv.ErrFailed, err)
}

// clear removes everything.
func (t *tx) clear() {
	t.changes++
	for _, family := range [...]byte{famRecord, famID, famTime, famScope, famSession, famExpiry, famHistory, famCount, famContent, famPending} {
		t.batch.DeleteRange([]byte{family}, []byte{family + 1})
	}
	t.index.Clear()
	for _, v := range t.vectors {
		v.Clear()
	}
	clear(t.pending)
	clear(t.added)
	t.texts = nil
	clear(t.ids)
	clear(t.counts)
	clear(t.versions)
	t.order = nil
	t.cleared = true
	t.st.live, t.st.tokens, t.st.expiring, t.st.pending = 0, 0, 0, 0
}

// purgeExpired removes records whose time is up, at most limit of them.
func (t *tx) purgeExpired(limit int) error {
	if t.st.expiring == 0 {
		return nil
	}
	var due []uint64
	err := scan(t.s.kv, []byte{famExpiry}, func(key, _ []byte) (bool, error) {
		at, num, err := parseTimeNum(key)
		if err != nil || at.Compare(t.now) > 0 || len(due) == limit {
			return false, err
		}
		if !t.removed[num] {
			due = append(due, num)
		}
		return true, nil
	})
	if err != nil {
		return err
	}
	for _, num := range due {
		rec, err := t.load(num)
		if err != nil {
			return err
		}
		if err := t.remove(rec); err != nil {
			return err
		}
		t.evicted = append(t.evicted, Eviction{ID: rec.ID, Scope: rec.Scope, Expired: true})
	}
	return nil
}

// sortedAdded returns the records that this tx added, oldest first.
func (t *tx) sortedAdded() []*stored {
	if t.order == nil {
		t.order = make([]*stored, 0, len(t.added))
		for _, rec := range t.added {
			t.order = append(t.order, rec)
		}
		slices.SortFunc(t.order, compareAge)
	}
	return t.order
}

// compareAge orders records oldest first, and among equals the earliest saved.
func compareAge(a, b *stored) int {
	if c := a.time().Compare(b.time()); c != 0 {
		return c
	}
	return cmp.Compare(a.num, b.num)
}

func lookupID(r kv.Reader, id string) (uint64, error) {
	value, closer, err := r.Get(idKey(id))
	if errors.Is(err, kv.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	d := decoder{b: value}
	num := d.uvarint()
	return num, errors.Join(d.err, closer.Close())
}

func readCount(r kv.Reader, scope string) (uint64, error) {
	value, closer, err := r.Get(countKey(scope))
	if errors.Is(err, kv.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	d := decoder{b: value}
	n := d.uvarint()
	return n, errors.Join(d.err, closer.Close())
}

// readRecord returns the record of a docNum that an index names; its absence
// is a corruption.
func readRecord(r kv.Reader, num uint64) (*stored, error) {
	value, closer, err := r.Get(recordKey(num))
	if err != nil {
		return nil, missingRecord(num, err)
	}
	rec, err := decodeRecord(num, value)
	return rec, errors.Join(err, closer.Close())
}
