package store

// This file decides the layout of the key space. Every key starts with one
// byte that names its family; all integers in keys are big-endian so that the
// byte order is the numeric order.
//
//	family            key                                        value
//	0x01 meta         0x01 'S'                                   counters, see state.go
//	                  0x01 'A'                                   name of the analyzer that built the index
//	                  0x01 'R'                                   present while a rebuild is under way
//	                  0x01 'V'                                   the models that vectors are of, see vectors.go
//	                  0x01 'N'                                   the key for replaced names, during an audit that mends
//	0x10 record       0x10 docNum(8)                             record, see record.go
//	0x11 id           0x11 id                                    docNum (uvarint)
//	0x12 time         0x12 time(12) docNum(8)                    tokens (uvarint)
//	0x13 scope        0x13 esc(scope) time(12) docNum(8)         tokens (uvarint)
//	0x14 session      0x14 esc(session) time(12) docNum(8)       tokens (uvarint)
//	0x15 expiry       0x15 time(12) docNum(8)                    empty
//	0x16 history      0x16 esc(id) docNum(8) of the version       record as it was
//	0x17 scope count  0x17 scope                                 live entries (uvarint)
//	0x18 content      0x18 hash(16) docNum(8)                    empty
//	0x19 pending      0x19 docNum(8)                             how often the embedder failed (uvarint)
//	0x20 text index   0x20 epoch(1) ...                          see package bm25
//	0x21 vectors      0x21 epoch(1) ...                          see package vecindex
//
// id is 0x01 and 16 bytes for a canonical lower-case UUID, else 0x00 and the
// bytes of the id. time is seconds since 1970 as int64 with its sign bit
// flipped (8 bytes), then nanoseconds (4). esc writes each 0x00 as 0x00 0xFF
// and ends with 0x00 0x01, which keeps the order of the strings and makes no
// escaped string a prefix of another.
//
// hash is the first half of the SHA-256 of the content.
//
// docNum counts saved versions from 1 upward and is never reused: replacing an
// entry gives it a new one. The epoch of the text index changes with a rebuild,
// that of the vectors with the model.

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"

	"github.com/contextforge-go/contextforge/kv"
)

// schemaVersion is the version of the layout above and of the records.
// History: 1 the first; 2 contents, pending entries and vectors (a store of
// version 1 is rebuilt when it is opened).
const schemaVersion = 2

const (
	famMeta    = 0x01
	famRecord  = 0x10
	famID      = 0x11
	famTime    = 0x12
	famScope   = 0x13
	famSession = 0x14
	famExpiry  = 0x15
	famHistory = 0x16
	famCount   = 0x17
	famContent = 0x18
	famPending = 0x19
	famText    = 0x20
	famVector  = 0x21
)

func stateKey() []byte    { return []byte{famMeta, 'S'} }
func analyzerKey() []byte { return []byte{famMeta, 'A'} }
func rebuildKey() []byte  { return []byte{famMeta, 'R'} }
func modelsKey() []byte   { return []byte{famMeta, 'V'} }
func nameKey() []byte     { return []byte{famMeta, 'N'} }

func recordKey(num uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte{famRecord}, num)
}

func idKey(id string) []byte {
	if u, ok := parseUUID(id); ok {
		return append([]byte{famID, 1}, u[:]...)
	}
	return append([]byte{famID, 0}, id...)
}

func timeKey(t Time, num uint64) []byte {
	return appendTimeNum([]byte{famTime}, t, num)
}

func scopePrefix(scope string) []byte     { return appendEscaped([]byte{famScope}, scope) }
func sessionPrefix(session string) []byte { return appendEscaped([]byte{famSession}, session) }
func historyPrefix(id string) []byte      { return appendEscaped([]byte{famHistory}, id) }

func scopeKey(scope string, t Time, num uint64) []byte {
	return appendTimeNum(scopePrefix(scope), t, num)
}

func sessionKey(session string, t Time, num uint64) []byte {
	return appendTimeNum(sessionPrefix(session), t, num)
}

func expiryKey(t Time, num uint64) []byte {
	return appendTimeNum([]byte{famExpiry}, t, num)
}

func historyKey(id string, version uint64) []byte {
	return binary.BigEndian.AppendUint64(historyPrefix(id), version)
}

func countKey(scope string) []byte { return append([]byte{famCount}, scope...) }

// contentPrefix begins the keys of all records with this content.
func contentPrefix(content string) []byte {
	hash := sha256.Sum256([]byte(content))
	return append([]byte{famContent}, hash[:16]...)
}

func contentKey(content string, num uint64) []byte {
	return binary.BigEndian.AppendUint64(contentPrefix(content), num)
}

// contentNum returns the docNum of a content key.
func contentNum(key []byte) uint64 { return binary.BigEndian.Uint64(key[len(key)-8:]) }

func pendingKey(num uint64) []byte {
	return binary.BigEndian.AppendUint64([]byte{famPending}, num)
}

func textPrefix(epoch byte) []byte   { return []byte{famText, epoch} }
func vectorPrefix(epoch byte) []byte { return []byte{famVector, epoch} }

func appendTimeNum(dst []byte, t Time, num uint64) []byte {
	return binary.BigEndian.AppendUint64(appendTime(dst, t), num)
}

func appendTime(dst []byte, t Time) []byte {
	dst = binary.BigEndian.AppendUint64(dst, uint64(t.Sec)^(1<<63))
	return binary.BigEndian.AppendUint32(dst, t.Nsec)
}

func appendEscaped(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		dst = append(dst, s[i])
		if s[i] == 0 {
			dst = append(dst, 0xFF)
		}
	}
	return append(dst, 0, 1)
}

const timeNumLen = 8 + 4 + 8

// parseTimeNum reads the time and docNum at the end of an order key.
func parseTimeNum(key []byte) (Time, uint64, error) {
	if len(key) < timeNumLen {
		return Time{}, 0, fmt.Errorf("%w: order key of %d bytes", kv.ErrCorrupt, len(key))
	}
	b := key[len(key)-timeNumLen:]
	t := Time{Sec: int64(binary.BigEndian.Uint64(b) ^ (1 << 63)), Nsec: binary.BigEndian.Uint32(b[8:])}
	return t, binary.BigEndian.Uint64(b[12:]), nil
}

// parseEscaped reads an escaped string at the beginning of b.
func parseEscaped(b []byte) (string, error) {
	var out []byte
	for i := 0; i+1 < len(b); i++ {
		switch {
		case b[i] != 0:
			out = append(out, b[i])
		case b[i+1] == 0xFF:
			out = append(out, 0)
			i++
		case b[i+1] == 1:
			return string(out), nil
		default:
			return "", fmt.Errorf("%w: bad escape in key", kv.ErrCorrupt)
		}
	}
	return "", fmt.Errorf("%w: unterminated string in key", kv.ErrCorrupt)
}

// parseUUID reads a canonical lower-case hyphenated UUID; any other spelling
// is an ordinary id, so that ids always come back as they were given.
func parseUUID(s string) (u [16]byte, ok bool) {
	if len(s) != 36 || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return u, false
	}
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= 'A' && c <= 'F' {
			return u, false
		}
	}
	_, err := hex.Decode(u[:], []byte(s[0:8]+s[9:13]+s[14:18]+s[19:23]+s[24:36]))
	return u, err == nil
}

func formatUUID(u []byte) string {
	var b [36]byte
	hex.Encode(b[0:8], u[0:4])
	hex.Encode(b[9:13], u[4:6])
	hex.Encode(b[14:18], u[6:8])
	hex.Encode(b[19:23], u[8:10])
	hex.Encode(b[24:36], u[10:16])
	b[8], b[13], b[18], b[23] = '-', '-', '-', '-'
	return string(b[:])
}
