package main

// This file decides what becomes of each record of an import.

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/gofrs/uuid/v5"
	"github.com/schollz/progressbar/v3"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/internal/jsonl"
	"github.com/contextforge-go/contextforge/scrub"
)

const (
	// batchEntries and batchBytes bound what is compared for equal ids, and
	// written in one commit.
	batchEntries = 2000
	batchBytes   = 16 << 20
	// embedEntries bounds a commit with vectors, so that the bar moves, and that
	// little is lost when the import is stopped.
	embedEntries = 128
	barInterval  = 100 * time.Millisecond
)

// counts are the outcome of an import.
type counts struct {
	Imported  int `json:"imported"`
	Unchanged int `json:"unchanged"`
	Skipped   int `json:"skipped"`
	Repeated  int `json:"repeated"` // a later record had the same id

	Redacted map[string]int `json:"redacted,omitempty"` // secrets, by label
}

// String says what became of the records.
func (c *counts) String() string {
	s := fmt.Sprintf("imported %d, unchanged %d, skipped %d", c.Imported, c.Unchanged, c.Skipped)
	if c.Repeated > 0 {
		s += fmt.Sprintf(", repeated %d", c.Repeated)
	}
	return s
}

// importer adds records to a memory, batch by batch.
type importer struct {
	counts
	app      *app
	memory   *contextforge.Memory
	bar      *progressbar.ProgressBar
	defaults contextforge.Entry // kind, scope and session for what has none
	now      time.Time          // timestamp for what has none
	secrets  *scrub.Scrubber    // that of the memory
	perWrite int                // most entries of a commit

	batch []contextforge.Entry
	at    []jsonl.Position // of the batch's records
	ends  []int64          // bytes read up to them
	last  map[string]int   // where an id is in the batch, for the last time
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
		if err := p.take(ctx, rec, r.Read()); err != nil {
			return err
		}
	}
}

// take adds a record, which ends at so many bytes, to the batch.
func (p *importer) take(ctx context.Context, rec jsonl.Record, end int64) error {
	var e contextforge.Entry
	if err := decode(rec.JSON, &e); err != nil {
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
	if p.last == nil {
		p.last = map[string]int{}
	}
	p.last[e.ID] = len(p.batch)
	p.batch = append(p.batch, e)
	p.at, p.ends = append(p.at, rec.Position), append(p.ends, end)
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
	old, err := p.known(ctx, e.ID)
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
	p.adopt(e, &old)
	return false, nil
}

// known returns the entry that has the id, be it still in the batch.
func (p *importer) known(ctx context.Context, id string) (contextforge.Entry, error) {
	if i, ok := p.last[id]; ok {
		return p.batch[i], nil
	}
	return p.memory.Get(ctx, id)
}

// adopt takes over from the entry that has the id already what the record
// doesn't say, and how its metadata is spelled: an export may have escaped
// characters that were written out.
func (p *importer) adopt(e, old *contextforge.Entry) {
	if e.Timestamp.IsZero() {
		e.Timestamp = old.Timestamp
		if e.CreatedAt.IsZero() {
			e.CreatedAt = old.CreatedAt
		}
	}
	if len(e.Metadata) == 0 || len(old.Metadata) == 0 {
		return
	}
	redacted, _, err := p.secrets.JSON(e.Metadata)
	if sameJSON(e.Metadata, old.Metadata) || err == nil && sameJSON(redacted, old.Metadata) {
		e.Metadata = old.Metadata
	}
}

// derivedID makes an id of what an entry says: the first 16 bytes of a SHA-256
// in the form of a UUID version 8 (RFC 9562, section 5.8). Secrets are taken
// out first, so that the id tells nothing of them.
func (p *importer) derivedID(e *contextforge.Entry) string {
	content, _ := p.secrets.Scrub(e.Content)
	kind, _ := p.secrets.Scrub(e.Kind)
	when := "none"
	if !e.Timestamp.IsZero() {
		when = fmt.Sprintf("%d.%09d", e.Timestamp.Unix(), e.Timestamp.Nanosecond())
	}
	h := sha256.New()
	for _, field := range []string{"contextforge import 1", content, when, kind, e.Scope, e.SessionID} {
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
