// Matching phrases against the words just read.

package injection

// window is how many of the last known words are remembered; longer than any phrase with its gaps.
const window = 16

// token is a known word.
type token struct {
	lexeme
	start, end        int
	ordinal, sentence int  // the how many-th word, in which sentence
	commands          bool // stands where a command can
}

// remember takes in a word that the lexicon knows, and looks for phrases that end with it.
func (s *scanner) remember(x lexeme, start, end int, commands bool) {
	t := token{x, start, end, s.ordinal, s.sentence, commands}
	s.recent[s.known%window] = t
	s.known++
	if x.class&s.lex.finals != 0 {
		s.match(t, false)
	}
	if x.rot13&s.lex.finals != 0 {
		s.match(t, true)
	}
}

// canCommand reports whether the word that was just read stands where a command can: at the beginning of
// something, after a word that may introduce one, but not in "they told him to ...".
func (s *scanner) canCommand() bool {
	return s.fresh || s.before&lead != 0 || s.before&to != 0 && s.addressed()
}

// addressed reports a "you" among the last words, as in "you have to ...".
func (s *scanner) addressed() bool {
	for back := 1; back <= min(4, s.known); back++ {
		t := &s.recent[(s.known-back)%window]
		if t.class&you != 0 && s.ordinal-t.ordinal <= 4 && t.sentence == s.sentence {
			return true
		}
	}
	return false
}

// match signals the phrases that end with the last word.
func (s *scanner) match(last token, rot13 bool) {
	for i := range phrases {
		p := &phrases[i]
		n := len(p.slots) - 1
		if last.in(p.slots[n], rot13) {
			if start, ok := s.matchBack(p, rot13); ok {
				s.phrase(p, start, last.end, rot13)
			}
		}
	}
}

func (t *token) in(c class, rot13 bool) bool {
	if rot13 {
		return t.rot13&c != 0
	}
	return t.class&c != 0
}

// matchBack goes from the last slot to the first, each time to the nearest word that fits.
func (s *scanner) matchBack(p *phrase, rot13 bool) (start int, ok bool) {
	at := s.recent[(s.known-1)%window]
	back := 1
	for slot := len(p.slots) - 2; slot >= 0; slot-- {
		for back++; ; back++ {
			if back > window || back > s.known {
				return 0, false
			}
			t := s.recent[(s.known-back)%window]
			if t.sentence != at.sentence || at.ordinal-t.ordinal-1 > p.gaps[slot+1] {
				return 0, false
			}
			if t.in(p.slots[slot], rot13) {
				at = t
				break
			}
		}
	}
	return at.start, !p.commanded || at.commands
}

func (s *scanner) phrase(p *phrase, start, end int, rot13 bool) {
	if rot13 {
		s.signal(EncodedPayload, start, end, "ROT13: "+string(p.reason))
		return
	}
	s.signal(p.reason, start, end, p.detail)
}
