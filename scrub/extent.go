// Where a value ends.

package scrub

import (
	"strings"
	"unicode/utf8"
)

// wallSets are the characters at which a value without quotes ends: in a line of
// a file or of speech, and among others in an expression, an address or a list.
var wallSets = [...]asciiSet{
	chars(" \t\n\v\f\r\x1b\"'`<>\\"),
	chars(" \t\n\v\f\r\x1b\"'`<>\\&;,(){}|"),
}

// quotes are the quotation marks that enclose values, and what closes them.
var quotes = [...]struct{ open, close string }{
	{`"`, `"`}, {"'", "'"}, {"`", "`"}, {`\"`, `\"`}, {`\\\"`, `\\\"`}, {`\'`, `\'`},
	{"&quot;", "&quot;"}, {"&#34;", "&#34;"}, {"&#39;", "&#39;"}, {"&apos;", "&apos;"}, {"[[", "]]"},
	{"“", "”"}, {"„", "“"}, {"«", "»"}, {"‘", "’"}, {"‹", "›"}, {"「", "」"},
}

// value returns the extent of the value behind a link, without its quotes.
func (s *scan) value(l link) (v span, quoted bool) {
	pos := l.value
	text := s.after(pos, maxValue)
	if l.element {
		n := elementEnd(text)
		if n < 0 {
			return v, false
		}
		return span{pos, pos + n}, true
	}
	if len(text) > 1 && strings.IndexByte("bBrRuUfLN@", text[0]) >= 0 && (text[1] == '"' || text[1] == '\'') {
		pos, text = pos+1, text[1:]
	}
	for _, q := range quotes {
		if text == "" || text[0] != q.open[0] || !strings.HasPrefix(text, q.open) {
			continue
		}
		inner := text[len(q.open):]
		if n := closing(inner, q.open, q.close); n >= 0 {
			return span{pos + len(q.open), pos + len(q.open) + n}, true
		}
		pos += len(q.open)
		l.line = false
		break
	}
	return s.bare(pos, l), false
}

// elementEnd returns where the content of an XML element ends on its line, -1
// when something else follows. Its brackets may be escaped, as encoders do.
func elementEnd(text string) int {
	n := strings.IndexAny(text, "<\n\\&")
	if n < 0 {
		return -1
	}
	for _, end := range [...]string{"</", `\u003c/`, `\u003C/`, "&lt;/"} {
		if strings.HasPrefix(text[n:], end) {
			return n
		}
	}
	if text[n] == '&' {
		if next := elementEnd(text[n+1 : min(len(text), n+maxLink)]); next >= 0 {
			return n + 1 + next
		}
	}
	return -1
}

// closing returns where a quoted value ends on its line, or -1.
func closing(text, open, quote string) int {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\n' || text[i] == '\r':
			return -1
		case strings.HasPrefix(text[i:], quote):
			return i
		case open != quote && strings.HasPrefix(text[i:], open):
			return -1
		case text[i] == '\\':
			i++
		}
	}
	return -1
}

// bare returns the extent of a value without quotes.
func (s *scan) bare(pos int, l link) span {
	wall := 1
	if l.line {
		wall = 0
	}
	end := s.wall(wall, pos)
	if end-pos > maxBare {
		return span{pos, pos}
	}
	text := s.text[pos:end]
	text = text[:asciiStart(text)]
	text = text[:escapedEnd(text, s.before(pos, 3) == "%3D")]
	if l.line {
		text = text[:assignmentBehind(text)]
	}
	text = strings.TrimRight(text, ",;.:?)]}|*")
	if strings.HasPrefix(text, "(") || strings.HasPrefix(text, "[") && !strings.HasPrefix(text, "[[") && strings.HasPrefix(s.after(pos+len(text), 1), "]") {
		pos, text = pos+1, text[1:]
	}
	return span{pos, pos + len(text)}
}

// escapedEnd returns where a value ends that a sign follows which HTML escapes, or
// with encoded, one that addresses escape.
func escapedEnd(text string, encoded bool) int {
	for i := range len(text) {
		if text[i] == '&' && (entity(text[i:]) > 0 || strings.HasPrefix(text[i:], "&lt;") || strings.HasPrefix(text[i:], "&gt;")) && i > 0 {
			return i
		}
		if encoded && text[i] == '%' && (strings.HasPrefix(text[i:], "%26") || strings.HasPrefix(text[i:], "%22")) {
			return i
		}
	}
	return len(text)
}

// assignmentBehind returns where a value ends that another assignment follows
// without a blank: a=1;b=2.
func assignmentBehind(text string) int {
	for i := range len(text) {
		if c := text[i]; c != ';' && c != '&' && c != ',' {
			continue
		}
		n := i + 1
		for n < len(text) && n < i+40 && (isNameByte(text[n]) || text[n] == '.') {
			n++
		}
		if n > i+1 && n < len(text) && (text[n] == '=' || text[n] == ':') {
			return i
		}
	}
	return len(text)
}

// wall returns where the value at pos meets a character of a wall set. Each
// value is measured once, however many names lead to it.
func (s *scan) wall(k, pos int) int {
	r := &s.walls[k]
	if r.start < 0 || pos < r.start || pos > r.end {
		*r, s.dirty = run{start: pos, end: pos}, true
		for r.end < len(s.text) && !wallSets[k].has(s.text[r.end]) {
			r.end++
		}
		s.work += r.end - pos + 1
	}
	return min(r.end, s.limit(pos))
}

// asciiStart returns where a value that begins in ASCII goes over into a script
// without blanks, or its punctuation.
func asciiStart(text string) int {
	if text == "" || text[0] >= utf8.RuneSelf {
		return len(text)
	}
	for i, r := range text {
		if r >= 0x3000 && (!joins(r) || r == 'ー') || r >= utf8.RuneSelf && isWord(r) && !joins(r) {
			return i
		}
	}
	return len(text)
}
