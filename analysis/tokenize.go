// This file decides what a token is: which characters make one, where it ends,
// and which ones are dropped as stop words.

package analysis

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// TokenConfig says which words don't count. The zero value takes the built-in
// list of English words.
type TokenConfig struct {
	// ExtraStopWords are dropped too. They are read like text: case and
	// punctuation play no part, and of several words in one string each counts.
	ExtraStopWords []string
	// CustomOnly leaves the built-in list out.
	CustomOnly bool
}

// Tokenizer cuts text into tokens. It is made by NewTokenizer and safe for
// concurrent use.
type Tokenizer struct {
	stop         map[string]bool
	contractions map[string]bool // dropped only when written with an apostrophe
}

// NewTokenizer returns the Tokenizer of a configuration, which it doesn't keep.
func NewTokenizer(cfg TokenConfig) *Tokenizer {
	t := &Tokenizer{stop: map[string]bool{}, contractions: map[string]bool{}}
	extra := t.Tokens(strings.Join(cfg.ExtraStopWords, "\n")) // while nothing is dropped yet
	if !cfg.CustomOnly {
		for _, list := range stopWordLists() {
			for word := range strings.FieldsSeq(list) {
				t.stop[word] = true
			}
		}
		for word := range strings.FieldsSeq(contractionsWithOtherMeaning) {
			t.contractions[word] = true
		}
	}
	for _, word := range extra {
		t.stop[word] = true
	}
	return t
}

// Tokens returns the tokens of text in order, in lower case, without stop words.
//
// White space separates tokens, and so do control characters, em dashes and
// ellipses (—, ―, …). Of what stands between, letters, marks and digits of all
// scripts stay and everything else is dropped without a gap: "fix-it" gives
// "fixit", "v0.3.1" gives "v031", "don't" gives "dont" with whichever
// apostrophe. Text is brought to Unicode's form C, so composed and decomposed
// accents are the same; accents stay.
//
// Scripts written without spaces (Han, Kana, Thai, Lao, Khmer, Burmese) give
// overlapping pairs of characters, a character being a letter with its marks:
// "会議室" gives "会議" and "議室". A character that stands alone is one token.
//
// Time is linear in len(text). The tokens share one string.
func (t *Tokenizer) Tokens(text string) []string {
	var w words
	t.scan(text, &w)
	return w.tokens()
}

// IsStopWord reports whether Tokens drops a word wholly. Case and apostrophes
// count as they do there: "she'll" is a stop word, "shell" isn't. What has no
// letter or digit at all is no stop word.
func (t *Tokenizer) IsStopWord(word string) bool {
	unfiltered := Tokenizer{}
	return len(unfiltered.Tokens(word)) > 0 && len(t.Tokens(word)) == 0
}

// drops reports whether a token is a stop word.
func (t *Tokenizer) drops(token []byte, apostrophe bool) bool {
	return t.stop[string(token)] || apostrophe && t.contractions[string(token)]
}

// scan adds the tokens of text to w.
func (t *Tokenizer) scan(text string, w *words) {
	if !norm.NFC.IsNormalString(text) {
		text = norm.NFC.String(text)
	}
	s := scanner{t: t, w: w, token: w.scratch[:0], units: w.units[:0]}
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			s.ascii(c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if r != utf8.RuneError {
			s.other(r)
		}
		i += size
	}
	s.end()
	w.scratch, w.units = s.token[:0], s.units[:0]
}

// scanner is a text on its way into tokens. What was read and isn't a whole
// token yet is in token: a word, or, when units isn't empty, characters of a
// script without spaces.
type scanner struct {
	t          *Tokenizer
	w          *words
	token      []byte
	apostrophe bool  // the word had one
	units      []int // where each character begins in token
}

// ascii takes the next character, which is in ASCII.
func (s *scanner) ascii(c byte) {
	switch {
	case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
	case 'A' <= c && c <= 'Z':
		c += 'a' - 'A'
	case c <= ' ' || c == 0x7F:
		s.end()
		return
	default:
		s.apostrophe = s.apostrophe || c == '\''
		s.endRun()
		return
	}
	s.endRun()
	s.token = append(s.token, c)
}

// other takes the next character, which isn't in ASCII.
func (s *scanner) other(r rune) {
	switch {
	case isApostrophe(r):
		s.apostrophe = true
		s.endRun()
	case isUnspaced(r):
		if len(s.units) == 0 {
			s.end()
		}
		s.units = append(s.units, len(s.token))
		s.token = utf8.AppendRune(s.token, r)
	case unicode.IsLetter(r) || unicode.IsNumber(r):
		s.endRun()
		s.token = utf8.AppendRune(s.token, unicode.ToLower(r))
	case unicode.IsMark(r):
		if len(s.token) > 0 && !isVariationSelector(r) {
			s.token = utf8.AppendRune(s.token, r)
		}
	case isSeparator(r):
		s.end()
	default:
		s.endRun()
	}
}

// endRun ends a run of a script without spaces, which anything else ends.
func (s *scanner) endRun() {
	if len(s.units) > 0 {
		s.end()
	}
}

// end hands the tokens over that are complete now.
func (s *scanner) end() {
	switch n := len(s.units); {
	case n > 1:
		s.units = append(s.units, len(s.token))
		for i := range n - 1 {
			s.add(s.token[s.units[i]:s.units[i+2]])
		}
	case len(s.token) > 0:
		s.add(s.token)
	}
	s.token, s.units, s.apostrophe = s.token[:0], s.units[:0], false
}

func (s *scanner) add(token []byte) {
	if !s.t.drops(token, s.apostrophe) {
		s.w.add(token)
	}
}

// isUnspaced reports whether r is a letter of a script that is written without
// spaces between words.
func isUnspaced(r rune) bool {
	switch {
	case r < 0x0E00: // Thai is the first of them
		return false
	case 0x4E00 <= r && r <= 0x9FFF, 0x3041 <= r && r <= 0x3096, 0x30A1 <= r && r <= 0x30FA:
		return true
	case r == 'ー' || r == 'ｰ' || r == 'ﾞ' || r == 'ﾟ' || r == '〆': // used with Kana, assigned to no script
		return true
	case 0xAC00 <= r && r <= 0xD7A3: // Hangul has spaces
		return false
	}
	return (unicode.IsLetter(r) || r == '〇') &&
		unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// isApostrophe reports whether r is used for an apostrophe: quotation marks,
// accents without a letter, primes, and the modifier letter.
func isApostrophe(r rune) bool {
	switch r {
	case '’', '‘', '‛', '´', '′', '＇', 'ʼ', 'ʹ', 'ꞌ', '՚':
		return true
	}
	return false
}

// isSeparator reports whether r stands between words though words may touch it.
func isSeparator(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || r == '—' || r == '―' || r == '…' || r == '\u200B'
}

// isVariationSelector reports whether r only chooses the shape of what stands
// before it, of an emoji mostly.
func isVariationSelector(r rune) bool {
	return 0xFE00 <= r && r <= 0xFE0F || 0xE0100 <= r && r <= 0xE01EF
}
