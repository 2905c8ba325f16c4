// Secrets in commands, codes and phrases that stand at a fixed place behind words
// which say what follows.

package scrub

import (
	"encoding/base64"
	"strings"
)

// nthWord matches the word behind a command and so many other words.
type nthWord struct{ words int }

func (m nthWord) match(s *scan, at int, anchor string, _ int) {
	pos := at + len(anchor)
	text := s.text[pos:s.line(pos, 240)]
	if next := strings.Index(text, anchor); next >= 0 {
		text = text[:next]
	}
	i := 0
	for range m.words {
		i += skipBlanks(text[i:])
		n := strings.IndexByte(text[i:], ' ')
		if n < 0 {
			return
		}
		i += n
	}
	v := wordAt(text, i+skipBlanks(text[i:]))
	if v.end > v.start && strings.IndexByte("/*-", text[v.start]) < 0 && strong(text[v.start:v.end]) {
		s.hit(pos+v.start, pos+v.end)
	}
}

// userAnd matches the password in "-U user%password".
type userAnd struct {
	flag string
	sign byte
}

func (m userAnd) match(s *scan, at int, anchor string, _ int) {
	pos := at + len(anchor)
	text := s.text[pos:s.line(pos, 240)]
	i := strings.Index(text, m.flag)
	if i < 0 {
		return
	}
	v := wordAt(text, i+len(m.flag))
	sign := strings.IndexByte(text[v.start:v.end], m.sign)
	if sign > 0 && flagValue(text[v.start+sign+1:v.end]) {
		s.hit(pos+v.start+sign+1, pos+v.end)
	}
}

// loginKey matches the key in "wandb login <key>".
type loginKey struct{}

func (loginKey) match(s *scan, at int, anchor string, _ int) {
	pos := at + len(anchor)
	text := s.after(pos, maxLink)
	v := wordAt(text, 0)
	if word := text[v.start:v.end]; len(word) >= 32 && !identifier(word) && secretValue(tokenKind, word, false, true) {
		s.hit(pos+v.start, pos+v.end)
	}
}

// plainAuth matches the credentials of the mechanism PLAIN (RFC 4616), which has
// zeros between its parts.
type plainAuth struct{}

func (plainAuth) match(s *scan, at int, anchor string, _ int) {
	pos := at + len(anchor)
	text := s.after(pos, 1024)
	n := 0
	for n < len(text) && base64Chars.has(text[n]) {
		n++
	}
	s.work += n
	word := strings.TrimRight(text[:n], "=")
	head, err := base64.RawStdEncoding.DecodeString(word[:len(word)/4*4])
	if err == nil && len(head) > 5 && strings.IndexByte(string(head), 0) >= 0 {
		s.hit(pos, pos+n)
	}
}

// oracle matches the password in "thin:user/password@".
type oracle struct{}

func (oracle) match(s *scan, at int, anchor string, _ int) {
	pos := at + len(anchor)
	text := s.after(pos, 160)
	end := 0
	for end < len(text) && text[end] > ' ' && strings.IndexByte("@\"'`<>\\", text[end]) < 0 {
		end++
	}
	s.work += end
	slash := strings.IndexByte(text[:end], '/')
	if slash > 0 && end < len(text) && text[end] == '@' && urlPassword(text[:slash], text[slash+1:end]) {
		s.hit(pos+slash+1, pos+end)
	}
}

// wifi matches the password in the text of a code for telephones:
// WIFI:T:WPA;S:name;P:password;;
type wifi struct{}

func (wifi) match(s *scan, at int, anchor string, _ int) {
	pos := at + len(anchor)
	text := s.text[pos:s.line(pos, 240)]
	if next := indexFold(text, anchor); next >= 0 {
		text = text[:next]
	}
	for i := 0; i+2 < len(text); {
		n := i
		for n < len(text) && text[n] != ';' {
			if text[n] == '\\' {
				n++
			}
			n++
		}
		n = min(n, len(text))
		if field := text[i:n]; n < len(text) && len(field) > 2 && lower(field[0]) == 'p' && field[1] == ':' {
			if v := field[2:]; len(v) >= 8 && !template(v) && !standsIn(v) {
				s.hit(pos+i+2, pos+n)
			}
			return
		} else if len(field) < 2 || field[1] != ':' {
			return
		}
		i = n + 1
	}
}

// indexFold returns where a text in small letters stands in any case, or -1.
func indexFold(text, lowered string) int {
	for i := 0; i+len(lowered) <= len(text); i++ {
		if equalFoldText(text[i:i+len(lowered)], lowered) {
			return i
		}
	}
	return -1
}

// equalFoldText compares texts of the same length without regard to ASCII case.
func equalFoldText(a, b string) bool {
	for i := range len(a) {
		if lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

// sessionCookie matches the value of a cookie that stands without its header.
type sessionCookie struct{}

func (sessionCookie) match(s *scan, at int, anchor string, _ int) {
	pos := at + len(anchor)
	end := s.wall(1, pos)
	if end-pos > maxBare {
		return
	}
	v := s.text[pos:end]
	h := shapeOf(v)
	random := h.size >= 20 && h.digits > 0 && h.letters() > 0 && h.rate() >= 85 && !h.monotone()
	if (random || hexadecimal(v)) && !identifier(v) && !standsIn(v) && !template(v) && !path(v) {
		s.hit(pos, end)
	}
}

// seedPhrase matches the words behind a name for them: 12 to 24 of three to eight
// small letters each.
type seedPhrase struct{}

func (seedPhrase) match(s *scan, at int, anchor string, _ int) {
	pos := at + len(anchor)
	text := s.after(pos, 400)
	i := strings.IndexAny(text, ":=")
	if i < 0 || i > 24 || strings.ContainsAny(text[:i], "\n.,;") {
		if i = len(text) - len(strings.TrimPrefix(text, " is ")); i == 0 {
			return
		}
	} else {
		i++
	}
	for i < len(text) && (strings.IndexByte(" \t\r\n\"'`*[>\\", text[i]) >= 0 || entity(text[i:]) > 0) {
		i += max(1, entity(text[i:]))
	}
	start, end, words := i, i, 0
	for words < 24 {
		n := 0
		for i+n < len(text) && isLower(text[i+n]) {
			n++
		}
		if n < 3 || n > 8 {
			break
		}
		words++
		i += n
		end = i
		for i < len(text) && strings.IndexByte(" ,\t\"'", text[i]) >= 0 && i-end < 4 {
			i++
		}
		if i == end {
			break
		}
	}
	s.work += end
	if words >= 12 && words%3 == 0 && !prose(text[start:end]) {
		s.hit(pos+start, pos+end)
	}
}

// prose reports words that no list for wallets has, for they are too short or too
// common.
func prose(words string) bool {
	for _, w := range strings.FieldsFunc(words, func(r rune) bool { return r < 'a' || r > 'z' }) {
		switch w {
		case "the", "and", "for", "with", "from", "are", "was", "has", "have", "must", "should", "not", "our", "its", "his", "her", "words", "which", "these", "they", "were", "been", "does", "into", "than", "then", "them", "your", "would", "could", "phrases":
			return true
		}
	}
	return false
}

// keystore matches a long text in base64 behind a name for a file of keys, if it
// begins like one: the DER of PKCS #12, the magic number of JKS.
type keystore struct{}

func (keystore) match(s *scan, at int, anchor string, _ int) {
	start, end := s.name(at, len(anchor))
	name := strings.ToLower(s.text[start:end])
	sure := anchor != "certificate" && !strings.EqualFold(anchor, "certificate")
	if !sure && !strings.Contains(name, "base64") && !strings.Contains(name, "b64") && !strings.Contains(name, "p12") {
		return
	}
	l := s.link(start, end)
	if l.value < 0 {
		return
	}
	v, _ := s.value(l)
	text := s.text[v.start:v.end]
	s.work += len(text)
	if len(text) < 200 || !strings.HasPrefix(text, "MII") && !strings.HasPrefix(text, "/u3+7Q") {
		return
	}
	for i := range len(text) {
		if !base64Chars.has(text[i]) {
			return
		}
	}
	// A certificate has its version as the first element behind two sequences,
	// PKCS #12 (RFC 7292) has it behind one.
	head, err := base64.StdEncoding.DecodeString(text[:8])
	if err == nil && (sure || head[4] == 2) {
		s.hit(v.start, v.end)
	}
}

// otpauth matches the secret of an address for one-time passwords.
type otpauth struct{}

func (otpauth) match(s *scan, at int, anchor string, _ int) {
	pos := at + len(anchor)
	text := s.text[pos:s.line(pos, 400)]
	if next := indexFold(text, anchor); next >= 0 {
		text = text[:next]
	}
	i := indexFold(text, "secret=")
	if i < 0 {
		return
	}
	i += len("secret=")
	n := 0
	for i+n < len(text) && (isLetter(text[i+n]) || isDecimal(text[i+n]) || text[i+n] == '=') {
		n++
	}
	if v := text[i : i+n]; n >= 8 && !standsIn(v) {
		s.hit(pos+i, pos+i+n)
	}
}

// besideTwilio matches what stands directly behind an account or key id of
// Twilio: 32 hexadecimal digits, or letters.
type besideTwilio struct{}

func (besideTwilio) match(s *scan, at int, _ string, _ int) {
	const id = 34
	text := s.after(at, 96)
	if !s.begins(at) || len(text) < id+33 {
		return
	}
	for i := 2; i < id; i++ {
		if !isDecimal(text[i]) && (text[i] < 'a' || text[i] > 'f') {
			return
		}
	}
	i := id
	for i < len(text) && i < id+6 && strings.IndexByte(" ,:;|\t\"'\\", text[i]) >= 0 {
		i++
	}
	n := 0
	for i+n < len(text) && (isLetter(text[i+n]) || isDecimal(text[i+n])) {
		n++
	}
	s.work += i + n
	if i > id && n == 32 && (hexadecimal(text[i:i+n]) || mixed(text[i:i+n])) {
		s.hit(at+i, at+i+n)
	}
}
