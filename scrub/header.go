// Credentials in HTTP headers: Authorization of any scheme, Basic, Digest,
// cookies.

package scrub

import (
	"encoding/base64"
	"strings"
)

// bearerValue reports a match of the bearer rule that isn't made of words joined
// by hyphens, dots or humps, which is how prose and code get long enough.
func bearerValue(secret string) bool {
	v := secret[strings.LastIndexFunc(secret, isBlank)+1:]
	h := shapeOf(v)
	class := lower(secret[0]) == 'a' && name(v) // "authorization: SomeClass" of code
	return (!standsIn(v) || notMask(v) && h.joints == 0) && !(h.joints >= 2 && h.rate() < 90) && !class
}

// headerChars are the characters of credentials in headers (RFC 9110, token68)
// and of what vendors put there.
var headerChars = chars("A-Za-z0-9._~+/=:|-")

func headerRun(text string) int {
	n := 0
	for n < len(text) && headerChars.has(text[n]) {
		n++
	}
	return n
}

// authorization matches the credentials behind the name of the Authorization
// header, whatever the scheme.
type authorization struct{}

func (authorization) match(s *scan, at int, anchor string, _ int) {
	if wordBefore(s.before(at, 4)) && !escaped(s.before(at, 6)) {
		return
	}
	end := at + len(anchor)
	text := s.after(end, maxLink)
	i, _ := closers(text)
	i += skipBlanks(text[i:])
	if i >= len(text) || text[i] != ':' && text[i] != '=' && text[i] != ',' {
		return
	}
	i++
	for i < len(text) && strings.IndexByte(" \t=>\"'`\\", text[i]) >= 0 {
		i++
	}
	pos := end + i
	text = s.after(pos, maxValue)
	scheme := headerRun(text)
	if scheme < len(text)-1 && text[scheme] == ' ' && scheme > 0 && scheme < 24 && headerChars.has(text[scheme+1]) {
		if strings.EqualFold(text[:scheme], "digest") {
			return
		}
		pos += scheme + 1
		text = text[scheme+1:]
	}
	n := headerRun(text)
	s.work += i + n
	v := strings.TrimRight(text[:n], ".,:")
	if credential(v) {
		s.hit(pos, pos+len(v))
	}
}

// credential reports what proves who somebody is: something random, or a name
// and a password in base64.
func credential(v string) bool {
	return secretValue(tokenKind, v, true, false) || userPassword(v)
}

// userPassword reports a name and a password in base64 (RFC 7617).
func userPassword(v string) bool {
	if len(v) < 8 || len(v) > 512 {
		return false
	}
	plain, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(v, "="))
	if err != nil {
		return false
	}
	colon := false
	for _, c := range plain {
		if c < ' ' || c > '~' {
			return false
		}
		colon = colon || c == ':'
	}
	return colon
}

// basic matches the scheme Basic with its credentials, in a header or not.
type basic struct{}

func (basic) match(s *scan, at int, anchor string, _ int) {
	if !s.begins(at) {
		return
	}
	pos := at + len(anchor)
	text := s.after(pos, 1024)
	n := 0
	for n < len(text) && base64Chars.has(text[n]) {
		n++
	}
	s.work += n
	if userPassword(text[:n]) {
		s.hit(pos, pos+n)
	}
}

// digest matches the response in the credentials of the scheme Digest (RFC 7616),
// which gives the password away to who tries passwords out.
type digest struct{}

func (digest) match(s *scan, at int, anchor string, _ int) {
	if !s.begins(at) {
		return
	}
	pos := at + len(anchor)
	text := s.text[pos:s.line(pos, 1024)]
	if next := strings.Index(text, anchor); next >= 0 {
		text = text[:next]
	}
	i := strings.Index(text, "response=")
	if i < 0 {
		return
	}
	i += len("response=")
	for i < len(text) && (text[i] == '"' || text[i] == '\\') {
		i++
	}
	n := headerRun(text[i:])
	if hexadecimal(text[i : i+n]) {
		s.hit(pos+i, pos+i+n)
	}
}

// cookies matches the values of a Cookie or Set-Cookie header that prove who
// somebody is.
type cookies struct{}

func (cookies) match(s *scan, at int, anchor string, _ int) {
	pos := at + len(anchor)
	text := s.after(pos, maxLink)
	i, _ := closers(text)
	i += skipBlanks(text[i:])
	if i >= len(text) || text[i] != ':' && text[i] != '=' && text[i] != ',' {
		return
	}
	pos += i + 1
	text = s.text[pos:s.line(pos, maxValue)]
	if next := strings.Index(text, anchor); next >= 0 {
		text = text[:next]
	}
	for i = 0; i < len(text); {
		n := strings.IndexAny(text[i:], ";,")
		if n < 0 {
			n = len(text) - i
		}
		pair := text[i : i+n]
		if start, end, ok := cookie(pair); ok {
			s.hit(pos+i+start, pos+i+end)
		}
		i += n + 1
	}
}

// cookie returns where the value in a pair "name=value" is, when it is a secret.
func cookie(pair string) (start, end int, ok bool) {
	eq := strings.IndexByte(pair, '=')
	if eq < 0 {
		return 0, 0, false
	}
	name := strings.Trim(pair[:eq], " \t\"'`\\{")
	start = eq + 1
	for start < len(pair) && strings.IndexByte("\"'\\", pair[start]) >= 0 {
		start++
	}
	end = start
	for end < len(pair) && strings.IndexByte(" \t\x1b\"'`\\)}<>", pair[end]) < 0 {
		end++
	}
	v := pair[start:end]
	h := shapeOf(v)
	if h.size < 12 || standsIn(v) || template(v) || path(v) {
		return start, end, false
	}
	if sessionName(name) {
		return start, end, h.rate() >= 80 && h.digits+h.uppers > 0
	}
	return start, end, h.size >= 32 && h.rate() >= 105 && !tracking(name)
}

// sessionName reports a cookie that names a session or a login.
func sessionName(name string) bool {
	name = strings.ToLower(name)
	for _, part := range [...]string{"sess", "sid", "auth", "token", "jwt", "login", "remember", "csrf", "xsrf", "identity", "ticket", "secret", "aspxauth", "user_key", "access", "refresh"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// tracking reports the cookies of statistics and advertising.
func tracking(name string) bool {
	for _, prefix := range [...]string{"_g", "_fb", "utm", "__utm", "_hj", "_cl", "OptanonConsent", "ajs_", "amplitude", "mp_", "intercom-id", "__cf"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
