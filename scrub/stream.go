// Streams: a window over the text slides along, cut where no secret can lie.

package scrub

import (
	"io"
	"strings"
	"unicode/utf8"
)

// stream scrubs a text that comes in pieces.
type stream struct {
	scrubber *Scrubber
	reach    int // how far a rule looks: MaxSecret
	pending  []byte
	offset   int // of pending in the text
	report   func(Finding)
}

// feed takes a piece and returns what is settled.
func (st *stream) feed(piece []byte) string {
	st.pending = append(st.pending, piece...)
	if len(st.pending) < 4*st.reach {
		return ""
	}
	text := string(st.pending)
	found := st.scrubber.matches(text)
	return st.settle(text, found, st.cut(text, found))
}

// finish returns the rest.
func (st *stream) finish() string {
	text := string(st.pending)
	return st.settle(text, st.scrubber.matches(text), len(text))
}

// settle returns the text before cut as it is to be, and forgets it.
func (st *stream) settle(text string, found []match, cut int) string {
	findings := st.scrubber.findings(found)
	n := 0
	for n < len(findings) && findings[n].End <= cut {
		n++
	}
	if st.report != nil {
		for _, f := range findings[:n] {
			f.Start, f.End = f.Start+st.offset, f.End+st.offset
			st.report(f)
		}
	}
	st.pending = append(st.pending[:0], text[cut:]...)
	st.offset += cut
	if n == 0 {
		return text[:cut]
	}
	return redact(text[:cut], findings[:n])
}

// cut returns where the text may be cut: what is before it has been judged with
// all that follows in sight, what is after it will be judged as if the text
// began there. A rule looks reach bytes ahead, at text in which others may have
// looked as far again. It looks back over no blank, so a line end that no match
// spans will do, else any blank; text without a blank for reach bytes is cut
// anywhere but in a match.
func (st *stream) cut(text string, found []match) int {
	limit := len(text) - 2*st.reach
	for _, blanks := range [...]string{"\n", " \t\n"} {
		for at := limit; at > limit-st.reach; {
			i := strings.LastIndexAny(text[limit-st.reach:at], blanks)
			if i < 0 {
				break
			}
			at = limit - st.reach + i
			if m := spanning(found, at+1); m == nil {
				if endsInPublic(text[:at]) {
					continue
				}
				return at + 1
			} else if at = min(at, m.from); at <= limit-st.reach {
				break
			}
		}
	}
	for !utf8.RuneStart(text[limit]) && limit > len(text)-2*st.reach-utf8.UTFMax {
		limit--
	}
	if m := spanning(found, limit); m != nil {
		return m.end
	}
	return limit
}

// spanning returns a match that a cut at pos would hit, or nil.
func spanning(found []match, pos int) *match {
	for i := range found {
		if m := &found[i]; m.from < pos && pos < m.end {
			return m
		}
	}
	return nil
}

// Reader scrubs what it reads from another reader.
type Reader struct {
	// Report, when set before the first Read, is called for each finding, whose
	// place is counted from the beginning of the stream.
	Report func(Finding)
	source io.Reader
	stream stream
	piece  []byte
	ready  string
	err    error
}

// NewReader returns a reader of the scrubbed text of r. Secrets are found
// however the text is divided, if they have at most MaxSecret bytes. It holds up
// to five times MaxSecret, and reads ahead as far. It must not be used by several
// goroutines at once.
func (s *Scrubber) NewReader(r io.Reader) *Reader {
	return &Reader{source: r, stream: stream{scrubber: s, reach: MaxSecret}}
}

// Read implements io.Reader. An error of the source is returned after all that
// was read before it.
func (r *Reader) Read(p []byte) (int, error) {
	if r.piece == nil {
		r.piece, r.stream.report = make([]byte, 32<<10), r.Report
	}
	for r.ready == "" && r.err == nil && len(p) > 0 {
		n, err := r.source.Read(r.piece)
		if r.ready = r.stream.feed(r.piece[:n]); err != nil {
			r.ready, r.err = r.ready+r.stream.finish(), err
		}
	}
	n := copy(p, r.ready)
	r.ready = r.ready[n:]
	if n == 0 && len(p) > 0 {
		return 0, r.err
	}
	return n, nil
}

// Writer scrubs what it writes to another writer.
type Writer struct {
	// Report, when set before the first Write, is called for each finding, whose
	// place is counted from the beginning of the stream.
	Report func(Finding)
	target io.Writer
	stream stream
	err    error
}

// NewWriter returns a writer that passes the scrubbed text on to w. Secrets are
// found however the text is divided, if they have at most MaxSecret bytes. It
// holds up to five times MaxSecret back until Close. It must not be used by
// several goroutines at once.
func (s *Scrubber) NewWriter(w io.Writer) *Writer {
	return &Writer{target: w, stream: stream{scrubber: s, reach: MaxSecret}}
}

// Write implements io.Writer. It takes all of p, or returns the error of the
// other writer, now and ever after.
func (w *Writer) Write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	w.stream.report = w.Report
	for done := 0; done < len(p); {
		n := min(len(p)-done, w.stream.reach)
		if err := w.pass(w.stream.feed(p[done : done+n])); err != nil {
			return done, err
		}
		done += n
	}
	return len(p), nil
}

// Close writes what was held back. It doesn't close the other writer. After it,
// Write returns an error.
func (w *Writer) Close() error {
	if w.err != nil {
		if w.err == io.ErrClosedPipe {
			return nil
		}
		return w.err
	}
	w.stream.report = w.Report
	err := w.pass(w.stream.finish())
	if err == nil {
		w.err = io.ErrClosedPipe
	}
	return err
}

func (w *Writer) pass(text string) error {
	if text != "" {
		_, w.err = io.WriteString(w.target, text)
	}
	return w.err
}
