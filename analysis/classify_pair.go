// This file decides which two things a passage compares.

package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// pair returns the first two names of the passage, or else the first two
// different terms, or else nothing.
func (c *classifier) pair(terms []string) [2]string {
	if p, ok := firstTwo(c.names()); ok {
		return p
	}
	p, _ := firstTwo(terms)
	return p
}

// firstTwo returns the first two words that differ in more than case.
func firstTwo(words []string) (p [2]string, ok bool) {
	for _, w := range words {
		switch {
		case w == "":
		case p[0] == "":
			p[0] = w
		case !strings.EqualFold(p[0], w):
			p[1] = w
			return p, true
		}
	}
	return [2]string{}, false
}

// names returns the words with a capital at the front, in order. The first word
// of a sentence has its capital for that reason alone, and counts only if the
// word has one elsewhere too.
func (c *classifier) names() []string {
	first := c.firstWords()
	known := map[string]bool{} // keys of words with a capital inside a sentence
	for i := range c.words.words {
		if !first[i] && c.capital(i) {
			known[c.words.key(i)] = true
		}
	}
	var names []string
	for i := range c.words.words {
		if key := c.words.key(i); known[key] && c.capital(i) {
			names = append(names, c.name(i))
		}
	}
	return names
}

// firstWords tells which words begin a sentence, or what may be one: something
// quoted, an item of a list, what follows a colon.
func (c *classifier) firstWords() []bool {
	text, words := c.words.text, c.words.words
	first := make([]bool, len(words))
	i := 0
	for _, s := range sentenceExtents(text) {
		for i < len(words) && words[i].start < s.start {
			i++
		}
		for j := i; j < len(words) && words[j].start < s.end; j++ {
			first[j] = true
			if strings.ContainsFunc(c.words.key(j), unicode.IsLetter) {
				break // and not only the number of an item
			}
		}
	}
	for i := 1; i < len(words); i++ {
		between := strings.TrimRight(text[words[i-1].end:words[i].start], "\"'“‘«(*_ \t\n")
		if strings.HasSuffix(between, ":") || strings.Contains(text[words[i-1].end:words[i].start], "\n") {
			first[i] = true
		}
	}
	return first
}

// capital reports whether a word is written as a name. "I" and other words that
// name nothing never are.
func (c *classifier) capital(i int) bool {
	r, _ := utf8.DecodeRuneInString(c.words.text[c.words.words[i].start:])
	if !unicode.IsUpper(r) && !unicode.IsTitle(r) {
		return false
	}
	key := c.words.key(i)
	switch key {
	case "im", "ive", "id", "ill", "dont", "its", "thats", "whats", "lets", "weve", "were", "youre", "theyre":
		return false
	}
	if roleOf(key) != noun {
		return false
	}
	for _, m := range c.voc.byFirst[key] {
		if len(m.rest) == 0 && m.list != stateOperator {
			return false
		}
	}
	return true
}

// name returns a word as it is written, without a possessive ending, with the
// signs that some names end in.
func (c *classifier) name(i int) string {
	w := c.words.words[i]
	text := c.words.text
	for w.end < len(text) && (text[w.end] == '+' || text[w.end] == '#') {
		w.end++
	}
	name := text[w.start:w.end]
	for _, ending := range []string{"'s", "’s"} {
		name = strings.TrimSuffix(name, ending)
	}
	return name
}
