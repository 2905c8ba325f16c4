package contextforge

// This file decides what can be asked with a vector, and which vectors of
// questions are kept.

import (
	"container/list"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/contextforge-go/contextforge/internal/store"
	"github.com/contextforge-go/contextforge/vecindex"
)

// QueryByVector answers with the entries whose meaning is nearest to a vector of
// the Embedder's model: Query without words. The score of the default ranking is
// relative to the best candidate. What comes back is remembered text, see Query.
func (m *Memory) QueryByVector(ctx context.Context, vector []float32, o QueryOptions) ([]Hit, error) {
	if m.cfg.Embedder == nil {
		return nil, fmt.Errorf("contextforge: query by vector: %w in Config", ErrNoEmbedder)
	}
	if err := vecindex.Check(vector, m.cfg.Embedder.Dimension()); err != nil {
		return nil, fmt.Errorf("contextforge: query by vector: %w", err)
	}
	vector = slices.Clone(vector)
	return m.byMeaning(ctx, o, 0, func(context.Context) ([]float32, error) { return vector, nil })
}

// MoreLike answers with the entries whose meaning is nearest to an entry's: the
// first window of its text. The entry itself is not among them. ErrNotFound when
// no entry has the id, ErrNoEmbedder when it has no vector (yet). What comes back
// is remembered text, see Query.
func (m *Memory) MoreLike(ctx context.Context, id string, o QueryOptions) ([]Hit, error) {
	if m.cfg.Embedder == nil {
		return nil, fmt.Errorf("contextforge: more like: %w in Config", ErrNoEmbedder)
	}
	var num uint64
	vectors, err := inView(ctx, m, func(v *store.View) (vectors [][]float32, err error) {
		if _, err := m.getLive(v, id); err != nil {
			return nil, err
		}
		if num, err = v.Num(id); err != nil {
			return nil, err
		}
		return v.Vectors(num)
	})
	if err == nil && len(vectors) == 0 {
		err = fmt.Errorf("%w: %q has no vector yet", ErrNoEmbedder, m.shown(id))
	}
	if err != nil {
		return nil, fmt.Errorf("contextforge: more like: %w", err)
	}
	return m.byMeaning(ctx, o, num, func(context.Context) ([]float32, error) { return vectors[0], nil })
}

func (m *Memory) byMeaning(ctx context.Context, o QueryOptions, except uint64, meaning func(context.Context) ([]float32, error)) ([]Hit, error) {
	q, err := m.newQuery("", o)
	if err != nil {
		return nil, err
	}
	q.meaning, q.except = meaning, except
	return m.ask(ctx, q, o.Filter)
}

// queryVector returns the vector of a question; one without a word has none.
func (m *Memory) queryVector(ctx context.Context, text string) ([]float32, error) {
	if !strings.ContainsFunc(text, isWordRune) {
		return nil, nil
	}
	if vector := m.queries.get(text); vector != nil {
		return vector, nil
	}
	vector, err := embedQuery(ctx, m.cfg.Embedder, text)
	if err == nil {
		m.queries.put(text, vector)
	}
	return vector, err
}

// cachedQueries is the number of questions whose vectors are kept, of texts up to
// cachedLength bytes.
const (
	cachedQueries = 256
	cachedLength  = 4 << 10
)

// vectorCache keeps the vectors of the latest questions.
type vectorCache struct {
	mu    sync.Mutex
	order *list.List // of *cachedVector, the latest first
	known map[string]*list.Element
}

type cachedVector struct {
	text   string
	vector []float32
}

func newVectorCache() *vectorCache {
	return &vectorCache{order: list.New(), known: map[string]*list.Element{}}
}

func (c *vectorCache) get(text string) []float32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.known[text]
	if !ok {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(*cachedVector).vector
}

func (c *vectorCache) put(text string, vector []float32) {
	if len(text) > cachedLength {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.known[text]; ok {
		return
	}
	c.known[text] = c.order.PushFront(&cachedVector{text, vector})
	if c.order.Len() > cachedQueries {
		oldest := c.order.Remove(c.order.Back()).(*cachedVector)
		delete(c.known, oldest.text)
	}
}
