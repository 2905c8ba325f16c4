package contextforge

// This file decides how secrets that are in a store already are found, and how
// they leave it.

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/contextforge-go/contextforge/internal/store"
	"github.com/contextforge-go/contextforge/scrub"
)

// AuditOptions are the settings of AuditSecrets.
type AuditOptions struct {
	// Fix redacts what is found.
	Fix bool
	// Found, when not nil, receives every secret, in the order of the walk. It may
	// use the Memory, but for AuditSecrets and Close.
	Found func(SecretFinding)
}

// SecretFinding says where a secret is, or with AuditOptions.Fix was, never the
// secret itself.
type SecretFinding struct {
	// Entry is the id, with the secrets in it redacted; "" for the name of a model.
	Entry string `json:"entry"`
	// Version is 0 for the entry as it is, otherwise the place of the earlier
	// version in History, 1 for the oldest.
	Version int    `json:"version,omitempty"`
	Field   Field  `json:"field"`
	Label   string `json:"label"`
	Rule    string `json:"rule"`
	Start   int    `json:"start"` // byte span in the field as it was found, metadata as JSON
	End     int    `json:"end"`
}

// AuditReport says what AuditSecrets found and did.
type AuditReport struct {
	Entries  int            `json:"entries"`  // looked at, of those that were there at the beginning
	Versions int            `json:"versions"` // earlier ones of them
	Secrets  int            `json:"secrets"`  // found, in all
	Labels   map[string]int `json:"labels"`   // found, by label; never nil
	Redacted int            `json:"redacted"` // entries that were changed, in themselves or their history
	Renamed  int            `json:"renamed"`  // of these, entries that got another id
	Left     int            `json:"left"`     // secrets that are still there
}

// auditBatch and auditBytes bound what an audit holds at once, in entries and
// bytes of text, beside the entry at hand.
const (
	auditBatch = 256
	auditBytes = 4 << 20
)

// AuditSecrets looks for secrets in everything that is stored: contents, metadata
// (unless ScrubConfig.KeepMetadata), kinds, ids, scopes, session ids, the earlier
// versions of entries, what has expired but is not removed yet, the names of
// models. It finds what older rules missed, and what was written with
// ScrubConfig.Disabled or by an Engine; the rules are those of Config.Scrub, also
// when that is disabled. What is derived from entries (index terms, hashes,
// vectors, orders) isn't looked at, as it is what the entries make it.
//
// With Fix, texts and metadata are redacted where they stand, history included,
// and everything derived from them is made anew; times stay as they are, tokens
// are counted again. A scope, session id or id with a secret is replaced by
// itself, redacted, with "~" and 16 hexadecimal digits behind it that differ for
// different names, so that no two scopes become one; metadata that referred to
// such an id refers to nothing any more. The digits are made with a random key that
// is forgotten when all is done, so they tell nothing of the secret. Entries that
// got a new content are embedded anew, if there is an Embedder. At last the store
// is compacted, also when nothing was found: then no key and no value of it holds
// a secret that the rules know, nor does a file of its folder. Copies made before
// (Checkpoint, exports, what Recover put aside) are not touched.
//
// The audit works through the store bit by bit: saving and reading go on, memory
// stays bounded, and ctx ends it. When it was cut off, by a kill too, a new one
// finishes the work. What is saved meanwhile is looked at too, an entry that was
// changed meanwhile perhaps twice. The name of a model is only reported and counts
// as Left: once another model is configured and BackfillEmbeddings is done, it is
// gone. Audits with Fix wait for each other.
func (m *Memory) AuditSecrets(ctx context.Context, o AuditOptions) (AuditReport, error) {
	a := &audit{m: m, o: o, report: AuditReport{Labels: map[string]int{}}}
	if m.store == nil {
		return a.report, unsupported("AuditSecrets")
	}
	if err := a.run(ctx); err != nil {
		return a.report, fmt.Errorf("contextforge: audit: %w", err)
	}
	return a.report, nil
}

// audit is one call of AuditSecrets.
type audit struct {
	m      *Memory
	o      AuditOptions
	report AuditReport
	first  uint64 // docNum that the first record put since the beginning has
	key    []byte // of the digits behind names; nil until there is one

	found []SecretFinding // of the batch
	dirty []string        // ids of the batch with a secret
}

func (a *audit) run(ctx context.Context) error {
	if a.o.Fix {
		select {
		case a.m.mending <- struct{}{}:
			defer func() { <-a.m.mending }()
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if err := a.models(ctx); err != nil {
		return err
	}
	for from, more := uint64(0), true; more; {
		var err error
		if from, more, err = a.batch(ctx, from); err != nil {
			return err
		}
	}
	if !a.o.Fix {
		a.report.Left = a.report.Secrets
		return nil
	}
	return a.finish(ctx)
}

// finish makes what was derived from the texts disappear.
func (a *audit) finish(ctx context.Context) error {
	if a.report.Redacted > 0 && a.m.cfg.Embedder != nil {
		// What fails waits in the queue, and the hook hears of it.
		if _, _, err := a.m.fill(ctx, (*store.View).Pending, embedBatch, nil); err != nil {
			return err
		}
	}
	if err := a.m.store.DropNameKey(ctx); err != nil {
		return err
	}
	return a.m.store.Compact(ctx)
}

// models looks at the names of the models that vectors are of.
func (a *audit) models(ctx context.Context) error {
	stats, err := inView(ctx, a.m, func(v *store.View) (store.EmbeddingStats, error) {
		a.first = v.Next()
		return v.Embeddings(), nil
	})
	if err != nil {
		return err
	}
	names := []string{stats.Model.ID}
	for _, other := range stats.Others {
		names = append(names, other.ID)
	}
	for _, name := range names {
		_, found := a.m.secrets.Scrub(name)
		a.report.Left += len(found)
		a.note(SecretFinding{Field: FieldModel}, found)
	}
	a.tell()
	return nil
}

// batch looks at the next entries and mends them. It returns where to go on, if
// there is more.
func (a *audit) batch(ctx context.Context, from uint64) (next uint64, more bool, err error) {
	next, more = from, false
	_, err = inView(ctx, a.m, func(v *store.View) (none struct{}, err error) {
		entries, bytes := 0, 0
		for rec, err := range v.From(from) {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return none, err
			}
			if more = entries == auditBatch || bytes >= auditBytes; more {
				return none, nil
			}
			entries++
			bytes += len(rec.Content) + len(rec.Metadata)
			next = rec.Num + 1
			if err := a.entry(v, rec); err != nil {
				return none, err
			}
		}
		return none, nil
	})
	if err != nil {
		return next, false, err
	}
	a.tell()
	for _, id := range a.dirty {
		if !a.o.Fix {
			break
		}
		if err := a.mend(ctx, id); err != nil {
			return next, false, err
		}
	}
	a.dirty = a.dirty[:0]
	return next, more, nil
}

// entry looks at an entry and its earlier versions.
func (a *audit) entry(v *store.View, rec store.Numbered) error {
	before := a.report.Secrets
	a.look(rec.Record, 0)
	version := 0
	for old, err := range v.Versions(rec.ID) {
		if err != nil {
			return err
		}
		version++
		a.look(old, version)
	}
	if rec.Num < a.first { // what is mended comes again
		a.report.Entries++
		a.report.Versions += version
	}
	if a.report.Secrets > before {
		a.dirty = append(a.dirty, rec.ID)
	}
	return nil
}

// look notes the secrets in a record.
func (a *audit) look(rec *record, version int) {
	id, _ := a.m.secrets.Scrub(rec.ID)
	at := SecretFinding{Entry: id, Version: version}
	for _, f := range []struct {
		field Field
		text  string
	}{{FieldID, rec.ID}, {FieldScope, rec.Scope}, {FieldSession, rec.SessionID}, {FieldContent, rec.Content}, {FieldKind, rec.Kind}} {
		if f.field == FieldID && version > 0 {
			continue // it is the entry's
		}
		_, found := a.m.secrets.Scrub(f.text)
		at.Field = f.field
		a.note(at, found)
	}
	at.Field = FieldMetadata
	_, found := a.metadata(rec.Metadata)
	a.note(at, found)
}

// metadata returns metadata without its secrets. What isn't JSON, as only damage
// leaves it, is a text.
func (a *audit) metadata(meta json.RawMessage) (json.RawMessage, []scrub.Finding) {
	if len(meta) == 0 || a.m.cfg.Scrub.KeepMetadata {
		return meta, nil
	}
	clean, found, err := a.m.secrets.JSON(meta)
	if err != nil {
		var text string
		text, found = a.m.secrets.Scrub(string(meta))
		clean = json.RawMessage(text)
	}
	return clean, found
}

func (a *audit) note(at SecretFinding, found []scrub.Finding) {
	for _, f := range found {
		at.Label, at.Rule, at.Start, at.End = f.Label, f.Rule, f.Start, f.End
		a.report.Secrets++
		a.report.Labels[f.Label]++
		if a.o.Found != nil {
			a.found = append(a.found, at)
		}
	}
}

// tell hands on what was noted, outside of any view.
func (a *audit) tell() {
	for _, f := range a.found {
		a.o.Found(f)
	}
	a.found = a.found[:0]
}

// mend takes the secrets out of an entry and its history; the id comes last, as it
// is by the id that an audit which was cut off finds the entry.
func (a *audit) mend(ctx context.Context, id string) error {
	if a.key == nil {
		fresh, err := a.m.ids.key()
		if err != nil {
			return err
		}
		if a.key, err = a.m.store.NameKey(ctx, fresh); err != nil {
			return err
		}
	}
	changed, err := a.m.store.Redact(ctx, id, a.m.cfg.Embedder != nil, a.edit)
	name := a.name(id)
	if err == nil && name != id {
		if err = a.m.store.Rename(ctx, id, name); err == nil {
			a.report.Renamed++
			changed = true
		}
	}
	if errors.Is(err, ErrNotFound) { // deleted meanwhile
		return nil
	}
	if changed {
		a.report.Redacted++
	}
	return err
}

// edit takes the secrets out of a record, all but those in its id.
func (a *audit) edit(rec *record) (bool, error) {
	old := *rec
	rec.Content, _ = a.m.secrets.Scrub(rec.Content)
	if rec.Content != old.Content {
		rec.TokenCount = a.m.tokens(rec.Content)
	}
	rec.Kind, _ = a.m.secrets.Scrub(rec.Kind)
	rec.Scope, rec.SessionID = a.name(rec.Scope), a.name(rec.SessionID)
	var found []scrub.Finding
	rec.Metadata, found = a.metadata(rec.Metadata)
	return len(found) > 0 || rec.Content != old.Content || rec.Kind != old.Kind || rec.Scope != old.Scope || rec.SessionID != old.SessionID, nil
}

// name returns what takes the place of a name: the name itself if nothing is wrong
// with it.
func (a *audit) name(name string) string {
	clean, found := a.m.secrets.Scrub(name)
	if len(found) == 0 {
		return name
	}
	mac := hmac.New(sha256.New, a.key)
	mac.Write([]byte(name)) // a hash.Hash never fails
	digits := "~" + hex.EncodeToString(mac.Sum(nil)[:8])
	if clean += digits; len(clean) > maxField || a.m.secrets.Has(clean) {
		return "redacted" + digits
	}
	return clean
}
