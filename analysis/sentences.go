// This file decides where a sentence ends.

package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentences cuts text into sentences, without blanks around them and without
// empty ones. They are pieces of text.
//
// A line end always ends a sentence. Within a line ".", "!" and "?", and their
// like in Arabic, Urdu and Hindi, do when white space follows and then a letter
// that isn't in lower case; quotes and brackets may close before the white space
// and open behind it. "。", "！" and "？" need nothing behind them.
//
// A full stop doesn't end a sentence behind another one (an ellipsis), behind an
// abbreviation that is the whole word ("e.g." but not "config."), or behind a
// number that begins the sentence (an item of a list).
//
// Time is linear in len(text).
func Sentences(text string) []string { return appendSentences(nil, text) }

func appendSentences(dst []string, text string) []string {
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		for line != "" {
			end := sentenceEnd(line)
			dst = append(dst, line[:end])
			line = strings.TrimLeftFunc(line[end:], unicode.IsSpace)
		}
	}
	return dst
}

// sentenceEnd returns where the first sentence of a line ends.
func sentenceEnd(line string) int {
	for i := 0; i < len(line); {
		if c := line[i]; c < utf8.RuneSelf && c != '.' && c != '!' && c != '?' {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(line[i:])
		i += size
		switch r {
		case '。', '！', '？', '｡':
			return len(line) - len(strings.TrimLeftFunc(line[i:], isClosing))
		case '.', '!', '?', '؟', '۔', '।', '॥':
			rest := strings.TrimLeftFunc(line[i:], isClosing)
			if beginsSentence(rest) && !(r == '.' && goesOn(line[:i])) {
				return len(line) - len(rest)
			}
		}
	}
	return len(line)
}

// isClosing reports whether r belongs to the end of the sentence before it.
func isClosing(r rune) bool {
	switch r {
	case '"', '\'', '”', '’', '»', '›', '」', '』', '】', '》', '〉', '）', '］', ')', ']', '}', '。', '！', '？', '｡':
		return true
	}
	return false
}

// beginsSentence reports whether white space and the beginning of a sentence
// follow.
func beginsSentence(rest string) bool {
	words := strings.TrimLeftFunc(rest, unicode.IsSpace)
	if len(words) == len(rest) {
		return false
	}
	words = strings.TrimLeft(words, "\"'“‘„«‹「『【《〈（［([{¿¡")
	r, _ := utf8.DecodeRuneInString(words)
	return unicode.IsUpper(r) || unicode.IsTitle(r) || unicode.Is(unicode.Lo, r)
}

// goesOn reports whether a sentence goes on behind the full stop with which head
// ends.
func goesOn(head string) bool {
	before := head[:len(head)-1]
	return strings.HasSuffix(before, ".") || isAbbreviation(head) || strings.Trim(before, "0123456789") == ""
}

// longestAbbreviation is the length of the longest one that isAbbreviation knows.
const longestAbbreviation = len("approx.")

// isAbbreviation reports whether the last word of head is an abbreviation. The
// list is that of the reference implementation and a few more; "No." and "Ms."
// need their capital, since "no." and "ms." end sentences.
func isAbbreviation(head string) bool {
	start := len(head)
	for start > 0 {
		r, size := utf8.DecodeLastRuneInString(head[:start])
		if !inWord(r) {
			break
		}
		start -= size
		if len(head)-start > longestAbbreviation {
			return false
		}
	}
	word := head[start:]
	switch strings.ToLower(word) {
	case "e.g.", "i.e.", "etc.", "vs.", "cf.", "approx.", "dr.", "mr.", "mrs.", "prof.", "sr.", "jr.", "fig.", "eq.", "vol.",
		"viz.", "incl.", "esp.", "resp.", "al.", "st.":
		return true
	case "no.", "ms.":
		return word[0] < 'a'
	}
	return false
}

// inWord reports whether a word with a full stop goes on to the left over r.
func inWord(r rune) bool {
	return r == '.' || r == '-' || r == '_' || r == '\'' || r == '’' || r == '/' ||
		unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}
