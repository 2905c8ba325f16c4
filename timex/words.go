// Cuts a text into words: where a word ends, what lies between two words, and
// which entry of the lexicon a word is.

package timex

import (
	"unicode"
	"unicode/utf8"
)

// token is one word of a text.
type token struct {
	entry      *entry // nil when the lexicon hasn't the word
	kind       kind
	gap        byte // before the word: 0 nothing, ' ' white space, the character if it is one, '#' anything else
	spaced     bool // the gap holds white space
	first      bool // the word opens the text or a sentence
	accented   bool // the word is written with letters beyond ASCII
	value      int
	start, end int
}

// follows reports whether only white space parts the token from the word before,
// or nothing, as in Chinese.
func (t *token) follows() bool { return t.gap == ' ' || t.gap == 0 }

// is reports whether the token is that word of the lexicon.
func (t *token) is(word string) bool { return t.entry != nil && t.entry.word == word }

// langs returns the languages in which the token has its kind.
func (t *token) langs() langs {
	if t.entry == nil {
		return anyLanguage
	}
	return t.entry.langs
}

// close reports whether the token continues a phrase: only white space, an
// apostrophe, a hyphen or nothing parts it from the word before.
func (t *token) close() bool {
	return t.gap == ' ' || !t.spaced && (t.gap == 0 || t.gap == '\'' || t.gap == '-')
}

// tooBig is the value of a number of more than five digits.
const tooBig = 1 << 30

// history is how many words a scanner remembers; a power of two.
const history = 8

// scanner walks over the words of a text and remembers the last ones.
type scanner struct {
	lex    *lexicon
	text   string
	pos    int
	count  int
	recent [history]token
	spoken langs // the language of the text, once it is asked for
	asked  bool
	read   int // words read so far, those looked ahead at included
}

func scan(text string) scanner { return scanner{lex: words(), text: text} }

// back returns the word i places before the current one, i < history; a token
// of no kind before the first.
func (s *scanner) back(i int) *token { return &s.recent[(s.count-1-i)&(history-1)] }

// ahead returns the word after the current one, or a token of no kind.
func (s *scanner) ahead() token {
	probe := scanner{lex: s.lex, text: s.text, pos: s.pos, count: s.count}
	s.read++
	if !probe.next() {
		return token{gap: '#', first: true, start: len(s.text), end: len(s.text)}
	}
	return *probe.back(0)
}

// folded maps the bytes of ASCII words to lower case, all others to 0.
var folded = [256]byte{
	'0': '0', '1': '1', '2': '2', '3': '3', '4': '4', '5': '5', '6': '6', '7': '7', '8': '8', '9': '9', '_': '_',
	'a': 'a', 'b': 'b', 'c': 'c', 'd': 'd', 'e': 'e', 'f': 'f', 'g': 'g', 'h': 'h', 'i': 'i', 'j': 'j', 'k': 'k', 'l': 'l', 'm': 'm',
	'n': 'n', 'o': 'o', 'p': 'p', 'q': 'q', 'r': 'r', 's': 's', 't': 't', 'u': 'u', 'v': 'v', 'w': 'w', 'x': 'x', 'y': 'y', 'z': 'z',
	'A': 'a', 'B': 'b', 'C': 'c', 'D': 'd', 'E': 'e', 'F': 'f', 'G': 'g', 'H': 'h', 'I': 'i', 'J': 'j', 'K': 'k', 'L': 'l', 'M': 'm',
	'N': 'n', 'O': 'o', 'P': 'p', 'Q': 'q', 'R': 'r', 'S': 's', 'T': 't', 'U': 'u', 'V': 'v', 'W': 'w', 'X': 'x', 'Y': 'y', 'Z': 'z',
}

// The hash of a word is FNV-1a over its folded bytes.
const (
	hashStart = 2166136261
	hashPrime = 16777619
)

// next moves to the next word.
func (s *scanner) next() bool {
	t := &s.recent[s.count&(history-1)]
	*t = token{first: s.count == 0}
	s.skip(t)
	if s.pos >= len(s.text) {
		return false
	}
	s.count++
	s.read++
	t.start = s.pos
	hash, i := uint32(hashStart), s.pos
	for i < len(s.text) {
		c := folded[s.text[i]]
		if c == 0 {
			break
		}
		hash = (hash ^ uint32(c)) * hashPrime
		i++
	}
	if i < len(s.text) && s.text[i] >= utf8.RuneSelf {
		s.beyondASCII(t)
		return true
	}
	t.end, s.pos = i, i
	if c := s.text[t.start]; c >= '0' && c <= '9' {
		t.number(s.text[t.start:i])
	} else if e := s.lex.find(hash, s.text[t.start:i]); e != nil {
		t.entry, t.kind, t.value = e, e.kind, int(e.value)
	}
	return true
}

// skip moves to the start of the next word and notes what lies before it.
func (s *scanner) skip(t *token) {
	for ; s.pos < len(s.text); s.pos++ {
		c := s.text[s.pos]
		switch {
		case folded[c] != 0:
			return
		case c == ' ' || c == '\t' || c == '\r':
			t.spaced = true
			if t.gap == 0 {
				t.gap = ' '
			}
		case c == '\n':
			t.spaced, t.first = true, true
			if t.gap == 0 {
				t.gap = ' '
			}
		case c < utf8.RuneSelf:
			t.separate(c)
		default:
			r, size := utf8.DecodeRuneInString(s.text[s.pos:])
			if wordRune(r) {
				return
			}
			t.separateRune(r)
			s.pos += size - 1
		}
	}
}

// separate notes a character of the gap that isn't white space.
func (t *token) separate(c byte) {
	if t.gap == 0 || t.gap == ' ' {
		t.gap = c
	} else {
		t.gap = '#'
	}
	t.first = t.first || c == '.' || c == '!' || c == '?'
}

func (t *token) separateRune(r rune) {
	switch {
	case unicode.IsSpace(r):
		t.spaced = true
		if t.gap == 0 {
			t.gap = ' '
		}
	case r == '’' || r == 'ʼ':
		t.separate('\'')
	case r == '‐' || r == '‑':
		t.separate('-')
	case r == '。' || r == '！' || r == '？' || r == '…' || r == '¿' || r == '¡':
		t.separate('.')
	default:
		t.separate('#')
	}
}

// number reads a word that begins with a digit: a number, or an ordinal such as
// 7th, 1er, 2ème.
func (t *token) number(word string) {
	n, i := 0, 0
	for ; i < len(word) && word[i] >= '0' && word[i] <= '9'; i++ {
		n = min(n*10+int(word[i]-'0'), tooBig/10)
	}
	if i > 5 {
		n = tooBig
	}
	if i == 2 && len(word) > 3 && (word[2] == 'T' || word[2] == 't') && word[3] >= '0' && word[3] <= '9' {
		i = len(word) // the day of 2023-05-07T10:00
	}
	switch {
	case i == len(word):
		t.kind, t.value = kindDigits, n
	case ordinalEnding(word[i:]):
		t.kind, t.value = kindOrdinal, n
	}
}

func ordinalEnding(s string) bool {
	switch s {
	case "st", "nd", "rd", "th", "ST", "ND", "RD", "TH", "er", "e", "de", "ste":
		return true
	}
	return false
}

// wordRune reports whether a rune beyond ASCII belongs to a word.
func wordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || r >= 0x300 && r <= 0x36f
}

// beyondASCII reads a word that may hold, or be ended by, a rune beyond ASCII.
// Letters with diacritics fold to their base letter, so a decomposed accent is
// passed over.
func (s *scanner) beyondASCII(t *token) {
	var buf [maxWord + 4]byte
	word, i := buf[:0], s.pos
	for i < len(s.text) {
		c := s.text[i]
		if c < utf8.RuneSelf {
			if folded[c] == 0 {
				break
			}
			word = appendShort(word, folded[c])
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s.text[i:])
		if !wordRune(r) {
			break
		}
		if ideographic(r) {
			if i == s.pos {
				s.ideographs(t)
				return
			}
			break
		}
		t.accented = true
		if a, b := baseLetter(r); a != 0 {
			word = appendShort(word, a)
			if b != 0 {
				word = appendShort(word, b)
			}
		} else if r < 0x300 || r > 0x36f {
			word = appendShort(word, '?')
		}
		i += size
	}
	t.end, s.pos = i, i
	if c := s.text[t.start]; c >= '0' && c <= '9' && !t.accented {
		t.number(s.text[t.start:i])
		return
	}
	hash := uint32(hashStart)
	for _, c := range word {
		hash = (hash ^ uint32(c)) * hashPrime
	}
	if e := s.lex.find(hash, string(word)); e != nil {
		t.entry, t.kind, t.value = e, e.kind, int(e.value)
	}
}

// appendShort appends unless the word is too long to be in the lexicon anyway.
func appendShort(word []byte, c byte) []byte {
	if len(word) <= maxWord {
		return append(word, c)
	}
	return word
}

// baseLetter folds a Latin letter with diacritics to one or two letters of
// ASCII; 0 for all others.
func baseLetter(r rune) (a, b byte) {
	switch r {
	case 'ß':
		return 's', 's'
	case 'œ', 'Œ':
		return 'o', 'e'
	case 'æ', 'Æ':
		return 'a', 'e'
	case 'ı', 'İ':
		return 'i', 0
	case 'ÿ', 'Ÿ':
		return 'y', 0
	}
	const base = "aaaaaa?ceeeeiiii?nooooo?ouuuuy??"
	if r >= 'À' && r <= 'þ' {
		if c := base[(r-'À')&31]; c != '?' {
			return c, 0
		}
	}
	return 0, 0
}
