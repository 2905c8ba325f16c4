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
	if l.value < 0 {
		return
	}
	v, quoted := s.value(l)
	s.work += v.end - v.start
	if v.end <= v.start || l.needsQuotes && !quoted || l.alone && !s.endsLine(v.end) {
		return
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
	case rest[0] == '>' && (closed || s.before(start, 1) == "<"):
		l.element, n = true, 1+len(rest[1:])-len(strings.TrimPrefix(rest[1:], "<value>"))
	case strings.HasPrefix(rest, "</key>"):
		n = stringElement(rest)
		l.element = n > 0
	case rest[0] == '{' && closed:
		l.needsQuotes = true
		n = defaultOf(rest)
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

// stringElement returns the length of what stands between a name and its value in
// a property list: </key> <string>.
func stringElement(rest string) int {
	after := strings.TrimLeft(rest[len("</key>"):], " \t\r\n")
	if !strings.HasPrefix(after, "<string>") {
		return 0
	}
	return len(rest) - len(after) + len("<string>")
}

// assigns reports a sign of assignment.
func assigns(text string) bool {
	return text[0] == ':' || text[0] == '=' || strings.HasPrefix(text, "：") || strings.HasPrefix(text, "＝")
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
	at := n + skipBlanks(rest[n:])
	return at + l.nextLine(rest[at:], true)
}

// offers reports what comes between a name and the value in its default.
func offers(rest string) bool {
	return strings.HasPrefix(rest, "||") || strings.HasPrefix(rest, "??") || strings.HasPrefix(rest, "!=") || strings.HasPrefix(rest, "or ")
}

// offered returns the length of a link that only a string may follow.
func (l *link) offered(rest string) int {
	l.needsQuotes = true
	if l.list = rest[0] == ','; l.list || rest[0] == '(' {
		return 1
	}
	return 1 + strings.IndexAny(rest[1:]+" ", " \t\"'`")
}

// points reports an arrow or a dash.
func points(rest string) bool {
	for _, p := range [...]string{"->", "- ", "– ", "— ", "→"} {
		if strings.HasPrefix(rest, p) {
			return true
		}
	}
	return false
}

// particles join a name to its value in scripts without blanks.
var particles = [...]string{"是", "为", "為", "は", "が", "는", "은", "이", "가"}

func particle(rest string) int {
	for _, p := range particles {
		if strings.HasPrefix(rest, p) {
			return len(p)
		}
	}
	return 0
}

// aside returns the length of a remark in brackets between a name and its link.
func aside(text string) int {
	blank := skipBlanks(text)
	if blank == 0 || blank == len(text) || text[blank] != '(' && text[blank] != '[' {
		return 0
	}
	n := strings.IndexAny(text[blank+1:min(len(text), blank+48)], ")]\n")
	if n < 0 || text[blank+1+n] == '\n' {
		return 0
	}
	n += blank + 2
	if rest := text[n:]; rest != "" && (rest[0] == ':' || rest[0] == '=' || strings.HasPrefix(rest, " is ")) {
		return n
	}
	return 0
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

// blockSigns returns the length of what announces a text on the next lines: |
// and > of YAML, << and a word of the shell.
func blockSigns(rest string) int {
	n := 0
	switch {
	case rest == "":
	case rest[0] == '|' || rest[0] == '>':
		for n = 1; n < len(rest) && strings.IndexByte("-+0123456789", rest[n]) >= 0; n++ {
		}
	case strings.HasPrefix(rest, "<<"):
		for n = 2; n < len(rest) && n < 24 && (isLetter(rest[n]) || strings.IndexByte("-~_'\"", rest[n]) >= 0); n++ {
		}
	}
	if n < len(rest) && rest[n] != '\n' && rest[n] != '\r' {
		return 0
	}
	return n
}

// defaultOf returns the length of a block of Terraform up to the value of its
// default.
func defaultOf(rest string) int {
	end := strings.IndexByte(rest+"}", '}')
	n := strings.Index(rest[:end], "default")
	if n < 0 {
		return 0
	}
	n += len("default")
	n += skipBlanks(rest[n:])
	if n >= end || rest[n] != '=' {
		return 0
	}
	return n + 1
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
	for i < len(text) && i < 40 && (isNameByte(text[i]) || strings.IndexByte("<>[]?|.*&'", text[i]) >= 0) {
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
	case "for", "FOR", "of", "on", "in", "at", "you", "we", "here", "für", "fuer", "von", "vom", "zum", "zur", "du", "de", "del", "della", "des", "di", "da",
		"do", "para", "pour", "per", "til", "till", "för", "voor", "van", "dla", "na", "для", "от", "к":
		return true
	}
	return false
}

// ended reports that a word ends where text begins.
func ended(text string) bool {
	return text == "" || strings.IndexByte(" ,.;:!?)\n\r\"'", text[0]) >= 0
}

func wordLength(text string) int {
	n := 0
	for n < len(text) && (isLetter(text[n]) || text[n] >= 0x80) {
		n++
	}
	return n
}
