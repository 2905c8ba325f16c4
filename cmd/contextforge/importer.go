package main

// This file decides what becomes of each record of an import.

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"strings"
	"time"

	"github.com/gofrs/uuid/v5"
	"github.com/schollz/progressbar/v3"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/internal/jsonl"
	"github.com/contextforge-go/contextforge/scrub"
)

const (
	// batchEntries and batchBytes bound what is written in one commit.
	batchEntries = 2000
	batchBytes   = 16 << 20
	barInterval  = 100 * time.Millisecond
)

// counts are the outcome of an import.
type counts struct {
	Imported  int `json:"imported"`
	Unchanged int `json:"unchanged"`
	Skipped   int `json:"skipped"`
}

// importer adds records to a memory, batch by batch.
type importer struct {
	counts
	app      *app
	memory   *contextforge.Memory
	bar      *progressbar.ProgressBar
	defaults contextforge.Entry // kind, scope and session for what has none
	now      time.Time          // timestamp for what has none
	verbatim bool               // secrets are kept

	batch []contextforge.Entry
	at    []jsonl.Position // of the batch's records
	size  int              // of the batch's contents
}

func (p *importer) run(ctx context.Context, src io.Reader) error {
	r := jsonl.NewReader(src, jsonl.Options{})
	for {
		rec, err := r.Next()
		var fault *jsonl.SyntaxError
		switch {
		case err == io.EOF:
			err := p.flush(ctx)
			p.clearBar()
			return err
		case errors.As(err, &fault):
			p.skip(fault.Position, fault.Reason)
			continue
		case err != nil:
			return errors.Join(err, p.flush(ctx))
		}
		if err := p.take(ctx, rec); err != nil {
			return err
		}
		p.show(r.Read())
	}
}

// take adds a record to the batch.
func (p *importer) take(ctx context.Context, rec jsonl.Record) error {
	var e contextforge.Entry
	if err := e.UnmarshalJSON(rec.JSON); err != nil {
		p.skip(rec.Position, reasonOf(err))
		return nil
	}
	if e.Content == "" {
		p.skip(rec.Position, "no content")
		return nil
	}
	if done, err := p.complete(ctx, &e, rec.JSON); done || err != nil {
		return err
	}
	p.batch = append(p.batch, e)
	p.at = append(p.at, rec.Position)
	if p.size += len(e.Content) + len(e.Metadata); p.size < batchBytes && len(p.batch) < batchEntries {
		return nil
	}
	return p.flush(ctx)
}

// complete fills in what the record doesn't say, and reports whether it is
// there already.
func (p *importer) complete(ctx context.Context, e *contextforge.Entry, text []byte) (done bool, err error) {
	if e.Kind == "" && !hasKind(text) {
		e.Kind = p.defaults.Kind
	}
	if e.Scope == "" {
		e.Scope = p.defaults.Scope
	}
	if e.SessionID == "" {
		e.SessionID = p.defaults.SessionID
	}
	derived := e.ID == ""
	if derived {
		e.ID = p.derivedID(e)
	}
	if !e.Timestamp.IsZero() && !bytes.Contains(e.Metadata, []byte(`\u`)) {
		return false, nil
	}
	old, err := p.memory.Get(ctx, e.ID)
	switch {
	case errors.Is(err, contextforge.ErrNotFound):
		if e.Timestamp.IsZero() {
			e.Timestamp = p.now
		}
		return false, nil
	case err != nil:
		return false, err
	case derived && e.Timestamp.IsZero():
		p.Unchanged++
		return true, nil
	}
	adopt(e, &old)
	return false, nil
}

// adopt takes over from the entry that has the id already what the record
// doesn't say, and how its metadata is spelled: an export may have escaped
// characters that were written out.
func adopt(e, old *contextforge.Entry) {
	if e.Timestamp.IsZero() {
		e.Timestamp = old.Timestamp
		if e.CreatedAt.IsZero() {
			e.CreatedAt = old.CreatedAt
		}
	}
	if sameJSON(e.Metadata, old.Metadata) {
		e.Metadata = old.Metadata
	}
}

func sameJSON(a, b json.RawMessage) bool {
	return len(a) > 0 && len(b) > 0 && reflect.DeepEqual(decoded(a), decoded(b))
}

// decoded returns the value of valid JSON, numbers as they are written.
func decoded(text json.RawMessage) (v any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// hasKind tells an empty kind, which is one like any other, from none.
func hasKind(text []byte) bool {
	var probe struct {
		Kind *string `json:"kind"`
	}
	return json.Unmarshal(text, &probe) == nil && probe.Kind != nil
}

// derivedID makes an id of what an entry says: the first 16 bytes of a SHA-256
// in the form of a UUID version 8 (RFC 9562, section 5.8). Secrets are taken
// out first, so that the id tells nothing of them.
func (p *importer) derivedID(e *contextforge.Entry) string {
	content := e.Content
	if !p.verbatim {
		content, _ = scrub.Scrub(content)
	}
	when := "none"
	if !e.Timestamp.IsZero() {
		when = fmt.Sprintf("%d.%09d", e.Timestamp.Unix(), e.Timestamp.Nanosecond())
	}
	h := sha256.New()
	for _, field := range []string{"contextforge import 1", content, when, e.Kind, e.Scope, e.SessionID} {
		var size [8]byte
		binary.BigEndian.PutUint64(size[:], uint64(len(field)))
		h.Write(size[:]) // a hash.Hash never fails
		h.Write([]byte(field))
	}
	id := uuid.UUID(h.Sum(nil)[:uuid.Size])
	id.SetVersion(8)
	id.SetVariant(uuid.VariantRFC9562)
	return id.String()
}

// flush writes the batch. When one of its entries is refused, the others are
// written one by one.
func (p *importer) flush(ctx context.Context) error {
	batch, at := p.batch, p.at
	p.batch, p.at, p.size = p.batch[:0], p.at[:0], 0
	if len(batch) == 0 {
		return nil
	}
	redacted := maps.Clone(p.app.redacted)
	n, err := p.memory.Restore(ctx, batch)
	if err == nil {
		p.Imported += n
		p.Unchanged += len(batch) - n
		return nil
	}
	if !errors.Is(err, contextforge.ErrInvalidEntry) {
		return err
	}
	p.app.redacted = redacted
	for i := range batch {
		if err := p.restoreOne(ctx, batch[i], at[i]); err != nil {
			return err
		}
	}
	return nil
}

func (p *importer) restoreOne(ctx context.Context, e contextforge.Entry, at jsonl.Position) error {
	n, err := p.memory.Restore(ctx, []contextforge.Entry{e})
	switch {
	case errors.Is(err, contextforge.ErrInvalidEntry):
		p.skip(at, reasonOf(err))
	case err != nil:
		return err
	default:
		p.Imported += n
		p.Unchanged += 1 - n
	}
	return nil
}

// skip reports a record that is not imported.
func (p *importer) skip(at jsonl.Position, reason string) {
	p.Skipped++
	switch verbose := p.app.global.verbose; {
	case verbose || p.Skipped <= shownFaults:
		p.clearBar()
		p.app.note("%s: %s", at, oneLine(reason))
	case p.Skipped == shownFaults+1:
		p.app.note("further faults are only counted; -v shows them all")
	}
}

// reasonOf says in the terms of the record why it can't be an entry.
func reasonOf(err error) string {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return fmt.Sprintf("%s has the wrong type, %s", wrong.Field, wrong.Value)
	}
	if _, reason, ok := strings.Cut(err.Error(), contextforge.ErrInvalidEntry.Error()+": "); ok {
		return reason
	}
	return message(err)
}

// show moves the bar; that it can't be drawn is no reason to stop.
func (p *importer) show(read int64) {
	if p.bar != nil {
		_ = p.bar.Set64(read)
	}
}

func (p *importer) clearBar() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
