package contextforge

// This file decides how a transcript becomes a summary and facts in the memory.
// What they do to facts that are stored is decided in reconcile.go.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/contextforge-go/contextforge/distill"
	"github.com/contextforge-go/contextforge/internal/store"
	"github.com/contextforge-go/contextforge/render"
)

// Names in the metadata of what DistillAndSave saves and retires.
const (
	metaFactKind       = "fact_kind"
	metaSource         = "source"
	metaSince          = "distilled_since"
	metaUntil          = "distilled_until"
	metaSupersededBy   = "superseded_by"
	metaSupersededKind = "superseded_kind"

	sourceDistill = "distill"
)

// DistillOptions are the settings of DistillAndSave. The zero value serves.
type DistillOptions struct {
	Scope     string // "" is the global scope
	SessionID string // the session that the transcript is of
	// Metadata is a value that encodes to a JSON object, or nil. Summary and facts
	// get it; the names that DistillAndSave sets itself win.
	Metadata any
	// Timestamp is when the facts held, default Until, else Config.Clock.
	Timestamp time.Time
	// Since and Until are the time that the transcript spans, stored with summary and
	// facts as the metadata distilled_since and distilled_until, in RFC 3339. Zero
	// for unknown.
	Since, Until time.Time
	// TTL forgets summary and facts this long after they were saved; 0 keeps them.
	TTL time.Duration
	// KeepDuplicates saves what the scope has already.
	KeepDuplicates bool
	// KeepSuperseded leaves facts alone that others contradict.
	KeepSuperseded bool
	// DryRun saves nothing and says what would be.
	DryRun bool
}

// Reasons why DistillAndSave did not save a fact, beside those of package
// distill: ReasonEmpty, ReasonKind, and ReasonSize for one of more than MaxFacts.
const (
	SkippedRepeated distill.Reason = "repeated" // another one of the same transcript says it
	SkippedStored   distill.Reason = "stored"   // an entry of the scope says it
)

// SkippedFact is a fact that was not saved.
type SkippedFact struct {
	Fact   distill.Fact   `json:"fact"`
	Reason distill.Reason `json:"reason"`
	// ID is the entry that says the same; "" if there is none, or none yet.
	ID string `json:"id,omitempty"`
}

// Supersession says that one fact has taken the place of another one.
type Supersession struct {
	ID      string `json:"id,omitempty"` // the older one; "" in a dry run if it is new itself
	Content string `json:"content"`
	By      string `json:"by,omitempty"` // the newer one; "" in a dry run if it is new itself
	// ByContent is the text of the newer one.
	ByContent string `json:"by_content"`
}

// DistillResult says what DistillAndSave did, or in a dry run would do.
type DistillResult struct {
	// IDs are those of the summary, if there is one, and of the facts, in order.
	// There are none in a dry run.
	IDs     []string `json:"ids"`
	Summary string   `json:"summary"` // "" if there is none
	// StoredSummary is the entry that says what the summary does, which for that
	// isn't saved; "" if there is none.
	StoredSummary string         `json:"stored_summary,omitempty"`
	Facts         []distill.Fact `json:"facts"` // that were saved
	Skipped       []SkippedFact  `json:"skipped"`
	Superseded    []Supersession `json:"superseded"`
	// Redacted is what was redacted in the transcript, in the metadata of the options
	// and in what the model made.
	Redacted []Redaction `json:"redacted,omitempty"`
	// Partial says that the distiller failed on parts of the transcript and was told
	// to go on (distill.KeepSucceeded); nil if it didn't. It is saved what there is.
	Partial *distill.PartialError `json:"-"`
}

// DistillAndSave makes a summary and facts of a transcript and saves them in one
// durable commit: the summary with KindSummary, then every fact with KindFact and
// the metadata {"fact_kind": its kind, "source": "distill"}. Both have the scope,
// session, metadata and times of the options.
//
// Blocks of recalled memory, as QueryBlock makes them, are cut out of the
// transcript and secrets are redacted before d sees it; what d returns is scrubbed
// again, and only then cut to the limits of distill.Cap. A scope or session id with
// a secret is refused with ErrSecretInName. A transcript with nothing
// left in it isn't given to d. Facts that are empty or of an unknown kind are
// skipped, an empty summary isn't saved, and when nothing is left, nothing is
// written. On an error the memory is as it was, whatever failed: d, the context,
// the store.
//
// What the scope has already is not saved again: a fact of KindFact, and a summary
// of KindSummary, with the same words, or with words that differ in nothing that
// matters. Numbers, names, negations and the order of words matter, and a fact said
// quite differently is another fact. So is one said by another speaker.
//
// A state or a decision takes the place of those in the scope that are about the
// same, by distill.ClaimOf, say something else, and aren't of a later time. These
// keep their id, get KindSuperseded and the metadata superseded_by and
// superseded_kind, and the version before goes to the History; no query returns
// them unless QueryOptions.IncludeSuperseded says so. Get, List and Count show
// them. Within a transcript the later fact wins. When the memory knows a later fact
// than the transcript does, by its timestamp, it is the new one that is saved as
// superseded at once: so give old transcripts their time.
//
// Contradictions that distill.ClaimOf doesn't see are not resolved: preferences,
// corrections, the same thing under another name, states without a word for it
// ("Ana moved to Berlin"), what was taken back without a new value, facts saved by
// other means without the metadata fact_kind, and whatever summaries say. Candidates come from the text
// search: the first 16 for each text and the first 64 for each subject.
//
// Calls may run concurrently: what two of them save is compared too. With a plugged
// Storage all works through SaveBatch and the Searcher, as far as that finds the
// stored facts, but there is no History, and of concurrent calls each may save the
// same.
func (m *Memory) DistillAndSave(ctx context.Context, transcript string, d distill.Distiller, o DistillOptions) (DistillResult, error) {
	res, err := m.distillAndSave(ctx, transcript, d, o)
	if err != nil {
		return DistillResult{}, fmt.Errorf("contextforge: distill: %w", err)
	}
	return res, nil
}

func (m *Memory) distillAndSave(ctx context.Context, transcript string, d distill.Distiller, o DistillOptions) (DistillResult, error) {
	n := &distillation{m: m, o: o}
	if err := n.check(d); err != nil {
		return DistillResult{}, err
	}
	text := n.redacted.text(m.scrubber, "", FieldTranscript, render.StripRecalled(transcript))
	m.reportRedacted(ctx, n.redacted)
	if strings.TrimSpace(text) == "" {
		return n.result(), ctx.Err()
	}
	memory, err := d.Distill(ctx, text)
	if err != nil && !errors.As(err, &n.partial) {
		return DistillResult{}, err
	}
	if err := ctx.Err(); err != nil {
		return DistillResult{}, err
	}
	before := len(n.redacted)
	n.tidy(memory)
	if err := n.enter(); err != nil {
		return DistillResult{}, err
	}
	m.reportRedacted(ctx, n.redacted[before:])
	if err := n.save(ctx); err != nil {
		return DistillResult{}, err
	}
	return n.result(), nil
}

// distillation is one call of DistillAndSave.
type distillation struct {
	m       *Memory
	o       DistillOptions
	base    map[string]json.RawMessage // metadata of summary and facts
	partial *distill.PartialError

	summary *newFact // nil for none
	facts   []*newFact
	skipped []SkippedFact // before anything was compared
	retired []retirement

	redacted redactions // in transcript, metadata and what was made of it
}

// check refuses what can't be saved before a model is asked.
func (n *distillation) check(d distill.Distiller) error {
	o := &n.o
	switch {
	case d == nil:
		return fmt.Errorf("%w: there is no Distiller", ErrInvalidConfig)
	case o.TTL < 0:
		return fmt.Errorf("%w: TTL must not be negative", ErrInvalidEntry)
	case !o.Since.IsZero() && !o.Until.IsZero() && o.Until.Before(o.Since):
		return fmt.Errorf("%w: Until %v is before Since %v", ErrInvalidEntry, o.Until, o.Since)
	}
	if o.Timestamp.IsZero() {
		o.Timestamp = o.Until
	}
	if o.Timestamp.IsZero() {
		o.Timestamp = n.m.cfg.Clock()
	}
	raw, err := encodeMetadata(o.Metadata)
	if err == nil {
		raw, err = n.m.redactMetadata("", raw, &n.redacted)
	}
	if err != nil {
		return err
	}
	if raw == nil {
		raw = json.RawMessage("{}")
	}
	if err := json.Unmarshal(raw, &n.base); err != nil {
		return fmt.Errorf("%w: metadata of a transcript must be a JSON object", ErrInvalidEntry)
	}
	for name, at := range map[string]time.Time{metaSince: o.Since, metaUntil: o.Until} {
		if !at.IsZero() {
			n.base[name] = jsonString(at.UTC().Format(time.RFC3339Nano))
		}
	}
	probe := Entry{Content: "-", Scope: o.Scope, SessionID: o.SessionID, Metadata: raw, Timestamp: o.Timestamp}
	if err := n.m.redact(&probe, new(redactions)); err != nil {
		return err
	}
	return n.m.complete(&probe)
}

// jsonString returns a string as JSON.
func jsonString(s string) json.RawMessage {
	text, err := json.Marshal(s)
	if err != nil { // no string does that
		return json.RawMessage(`""`)
	}
	return text
}

// tidy takes over what can be kept of a memory: scrubbed before it is cut, so that
// no half of a secret is left.
func (n *distillation) tidy(memory distill.DistilledMemory) {
	clean := func(text string) string { return n.redacted.text(n.m.scrubber, "", FieldContent, text) }
	scrubbed := distill.DistilledMemory{Summary: clean(memory.Summary)}
	for _, f := range memory.Facts {
		f.Text, f.Kind = clean(f.Text), distill.Kind(n.m.shown(string(f.Kind)))
		switch {
		case !f.Kind.Valid():
			n.skipped = append(n.skipped, SkippedFact{Fact: f, Reason: distill.ReasonKind})
		case strings.TrimSpace(f.Text) == "":
			n.skipped = append(n.skipped, SkippedFact{Fact: f, Reason: distill.ReasonEmpty})
		case len(scrubbed.Facts) == distill.MaxFacts:
			n.skipped = append(n.skipped, SkippedFact{Fact: f, Reason: distill.ReasonSize})
		default:
			scrubbed.Facts = append(scrubbed.Facts, f)
		}
	}
	capped := distill.Clean(scrubbed, nil)
	if capped.Summary != "" {
		n.summary = &newFact{fact: distill.Fact{Text: capped.Summary}, claim: claimOf("", capped.Summary)}
	}
	for _, f := range capped.Facts {
		n.facts = append(n.facts, &newFact{fact: f, claim: claimOf(f.Kind, f.Text)})
	}
}

// enter makes the entries.
func (n *distillation) enter() (err error) {
	save := SaveOptions{
		Scope: n.o.Scope, SessionID: n.o.SessionID, Metadata: n.base, Timestamp: n.o.Timestamp, TTL: n.o.TTL,
	}
	if n.summary != nil {
		if n.summary.Entry, err = n.m.newEntry(&Item{n.summary.fact.Text, KindSummary, save}, &n.redacted); err != nil {
			return fmt.Errorf("summary: %w", err)
		}
	}
	for i, f := range n.facts {
		save.Metadata = n.with(metaFactKind, string(f.fact.Kind), metaSource, sourceDistill)
		if f.Entry, err = n.m.newEntry(&Item{f.fact.Text, KindFact, save}, &n.redacted); err != nil {
			return fmt.Errorf("fact %d: %w", i, err)
		}
		f.metadata = f.Metadata
	}
	return nil
}

// with returns the metadata with some more names and values, in turn.
func (n *distillation) with(more ...string) map[string]json.RawMessage {
	all := maps.Clone(n.base)
	for i := 0; i < len(more); i += 2 {
		all[more[i]] = jsonString(more[i+1])
	}
	return all
}

// save compares the facts with the stored ones and writes what is to be written.
func (n *distillation) save(ctx context.Context) error {
	since, err := n.reconcile(ctx)
	if err != nil || n.o.DryRun {
		return err
	}
	entries := n.entries()
	switch {
	case len(entries) == 0:
		return nil
	case n.m.storage != nil:
		for _, r := range n.retired {
			entries = append(entries, r.next)
		}
		return n.m.storage.SaveBatch(ctx, entries)
	}
	return n.m.writeEmbedded(ctx, entries, func(drafts []store.Draft) error { return n.commit(ctx, drafts, since) })
}

// both returns the summary, if there is one, and the facts.
func (n *distillation) both() []*newFact {
	if n.summary == nil {
		return n.facts
	}
	return append([]*newFact{n.summary}, n.facts...)
}

// entries returns what is to be saved, in order.
func (n *distillation) entries() (list []Entry) {
	for _, f := range n.both() {
		if !f.skip() {
			list = append(list, f.Entry)
		}
	}
	return list
}

// mostComparisons is how often a distillation compares its facts anew because others
// have changed the stored ones meanwhile. Each time somebody else has got on.
const mostComparisons = 100

// commit saves the drafts, those of entries(), and what is retired, unless the
// facts of the scope have changed since they were compared; then it compares them
// again.
func (n *distillation) commit(ctx context.Context, drafts []store.Draft, since uint64) error {
	for range mostComparisons {
		batch := n.batch(drafts)
		fresh := len(batch)
		for _, r := range n.retired {
			batch = append(batch, store.Draft{Record: record(r.next), KeepVersion: true, Was: r.num})
		}
		err := n.m.store.SaveUnless(ctx, batch, since, n.concerns())
		if !errors.Is(err, store.ErrConflict) {
			n.dropStale(batch[fresh:])
			return err
		}
		if since, err = n.reconcile(ctx); err != nil {
			return err
		}
	}
	return fmt.Errorf("the facts of the scope have changed %d times while they were compared", mostComparisons)
}

// batch returns the drafts that are still to be saved, as they are to be now. The
// others get what says the same for a twin.
func (n *distillation) batch(drafts []store.Draft) (batch []store.Draft) {
	now := map[string]*newFact{}
	for _, f := range n.both() {
		now[f.ID] = f
	}
	for i := range drafts {
		d := &drafts[i]
		d.NewID = !n.m.ownRand
		if f := now[d.ID]; f != nil {
			if f.skip() {
				d.Twin = f.standsFor().ID
				continue
			}
			d.Record = record(f.Entry)
		}
		batch = append(batch, *d)
	}
	return batch
}

// dropStale takes out of the result what somebody else has changed or deleted.
func (n *distillation) dropStale(batch []store.Draft) {
	var kept []retirement
	for i, r := range n.retired {
		if !batch[i].Stale {
			kept = append(kept, r)
		}
	}
	n.retired = kept
}

// result says what was done.
func (n *distillation) result() DistillResult {
	res := DistillResult{
		IDs: []string{}, Facts: []distill.Fact{}, Superseded: []Supersession{}, Partial: n.partial,
		Skipped: append([]SkippedFact{}, n.skipped...), Redacted: n.redacted,
	}
	if n.summary != nil {
		res.Summary = n.summary.Content
		if n.summary.stored != nil {
			res.StoredSummary = n.summary.stored.ID
		}
	}
	for _, f := range n.facts {
		switch {
		case f.stored != nil:
			res.Skipped = append(res.Skipped, SkippedFact{f.fact, SkippedStored, f.stored.ID})
		case f.same != nil:
			res.Skipped = append(res.Skipped, SkippedFact{f.fact, SkippedRepeated, n.idOf(f)})
		default:
			res.Facts = append(res.Facts, f.fact)
			if f.superseded() {
				res.Superseded = append(res.Superseded, n.supersession(n.idOf(f), f.Content, f.newer, f.latest))
			}
		}
	}
	for _, r := range n.retired {
		res.Superseded = append(res.Superseded, n.supersession(r.next.ID, r.next.Content, r.by, nil))
	}
	if !n.o.DryRun {
		for _, e := range n.entries() {
			res.IDs = append(res.IDs, e.ID)
		}
	}
	return res
}

// supersession says by what of two an entry is superseded.
func (n *distillation) supersession(id, content string, by *newFact, stored *Entry) Supersession {
	if stored != nil {
		return Supersession{id, content, stored.ID, stored.Content}
	}
	return Supersession{id, content, n.idOf(by), by.standsFor().Content}
}

// idOf returns the id of what stands for a fact; "" if that is only what would be.
func (n *distillation) idOf(f *newFact) string {
	e := f.standsFor()
	if n.o.DryRun && slices.ContainsFunc(n.facts, func(f *newFact) bool { return &f.Entry == e }) {
		return ""
	}
	return e.ID
}
