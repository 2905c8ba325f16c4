package main

// This file decides which texts are worked on at once: those that are there, so
// that nobody waits for an answer.

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/contextforge-go/contextforge/minilm"
)

// mostTexts is how many texts are worked on at once: enough to keep several
// cores busy, few enough that the first answer comes soon.
const mostTexts = 64

// eachBatch calls work with the texts of the arguments, or else with the lines
// of stdin as they come, and sends off what it has printed after each call.
func (a *app) eachBatch(ctx context.Context, args []string, load func() (*minilm.Model, error), work func(m *minilm.Model, texts []string) error) error {
	if len(args) == 0 && a.stdinTerminal {
		return &usageError{errNoText}
	}
	m, err := load()
	if err != nil {
		return err
	}
	step := func(texts []string) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := work(m, texts); err != nil {
			return err
		}
		return a.out.Flush()
	}
	if len(args) == 0 || len(args) == 1 && args[0] == "-" {
		return newLineReader(a.interruptible(ctx)).each(step)
	}
	for some := range slices.Chunk(args, mostTexts) {
		if err := step(some); err != nil {
			return err
		}
	}
	return nil
}

// lineReader reads lines of any bytes, in batches of those that are there.
type lineReader struct {
	in      *bufio.Reader
	longest int // bytes of a line, its end included
	lines   int // that were read
}

func newLineReader(in io.Reader) *lineReader {
	return &lineReader{in: bufio.NewReaderSize(in, 64<<10), longest: maxText}
}

// each calls work with all lines, some at a time. When the input breaks off with
// an error, the lines before it are worked on all the same.
func (r *lineReader) each(work func(lines []string) error) error {
	for {
		lines, err := r.batch()
		if len(lines) > 0 {
			if err := work(lines); err != nil {
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

// batch waits for one line and adds those that can be had without waiting. The
// error, io.EOF at the end, is about what follows the lines.
func (r *lineReader) batch() (lines []string, err error) {
	for len(lines) == 0 || len(lines) < mostTexts && r.ready() {
		line, err := r.line()
		if err != nil {
			return lines, err
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// ready reports whether a whole line is in the buffer.
func (r *lineReader) ready() bool {
	there, err := r.in.Peek(r.in.Buffered())
	return err == nil && bytes.IndexByte(there, '\n') >= 0
}

// line returns the next line without its end, LF or CRLF. The last one may lack
// it.
func (r *lineReader) line() (string, error) {
	var line []byte
	for {
		part, err := r.in.ReadSlice('\n')
		if len(line)+len(part) > r.longest {
			return "", usagef("line %d has more than %d bytes", r.lines+1, r.longest)
		}
		line = append(line, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == io.EOF && len(line) > 0, err == nil:
			r.lines++
			return string(withoutEnd(line)), nil
		case err != io.EOF:
			return "", fmt.Errorf("reading line %d: %w", r.lines+1, err)
		}
		return "", err
	}
}

// withoutEnd cuts off LF or CRLF.
func withoutEnd(line []byte) []byte {
	if rest, ok := bytes.CutSuffix(line, []byte("\n")); ok {
		return bytes.TrimSuffix(rest, []byte("\r"))
	}
	return line
}
