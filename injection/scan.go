// The one pass over a text: words, and the characters that begin something else.

package injection

import (
	"unicode/utf8"
)

// scanner is the state of the pass.
type scanner struct {
	text  string
	lex   *lexicon
	out   []Signal
	first bool // stop at the first signal
	inner bool // the text is a decoded payload: it isn't decoded again

	recent            [window]token
	known             int // words remembered so far
	ordinal, sentence int
	fresh             bool  // something but blanks stands since the last word
	before            class // of the last word; 0 when the lexicon doesn't know it
	lineStart         bool  // only marks stand since the line began
	hashes            int   // how many of them are "#"
	afterBlank        bool  // an empty line stands before the current one

	spaced  [longestSpaced]spacedLetter // single letters one after the other
	letters int

	opened   [32]uint64 // hashes of the tags that were opened
	tags     int
	decoded  int // up to where runs of base64 have been looked at
	bracket  int // where the last "[" stands
	refImage bool
}

// kinds of bytes.
const (
	between = iota // ends a word, means nothing else
	letter         // part of a word
	special        // may begin something
	beyond         // not ASCII
)

var kinds = kindsOf("\n\r\v\f.!?;<[(:&")

func kindsOf(specials string) (table [256]byte) {
	for c := range table {
		switch {
		case c >= utf8.RuneSelf:
			table[c] = beyond
		case asciiFold[c] != 0:
			table[c] = letter
		case c < ' ' && c != '\t' || c == 0x7F:
			table[c] = special
		}
	}
	for i := range len(specials) {
		table[specials[i]] = special
	}
	return table
}

func (s *scanner) signal(reason Reason, start, end int, detail string) {
	if n := len(s.out); n > 0 && s.out[n-1].Reason == reason && s.out[n-1].End == start {
		s.out[n-1].End = end
		return
	}
	s.out = append(s.out, Signal{reason, start, end, detail})
}

func (s *scanner) run() {
	s.fresh, s.lineStart, s.bracket = true, true, -1
	for i := 0; i < len(s.text) && !(s.first && len(s.out) > 0); {
		c := s.text[i]
		switch kinds[c] {
		case letter:
			i = s.word(i)
		case between:
			s.separate(c)
			i++
		case special:
			i = s.specialAt(i)
		default:
			i = s.beyondASCII(i)
		}
	}
	s.flushSpaced()
}

// separate notes a character between words.
func (s *scanner) separate(c byte) {
	if c == ' ' || c == '\t' {
		return
	}
	s.fresh = true
	switch c {
	case '#':
		s.hashes++
	case '>', '*', '_', '`', '~', '|', '+', '-', '=', '"', '\'', ']', ')', '{', '}':
	default:
		s.lineStart = false
	}
}

// newLine notes that a line begins.
func (s *scanner) newLine(i int) {
	if i > 0 && s.text[i] == '\n' && s.text[i-1] == '\r' {
		return
	}
	s.fresh, s.lineStart, s.hashes = true, true, 0
	s.afterBlank = i > 0 && endsLine(s.text[i-1])
	if s.afterBlank {
		s.sentence++
	}
}

func endsLine(c byte) bool { return '\n' <= c && c <= '\r' }

// word reads a word that begins at i and returns where it ends.
func (s *scanner) word(i int) int {
	start, count, scripts := i, 0, script(0)
	h := hashStart
	var last rune
	for i < len(s.text) {
		c := s.text[i]
		if c < utf8.RuneSelf {
			f := asciiFold[c]
			if f == 0 {
				if c == '\'' && i+1 < len(s.text) && asciiFold[s.text[i+1]&0x7F] != 0 {
					i++
					continue
				}
				break
			}
			h = (h ^ uint64(f)) * hashPrime
			last = rune(f)
			scripts |= asciiScript(c)
			count++
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s.text[i:])
		f := fold(r)
		if f == apart || r == utf8.RuneError || suspect(r) {
			break
		}
		if f != skip {
			h = (h ^ uint64(f)) * hashPrime
			last = f
			scripts |= scriptOf(r)
			count++
			s.ideograph(r, i)
		} else if hides(r) {
			s.hiddenAt(r, i, size)
		}
		i += size
	}
	s.endWord(h, start, i, count, last, scripts)
	return max(i, start+1)
}

// endWord judges a word as a whole.
func (s *scanner) endWord(h uint64, start, end, count int, last rune, scripts script) {
	if scripts == latin|cyrillic {
		s.signal(Lookalikes, start, end, "Latin and Cyrillic letters in a word")
	}
	if count == 1 {
		s.addSpaced(last, start, end)
		s.fresh, s.lineStart, s.before = false, false, 0
		return
	}
	s.flushSpaced()
	s.ordinal++
	x, found := s.lex.find(h)
	if found {
		s.remember(x, start, end, s.canCommand())
		if x.class&(systemRole|blockRole|headingRole) != 0 && s.fresh {
			s.role(start, end, x.class)
		}
	}
	if end-start >= shortestEncoded {
		s.encoded(start, end)
	}
	s.fresh, s.lineStart, s.before = false, false, x.class
}

// script is a set of alphabets that are confused with each other.
type script uint8

const (
	latin script = 1 << iota
	cyrillic
)

func asciiScript(c byte) script {
	if 'a' <= c|0x20 && c|0x20 <= 'z' {
		return latin
	}
	return 0
}

func scriptOf(r rune) script {
	if 0x400 <= r && r <= 0x52F {
		return cyrillic
	}
	return 0
}

// longestSpaced is how many single letters in a row are put together.
const longestSpaced = 64

// spacedLetter is one letter of a text like "i g n o r e".
type spacedLetter struct {
	letter     rune
	start, end int
}

// addSpaced takes a word of one letter. Those with one character between them belong together.
func (s *scanner) addSpaced(letter rune, start, end int) {
	if n := s.letters; n == len(s.spaced) || n > 0 && start-s.spaced[n-1].end > 1 {
		s.flushSpaced()
	}
	s.spaced[s.letters] = spacedLetter{letter, start, end}
	s.letters++
}

// flushSpaced looks for known words among the single letters, the longest first, and
// counts the letters as words otherwise.
func (s *scanner) flushSpaced() {
	const shortest, longest = 3, 14
	n := s.letters
	s.letters = 0
	for i := 0; i < n; {
		size := 0
		var best lexeme
		h := hashStart
		for j := i; j < min(n, i+longest); j++ {
			h = (h ^ uint64(s.spaced[j].letter)) * hashPrime
			if x, found := s.lex.find(h); found && j-i+1 >= shortest {
				size, best = j-i+1, x
			}
		}
		s.ordinal++
		if size > 0 {
			s.remember(best, s.spaced[i].start, s.spaced[i+size-1].end, true)
		}
		s.before = best.class
		i += max(1, size)
	}
}

// specialAt handles a character that may begin something, and returns where to go on.
func (s *scanner) specialAt(i int) int {
	c := s.text[i]
	switch c {
	case '\n', '\r', '\v', '\f':
		s.newLine(i)
		return i + 1
	case '.', '!', '?', ';':
		if i+1 == len(s.text) || s.text[i+1] <= ' ' {
			s.sentence++
		}
	case '<':
		s.tag(i, i+1)
	case '&':
		if size := entity(s.text[i:]); size > 0 {
			s.tag(i, i+size)
		}
	case '[':
		s.openBracket(i)
	case '(':
		s.link(i)
	case ':':
		s.colon(i)
	default:
		if c < ' ' || c == 0x7F {
			s.signal(TerminalControl, i, i+1, "control character")
		}
	}
	s.fresh = true
	s.lineStart = s.lineStart && (c == '[' || c == '(' || c == '<')
	return i + 1
}

// beyondASCII handles a character that isn't ASCII and doesn't stand in a word.
func (s *scanner) beyondASCII(i int) int {
	r, size := utf8.DecodeRuneInString(s.text[i:])
	switch {
	case suspect(r):
		return s.suspectRun(r, i)
	case r == '＜' || r == '﹤':
		s.tag(i, i+size)
	case r == '\u0085' || r == '\u2028' || r == '\u2029':
		s.newLine(i)
		return i + size
	case r == '。' || r == '！' || r == '？':
		s.sentence++
	default:
		f := fold(r)
		if f == skip {
			if hides(r) {
				s.hiddenAt(r, i, size)
			}
			return i + size
		}
		if f != apart && r != utf8.RuneError {
			return s.word(i)
		}
	}
	s.fresh = true
	s.lineStart = false
	return i + size
}
