// Where in a text objects with a summary and facts begin and end.

package openai

import (
	"cmp"
	"slices"
	"strings"
)

const (
	// maxDepth is how deep brackets may nest. A memory needs three levels; the rest
	// is for what a model puts around it.
	maxDepth = 16
	// maxLooks is how often, on average, a byte may be looked at. Text that isn't
	// made to be slow needs two looks at most.
	maxLooks = 16
)

// unfinished is a document that breaks off.
type unfinished struct {
	start, end int  // of what is whole
	open       bool // the array of facts isn't closed
	lost       bool // nor is a fact that was begun
}

// whole returns what is whole of the document in text, with its brackets closed.
func (u *unfinished) whole(text string) string {
	if u.open {
		return text[u.start:u.end] + "]}"
	}
	return text[u.start:u.end] + "}"
}

// search looks for documents: objects with a string "summary" and an array
// "facts". Every "{" in the text is tried as a beginning, but for those that an
// earlier try has passed as brackets, since they would end, or fail, in the same
// place again. A try may take what is prose for strings; the brackets in these
// are tried afterwards.
type search struct {
	text       string
	documents  []span // by ascending end
	unfinished *unfinished

	pos    int
	ended  bool     // the try failed because the text ends
	passed []uint64 // bit i: the bracket at i was tried
	looks  int      // bytes passed by all tries
}

func newSearch(text string) *search {
	return &search{text: text, passed: make([]uint64, len(text)/64+1)}
}

// run searches the whole text and reports whether it got through; a text that is
// made to be slow isn't followed further than maxLooks allows.
func (s *search) run() bool {
	next := 0
	for {
		found := strings.IndexByte(s.text[next:], '{')
		if found < 0 {
			break
		}
		start := next + found
		next = start + 1
		if s.passed[start/64]>>(start%64)&1 == 1 {
			continue
		}
		s.pos, s.ended = start, false
		if s.object(0) {
			next = s.pos
		}
		if s.looks += s.pos - start; s.looks > maxLooks*len(s.text) {
			return false
		}
	}
	slices.SortFunc(s.documents, func(a, b span) int { return cmp.Compare(a.end, b.end) })
	return true
}

// level is an object as far as it was read.
type level struct {
	start   int
	inner   int // documents that were known at its beginning
	summary bool
	facts   bool // the value is an array, which whole says how much there is of
	whole   int  // where what can be kept ends
	closed  bool // so does the array
}

// object passes an object.
func (s *search) object(depth int) bool {
	at := level{start: s.pos, inner: len(s.documents)}
	s.passed[s.pos/64] |= 1 << (s.pos % 64)
	s.pos++
	for depth < maxDepth {
		s.blanks()
		switch s.byte() {
		case '}':
			s.pos++
			if at.summary && at.facts {
				s.documents = append(s.documents[:at.inner], span{at.start, s.pos})
			}
			return true
		case '"':
		default:
			return s.fail(&at)
		}
		if !s.member(&at, depth) {
			return s.fail(&at)
		}
		s.blanks()
		switch s.byte() {
		case ',':
			s.pos++
		case '}':
		default:
			return s.fail(&at)
		}
	}
	return false
}

// member passes a key and its value.
func (s *search) member(at *level, depth int) bool {
	start := s.pos
	if !s.string() {
		return false
	}
	key := s.text[start+1 : s.pos-1]
	s.blanks()
	if s.byte() != ':' {
		return false
	}
	s.pos++
	s.blanks()
	first := s.byte()
	switch key {
	case "summary":
		ok := s.value(depth + 1)
		at.summary = ok && first == '"'
		return ok
	case "facts":
		if at.facts, at.closed = first == '[', false; at.facts {
			at.whole = s.pos + 1
			ok := s.array(depth+1, &at.whole)
			if at.closed = ok; ok {
				at.whole = s.pos
			}
			return ok
		}
	}
	return s.value(depth + 1)
}

// value passes a value of any type.
func (s *search) value(depth int) bool {
	switch s.byte() {
	case '{':
		return s.object(depth)
	case '[':
		return s.array(depth, new(int))
	case '"':
		return s.string()
	}
	start := s.pos
	for s.pos < len(s.text) && isLiteral(s.text[s.pos]) {
		s.pos++
	}
	return s.pos > start || s.fail(nil)
}

// isLiteral reports whether a byte may be in a number, true, false or null.
func isLiteral(b byte) bool {
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '-' || b == '+' || b == '.'
}

// array passes an array and notes where each whole element ends.
func (s *search) array(depth int, whole *int) bool {
	s.pos++
	for depth < maxDepth {
		s.blanks()
		if s.byte() == ']' {
			s.pos++
			return true
		}
		if !s.value(depth + 1) {
			return false
		}
		end := s.pos
		s.blanks()
		switch s.byte() {
		case ',':
			s.pos++
		case ']':
		default:
			// A literal at the end may be the beginning of a longer one.
			if s.fail(nil); isBracketOrQuote(s.text[end-1]) && s.ended {
				*whole = end
			}
			return false
		}
		*whole = end
	}
	return false
}

func isBracketOrQuote(b byte) bool { return b == '}' || b == ']' || b == '"' }

// string passes a string. Line breaks and tabs may be in it.
func (s *search) string() bool {
	for s.pos++; s.pos < len(s.text); s.pos++ {
		switch b := s.text[s.pos]; {
		case b == '"':
			s.pos++
			return true
		case b == '\\':
			s.pos++
		case b < ' ' && b != '\n' && b != '\r' && b != '\t':
			return false
		}
	}
	s.pos = len(s.text)
	s.ended = true
	return false
}

// blanks passes blanks and comments.
func (s *search) blanks() {
	for s.pos < len(s.text) {
		rest := s.text[s.pos:]
		switch {
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			s.pos++
		case strings.HasPrefix(rest, "//"), strings.HasPrefix(rest, "/*"):
			s.pos += commentLength(rest)
		default:
			return
		}
	}
}

// commentLength returns the length of the comment that text begins with. One
// without an end goes on to the end.
func commentLength(text string) int {
	closing := "\n"
	if text[1] == '*' {
		closing = "*/"
	}
	if end := strings.Index(text[2:], closing); end >= 0 {
		return 2 + end + len(closing)
	}
	return len(text)
}

// byte returns the byte at pos, 0 at the end.
func (s *search) byte() byte {
	if s.pos < len(s.text) {
		return s.text[s.pos]
	}
	return 0
}

// fail gives up a try. If that is because the text ends, or a fence around it
// does, and at is a document as far as it goes, that is noted; an enclosing
// document replaces it.
func (s *search) fail(at *level) bool {
	rest := s.text[s.pos:]
	s.ended = s.ended || rest == "" || strings.HasPrefix(rest, "```") || strings.HasPrefix(rest, "~~~")
	if at == nil || !s.ended || !at.summary || !at.facts {
		return false
	}
	if s.unfinished != nil && s.unfinished.start < at.start {
		return false
	}
	u := &unfinished{start: at.start, end: at.whole, open: !at.closed}
	u.lost = u.open && strings.Trim(s.text[u.end:s.pos], ", \t\r\n") != ""
	s.unfinished = u
	return false
}

// mend makes JSON of a document that search has passed, or the whole part of one:
// it leaves out comments and commas before closing brackets, and escapes line
// breaks and tabs in strings.
func mend(document string) string {
	var b strings.Builder
	s := search{text: document}
	comma := false // one was read but not written
	for s.blanks(); s.pos < len(document); s.blanks() {
		c := document[s.pos]
		if comma && c != '}' && c != ']' {
			b.WriteByte(',')
		}
		comma = c == ','
		start := s.pos
		if c == '"' {
			s.string()
			mendString(&b, document[start:s.pos])
			continue
		}
		for s.pos++; isLiteral(c) && s.pos < len(document) && isLiteral(document[s.pos]); s.pos++ {
		}
		if !comma {
			b.WriteString(document[start:s.pos])
		}
	}
	return b.String()
}

func mendString(b *strings.Builder, text string) {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\n':
			b.WriteString(`\n`)
		case '\r':
			b.WriteString(`\r`)
		case '\t':
			b.WriteString(`\t`)
		case '\\':
			if i++; i < len(text) && text[i] != '\'' {
				b.WriteByte('\\')
			}
			if i < len(text) {
				b.WriteByte(text[i])
			}
		default:
			b.WriteByte(text[i])
		}
	}
}
