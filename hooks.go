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
	// Redacted receives what was redacted in what is about to be saved, distilled or
	// asked, never the secret itself: once for all entries of a call. It is called
	// before the commit.
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

// Redaction says that secrets of one kind were replaced in one text.
type Redaction struct {
	// Entry is the id that the entry is saved under; "" for what belongs to none. Of
	// SaveOptions.Dedup it may be an id that nothing is saved under.
	Entry string `json:"entry,omitempty"`
	Field Field  `json:"field"` // where they were
	Label string `json:"label"` // what kind of secret, as in the placeholder [REDACTED:label]
	Rule  string `json:"rule"`  // the rule that found them, finer than the label
	Count int    `json:"count"` // how many there were
}

// Field names what a secret was found in.
type Field string

// Values of Field. The first three are redacted, names are refused: see
// ErrSecretInName. A transcript is what DistillAndSave was given, a question
// what Query was.
const (
	FieldContent    Field = "content"
	FieldMetadata   Field = "metadata"
	FieldKind       Field = "kind"
	FieldID         Field = "id"
	FieldScope      Field = "scope"
	FieldSession    Field = "session_id"
	FieldModel      Field = "model"
	FieldTranscript Field = "transcript"
	FieldQuestion   Field = "question"
)

func (m *Memory) reportEvicted(ctx context.Context, gone []store.Eviction) {
	m.evicted.Add(int64(len(gone)))
	m.cfg.Logger.InfoContext(ctx, "contextforge: entries have left", "entries", len(gone), "first", m.shown(gone[0].ID), "expired", gone[0].Expired)
	if m.cfg.Hooks.Evicted == nil {
		return
	}
	out := make([]Eviction, len(gone))
	for i, e := range gone {
		out[i] = Eviction(e)
	}
	m.cfg.Hooks.Evicted(ctx, out)
}
