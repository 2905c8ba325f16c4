// Assignments: a name that promises a secret, a link, and a value, in whatever
// language, file or sentence they stand.

package scrub

import "strings"

const (
	maxName  = 64
	maxLink  = 200
	maxValue = 4 << 10
)

// assignment matches the values that names with one stem introduce.
type assignment struct {
	stems []*stem // by number of the anchor; nil: a word that stands alone
}

func (a *assignment) match(s *scan, at int, anchor string, number int) {
	st := a.stems[number]
	start, end := s.name(at, len(anchor))
	k := passwordKind
	if st != nil {
		text := s.text[start:end]
		if i := strings.IndexByte(anchor, ' '); i >= 0 { // "api key"
			k = tokenKind
			if !suffixed(s.text[at+len(anchor) : end]) {
				return
			}
		} else if k = st.kindOf(text, at-start); k == noKind {
			return
		}
	} else if start != at || end != at+len(anchor) {
		return
	}
	l := s.link(start, end)
	if l.value < 0 {
		return
	}
	v, quoted := s.value(l)
	s.work += v.end - v.start
	if v.end <= v.start || l.needsQuotes && !quoted {
		return
	}
	loose := l.list || l.loose && !quoted
	if text := s.text[v.start:v.end]; secretValue(k, text, quoted, loose) || st != nil && st.text == "auth" && userPassword(text) {
		s.hit(v.start, v.end)
	}
}

func isNameByte(c byte) bool { return isLetter(c) || isDecimal(c) || c == '_' || c == '-' }

// name returns the name around the n bytes at a stem.
func (s *scan) name(at, n int) (start, end int) {
	floor, limit := max(s.floor(at), at-maxName), min(s.limit(at), at+n+maxName)
	for start = at; start > floor && (isNameByte(s.text[start-1]) || s.text[start-1] == '.'); start-- {
		if escaped(s.before(start, 6)) {
			break
		}
	}
	for end = at + n; end < limit && isNameByte(s.text[end]); end++ {
	}
	s.work += end - start
	return start, end
}

// link is what stands between a name and its value.
type link struct {
	value       int  // where the value begins, -1: there is none
	loose       bool // the value may be anything: prose, tables
	list        bool // the value is an element of a list, behind the name
	needsQuotes bool // only a string counts: calls, comparisons, defaults
	element     bool // the value is the content of an XML element
	line        bool // the value may reach to the end of the line's word
}

// link reads what follows the name at start to end.
func (s *scan) link(start, end int) link {
	text := s.after(end, maxLink)
	i, closed := closers(text)
	blank := skipBlanks(text[i:])
	i += blank
	l := link{value: -1, line: s.beginsLine(start)}
	if i >= len(text) {
		return l
	}
	rest := text[i:]
	switch c := rest[0]; {
	case c == ':' || c == '=' || strings.HasPrefix(rest, "：") || strings.HasPrefix(rest, "＝"):
		n := separator(rest)
		if n < 0 {
			return l
		}
		l.needsQuotes = strings.HasPrefix(rest, "==")
		l.line = l.line || blank > 0 || n < len(rest) && rest[n] == ' '
		i += n
		i += hop(text[i:])
	case c == '>' && s.before(start, 1) == "<":
		l.element, i = true, i+1
	case c == ',' && closed || c == '(' || strings.HasPrefix(rest, "||") || strings.HasPrefix(rest, "??") || strings.HasPrefix(rest, "!=") || strings.HasPrefix(rest, "or "):
		l.needsQuotes = true
		i += 1 + strings.IndexAny(rest[1:]+" ", " \t\"'`")
		if c == ',' || c == '(' {
			i = len(text) - len(rest) + 1
		}
		l.list = c == ','
	case c == '|' || strings.HasPrefix(rest, "->") || strings.HasPrefix(rest, "- ") || strings.HasPrefix(rest, "– ") || strings.HasPrefix(rest, "— ") || strings.HasPrefix(rest, "→"):
		l.loose = true
		i += len(rest) - len(strings.TrimLeft(rest, "|->–—→"))
	case c == '\n' || c == '\r':
		n := valueLine(rest)
		if n == 0 {
			return l
		}
		i, l.line = i+n, true
	case blank == 0 && !closed:
		return l
	default:
		if i = s.words(&l, text, i, start); i < 0 {
			return l
		}
	}
	i += skipBlanks(text[i:])
	l.value = end + i
	return l
}

// beginsLine reports whether a line begins at pos, but for blanks before it that
// belong to the line.
func (s *scan) beginsLine(pos int) bool {
	before := s.before(pos, 1)
	return before == "" || before == "\n" || before == " " || before == "\t"
}

// closers returns the length of what closes a name: its quotes, brackets, marks
// of emphasis.
func closers(text string) (n int, closed bool) {
	for n < len(text) && n < 8 {
		switch text[n] {
		case '"', '\'', '`':
			closed = true
		case ']', '*', '?', '!':
		case '\\':
			if n+1 >= len(text) || text[n+1] != '"' && text[n+1] != '\'' && text[n+1] != '\\' {
				return n, closed
			}
		case '[':
			if n+1 >= len(text) || text[n+1] != ']' {
				return n, closed
			}
		case ')':
			if !closed {
				return n, closed
			}
		default:
			return n, closed
		}
		n++
	}
	return n, closed
}

func skipBlanks(text string) int {
	n := 0
	for n < len(text) && n < 32 && (text[n] == ' ' || text[n] == '\t') {
		n++
	}
	return n
}

// separator returns the length of what assigns, at the start of text, with the
// marks of emphasis behind it; -1 when it is something else.
func separator(text string) int {
	n := 1
	switch {
	case strings.HasPrefix(text, "::"), strings.HasPrefix(text, "=~"):
		return -1
	case strings.HasPrefix(text, ":="), strings.HasPrefix(text, "=>"), strings.HasPrefix(text, "=="):
		n = 2
		if strings.HasPrefix(text, "===") {
			n = 3
		}
	case strings.HasPrefix(text, "：") || strings.HasPrefix(text, "＝"):
		n = 3
	}
	for n < len(text) && text[n] == '*' && n < 6 {
		n++
	}
	return n
}

// hop returns the length of a type that stands between the separator and the
// value, as in "password: str = ".
func hop(text string) int {
	i := skipBlanks(text)
	start := i
	for i < len(text) && i < 40 && (isNameByte(text[i]) || strings.IndexByte("<>[]?|.*", text[i]) >= 0) {
		i++
	}
	if i == start || i >= 40 {
		return 0
	}
	n := skipBlanks(text[i:])
	if n == 0 || i+n+1 >= len(text) || text[i+n] != '=' || text[i+n+1] == '=' {
		return 0
	}
	return i + n + 1
}

// valueLine returns the length of a line end and the "value:" that begins the
// next line, as Kubernetes writes variables.
func valueLine(text string) int {
	trimmed := strings.TrimLeft(text, " \t\r\n\"'")
	n := len(text) - len(trimmed)
	if n > 64 || !strings.HasPrefix(trimmed, "value") {
		return 0
	}
	rest := strings.TrimLeft(trimmed[len("value"):], "\"' \t")
	if rest == "" || rest[0] != ':' && rest[0] != '=' {
		return 0
	}
	return len(text) - len(rest) + 1
}

// words reads a link of words or of nothing but blanks, at byte i of the text
// behind the name; -1 when there is no value.
func (s *scan) words(l *link, text string, i, start int) int {
	rest := text[i:]
	if s.text[start] == '-' { // a flag
		if rest[0] == '-' {
			return -1
		}
		l.line = true
		return i
	}
	if n := strings.IndexByte(rest, '='); n > 0 && n < 32 && (hop(rest) > 0 || strings.TrimRight(rest[:n], " ") == "value") {
		return i + n + 1
	}
	if strings.HasPrefix(rest, "-p ") { // sshpass
		return i + 3
	}
	l.loose = true
	for word := range 6 {
		n := 0
		for n < len(rest) && isLetter(rest[n]) {
			n++
		}
		after := rest[n:]
		switch verb := rest[:n]; {
		case verb == "is" || verb == "was" || verb == "to" || verb == "are" || verb == "be":
			if strings.HasPrefix(after, ":") {
				after = after[1:]
			}
			return len(text) - len(after)
		case word > 0 && n > 0 && strings.HasPrefix(after, ": "):
			return len(text) - len(after) + 1
		case n == 0 || word == 0 && verb != "for" && verb != "of" && verb != "on" && verb != "in" && verb != "you" && verb != "we" && verb != "here":
			if word == 0 {
				return i
			}
			return -1
		}
		if after == "" || after[0] != ' ' {
			return -1
		}
		rest = after[1:]
	}
	return -1
}
