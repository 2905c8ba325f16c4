package contextforge

// This file decides which events a caller can listen to.

import (
	"context"
	"time"

	"github.com/contextforge-go/contextforge/internal/store"
)

// Hooks are functions called on events; a nil one is not called. They run on
// the goroutine of the operation that caused the event, outside of all locks, so
// they may use the Memory, except while Open has not returned; how long they
// take is how much longer the operation takes.
type Hooks struct {
	// Evicted receives the entries that had to leave: over a capacity, or
	// because their time was up. It is called after the commit.
	Evicted func(ctx context.Context, gone []Eviction)
	// Redacted receives what was cut out of a text that is about to be saved,
	// never the secret itself. It is called before the commit.
	Redacted func(ctx context.Context, findings []Redaction)
	// EmbeddingFailed receives the entries that the Embedder failed on. They are
	// saved and found by their words, and wait for Flush or BackfillEmbeddings, of
	// which it must call neither, nor Close: they may be what it was called by.
	EmbeddingFailed func(ctx context.Context, failed []EmbeddingFailure)
	// Saved is called after each save, update and restore that was committed.
	Saved func(ctx context.Context, t SaveTrace)
	// Queried is called after each query that was answered.
	Queried func(ctx context.Context, t QueryTrace)
}

// EmbeddingFailure is an entry that could not be embedded.
type EmbeddingFailure struct {
	ID  string
	Err error
}

// SaveTrace says how long the stages of a save took, by Config.Clock.
type SaveTrace struct {
	Entries int           // texts
	Vectors int           // embedded or taken over, windows counted singly
	Waiting int           // entries that were queued for their vectors
	Embed   time.Duration // embedding the texts
	Commit  time.Duration // analysing, waiting for the group, writing, syncing
}

// QueryTrace says how long the stages of a query took, by Config.Clock, and how
// many candidates there were.
type QueryTrace struct {
	Lexical  int           // candidates by words
	Semantic int           // candidates by meaning
	Union    int           // distinct ones
	Hits     int           // returned
	Tokens   int           // of the hits
	Find     time.Duration // both searches, the query's embedding included
	Rank     time.Duration // scores, fusion, age, importance
	Pack     time.Duration // filling the budget, reading the entries
}

// Eviction is an entry that left the memory without being deleted.
type Eviction struct {
	ID      string
	Scope   string
	Expired bool // its time was up; otherwise a capacity was exceeded
}

// Redaction says that a secret was replaced in a text.
type Redaction struct {
	Label string // what kind of secret, as in the placeholder [REDACTED:label]
}

func (m *Memory) reportEvicted(ctx context.Context, gone []store.Eviction) {
	m.evicted.Add(int64(len(gone)))
	m.cfg.Logger.InfoContext(ctx, "contextforge: entries have left", "entries", len(gone), "first", gone[0].ID, "expired", gone[0].Expired)
	if m.cfg.Hooks.Evicted == nil {
		return
	}
	out := make([]Eviction, len(gone))
	for i, e := range gone {
		out[i] = Eviction(e)
	}
	m.cfg.Hooks.Evicted(ctx, out)
}
