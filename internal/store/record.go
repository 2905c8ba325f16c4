package store

// This file decides what a record is and how it is written.
//
// A record value, format 1 (uvarint and varint as in encoding/binary; a string
// is its length as uvarint and its bytes):
//
//	+--------+-------+-----------------+------+------------------------------
//	| fmt=1  | flags | id              | time | optional parts, by flag ...
//	| 1 byte | 2, LE | 16 B or string  | secs, varint; nanos, uvarint
//	+--------+-------+-----------------+------+------------------------------
//	... | kind: string | [scope] [session] [metadata]: strings
//	... | [updated] [expires]: secs, nanos | tokens: uvarint | created: secs, nanos
//	... | content: the rest
//
//	flags: 1 id is a UUID, 2 scope, 4 session, 8 metadata, 16 updated,
//	       32 expires, 64 has history

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"time"

	"github.com/contextforge-go/contextforge/bm25"
	"github.com/contextforge-go/contextforge/kv"
)

// Record is one stored entry. Its fields equal those of the root package's
// Entry, so that one converts to the other for free.
type Record struct {
	ID         string
	Content    string
	Timestamp  time.Time
	Kind       string
	Scope      string
	SessionID  string
	TokenCount int
	Metadata   json.RawMessage
	CreatedAt  time.Time
	UpdatedAt  time.Time
	ExpiresAt  time.Time
}

// Time is an instant: seconds since 1970 UTC, which may be negative, and
// nanoseconds. It reaches every time.Time.
type Time struct {
	Sec  int64
	Nsec uint32
}

// TimeOf returns the instant of t.
func TimeOf(t time.Time) Time {
	return Time{Sec: t.Unix(), Nsec: uint32(t.Nanosecond())}
}

// Std returns the instant as a time.Time in UTC.
func (t Time) Std() time.Time { return time.Unix(t.Sec, int64(t.Nsec)).UTC() }

// Compare orders instants: −1 when t is earlier than u, 0 when equal, 1 later.
func (t Time) Compare(u Time) int {
	switch {
	case t.Sec != u.Sec && t.Sec < u.Sec, t.Sec == u.Sec && t.Nsec < u.Nsec:
		return -1
	case t == u:
		return 0
	}
	return 1
}

const (
	recordFormat = 1

	flagUUID     = 1 << 0
	flagScope    = 1 << 1
	flagSession  = 1 << 2
	flagMetadata = 1 << 3
	flagUpdated  = 1 << 4
	flagExpires  = 1 << 5
	flagHistory  = 1 << 6
)

// stored is a record with what only the store knows about it.
type stored struct {
	Record
	num        uint64
	hasHistory bool
	vector     *bm25.TermVector // nil when the content was not analysed yet
}

// Draft is a record to be saved.
type Draft struct {
	Record
	// NewID says that the id was just generated, so that no record can have it
	// and none is looked for.
	NewID bool
	// Dedup says not to save it when its scope has a record with its content,
	// whose id Twin becomes.
	Dedup bool
	Twin  string
	// KeepVersion says that it is a change of the record that has its id: that goes
	// to the history, and with the content its vectors stay.
	KeepVersion bool
	// Was, unless 0, is the docNum that the record with its id has to have. When it
	// has another one, or none, the draft is left out and Stale set.
	Was   uint64
	Stale bool
	// Embedding is what the embedder made of the content.
	Embedding Embedding
}

func (s *stored) time() Time { return TimeOf(s.Timestamp) }

// expiry returns the instant from which the record is hidden.
func (r *Record) expiry() (Time, bool) {
	return TimeOf(r.ExpiresAt), !r.ExpiresAt.IsZero()
}

// Expired reports whether the record's time is up at an instant.
func (r *Record) Expired(now Time) bool {
	at, ok := r.expiry()
	return ok && at.Compare(now) <= 0
}

func (s *stored) flags(isUUID bool) uint16 {
	var f uint16
	set := func(bit uint16, on bool) {
		if on {
			f |= bit
		}
	}
	set(flagUUID, isUUID)
	set(flagScope, s.Scope != "")
	set(flagSession, s.SessionID != "")
	set(flagMetadata, len(s.Metadata) > 0)
	set(flagUpdated, !s.UpdatedAt.IsZero())
	set(flagExpires, !s.ExpiresAt.IsZero())
	set(flagHistory, s.hasHistory)
	return f
}

func appendRecord(dst []byte, s *stored) []byte {
	u, isUUID := parseUUID(s.ID)
	f := s.flags(isUUID)
	dst = append(dst, recordFormat)
	dst = binary.LittleEndian.AppendUint16(dst, f)
	if isUUID {
		dst = append(dst, u[:]...)
	} else {
		dst = appendString(dst, s.ID)
	}
	dst = appendInstant(dst, s.Timestamp)
	dst = appendString(dst, s.Kind)
	for bit, text := range optionalStrings(s) {
		if f&bit != 0 {
			dst = appendString(dst, text)
		}
	}
	if f&flagUpdated != 0 {
		dst = appendInstant(dst, s.UpdatedAt)
	}
	if f&flagExpires != 0 {
		dst = appendInstant(dst, s.ExpiresAt)
	}
	dst = binary.AppendUvarint(dst, uint64(s.TokenCount))
	dst = appendInstant(dst, s.CreatedAt)
	return append(dst, s.Content...)
}

// optionalStrings yields the optional strings of a record with their flags, in the order
// in which they are written.
func optionalStrings(s *stored) func(yield func(uint16, string) bool) {
	return func(yield func(uint16, string) bool) {
		_ = yield(flagScope, s.Scope) && yield(flagSession, s.SessionID) && yield(flagMetadata, string(s.Metadata))
	}
}

func appendString(dst []byte, s string) []byte {
	dst = binary.AppendUvarint(dst, uint64(len(s)))
	return append(dst, s...)
}

func appendInstant(dst []byte, t time.Time) []byte {
	dst = binary.AppendVarint(dst, t.Unix())
	return binary.AppendUvarint(dst, uint64(t.Nanosecond()))
}

// decoder reads the parts of a value; the first short or bad one sticks.
type decoder struct {
	b   []byte
	err error
}

func (d *decoder) fail(what string) {
	if d.err == nil {
		d.err = fmt.Errorf("%w: record: %s", kv.ErrCorrupt, what)
	}
	d.b = nil
}

func (d *decoder) take(n uint64) []byte {
	if d.err != nil || n > uint64(len(d.b)) {
		d.fail("cut short")
		return nil
	}
	out := d.b[:n]
	d.b = d.b[n:]
	return out
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.fail("bad number")
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) varint() int64 {
	v, n := binary.Varint(d.b)
	if n <= 0 {
		d.fail("bad number")
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) text() string { return string(d.take(d.uvarint())) }

func (d *decoder) instant() time.Time {
	sec, nsec := d.varint(), d.uvarint()
	if nsec >= 1e9 {
		d.fail("bad time")
		return time.Time{}
	}
	return time.Unix(sec, int64(nsec)).UTC()
}

func decodeRecord(num uint64, value []byte) (*stored, error) {
	d := decoder{b: value}
	head := d.take(3)
	if d.err != nil {
		return nil, d.err
	}
	if head[0] != recordFormat {
		return nil, fmt.Errorf("%w: record format %d is not known", kv.ErrCorrupt, head[0])
	}
	f := binary.LittleEndian.Uint16(head[1:])
	s := &stored{num: num, hasHistory: f&flagHistory != 0}
	if f&flagUUID != 0 {
		if u := d.take(16); u != nil {
			s.ID = formatUUID(u)
		}
	} else {
		s.ID = d.text()
	}
	s.Timestamp = d.instant()
	s.Kind = d.text()
	if f&flagScope != 0 {
		s.Scope = d.text()
	}
	if f&flagSession != 0 {
		s.SessionID = d.text()
	}
	if f&flagMetadata != 0 {
		s.Metadata = json.RawMessage(d.text())
	}
	if f&flagUpdated != 0 {
		s.UpdatedAt = d.instant()
	}
	if f&flagExpires != 0 {
		s.ExpiresAt = d.instant()
	}
	s.TokenCount = int(min(d.uvarint(), 1<<31-1))
	s.CreatedAt = d.instant()
	s.Content = string(d.b)
	return s, d.err
}
