// This file decides what a lexicon may hold, and how a refusal reads.

package lexicon

import (
	"errors"
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/contextforge-go/contextforge/internal/tomledit"
)

// Limits of a lexicon.
const (
	// MaxWeight is the largest weight of a term; weights lie in (0, MaxWeight].
	MaxWeight = 1.5
	// MaxFileBytes is the largest lexicon file, in bytes. All patterns of a
	// scorer together, folded, may have as many.
	MaxFileBytes = 16 << 20
	// MaxPatternBytes is the longest term or pattern, in bytes of its folded
	// form. It bounds the work that one byte of content can cause.
	MaxPatternBytes = 512
)

// ErrLexicon says that a lexicon couldn't be loaded. The message names the file
// and, where there is one, the line.
var ErrLexicon = errors.New("lexicon: not loaded")

// ErrForm says that a lexicon file is TOML, but written in a form that an Appender
// can't edit, such as terms in an array of tables. The message names the line.
var ErrForm = tomledit.ErrUnsupported

// WeightError says that a weight lies outside of (0, MaxWeight].
type WeightError struct {
	File  string
	Line  int // from 1; 0 if unknown
	Term  string
	Value float64 // may be NaN or infinite
}

// Error implements error.
func (e *WeightError) Error() string {
	return fmt.Sprintf("%sthe weight of term %q is %v; it must lie in (0, %v]", place(e.File, e.Line), shortened(e.Term), e.Value, MaxWeight)
}

// PatternError says that a term or pattern can't be matched.
type PatternError struct {
	File    string
	Line    int // from 1; 0 if unknown
	Sort    Sort
	Pattern string
	Reason  string
}

// Error implements error.
func (e *PatternError) Error() string {
	return fmt.Sprintf("%s%s %q %s", place(e.File, e.Line), e.Sort, shortened(e.Pattern), e.Reason)
}

// place returns "file:line: ", without what isn't known.
func place(file string, line int) string {
	switch {
	case file == "" && line == 0:
		return ""
	case file == "":
		return fmt.Sprintf("line %d: ", line)
	case line == 0:
		return file + ": "
	}
	return fmt.Sprintf("%s:%d: ", file, line)
}

// shortened cuts what would make a message unreadable.
func shortened(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	runes := []rune(s[:most])
	return string(runes[:len(runes)-1]) + "…"
}

// checkWeight refuses weights outside of (0, MaxWeight], NaN included.
func checkWeight(term string, weight float64) error {
	if weight > 0 && weight <= MaxWeight {
		return nil
	}
	return &WeightError{Term: term, Value: weight}
}

// checkPattern refuses patterns that nothing or everything would match, and
// returns the folded form of the others. Two patterns with the same folded form
// are one.
func checkPattern(sort Sort, pattern string) (key string, err error) {
	key = foldKey(pattern)
	switch {
	case key == "":
		err = &PatternError{Sort: sort, Pattern: pattern, Reason: "is blank"}
	case !matchable(key):
		err = &PatternError{Sort: sort, Pattern: pattern, Reason: "has no letter, digit or symbol"}
	case len(key) > MaxPatternBytes:
		err = &PatternError{Sort: sort, Pattern: pattern, Reason: fmt.Sprintf("is longer than %d bytes", MaxPatternBytes)}
	}
	return key, err
}

// matchable reports whether a folded pattern has something to go by: punctuation
// and marks alone are in every text.
func matchable(key string) bool {
	for _, r := range key {
		if r < utf8.RuneSelf && isWordByte(byte(r)) || unicode.In(r, unicode.L, unicode.N, unicode.S) {
			return true
		}
	}
	return false
}
