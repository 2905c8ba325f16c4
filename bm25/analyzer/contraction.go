// English apostrophes: the possessive and the contractions are undone, so that
// "Ana's" is Ana and "don't" is do not.

package analyzer

import "strings"

// cutContraction removes a possessive or a contracted verb from the end of a
// word and reports whether it was a negation. Other apostrophes (l'avion,
// O'Neil) stay, and separate.
func cutContraction(word string) (base string, not bool) {
	at, size := lastApostrophe(word)
	if at <= 0 {
		return word, false
	}
	base, suffix := word[:at], word[at+size:]
	switch strings.ToLower(suffix) {
	case "s", "re", "ve", "ll", "d", "m":
		return base, false
	case "t":
		if n := len(base) - 1; n > 0 && base[n]|0x20 == 'n' {
			return contractedVerb(base[:n]), true
		}
	}
	return word, false
}

// lastApostrophe finds the last apostrophe of a word; at is 0 without one.
func lastApostrophe(word string) (at, size int) {
	// A contracted suffix has at most two letters.
	tail := max(0, len(word)-6)
	for _, a := range [...]string{"'", "’", "ʼ", "＇"} {
		if i := strings.LastIndex(word[tail:], a); i >= 0 && tail+i > at {
			at, size = tail+i, len(a)
		}
	}
	return at, size
}

// contractedVerb returns the verb before "n't" where cutting leaves a stump.
func contractedVerb(stump string) string {
	switch strings.ToLower(stump) {
	case "ca":
		return "can"
	case "wo":
		return "will"
	case "sha":
		return "shall"
	case "ai":
		return "is"
	}
	return stump
}
