// The Analyzer contract, and the rules every analyzer shares: what becomes of
// very long terms and of bytes that are not UTF-8.

package analyzer

import (
	"strconv"
	"unicode/utf8"
)

// Analyzer turns text into index terms. Implementations are immutable to the
// caller and safe for concurrent use.
type Analyzer interface {
	// Name identifies the analysis completely: algorithm, version, options and
	// Unicode version. An index written under another name must be rebuilt.
	Name() string
	// Document appends the terms of text to dst, in order and with repeats,
	// and returns the extended slice. The terms never alias text.
	Document(dst []string, text string) []string
	// Query appends the terms of a query: those of Document that serve a
	// search, less stop words unless nothing else is left. Every one is also a
	// term of Document(text).
	Query(dst []string, text string) []string
}

// MaxTermBytes is the length of the longest term. A longer word is shortened to
// its beginning and a hash of the whole.
const MaxTermBytes = 255

// longPrefix is how many bytes of a shortened word stay readable.
const longPrefix = 200

var (
	_ Analyzer = (*Text)(nil)
	_ Analyzer = (*Standard)(nil)
)

// longWord collects the bytes of one word in bounded memory: the first bytes
// as they are, and a hash of them all once the word exceeds MaxTermBytes.
type longWord struct {
	buf  []byte // at most MaxTermBytes bytes
	hash uint64 // FNV-1a of every byte, valid once long
	long bool
}

const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211
)

func (w *longWord) reset() {
	w.buf, w.long = w.buf[:0], false
}

// write appends one character or more, hashing instead of keeping once the word is too long.
func (w *longWord) write(b []byte) {
	if !w.long && len(w.buf)+len(b) <= MaxTermBytes {
		w.buf = append(w.buf, b...)
		return
	}
	if !w.long {
		w.hash, w.long = fnv1a(fnvOffset, w.buf), true
	}
	w.hash = fnv1a(w.hash, b)
}

// writeByte is write for one ASCII character.
func (w *longWord) writeByte(c byte) {
	if !w.long && len(w.buf) < MaxTermBytes {
		w.buf = append(w.buf, c)
		return
	}
	w.write([]byte{c})
}

// fnv1a extends a 64-bit FNV-1a hash (Fowler, Noll, Vo) by b.
func fnv1a(hash uint64, b []byte) uint64 {
	for _, c := range b {
		hash = (hash ^ uint64(c)) * fnvPrime
	}
	return hash
}

// term returns the word, or the short form of a long one. The result is valid
// until the next write.
func (w *longWord) term() []byte {
	if !w.long {
		return w.buf
	}
	cut := longPrefix
	for cut > 0 && !utf8.RuneStart(w.buf[cut]) {
		cut--
	}
	out := append(w.buf[:cut:cut], "…"...)
	hex := strconv.FormatUint(w.hash, 16)
	for i := len(hex); i < 16; i++ {
		out = append(out, '0')
	}
	return append(out, hex...)
}

// invalidRun returns the length of the run of invalid bytes text begins with.
func invalidRun(text string) int {
	n := 0
	for n < len(text) {
		if r, size := utf8.DecodeRuneInString(text[n:]); r != utf8.RuneError || size > 1 {
			break
		}
		n++
	}
	return n
}

// invalidTerm returns the term of a run of invalid bytes: U+FFFD, then the
// bytes in hexadecimal, under the same length rule as a word.
func invalidTerm(run string) string {
	const digits = "0123456789abcdef"
	var w longWord
	w.write([]byte("\uFFFD"))
	for i := range len(run) {
		w.write([]byte{digits[run[i]>>4], digits[run[i]&15]})
	}
	return string(w.term())
}
