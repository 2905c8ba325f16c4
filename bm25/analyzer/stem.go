// English stemming: the Porter2 algorithm ("Snowball English", M. F. Porter,
// http://snowball.tartarus.org/algorithms/english/stemmer.html, the classic
// definition), on words of the letters a to z.

package analyzer

import "bytes"

// stemEnglish reduces word, lower-case ASCII letters, to its stem in place and
// returns the shortened slice. The word may grow by one byte within cap(word)
// or be moved.
func stemEnglish(word []byte) []byte {
	if len(word) <= 2 {
		return word
	}
	if stem, ok := stemException(word); ok {
		return append(word[:0], stem...)
	}
	s := stemmer{w: word}
	s.markY()
	s.findRegions()
	s.step1a()
	if !s.finished() {
		s.step1b()
		s.step1c()
		s.step2()
		s.step3()
		s.step4()
		s.step5()
	}
	for i, c := range s.w {
		if c == 'Y' {
			s.w[i] = 'y'
		}
	}
	return s.w
}

// stemmer holds a word under way. 'Y' is a y that counts as a consonant.
type stemmer struct {
	w      []byte
	r1, r2 int // starts of the regions R1 and R2 of the definition
}

func stemException(word []byte) (string, bool) {
	switch string(word) {
	case "skis":
		return "ski", true
	case "skies":
		return "sky", true
	case "dying":
		return "die", true
	case "lying":
		return "lie", true
	case "tying":
		return "tie", true
	case "idly":
		return "idl", true
	case "gently":
		return "gentl", true
	case "ugly":
		return "ugli", true
	case "early":
		return "earli", true
	case "only":
		return "onli", true
	case "singly":
		return "singl", true
	case "sky", "news", "howe", "atlas", "cosmos", "bias", "andes":
		return string(word), true
	}
	return "", false
}

// finished reports words that stop after step 1a.
func (s *stemmer) finished() bool {
	switch string(s.w) {
	case "inning", "outing", "canning", "herring", "earring", "proceed", "exceed", "succeed":
		return true
	}
	return false
}

func isVowel(c byte) bool {
	switch c {
	case 'a', 'e', 'i', 'o', 'u', 'y':
		return true
	}
	return false
}

func (s *stemmer) markY() {
	for i, c := range s.w {
		if c == 'y' && (i == 0 || isVowel(s.w[i-1])) {
			s.w[i] = 'Y'
		}
	}
}

func (s *stemmer) findRegions() {
	s.r1 = s.regionAfter(0)
	for _, prefix := range [...]string{"gener", "commun", "arsen"} {
		if bytes.HasPrefix(s.w, []byte(prefix)) {
			s.r1 = len(prefix)
		}
	}
	s.r2 = s.regionAfter(s.r1)
}

// regionAfter returns the position after the first consonant that follows a
// vowel at or after from.
func (s *stemmer) regionAfter(from int) int {
	for i := from + 1; i < len(s.w); i++ {
		if !isVowel(s.w[i]) && isVowel(s.w[i-1]) {
			return i + 1
		}
	}
	return len(s.w)
}

func (s *stemmer) has(suffix string) bool {
	return len(s.w) >= len(suffix) && string(s.w[len(s.w)-len(suffix):]) == suffix
}

// before returns the letter n places before the end, or 0.
func (s *stemmer) before(n int) byte {
	if len(s.w) <= n {
		return 0
	}
	return s.w[len(s.w)-1-n]
}

func (s *stemmer) cut(n int) { s.w = s.w[:len(s.w)-n] }

func (s *stemmer) replace(n int, with string) {
	s.w = append(s.w[:len(s.w)-n], with...)
}

// vowelBefore reports a vowel in the word less its last n letters.
func (s *stemmer) vowelBefore(n int) bool {
	for _, c := range s.w[:len(s.w)-n] {
		if isVowel(c) {
			return true
		}
	}
	return false
}

// shortSyllable reports whether w ends in a short syllable.
func shortSyllable(w []byte) bool {
	n := len(w)
	if n == 2 {
		return isVowel(w[0]) && !isVowel(w[1])
	}
	if n < 3 || isVowel(w[n-1]) || !isVowel(w[n-2]) || isVowel(w[n-3]) {
		return false
	}
	c := w[n-1]
	return c != 'w' && c != 'x' && c != 'Y'
}

func (s *stemmer) step1a() {
	switch {
	case s.has("sses"):
		s.cut(2)
	case s.has("ied"), s.has("ies"):
		if len(s.w) > 4 {
			s.cut(2)
		} else {
			s.cut(1)
		}
	case s.has("us"), s.has("ss"):
	case s.has("s"):
		if s.vowelBefore(2) {
			s.cut(1)
		}
	}
}

func (s *stemmer) step1b() {
	for _, suffix := range [...]string{"eedly", "eed"} {
		if s.has(suffix) {
			if len(s.w)-len(suffix) >= s.r1 {
				s.replace(len(suffix), "ee")
			}
			return
		}
	}
	for _, suffix := range [...]string{"ingly", "edly", "ing", "ed"} {
		if s.has(suffix) {
			if s.vowelBefore(len(suffix)) {
				s.cut(len(suffix))
				s.restoreE()
			}
			return
		}
	}
}

// restoreE mends a word whose -ed or -ing was cut.
func (s *stemmer) restoreE() {
	switch {
	case s.has("at"), s.has("bl"), s.has("iz"):
		s.w = append(s.w, 'e')
	case s.endsDouble():
		s.cut(1)
	case len(s.w) <= s.r1 && shortSyllable(s.w):
		s.w = append(s.w, 'e')
	}
}

func (s *stemmer) endsDouble() bool {
	c := s.before(0)
	if c == 0 || c != s.before(1) {
		return false
	}
	switch c {
	case 'b', 'd', 'f', 'g', 'm', 'n', 'p', 'r', 't':
		return true
	}
	return false
}

func (s *stemmer) step1c() {
	c := s.before(0)
	if (c == 'y' || c == 'Y') && len(s.w) > 2 && !isVowel(s.before(1)) {
		s.w[len(s.w)-1] = 'i'
	}
}

// rule replaces a suffix. Rules are kept by the last letter of the suffix, and
// longer ones stand first, since only the longest that fits is tried.
type rule struct{ suffix, with string }

func step2Rules(last byte) []rule {
	switch last {
	case 'i':
		return step2I[:]
	case 'l':
		return step2L[:]
	case 'm':
		return step2M[:]
	case 'n':
		return step2N[:]
	case 'r':
		return step2R[:]
	case 's':
		return step2S[:]
	}
	return nil
}

var (
	step2I = [...]rule{
		{"biliti", "ble"}, {"lessli", "less"}, {"aliti", "al"}, {"entli", "ent"}, {"fulli", "ful"},
		{"iviti", "ive"}, {"ousli", "ous"}, {"abli", "able"}, {"alli", "al"}, {"anci", "ance"},
		{"enci", "ence"}, {"bli", "ble"}, {"ogi", "og"}, {"li", ""},
	}
	step2L = [...]rule{{"ational", "ate"}, {"tional", "tion"}}
	step2M = [...]rule{{"alism", "al"}}
	step2N = [...]rule{{"ization", "ize"}, {"ation", "ate"}}
	step2R = [...]rule{{"ator", "ate"}, {"izer", "ize"}}
	step2S = [...]rule{{"fulness", "ful"}, {"iveness", "ive"}, {"ousness", "ous"}}
)

func (s *stemmer) step2() {
	for _, r := range step2Rules(s.before(0)) {
		if !s.has(r.suffix) {
			continue
		}
		n := len(r.suffix)
		switch {
		case len(s.w)-n < s.r1:
		case r.suffix == "ogi" && s.before(3) != 'l':
		case r.suffix == "li" && !validLi(s.before(2)):
		default:
			s.replace(n, r.with)
		}
		return
	}
}

func validLi(c byte) bool {
	switch c {
	case 'c', 'd', 'e', 'g', 'h', 'k', 'm', 'n', 'r', 't':
		return true
	}
	return false
}

func step3Rules(last byte) []rule {
	switch last {
	case 'e':
		return step3E[:]
	case 'i':
		return step3I[:]
	case 'l':
		return step3L[:]
	case 's':
		return step3S[:]
	}
	return nil
}

var (
	step3E = [...]rule{{"alize", "al"}, {"ative", ""}, {"icate", "ic"}}
	step3I = [...]rule{{"iciti", "ic"}}
	step3L = [...]rule{{"ational", "ate"}, {"tional", "tion"}, {"ical", "ic"}, {"ful", ""}}
	step3S = [...]rule{{"ness", ""}}
)

func (s *stemmer) step3() {
	for _, r := range step3Rules(s.before(0)) {
		if !s.has(r.suffix) {
			continue
		}
		start := len(s.w) - len(r.suffix)
		if start >= s.r1 && (r.suffix != "ative" || start >= s.r2) {
			s.replace(len(r.suffix), r.with)
		}
		return
	}
}

func step4Suffixes(last byte) []string {
	switch last {
	case 'c':
		return step4C[:]
	case 'e':
		return step4E[:]
	case 'i':
		return step4I[:]
	case 'l':
		return step4L[:]
	case 'm':
		return step4M[:]
	case 'n':
		return step4N[:]
	case 'r':
		return step4R[:]
	case 's':
		return step4S[:]
	case 't':
		return step4T[:]
	}
	return nil
}

var (
	step4C = [...]string{"ic"}
	step4E = [...]string{"able", "ance", "ence", "ible", "ate", "ive", "ize"}
	step4I = [...]string{"iti"}
	step4L = [...]string{"al"}
	step4M = [...]string{"ism"}
	step4N = [...]string{"ion"}
	step4R = [...]string{"er"}
	step4S = [...]string{"ous"}
	step4T = [...]string{"ement", "ment", "ant", "ent"}
)

func (s *stemmer) step4() {
	for _, suffix := range step4Suffixes(s.before(0)) {
		if !s.has(suffix) {
			continue
		}
		if len(s.w)-len(suffix) >= s.r2 && (suffix != "ion" || s.before(3) == 's' || s.before(3) == 't') {
			s.cut(len(suffix))
		}
		return
	}
}

func (s *stemmer) step5() {
	last := len(s.w) - 1
	switch s.before(0) {
	case 'e':
		if last >= s.r2 || last >= s.r1 && !shortSyllable(s.w[:last]) {
			s.cut(1)
		}
	case 'l':
		if last >= s.r2 && s.before(1) == 'l' {
			s.cut(1)
		}
	}
}
