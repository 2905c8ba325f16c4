// The shape of a word: where letters meet digits, and lower case upper case, so
// that covid19 and getUserName can be found by their parts.

package analyzer

import "unicode"

// charKind is what the shape of a word depends on.
type charKind uint8

const (
	otherKind charKind = iota // mark or letter without case
	lowerKind
	upperKind
	digitKind
	pluralKind // a small s, which ends an acronym's plural: APIs
)

func asciiKind(c byte) charKind {
	switch {
	case c == 's':
		return pluralKind
	case c >= 'a':
		return lowerKind
	case c >= 'A':
		return upperKind
	}
	return digitKind
}

func letterKind(r rune) charKind {
	switch {
	case r == 's':
		return pluralKind
	case unicode.IsUpper(r):
		return upperKind
	case unicode.IsLower(r):
		return lowerKind
	}
	return otherKind
}

// maxSplits is how many borders inside a word are still taken for words
// rather than for a random string.
const maxSplits = 6

// wordShape records the borders inside a word.
type wordShape struct {
	camel   [maxSplits]int
	camels  int // may exceed maxSplits: then there are too many
	digits  int // borders between letters and digits
	digitAt int // the last of them
	last    charKind
	started bool
	pending int // start of a capital after a capital: a border if a small letter follows
}

func (s *wordShape) reset() {
	s.camels, s.digits, s.started, s.pending = 0, 0, false, 0
}

// next records a character of kind k that begins at byte at of the word.
func (s *wordShape) next(at int, k charKind) {
	if !s.started {
		s.last, s.started = k, true
		return
	}
	if (k == digitKind) != (s.last == digitKind) {
		s.digits++
		s.digitAt = at
	}
	switch {
	case k == upperKind && (s.last == lowerKind || s.last == pluralKind):
		s.addCamel(at)
	case k == lowerKind && s.pending > 0:
		s.addCamel(s.pending)
	}
	s.pending = 0
	if k == upperKind && s.last == upperKind {
		s.pending = at
	}
	s.last = k
}

func (s *wordShape) addCamel(at int) {
	if s.camels < maxSplits {
		s.camel[s.camels] = at
	}
	s.camels++
}

// digitSplit returns the one border between letters and digits, or 0 when
// there is none or more than one.
func (s *wordShape) digitSplit() int {
	if s.digits != 1 {
		return 0
	}
	return s.digitAt
}

// camelSplits returns the camelCase borders, none when there are too many.
func (s *wordShape) camelSplits() []int {
	if s.camels > maxSplits {
		return nil
	}
	return s.camel[:s.camels]
}
