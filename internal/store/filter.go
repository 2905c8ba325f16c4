package store

// This file decides which records a reader asks for.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/contextforge-go/contextforge/bm25"
)

// Filter restricts a search, a listing or a count. The zero value takes
// everything that has not expired.
type Filter struct {
	Scope      string // "": all scopes, unless GlobalOnly
	GlobalOnly bool   // only records without a scope
	Kinds      []string
	NotKinds   []string // none of these kinds
	SessionID  string
	Since      *Time // from this instant on
	Until      *Time // before this instant
	Metadata   Metadata
	AsOf       Time // records that expire at or before it are left out
}

// scope returns the one scope that the filter allows.
func (f *Filter) scope() (scope string, one bool) {
	return f.Scope, f.Scope != "" || f.GlobalOnly
}

// simple reports whether only scope and expiry matter.
func (f *Filter) simple() bool {
	return len(f.Kinds) == 0 && len(f.NotKinds) == 0 && f.SessionID == "" && f.Since == nil && f.Until == nil && len(f.Metadata) == 0
}

// ScopeOnly reports whether nothing but a scope is asked for; kinds that are to
// be left out don't count.
func (f *Filter) ScopeOnly() bool {
	plain := f.withoutNotKinds()
	return plain.simple() && !f.GlobalOnly
}

func (f *Filter) withoutNotKinds() Filter {
	plain := *f
	plain.NotKinds = nil
	return plain
}

// reduced returns the filter without kinds to leave out that the view doesn't
// hold, so that they cost nothing where there are none. It keeps them in a view
// that can't be searched.
func (f Filter) reduced(ctx context.Context, v *View) Filter {
	if len(f.NotKinds) == 0 {
		return f
	}
	if has, err := v.state.index.HasKind(ctx, v.state.snap, f.NotKinds...); err == nil && !has {
		f.NotKinds = nil
	}
	return f
}

// Match applies the whole filter to a record.
func (f *Filter) Match(rec *Record) bool { return f.match(&stored{Record: *rec}) }

// match applies the whole filter to a record.
func (f *Filter) match(rec *stored) bool {
	if scope, one := f.scope(); one && rec.Scope != scope {
		return false
	}
	at := rec.time()
	switch {
	case rec.Expired(f.AsOf),
		len(f.Kinds) > 0 && !slices.Contains(f.Kinds, rec.Kind),
		slices.Contains(f.NotKinds, rec.Kind),
		f.SessionID != "" && rec.SessionID != f.SessionID,
		f.Since != nil && at.Compare(*f.Since) < 0,
		f.Until != nil && at.Compare(*f.Until) >= 0:
		return false
	}
	return f.Metadata.match(rec.Metadata)
}

// text returns the filter in the terms of the text index. Metadata is checked
// on the records, inside the search.
func (f *Filter) text(v *View) bm25.Filter {
	out := bm25.Filter{Kinds: f.Kinds, NotKinds: f.NotKinds, Since: indexTime(f.Since), Until: indexTime(f.Until), AsOf: indexTime(&f.AsOf)}
	if scope, one := f.scope(); one {
		out.Scope = &scope
	}
	if f.SessionID != "" {
		out.Session = &f.SessionID
	}
	if len(f.Metadata) > 0 {
		out.Accept = func(num uint64) (bool, error) {
			rec, err := readRecord(v.state.snap, num)
			if err != nil {
				return false, err
			}
			return f.Metadata.match(rec.Metadata), nil
		}
	}
	return out
}

func indexTime(t *Time) *bm25.Time {
	if t == nil {
		return nil
	}
	return &bm25.Time{Sec: t.Sec, Nsec: t.Nsec}
}

// Metadata maps names of top-level metadata fields to the JSON values that
// they must equal; null also matches a missing field.
type Metadata map[string]any

// NewMetadata brings Go values to the form in which metadata is compared.
func NewMetadata(want map[string]any) (Metadata, error) {
	if len(want) == 0 {
		return nil, nil
	}
	text, err := json.Marshal(want)
	if err != nil {
		return nil, fmt.Errorf("metadata filter: %w", err)
	}
	var m Metadata
	return m, decodeJSON(text, &m)
}

func (m Metadata) match(raw json.RawMessage) bool {
	if len(m) == 0 {
		return true
	}
	var have map[string]any
	if len(raw) > 0 && decodeJSON(raw, &have) != nil {
		return false
	}
	for name, want := range m {
		if !equalJSON(want, have[name]) {
			return false
		}
	}
	return true
}

func decodeJSON(text []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return d.Decode(to)
}

// equalJSON compares decoded JSON; numbers by value, so 1 equals 1.0.
func equalJSON(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		b, ok := b.(json.Number)
		return ok && equalNumber(a, b)
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for k, v := range a {
			if w, ok := b[k]; !ok || !equalJSON(v, w) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, equalJSON)
	}
	switch b.(type) {
	case map[string]any, []any, json.Number:
		return false
	}
	return a == b
}

// equalNumber compares two JSON numbers by value, exactly, whatever their size.
func equalNumber(a, b json.Number) bool {
	return a == b || plainNumber(string(a)) == plainNumber(string(b))
}

// decimal is a number as digits·10^exp, without zeros at either end of digits.
type decimal struct {
	negative bool
	digits   string
	exp      int64
}

func plainNumber(s string) decimal {
	var d decimal
	s, d.negative = strings.CutPrefix(s, "-")
	mantissa, exp, _ := strings.Cut(strings.ToLower(s), "e")
	if exp != "" {
		n, err := strconv.ParseInt(strings.TrimPrefix(exp, "+"), 10, 32)
		if err != nil { // beyond any use: equal only to its own spelling
			return decimal{digits: s}
		}
		d.exp = n
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	d.exp -= int64(len(fraction))
	d.digits = strings.TrimLeft(whole+fraction, "0")
	short := strings.TrimRight(d.digits, "0")
	d.exp += int64(len(d.digits) - len(short))
	d.digits = short
	if short == "" {
		return decimal{}
	}
	return d
}
