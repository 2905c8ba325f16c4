// Text, the default analyzer: options, name, and how a text's words reach the
// cache or the slow path.

package analyzer

import (
	"cmp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// textVersion is raised whenever a rule of Text changes the terms of any text.
const textVersion = "text/1"

// Options configures [NewText]. The zero value is the default analysis.
type Options struct {
	// NoStem keeps English words as they are written: no stemming, no base
	// forms for irregular verbs and plurals.
	NoStem bool
	// NoStopWords keeps function words ("what", "did", "the") in queries.
	NoStopWords bool
	// CacheWords is about how many analysed words are kept for speed, 100
	// bytes each: 0 means 32,768. It doesn't change any result.
	CacheWords int
}

// Text is the analyzer for human language; the package comment lists its
// rules. It holds caches of bounded size (about 4 MB when full, see
// [Options.CacheWords]) and is best shared. Create it with [NewText].
type Text struct {
	name      string
	classes   *classTable
	stop      map[string]bool   // nil: none
	irregular map[string]string // nil: no stemming
	stems     bool
	cache     *wordCache
	intern    *internTable
	builders  sync.Pool // of *builder
}

// NewText returns the default analyzer for the given options.
func NewText(o Options) *Text {
	t := &Text{
		name:    textName(o),
		classes: classes(),
		cache:   newWordCache(cmp.Or(max(0, o.CacheWords), defaultCacheWords)),
		intern:  newInternTable(),
		stems:   !o.NoStem,
	}
	if !o.NoStopWords {
		t.stop = stopWords()
	}
	if !o.NoStem {
		t.irregular = irregularForms()
	}
	t.builders.New = func() any { return &builder{text: t} }
	return t
}

func textName(o Options) string {
	parts := []string{textVersion}
	if !o.NoStem {
		parts = append(parts, "stem=porter2+irregular/1")
	}
	if !o.NoStopWords {
		parts = append(parts, "stop=en/1")
	}
	parts = append(parts, "unicode="+unicode.Version, "norm="+norm.Version)
	return strings.Join(parts, " ")
}

// Name implements [Analyzer].
func (t *Text) Name() string { return t.name }

// Document implements [Analyzer].
func (t *Text) Document(dst []string, text string) []string {
	return t.append(dst, text, modeDoc)
}

// Query implements [Analyzer].
func (t *Text) Query(dst []string, text string) []string {
	before := len(dst)
	dst = t.append(dst, text, modeQuery)
	if len(dst) == before {
		dst = t.append(dst, text, modeAll)
	}
	return dst
}

// mode says which terms are wanted.
type mode uint8

const (
	modeDoc   mode = iota // those of a document
	modeQuery             // those of a query without stop words
	modeAll               // those of a query with stop words
)

// append adds the terms of text to dst, word by word.
func (t *Text) append(dst []string, text string, m mode) []string {
	for i := 0; i < len(text); {
		c := text[i]
		if c >= utf8.RuneSelf {
			dst, i = t.appendOther(dst, text, i, m)
			continue
		}
		if !asciiWord(c) {
			i++
			continue
		}
		start := i
		for i++; i < len(text) && asciiWord(text[i]); i++ {
		}
		if i < len(text) && mayExtend(text[i]) {
			dst, i = t.appendOther(dst, text, start, m)
			continue
		}
		dst = t.appendWord(dst, text[start:i], m)
	}
	return dst
}

// asciiWord reports the ASCII letters and digits.
func asciiWord(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// mayExtend reports the bytes after a run of ASCII letters and digits at which
// the word may go on.
func mayExtend(c byte) bool {
	return c >= utf8.RuneSelf || c == '\'' || c == '+' || c == '#'
}

// appendOther adds the terms of whatever begins at text[i], and returns the
// position after it.
func (t *Text) appendOther(dst []string, text string, i int, m mode) ([]string, int) {
	r, size := utf8.DecodeRuneInString(text[i:])
	if r == utf8.RuneError && size == 1 {
		n := invalidRun(text[i:])
		return append(dst, invalidTerm(text[i:i+n])), i + n
	}
	switch t.classes.of(r) {
	case separator, apostrophe:
		return dst, i + size
	case emoji:
		return append(dst, t.sign(text[i:i+size])), i + size
	case flag:
		if next, n := utf8.DecodeRuneInString(text[i+size:]); t.classes.of(next) == flag {
			size += n
		}
		return append(dst, t.sign(text[i:i+size])), i + size
	case compat:
		return t.appendWord(dst, text[i:i+size], m), i + size
	}
	end, hasDense := t.wordEnd(text, i)
	if hasDense {
		return t.appendLong(dst, text[i:end], m), end
	}
	return t.appendWord(dst, text[i:end], m), end
}

// sign returns the term of an emoji: a copy, since a term must not keep the
// whole text alive.
func (t *Text) sign(s string) string {
	var buf [2 * utf8.UTFMax]byte
	return t.intern.intern(append(buf[:0], s...))
}

// wordEnd returns where the word that begins at text[i] ends, and whether it
// holds letters of a dense script.
func (t *Text) wordEnd(text string, i int) (end int, hasDense bool) {
	var (
		prev  rune
		begun bool // a letter or digit has been seen
	)
	for end = i; end < len(text); {
		r, size := utf8.DecodeRuneInString(text[end:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		switch t.classes.of(r) {
		case dense:
			hasDense, begun = true, true
		case letter, digit, mark:
			begun = true
		case ignored:
		case apostrophe:
			if !begun || !t.joins(text[end+size:]) {
				return end, hasDense
			}
		default:
			if !gershayim(prev, r, text[end+size:]) {
				return end + t.signs(text[end:]), hasDense
			}
		}
		prev = r
		end += size
	}
	return end, hasDense
}

// joins reports whether rest begins with a character that an apostrophe joins.
func (t *Text) joins(rest string) bool {
	r, size := utf8.DecodeRuneInString(rest)
	if r == utf8.RuneError && size <= 1 {
		return false
	}
	switch t.classes.of(r) {
	case letter, digit, mark:
		return true
	}
	return false
}

// gershayim reports a quotation mark between two Hebrew letters: it belongs to
// an acronym (UAX #29, rules WB7b and WB7c).
func gershayim(prev, r rune, rest string) bool {
	if !gershayimSign(r) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(rest)
	return hebrewLetter(prev) && hebrewLetter(next)
}

func gershayimSign(r rune) bool { return r == '"' || r == 0x05F4 }

func hebrewLetter(r rune) bool { return r >= 0x05D0 && r <= 0x05EA }

// signs returns the length of "++" or "#" at the start of rest when it belongs
// to the word before it, as in C++ and F#.
func (t *Text) signs(rest string) int {
	n := 0
	switch {
	case strings.HasPrefix(rest, "++"):
		n = 2
	case strings.HasPrefix(rest, "#"):
		n = 1
	default:
		return 0
	}
	if n < len(rest) && (rest[n] == '+' || rest[n] == '#' || t.joins(rest[n:])) {
		return 0
	}
	return n
}

// appendWord adds the terms of a word without dense letters.
func (t *Text) appendWord(dst []string, word string, m mode) []string {
	if len(word) > cacheWord {
		return t.appendLong(dst, word, m)
	}
	e, set := t.cache.get(word)
	if e == nil {
		e = t.analyze(word)
		set.put(e)
	}
	if terms := e.terms(m); len(terms) != 1 {
		return append(dst, terms...)
	}
	return append(dst, e.terms(m)[0])
}

// analyze makes the cache entry of a word.
func (t *Text) analyze(word string) *entry {
	b := t.builders.Get().(*builder)
	word = strings.Clone(word)
	b.raw = word
	b.run(word)
	e := newEntry(word, b.toks)
	b.reset()
	t.builders.Put(b)
	return e
}

// appendLong adds the terms of a word too long or too varied to remember.
func (t *Text) appendLong(dst []string, word string, m mode) []string {
	b := t.builders.Get().(*builder)
	b.dst, b.mode, b.streaming = dst, m, true
	b.run(word)
	b.flush()
	dst = b.dst
	b.reset()
	t.builders.Put(b)
	return dst
}
