// The slow path of Text: one word, or one run of a script without spaces, is
// normalised and folded character by character and becomes tokens.

package analyzer

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// token is a term with the modes it belongs to.
type token struct {
	term string
	kind tokenKind
}

// tokenKind is a set of flags.
type tokenKind uint8

const (
	inDoc   tokenKind = 1 << iota // part of a document
	inQuery                       // part of a query
	stopped                       // a stop word
)

// wanted reports whether a mode takes the token.
func (k token) wanted(m mode) bool {
	switch m {
	case modeDoc:
		return k.kind&inDoc != 0
	case modeQuery:
		return k.kind&inQuery != 0 && k.kind&stopped == 0
	}
	return k.kind&inQuery != 0
}

const (
	// flushTokens is how many tokens are collected before they are handed on:
	// it bounds the memory of one endless word.
	flushTokens = 256
	// maxMarks is how many marks one character of a dense script may carry;
	// more begin a new unit.
	maxMarks = 16
)

// builder turns words into tokens. It is used by one goroutine at a time and
// then reused.
type builder struct {
	text  *Text
	out   func([]token)
	toks  []token
	iter  norm.Iter
	fold  []byte
	stemB []byte

	word  longWord  // the word of letters and digits under way
	shape wordShape // where it may be split

	unit  []byte // the character of a dense script under way, with its marks
	prev  []byte // the one before it in the same run
	marks int    // marks in unit
	units int    // units of the run so far, unit not counted
	pair  []byte // scratch
}

// run analyses a word and hands its tokens to out, in order and in pieces.
func (b *builder) run(word string, out func([]token)) {
	b.out = out
	word, sign := cutSign(word)
	base, not := cutContraction(word)
	if norm.NFKC.IsNormalString(base) {
		b.feedString(base)
	} else {
		b.feedNormalized(base)
	}
	b.endWord(sign)
	b.endRun()
	if not {
		b.emit("not", inDoc|inQuery|b.stopKind([]byte("not")))
	}
	b.flush()
	b.out = nil
}

// cutSign splits "c++" and "f#" into the word and its sign.
func cutSign(word string) (base, sign string) {
	switch {
	case strings.HasSuffix(word, "++"):
		return word[:len(word)-2], "++"
	case strings.HasSuffix(word, "#"):
		return word[:len(word)-1], "#"
	}
	return word, ""
}

func (b *builder) feedString(s string) {
	for _, r := range s {
		b.feed(r)
	}
}

func (b *builder) feedNormalized(s string) {
	for b.iter.InitString(norm.NFKC, s); !b.iter.Done(); {
		for piece := b.iter.Next(); len(piece) > 0; {
			r, size := utf8.DecodeRune(piece)
			b.feed(r)
			piece = piece[size:]
		}
	}
}

// feed takes the next character of the word, in NFKC.
func (b *builder) feed(r rune) {
	c := b.text.classes.of(r)
	if c == mark && len(b.unit) > 0 && b.marks < maxMarks {
		b.unit = utf8.AppendRune(b.unit, r)
		b.marks++
		return
	}
	switch c {
	case ignored:
	case dense:
		b.endWord("")
		b.endUnit()
		b.unit, b.marks = utf8.AppendRune(b.unit[:0], r), 0
	case mark:
		if len(b.unit) == 0 {
			b.feedLetter(r, c)
			return
		}
		b.endUnit()
		b.unit, b.marks = utf8.AppendRune(b.unit[:0], r), 1
	case letter, digit, compat:
		b.endRun()
		b.feedLetter(r, c)
	case separator:
		if r == '"' || r == 0x05F4 { // inside a Hebrew acronym, see gershayim
			return
		}
		b.endWord("")
		b.endRun()
	default:
		b.endWord("")
		b.endRun()
	}
}

// feedLetter adds a letter or digit to the word under way.
func (b *builder) feedLetter(r rune, c class) {
	b.shape.next(len(b.word.buf), r, c)
	b.fold = foldRune(b.text.classes, b.fold[:0], r)
	b.word.write(b.fold)
}

// endWord emits the word under way. A sign ("++") adds the word with it.
func (b *builder) endWord(sign string) {
	if len(b.word.buf) > 0 {
		b.emitWord()
		if sign != "" && !b.word.long {
			b.emit(string(b.word.buf)+sign, inDoc|inQuery)
		}
	}
	b.word.reset()
	b.shape.reset()
}

// emitWord emits the whole word and then its parts.
func (b *builder) emitWord() {
	w := b.word.buf
	if b.word.long {
		b.emit(string(b.word.term()), inDoc|inQuery)
		return
	}
	b.emitPart(w, inDoc|inQuery)
	if at := b.shape.digitSplit(); at > 0 {
		b.emitHalf(0, at)
		b.emitHalf(at, len(w))
		return
	}
	b.emitCamel(0, len(w))
}

// emitHalf emits the letters or the digits of a word such as covid19.
func (b *builder) emitHalf(from, to int) {
	b.emitPart(b.word.buf[from:to], inDoc|inQuery)
	b.emitCamel(from, to)
}

// emitCamel emits, for documents only, the camelCase parts of w[from:to] when
// there is more than one. Queries keep the whole: "GitHub" and "github" must
// ask the same.
func (b *builder) emitCamel(from, to int) {
	start := from
	for _, at := range b.shape.camelSplits() {
		if at > from && at < to {
			b.emitPart(b.word.buf[start:at], inDoc)
			start = at
		}
	}
	if start > from {
		b.emitPart(b.word.buf[start:to], inDoc)
	}
}

// emitPart emits a word or a part of one, stemmed.
func (b *builder) emitPart(w []byte, kind tokenKind) {
	kind |= b.stopKind(w)
	if b.text.stem && onlyLetters(w) {
		if base, ok := b.text.irregular[string(w)]; ok {
			b.stemB = append(b.stemB[:0], base...)
		} else {
			b.stemB = append(b.stemB[:0], w...)
		}
		b.stemB = stemEnglish(b.stemB)
		w = b.stemB
	}
	b.emit(string(w), kind)
}

func (b *builder) stopKind(w []byte) tokenKind {
	if b.text.stop[string(w)] {
		return stopped
	}
	return 0
}

// onlyLetters reports a word of the letters a to z.
func onlyLetters(w []byte) bool {
	for _, c := range w {
		if c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

// endUnit completes a character of a dense script: documents get it alone and
// paired with the one before, queries the pair only.
func (b *builder) endUnit() {
	if len(b.unit) == 0 {
		return
	}
	if b.units > 0 {
		b.pair = append(append(b.pair[:0], b.prev...), b.unit...)
		b.emit(b.text.intern.intern(b.pair), inDoc|inQuery)
	}
	b.emit(b.text.intern.intern(b.unit), inDoc) // endRun adds inQuery to a lone one
	b.units++
	b.prev, b.unit = b.unit, b.prev[:0]
}

// endRun ends a run of dense characters. A run of one is a query term itself.
func (b *builder) endRun() {
	b.endUnit()
	if b.units == 1 {
		b.toks[len(b.toks)-1].kind |= inQuery
	}
	b.units = 0
}

// emit adds a token.
func (b *builder) emit(term string, kind tokenKind) {
	if len(b.toks) >= flushTokens {
		b.flush()
	}
	b.toks = append(b.toks, token{term, kind})
}

// flush hands the tokens on.
func (b *builder) flush() {
	b.out(b.toks)
	clear(b.toks)
	b.toks = b.toks[:0]
}

// maxSplits is how many borders inside a word are still taken for words
// rather than for a random string.
const maxSplits = 6

// wordShape records the borders inside a word between letters and digits, and
// between lower and upper case.
type wordShape struct {
	camel     [maxSplits]int
	camels    int // may exceed maxSplits: then there are too many
	digits    int // borders between letters and digits
	digitAt   int
	lastUpper bool
	lastLower bool
	lastDigit bool
	lastAt    int
	candidate int // start of an upper-case letter after another, or -1
	started   bool
}

func (s *wordShape) reset() { *s = wordShape{candidate: -1} }

// next records the character r of class c that begins at byte at.
func (s *wordShape) next(at int, r rune, c class) {
	isDigit := c == digit
	if c == mark {
		return
	}
	if s.started && isDigit != s.lastDigit {
		s.digits++
		s.digitAt = at
	}
	upper, lower := unicode.IsUpper(r), unicode.IsLower(r)
	switch {
	case s.lastLower && upper:
		s.addCamel(at)
	case s.candidate > 0 && lower && r != 's':
		s.addCamel(s.candidate)
	}
	s.candidate = -1
	if s.lastUpper && upper {
		s.candidate = at
	}
	s.lastUpper, s.lastLower, s.lastDigit, s.started = upper, lower, isDigit, true
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
