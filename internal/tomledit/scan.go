package tomledit

// This file decides where statements, keys, values and comments begin and end.
// It doesn't decide whether they are valid: the decoder does.

import (
	"bytes"
	"fmt"
)

const (
	maxNesting = 64   // of arrays and inline tables, and parts of a dotted key
	maxKey     = 1024 // bytes of a dotted key as it is written
	// The decoder keeps the whole path of every key. All paths together may be so
	// many times longer than the text, and some more in a short one.
	maxPaths, freePaths = 16, 1 << 20
	// Tables that a text may have, however they are made: by a header, a dotted key
	// or in line. The decoder takes hundreds of bytes for one that takes two in the
	// text.
	maxTables = 1 << 18
)

// span is a range of bytes of the text.
type span struct{ start, end int }

type kind uint8

const (
	scalar kind = iota // number, boolean, date, string
	array
	inlineTable
)

// tokenKind is what a piece of an array or inline table is.
type tokenKind uint8

const (
	itemToken tokenKind = iota // an element, or a pair of an inline table
	commaToken
	commentToken
)

type token struct {
	span
	kind tokenKind
}

// value is where a value is. An array has elements, an inline table pairs; their
// tokens are in the order of the text.
type value struct {
	span
	kind     kind
	elements []value
	pairs    []pair
	tokens   []token
}

// pair is a key with its value. Its span covers both.
type pair struct {
	span
	key   []string
	value value
}

type statementKind uint8

const (
	pairStatement  statementKind = iota
	tableStatement               // [a.b]
	arrayStatement               // [[a.b]]
)

// statement is what stands on a line, or several, at the top of a document.
type statement struct {
	pair    // of a header only the key and the span
	kind    statementKind
	comment span // behind it, empty if there is none
}

// scanError says where the scanner lost its way.
type scanError struct {
	at     int
	reason string
	limit  bool // the text may be valid, but is too much for the decoder
}

// Error implements error.
func (e *scanError) Error() string { return fmt.Sprintf("byte %d: %s", e.at, e.reason) }

// scanner walks over a text once.
type scanner struct {
	text  []byte
	pos   int
	depth int
	path  int // bytes of the keys around the current one
	paths int // bytes of the paths of all keys so far
	// tables is how many tables there are so far, those that are made twice
	// counted twice.
	tables int
}

func (s *scanner) fail(format string, args ...any) error {
	return &scanError{s.pos, fmt.Sprintf(format, args...), false}
}

func (s *scanner) exceed(format string, args ...any) error {
	return &scanError{s.pos, fmt.Sprintf(format, args...), true}
}

// markLength returns the length of the byte-order mark that the decoder skips.
func markLength(text []byte) int {
	for _, mark := range []string{"\xef\xbb\xbf", "\xff\xfe", "\xfe\xff"} {
		if bytes.HasPrefix(text, []byte(mark)) {
			return len(mark)
		}
	}
	return 0
}

// scan returns the statements of a text.
func scan(text []byte) (list []statement, err error) {
	s := scanner{text: text, pos: markLength(text)}
	for {
		s.skipLines()
		if s.pos >= len(s.text) {
			return list, nil
		}
		st, err := s.statement()
		if err != nil {
			return nil, err
		}
		list = append(list, st)
	}
}

func (s *scanner) peek() byte {
	if s.pos < len(s.text) {
		return s.text[s.pos]
	}
	return 0
}

func (s *scanner) ahead(prefix string) bool {
	return bytes.HasPrefix(s.text[s.pos:], []byte(prefix))
}

func (s *scanner) skipBlanks() {
	for s.peek() == ' ' || s.peek() == '\t' {
		s.pos++
	}
}

// skipLines passes blanks, line ends and comments.
func (s *scanner) skipLines() {
	for s.pos < len(s.text) {
		switch s.text[s.pos] {
		case ' ', '\t', '\r', '\n':
			s.pos++
		case '#':
			s.passComment()
		default:
			return
		}
	}
}

// passComment passes a comment up to the line end, and returns where it was.
func (s *scanner) passComment() span {
	start := s.pos
	if n := bytes.IndexByte(s.text[s.pos:], '\n'); n >= 0 {
		s.pos += n
	} else {
		s.pos = len(s.text)
	}
	end := s.pos
	if end > start && s.text[end-1] == '\r' {
		end--
	}
	return span{start, end}
}

func (s *scanner) statement() (st statement, err error) {
	if s.peek() == '[' {
		st, err = s.header()
	} else {
		st.pair, err = s.pair()
	}
	if err != nil {
		return st, err
	}
	s.skipBlanks()
	if s.peek() == '#' {
		st.comment = s.passComment()
	}
	switch {
	case s.pos >= len(s.text), s.peek() == '\n', s.ahead("\r\n"):
		return st, nil
	}
	return st, s.fail("expected the end of the line")
}

func (s *scanner) header() (st statement, err error) {
	st.start = s.pos
	closing := "]"
	st.kind = tableStatement
	if s.ahead("[[") {
		closing, st.kind = "]]", arrayStatement
	}
	s.pos += len(closing)
	if st.key, err = s.key(); err != nil {
		return st, err
	}
	if err = s.makeTables(len(st.key)); err != nil {
		return st, err
	}
	s.path = s.pos - st.start
	if !s.ahead(closing) {
		return st, s.fail("expected %s", closing)
	}
	s.pos += len(closing)
	st.end = s.pos
	return st, nil
}

func (s *scanner) pair() (p pair, err error) {
	p.start = s.pos
	if p.key, err = s.key(); err != nil {
		return p, err
	}
	if s.peek() != '=' {
		return p, s.fail("expected =")
	}
	if err = s.makeTables(len(p.key) - 1); err != nil {
		return p, err
	}
	around := s.path
	s.path += s.pos - p.start
	if s.paths += s.path; s.paths > maxPaths*len(s.text)+freePaths {
		return p, s.exceed("the keys around it are too long for so many")
	}
	s.pos++
	s.skipBlanks()
	p.value, err = s.value()
	p.end, s.path = s.pos, around
	return p, err
}

// makeTables counts tables.
func (s *scanner) makeTables(n int) error {
	if s.tables += n; s.tables > maxTables {
		return s.exceed("more than %d tables", maxTables)
	}
	return nil
}

// key reads a dotted key and the blanks around it.
func (s *scanner) key() (parts []string, err error) {
	start := s.pos
	for {
		s.skipBlanks()
		part, err := s.keyPart()
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
		s.skipBlanks()
		if s.pos-start > maxKey || len(parts) > maxNesting {
			return nil, s.exceed("the key is longer than %d bytes or %d parts", maxKey, maxNesting)
		}
		if s.peek() != '.' {
			return parts, nil
		}
		s.pos++
	}
}

func (s *scanner) keyPart() (string, error) {
	start := s.pos
	switch s.peek() {
	case '"', '\'':
		if err := s.passString(); err != nil {
			return "", err
		}
		if s.pos-start > maxKey {
			return "", s.exceed("the key is longer than %d bytes", maxKey)
		}
		part, err := unquote(s.text[start:s.pos])
		if err != nil {
			return "", s.fail("%s", err)
		}
		return part, nil
	}
	for s.pos < len(s.text) && isBare(s.text[s.pos]) {
		s.pos++
	}
	if s.pos == start {
		return "", s.fail("expected a key")
	}
	return string(s.text[start:s.pos]), nil
}

func isBare(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}
