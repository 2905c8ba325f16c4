package minilm

// This file decides how texts are put together for forward passes, and which
// goroutine makes which.

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
)

// passRows is the number of tokens from which a pass is full. More would reuse
// the weights more often, but lose the activations to a slower cache.
const passRows = 128

const (
	// leastRows is the number of tokens below which a pass is not made smaller
	// for the sake of other goroutines.
	leastRows = 48
	// passesEach is how many passes a goroutine should find, so that all end at
	// about the same time.
	passesEach = 4
)

// batch is the work of one call: the ids of all texts and how they are divided
// into passes.
type batch struct {
	ids    []int32
	texts  []span
	passes []span // of texts
	next   atomic.Int64
}

// Embed returns the vector of every text, as something that is searched in: with
// the model's document prefix. What is beyond MaxTokens is cut off; see
// EmbedWindows. The vectors have length 1, and depend on nothing but the text.
//
// When ctx is done it returns nil and the context's error, after at most a layer
// of a pass of some 256 tokens. The other error is ErrNoDirection, for weights that
// are no use.
func (m *Model) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return m.embed(ctx, &m.document, texts)
}

// EmbedQuery returns the vector of a text as something that is searched for: with
// the model's query prefix.
func (m *Model) EmbedQuery(ctx context.Context, text string) ([]float32, error) {
	vectors, err := m.embed(ctx, &m.query, []string{text})
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

func (m *Model) embed(ctx context.Context, p *prefix, texts []string) ([][]float32, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	vectors := make([][]float32, len(texts))
	all := make([]float32, len(texts)*m.width)
	for i := range vectors {
		vectors[i] = all[i*m.width : (i+1)*m.width : (i+1)*m.width]
	}
	b := m.batches.take()
	defer m.giveBatch(b)
	if err := m.plan(ctx, b, p, texts); err != nil {
		return nil, err
	}
	if err := m.run(ctx, b, vectors); err != nil {
		return nil, err
	}
	return vectors, nil
}

// mostKeptIDs bounds the ids of a batch that is kept: 4 MB.
const mostKeptIDs = 1 << 20

func (m *Model) giveBatch(b *batch) {
	if cap(b.ids) <= mostKeptIDs {
		m.batches.give(b)
	}
}

// plan tokenises the texts and divides them into passes.
func (m *Model) plan(ctx context.Context, b *batch, p *prefix, texts []string) error {
	b.ids, b.texts, b.passes = b.ids[:0], b.texts[:0], b.passes[:0]
	b.next.Store(0)
	for _, text := range texts {
		if err := ctx.Err(); err != nil {
			return err
		}
		from := len(b.ids)
		b.ids = m.appendTokens(b.ids, p, text)
		b.texts = append(b.texts, span{from, len(b.ids)})
	}
	m.divide(b)
	return nil
}

// divide makes passes that are full, or smaller ones where there would be too few
// for all goroutines.
func (m *Model) divide(b *batch) {
	full := max(passRows, m.maxTokens)
	if m.parallelism > 1 {
		full = min(full, max(leastRows, len(b.ids)/(passesEach*m.parallelism)))
	}
	first := 0
	for i, t := range b.texts {
		if i > first && t.to-b.texts[first].from > full {
			b.passes = append(b.passes, span{first, i})
			first = i
		}
	}
	if first < len(b.texts) {
		b.passes = append(b.passes, span{first, len(b.texts)})
	}
}

// run makes the passes, in as many goroutines as there are passes and the model
// allows.
func (m *Model) run(ctx context.Context, b *batch, vectors [][]float32) error {
	if others := min(m.parallelism, len(b.passes)) - 1; others > 0 {
		return m.share(ctx, b, vectors, others) // on its own, since what its goroutines share is allocated
	}
	return m.work(ctx, b, vectors)
}

// share makes the passes with others to help. The first error ends all of them.
func (m *Model) share(ctx context.Context, b *batch, vectors [][]float32, others int) error {
	shared, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wait sync.WaitGroup
	for range others {
		wait.Go(func() {
			if err := m.work(shared, b, vectors); err != nil {
				cancel(err)
			}
		})
	}
	if err := m.work(shared, b, vectors); err != nil {
		cancel(err)
	}
	wait.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	return context.Cause(shared)
}

// work makes passes until none is left.
func (m *Model) work(ctx context.Context, b *batch, vectors [][]float32) error {
	w, err := m.workspaces.take(ctx, m)
	if err != nil {
		return err
	}
	defer m.workspaces.give(w)
	for {
		i := int(b.next.Add(1)) - 1
		if i >= len(b.passes) {
			return nil
		}
		pass := b.passes[i]
		if err := w.pass(ctx, m, b, pass, vectors[pass.from:pass.to]); err != nil {
			return err
		}
	}
}

// pass embeds the texts of one pass.
func (w *workspace) pass(ctx context.Context, m *Model, b *batch, pass span, vectors [][]float32) error {
	texts := b.texts[pass.from:pass.to]
	start := texts[0].from
	w.texts = w.texts[:0]
	for _, t := range texts {
		w.texts = append(w.texts, span{t.from - start, t.to - start})
	}
	if err := w.forward(ctx, m, b.ids[start:texts[len(texts)-1].to], w.texts); err != nil {
		return err
	}
	for i, t := range w.texts {
		if err := m.pool(vectors[i], w.x[t.from*m.width:t.to*m.width]); err != nil {
			return fmt.Errorf("%w: text %d of %s", err, pass.from+i, m.name)
		}
	}
	return nil
}

// slots are places for workspaces, as many as may be in use: a nil one is made
// when it is taken. Who finds none waits.
type slots chan *workspace

func newSlots(n int) slots {
	s := make(slots, n)
	for range n {
		s <- nil
	}
	return s
}

func (s slots) take(ctx context.Context, m *Model) (*workspace, error) {
	select {
	case w := <-s:
		if w == nil {
			w = newWorkspace(m, max(passRows, m.maxTokens), m.maxTokens)
		}
		return w, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// give takes a workspace back.
func (s slots) give(w *workspace) { s <- w }

// pile is a stack of buffers that wait for their next use. Unlike a sync.Pool it
// keeps them when garbage is collected, and keeps no more than most.
type pile[T any] struct {
	mu   sync.Mutex
	free []T
	most int
	make func() T
}

func (p *pile[T]) take() T {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.free); n > 0 {
		var none T
		v := p.free[n-1]
		p.free[n-1] = none // or it would be kept in spite of not coming back
		p.free = p.free[:n-1]
		return v
	}
	return p.make()
}

// give takes a buffer back.
func (p *pile[T]) give(v T) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.free) < p.most {
		p.free = append(p.free, v)
	}
}
