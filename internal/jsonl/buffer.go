package jsonl

// This file decides how the text is buffered and how places in it are counted.

import (
	"bytes"
	"io"
)

// Read returns the number of bytes that were taken from the source so far, for
// showing progress.
func (r *Reader) Read() int64 { return r.read }

// peek returns the next byte without passing it.
func (r *Reader) peek() (byte, bool) {
	if r.start == r.end && !r.fill() {
		return 0, false
	}
	return r.buf[r.start], true
}

// ahead reports whether the text goes on with prefix.
func (r *Reader) ahead(prefix string) bool {
	for r.end-r.start < len(prefix) && r.fill() {
	}
	return bytes.HasPrefix(r.buf[r.start:r.end], []byte(prefix))
}

// pass moves over n buffered bytes.
func (r *Reader) pass(n int) {
	text := r.buf[r.start : r.start+n]
	r.start += n
	if last := bytes.LastIndexByte(text, '\n'); last >= 0 {
		r.at.Line += bytes.Count(text, []byte{'\n'})
		r.at.Column = len(text) - last
		return
	}
	r.at.Column += n
}

// fill reads more and reports whether there was more. It may move the buffered
// bytes to another place.
func (r *Reader) fill() bool {
	if r.err != nil {
		return false
	}
	r.makeRoom()
	for range 100 { // as many empty reads as package bufio forgives
		n, err := r.src.Read(r.buf[r.end:])
		r.end += n
		r.read += int64(n)
		r.err = err
		if n > 0 || err != nil {
			return n > 0
		}
	}
	r.err = io.ErrNoProgress
	return false
}

func (r *Reader) makeRoom() {
	size := r.end - r.start
	switch {
	case r.end < len(r.buf):
		return
	case size >= len(r.buf)/2:
		r.moveTo(make([]byte, 2*len(r.buf)))
	case size < minBuffer/2 && len(r.buf) > 16*minBuffer: // a large object has gone
		r.moveTo(make([]byte, minBuffer))
	default:
		r.moveTo(r.buf)
	}
}

func (r *Reader) moveTo(buf []byte) {
	r.end = copy(buf, r.buf[r.start:r.end])
	r.buf, r.start = buf, 0
}
