package contextforge

// This file decides what of a text is redacted before anything else sees it, what
// is refused instead, and who hears of it.

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode"

	"github.com/contextforge-go/contextforge/scrub"
)

// rules returns the custom rules, those of the files behind the others.
func (c *ScrubConfig) rules() ([]scrub.Rule, error) {
	rules := slices.Clone(c.Custom)
	for _, name := range c.RulesFiles {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		more, err := scrub.LoadRules(name, string(text))
		if err != nil {
			return nil, err
		}
		rules = append(rules, more...)
	}
	return rules, nil
}

// Scrubber returns what these settings redact by. Its errors match
// ErrInvalidConfig.
func (c *ScrubConfig) Scrubber() (*scrub.Scrubber, error) {
	rules, err := c.rules()
	var s *scrub.Scrubber
	if err == nil {
		s, err = scrub.New(scrub.Options{Disabled: c.Disabled, Custom: rules, Off: c.Off, Allow: c.Allow})
	}
	if err != nil {
		return nil, fmt.Errorf("%w: Scrub: %w", ErrInvalidConfig, err)
	}
	return s, nil
}

// openScrubbers makes the scrubbers and refuses a model whose name holds a secret.
func (m *Memory) openScrubbers() (err error) {
	if m.scrubber, err = m.cfg.Scrub.Scrubber(); err != nil {
		return err
	}
	m.secrets = m.scrubber
	if m.cfg.Scrub.Disabled {
		enabled := m.cfg.Scrub
		enabled.Disabled = false
		if m.secrets, err = enabled.Scrubber(); err != nil {
			return err
		}
	}
	if m.cfg.Embedder == nil {
		return nil
	}
	return m.checkName(ErrInvalidConfig, FieldModel, modelOf(m.cfg.Embedder).ID)
}

// Scrubber returns what the memory redacts by, for other texts to be treated
// alike; with ScrubConfig.Disabled it leaves everything as it is.
func (m *Memory) Scrubber() *scrub.Scrubber { return m.scrubber }

// redactions collects what was redacted.
type redactions []Redaction

// add counts findings under their rules.
func (r *redactions) add(entry string, field Field, found []scrub.Finding) {
next:
	for _, f := range found {
		for i := len(*r) - 1; i >= 0; i-- {
			same := &(*r)[i]
			if same.Entry != entry || same.Field != field {
				break
			}
			if same.Rule == f.Rule && same.Label == f.Label {
				same.Count++
				continue next
			}
		}
		*r = append(*r, Redaction{Entry: entry, Field: field, Label: f.Label, Rule: f.Rule, Count: 1})
	}
}

// text returns a text as it may be kept.
func (r *redactions) text(s *scrub.Scrubber, entry string, field Field, text string) string {
	clean, found := s.Scrub(text)
	r.add(entry, field, found)
	return clean
}

func (m *Memory) reportRedacted(ctx context.Context, r redactions) {
	if len(r) > 0 && m.cfg.Hooks.Redacted != nil {
		m.cfg.Hooks.Redacted(ctx, r)
	}
}

// redact takes the secrets out of an entry that is about to be saved.
func (m *Memory) redact(e *Entry, r *redactions) (err error) {
	for _, name := range []struct {
		field Field
		value string
	}{{FieldID, e.ID}, {FieldScope, e.Scope}, {FieldSession, e.SessionID}} {
		if err := m.checkName(ErrInvalidEntry, name.field, name.value); err != nil {
			return err
		}
	}
	e.Content = r.text(m.scrubber, e.ID, FieldContent, e.Content)
	e.Kind = r.text(m.scrubber, e.ID, FieldKind, e.Kind)
	e.Metadata, err = m.redactMetadata(e.ID, e.Metadata, r)
	return err
}

// redactMetadata takes the secrets out of metadata, which is JSON or nothing.
func (m *Memory) redactMetadata(entry string, meta json.RawMessage, r *redactions) (json.RawMessage, error) {
	if m.cfg.Scrub.KeepMetadata || len(meta) == 0 {
		return meta, nil
	}
	clean, found, err := m.scrubber.JSON(meta)
	if err != nil { // which it was taken for before
		return nil, fmt.Errorf("%w: metadata: %w", ErrInvalidEntry, err)
	}
	r.add(entry, FieldMetadata, found)
	return clean, nil
}

// redactChange takes the secrets out of a change and its metadata.
func (m *Memory) redactChange(ctx context.Context, id string, c *Change, meta json.RawMessage) (json.RawMessage, error) {
	if c.SessionID != nil {
		if err := m.checkName(ErrInvalidEntry, FieldSession, *c.SessionID); err != nil {
			return nil, err
		}
	}
	var r redactions
	id = m.shown(id)
	for _, f := range []struct {
		field Field
		text  **string
	}{{FieldContent, &c.Content}, {FieldKind, &c.Kind}} {
		if *f.text != nil {
			clean := r.text(m.scrubber, id, f.field, **f.text)
			*f.text = &clean
		}
	}
	meta, err := m.redactMetadata(id, meta, &r)
	if err != nil {
		return nil, err
	}
	if c.Redacted != nil {
		*c.Redacted = r
	}
	m.reportRedacted(ctx, r)
	return meta, nil
}

// checkName refuses a name that holds a secret.
func (m *Memory) checkName(kind error, field Field, name string) error {
	if _, found := m.scrubber.Scrub(name); len(found) > 0 {
		return fmt.Errorf("%w: %w: %s holds one of kind %s", kind, ErrSecretInName, field, found[0].Label)
	}
	return nil
}

// shown returns a text as logs and errors may show it.
func (m *Memory) shown(text string) string {
	clean, _ := m.scrubber.Scrub(text)
	return clean
}

// question returns a question without its secrets: "" if there is nothing else
// in it.
func (m *Memory) question(ctx context.Context, text string) string {
	clean, found := m.scrubber.Scrub(text)
	if len(found) == 0 {
		return text
	}
	var r redactions
	r.add("", FieldQuestion, found)
	m.reportRedacted(ctx, r)
	begin := 0
	for _, f := range append(found, scrub.Finding{Start: len(text)}) {
		if strings.ContainsFunc(text[begin:f.Start], isWordRune) {
			return clean
		}
		begin = f.End
	}
	return ""
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }
