package twins

// This file decides when one statement says just what another one says. What is
// lost by mistake is a fact, and what is kept by mistake a repetition, so that it
// errs on the side of false.

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// alike is the share of words and pairs that statements with other words in them
// must have in common.
const alike = 0.9

// Restates reports whether two statements say the same: word for word, or with
// other words that change nothing.
//
// Words are what stands between blanks, without case and without the quotation
// marks, brackets, and marks at the end of a sentence around it, so that "C++" isn't
// "C", nor "1.5" "15". Small words that say nothing by themselves ("the", "now",
// "also") may be there or not. Of the rest, nine tenths of words and pairs must be
// shared, in the same order, and what differs must be forms of one word ("prefer",
// "prefers"). A number, a name (a word with a capital) or a negation that differs
// makes another statement, as does any other word.
//
// The words are English; statements in other languages restate each other if they
// differ in case, blanks and punctuation only, or in the forms of words.
//
// Symmetric; the time is linear in the length of the texts.
func Restates(a, b string) bool {
	x, y := StatementOf(a), StatementOf(b)
	return x.Restates(&y)
}

// Statement is a text that was taken apart, to be compared with several.
type Statement struct {
	text  string
	words []word // that say something
}

// StatementOf takes a text apart.
func StatementOf(text string) Statement { return Statement{text, wordsOf(text)} }

// Restates is the function Restates.
func (s *Statement) Restates(other *Statement) bool {
	if len(s.words) != len(other.words) {
		return false
	}
	if len(s.words) == 0 {
		return slices.Equal(strings.Fields(s.text), strings.Fields(other.text))
	}
	same := true
	for i, w := range s.words {
		if w.folded == other.words[i].folded {
			continue
		}
		if same = false; !formsOfOne(w, other.words[i]) {
			return false
		}
	}
	return same || Overlap(s.text, other.text) >= alike
}

// word is one word of a statement.
type word struct {
	plain  string // as it is written
	folded string
}

// wordsOf returns the words of a text that say something.
func wordsOf(text string) (list []word) {
	for plain := range strings.FieldsSeq(text) {
		plain = strings.TrimRightFunc(strings.TrimFunc(plain, isWrapper), isEnd)
		plain = strings.TrimFunc(plain, isWrapper)
		folded := strings.ReplaceAll(strings.ToLower(plain), "’", "'")
		if folded != "" && (!saysNothing(folded) || len(list) > 0 && folded != plain) { // "plan A"
			list = append(list, word{plain, folded})
		}
	}
	return list
}

// isWrapper reports whether a character is a bracket or a quotation mark.
func isWrapper(r rune) bool {
	return unicode.In(r, unicode.Ps, unicode.Pe, unicode.Pi, unicode.Pf) || strings.ContainsRune("\"'`*", r)
}

// isEnd reports whether a character may stand behind a word without being part
// of it.
func isEnd(r rune) bool {
	return isWrapper(r) || strings.ContainsRune(".,;:!?…。，、；：！？", r)
}

func saysNothing(folded string) bool {
	switch folded {
	case "a", "an", "the", "this", "these", "now", "currently", "also", "just", "really", "very", "quite", "please", "well":
		return true
	}
	return false
}

// formsOfOne reports whether two words are forms of one: four characters and two
// thirds of both are the same at the beginning, and nothing but small letters
// follows.
func formsOfOne(a, b word) bool {
	if !isPlain(a.plain) || !isPlain(b.plain) {
		return false
	}
	n := commonRunes(a.plain, b.plain)
	longer := max(utf8.RuneCountInString(a.plain), utf8.RuneCountInString(b.plain))
	return n >= 4 && 3*n >= 2*longer && !slices.ContainsFunc([]word{a, b}, func(w word) bool { return denies(w.folded) })
}

// isPlain reports whether a word has small letters only.
func isPlain(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsLower(r) && r != '\'' && r != '’' })
}

func commonRunes(a, b string) (n int) {
	x, y := []rune(a), []rune(b)
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}

// denies reports whether a word turns what is said into its opposite.
func denies(folded string) bool {
	return strings.HasSuffix(folded, "n't") || strings.HasSuffix(folded, "less") || strings.HasSuffix(folded, "not")
}
