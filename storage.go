package contextforge

// This file decides what a caller's own storage or search must offer, and how
// the memory works with it.

import (
	"context"
	"fmt"
	"iter"

	"github.com/contextforge-go/contextforge/budget"
	"github.com/contextforge-go/contextforge/internal/store"
	"github.com/contextforge-go/contextforge/vecindex"
)

// Storage keeps entries. A caller's own goes into Config.Storage; then Save,
// SaveBatch, Query, TopK, List, Delete, Clear, ClearScope and Count work
// through it and the Searcher alone, and every other method returns
// ErrUnsupported. Capacities and the removal of expired entries are up to the
// Storage then. Implementations must be safe for concurrent use.
type Storage interface {
	// Save stores an entry; one with the same id is replaced. The entry is
	// written verbatim: Memory has redacted its secrets before.
	Save(ctx context.Context, e Entry) error
	// SaveBatch stores all entries or none; of several with one id the last
	// wins.
	SaveBatch(ctx context.Context, entries []Entry) error
	// TopK returns the k entries with the newest timestamps, newest first.
	TopK(ctx context.Context, k int) ([]Entry, error)
	// All yields every entry, newest first.
	All(ctx context.Context) iter.Seq2[Entry, error]
	// Delete reports whether there was an entry with the id.
	Delete(ctx context.Context, id string) (bool, error)
	// Clear removes everything and returns the number of entries.
	Clear(ctx context.Context) (int, error)
	// ClearScope removes the entries of exactly this scope, "" being the global
	// one, and returns their number.
	ClearScope(ctx context.Context, scope string) (int, error)
	// Count returns the number of entries.
	Count(ctx context.Context) (int, error)
}

// Searcher finds entries by their text: natural language, never syntax. A text
// without words gives an empty result, MatchAll every entry, newest first, with
// score 1. scope "" means all scopes, any other exactly that one. At most limit
// entries come back, best first; 0 gives none, a negative limit all.
// Implementations must be safe for concurrent use.
type Searcher interface {
	Search(ctx context.Context, query, scope string, limit int) ([]ScoredEntry, error)
}

// ScoredEntry is an entry with the score a Searcher gave it; larger is better.
type ScoredEntry struct {
	Entry Entry   `json:"entry"`
	Score float64 `json:"score"`
}

// FilteredSearcher is a Searcher that can also restrict a search by every field
// of Filter. Without it a query with such a filter returns ErrUnsupported.
type FilteredSearcher interface {
	Searcher
	SearchFiltered(ctx context.Context, query string, f Filter, limit int) ([]ScoredEntry, error)
}

// Engine is the low level of the built-in memory: a Storage and a Searcher that
// write verbatim, secrets in texts, metadata and names included, whatever
// Config.Scrub says, and search without ranking. An Embedder is given redacted
// texts all the same. Memory.AuditSecrets finds what got into a store this way. It
// is valid until the Memory is closed.
type Engine struct{ m *Memory }

var (
	_ Storage          = (*Engine)(nil)
	_ FilteredSearcher = (*Engine)(nil)
)

// Engine returns the low level, or ErrUnsupported with a plugged Storage.
func (m *Memory) Engine() (*Engine, error) {
	if m.store == nil {
		return nil, unsupported("Engine")
	}
	return &Engine{m}, nil
}

// Save implements Storage: verbatim, without redaction.
func (g *Engine) Save(ctx context.Context, e Entry) error {
	return g.SaveBatch(ctx, []Entry{e})
}

// SaveBatch implements Storage: verbatim, without redaction. Missing token counts
// are filled in.
func (g *Engine) SaveBatch(ctx context.Context, entries []Entry) error {
	out := make([]Entry, len(entries))
	for i, e := range entries {
		var err error
		if e.ID == "" {
			err = fmt.Errorf("%w: id must not be empty", ErrInvalidEntry)
		} else if e.Metadata, err = tidyMetadata(e.Metadata); err == nil {
			err = g.m.complete(&e)
		}
		if err != nil {
			return fmt.Errorf("contextforge: save: %w", err)
		}
		out[i] = e
	}
	_, err := g.m.write(ctx, out, func(int, *store.Draft) {})
	return err
}

// TopK implements Storage.
func (g *Engine) TopK(ctx context.Context, k int) ([]Entry, error) { return g.m.TopK(ctx, k) }

// All implements Storage.
func (g *Engine) All(ctx context.Context) iter.Seq2[Entry, error] { return g.m.List(ctx, Filter{}) }

// Delete implements Storage.
func (g *Engine) Delete(ctx context.Context, id string) (bool, error) { return g.m.Delete(ctx, id) }

// Clear implements Storage.
func (g *Engine) Clear(ctx context.Context) (int, error) { return g.m.Clear(ctx) }

// ClearScope implements Storage.
func (g *Engine) ClearScope(ctx context.Context, scope string) (int, error) {
	return g.m.ClearScope(ctx, scope)
}

// Count implements Storage.
func (g *Engine) Count(ctx context.Context) (int, error) { return g.m.Count(ctx) }

// Search implements Searcher: BM25 scores, best first.
func (g *Engine) Search(ctx context.Context, query, scope string, limit int) ([]ScoredEntry, error) {
	return g.SearchFiltered(ctx, query, Filter{Scope: scope}, limit)
}

// SearchFiltered implements FilteredSearcher.
func (g *Engine) SearchFiltered(ctx context.Context, query string, f Filter, limit int) ([]ScoredEntry, error) {
	sf, err := f.compile(g.m.cfg.Clock())
	if err != nil || limit == 0 {
		return nil, err
	}
	v, err := g.m.store.SearchView(ctx)
	if err != nil {
		return nil, fmt.Errorf("contextforge: search: %w", err)
	}
	src := viewSource{v}
	out, err := collect(ctx, src, query, sf, limit)
	if err2 := src.close(); err == nil {
		err = err2
	}
	if err != nil {
		return nil, fmt.Errorf("contextforge: search: %w", err)
	}
	return out, nil
}

func collect(ctx context.Context, src source, query string, f store.Filter, limit int) ([]ScoredEntry, error) {
	var list []found
	if query == MatchAll {
		for p, err := range src.newest(ctx, f) {
			if err != nil {
				return nil, err
			}
			list = append(list, p)
			if len(list) == limit {
				break
			}
		}
	} else {
		var err error
		if list, err = src.search(ctx, query, f, limit); err != nil {
			return nil, err
		}
	}
	out := make([]ScoredEntry, len(list))
	for i, p := range list {
		e, err := src.entry(ctx, p.num)
		if err != nil {
			return nil, err
		}
		out[i] = ScoredEntry{Entry: *e, Score: p.score}
	}
	return out, nil
}

// pluggedSource asks a caller's Searcher. It numbers the entries as they come.
type pluggedSource struct {
	searcher Searcher
	counter  budget.Counter
	filter   Filter
	nums     map[string]uint64
	entries  []*Entry
}

func (s *pluggedSource) search(ctx context.Context, text string, f store.Filter, limit int) ([]found, error) {
	hits, err := s.ask(ctx, text, f, limit)
	if err != nil {
		return nil, err
	}
	var out []found
	seen := make(map[uint64]bool, len(hits))
	for i := range hits {
		h := &hits[i]
		if !f.Match((*record)(&h.Entry)) {
			continue
		}
		if p := s.number(h); !seen[p.num] {
			seen[p.num] = true
			out = append(out, p)
		}
	}
	return out, nil
}

// A Searcher knows words alone; an Embedder beside it is refused by Open.
func (s *pluggedSource) similar(context.Context, []float32, store.Filter, int) ([]found, error) {
	return nil, ErrUnsupported
}

func (s *pluggedSource) survey(context.Context, []float32, store.Filter, int) ([]found, vecindex.Distribution, error) {
	return nil, vecindex.Distribution{}, ErrUnsupported
}

func (s *pluggedSource) scores(context.Context, string, []uint64) ([]float64, []bool, error) {
	return nil, nil, ErrUnsupported
}

func (s *pluggedSource) cosines(context.Context, []float32, []uint64) ([]float32, []bool, error) {
	return nil, nil, ErrUnsupported
}

func (s *pluggedSource) approximate(context.Context, []float32, []uint64) ([]float32, []bool, error) {
	return nil, nil, ErrUnsupported
}

func (s *pluggedSource) sentences(context.Context, []float32, []uint64) ([]float32, []bool, error) {
	return nil, nil, ErrUnsupported
}

func (s *pluggedSource) around(context.Context, store.Filter, []uint64, int, int) ([]store.Turn, error) {
	return nil, nil
}

func (s *pluggedSource) words(context.Context, string, []string, store.Filter, []uint64) (*store.Words, error) {
	return nil, nil
}

func (s *pluggedSource) ask(ctx context.Context, text string, f store.Filter, limit int) ([]ScoredEntry, error) {
	if fs, ok := s.searcher.(FilteredSearcher); ok {
		return fs.SearchFiltered(ctx, text, s.filter.with(f.Kinds), limit)
	}
	if f.ScopeOnly() {
		return s.searcher.Search(ctx, text, f.Scope, limit)
	}
	return nil, fmt.Errorf("%w: the Searcher in Config has no SearchFiltered, so a query can only be restricted by scope", ErrUnsupported)
}

// with returns the filter restricted to kinds, those of a reserved place.
func (f Filter) with(kinds []string) Filter {
	f.Kinds = kinds
	return f
}

func (s *pluggedSource) number(h *ScoredEntry) found {
	num, ok := s.nums[h.Entry.ID]
	if !ok {
		if s.nums == nil {
			s.nums = map[string]uint64{}
		}
		s.entries = append(s.entries, &h.Entry)
		num = uint64(len(s.entries))
		s.nums[h.Entry.ID] = num
	}
	tokens := h.Entry.TokenCount
	if tokens <= 0 {
		tokens = s.counter.Count(h.Entry.Content)
	}
	return found{num: num, id: h.Entry.ID, kind: h.Entry.Kind, time: store.TimeOf(h.Entry.Timestamp), tokens: tokens, score: h.Score}
}

func (s *pluggedSource) newest(ctx context.Context, f store.Filter) iter.Seq2[found, error] {
	return func(yield func(found, error) bool) {
		list, err := s.search(ctx, MatchAll, f, Unlimited)
		if err != nil {
			yield(found{}, err)
			return
		}
		for _, p := range list {
			p.score = 1
			if !yield(p, nil) {
				return
			}
		}
	}
}

func (s *pluggedSource) entry(_ context.Context, num uint64) (*Entry, error) {
	return s.entries[num-1], nil
}

func (s *pluggedSource) filters() bool {
	_, ok := s.searcher.(FilteredSearcher)
	return ok
}

func (s *pluggedSource) close() error { return nil }

func (m *Memory) listPlugged(ctx context.Context, f store.Filter, visit func(Entry) bool) error {
	for e, err := range m.storage.All(ctx) {
		if err != nil {
			return err
		}
		if f.Match((*record)(&e)) && !visit(e) {
			return nil
		}
	}
	return nil
}

func (m *Memory) countPlugged(ctx context.Context, f Filter) (int, error) {
	if f.isEmpty() {
		return m.storage.Count(ctx)
	}
	n := 0
	for _, err := range m.List(ctx, f) {
		if err != nil {
			return 0, err
		}
		n++
	}
	return n, nil
}
