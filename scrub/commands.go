// Passwords that commands, calls and sentences give without naming them one by
// one: a user and a password beside each other, SQL, a PIN.

package scrub

import "strings"

// quotedBehind matches the first string behind words that promise a password,
// up to a sign: SET PASSWORD FOR 'x' = 'secret'.
type quotedBehind struct{ sign string }

func (q quotedBehind) match(s *scan, at int, anchor string, _ int) {
	pos := at + len(anchor)
	text := s.text[pos:s.line(pos, maxLink)]
	if next := strings.Index(text, anchor); next >= 0 {
		text = text[:next]
	}
	i := strings.Index(text, q.sign)
	if i < 0 {
		return
	}
	i += len(q.sign)
	open := strings.IndexAny(text[i:], "'\"")
	if open < 0 || open > 16 {
		return
	}
	i += open + 1
	n := closing(text[i:], text[i-1:i], text[i-1:i])
	if n > 0 && secretValue(passwordKind, text[i:i+n], true, false) {
		s.hit(pos+i, pos+i+n)
	}
}

// twoStrings matches the second of two strings in a call or a tuple that is
// about a login: auth=('bob', 'secret').
type twoStrings struct{}

func (twoStrings) match(s *scan, at int, anchor string, _ int) {
	pos := at + len(anchor)
	text := s.text[pos:s.line(pos, maxLink)]
	first := quotedAt(text, 0)
	if first.end == 0 {
		return
	}
	i := first.end + 1
	i += skipBlanks(text[i:])
	if i >= len(text) || text[i] != ',' && text[i] != ':' {
		return
	}
	second := quotedAt(text, i+1)
	if second.end == 0 {
		return
	}
	if v := text[second.start:second.end]; strong(v) {
		s.hit(pos+second.start, pos+second.end)
	}
}

// quotedAt returns the inside of the string that begins at i, behind blanks.
func quotedAt(text string, i int) span {
	i += skipBlanks(text[i:])
	if i >= len(text) || text[i] != '\'' && text[i] != '"' {
		return span{}
	}
	n := closing(text[i+1:], text[i:i+1], text[i:i+1])
	if n <= 0 {
		return span{}
	}
	return span{i + 1, i + 1 + n}
}

// strong reports what is a password by its looks: letters with digits or signs,
// unlike a name or a path.
func strong(v string) bool {
	h := shapeOf(v)
	return h.size >= 6 && h.size <= 128 && !template(v) && !standsIn(v) && !path(v) && !strings.ContainsAny(v, " \t") &&
		h.letters() > 0 && (h.digits > 0 || h.symbols > 0 || h.size >= 10 && h.lowers > 1 && h.uppers > 1 && h.rate() >= 105) && h.others == 0 && h.joints*3 < h.size && h.rate() >= 60
}

// pair matches the password in "credentials: bob / secret" and "bob:secret".
type pair struct{}

func (pair) match(s *scan, at int, anchor string, _ int) {
	start, end := s.name(at, len(anchor))
	if start != at && isLetter(s.text[at-1]) {
		return
	}
	l := s.link(start, end)
	if l.value < 0 || l.needsQuotes {
		return
	}
	text := s.text[l.value:s.line(l.value, 160)]
	text = strings.TrimLeft(text, "\"'`")
	pos := s.line(l.value, 160) - len(text)
	n := 0
	for n < len(text) && (isNameByte(text[n]) || text[n] == '.' || text[n] == '@') {
		n++
	}
	i := n
	for i < len(text) && i < n+4 && strings.IndexByte(" :/|\"'`", text[i]) >= 0 {
		i++
	}
	if n < 2 || i == n || strings.Trim(text[n:i], " \"'`") == "" || strings.HasPrefix(text[n:], "://") {
		return
	}
	stop := i
	for stop < len(text) && strings.IndexByte(" \t\"'`,<>|", text[stop]) < 0 {
		stop++
	}
	if v := strings.TrimRight(text[i:stop], ".;:!?)"); strong(v) {
		s.hit(pos+i, pos+i+len(v))
	}
}

// passwordInput matches the password in "echo 'bob:secret' | chpasswd".
type passwordInput struct{}

func (passwordInput) match(s *scan, at int, anchor string, _ int) {
	pos := at + len(anchor)
	text := s.text[pos:s.line(pos, 160)]
	n := strings.Index(text, "|")
	if n < 0 || strings.Contains(text[:n], anchor) {
		return
	}
	command := strings.TrimLeft(text[n+1:], " ")
	command = strings.TrimPrefix(command, "sudo ")
	v := wordAt(text[:n], skipBlanks(text[:n]))
	switch word := text[v.start:v.end]; {
	case strings.HasPrefix(command, "chpasswd"):
		v.start += strings.IndexByte(word, ':') + 1
	case strings.HasPrefix(command, "-S ") && strings.HasPrefix(text[n+1:], " sudo"), strings.Contains(command, "--password-stdin"), strings.HasPrefix(command, "passwd --stdin"):
	default:
		return
	}
	if flagValue(text[v.start:v.end]) {
		s.hit(pos+v.start, pos+v.end)
	}
}

// secondWord matches the second word behind a command: net user bob secret.
type secondWord struct{}

func (secondWord) match(s *scan, at int, anchor string, _ int) {
	pos := at + len(anchor)
	text := s.text[pos:s.line(pos, 160)]
	first := wordAt(text, skipBlanks(text))
	i := first.end
	for i < len(text) && (text[i] == ' ' || text[i] == '"') {
		i++
	}
	v := wordAt(text, i)
	if v.end > v.start && strings.IndexByte("/*-", text[v.start]) < 0 && strong(text[v.start:v.end]) {
		s.hit(pos+v.start, pos+v.end)
	}
}

// pin matches the digits of a PIN or a passcode.
type pin struct{}

func (pin) match(s *scan, at int, anchor string, _ int) {
	if !s.begins(at) {
		return
	}
	pos := at + len(anchor)
	text := s.after(pos, 24)
	i := 0
	for i < len(text) && strings.IndexByte(" :=\"'`", text[i]) >= 0 {
		i++
	}
	n := 0
	for i+n < len(text) && isDecimal(text[i+n]) {
		n++
	}
	digits := text[i : i+n]
	year := n == 4 && (strings.HasPrefix(digits, "19") || strings.HasPrefix(digits, "20"))
	if n >= 4 && n <= 8 && !year && s.endsAt(pos+i+n) && !(i+n+1 < len(text) && text[i+n] == '.' && isDecimal(text[i+n+1])) {
		s.hit(pos+i, pos+i+n)
	}
}
