package contextforge

// This file decides what an embedder is and how texts become vectors: in
// batches, in windows, each failure by itself.

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/contextforge-go/contextforge/internal/store"
	"github.com/contextforge-go/contextforge/vecindex"
)

// Embedder turns texts into vectors whose cosine says how alike the meanings
// are. minilm.Model is one; allminilm.New returns it ready-made. It must be safe
// for concurrent use.
//
// Optional methods are used where an Embedder has them:
//
//	ID() string                                                  tells the weights from others, else Name does
//	EmbedQuery(ctx context.Context, text string) ([]float32, error)  for what is searched for, else Embed
//	Split(text string) []string                                  the windows of a text beyond MaxTokens
type Embedder interface {
	// Embed returns a vector of Dimension numbers for every text, in order. The
	// length of a vector doesn't matter; one of zeros, infinities or NaN is
	// refused.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
	// Name returns the model's name. Vectors of models with different names (IDs)
	// are never compared.
	Name() string
	// Dimension returns the length of the vectors.
	Dimension() int
	// MaxTokens returns the most tokens of a text that count; 0 means all.
	MaxTokens() int
}

// EmbedMode says when texts are embedded.
type EmbedMode int

const (
	// EmbedInCall embeds before a Save returns, so that what was saved is found
	// by its meaning at once.
	EmbedInCall EmbedMode = iota
	// EmbedInBackground saves first and embeds in a goroutine, which tries again
	// what failed, ever more rarely; Flush waits for it and tries all at once.
	EmbedInBackground
)

const (
	// windowsInCall is the number of windows of one text that a save embeds; the
	// rest waits in the queue.
	windowsInCall = 64
	// embedBatch is the number of texts handed to the embedder at once.
	embedBatch = 64
	// patience is the number of texts failing in a row after which the embedder
	// has to show on a harmless one that it works at all.
	patience = 3
	harmless = "a"
)

func modelOf(e Embedder) store.Model {
	if e == nil {
		return store.Model{}
	}
	model := store.Model{ID: e.Name(), Dim: e.Dimension()}
	if named, ok := e.(interface{ ID() string }); ok && named.ID() != "" {
		model.ID = named.ID()
	}
	return model
}

// split returns the windows of a text, as many of them as an index can hold.
func split(e Embedder, text string) []string {
	windows := ownSplit(e, text)
	if len(windows) == 0 {
		windows = splitBySize(text, e.MaxTokens())
	}
	return windows[:min(len(windows), vecindex.MaxWindows)]
}

// ownSplit returns the windows that the embedder itself divides a text into, none
// if it can't.
func ownSplit(e Embedder, text string) (windows []string) {
	s, ok := e.(interface{ Split(text string) []string })
	if !ok {
		return nil
	}
	defer func() {
		if recover() != nil {
			windows = nil
		}
	}()
	return s.Split(text)
}

// bytesPerToken is a cautious guess for the windows of an embedder that can't
// say itself where its window ends.
const bytesPerToken = 3

// splitBySize cuts a text at spaces into parts that a window of so many tokens
// will hold; each begins with the last quarter of the one before.
func splitBySize(text string, tokens int) []string {
	most := tokens * bytesPerToken
	if tokens <= 0 || tokens > math.MaxInt/bytesPerToken || len(text) <= most {
		return []string{text}
	}
	var windows []string
	for from := 0; ; {
		end := from + most
		if end >= len(text) {
			return append(windows, text[from:])
		}
		if space := strings.LastIndexByte(text[from+most/2:end], ' '); space >= 0 {
			end = from + most/2 + space + 1
		} else {
			end = runeStart(text, end)
		}
		windows = append(windows, text[from:end])
		next := end - most/4
		if space := strings.IndexByte(text[next:end], ' '); space >= 0 {
			next += space + 1
		} else {
			next = runeStart(text, next)
		}
		from = max(next, from+1)
	}
}

// runeStart moves back to the beginning of a character.
func runeStart(text string, at int) int {
	for i := at; i > at-4 && i > 0; i-- {
		if b := text[i]; b < 0x80 || b >= 0xC0 {
			return i
		}
	}
	return at
}

// embedTexts returns a vector for every text, or the reason why there is none.
func embedTexts(ctx context.Context, e Embedder, texts []string) (vectors [][]float32, failures []error) {
	vectors, failures = make([][]float32, len(texts)), make([]error, len(texts))
	dead := false
	for from := 0; from < len(texts); from += embedBatch {
		end := min(from+embedBatch, len(texts))
		part, err := askEmbedder(ctx, e, texts[from:end])
		switch {
		case err == nil:
			copy(vectors[from:end], part)
			dead = false
		case dead || end-from == 1:
			fail(failures[from:end], err)
		default:
			dead = embedSingly(ctx, e, texts[from:end], vectors[from:end], failures[from:end])
		}
	}
	return vectors, failures
}

// embedSingly embeds the texts of a batch that failed: one that the embedder
// can't take must not cost the others theirs. It ends, and reports so, when the
// embedder doesn't work at all.
func embedSingly(ctx context.Context, e Embedder, texts []string, vectors [][]float32, failures []error) (dead bool) {
	inARow := 0
	for i := range texts {
		one, err := askEmbedder(ctx, e, texts[i:i+1])
		if err == nil {
			vectors[i], inARow = one[0], 0
			continue
		}
		failures[i] = err
		if inARow++; inARow%patience != 0 {
			continue
		}
		if _, err := askEmbedder(ctx, e, []string{harmless}); err != nil {
			fail(failures[i+1:], err)
			return true
		}
	}
	return false
}

func fail(failures []error, err error) {
	for i := range failures {
		failures[i] = err
	}
}

// askEmbedder calls an embedder and checks its answer. A panic becomes an error.
func askEmbedder(ctx context.Context, e Embedder, texts []string) (vectors [][]float32, err error) {
	defer func() {
		if p := recover(); p != nil {
			vectors, err = nil, fmt.Errorf("%w: %s panicked: %v", ErrEmbedding, e.Name(), p)
		}
	}()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	vectors, err = e.Embed(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrEmbedding, e.Name(), err)
	}
	if len(vectors) != len(texts) {
		return nil, fmt.Errorf("%w: %s gave %d vectors for %d texts", ErrEmbedding, e.Name(), len(vectors), len(texts))
	}
	for _, v := range vectors {
		if err := vecindex.Check(v, e.Dimension()); err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrEmbedding, e.Name(), err)
		}
	}
	return vectors, nil
}

// embedQuery returns the vector of what is searched for.
func embedQuery(ctx context.Context, e Embedder, text string) (vector []float32, err error) {
	q, ok := e.(interface {
		EmbedQuery(ctx context.Context, text string) ([]float32, error)
	})
	if !ok {
		vectors, err := askEmbedder(ctx, e, []string{text})
		if err != nil {
			return nil, err
		}
		return vectors[0], nil
	}
	defer func() {
		if p := recover(); p != nil {
			vector, err = nil, fmt.Errorf("%w: %s panicked: %v", ErrEmbedding, e.Name(), p)
		}
	}()
	if vector, err = q.EmbedQuery(ctx, text); err == nil {
		err = vecindex.Check(vector, e.Dimension())
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrEmbedding, e.Name(), err)
	}
	return vector, nil
}
