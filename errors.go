package contextforge

// This file decides the errors that callers can tell apart.

import (
	"errors"

	"github.com/contextforge-go/contextforge/internal/store"
	"github.com/contextforge-go/contextforge/kv"
)

// Sentinel errors. Every error of this package that has one of these causes
// matches it with errors.Is.
var (
	// ErrInvalidEntry: the content is empty, or a field is out of its limits.
	ErrInvalidEntry = errors.New("invalid entry")
	// ErrSecretInName: an id, a scope or a session id holds what looks like a
	// secret. Names are not redacted, as others would be meant then; use another
	// one. The error also matches ErrInvalidEntry, or ErrInvalidConfig for the name
	// of a model, and says which field it is and what kind of secret, never the
	// secret itself.
	ErrSecretInName = errors.New("secret in a name")
	// ErrInvalidConfig: Open refused a value of Config; the message names it.
	ErrInvalidConfig = errors.New("invalid config")
	// ErrInvalidFilter: a filter that can't be evaluated, or an empty one where
	// that would mean everything (Forget).
	ErrInvalidFilter = errors.New("invalid filter")
	// ErrNotFound: no entry has this id.
	ErrNotFound = store.ErrNotFound
	// ErrUnsupported: the Storage or Searcher in Config does not offer what
	// this operation needs, or the platform doesn't.
	ErrUnsupported = errors.New("unsupported")
	// ErrClosed: the Memory is closed.
	ErrClosed = kv.ErrClosed
	// ErrLocked: another process, or another Memory of this one, has the
	// folder open. The message names it.
	ErrLocked = kv.ErrLocked
	// ErrStoreFailed: the disk refused a write (full, read-only, I/O error).
	// Reads and Close go on working, everything acknowledged is safe; make room
	// and open the store again.
	ErrStoreFailed = kv.ErrFailed
	// ErrCorrupt: stored bytes can't be what was written. Run Verify, then
	// Rebuild or Recover.
	ErrCorrupt = kv.ErrCorrupt
	// ErrForeign: the folder holds something else than a Context Forge store.
	ErrForeign = kv.ErrForeign
	// ErrEmbedding: the Embedder failed, or returned something else than the
	// vectors it was asked for.
	ErrEmbedding = errors.New("embedding failed")
	// ErrNoEmbedder: the operation needs an Embedder in Config, or vectors that an
	// entry doesn't have.
	ErrNoEmbedder = errors.New("no embedder")
	// ErrNewer: the store was written by a newer version of this package.
	ErrNewer = store.ErrNewer
)
