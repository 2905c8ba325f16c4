package store

// This file decides how a frozen state is read: by id, in order of time, by
// counting.

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/contextforge-go/contextforge/bm25"
	"github.com/contextforge-go/contextforge/kv"
)

// View is one frozen state of the store. It belongs to one goroutine at a time
// and must be closed.
type View struct {
	s     *Store
	state *viewState
}

// View returns the state of the last finished commit.
func (s *Store) View() (*View, error) {
	s.viewMu.Lock()
	defer s.viewMu.Unlock()
	if s.view == nil {
		return nil, ErrClosed
	}
	s.view.refs++
	s.readers++
	return &View{s: s, state: s.view}, nil
}

// SearchView returns a View that can be searched, which the first time after
// opening loads the newest part of the text index.
func (s *Store) SearchView(ctx context.Context) (*View, error) {
	if err := s.ensureLoaded(ctx); err != nil {
		return nil, err
	}
	return s.View()
}

// Close releases the view.
func (v *View) Close() error {
	if v.state == nil {
		return nil
	}
	st, s := v.state, v.s
	v.state = nil
	err := s.release(st)
	s.viewMu.Lock()
	if s.readers--; s.readers == 0 {
		s.unread.Broadcast()
	}
	s.viewMu.Unlock()
	return err
}

// Get returns the record of an id, expired or not, or ErrNotFound.
func (v *View) Get(id string) (*Record, error) {
	num, err := lookupID(v.state.snap, id)
	if err != nil {
		return nil, err
	}
	if num == 0 {
		return nil, fmt.Errorf("%w: %q", ErrNotFound, v.s.shown(id))
	}
	return v.Record(num)
}

// Record returns the record of a docNum that this view's search or order gave.
func (v *View) Record(num uint64) (*Record, error) {
	rec, err := readRecord(v.state.snap, num)
	if err != nil {
		return nil, err
	}
	return &rec.Record, nil
}

// Search ranks the records that share a term with the query by BM25: score
// descending, then newest, then by id. limit < 0 means all.
func (v *View) Search(ctx context.Context, query string, f Filter, limit int) ([]bm25.Hit, error) {
	return v.state.index.Search(ctx, v.state.snap, v.terms(query), f.text(v), limit)
}

func (v *View) terms(query string) []string {
	return firstDistinct(v.s.opts.Analyzer.Query(nil, query), maxQueryTerms)
}

// maxQueryTerms bounds the distinct terms of a query; what comes behind them is
// left out. A question has some ten; this is for a text pasted as one.
const maxQueryTerms = 1024

// firstDistinct returns the terms up to the limit-th distinct one, and of those
// behind it the repetitions.
func firstDistinct(terms []string, limit int) []string {
	if len(terms) <= limit {
		return terms
	}
	seen := make(map[string]bool, limit)
	kept := terms[:0]
	for _, term := range terms {
		if !seen[term] {
			if len(seen) == limit {
				continue
			}
			seen[term] = true
		}
		kept = append(kept, term)
	}
	return kept
}

// Placed is a record's place in an order of time.
type Placed struct {
	Num    uint64
	Tokens int
	Time   Time
}

// Order yields what the filter allows, newest first and by id among equals,
// without reading the records where that can be avoided.
func (v *View) Order(ctx context.Context, f Filter) iter.Seq2[Placed, error] {
	f = f.reduced(ctx, v)
	return func(yield func(Placed, error) bool) {
		hidden, err := v.hider(ctx, &f)
		if err != nil {
			yield(Placed{}, err)
			return
		}
		for p, err := range v.newestFirst(&f) {
			hide := false
			if err == nil {
				hide, err = hidden(p.Num)
			}
			if hide {
				continue
			}
			if !yield(p, err) || err != nil {
				return
			}
		}
	}
}

// hider returns a test for what an order lists and the filter leaves out. Where
// only the expiry can do that, the few records that have expired are looked up
// once instead of reading every record; where it is kinds, the text index knows
// them, if it is loaded.
func (v *View) hider(ctx context.Context, f *Filter) (func(num uint64) (bool, error), error) {
	if plain := f.withoutNotKinds(); len(f.NotKinds) > 0 && plain.simple() {
		admits, err := v.state.index.Admitter(ctx, v.state.snap, f.text(v))
		if err == nil {
			return func(num uint64) (bool, error) {
				ok, err := admits(num)
				return !ok, err
			}, nil
		}
	}
	if !f.simple() {
		return func(num uint64) (bool, error) {
			rec, err := readRecord(v.state.snap, num)
			return err == nil && !f.match(rec), err
		}, nil
	}
	expired, err := v.expired(f.AsOf)
	gone := make(map[uint64]bool, len(expired))
	for _, rec := range expired {
		gone[rec.num] = true
	}
	return func(num uint64) (bool, error) { return gone[num], nil }, err
}

// Next returns the docNum that the first record put after this view has. All
// later ones have greater ones.
func (v *View) Next() uint64 { return v.state.st.next }

// List yields the records that the filter allows in the order of Order.
func (v *View) List(f Filter) iter.Seq2[*Record, error] {
	return func(yield func(*Record, error) bool) {
		for p, err := range v.newestFirst(&f) {
			if err != nil {
				yield(nil, err)
				return
			}
			rec, err := readRecord(v.state.snap, p.Num)
			if err != nil {
				yield(nil, err)
				return
			}
			if f.match(rec) && !yield(&rec.Record, nil) {
				return
			}
		}
	}
}

// orderPrefix picks the narrowest order that covers the filter.
func (f *Filter) orderPrefix() []byte {
	if f.SessionID != "" {
		return sessionPrefix(f.SessionID)
	}
	if scope, one := f.scope(); one {
		return scopePrefix(scope)
	}
	return []byte{famTime}
}

// newestFirst walks an order between Since and Until. Places of one instant
// are sorted by id, which the keys do not hold.
func (v *View) newestFirst(f *Filter) iter.Seq2[Placed, error] {
	return func(yield func(Placed, error) bool) {
		var group []Placed
		flush := func() bool {
			if err := v.sortByID(group); err != nil {
				yield(Placed{}, err)
				return false
			}
			for _, p := range group {
				if !yield(p, nil) {
					return false
				}
			}
			group = group[:0]
			return true
		}
		more := true
		err := v.walkBack(f, func(p Placed) bool {
			if len(group) > 0 && group[0].Time != p.Time {
				more = flush()
			}
			group = append(group, p)
			return more
		})
		if err != nil {
			yield(Placed{}, err)
		} else if more {
			flush()
		}
	}
}

func (v *View) walkBack(f *Filter, visit func(Placed) bool) error {
	prefix := f.orderPrefix()
	lower, upper := prefix, kv.PrefixEnd(prefix)
	if f.Since != nil {
		lower = appendTime(slices.Clone(prefix), *f.Since)
	}
	if f.Until != nil {
		upper = appendTime(slices.Clone(prefix), *f.Until)
	}
	if slices.Compare(lower, upper) >= 0 {
		return nil
	}
	it, err := v.state.snap.Iter(lower, upper)
	if err != nil {
		return err
	}
	for ok := it.Last(); ok; ok = it.Prev() {
		p, err := place(it)
		if err != nil {
			return errors.Join(err, it.Close())
		}
		if !visit(p) {
			break
		}
	}
	return errors.Join(it.Error(), it.Close())
}

func place(it kv.Iterator) (Placed, error) {
	at, num, err := parseTimeNum(it.Key())
	if err != nil {
		return Placed{}, err
	}
	value, err := it.Value()
	if err != nil {
		return Placed{}, err
	}
	p := Placed{Num: num, Time: at}
	if len(value) > 0 {
		d := decoder{b: value}
		p.Tokens = int(d.uvarint())
		err = d.err
	}
	return p, err
}

func (v *View) sortByID(group []Placed) error {
	if len(group) < 2 {
		return nil
	}
	ids := make(map[uint64]string, len(group))
	for _, p := range group {
		rec, err := readRecord(v.state.snap, p.Num)
		if err != nil {
			return err
		}
		ids[p.Num] = rec.ID
	}
	slices.SortFunc(group, func(a, b Placed) int { return strings.Compare(ids[a.Num], ids[b.Num]) })
	return nil
}

// Count returns the number of records that the filter allows.
func (v *View) Count(f Filter) (int, error) {
	if f.simple() {
		return v.countSimple(&f)
	}
	n := 0
	for _, err := range v.Order(context.Background(), f) {
		if err != nil {
			return 0, err
		}
		n++
	}
	return n, nil
}

// countSimple takes the counters and subtracts what has expired and is not yet
// purged.
func (v *View) countSimple(f *Filter) (int, error) {
	n := v.state.st.live
	if scope, one := f.scope(); one {
		var err error
		if n, err = readCount(v.state.snap, scope); err != nil {
			return 0, err
		}
	}
	expired, err := v.expired(f.AsOf)
	if err != nil {
		return 0, err
	}
	g := Filter{Scope: f.Scope, GlobalOnly: f.GlobalOnly, AsOf: Time{Sec: -1 << 63}}
	for _, rec := range expired {
		if g.match(rec) {
			n--
		}
	}
	return int(n), nil
}

// expired returns the records whose time is up and that are not yet purged.
func (v *View) expired(now Time) ([]*stored, error) {
	if v.state.st.expiring == 0 {
		return nil, nil
	}
	var out []*stored
	err := scan(v.state.snap, []byte{famExpiry}, func(key, _ []byte) (bool, error) {
		at, num, err := parseTimeNum(key)
		if err != nil || at.Compare(now) > 0 {
			return false, err
		}
		rec, err := readRecord(v.state.snap, num)
		out = append(out, rec)
		return true, err
	})
	return out, err
}

// ScopeCount is a scope and the number of its live records.
type ScopeCount struct {
	Scope string
	Count int
}

// Scopes returns the scopes that hold a record which has not expired, in byte
// order; the global scope, if it holds any, comes first as "".
func (v *View) Scopes(asOf Time) ([]ScopeCount, error) {
	expired, err := v.expired(asOf)
	if err != nil {
		return nil, err
	}
	gone := map[string]int{}
	for _, rec := range expired {
		gone[rec.Scope]++
	}
	var out []ScopeCount
	err = scan(v.state.snap, []byte{famCount}, func(key, value []byte) (bool, error) {
		d := decoder{b: value}
		scope := string(key[1:])
		if n := int(d.uvarint()) - gone[scope]; n > 0 {
			out = append(out, ScopeCount{Scope: scope, Count: n})
		}
		return true, d.err
	})
	return out, err
}

// History returns the earlier versions of an entry, oldest first.
func (v *View) History(id string) ([]Record, error) {
	var out []Record
	for rec, err := range v.Versions(id) {
		if err != nil {
			return nil, err
		}
		out = append(out, *rec)
	}
	return out, nil
}

// Stats are figures of a view.
type Stats struct {
	Entries  int
	Tokens   int
	Expiring int // entries that have an expiry
	Commits  uint64
	Index    bm25.Stats
	Storage  kv.Metrics
}

// Stats returns the figures of this view and of the key-value store.
func (v *View) Stats() Stats {
	st := v.state.st
	return Stats{
		Entries: int(st.live), Tokens: int(st.tokens), Expiring: int(st.expiring), Commits: st.commits,
		Index: v.state.index.Stats(), Storage: v.s.kv.Metrics(),
	}
}

// isNumKey reports whether a key is one of a family and a docNum.
func isNumKey(key []byte) bool { return len(key) == 9 }

func parseNum(key []byte) (uint64, error) {
	if !isNumKey(key) {
		return 0, fmt.Errorf("%w: record key of %d bytes", kv.ErrCorrupt, len(key))
	}
	var n uint64
	for _, b := range key[1:] {
		n = n<<8 | uint64(b)
	}
	return n, nil
}

func missingRecord(num uint64, err error) error {
	if errors.Is(err, kv.ErrNotFound) {
		return fmt.Errorf("%w: an index names record %d, which is missing: run Rebuild", kv.ErrCorrupt, num)
	}
	return err
}
