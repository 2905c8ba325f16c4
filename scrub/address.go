// Credentials in addresses, connection lines and commands.

package scrub

import "strings"

// userinfo matches the password in scheme://user:password@host (RFC 3986,
// section 3.2.1), the signs included that should have been escaped.
type userinfo struct{}

const maxUserinfo = 320

func (userinfo) match(s *scan, at int, anchor string, _ int) {
	if b := s.before(at, 1); b == "" || !isLetter(b[0]) && !isDecimal(b[0]) {
		return
	}
	pos := at + len(anchor)
	text := s.after(pos, maxUserinfo)
	end := authority(text)
	s.work += end
	at = strings.LastIndexByte(text[:end], '@')
	if at < 0 || at+1 >= len(text) || strings.HasPrefix(text[at+1:], "sha256:") {
		return
	}
	colon := strings.IndexByte(text[:at], ':')
	if colon < 0 { // a token in the place of the user
		if v := text[:at]; secretValue(tokenKind, v, true, false) && len(v) >= 20 {
			s.hit(pos, pos+at)
		}
		return
	}
	user, password := text[:colon], text[colon+1:at]
	if urlPassword(user, password) {
		s.hit(pos+colon+1, pos+at)
	}
}

// authority returns where the authority of an address ends.
func authority(text string) int {
	for i := range len(text) {
		switch text[i] {
		case ' ', '\t', '\n', '\r', '"', '\'', '`', '<', '>', '/', '\\', '|':
			return i
		}
	}
	return len(text)
}

// urlPassword reports a password in an address that isn't an example's.
func urlPassword(user, v string) bool {
	if len(v) < 3 || v[0] == ':' || user == "" && strings.Contains(v, ":") || template(v) || standsIn(v) || strings.EqualFold(v, user) || strings.Trim(v, "*x.-_X") == "" {
		return false
	}
	if strings.HasPrefix(v, "%(") || strings.ContainsAny(v, "{}()[],") && !strings.ContainsAny(v, "0123456789") {
		return false
	}
	word := strings.ToLower(v)
	for _, w := range [...]string{"password", "passwd", "pass", "pwd", "secret", "token", "key", "apikey", "api_key", "changeme", "example", "user", "username", "pw", "bar", "baz",
		"test", "postgres", "root", "admin", "guest", "mysql", "mypassword", "my_password", "userpassword", "user_password", "dbpassword", "db_password", "mysecretpassword", "somepassword", "the_password", "credentials", "access_token", "xyz", "abc", "foo", "123"} {
		if word == w {
			return false
		}
	}
	return !number(v)
}

// flags matches secrets that commands take behind a short flag: sshpass -p,
// redis-cli -a, docker login -p, ldapsearch -w, mysql -pSECRET.
type flags struct{ flag string }

func (f flags) match(s *scan, at int, anchor string, _ int) {
	if !s.begins(at) {
		return
	}
	pos := at + len(strings.TrimRight(anchor, " "))
	text := s.text[pos:s.line(pos, 240)]
	if next := strings.Index(text, anchor); next >= 0 {
		text = text[:next]
	}
	i := strings.Index(text, f.flag)
	if i < 0 {
		return
	}
	i += len(f.flag)
	if v := wordAt(text, i); v.end > v.start && flagValue(text[v.start:v.end]) {
		s.hit(pos+v.start, pos+v.end)
	}
}

func flagValue(v string) bool {
	h := shapeOf(v)
	return appPassword(v) || !template(v) && !standsIn(v) && !path(v) && h.size >= 6 && (h.digits > 0 || h.symbols > 0 || h.lowers > 1 && h.uppers > 1 && h.rate() >= 100) && h.letters() > 0
}

// wordAt returns the word of a command line at i, without quotes.
func wordAt(text string, i int) span {
	quote := byte(' ')
	if i+1 < len(text) && text[i] == '\\' && (text[i+1] == '"' || text[i+1] == '\'') { // in a string
		i += 2
	} else if i < len(text) && (text[i] == '"' || text[i] == '\'') {
		quote = text[i]
		i++
	}
	end := i
	for end < len(text) && text[end] != quote && text[end] != '\n' && text[end] != '\r' && (quote != ' ' || strings.IndexByte("\t\x1b\"'`<>|;\\", text[end]) < 0) {
		end++
	}
	return span{i, end}
}

// userFlag matches the password in "-u user:password".
type userFlag struct{}

func (userFlag) match(s *scan, at int, anchor string, _ int) {
	if b := s.before(at, 1); b != "" && strings.IndexByte(" \t\n\"'`[(,", b[0]) < 0 && !escaped(s.before(at, 16)) {
		return
	}
	pos := at + len(anchor)
	text := s.after(pos, 200)
	v := wordAt(text, skipBlanks(text))
	s.work += v.end
	word := text[v.start:v.end]
	colon := strings.IndexByte(word, ':')
	if colon < 0 || strings.Contains(word, "://") || strings.ContainsAny(word[:colon], "$%+ ") || strings.Contains(word, " ") {
		return
	}
	if user, password := word[:colon], word[colon+1:]; urlPassword(user, password) && !path(password) {
		h := shapeOf(password)
		if h.letters() > 0 && (h.digits > 0 || h.symbols > 0 || h.rate() >= 100) {
			s.hit(pos+v.start+colon+1, pos+v.end)
		}
	}
}

// passwordFile matches the password in a line host:port:database:user:password
// of PostgreSQL's password file.
type passwordFile struct{}

func (passwordFile) match(s *scan, at int, anchor string, _ int) {
	b := s.before(at, 1)
	if b == "" || strings.IndexByte(" \t\"'`/", b[0]) >= 0 {
		return
	}
	pos := at + len(anchor)
	text := s.text[pos:s.line(pos, 240)]
	fields := 0
	for i := range len(text) {
		switch text[i] {
		case ':':
			fields++
		case ' ', '"', '\'', '/', '@':
			return
		}
		if fields == 2 {
			v := text[i+1:]
			if n := strings.IndexAny(v, ": \t\x1b\"'`<\\"); n >= 0 {
				v = v[:n]
			}
			h := shapeOf(v)
			if !template(v) && chosen(&h, true) {
				s.hit(pos+i+1, pos+i+1+len(v))
			}
			return
		}
	}
}

// quoted matches a string behind words that promise a password, as in SQL's
// IDENTIFIED BY.
type quoted struct{}

func (quoted) match(s *scan, at int, anchor string, _ int) {
	pos := at + len(anchor)
	text := s.after(pos, maxLink)
	i := skipBlanks(text)
	if i >= len(text) {
		return
	}
	for _, q := range quotes {
		if strings.HasPrefix(text[i:], q.open) && (q.open[0] == '\\' || q.open[0] == '&') {
			i += len(q.open)
			if n := closing(text[i:], q.open, q.close); n > 0 && secretValue(passwordKind, text[i:i+n], true, false) {
				s.hit(pos+i, pos+i+n)
			}
			return
		}
	}
	if text[i] != '\'' && text[i] != '"' { // as Oracle takes it
		v := wordAt(text, i)
		if word := strings.TrimRight(text[v.start:v.end], ";"); strong(word) {
			s.hit(pos+v.start, pos+v.start+len(word))
		}
		return
	}
	n := closing(text[i+1:], text[i:i+1], text[i:i+1])
	if n > 0 && secretValue(passwordKind, text[i+1:i+1+n], true, false) {
		s.hit(pos+i+1, pos+i+1+n)
	}
}

// beside matches what stands directly behind an access key id, as in the files
// that AWS lets its users download: the secret key.
type beside struct{}

func (beside) match(s *scan, at int, anchor string, _ int) {
	text := s.after(at, 80)
	const id = 20
	if !s.begins(at) || len(text) < id+41 {
		return
	}
	for i := range id {
		if !isUpper(text[i]) && !isDecimal(text[i]) {
			return
		}
	}
	i := id
	for i < len(text) && i < id+4 && strings.IndexByte(" ,:;|\t\"'", text[i]) >= 0 {
		i++
	}
	n := 0
	for i+n < len(text) && (isLetter(text[i+n]) || isDecimal(text[i+n]) || text[i+n] == '+' || text[i+n] == '/') {
		n++
	}
	s.work += i + n
	if i > id && n == 40 && unlikeWords(text[i:i+n]) {
		s.hit(at+i, at+i+n)
	}
}
