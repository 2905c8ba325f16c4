package store

// This file decides the life of a store: opening, publishing states to
// readers, closing.

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/contextforge-go/contextforge/bm25"
	"github.com/contextforge-go/contextforge/bm25/analyzer"
	"github.com/contextforge-go/contextforge/kv"
	"github.com/contextforge-go/contextforge/vecindex"
)

// maxScratch bounds the write buffer that is kept between saves.
const maxScratch = 1 << 20

// Options configures a Store. KV, Analyzer, Now and Logger are required.
type Options struct {
	KV       kv.Store // owned by the Store from Open on
	Analyzer analyzer.Analyzer
	Now      func() time.Time
	Logger   *slog.Logger

	MaxEntries   int // ≤ 0: unlimited
	MaxPerScope  int // ≤ 0: unlimited
	HistoryLimit int // versions kept of an updated entry; < 0: all
	// Evicted, when set, receives what left without being deleted, after the
	// commit, on the goroutine of the operation that caused it.
	Evicted func(context.Context, []Eviction)
	// Shown, when set, returns a name (an id, a scope) as errors may show it.
	Shown func(name string) string

	// Extra, when set, says what a record is found by beside its content. ExtraName
	// names its rules: a store that was indexed by others is reindexed. What it
	// says may depend on nothing but the record.
	Extra     func(*Record) Extra
	ExtraName string

	// Index carries the tuning of the text index; Prefix and Tail are set by
	// the store.
	Index bm25.Options
	// Model is the embedder's, the zero value without one; Vectors carries the
	// tuning of the vector index, whose Prefix is set by the store.
	Model   Model
	Vectors vecindex.Options
	// Sentence, when set, makes room for a second vector of records, beside those
	// of their windows and of the same model; it reports whether a content has
	// one.
	Sentence func(content string) bool
	// Manual leaves seals and merges of the text index to calls of Maintain
	// instead of a goroutine in the background.
	Manual bool
}

// Store is a durable collection of records. See the package documentation for
// what it guarantees.
type Store struct {
	opts Options
	kv   kv.Store

	queueMu sync.Mutex // guards queue, leading, closed
	idle    *sync.Cond // signalled when leading becomes false
	queue   []*request
	leading bool
	closed  bool
	crowded atomic.Bool // the last group had several members

	writeMu sync.Mutex // held while a commit is built, written and published
	failure error      // why changes are refused until the store is opened again
	st      state
	index   *bm25.Index
	hints   map[string][]byte
	scratch []byte

	generations []*generation // vectors, by model
	orders      *orderCache   // of sessions

	viewMu  sync.Mutex // guards view, its refs, readers, dropped
	dropped bool       // the store is closing, no view is published any more
	view    *viewState
	readers int        // views handed out and not closed
	unread  *sync.Cond // signalled when readers becomes 0
	loaded  atomic.Bool

	jobMu sync.Mutex // one seal or merge at a time
	jobs  worker
	pool  sync.Pool // *termCounter
}

// Open opens the store inside o.KV, creating it when there is none. Its cost
// does not depend on the number of records, unless the limits have shrunk or
// the analyzer has changed, which reindexes. On an error o.KV is not closed.
func Open(ctx context.Context, o Options) (*Store, error) {
	s := &Store{opts: o, kv: o.KV, hints: map[string][]byte{}}
	s.idle, s.unread = sync.NewCond(&s.queueMu), sync.NewCond(&s.viewMu)
	var err error
	if s.st, err = readState(s.kv); err != nil {
		return nil, err
	}
	s.orders = newOrderCache(s.st.commits)
	if s.index, err = s.openIndex(s.st.epoch); err != nil {
		return nil, err
	}
	if err := s.openVectors(); err != nil {
		return nil, err
	}
	if err := s.publish(); err != nil {
		return nil, err
	}
	if err := s.settle(ctx); err != nil {
		return nil, errors.Join(err, s.dropView())
	}
	if !o.Manual {
		s.startWorker()
	}
	return s, nil
}

func (s *Store) openIndex(epoch byte) (*bm25.Index, error) {
	o := s.opts.Index
	o.Prefix = textPrefix(epoch)
	o.Tail = s.documentsFrom
	return bm25.Open(s.kv, o)
}

// shown returns a name as errors may show it.
func (s *Store) shown(name string) string {
	if s.opts.Shown == nil {
		return name
	}
	return s.opts.Shown(name)
}

// settle brings what is stored up to what the options and this version ask for.
func (s *Store) settle(ctx context.Context) error {
	if s.st.schema < schemaVersion {
		s.opts.Logger.Warn("contextforge: the store is of an earlier version, rebuilding it", "version", s.st.schema, "now", schemaVersion, "entries", s.st.live)
		if err := s.Rebuild(ctx); err != nil {
			return err
		}
	}
	if err := s.checkAnalyzer(ctx); err != nil {
		return err
	}
	return s.checkModel(ctx)
}

// checkAnalyzer reindexes a store whose text was analysed by other rules.
func (s *Store) checkAnalyzer(ctx context.Context) error {
	if _, err := kv.GetCopy(s.kv, nil, rebuildKey()); err == nil {
		s.opts.Logger.Warn("contextforge: a rebuild was cut off, starting it again")
		return s.Rebuild(ctx)
	} else if !errors.Is(err, kv.ErrNotFound) {
		return err
	}
	name := s.analysisName()
	stored, err := kv.GetCopy(s.kv, nil, analyzerKey())
	switch {
	case errors.Is(err, kv.ErrNotFound) && s.st.live == 0:
		return s.submit(ctx, func(t *tx) error {
			t.changes++
			t.batch.Set(analyzerKey(), []byte(name))
			return nil
		})
	case err != nil && !errors.Is(err, kv.ErrNotFound):
		return err
	case string(stored) == name:
		return nil
	}
	s.opts.Logger.Warn("contextforge: the analyzer has changed, reindexing", "stored", string(stored), "now", name, "entries", s.st.live)
	return s.Rebuild(ctx)
}

// viewState is a published state, shared by the readers that hold it.
type viewState struct {
	snap  kv.Snapshot
	index *bm25.View
	st    state
	// vectors are those of the model in use, nil without one, sentences the second
	// ones of records, nil unless there are such; generations are those of all
	// models.
	vectors     *vecindex.View
	sentences   *vecindex.View
	generations []generationView

	refs int        // readers, plus one while it is the current state
	base *viewState // the state whose snapshot this one borrows, if any
}

// publish makes the committed state the one that new readers see. The caller
// holds writeMu or is Open.
func (s *Store) publish() error {
	snap, err := s.kv.Snapshot()
	if err != nil {
		return fmt.Errorf("store: snapshot: %w", err)
	}
	next := &viewState{snap: snap, index: s.index.View(), st: s.st, refs: 1}
	for _, g := range s.generations {
		view := g.index.View()
		next.generations = append(next.generations, generationView{g, view})
		switch {
		case g.model == s.opts.Model:
			next.vectors = view
		case s.inUse(g.model):
			next.sentences = view
		}
	}
	s.viewMu.Lock()
	if s.dropped {
		s.viewMu.Unlock()
		return errors.Join(ErrClosed, snap.Close())
	}
	old := s.view
	s.view = next
	s.viewMu.Unlock()
	s.wakeWorker(next.index.Stats())
	if old == nil {
		return nil
	}
	return s.release(old)
}

// dropView ends the handing out of views for good.
func (s *Store) dropView() error {
	s.viewMu.Lock()
	old := s.view
	s.view, s.dropped = nil, true
	s.viewMu.Unlock()
	if old == nil {
		return nil
	}
	return s.release(old)
}

func (s *Store) release(v *viewState) error {
	s.viewMu.Lock()
	v.refs--
	last := v.refs == 0
	s.viewMu.Unlock()
	switch {
	case !last:
		return nil
	case v.base != nil:
		return s.release(v.base)
	}
	return v.snap.Close()
}

// ensureLoaded brings the part of the text index that lives in memory up to
// date, once, on its first use.
func (s *Store) ensureLoaded(ctx context.Context) error {
	if s.loaded.Load() {
		return nil
	}
	s.writeMu.Lock()
	defer s.writeMu.Unlock()
	if s.loaded.Load() {
		return nil
	}
	v, err := s.View()
	if err != nil {
		return err
	}
	if err := s.index.Load(ctx, v.state.snap); err != nil {
		return errors.Join(fmt.Errorf("store: loading the text index: %w", err), v.Close())
	}
	s.loaded.Store(true)
	return errors.Join(s.publishLoaded(v.state), v.Close())
}

// publishLoaded makes the current state one that can be searched. It keeps the
// snapshot: after a commit that failed, a new one could show that commit.
func (s *Store) publishLoaded(old *viewState) error {
	next := &viewState{
		snap: old.snap, index: s.index.View(), st: old.st, vectors: old.vectors, sentences: old.sentences, generations: old.generations, refs: 1, base: old,
	}
	s.viewMu.Lock()
	closed := s.view == nil
	if !closed {
		s.view = next // which takes over the reference that kept old current
	}
	s.viewMu.Unlock()
	if closed {
		return ErrClosed
	}
	s.wakeWorker(next.index.Stats())
	return nil
}

// documentsFrom yields the documents with docNum ≥ from, analysed.
func (s *Store) documentsFrom(r kv.Reader, from uint64) iter.Seq2[bm25.Doc, error] {
	return func(yield func(bm25.Doc, error) bool) {
		for rec, err := range recordsFrom(r, from) {
			if err != nil {
				yield(bm25.Doc{}, err)
				return
			}
			if !yield(document(rec, s.analyze(&rec.Record)), nil) {
				return
			}
		}
	}
}

// document returns what the text index needs to know of a record.
func document(rec *stored, v bm25.TermVector) bm25.Doc {
	at := rec.time()
	exp, expires := rec.expiry()
	d := bm25.Doc{
		Num: rec.num, ID: rec.ID, Scope: rec.Scope, Session: rec.SessionID, Kind: rec.Kind,
		Sec: at.Sec, Nsec: at.Nsec, Expires: expires, Cost: uint32(rec.TokenCount), Vector: v,
	}
	if expires {
		d.ExpSec, d.ExpNsec = exp.Sec, exp.Nsec
	}
	return d
}

// Close waits for the changes and views that are under way and closes the
// key-value store. Further calls return ErrClosed.
func (s *Store) Close() error {
	s.queueMu.Lock()
	if s.closed {
		s.queueMu.Unlock()
		return ErrClosed
	}
	s.closed = true
	s.waitIdle()
	s.queueMu.Unlock()
	s.stopWorker()
	s.jobMu.Lock() // a rebuild or a merge that a caller asked for ends first
	s.writeMu.Lock()
	err := s.dropView()
	s.writeMu.Unlock()
	s.jobMu.Unlock()
	s.viewMu.Lock()
	for s.readers > 0 {
		s.unread.Wait()
	}
	s.viewMu.Unlock()
	return errors.Join(err, s.kv.Close())
}

// recordsFrom yields the records with docNum ≥ from, in the order of docNums.
func recordsFrom(r kv.Reader, from uint64) iter.Seq2[*stored, error] {
	return func(yield func(*stored, error) bool) {
		err := scanFrom(r, recordKey(from), []byte{famRecord + 1}, func(key, value []byte) (bool, error) {
			num, err := parseNum(key)
			if err != nil {
				return false, err
			}
			rec, err := decodeRecord(num, value)
			if err != nil {
				return false, fmt.Errorf("record %d: %w", num, err)
			}
			return yield(rec, nil), nil
		})
		if err != nil {
			yield(nil, err)
		}
	}
}

// scan calls visit for every key under prefix, in order, until it returns
// false or an error.
func scan(r kv.Reader, prefix []byte, visit func(key, value []byte) (bool, error)) error {
	return scanFrom(r, prefix, kv.PrefixEnd(prefix), visit)
}

func scanFrom(r kv.Reader, lower, upper []byte, visit func(key, value []byte) (bool, error)) error {
	it, err := r.Iter(lower, upper)
	if err != nil {
		return err
	}
	for ok := it.First(); ok; ok = it.Next() {
		value, err := it.Value()
		if err == nil {
			ok, err = visit(it.Key(), value)
		}
		if err != nil {
			return errors.Join(err, it.Close())
		}
		if !ok {
			break
		}
	}
	return errors.Join(it.Error(), it.Close())
}
