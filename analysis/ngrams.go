// This file decides how tokens in a row are joined.

package analysis

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxN is the number of tokens of the longest term.
const maxN = 3

// NGrams returns all runs of n tokens, in order, none when n isn't positive or
// there are fewer than n tokens. The tokens of a run are joined by one space,
// except that pairs of characters that overlap, as Tokens makes them from scripts
// without spaces, are joined to the text that they come from: "会議" and "議室"
// give "会議室". The runs share one string.
func NGrams(tokens []string, n int) []string {
	if n <= 0 || n > len(tokens) {
		return nil
	}
	w := joined(tokens)
	text := string(w.text)
	grams := make([]string, 0, len(tokens)-n+1)
	for i := range len(tokens) - n + 1 {
		grams = append(grams, text[w.spans[i].start:w.spans[i+n-1].end])
	}
	return grams
}

// words is a sequence of tokens joined in the way of NGrams, so that every run
// of them is a piece of text. The zero value is empty.
type words struct {
	text  []byte
	spans []span

	scratch []byte // for scanners
	units   []int
}

// span is where a token stands. The spans of overlapping pairs overlap.
type span struct{ start, end int }

func joined(tokens []string) *words {
	w := &words{spans: make([]span, 0, len(tokens))}
	size := len(tokens)
	for _, token := range tokens {
		size += len(token)
	}
	w.text = make([]byte, 0, size)
	for _, token := range tokens {
		w.text = append(w.space(), token...)
		w.settle()
	}
	return w
}

func (w *words) reset() { w.text, w.spans = w.text[:0], w.spans[:0] }

// add appends a token.
func (w *words) add(token []byte) {
	w.text = append(w.space(), token...)
	w.settle()
}

// space returns the text with a space behind it unless it is the beginning, and
// begins a span there.
func (w *words) space() []byte {
	text := w.text
	if len(w.spans) > 0 {
		text = append(text, ' ')
	}
	w.spans = append(w.spans, span{start: len(text)})
	return text
}

// settle ends the last span, where the token ends that was appended, and moves
// the token over the one before when they overlap.
func (w *words) settle() {
	last := len(w.spans) - 1
	this := &w.spans[last]
	this.end = len(w.text)
	if last == 0 || this.start == this.end || w.text[this.start] < utf8.RuneSelf {
		return
	}
	before := w.spans[last-1]
	token := w.text[this.start:]
	shared := overlap(w.text[before.start:before.end], token)
	if shared == 0 {
		return
	}
	copy(w.text[before.end:], token[shared:])
	this.start = before.end - shared
	this.end = this.start + len(token)
	w.text = w.text[:this.end]
}

// overlap returns the length of the character with which a ends and b begins,
// when both are pairs of characters of a script without spaces; otherwise 0.
func overlap(a, b []byte) int {
	n := unit(b)
	if n == 0 || n == len(b) || n+unit(b[n:]) != len(b) {
		return 0
	}
	m := unit(a)
	if m == 0 || !bytes.Equal(a[m:], b[:n]) {
		return 0
	}
	return n
}

// unit returns the length of the character that text begins with, its marks
// included, 0 when it isn't one of a script without spaces.
func unit(text []byte) int {
	r, n := utf8.DecodeRune(text)
	if !isUnspaced(r) {
		return 0
	}
	for n < len(text) {
		r, size := utf8.DecodeRune(text[n:])
		if !unicode.IsMark(r) {
			break
		}
		n += size
	}
	return n
}

// tokens returns the single tokens.
func (w *words) tokens() []string {
	if len(w.spans) == 0 {
		return nil
	}
	text := string(w.text)
	tokens := make([]string, len(w.spans))
	for i, s := range w.spans {
		tokens[i] = text[s.start:s.end]
	}
	return tokens
}

// constituents returns the tokens of which a term of several is joined, nothing
// for a term of one.
func constituents(term string) (tokens []string) {
	for word := range strings.SplitSeq(term, " ") {
		tokens = appendPairs(tokens, word)
	}
	if len(tokens) == 1 {
		return nil
	}
	return tokens
}

// appendPairs appends the pairs of characters of which a word of a script
// without spaces is joined, or any other word as it is.
func appendPairs(dst []string, word string) []string {
	if word == "" || word[0] < utf8.RuneSelf {
		return append(dst, word)
	}
	text := []byte(word)
	first := unit(text)
	if first == 0 || first == len(word) {
		return append(dst, word)
	}
	pairs := dst
	for start, middle := 0, first; middle < len(word); {
		n := unit(text[middle:])
		if n == 0 { // not made by Tokens
			return append(dst, word)
		}
		pairs = append(pairs, word[start:middle+n])
		start, middle = middle, middle+n
	}
	return pairs
}
