package contextforge

// This file decides what an entry is and how it looks as JSON.

import (
	"encoding/json"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/contextforge-go/contextforge/scrub"
)

// The kinds that the package itself uses. A kind is a free label; any other
// string, the empty one included, is as good.
const (
	KindManual   = "manual"   // inserted by a person; the command's default
	KindSnapshot = "snapshot" // a piece of raw conversation
	KindSummary  = "summary"  // the summary of a distilled transcript
	KindFact     = "fact"     // a fact of a distilled transcript

	// KindSuperseded is what becomes of a fact when a newer one takes its place, see
	// DistillAndSave. Queries leave it out unless they ask for it.
	KindSuperseded = "superseded"
)

// Entry is one remembered text.
//
// Its JSON form has the snake_case names id, content, timestamp, kind, scope,
// session_id, token_count and metadata, with null for what is absent, and
// created_at, updated_at and expires_at where they are known. Times are Unix
// seconds, with a fraction when they have one; RFC 3339 is accepted too. A
// string that is not valid UTF-8 is repeated exactly in a field NAME_base64.
type Entry struct {
	ID         string          // unique; a UUID version 7 unless the caller chose it
	Content    string          // never empty
	Timestamp  time.Time       // when it happened, which orders and ages it
	Kind       string          // see the Kind constants
	Scope      string          // namespace; "" is the global scope
	SessionID  string          // the caller's session; "" for none
	TokenCount int             // what the entry costs in a token budget
	Metadata   json.RawMessage // any JSON value; nil for none
	CreatedAt  time.Time       // when it was saved here
	UpdatedAt  time.Time       // when Update last changed it; zero if never
	ExpiresAt  time.Time       // hidden from then on; zero for never
}

// wireEntry is the JSON form of an Entry.
type wireEntry struct {
	ID         string          `json:"id"`
	IDRaw      []byte          `json:"id_base64,omitempty"`
	Content    string          `json:"content"`
	ContentRaw []byte          `json:"content_base64,omitempty"`
	Timestamp  *wireTime       `json:"timestamp"`
	Kind       string          `json:"kind"`
	KindRaw    []byte          `json:"kind_base64,omitempty"`
	Scope      *string         `json:"scope"`
	ScopeRaw   []byte          `json:"scope_base64,omitempty"`
	SessionID  *string         `json:"session_id"`
	SessionRaw []byte          `json:"session_id_base64,omitempty"`
	TokenCount *int            `json:"token_count"`
	Metadata   json.RawMessage `json:"metadata"`
	CreatedAt  *wireTime       `json:"created_at,omitempty"`
	UpdatedAt  *wireTime       `json:"updated_at,omitempty"`
	ExpiresAt  *wireTime       `json:"expires_at,omitempty"`
}

// MarshalJSON implements json.Marshaler.
func (e Entry) MarshalJSON() ([]byte, error) { return json.Marshal(e.wire()) }

func (e *Entry) wire() wireEntry {
	w := wireEntry{
		ID: e.ID, IDRaw: rawIfBroken(e.ID), Content: e.Content, ContentRaw: rawIfBroken(e.Content),
		Timestamp: (*wireTime)(&e.Timestamp), Kind: e.Kind, KindRaw: rawIfBroken(e.Kind),
		Scope: optional(e.Scope), ScopeRaw: rawIfBroken(e.Scope),
		SessionID: optional(e.SessionID), SessionRaw: rawIfBroken(e.SessionID),
		TokenCount: &e.TokenCount, Metadata: e.Metadata,
		CreatedAt: optionalTime(e.CreatedAt), UpdatedAt: optionalTime(e.UpdatedAt), ExpiresAt: optionalTime(e.ExpiresAt),
	}
	return w
}

// UnmarshalJSON implements json.Unmarshaler. Unknown fields are ignored, and a
// name in other case is an unknown one; missing fields stay zero.
func (e *Entry) UnmarshalJSON(text []byte) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	var w wireEntry
	for name, to := range w.targets() {
		if raw, ok := fields[name]; ok {
			if err := json.Unmarshal(raw, to); err != nil {
				return fmt.Errorf("field %s: %w", name, err)
			}
		}
	}
	*e = Entry{
		ID: exact(w.ID, w.IDRaw), Content: exact(w.Content, w.ContentRaw), Kind: exact(w.Kind, w.KindRaw),
		Scope: exact(value(w.Scope), w.ScopeRaw), SessionID: exact(value(w.SessionID), w.SessionRaw),
		TokenCount: value(w.TokenCount), Timestamp: time.Time(value(w.Timestamp)),
		CreatedAt: time.Time(value(w.CreatedAt)), UpdatedAt: time.Time(value(w.UpdatedAt)), ExpiresAt: time.Time(value(w.ExpiresAt)),
	}
	if m := string(w.Metadata); m != "" && m != "null" && m != "{}" {
		e.Metadata = w.Metadata
	}
	return nil
}

// targets yields the JSON names of the fields with where they are decoded to.
func (w *wireEntry) targets() iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		_ = yield("id", &w.ID) && yield("id_base64", &w.IDRaw) &&
			yield("content", &w.Content) && yield("content_base64", &w.ContentRaw) &&
			yield("timestamp", &w.Timestamp) && yield("kind", &w.Kind) && yield("kind_base64", &w.KindRaw) &&
			yield("scope", &w.Scope) && yield("scope_base64", &w.ScopeRaw) &&
			yield("session_id", &w.SessionID) && yield("session_id_base64", &w.SessionRaw) &&
			yield("token_count", &w.TokenCount) && yield("metadata", &w.Metadata) &&
			yield("created_at", &w.CreatedAt) && yield("updated_at", &w.UpdatedAt) && yield("expires_at", &w.ExpiresAt)
	}
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func optionalTime(t time.Time) *wireTime {
	if t.IsZero() {
		return nil
	}
	return (*wireTime)(&t)
}

func value[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

// rawIfBroken returns the bytes of a string that JSON can't carry as it is.
func rawIfBroken(s string) []byte {
	if utf8.ValidString(s) {
		return nil
	}
	return []byte(s)
}

func exact(s string, raw []byte) string {
	if len(raw) > 0 {
		return string(raw)
	}
	return s
}

// wireTime is a time as JSON: a number of Unix seconds without loss.
type wireTime time.Time

// MarshalJSON implements json.Marshaler.
func (t wireTime) MarshalJSON() ([]byte, error) {
	return appendSeconds(nil, time.Time(t)), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (t *wireTime) UnmarshalJSON(text []byte) error {
	s := string(text)
	if s == "null" {
		return nil
	}
	if !strings.HasPrefix(s, `"`) {
		parsed, err := parseSeconds(s)
		*t = wireTime(parsed)
		return err
	}
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	parsed, err := ParseTime(s)
	*t = wireTime(parsed)
	return err
}

// maxSeconds bounds times to about 34,000 years around 1970, well inside what
// package time can represent.
const maxSeconds = 1 << 40

// ParseTime reads a time given as Unix seconds, with an optional fraction, or
// in RFC 3339; the result is in UTC.
func ParseTime(s string) (time.Time, error) {
	if t, err := time.Parse(time.RFC3339Nano, s); err == nil {
		return t.UTC(), nil
	}
	return parseSeconds(s)
}

// parseSeconds reads decimal seconds without loss down to the nanosecond; what
// is finer is cut off.
func parseSeconds(s string) (time.Time, error) {
	text := s
	bad := func() error {
		shown, _ := scrub.Scrub(text) // before it is cut
		return fmt.Errorf("time %.40q is neither Unix seconds nor RFC 3339", shown)
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || !(f >= -maxSeconds && f <= maxSeconds) || strings.ContainsAny(s, "xX_") {
		return time.Time{}, bad()
	}
	if strings.ContainsAny(s, "eE") { // no plain decimal digits
		s = strconv.FormatFloat(f, 'f', 9, 64)
	}
	s, negative := strings.CutPrefix(strings.TrimPrefix(s, "+"), "-")
	whole, fraction, _ := strings.Cut(s, ".")
	sec, err := strconv.ParseInt("0"+whole, 10, 64)
	if err != nil {
		return time.Time{}, bad()
	}
	nsec, err := strconv.ParseInt((fraction + "000000000")[:9], 10, 64)
	if err != nil {
		return time.Time{}, bad()
	}
	if negative {
		sec, nsec = -sec, -nsec
	}
	return time.Unix(sec, nsec).UTC(), nil
}

// appendSeconds writes a time as decimal Unix seconds, exactly.
func appendSeconds(dst []byte, t time.Time) []byte {
	sec, nsec := t.Unix(), int64(t.Nanosecond())
	if sec < 0 && nsec > 0 {
		sec, nsec = sec+1, 1e9-nsec
		if sec == 0 {
			dst = append(dst, '-')
		}
	}
	dst = strconv.AppendInt(dst, sec, 10)
	if nsec == 0 {
		return dst
	}
	return append(dst, strings.TrimRight(fmt.Sprintf(".%09d", nsec), "0")...)
}
