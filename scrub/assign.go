// Assignments: a name that promises a secret, a link, and a value, in whatever
// language, file or sentence they stand.

package scrub

import "strings"

const (
	maxName  = 64
	maxLink  = 200
	maxValue = 4 << 10
	maxBare  = 2 << 10 // of a value without quotes
	maxHead  = 256     // what tells code, names and numbers from secrets
)

// assignment matches the values that names with one stem introduce.
type assignment struct {
	stems []*stem // by number of the anchor; nil: a word that stands alone
}

func (a *assignment) match(s *scan, at int, anchor string, number int) {
	st := a.stems[number]
	anchor = strings.TrimRight(anchor, " :=\"")
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
	if st != nil && st.text == "key" && start == at && endsInPublic(strings.TrimRight(s.before(start, 8), " ")) {
		return
	}
	l := s.link(start, end)
	if l.value < 0 || s.text[start:end] == "secret" && s.text[end] == ':' && s.before(start, 1) == ":" { // a part of an ARN
		return
	}
	v, quoted := s.value(l)
	s.work += v.end - v.start
	if v.end <= v.start || l.needsQuotes && !quoted || l.alone && !s.endsLine(v.end) {
		return
	}
	if quoted {
		v = innermost(s.text, v)
	}
	loose := l.list || l.loose && !quoted
	text := s.text[v.start:v.end]
	if k == passwordKind && (l.list || loose && end-start == len("pass")) {
		// "pass x=1 to it", a list of words
		if h := shapeOf(text); !firm(&h, text) && !random(&h, text) {
			return
		}
	}
	if k != passwordKind && !quoted {
		text = strings.TrimRight(text, "!")
		v.end = v.start + len(text)
	}
	if secretValue(k, text, quoted, loose) || k == weakKind && !loose && identifier(text) && s.text[start:end] == strings.ToUpper(s.text[start:end]) || loose && !l.list && !l.blank && k == passwordKind && spoken(text) || loose && k != weakKind && identifier(text) && (!l.blank || strings.ContainsAny(s.text[start:end], "_-")) || st != nil && st.text == "auth" && userPassword(text) {
		s.hit(v.start, v.end)
	}
}

// innermost returns a string without the quotes of a string in it.
func innermost(text string, v span) span {
	if v.end-v.start > 2 {
		if c := text[v.start]; (c == '"' || c == '\'') && text[v.end-1] == c {
			return span{v.start + 1, v.end - 1}
		}
	}
	return v
}

// endsInPublic reports the word before a key that is no secret. It is the only one
// that a rule looks at beyond a blank, so a stream isn't cut behind it.
func endsInPublic(text string) bool {
	const word = "public"
	return len(text) >= len(word) && equalFold(text[len(text)-len(word):], word)
}

// endsLine reports whether nothing but a quote follows on the line.
func (s *scan) endsLine(pos int) bool {
	text := s.after(pos, 64)
	rest := strings.TrimLeft(text, "\"'`,; \t")
	if rest == "" {
		return len(text) < 64
	}
	return rest[0] == '\n' || rest[0] == '\r' || rest[0] == '\\'
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
	if start+2 <= at && s.text[start:start+2] == "-D" { // as Java takes properties
		start += 2
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
	blank       bool // nothing but blanks: the loosest link
	list        bool // the value is an element of a list, behind the name
	needsQuotes bool // only a string counts: calls, comparisons, defaults
	element     bool // the value is the content of an XML element
	line        bool // the value may reach to the end of the line's word
	alone       bool // the value must have a line of its own
}

// link reads what follows the name at start to end.
func (s *scan) link(start, end int) link {
	text := s.after(end, maxLink)
	i, closed := closers(text)
	i += aside(text[i:])
	blank := skipBlanks(text[i:])
	i += blank
	l := link{value: -1, line: s.beginsLine(start)}
	if i >= len(text) {
		return l
	}
	n := 0
	switch rest := text[i:]; {
	case assigns(rest):
		n = l.assign(rest, blank > 0)
	case bracket(rest) > 0 && (closed || opensElement(s.before(start, 6))):
		l.element, n = true, bracket(rest)
		if hasPrefixFold(rest[n:], "<value>") {
			n += len("<value>")
		}
	case strings.HasPrefix(rest, "</key>"):
		n = stringElement(rest)
		l.element = n > 0
	case rest[0] == '{' && closed:
		l.needsQuotes = true
		n = defaultOf(rest)
	case strings.HasPrefix(rest, "{ get"): // a property of C#
		l.needsQuotes = true
		n = strings.Index(rest, "} = ") + 3
		if n < 4 || n > 40 {
			return l
		}
	case blank > 0 && hasPrefixFold(rest, "as string = "): // of Basic
		l.needsQuotes = true
		n = len("as string = ")
	case rest[0] == ',' && closed && valueLine(rest[1:]) > 0: // {"name": …, "value": …}
		n = 1 + valueLine(rest[1:])
	case rest[0] == ',' && closed || rest[0] == '(' || offers(rest):
		n = l.offered(rest)
	case rest[0] == '|' || points(rest):
		l.loose = true
		n = len(rest) - len(strings.TrimLeft(rest, "|->–—→"))
	case rest[0] == '\n' || rest[0] == '\r':
		if !closed && s.text[end-1] != '-' && strings.Trim(s.before(start, 1), " \t\n\"'*#`") == "" {
			n = l.nextLine(rest, false)
		}
	case blank == 0 && !closed:
		l.loose = true
		n = particle(rest)
	default:
		if n = s.words(&l, rest, start); n < 0 {
			return l
		}
		l.value = end + i + n + skipBlanks(rest[n:])
		return l
	}
	if n > 0 {
		i += n
		l.value = end + i + skipBlanks(text[i:])
	}
	return l
}

// assigns reports a sign of assignment.
func assigns(text string) bool {
	return text[0] == ':' || text[0] == '=' || strings.HasPrefix(text, "：") || strings.HasPrefix(text, "＝") || strings.HasPrefix(text, "%3D") || strings.HasPrefix(text, "?=") || strings.HasPrefix(text, "%3A")
}

// assign returns the length of an assignment up to the value, 0 when there is
// none.
func (l *link) assign(rest string, apart bool) int {
	n := separator(rest)
	if n < 0 {
		return 0
	}
	l.needsQuotes = strings.HasPrefix(rest, "==")
	l.line = l.line || apart || n < len(rest) && rest[n] == ' '
	n += hop(rest[n:])
	if strings.HasPrefix(rest[n:], " !!str ") { // a tag of YAML
		n += len(" !!str ")
	}
	at := n + skipBlanks(rest[n:])
	return at + l.nextLine(rest[at:], true)
}

// offered returns the length of a link that only a string may follow.
func (l *link) offered(rest string) int {
	l.needsQuotes = true
	if l.list = rest[0] == ','; l.list || rest[0] == '(' {
		return 1
	}
	return 1 + strings.IndexAny(rest[1:]+" ", " \t\"'`")
}

// nextLine returns the length of a line end with all that introduces a value
// on the next line: "value:" as Kubernetes writes variables, the signs of a block
// in YAML or the shell, the dash of a list.
func (l *link) nextLine(rest string, assigned bool) int {
	n := valueLine(rest)
	if n > 0 {
		l.line = true
		return n
	}
	if assigned {
		n = blockSigns(rest)
	}
	for i := n; i < len(rest) && i < n+32; i++ {
		if c := rest[i]; c == '\r' || c == '\n' {
			l.alone, l.line, l.loose = true, true, l.loose || n == 0
			i += len(rest[i:]) - len(strings.TrimLeft(rest[i:], " \t\r\n"))
			if assigned && strings.HasPrefix(rest[i:], "- ") {
				i += 2
			}
			return i
		} else if c != ' ' && c != '\t' {
			break
		}
	}
	return 0
}

// beginsLine reports whether a line begins at pos, but for blanks before it that
// belong to the line.
func (s *scan) beginsLine(pos int) bool {
	before := s.before(pos, 1)
	return before == "" || before == "\n" || before == " " || before == "\t"
}

// words reads a link of words or of nothing but blanks, and returns its length;
// -1 when there is no value.
func (s *scan) words(l *link, rest string, start int) int {
	if s.text[start] == '-' { // a flag
		if rest[0] == '-' {
			return -1
		}
		l.line = true
		return 0
	}
	if n := strings.IndexByte(rest[:min(len(rest), 32)], '='); n > 0 && (hop(rest) > 0 || strings.TrimRight(rest[:n], " ") == "value") {
		return n + 1
	}
	if strings.HasPrefix(rest, "-p ") { // sshpass
		return 3
	}
	l.loose = true
	if len(rest) > 2 && isDecimal(rest[0]) && rest[1] == ' ' { // the kind of encoding, in routers
		return 2
	}
	for pos, count := 0, 0; count < 6; count++ {
		n := wordLength(rest[pos:])
		word, after := rest[pos:pos+n], rest[pos+n:]
		switch {
		case verb(word):
			if strings.HasPrefix(after, ":") {
				n++
			}
			return pos + n
		case count > 0 && n > 0 && strings.HasPrefix(after, ": "):
			return pos + n + 1
		case count > 0 && n == 0 && points(rest[pos:]):
			return pos + len(rest[pos:]) - len(strings.TrimLeft(rest[pos:], "->–—→"))
		case n == 0 || count == 0 && !preposition(word):
			if l.blank = true; count == 0 && !(n > 0 && wordLike(word) && ended(after)) {
				return 0
			}
			return -1
		}
		if after == "" || after[0] != ' ' {
			return -1
		}
		pos += n + 1
	}
	return -1
}

// verb reports a word that joins a name to its value in speech.
func verb(word string) bool {
	switch word {
	case "is", "was", "to", "are", "be", "ist", "war", "lautet", "est", "es", "era", "é", "è", "er", "är", "jest", "je", "это", "equals", "became":
		return true
	}
	return false
}

// preposition reports a word after which the name goes on: the password for bob.
func preposition(word string) bool {
	switch word {
	case "for", "FOR", "of", "on", "in", "at", "you", "we", "here", "für", "fuer", "fürs", "von", "vom", "zum", "zur", "du", "de", "del", "della", "des", "di", "da",
		"do", "para", "pour", "per", "til", "till", "för", "voor", "van", "dla", "na", "для", "от", "к":
		return true
	}
	return false
}
