// Whether a value that a name introduces is a secret: what stands for one, what
// is code, what is words, and what is left.

package scrub

import (
	"encoding/base64"
	"strings"
)

// notMask reports a token that doesn't stand for one. Where the form says enough,
// only a plain mask counts: anything else may be somebody's test account.
func notMask(secret string) bool {
	for _, mask := range [...]string{"xxxx", "XXXX", "your", "YOUR"} {
		if strings.Contains(secret, mask) {
			return false
		}
	}
	return true
}

func hasDigit(secret string) bool {
	return strings.ContainsAny(secret, "0123456789") && !standsIn(secret)
}

// unlikeWords reports a token that isn't made of words.
func unlikeWords(secret string) bool {
	h := shapeOf(secret)
	return (h.rate() >= 85 || hexadecimal(secret[strings.LastIndexAny(secret, "-_.")+1:])) && !standsIn(secret)
}

// mixed reports a token of capitals, small letters and digits without words, for
// formats whose beginning alone says little.
func mixed(secret string) bool {
	h := shapeOf(secret)
	return h.lowers > 0 && h.uppers > 0 && (h.digits > 0 || h.size > 32) && h.rate() >= 98 && !standsIn(secret)
}

// standIns are parts of what stands in the place of a secret.
var standIns = [...]string{
	"your", "xxxx", "****", "....", "example-", "-example", "example_", "_example", "placeholder", "changeme", "change-me", "change_me",
	"redacted", "replace", "insert", "dummy", "secret-here", "token-here", "key-here", "_here", "-here", "goes-here", "todo", "fixme", "removed", "omitted", "hidden",
	"sample-", "sample_", "process.env", "os.environ", "getenv", "foobar", "0000000000", "1234567890abcdef", "abcdefghijkl",
}

// standsIn reports whether a value stands for a secret: a mask, a variable, an
// instruction to put one here.
func standsIn(v string) bool {
	v = v[:min(len(v), maxShape)]
	var folded [maxShape]byte
	for i := range len(v) {
		folded[i] = lower(v[i])
	}
	text := string(folded[:len(v)])
	for _, part := range standIns {
		// A word in mixed case is an accident of random letters.
		if i := strings.Index(text, part); i >= 0 && sameCase(v[i:i+len(part)]) {
			return true
		}
	}
	return false
}

// sameCase reports text whose letters are all small, all capital, or small behind
// a capital.
func sameCase(text string) bool {
	h := shape{}
	for i := range len(text) {
		if isLower(text[i]) {
			h.lowers++
		} else if isUpper(text[i]) && i > 0 {
			h.uppers++
		}
	}
	return h.lowers == 0 || h.uppers == 0
}

// template reports a value that something will be put in the place of.
func template(v string) bool {
	if v == "" {
		return true
	}
	first, last := v[0], v[len(v)-1]
	switch {
	case first == '<' || strings.HasPrefix(v, "&lt;") || strings.HasPrefix(v, "{&") || first == '{' && last == '}' || first == '[' && (last == ']' || name(v[1:])):
		return true
	case first == '$':
		return len(v) == 1 || v[1] == '{' || v[1] == '(' || v[1] == '_' || name(v[1:])
	case first == '%':
		return last == '%' || strings.HasPrefix(v, "%24") || len(v) <= 3 || v[1] == '(' || v[1] == '{'
	case first == '@':
		return last == '@' || strings.HasPrefix(v, "@@")
	}
	return strings.Contains(v, "${") || strings.Contains(v, "{{") || strings.Contains(v, "$(") || strings.Contains(v, "#{") ||
		strings.Contains(v, "<%") || strings.Contains(v, "%s")
}

// name reports an identifier as programs have it, without a random part.
func name(v string) bool {
	for i := range len(v) {
		if c := v[i]; c != '_' && !isLetter(c) && (i == 0 || !isDecimal(c)) {
			return false
		}
	}
	h := shapeOf(v)
	return len(v) < 6 || h.rate() < 95
}

// path reports a name of names: a.b.c, a/b/c, a::b, ./a, C:\a.
func path(v string) bool {
	if strings.HasPrefix(v, "./") || strings.HasPrefix(v, "../") || strings.HasPrefix(v, "~/") || strings.HasPrefix(v, "/") && wordy(v) {
		return true
	}
	if len(v) > 3 && v[1] == ':' && (v[2] == '\\' || v[2] == '/') || strings.Contains(v, "://") {
		return true
	}
	parts, start := 0, 0
	for i := 0; i <= len(v); i++ {
		if i < len(v) && strings.IndexByte("./:\\>-", v[i]) < 0 {
			continue
		}
		if p := v[start:i]; p != "" {
			if !name(p) && !number(p) {
				return false
			}
			parts++
		}
		start = i + 1
	}
	return parts > 1
}

// wordy reports text that costs no more than words and names with numbers.
func wordy(v string) bool {
	h := shapeOf(v)
	return h.rate() < 95
}

func number(v string) bool {
	for i := range len(v) {
		if !isDecimal(v[i]) {
			return false
		}
	}
	return len(v) > 0 && len(v) < 5
}

// kind is what a name promises.
type kind uint8

const (
	noKind       kind = iota
	passwordKind      // may be chosen by people, hence short and made of words
	tokenKind         // made at random
	weakKind          // names other things as often as secrets
)

// secretValue reports whether v, which a name of kind k introduces, is a
// secret. In quotes it is a string, otherwise it may be code; loose says that
// the link to the name is loose, as in prose.
func secretValue(k kind, v string, quoted, loose bool) bool {
	return looksSecret(k, v, quoted, loose) && !standsIn(v)
}

func looksSecret(k kind, v string, quoted, loose bool) bool {
	if strings.HasPrefix(v, "pk_live_") || strings.HasPrefix(v, "pk_test_") { // made to be published
		return false
	}
	if len(v) < 6 || loose && wordLike(v) || template(v) || strings.ContainsAny(v, " \t\n\r") {
		return false
	}
	if k == passwordKind && appPassword(v) {
		return true
	}
	if head := v[:min(len(v), maxHead)]; !quoted && code(head) || !identifier(v) && path(head) || encoded(head) {
		return false
	}
	h := shapeOf(v)
	if h.others*4 > h.size {
		return false
	}
	switch {
	case k == passwordKind && !loose:
		return chosen(&h, quoted) || random(&h, v)
	case k == passwordKind:
		return told(&h, v) && !strings.Contains(strings.ToLower(v), "password") || h.size >= 20 && random(&h, v) && (h.rate() >= 95 || hexadecimal(v))
	case k == tokenKind && !loose:
		return random(&h, v)
	}
	return h.size >= 20 && random(&h, v) && !encodedText(v) && !publicKey(v) && (h.lowers > 0 && h.uppers > 0 && h.digits > 0 && h.rate() >= 105 ||
		k == tokenKind && (hexadecimal(v) || h.digits > 0 && h.rate() >= 97))
}

// appPassword reports four groups of four random letters, as Apple makes
// passwords for programs.
func appPassword(v string) bool {
	if len(v) != 19 {
		return false
	}
	for i := range len(v) {
		if i%5 == 4 && v[i] != '-' || i%5 != 4 && !isLower(v[i]) {
			return false
		}
	}
	h := shapeOf(v)
	return h.rate() >= 95 && !h.monotone()
}

// told reports a password behind a loose link: one that looks like nothing else.
func told(h *shape, v string) bool {
	if h.digits == 0 || h.letters() == 0 || h.monotone() || h.joints*3 >= h.size {
		return false
	}
	return h.rate() >= 85 || firm(h, v)
}

// firm reports letters of both cases with digits, or a sign that hardly stands in
// anything but passwords.
func firm(h *shape, v string) bool {
	if h.size < 8 || h.digits == 0 || h.letters() == 0 || h.rate() < 60 {
		return false
	}
	return strings.ContainsAny(v, "!@#$%^*?~") || h.digits > 1 && h.rate() >= 72 && (h.lowers > 0 && h.uppers > 0 && h.joints == 0 || h.symbols > 0)
}

// spoken reports a password behind a verb or an arrow, where words about
// passwords stand as well.
func spoken(v string) bool {
	h := shapeOf(v)
	if code(v) {
		return false
	}
	if !strong(v) {
		return h.size >= 10 && h.size <= 64 && h.lowers > 1 && h.uppers > 1 && h.joints+h.others == 0 && h.rate() >= 105 && !standsIn(v)
	}
	return h.digits > 0 && !h.monotone() && (h.symbols > 0 || h.uppers > 0 || h.rate() >= 65) && !algorithm(v)
}

// algorithm reports a name from cryptography or of an encoding, which has digits
// as passwords have.
func algorithm(v string) bool {
	for _, a := range [...]string{"sha", "md5", "md4", "argon", "bcrypt", "scrypt", "pbkdf", "base64", "base32", "utf", "aes", "rsa", "iso", "oauth", "ntlm", "ed25519", "x25519", "hs256", "rs256", "blake"} {
		if hasPrefixFold(v, a) {
			return true
		}
	}
	return false
}

// wordLike reports a word, quickly: this is what mostly follows a name in prose.
func wordLike(v string) bool {
	for i := range len(v) {
		if c := v[i]; !isLower(c) && c != '-' && c != '_' {
			return false
		}
	}
	return len(v) < 20
}

// code reports an expression rather than a literal: a call, an index, an
// operator before a name, a number in hexadecimal, a string full of escapes.
func code(v string) bool {
	if i := strings.IndexAny(v, "([{"); i >= 0 && called(strings.TrimLeft(v[:i], "!*&-"), v[i+1:]) {
		return true
	}
	if v[0] == '[' {
		return true
	}
	if bare := strings.TrimLeft(v, "&*+.!-@"); bare != v && (name(bare) || path(bare)) {
		return true
	}
	return strings.Contains(v, "->") || strings.Contains(v, "::") || strings.Contains(v, "&&") || strings.Contains(v, "||")
}

// called reports a name in front of a bracket: a call, an index, a literal.
func called(ident, inner string) bool {
	for i := range len(ident) {
		if c := ident[i]; !isLetter(c) && c != '_' && c != '.' && (i == 0 || !isDecimal(c)) {
			return false
		}
	}
	if inner != "" && number(strings.TrimRight(inner, ")")) && len(ident) > 3 {
		return true // a call with a number, a type with a length
	}
	return len(ident) > 3 && name(ident) || ident != "" && (inner == "" || isLetter(inner[0]) || strings.IndexByte(")]}_\"'&*", inner[0]) >= 0)
}

// encoded reports a number, bytes or a pattern as programs write them.
func encoded(v string) bool {
	return strings.Count(v, `\`) > 1 && (strings.Contains(v, `\x`) || strings.Contains(v, `\u`) || strings.Contains(v, `\0`)) ||
		strings.Contains(v, "[0-9") || strings.Contains(v, "[a-z") || strings.Contains(v, "[A-Z") || strings.Contains(v, `\d`) && strings.Contains(v, "{") ||
		len(v) < 20 && hasPrefixFold(v, "0x") && !strings.ContainsFunc(v[2:], func(r rune) bool { return r > 'f' || r != '_' && !isHex(byte(r)) })
}

// chosen reports what somebody may have chosen as a password.
func chosen(h *shape, quoted bool) bool {
	least := 8
	if quoted || h.digits > 0 && h.letters() > 0 && h.joints == 0 && h.rate() >= 70 {
		least = 6
	}
	switch {
	case h.size < least || h.monotone() && h.digits < h.size:
		return false
	case h.letters() == 0:
		return h.digits >= 6 && h.digits == h.size || h.symbols+h.digits >= 8 && h.digits >= 4 && h.joints == 0
	case h.symbols > 0:
		return h.digits > 0 || h.rate() >= 80
	case h.digits > 0:
		return h.joints == 0 && (quoted || h.rate() >= 70 || h.rate() >= 60 && h.lowers > 0 && h.uppers > 0 && h.digits > 2) || h.rate() >= 88
	case h.lowers > 0 && h.uppers > 0 && h.joints == 0 && h.size >= 10:
		return h.rate() >= 100
	}
	return h.size >= 12 && h.rate() >= 105
}

// random reports what a machine may have made at random.
func random(h *shape, v string) bool {
	switch {
	case h.size < 16 || h.monotone():
		return false
	case identifier(v) || hexadecimal(v):
		return true
	case h.digits == 0 && (h.size < 20 || h.uppers == 0 || h.lowers == 0):
		return h.size >= 20 && h.rate() >= 115
	case h.symbols > 4 && h.symbols*3 > h.size:
		return false
	}
	return h.rate() >= 95 || h.rate() >= 85 && h.lowers > 1 && h.uppers > 1 && h.digits > 2 && h.joints+h.symbols == 0
}

// identifier reports a UUID.
func identifier(v string) bool {
	if len(v) != 36 || v[8] != '-' || v[13] != '-' || v[18] != '-' || v[23] != '-' {
		return false
	}
	for i := range len(v) {
		if !isHex(v[i]) && v[i] != '-' {
			return false
		}
	}
	return true
}

// hexadecimal reports at least 20 hexadecimal digits, letters among them.
func hexadecimal(v string) bool {
	letters := 0
	if len(v) > 40 && v[0] == '0' && v[1] == 'x' {
		v = v[2:]
	}
	for i := range len(v) {
		if !isHex(v[i]) {
			return false
		}
		if !isDecimal(v[i]) {
			letters++
		}
	}
	return len(v) >= 20 && letters > 0 && letters < len(v)
}

// publicKey reports a public key in base64: DER (RFC 5280) or OpenSSH.
func publicKey(v string) bool {
	for _, head := range [...]string{"MFkwEw", "MIIBIj", "MIICIj", "MIGfMA", "MCowBQ", "MHYwEA", "MIGbMB", "AAAAB3", "AAAAC3", "AAAAE2"} {
		if strings.HasPrefix(v, head) {
			return true
		}
	}
	return false
}

// encodedText reports plain text in base64.
func encodedText(v string) bool {
	plain, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(v[:min(len(v), maxValue)], "="))
	if err != nil {
		return false
	}
	for _, c := range plain {
		if (c < ' ' || c > '~') && c != '\n' {
			return false
		}
	}
	return true
}
