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
	for _, verb := range [...]string{"s", "re", "ve", "ll", "d", "m"} {
		if strings.EqualFold(suffix, verb) {
			return base, false
		}
	}
	if n := len(base) - 1; n > 0 && base[n]|0x20 == 'n' && strings.EqualFold(suffix, "t") {
		return contractedVerb(base[:n]), true
	}
	return word, false
}

// lastApostrophe finds an apostrophe before the last few letters of a word; at
// is 0 without one.
func lastApostrophe(word string) (at, size int) {
	// A contracted suffix has at most two letters.
	for i := len(word) - 2; i >= max(0, len(word)-5); i-- {
		switch word[i] {
		case '\'':
			return i, 1
		case "’"[0], "ʼ"[0], "＇"[0]:
			for _, a := range [...]string{"’", "ʼ", "＇"} {
				if strings.HasPrefix(word[i:], a) {
					return i, len(a)
				}
			}
		}
	}
	return 0, 0
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
