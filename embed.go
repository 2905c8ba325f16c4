package contextforge

// This file decides which vectors an entry gets when it is saved, and which
// later.

import (
	"context"
	"fmt"

	"github.com/contextforge-go/contextforge/internal/store"
)

// embedAll returns what the embedder makes of contents that are about to be
// saved. A failure is never one of the save: the entry waits in the queue.
func (m *Memory) embedAll(ctx context.Context, contents []string) ([]store.Embedding, []error) {
	out := make([]store.Embedding, len(contents))
	if m.cfg.Embedder == nil {
		return out, make([]error, len(contents))
	}
	if m.cfg.EmbedMode == EmbedInBackground {
		for i := range out {
			out[i].Missing = true
		}
		return out, make([]error, len(contents))
	}
	twins, known := m.knownVectors(contents, out)
	var texts wanted
	for i, content := range contents {
		if known[i] || twins[i] != i {
			continue
		}
		if len(out[i].Vectors) == 0 {
			out[i].Missing = texts.windows(i, m.windows(content))
		}
		texts.sentence(i, m.sentence(content))
	}
	made, failures := texts.embed(ctx, m.cfg.Embedder, len(contents))
	for i, twin := range twins {
		switch {
		case twin != i:
			out[i], failures[i] = out[twin], failures[twin]
		case made[i].broken: // whole texts only, so that they are tried again
			out[i] = store.Embedding{Missing: true}
		case !known[i]:
			out[i].Vectors = append(out[i].Vectors, made[i].vectors...)
			out[i].Sentence = made[i].sentence
			out[i].Missing = out[i].Missing || failures[i] != nil
		}
	}
	return out, failures
}

// windows returns what the embedder is given of a content: secrets that got into the
// store past the redaction are not handed on.
func (m *Memory) windows(content string) []string { return split(m.cfg.Embedder, m.shown(content)) }

// writeEmbedded embeds entries, hands them to commit, and tells of it. It may be
// none, for a change of something else than a text.
func (m *Memory) writeEmbedded(ctx context.Context, entries []Entry, commit func([]store.Draft) error) error {
	contents, ids := make([]string, len(entries)), make([]string, len(entries))
	for i := range entries {
		contents[i], ids[i] = entries[i].Content, entries[i].ID
	}
	trace := SaveTrace{Entries: len(entries)}
	began := m.cfg.Clock()
	embeddings, failures := m.embedAll(ctx, contents)
	embedded := m.cfg.Clock()
	drafts := make([]store.Draft, len(entries))
	for i, e := range entries {
		drafts[i] = store.Draft{Record: record(e), Embedding: embeddings[i]}
		trace.Vectors += len(embeddings[i].Vectors)
		if embeddings[i].Missing {
			trace.Waiting++
		}
	}
	if err := commit(drafts); err != nil {
		return err
	}
	for i := range drafts {
		if drafts[i].Twin != "" { // it was not saved
			failures[i] = nil
			trace.Entries--
			trace.Vectors -= len(embeddings[i].Vectors)
			if embeddings[i].Missing {
				trace.Waiting--
			}
		}
	}
	m.reportFailures(ctx, ids, failures)
	if trace.Waiting > 0 {
		m.wakeBackground()
	}
	if m.cfg.Hooks.Saved != nil {
		trace.Embed, trace.Commit = embedded.Sub(began), m.cfg.Clock().Sub(embedded)
		m.cfg.Hooks.Saved(ctx, trace)
	}
	return nil
}

// knownVectors takes the vectors of stored entries with the same content, and
// finds the first of equal contents. known says that nothing is left to embed; else
// that of the longest sentence may be, or all.
func (m *Memory) knownVectors(contents []string, out []store.Embedding) (twins []int, known []bool) {
	twins, known = make([]int, len(contents)), make([]bool, len(contents))
	first := make(map[string]int, len(contents))
	v, err := m.store.View()
	if err == nil {
		defer func() { _ = v.Close() }() // it was only read from
	}
	for i, content := range contents {
		at, seen := first[content]
		if !seen {
			at = i
			first[content] = i
		}
		if twins[i] = at; seen || err != nil {
			continue
		}
		// A stored vector that can't be read is made again.
		if e, complete, err := v.KnownEmbedding(content); err == nil {
			out[i], known[i] = e, complete
		}
	}
	return twins, known
}

// reportFailures tells of entries that have to wait.
func (m *Memory) reportFailures(ctx context.Context, ids []string, failures []error) {
	var failed []EmbeddingFailure
	for i, err := range failures {
		if err != nil {
			failed = append(failed, EmbeddingFailure{ID: ids[i], Err: err})
		}
	}
	if len(failed) == 0 {
		return
	}
	m.embedFailures.Add(int64(len(failed)))
	m.cfg.Logger.WarnContext(ctx, "contextforge: entries could not be embedded and wait; until then they are found by their words alone",
		"entries", len(failed), "first", m.shown(failed[0].ID), "err", failed[0].Err)
	if m.cfg.Hooks.EmbeddingFailed != nil {
		m.cfg.Hooks.EmbeddingFailed(ctx, failed)
	}
}

// Flush embeds what waits in the queue: in EmbedInBackground all that was saved
// since, else what failed and the rest of huge entries. It returns once nothing
// waits any more, or an error that matches ErrEmbedding for what failed again
// and goes on waiting.
func (m *Memory) Flush(ctx context.Context) error {
	if m.store == nil {
		return unsupported("Flush")
	}
	if m.cfg.Embedder == nil {
		return m.checkOpen("flush")
	}
	_, skipped, err := m.fill(ctx, (*store.View).Pending, embedBatch, nil)
	if err == nil && skipped > 0 {
		err = fmt.Errorf("%w: %d entries go on waiting", ErrEmbedding, skipped)
	}
	if err != nil {
		return fmt.Errorf("contextforge: flush: %w", err)
	}
	return nil
}

// BackfillEmbeddings embeds every entry that lacks vectors of the Embedder in
// Config, that of its longest sentence included if Config.SentenceVectors is set, batch of them at a time (32 when batch isn't positive), and calls
// progress, if it isn't nil, after each with what is done and the total. done
// counts entries that were embedded or skipped, because the embedder failed on
// them; Hooks.EmbeddingFailed hears of those. It reaches total, which grows and
// shrinks with what is saved and deleted meanwhile. progress may use the Memory,
// but for Flush, BackfillEmbeddings and Close. The result is the number embedded.
//
// A backfill may be cancelled at any time and goes on where it was when called
// again. Saves and queries go on meanwhile. When nothing was skipped it removes
// the vectors of other models. Without an Embedder it does nothing.
func (m *Memory) BackfillEmbeddings(ctx context.Context, batch int, progress func(done, total int)) (int, error) {
	if m.store == nil {
		return 0, unsupported("BackfillEmbeddings")
	}
	if m.cfg.Embedder == nil {
		return 0, m.checkOpen("backfill")
	}
	if batch <= 0 {
		batch = 32
	}
	stored, skipped, err := m.fill(ctx, (*store.View).Unembedded, batch, progress)
	if err == nil && skipped == 0 {
		err = m.store.DropOtherModels(ctx)
	}
	if err != nil {
		return stored, fmt.Errorf("contextforge: backfill: %w", err)
	}
	return stored, nil
}

// checkOpen returns ErrClosed behind Close.
func (m *Memory) checkOpen(what string) error {
	v, err := m.store.View()
	if err == nil {
		err = v.Close()
	}
	if err != nil {
		return fmt.Errorf("contextforge: %s: %w", what, err)
	}
	return nil
}
