package contextforge

// This file decides how text becomes an entry, and how entries change and go.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/contextforge-go/contextforge/internal/store"
)

const (
	// maxField bounds ids, kinds, scopes and session ids, in bytes.
	maxField = 32 << 10
	// maxContent bounds a content or a metadata value, in bytes.
	maxContent = 512 << 20
	maxTokens  = 1<<31 - 1
)

// SaveOptions are the optional properties of a new entry.
type SaveOptions struct {
	Scope     string // "" saves into the global scope
	SessionID string
	// Metadata is any value that encodes to JSON; nil and {} mean none.
	Metadata any
	// Timestamp is when it happened, default Config.Clock.
	Timestamp time.Time
	// ID replaces the generated one; an entry that has it is replaced.
	ID string
	// TokenCount replaces the count of Config.Counter when it is positive.
	TokenCount int
	// TTL hides the entry this long after it was saved and then removes it; 0
	// keeps it. ExpiresAt is the same as an instant; it wins when both are set.
	TTL       time.Duration
	ExpiresAt time.Time
	// Dedup saves nothing when the scope has an entry with this very content,
	// after redaction, and returns its id.
	Dedup bool
	// Redacted, when not nil, is set to what was redacted in the entry, as
	// Hooks.Redacted hears of it.
	Redacted *[]Redaction
}

// Item is one text of a SaveBatch.
type Item struct {
	Content string
	Kind    string
	SaveOptions
}

// Save stores a text and returns the id of its entry. When it returns, the
// entry is durable and searchable. Secrets in text, kind and metadata are redacted
// before anything else happens to them, unless Config.Scrub says otherwise; an id,
// scope or session id that holds one is refused with ErrSecretInName.
// Hooks.Redacted and SaveOptions.Redacted tell what was redacted.
//
// In a memory at its capacity the oldest entry leaves, which is the new one
// itself if its timestamp is older than all; Hooks.Evicted hears of it.
func (m *Memory) Save(ctx context.Context, content, kind string, o SaveOptions) (string, error) {
	ids, err := m.SaveBatch(ctx, []Item{{Content: content, Kind: kind, SaveOptions: o}})
	if err != nil {
		return "", err
	}
	return ids[0], nil
}

// SaveBatch stores the items, all or none, in one durable commit and returns
// their ids in order. Of several items with one id the last wins.
func (m *Memory) SaveBatch(ctx context.Context, items []Item) ([]string, error) {
	entries := make([]Entry, len(items))
	ids := make([]string, len(items))
	newID := func(i int) bool { return items[i].ID == "" && !m.ownRand }
	var redacted redactions
	for i := range items {
		before := len(redacted)
		e, err := m.newEntry(&items[i], &redacted)
		if err != nil {
			if len(items) > 1 {
				err = fmt.Errorf("item %d: %w", i, err)
			}
			return nil, fmt.Errorf("contextforge: save: %w", err)
		}
		entries[i], ids[i] = e, e.ID
		if to := items[i].Redacted; to != nil {
			*to = slices.Clone(redacted[before:])
		}
	}
	m.reportRedacted(ctx, redacted)
	twins, err := m.write(ctx, entries, func(i int, d *store.Draft) { d.NewID, d.Dedup = newID(i), items[i].Dedup })
	if err != nil {
		return nil, fmt.Errorf("contextforge: save: %w", err)
	}
	for i, twin := range twins {
		if twin != "" {
			ids[i] = twin
		}
	}
	return ids, nil
}

// write saves complete entries; prepare sets what else there is to say of each.
// It returns the ids of entries that were there already, see SaveOptions.Dedup.
func (m *Memory) write(ctx context.Context, entries []Entry, prepare func(i int, d *store.Draft)) (twins []string, err error) {
	if m.storage != nil {
		for i := range entries {
			d := store.Draft{}
			if prepare(i, &d); d.Dedup {
				return nil, unsupported("Dedup")
			}
		}
		return nil, m.storage.SaveBatch(ctx, entries)
	}
	err = m.writeEmbedded(ctx, entries, func(drafts []store.Draft) (err error) {
		for i := range drafts {
			prepare(i, &drafts[i])
		}
		err = m.store.Save(ctx, drafts)
		for i := range drafts {
			twins = append(twins, drafts[i].Twin)
		}
		return err
	})
	return twins, err
}

// newEntry makes an entry of an item and adds to redacted what was redacted in it.
func (m *Memory) newEntry(it *Item, redacted *redactions) (Entry, error) {
	now := m.cfg.Clock().UTC()
	e := Entry{
		ID: it.ID, Content: it.Content, Timestamp: it.Timestamp.UTC(), Kind: it.Kind, Scope: it.Scope,
		SessionID: it.SessionID, TokenCount: it.TokenCount, CreatedAt: now, ExpiresAt: it.ExpiresAt.UTC(),
	}
	if e.Timestamp.IsZero() {
		e.Timestamp = now
	}
	if e.ExpiresAt.IsZero() && it.TTL > 0 {
		e.ExpiresAt = now.Add(it.TTL)
	}
	if it.TTL < 0 || it.TokenCount < 0 {
		return e, fmt.Errorf("%w: TTL and TokenCount must not be negative", ErrInvalidEntry)
	}
	if !e.ExpiresAt.IsZero() && !e.ExpiresAt.After(now) {
		return e, fmt.Errorf("%w: ExpiresAt is %v, which has passed", ErrInvalidEntry, e.ExpiresAt)
	}
	if e.ID == "" {
		id, err := m.newID()
		if err != nil {
			return e, err
		}
		e.ID = id
	}
	var err error
	if e.Metadata, err = encodeMetadata(it.Metadata); err == nil {
		err = m.redact(&e, redacted)
	}
	if err != nil {
		return e, err
	}
	return e, m.complete(&e)
}

// newID generates an id. From a reader of the caller's, which may repeat itself
// after a restart, an id that is taken is drawn again.
func (m *Memory) newID() (string, error) {
	for range 1000 {
		id, err := m.ids.next()
		if err != nil || !m.ownRand || m.store == nil {
			return id, err
		}
		v, err := m.store.View()
		if err != nil {
			return "", err
		}
		_, err = v.Get(id)
		if err := v.Close(); err != nil {
			return "", err
		}
		if errors.Is(err, ErrNotFound) {
			return id, nil
		} else if err != nil {
			return "", err
		}
	}
	return "", fmt.Errorf("%w: Config.Rand only gives ids that are taken; set SaveOptions.ID or another Rand", ErrInvalidConfig)
}

// complete counts the tokens where the caller did not and checks the limits.
func (m *Memory) complete(e *Entry) error {
	if e.Content == "" {
		return fmt.Errorf("%w: content must not be empty", ErrInvalidEntry)
	}
	if e.TokenCount <= 0 {
		e.TokenCount = m.tokens(e.Content)
	}
	for _, f := range []struct {
		name, unit string
		size, max  int
	}{
		{"id", " bytes", len(e.ID), maxField}, {"kind", " bytes", len(e.Kind), maxField},
		{"scope", " bytes", len(e.Scope), maxField}, {"session id", " bytes", len(e.SessionID), maxField},
		{"content", " bytes", len(e.Content), maxContent}, {"metadata", " bytes", len(e.Metadata), maxContent},
		{"token count", "", e.TokenCount, maxTokens},
	} {
		if f.size > f.max {
			return fmt.Errorf("%w: %s is %d%s, the limit is %d", ErrInvalidEntry, f.name, f.size, f.unit, f.max)
		}
	}
	for _, t := range []time.Time{e.Timestamp, e.CreatedAt, e.UpdatedAt, e.ExpiresAt} {
		if sec := t.Unix(); sec < -maxSeconds || sec > maxSeconds {
			return fmt.Errorf("%w: time %v is too far away", ErrInvalidEntry, t)
		}
	}
	return nil
}

// tokens counts those of a content.
func (m *Memory) tokens(content string) int {
	return max(0, min(m.cfg.Counter.Count(content), maxTokens))
}

// encodeMetadata returns the JSON of v, nil for none.
func encodeMetadata(v any) (json.RawMessage, error) {
	if v == nil {
		return nil, nil
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("%w: metadata: %w", ErrInvalidEntry, err)
	}
	return tidyMetadata(buf.Bytes())
}

// tidyMetadata compacts JSON; null and {} become nil.
func tidyMetadata(text []byte) (json.RawMessage, error) {
	if len(text) == 0 {
		return nil, nil
	}
	if !utf8.Valid(text) {
		return nil, fmt.Errorf("%w: metadata is not valid UTF-8", ErrInvalidEntry)
	}
	var out bytes.Buffer
	if err := json.Compact(&out, text); err != nil {
		return nil, fmt.Errorf("%w: metadata: %w", ErrInvalidEntry, err)
	}
	if s := out.String(); s == "{}" || s == "null" {
		return nil, nil
	}
	return out.Bytes(), nil
}

// Change says what Update changes; nil fields stay as they are.
type Change struct {
	Content   *string
	Kind      *string
	SessionID *string
	// Metadata, when not nil or with SetMetadata, replaces the metadata; nil with
	// SetMetadata removes it.
	Metadata    any
	SetMetadata bool
	// TokenCount goes with a new content, counted when 0.
	TokenCount int
	// ExpiresAt sets a new expiry, which must be in the future; a zero time keeps
	// the entry for good.
	ExpiresAt *time.Time
	// Redacted, when not nil, is set to what was redacted, as Hooks.Redacted hears
	// of it.
	Redacted *[]Redaction
}

// Update changes an entry in place: id and timestamp stay, UpdatedAt is set,
// a new content is scrubbed, counted and indexed, and the version before goes
// to the history. What is new is redacted or refused as by Save. It returns the entry as it is now, or ErrNotFound. A change
// that changes nothing leaves no trace.
func (m *Memory) Update(ctx context.Context, id string, c Change) (Entry, error) {
	if m.store == nil {
		return Entry{}, unsupported("Update")
	}
	meta, err := encodeMetadata(c.Metadata)
	if err == nil {
		meta, err = m.redactChange(ctx, id, &c, meta)
	}
	if err != nil {
		return Entry{}, fmt.Errorf("contextforge: update: %w", err)
	}
	now := m.cfg.Clock().UTC()
	if at := c.ExpiresAt; at != nil && !at.IsZero() && !at.After(now) {
		return Entry{}, fmt.Errorf("contextforge: update: %w: ExpiresAt is %v, which has passed; use Delete", ErrInvalidEntry, *at)
	}
	var texts []Entry
	if c.Content != nil {
		texts = []Entry{{ID: id, Content: *c.Content}}
	}
	var rec record
	err = m.writeEmbedded(ctx, texts, func(drafts []store.Draft) (err error) {
		var e store.Embedding
		if len(drafts) > 0 {
			e = drafts[0].Embedding
		}
		rec, err = m.store.Update(ctx, id, c.Content, e, func(r *record) error {
			e := (*Entry)(r)
			c.apply(e, meta)
			e.UpdatedAt = now
			return m.complete(e)
		})
		return err
	})
	if err != nil {
		return Entry{}, fmt.Errorf("contextforge: update: %w", err)
	}
	return Entry(rec), nil
}

func (c *Change) apply(e *Entry, meta json.RawMessage) {
	if c.Content != nil {
		e.TokenCount = c.TokenCount
	}
	if c.Kind != nil {
		e.Kind = *c.Kind
	}
	if c.SessionID != nil {
		e.SessionID = *c.SessionID
	}
	if c.SetMetadata || c.Metadata != nil {
		e.Metadata = meta
	}
	if c.ExpiresAt != nil {
		e.ExpiresAt = c.ExpiresAt.UTC()
	}
}

// Restore writes entries as they are, ids and times included, in one durable
// commit: for imports and copies. An entry that the memory already holds
// exactly so is left alone. Missing ids, times and token counts are filled in;
// secrets are redacted or refused as by Save. It returns how many were written.
func (m *Memory) Restore(ctx context.Context, entries []Entry) (int, error) {
	if m.store == nil {
		return 0, unsupported("Restore")
	}
	entries = slices.Clone(entries)
	now := m.cfg.Clock().UTC()
	var redacted redactions
	for i := range entries {
		if err := m.restored(&entries[i], now, &redacted); err != nil {
			return 0, fmt.Errorf("contextforge: restore: entry %d: %w", i, err)
		}
	}
	m.reportRedacted(ctx, redacted)
	written := 0
	err := m.writeEmbedded(ctx, entries, func(drafts []store.Draft) (err error) {
		written, err = m.store.Restore(ctx, drafts)
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("contextforge: restore: %w", err)
	}
	return written, nil
}

func (m *Memory) restored(e *Entry, now time.Time, redacted *redactions) (err error) {
	if e.ID == "" {
		if e.ID, err = m.newID(); err != nil {
			return err
		}
	}
	if e.Timestamp.IsZero() {
		e.Timestamp = now
	}
	if e.CreatedAt.IsZero() {
		e.CreatedAt = e.Timestamp
	}
	for _, t := range []*time.Time{&e.Timestamp, &e.CreatedAt, &e.UpdatedAt, &e.ExpiresAt} {
		*t = t.UTC()
	}
	if e.Metadata, err = tidyMetadata(e.Metadata); err == nil {
		err = m.redact(e, redacted)
	}
	if err != nil {
		return err
	}
	return m.complete(e)
}

// Delete removes an entry with its history and reports whether there was one.
func (m *Memory) Delete(ctx context.Context, id string) (bool, error) {
	var deleted bool
	var err error
	if m.storage != nil {
		deleted, err = m.storage.Delete(ctx, id)
	} else {
		var n int
		n, err = m.store.Delete(ctx, id)
		deleted = n > 0
	}
	if err != nil {
		return false, fmt.Errorf("contextforge: delete: %w", err)
	}
	return deleted, nil
}

// Forget removes every entry that the filter takes and returns their ids,
// newest first; with dryRun it only returns them. Up to 16,384 entries go in
// one commit, more in several. A filter that restricts nothing is refused: use
// Clear for that.
func (m *Memory) Forget(ctx context.Context, f Filter, dryRun bool) ([]string, error) {
	if m.store == nil {
		return nil, unsupported("Forget")
	}
	if f.isEmpty() {
		return nil, fmt.Errorf("contextforge: forget: %w: it would take everything, which clear is for; name a scope, kind, session, time or metadata", ErrInvalidFilter)
	}
	var ids []string
	for e, err := range m.List(ctx, f) {
		if err != nil {
			return nil, err
		}
		ids = append(ids, e.ID)
	}
	if dryRun || len(ids) == 0 {
		return ids, nil
	}
	sf, err := f.compile(m.cfg.Clock())
	if err != nil {
		return nil, err
	}
	if _, err := m.store.Forget(ctx, ids, sf); err != nil {
		return nil, fmt.Errorf("contextforge: forget: %w", err)
	}
	return ids, nil
}

// Clear removes everything and returns the number of entries there were.
func (m *Memory) Clear(ctx context.Context) (int, error) {
	var n int
	var err error
	if m.storage != nil {
		n, err = m.storage.Clear(ctx)
	} else {
		n, err = m.store.Clear(ctx)
	}
	if err != nil {
		return 0, fmt.Errorf("contextforge: clear: %w", err)
	}
	return n, nil
}

// ClearScope removes the entries of one scope, those of the global scope when
// scope is "", and returns their number. Up to 16,384 entries go in one commit,
// more in several.
func (m *Memory) ClearScope(ctx context.Context, scope string) (int, error) {
	var n int
	var err error
	if m.storage != nil {
		n, err = m.storage.ClearScope(ctx, scope)
	} else {
		n, err = m.store.ClearScope(ctx, scope)
	}
	if err != nil {
		return 0, fmt.Errorf("contextforge: clear scope: %w", err)
	}
	return n, nil
}
