// What names promise: which identifiers name a secret, and of what kind.

package scrub

import (
	"strings"
	"sync"
)

// stem is a word that ends names of secrets.
type stem struct {
	text  string
	tails []string // what may follow within the word: pass-word, pass-phrase
	judge func(before, tail string) kind
}

// stems returns the stems. The name around one is judged by the last stem in it.
func stems() []stem {
	return []stem{
		{"pass", []string{"word", "wd", "phrase", "code", "wort", "ord", "key", "e", ""}, passKind},
		{"pwd", []string{""}, pwdKind},
		{"pw", []string{""}, pwdKind},
		{"psk", []string{""}, whole(passwordKind)},
		{"kennwort", []string{""}, always},
		{"senha", []string{""}, always},
		{"clave", []string{""}, whole(passwordKind)},
		{"wachtwoord", []string{""}, always},
		{"heslo", []string{""}, whole(passwordKind)},
		{"haslo", []string{""}, whole(passwordKind)},
		{"sifre", []string{""}, whole(passwordKind)},
		{"parola", []string{""}, whole(passwordKind)},
		{"losenord", []string{""}, always},
		{"adgangskode", []string{""}, always},
		{"kodeord", []string{""}, whole(passwordKind)},
		{"salasana", []string{""}, always},
		{"jelszo", []string{""}, whole(passwordKind)},
		{"lozinka", []string{""}, whole(passwordKind)},
		{"contrasena", []string{""}, always},
		{"kata sandi", []string{""}, always},
		{"secret", []string{""}, secretKind},
		{"token", []string{""}, namedTokenKind},
		{"key", []string{""}, keyKind},
		{"auth", []string{""}, whole(weakKind)},
		{"cred", []string{"entials", "ential", "s", ""}, whole(weakKind)},
		{"pat", []string{""}, patKind},
		{"sess", []string{"ionid", "ion", "id", ""}, whole(weakKind)},
		{"jwt", []string{""}, whole(tokenKind)},
	}
}

// foreignNames are words for a password that stand alone.
var foreignNames = [...]string{
	"contraseña", "Contraseña", "пароль", "Пароль", "пароля", "密码", "密碼", "口令", "暗証番号", "パスワード", "비밀번호", "암호", "şifre", "Şifre", "hasło", "Hasło",
	"lösenord", "Lösenord", "jelszó", "Jelszó", "mật khẩu", "Mật khẩu", "κωδικός", "Κωδικός", "סיסמה", "كلمة المرور", "كلمة السر", "رمز عبور", "รหัสผ่าน", "पासवर्ड", "slaptažodis",
}

// suffixes may follow the stem as words of their own.
var suffixes = [...]string{
	"prod", "production", "dev", "development", "test", "testing", "staging", "stage", "live", "sandbox", "local", "value", "plain", "plaintext",
	"plain_text", "cleartext", "raw", "text", "str", "string", "hex", "b64", "base64", "data", "primary", "secondary", "old", "new", "current",
	"previous", "main", "base", "admin", "root", "user", "confirm", "confirmation", "again", "repeat", "default", "env", "var", "id2", "ro", "rw",
}

// always accepts the stem wherever it stands.
func always(string, string) kind { return passwordKind }

// whole accepts the stem as a word of its own.
func whole(k kind) func(before, tail string) kind {
	return func(before, tail string) kind {
		if parted(before, tail) {
			return k
		}
		return noKind
	}
}

// parted reports whether a new word begins between before and what follows it:
// after a sign or a digit, or with the capital of a hump. first is the text from
// the stem on.
func parted(before, first string) bool {
	if before == "" || !isLetter(before[len(before)-1]) {
		return true
	}
	return first != "" && isUpper(first[0]) && isLower(before[len(before)-1])
}

// passKind judges names with pass, password, passphrase. The short form alone
// means many other things, the test report's PASS above all.
func passKind(before, name string) kind {
	short := len(name) < 6 || !isLetter(name[4]) || isUpper(name[4]) && isLower(name[3])
	switch {
	case !short:
		return passwordKind
	case !parted(before, name) && !glued(before):
		return noKind
	case before == "" && strings.HasPrefix(name, "PASS"):
		return weakKind
	}
	return passwordKind
}

// glued reports a beginning that is often written together with pass.
func glued(before string) bool {
	for _, b := range [...]string{"db", "user", "pg", "my", "root", "admin", "smtp", "mail", "ftp", "ssh", "ldap", "sql", "http", "redis", "mongo", "require", "store", "bind", "key"} {
		if strings.HasSuffix(strings.ToLower(before), b) {
			return true
		}
	}
	return false
}

func pwdKind(before, name string) kind {
	if !parted(before, name) && !glued(before) {
		return noKind
	}
	if strings.EqualFold(before, "old") {
		return noKind // the shell's last folder
	}
	return passwordKind
}

func secretKind(before, _ string) kind {
	if deny(before, "public", "no", "non", "not") {
		return noKind
	}
	return passwordKind
}

// namedTokenKind judges names with token; those of lists that are read in pages
// and of language models mean something else.
func namedTokenKind(before, _ string) kind {
	if deny(before, "page", "next", "continuation", "sync", "cursor", "eos", "bos", "pad", "unk", "mask", "special", "stop", "cls", "sep", "max", "min",
		"num", "per", "resume", "start", "end", "prev", "previous", "first", "last", "lex", "peek",
		"request", "idempotency", "action", "public") {
		return noKind
	}
	return tokenKind
}

// qualifiers make a secret of a key.
var qualifiers = [...]string{
	"api", "secret", "access", "private", "auth", "encryption", "encrypt", "signing", "sign", "master", "account", "shared", "app", "application",
	"consumer", "client", "admin", "deploy", "webhook", "subscription", "session", "jwt", "hmac", "aes", "service", "server", "licence", "license",
	"token", "crypto", "cipher", "write", "ingest", "ingestion", "registry", "functions", "function", "merchant", "bot", "storage", "root", "rest", "fernet",
	"decryption", "wrapping", "integration", "team", "workspace", "project", "security", "validator", "wallet", "seed", "host", "sdk", "cookie",
}

// keyKind judges names with key, most of which are keys of maps and tables.
func keyKind(before, name string) kind {
	if before == "" {
		return weakKind
	}
	if !parted(before, name) && !qualified(before) {
		return noKind
	}
	if deny(before, "public", "foreign", "primary", "sort", "partition", "cache", "row", "object", "s3", "map", "dict", "index", "group", "hash", "range",
		"routing", "idempotency", "translation", "i18n", "hot", "short", "shortcut", "pub", "unique", "composite", "config", "json", "registry_host", "integrity",
		"dedup", "socket", "publishable", "site", "client_public", "image", "file", "storage_object", "test_public") {
		return noKind
	}
	if qualified(before) {
		return tokenKind
	}
	return weakKind
}

func qualified(before string) bool {
	word := lastWord(before)
	for _, q := range qualifiers {
		if strings.HasSuffix(word, q) {
			return true
		}
	}
	return false
}

func patKind(before, name string) kind {
	switch {
	case !parted(before, name) || len(name) > 3 && isLetter(name[3]):
		return noKind
	case before == "":
		return weakKind
	}
	return tokenKind
}

// deny reports whether the last word of before is one of the words.
func deny(before string, words ...string) bool {
	last := lastWord(before)
	for _, w := range words {
		if last == w {
			return true
		}
	}
	return false
}

// lastWord returns the last word of a part of a name, in lower case.
func lastWord(before string) string {
	end := len(before)
	for end > 0 && !isLetter(before[end-1]) && !isDecimal(before[end-1]) {
		end--
	}
	start := end
	for start > 0 && (isLetter(before[start-1]) || isDecimal(before[start-1])) {
		start--
		if start > 0 && isUpper(before[start]) && isLower(before[start-1]) {
			break
		}
	}
	return strings.ToLower(before[start:end])
}

// kindOf judges a name that has the stem at its byte at.
func (st *stem) kindOf(name string, at int) kind {
	tail := name[at+len(st.text):]
	for _, t := range st.tails {
		if hasPrefixFold(tail, t) && suffixed(tail[len(t):]) {
			return st.judge(name[:at], name[at:])
		}
	}
	return noKind
}

// suffixed reports whether nothing follows the stem but words that don't change
// what it names.
func suffixed(rest string) bool {
	for rest != "" {
		n := 0
		for n < len(rest) && (rest[n] == '_' || rest[n] == '-' || rest[n] == '.') {
			n++
		}
		if n == 0 && !isUpper(rest[0]) && !isDecimal(rest[0]) {
			return false
		}
		rest = rest[n:]
		end := 0
		for end < len(rest) && (isDecimal(rest[end]) || isLetter(rest[end]) && (end == 0 || !isUpper(rest[end]) || !isLower(rest[end-1]))) {
			end++
		}
		if word := rest[:end]; word != "" && !number(word) && !suffix(strings.ToLower(word)) {
			return false
		}
		if end == 0 && n == 0 {
			return false
		}
		rest = rest[end:]
	}
	return true
}

func suffix(word string) bool {
	for _, s := range suffixes {
		if word == s {
			return true
		}
	}
	return false
}

// nameKind judges a whole name, as a key in JSON: by its last stem.
func nameKind(name string) kind {
	known := nameStems()
	if !known.mayName(name) {
		return noKind
	}
	lowered := strings.ToLower(name)
	if len(lowered) != len(name) {
		return noKind
	}
	best, bestAt := noKind, -1
	for i := range known.stems {
		st := &known.stems[i]
		if at := strings.LastIndex(lowered, st.text); at > bestAt {
			if k := st.kindOf(name, at); k != noKind {
				best, bestAt = k, at
			}
		}
	}
	for _, n := range foreignNames {
		if name == n {
			best = passwordKind
		}
	}
	return best
}

// stemIndex holds the stems, and which pairs of letters begin one.
type stemIndex struct {
	stems []stem
	pairs [26]uint32
}

var nameStems = sync.OnceValue(func() *stemIndex {
	x := &stemIndex{stems: stems()}
	for i := range x.stems {
		text := x.stems[i].text
		x.pairs[text[0]-'a'] |= 1 << (text[1] - 'a')
	}
	return x
})

// begins reports whether text begins with a stem.
func (x *stemIndex) begins(text string) bool {
	for i := range x.stems {
		if hasPrefixFold(text, x.stems[i].text) {
			return true
		}
	}
	return false
}

// mayName reports whether a name may hold a stem, or is no ASCII.
func (x *stemIndex) mayName(name string) bool {
	last := byte(0)
	for i := range len(name) {
		c := lower(name[i])
		if c >= 0x80 || isLower(last) && isLower(c) && x.pairs[last-'a']>>(c-'a')&1 != 0 && x.begins(name[i-1:]) {
			return true
		}
		last = c
	}
	return false
}
