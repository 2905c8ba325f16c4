package evalbench

// This file decides how a set gets into a memory and how it is asked.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/bench/internal/measure"
	"github.com/contextforge-go/contextforge/render"
)

const (
	// shallow is the limit of the queries that recall, nDCG and MRR are taken from.
	shallow = 50
	// deep is that of the queries for budgets and sessions.
	deep = 500
	// saved is the number of documents in a batch.
	saved = 1000
)

// asked is a set in a memory, or in one for each scope.
type asked struct {
	memories map[string]*contextforge.Memory // by scope; one under "" unless apart
	apart    bool
	set      *Set
	scopes   bool
	tokens   map[string]int       // of each document, by id
	newest   map[string]time.Time // document of each scope; that of all under ""
}

// epoch is the time of a memory with a set that has no times.
func epoch() time.Time { return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) }

// ingest opens a memory of a pipeline, or several, and saves the set; took is the time
// of saving.
func ingest(ctx context.Context, s *Set, p Pipeline, e contextforge.Embedder, scopes bool) (a *asked, took time.Duration, err error) {
	a = &asked{
		set: s, scopes: scopes, apart: p.Apart && scopes, memories: map[string]*contextforge.Memory{},
		tokens: map[string]int{}, newest: map[string]time.Time{"": {}},
	}
	parts := map[string][]Document{}
	var order []string // of the memories
	for _, d := range s.Documents {
		a.tokens[d.ID] = (len(d.Text) + 3) / 4
		for _, scope := range []string{"", d.Scope} {
			if a.newest[scope].Before(d.Time) {
				a.newest[scope] = d.Time
			}
		}
		name := a.memoryOf(d.Scope)
		if parts[name] == nil {
			order = append(order, name)
		}
		parts[name] = append(parts[name], d)
	}
	at := a.after("")
	for _, name := range order {
		c := contextforge.Config{MaxEntries: contextforge.Unlimited, Embedder: e, Clock: func() time.Time { return at }}
		p.Configure(&c)
		m, err := contextforge.Open(ctx, c)
		if err != nil {
			return nil, 0, errors.Join(err, a.close())
		}
		a.memories[name] = m
		each, err := measure.Clock(func() error { return a.save(ctx, m, parts[name]) })
		if err != nil {
			return nil, 0, errors.Join(err, a.close())
		}
		took += each
	}
	return a, took, nil
}

// memoryOf names the memory that has a scope.
func (a *asked) memoryOf(scope string) string {
	if a.apart {
		return scope
	}
	return ""
}

func (a *asked) close() (err error) {
	for _, m := range a.memories {
		err = errors.Join(err, m.Close())
	}
	return err
}

func (a *asked) save(ctx context.Context, m *contextforge.Memory, documents []Document) error {
	for part := range slices.Chunk(documents, saved) {
		items := make([]contextforge.Item, len(part))
		for i, d := range part {
			items[i] = contextforge.Item{Content: d.Text, Kind: d.Kind, SaveOptions: contextforge.SaveOptions{
				ID: d.ID, Scope: a.scope(d.Scope), SessionID: d.Session, Timestamp: d.Time,
			}}
			if d.Metadata != nil {
				items[i].Metadata = d.Metadata
			}
		}
		if _, err := m.SaveBatch(ctx, items); err != nil {
			return err
		}
	}
	return nil
}

func (a *asked) scope(name string) string {
	if a.scopes {
		return name
	}
	return ""
}

// after is a second after the newest document of a scope.
func (a *asked) after(scope string) time.Time {
	newest := a.newest[scope]
	if newest.IsZero() {
		newest = epoch()
	}
	return newest.Add(time.Second)
}

// found is a document of an answer.
type found struct {
	id, session string
	tokens      int
}

// query asks for so many documents, whatever they cost.
func (a *asked) query(ctx context.Context, q *Query, limit int) ([]found, error) {
	m, o, err := a.question(q)
	if m == nil {
		return nil, err
	}
	o.TokenBudget, o.Limit = contextforge.Unlimited, limit
	hits, err := m.Query(ctx, q.Text, o)
	return a.found(hits), err
}

// render asks for a block of so many tokens and returns what is in it.
func (a *asked) render(ctx context.Context, q *Query, tokens int, r render.Options) ([]found, error) {
	m, o, err := a.question(q)
	if m == nil {
		return nil, err
	}
	o.TokenBudget = tokens
	_, hits, err := m.QueryBlock(ctx, q.Text, o, r)
	return a.found(hits), err
}

// question returns the memory that is asked and how; none when no document is in the
// scope of the question.
func (a *asked) question(q *Query) (*contextforge.Memory, contextforge.QueryOptions, error) {
	scope := a.scope(q.Scope)
	asOf := q.Time
	if asOf.IsZero() {
		asOf = a.after(scope)
	}
	m := a.memories[a.memoryOf(q.Scope)]
	if m == nil && q.Scope == "" {
		return nil, contextforge.QueryOptions{}, fmt.Errorf("%w: with a memory for each scope, a question needs the scope of a document", ErrData)
	}
	return m, contextforge.QueryOptions{Filter: contextforge.Filter{Scope: scope}, AsOf: asOf}, nil
}

func (a *asked) found(hits []contextforge.Hit) []found {
	out := make([]found, len(hits))
	for i, h := range hits {
		out[i] = found{h.ID, h.SessionID, a.tokens[h.ID]}
	}
	return out
}

// warm makes the vectors that a set needs, so that they cost no time later. Windows
// are those of the texts as they are; where a secret is redacted, the memory has
// others, which it makes itself.
func warm(ctx context.Context, s *Set, c *Cache) error {
	const atOnce = 256
	var texts []string
	for _, d := range s.Documents {
		windows := c.Split(d.Text)
		if len(windows) == 0 {
			windows = []string{d.Text}
		}
		texts = append(texts, windows...)
	}
	slices.SortFunc(texts, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	for part := range slices.Chunk(slices.Compact(texts), atOnce) {
		if _, err := c.Embed(ctx, part); err != nil {
			return fmt.Errorf("embedding documents: %w", err)
		}
	}
	for _, q := range s.Queries {
		if _, err := c.EmbedQuery(ctx, q.Text); err != nil {
			return fmt.Errorf("embedding questions: %w", err)
		}
	}
	return nil
}
