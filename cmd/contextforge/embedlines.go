package main

// This file decides which texts are worked on at once, those that are there, so
// that nobody waits for an answer; and how much of a long one is kept.

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// noEnd is the end of a text that has none but that of the input.
const noEnd = -1

// textReader reads texts of any bytes, in batches of those that are there.
type textReader struct {
	in      *bufio.Reader
	end     int // the byte behind a text, or noEnd; before '\n' there may be '\r'
	longest int // bytes of a text that are kept, its end included
	texts   int // that were read
	started bool
	head    []byte // the beginning of the input, as far as it tells UTF-16

	// tokens returns a number of tokens that a part of a text has for certain, and
	// enough is how many of them count: what stands behind so many isn't kept. Nil
	// keeps all.
	tokens func(part string) int
	enough int
}

// newTextReader returns a reader of lines that keeps all of them.
func newTextReader(in io.Reader) *textReader {
	return &textReader{in: bufio.NewReaderSize(in, 64<<10), end: '\n', longest: maxText}
}

// each calls work with all texts, some at a time. When the input breaks off with
// an error, the texts before it are worked on all the same.
func (r *textReader) each(work func(texts []string) error) error {
	for {
		texts, err := r.batch()
		if len(texts) > 0 {
			if err := work(texts); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// batch waits for one text and adds those that can be had without waiting. The
// error, io.EOF at the end, is about what follows the texts.
func (r *textReader) batch() (texts []string, err error) {
	for len(texts) == 0 || len(texts) < mostTexts && r.ready() {
		text, err := r.text()
		if err != nil {
			return texts, err
		}
		texts = append(texts, text)
	}
	return texts, nil
}

// ready reports whether a whole text is in the buffer.
func (r *textReader) ready() bool {
	if r.end == noEnd {
		return false
	}
	there, err := r.in.Peek(r.in.Buffered())
	return err == nil && bytes.IndexByte(there, byte(r.end)) >= 0
}

// text returns the next text without its end. The last one may lack it.
func (r *textReader) text() (string, error) {
	t := longText{reader: r}
	for {
		part, err := r.part()
		if faulty := r.begin(&part); faulty != nil {
			return "", faulty
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			if err := t.add(part); err != nil {
				return "", err
			}
		case err == nil, err == io.EOF && (len(part) > 0 || t.any || r.first()):
			text, err := t.finish(part)
			r.texts++
			return text, err
		case err != io.EOF:
			return "", fmt.Errorf("reading %s: %w", r.what(), err)
		default:
			return "", err
		}
	}
}

// part returns the next bytes of a text, which are there until the next call. The
// error is nil behind a text's last part, and bufio.ErrBufferFull behind others.
func (r *textReader) part() ([]byte, error) {
	if r.end != noEnd {
		return r.in.ReadSlice(byte(r.end))
	}
	part, err := r.in.Peek(r.in.Size())
	if err == nil {
		err = bufio.ErrBufferFull
	}
	_, _ = r.in.Discard(len(part)) // they are there
	return part, err
}

// first reports whether the input as a whole is a text that hasn't been read yet:
// it is one also when it is empty.
func (r *textReader) first() bool { return r.end == noEnd && r.texts == 0 }

// what names the text that is being read.
func (r *textReader) what() string {
	switch r.end {
	case noEnd:
		return "stdin"
	case '\n':
		return fmt.Sprintf("line %d", r.texts+1)
	}
	return fmt.Sprintf("text %d", r.texts+1)
}

// begin looks at the beginning of the input: a byte-order mark of UTF-8 is left
// out, and UTF-16 refused. Between NULs there may be any bytes.
func (r *textReader) begin(part *[]byte) error {
	if r.end != 0 && len(r.head) < toldFrom {
		r.head = append(r.head, (*part)[:min(len(*part), toldFrom-len(r.head))]...)
		more, err := r.in.Peek(min(r.in.Buffered(), toldFrom-len(r.head)))
		if err == nil && isUTF16(append(r.head, more...)) {
			return errUTF16
		}
	}
	if !r.started {
		*part = bytes.TrimPrefix(*part, byteOrderMark)
	}
	r.started = true
	return nil
}

// longText puts a text together of its parts. It takes as much memory as the parts
// and, at the end, the text.
type longText struct {
	reader *textReader
	any    bool // there was a part before
	parts  [][]byte
	size   int
	tokens int  // at least
	full   bool // what follows is beyond the limit
}

// add takes a part that isn't the last.
//
// A text is cut where a word ends whatever precedes and follows. Of each part only
// what stands between two such places is counted, so that the count is never too
// high, and its tokens are those of the text.
func (t *longText) add(part []byte) error {
	t.any = true
	if t.full {
		return nil
	}
	if t.reader.tokens != nil {
		if first, last := breaks(part); first < last {
			t.tokens += t.reader.tokens(string(part[first:last]))
			if t.full = t.tokens >= t.reader.enough; t.full {
				part = part[:last]
			}
		}
	}
	return t.keep(part)
}

func (t *longText) keep(part []byte) error {
	if t.size += len(part); t.size > t.reader.longest {
		return usagef("%s has more than %d bytes", t.reader.what(), t.reader.longest)
	}
	t.parts = append(t.parts, bytes.Clone(part))
	return nil
}

// finish returns the text with its last part, without what ends it.
func (t *longText) finish(last []byte) (string, error) {
	if len(t.parts) == 0 { // as most texts
		if len(last) > t.reader.longest {
			return "", usagef("%s has more than %d bytes", t.reader.what(), t.reader.longest)
		}
		return t.reader.withoutEnd(string(last)), nil
	}
	if !t.full {
		if err := t.keep(last); err != nil {
			return "", err
		}
	}
	var text strings.Builder
	text.Grow(t.size)
	for i, part := range t.parts {
		text.Write(part)
		t.parts[i] = nil
	}
	if t.full {
		return text.String(), nil
	}
	return t.reader.withoutEnd(text.String()), nil
}

// withoutEnd cuts off the end of a text, if it has one: of a line LF or CRLF.
func (r *textReader) withoutEnd(text string) string {
	if r.end == noEnd {
		return text
	}
	rest, ok := strings.CutSuffix(text, string(rune(r.end)))
	if ok && r.end == '\n' {
		return strings.TrimSuffix(rest, "\r")
	}
	return rest
}
