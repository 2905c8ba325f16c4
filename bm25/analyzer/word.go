// The slow path of Text: one word, or one run of a script without spaces, is
// normalised and folded character by character and becomes tokens.

package analyzer

import (
	"strings"
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
	text *Text
	toks []token

	// A streaming builder hands its tokens on to dst as they become many.
	streaming bool
	mode      mode
	dst       []string

	raw   string    // the whole word, to be shared with a term equal to it
	word  longWord  // the word of letters and digits under way
	shape wordShape // where it may be split

	unit  []byte // the character of a dense script under way, with its marks
	prev  []byte // the one before it in the same run
	marks int    // marks in unit
	units int    // units of the run so far, unit not counted

	iter norm.Iter
	fold []byte // scratch: a folded character
	stem []byte // scratch: a stem
	pair []byte // scratch: two units
}

// reset makes b fit for another word.
func (b *builder) reset() {
	b.toks = b.toks[:0]
	b.dst, b.streaming, b.raw = nil, false, ""
}

// run analyses a word and leaves its tokens in toks.
func (b *builder) run(word string) {
	word, sign := cutSign(word)
	base, not := cutContraction(word)
	switch {
	case isASCII(base):
		b.feedASCII(base)
	case norm.NFKC.QuickSpanString(base) == len(base):
		for _, r := range base {
			b.feed(r)
		}
	default:
		b.feedNormalized(base)
	}
	b.endWord(sign)
	b.endRun()
	if not {
		b.emit("not", inDoc|inQuery|b.stopKind([]byte("not")))
	}
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// feedASCII is feed for a word of ASCII characters only.
func (b *builder) feedASCII(s string) {
	for i := range len(s) {
		c := s[i]
		if !asciiWord(c) {
			b.endWord("")
			continue
		}
		b.shape.next(len(b.word.buf), asciiKind(c))
		b.word.writeByte(lowerASCII(c))
	}
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

// feedNormalized feeds the NFKC form of s.
func (b *builder) feedNormalized(s string) {
	for b.iter.InitString(norm.NFKC, s); !b.iter.Done(); {
		for piece := b.iter.Next(); len(piece) > 0; {
			r, size := utf8.DecodeRune(piece)
			b.feed(r)
			piece = piece[size:]
		}
	}
	b.iter.InitString(norm.NFKC, "") // or a reused builder would keep the text alive
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
		b.beginUnit(r, 0)
	case mark:
		if len(b.unit) > 0 {
			b.beginUnit(r, 1)
			return
		}
		b.feedLetter(r, otherKind)
	case digit:
		b.endRun()
		b.feedLetter(r, digitKind)
	case letter, compat:
		b.endRun()
		b.feedLetter(r, letterKind(r))
	default:
		if gershayimSign(r) { // inside a Hebrew acronym
			return
		}
		b.endWord("")
		b.endRun()
	}
}

// feedLetter adds a letter or digit to the word under way.
func (b *builder) feedLetter(r rune, k charKind) {
	b.shape.next(len(b.word.buf), k)
	b.fold = foldRune(b.text.classes, b.fold[:0], r)
	b.word.write(b.fold)
}

// endWord emits the word under way. A sign ("++") adds the word with it.
func (b *builder) endWord(sign string) {
	if len(b.word.buf) > 0 {
		b.emitWord()
		if sign != "" && !b.word.long && len(b.word.buf)+len(sign) <= MaxTermBytes {
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
	if b.text.stems && onlyLetters(w) {
		w = b.stemmed(w)
	}
	if string(w) == b.raw {
		b.emit(b.raw, kind)
		return
	}
	b.emit(string(w), kind)
}

// stemmed returns the stem of the base form of w, valid until the next call.
func (b *builder) stemmed(w []byte) []byte {
	if base, ok := b.text.irregular[string(w)]; ok {
		b.stem = append(b.stem[:0], base...)
	} else {
		b.stem = append(b.stem[:0], w...)
	}
	b.stem = stemEnglish(b.stem)
	return b.stem
}

// stopKind marks stop words, also the irregular forms whose base form is one
// ("done" means "do" to the index).
func (b *builder) stopKind(w []byte) tokenKind {
	if b.text.stop[string(w)] {
		return stopped
	}
	if base, ok := b.text.irregular[string(w)]; ok && b.text.stop[base] {
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

// beginUnit starts the next character of a dense run.
func (b *builder) beginUnit(r rune, marks int) {
	b.endUnit()
	b.unit, b.marks = utf8.AppendRune(b.unit[:0], r), marks
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
	if b.streaming && len(b.toks) >= flushTokens {
		b.flush()
	}
	b.toks = append(b.toks, token{term, kind})
}

// flush hands the tokens on to dst.
func (b *builder) flush() {
	for _, k := range b.toks {
		if k.wanted(b.mode) {
			b.dst = append(b.dst, k.term)
		}
	}
	b.toks = b.toks[:0]
}
