// This file decides when an occurrence doesn't count because the words before it
// say the opposite: "not confirmed". The words are English.

package lexicon

import "unicode/utf8"

const (
	// windowWords is how many words before an occurrence are looked at.
	windowWords = 3
	// windowBytes is how far back they are looked for, in bytes of folded text,
	// so that a text of endless words costs no more than others.
	windowBytes = 256
)

// negated reports whether one of the words before text[start:end], of the same
// sentence, is a negator that means it.
func negated(text []byte, start, end int) bool {
	w := window{text: text, at: start, low: max(0, start-windowBytes), compound: true}
	var after [windowWords][]byte // the words already read, the last first
	for n := range windowWords {
		current, ok := w.previous()
		switch {
		case !ok || string(current) == "But":
			return false
		case isNegator(current) && !w.cancelled(current, after[:n], end):
			return true
		}
		copy(after[1:], after[:])
		after[0] = current
	}
	return false
}

// cancelled reports whether a negator says nothing against what follows it: "not
// only", "no doubt", "don't forget", "couldn't agree more". after are the words
// between negator and occurrence.
func (w *window) cancelled(negator []byte, after [][]byte, end int) bool {
	if len(after) == 0 {
		return w.superlative(negator, end)
	}
	next := after[0]
	switch string(next) {
	case "A", "Any", "The":
		if len(after) > 1 {
			next = after[1]
		}
	}
	switch string(next) {
	case "Only", "Just", "Merely", "Simply", "Solely", // and also
		"Doubt", "Doubts", "Doubting", "Question", "Wonder", "Problem", "Problems", "Worry", "Worries", // certainly
		"Forget", "Miss", "Overlook", "Ignore", "Neglect", "Fail", "Hesitate", "Deny", "Dispute", // do
		"Bad", "Wrong": // right
		return true
	}
	return false
}

// superlative reports "can't … more": the negator directly before the occurrence
// and "more" directly after it.
func (w *window) superlative(negator []byte, end int) bool {
	switch string(negator) {
	case "Cant", "Cannot", "Couldnt":
	case "Not":
		before := *w
		if modal, ok := before.previous(); !ok || string(modal) != "Can" && string(modal) != "Could" {
			return false
		}
	default:
		return false
	}
	const more = " More"
	return len(w.text) >= end+len(more) && string(w.text[end:end+len(more)]) == more && borderAt(w.text, end+len(more))
}

// isNegator reports the words, folded, that turn what follows into its opposite.
func isNegator(folded []byte) bool {
	switch string(folded) {
	case "Not", "Never", "No", "Nor", "Non", "Nope", "Neither", "None", "Nobody", "Noone", "Nothing", "Nowhere", "Without",
		"Hardly", "Barely", "Scarcely", "Rarely", "Seldom",
		"Cant", "Cannot", "Couldnt", "Wont", "Wouldnt", "Shant", "Shouldnt", "Mustnt", "Neednt", "Mightnt", "Maynt",
		"Oughtnt", "Darent", "Dont", "Doesnt", "Didnt", "Isnt", "Arent", "Wasnt", "Werent", "Aint", "Hasnt", "Havent", "Hadnt":
		return true
	}
	return false
}

// window reads the words before a place of folded text backwards, as far as the
// sentence goes.
//
// A word is a run of letters, digits and marks, with full stops and hyphens
// between them, and commas and colons between digits: "v1.2", "10:30" and
// "no-brainer" are one word. It ends where letters of a script without spaces
// begin. A compound that reaches up to the place is read in its parts, since it
// speaks of what stands there: "not-yet-confirmed".
type window struct {
	text     []byte
	at, low  int  // what is left to read is text[low:at]
	compound bool // nothing but hyphens stood between at and the place so far
}

// previous returns the word before, folded, and false at the beginning of the
// sentence, or where the window cuts a word.
func (w *window) previous() (folded []byte, ok bool) {
	if !w.pass() {
		return nil, false
	}
	end := w.at
	behind := other // the class of the character read last
	for w.at > w.low {
		r, size := utf8.DecodeLastRune(w.text[w.low:w.at])
		class := foldedClass(r)
		if class == other && !w.joins(r, w.at) || class == word && behind == dense {
			return w.text[w.at:end], true
		}
		behind = class
		w.at -= size
		if begins(r) && !w.joined() {
			return w.text[w.at:end], true
		}
	}
	return w.text[w.at:end], w.low == 0
}

// joined reports whether a word goes on before its part that begins at w.at.
func (w *window) joined() bool {
	return w.at > w.low && w.joins(rune(w.text[w.at-1]), w.at)
}

// pass goes back over what stands between two words.
func (w *window) pass() bool {
	for w.at > w.low {
		r, size := utf8.DecodeLastRune(w.text[w.low:w.at])
		if inWord(r) {
			return true
		}
		if endsSentence(r) || r == '.' && w.fullStop(w.at) {
			return false
		}
		w.compound = w.compound && (r == '-' || r == '_')
		w.at -= size
	}
	return false
}

// joins reports whether the sign before end stands inside of a word.
func (w *window) joins(sign rune, end int) bool {
	switch sign {
	case '-':
		if w.compound {
			return false
		}
	case '.', ',', ':':
	default:
		return false
	}
	if end-2 < w.low || end == len(w.text) {
		return false
	}
	left, _ := utf8.DecodeLastRune(w.text[w.low : end-1])
	right, _ := utf8.DecodeRune(w.text[end:])
	if sign == ',' || sign == ':' {
		return isDigitByte(left) && isDigitByte(right)
	}
	return inWord(left) && inWord(right)
}

// fullStop reports whether the full stop before end ends a sentence: unless a
// word goes on behind it ("v1.2"), or it is the last of an abbreviation of single
// letters ("e.g.").
func (w *window) fullStop(end int) bool {
	if end < len(w.text) {
		if r, _ := utf8.DecodeRune(w.text[end:]); inWord(r) {
			return false
		}
	}
	letter := func(i int) bool { return i >= w.low && w.text[i] >= 'A' && w.text[i] <= 'Z' }
	return !(letter(end-2) && letter(end-4) && w.text[end-3] == '.')
}

// foldedClass returns word, dense or mark for the characters of folded text that
// words consist of, the sign for the beginning of a word included, and other for
// those between words.
func foldedClass(r rune) class {
	if r < utf8.RuneSelf {
		if isWordByte(byte(r)) || r == wideBegin {
			return word
		}
		return other
	}
	if c := classOf(r); c == word || c == dense || c == mark {
		return c
	}
	return other
}

func inWord(r rune) bool { return foldedClass(r) != other }

// begins reports the signs that begin a word.
func begins(r rune) bool {
	return r >= 'A' && r <= 'Z' || r >= digitBegin && r < digitBegin+10 || r == wideBegin
}

// isDigitByte reports the ASCII digits of folded text.
func isDigitByte(r rune) bool {
	return r >= '0' && r <= '9' || r >= digitBegin && r < digitBegin+10
}
