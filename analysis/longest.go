// This file decides which sentence of a text says most.

package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// LongestSentence returns the sentence of a text that has the most characters, the
// first of several, with the name before it if the text begins with one
// ("Ann: Hello. I moved to Rome." gives "Ann: I moved to Rome."). It is cut at a
// blank, or else behind a character, when it is longer than most bytes; most <= 0
// means any length. It returns "" for a text of one sentence, which says as much
// itself, and of none.
//
// Time is linear in len(text).
func LongestSentence(text string, most int) string {
	name, body := splitSpeaker(text)
	sentences := Sentences(body)
	if len(sentences) < 2 {
		return ""
	}
	longest, length := "", 0
	for _, s := range sentences {
		if n := utf8.RuneCountInString(s); n > length {
			longest, length = s, n
		}
	}
	return clip(name+longest, most)
}

// Bounds of what may be a name before a text.
const (
	speakerBytes = 40
	speakerWords = 3
)

// splitSpeaker cuts off the name that a text begins with, with its colon and the
// blank behind: a few words, each of which begins with a capital or a letter that
// has no case.
func splitSpeaker(text string) (name, body string) {
	text = strings.TrimLeftFunc(text, unicode.IsSpace)
	before, _, ok := strings.Cut(text[:min(len(text), speakerBytes+2)], ": ")
	if !ok || strings.ContainsAny(before, "\n.!?") {
		return "", text
	}
	words := strings.Fields(before)
	if len(words) == 0 || len(words) > speakerWords {
		return "", text
	}
	for _, word := range words {
		r, _ := utf8.DecodeRuneInString(word)
		if !unicode.IsUpper(r) && !unicode.IsTitle(r) && !unicode.Is(unicode.Lo, r) {
			return "", text
		}
	}
	at := len(before) + len(": ")
	return text[:at], text[at:]
}

// clip cuts a text at a blank in its last quarter, or else behind a character.
func clip(text string, most int) string {
	if most <= 0 || len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	if blank := strings.LastIndexByte(text[:most], ' '); blank > most/4*3 {
		most = blank
	}
	return text[:most]
}
