package jsonl

// This file decides where a JSON value (RFC 8259) ends, byte by byte, and where
// text stops being one.

import (
	"bytes"
	"fmt"
	"strings"
)

const (
	// maxDepth is how deep values may nest, as in encoding/json.
	maxDepth = 10000
	// maxLineDepth is how deep they may nest where a line ends. It bounds how
	// often the lines of a broken object are read again.
	maxLineDepth = 100
)

// blanks may stand between the parts of a value on one line.
const blanks = " \t\r"

// state is what a scanner expects next.
type state uint8

const (
	value        state = iota // any value
	firstElement              // a value or the end of the list
	firstKey                  // a key or the end of the object
	key                       // a key
	colon                     // the colon behind a key
	after                     // a comma or a closing bracket
	inText                    // the inside of a string
	scalar                    // the rest of a number or a word
	done                      // nothing, the value is whole
	failed                    // nothing, this is no value
)

// scanner follows one value. Its zero value is ready.
type scanner struct {
	state    state
	stack    []byte // the open brackets
	isKey    bool   // the string is a key
	inString bool
	begin    int // of the scalar
	reason   string
}

// reset makes the scanner ready for another value.
func (s *scanner) reset() { *s = scanner{stack: s.stack[:0]} }

// scan follows the value on from byte i and returns where it stopped: behind
// the value (done), at the byte that can't be (failed), or at the byte from
// which to go on once there is more text.
func (s *scanner) scan(b []byte, i int) int {
	for i < len(b) {
		switch {
		case s.state >= done:
			return i
		case s.state == inText:
			next := s.string(b, i)
			if next == i && s.state == inText {
				return i // an escape that is cut off
			}
			i = next
		case s.state == scalar:
			for i < len(b) && isScalar(b[i]) {
				i++
			}
			if i < len(b) {
				s.endScalar(b[s.begin:i])
			}
		default:
			i = s.structure(b, i)
		}
	}
	return i
}

// end tells the scanner that the text b ends, so that a scalar does too.
func (s *scanner) end(b []byte) {
	if s.state == scalar {
		s.endScalar(b[s.begin:])
	}
}

// structure handles one byte outside strings and scalars.
func (s *scanner) structure(b []byte, i int) int {
	c := b[i]
	switch {
	case c == '\n' && len(s.stack) > maxLineDepth:
		return s.fail(i, "nested too deep over several lines")
	case c == ' ' || c == '\t' || c == '\r' || c == '\n':
	case (s.state == firstKey || s.state == key) && c == '"':
		s.state, s.isKey, s.inString = inText, true, true
	case s.state == firstKey && c == '}', s.state == firstElement && c == ']':
		s.close()
	case s.state == firstKey || s.state == key:
		return s.unexpected(i, c, "a key")
	case s.state == colon && c == ':':
		s.state = value
	case s.state == colon:
		return s.unexpected(i, c, "a colon")
	case s.state == after:
		return s.separator(c, i)
	default:
		return s.value(c, i)
	}
	return i + 1
}

func (s *scanner) separator(c byte, i int) int {
	open := s.stack[len(s.stack)-1]
	switch {
	case c == ',' && open == '{':
		s.state = key
	case c == ',':
		s.state = value
	case c == '}' && open == '{', c == ']' && open == '[':
		s.close()
	default:
		return s.unexpected(i, c, "a comma or a closing bracket")
	}
	return i + 1
}

// value begins a value.
func (s *scanner) value(c byte, i int) int {
	switch {
	case c == '{' || c == '[':
		if len(s.stack) == maxDepth {
			return s.fail(i, "nested too deep")
		}
		s.stack = append(s.stack, c)
		s.state = firstElement
		if c == '{' {
			s.state = firstKey
		}
	case c == '"':
		s.state, s.isKey, s.inString = inText, false, true
	case isScalar(c):
		s.state, s.begin = scalar, i
	default:
		return s.unexpected(i, c, "a value")
	}
	return i + 1
}

func (s *scanner) close() {
	s.stack = s.stack[:len(s.stack)-1]
	s.endValue()
}

func (s *scanner) endValue() {
	s.state = after
	if len(s.stack) == 0 {
		s.state = done
	}
}

// string follows the inside of a string.
func (s *scanner) string(b []byte, i int) int {
	for i < len(b) {
		switch c := b[i]; {
		case c == '"':
			s.inString = false
			if s.isKey {
				s.state = colon
			} else {
				s.endValue()
			}
			return i + 1
		case c == '\n':
			return s.fail(i, "a string isn't closed on its line")
		case c < ' ':
			return s.fail(i, fmt.Sprintf("control character %#02x in a string", c))
		case c == '\\':
			size, ok := escape(b[i:])
			if !ok {
				return s.fail(i, "unknown escape in a string")
			}
			if size == 0 {
				return i
			}
			i += size
		default:
			i++
		}
	}
	return i
}

// escape returns the size of the escape that b begins with, 0 when b is too
// short to tell.
func escape(b []byte) (size int, ok bool) {
	if len(b) < 2 {
		return 0, true
	}
	if b[1] != 'u' {
		return 2, strings.IndexByte(`"\/bfnrt`, b[1]) >= 0
	}
	for _, c := range b[2:min(6, len(b))] {
		if !isHex(c) {
			return 0, false
		}
	}
	if len(b) < 6 {
		return 0, true
	}
	return 6, true
}

// maxQuoted is the length of the longest word that a reason quotes.
const maxQuoted = 12

func (s *scanner) endScalar(word []byte) {
	switch {
	case string(word) == "true" || string(word) == "false" || string(word) == "null" || isNumber(word):
		s.endValue()
	case len(word) > maxQuoted:
		// It may be a secret, of which no part is to be shown.
		s.fail(0, fmt.Sprintf("a word of %d characters is not JSON", len(word)))
	default:
		s.fail(0, fmt.Sprintf("%q is not JSON", word))
	}
}

// isNumber reports whether b is a number by the grammar of RFC 8259, section 6.
func isNumber(b []byte) bool {
	digits := func() (n int) {
		for len(b) > 0 && '0' <= b[0] && b[0] <= '9' {
			b, n = b[1:], n+1
		}
		return n
	}
	skip := func(set string) bool {
		if len(b) == 0 || strings.IndexByte(set, b[0]) < 0 {
			return false
		}
		b = b[1:]
		return true
	}
	skip("-")
	if !skip("0") && digits() == 0 {
		return false
	}
	if skip(".") && digits() == 0 {
		return false
	}
	if skip("eE") {
		skip("+-")
		if digits() == 0 {
			return false
		}
	}
	return len(b) == 0
}

func isScalar(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '+' || c == '.'
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// next returns where in b another object begins that made the scanner fail at
// byte n; 0 when nothing looks like that. It begins at the failing byte, or, when
// a string wasn't closed, at the end of what was taken for that string.
func (s *scanner) next(b []byte, n int) int {
	if len(s.stack) == 0 || n >= len(b) {
		return 0
	}
	if b[n] == '{' {
		return n
	}
	quoted, ok := bytes.CutSuffix(bytes.TrimRight(b[:n], blanks), []byte{'"'})
	if !ok || s.inString {
		return 0
	}
	if before, ok := bytes.CutSuffix(bytes.TrimRight(quoted, blanks), []byte{'{'}); ok {
		return len(before)
	}
	return 0
}

func (s *scanner) fail(i int, reason string) int {
	s.state, s.reason = failed, reason
	return i
}

func (s *scanner) unexpected(i int, c byte, want string) int {
	return s.fail(i, fmt.Sprintf("unexpected %s, want %s", nameByte(c), want))
}

func nameByte(c byte) string {
	if ' ' < c && c < 0x7F {
		return fmt.Sprintf("%q", c)
	}
	return fmt.Sprintf("byte %#02x", c)
}

// nameOf names the kind of a value by its first byte.
func nameOf(c byte) string {
	switch c {
	case '[':
		return "a list"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}
