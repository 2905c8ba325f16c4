package jsonl

// This file decides what counts as an object of its own and where reading goes
// on after a fault.

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"unicode/utf8"
)

// DefaultMaxBytes is the size of the largest object that is read by default,
// 1 GiB, less where an int can't count it.
const DefaultMaxBytes = min(1<<30, math.MaxInt/4)

// minBuffer is the size of the buffer while objects are small.
const minBuffer = 64 << 10

// ErrUTF16 says that the text is UTF-16, as some shells write it on redirection.
var ErrUTF16 = errors.New("the text is UTF-16; convert it to UTF-8")

// Options restrict a Reader.
type Options struct {
	// MaxBytes is the size of the largest object, DefaultMaxBytes when 0.
	MaxBytes int
}

// Position is a place in the text. Both count from 1; Column counts bytes.
type Position struct {
	Line, Column int
}

// String names the line, and the column of what doesn't begin its line.
func (p Position) String() string {
	if p.Column == 1 {
		return fmt.Sprintf("line %d", p.Line)
	}
	return fmt.Sprintf("line %d, column %d", p.Line, p.Column)
}

// Record is one object of the text.
type Record struct {
	Position
	JSON []byte // valid JSON in valid UTF-8, until the next call of Next
}

// SyntaxError is a piece of text that holds no object. Reading can go on.
type SyntaxError struct {
	Position
	Reason string
}

// Error implements error.
func (e *SyntaxError) Error() string { return e.Position.String() + ": " + e.Reason }

// Reader reads objects.
type Reader struct {
	src   io.Reader
	max   int
	buf   []byte
	start int // of what is not passed yet
	end   int // of what was read
	held  int // size of the object that was handed out last
	at    Position
	read  int64 // bytes of the source
	err   error // why the source has nothing more
	scan  scanner

	begun   bool
	inArray bool
	faults  bool // something was reported
	resync  bool // inside what may be the rest of an object over several lines
}

// NewReader returns a Reader of src. It buffers by itself.
func NewReader(src io.Reader, o Options) *Reader {
	if o.MaxBytes <= 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	return &Reader{src: src, max: o.MaxBytes, buf: make([]byte, minBuffer), at: Position{1, 1}}
}

// Next returns the next object. After a *SyntaxError reading goes on with the
// next call; any other error is final, io.EOF being the regular end.
func (r *Reader) Next() (Record, error) {
	r.pass(r.held)
	r.held = 0
	for {
		c, err := r.significant()
		if err != nil {
			return Record{}, err
		}
		switch {
		case r.resync && r.insideBroken(c):
			r.skipLine()
		case c == '[' && !r.inArray:
			r.inArray = true
			r.pass(1)
		case c == ']' && (r.inArray || r.faults):
			r.inArray = false
			r.pass(1)
		case c == ']' || c == '}':
			err := r.fault(fmt.Sprintf("unexpected %q", c))
			r.pass(1)
			return Record{}, err
		default:
			return r.value()
		}
	}
}

// significant finds the next byte that isn't a separator.
func (r *Reader) significant() (byte, error) {
	for {
		c, ok := r.peek()
		if !ok {
			return 0, r.finish()
		}
		if !r.begun {
			r.begun = true
			if r.ahead("\xff\xfe") || r.ahead("\xfe\xff") {
				r.err, r.start = ErrUTF16, r.end
				return 0, ErrUTF16
			}
		}
		switch c {
		case ' ', '\t', '\r', '\n', ',':
			r.pass(1)
		case 0xEF: // a byte-order mark, also where files were joined
			if !r.ahead("\uFEFF") {
				return c, nil
			}
			r.pass(len("\uFEFF"))
			if r.at.Column == 1+len("\uFEFF") {
				r.at.Column = 1
			}
		default:
			return c, nil
		}
	}
}

// finish returns why there is no further object.
func (r *Reader) finish() error {
	if r.err == io.EOF && r.inArray {
		r.inArray = false
		return r.fault("the array isn't closed, so records may be missing at the end")
	}
	return r.err
}

// insideBroken reports whether a line looks like the inside or the end of a
// pretty-printed object whose beginning was reported as broken.
func (r *Reader) insideBroken(c byte) bool {
	return c == '}' || r.at.Column > 1 && c != '{'
}

// value reads the value that begins here.
func (r *Reader) value() (Record, error) {
	s := &r.scan
	s.reset()
	n := 0
	for more := true; more; more = r.fill() {
		n = s.scan(r.buf[r.start:r.end], n)
		switch {
		case n > r.max:
			return Record{}, r.tooLong(n)
		case s.state == done:
			return r.whole(n)
		case s.state == failed:
			return Record{}, r.broken(n)
		}
	}
	if s.end(r.buf[r.start:r.end]); s.state == done {
		return r.whole(n)
	}
	return Record{}, r.broken(n)
}

// whole hands out the n bytes of a value, if it is an object.
func (r *Reader) whole(n int) (Record, error) {
	text := r.buf[r.start : r.start+n]
	var err error
	switch {
	case text[0] != '{':
		err = r.fault(nameOf(text[0]) + " where an object is expected")
	case !utf8.Valid(text):
		err = r.fault("not valid UTF-8")
	default:
		r.held, r.resync = n, false
		return Record{r.at, text}, nil
	}
	r.pass(n)
	return Record{}, err
}

// broken reports the value that begins here and fails at its byte n, and moves
// to where the next one may begin.
func (r *Reader) broken(n int) (err error) {
	s, text := &r.scan, r.buf[r.start:r.end]
	newline := bytes.IndexByte(text[:n], '\n')
	switch {
	case newline >= 0:
		err = r.fault("the object isn't closed")
		r.pass(newline + 1)
		r.resync = true
	case s.state != failed:
		err = r.fault("the text ends before the value does")
		r.pass(len(text))
	case s.next(text, n) > 0:
		err = r.fault("the object isn't closed before the next one begins")
		r.pass(s.next(text, n))
	default:
		err = r.fault(s.reason)
		r.pass(n)
		r.skipRest(len(s.stack), s.inString)
	}
	return err
}

// tooLong reports a value of more than max bytes and passes its first line.
func (r *Reader) tooLong(n int) error {
	several := bytes.IndexByte(r.buf[r.start:r.start+n], '\n') >= 0
	err := r.fault(fmt.Sprintf("longer than %d bytes", r.max))
	r.skipLine()
	r.resync = several
	return err
}

// fault returns the error for what begins here.
func (r *Reader) fault(reason string) error {
	r.faults, r.resync = true, false
	return &SyntaxError{r.at, reason}
}

// skipRest passes the rest of a value that failed inside so many brackets: up
// to where they are closed, at most to the end of the line. A quote too many or
// too few has it take strings for what is between them; so it also stops where
// the next object begins beyond doubt.
func (r *Reader) skipRest(depth int, inString bool) {
	for failedAt := depth; ; {
		c, ok := r.peek()
		if !ok || c == '\n' || depth == 0 && r.inArray && (c == ',' || c == ']') {
			return
		}
		if c == '}' && depth <= failedAt && r.boundary() {
			r.pass(1)
			return
		}
		r.pass(1)
		switch {
		case inString && c == '\\':
			if next, ok := r.peek(); ok && next != '\n' {
				r.pass(1)
			}
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			depth++
		case (c == '}' || c == ']') && depth > 0:
			if depth--; depth == 0 {
				return
			}
		}
	}
}

// boundary reports whether the text goes on with }, perhaps a comma, {" and
// perhaps blanks between them. No string can hold that, since a quote in a
// string is escaped.
func (r *Reader) boundary() bool {
	const enough = 64
	for r.end-r.start < enough && r.fill() {
	}
	text := r.buf[r.start+1 : min(r.end, r.start+enough)]
	text = bytes.TrimLeft(text, blanks)
	text = bytes.TrimLeft(bytes.TrimPrefix(text, []byte{','}), blanks)
	text, ok := bytes.CutPrefix(text, []byte{'{'})
	return ok && bytes.HasPrefix(bytes.TrimLeft(text, blanks), []byte{'"'})
}

func (r *Reader) skipLine() {
	for {
		text := r.buf[r.start:r.end]
		if newline := bytes.IndexByte(text, '\n'); newline >= 0 {
			r.pass(newline + 1)
			return
		}
		r.pass(len(text))
		if !r.fill() {
			return
		}
	}
}
