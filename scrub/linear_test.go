// Time is linear in the length of the text, measured by how many characters the
// rules look at, on texts made to bring them to a crawl.

package scrub

import (
	"strings"
	"testing"
)

// workFor returns the characters that rules looked at for each byte of text.
func workFor(t *testing.T, text string) float64 {
	t.Helper()
	set := standard()
	s := newScan()
	s.reset(text)
	set.examine(s, nil)
	return float64(s.work) / float64(len(text))
}

func TestWorkIsLinear(t *testing.T) {
	parts := []string{
		"ey" + "J", "-----BEGIN ", "-----" + "BEGIN PRIVATE KEY-----", "-----" + "BEGIN PRIVATE KEY-----\n" + filler(64) + "\n", "-----END ", "sk-", "sk-" + "ant-", "password", "password=", "password: ", "password is ", "password\n", "password:\n", "token ", "key|", "secret->", "pw ",
		"AK" + "IA", "xo" + "xb-", "M", "M" + filler(23) + ".", "gh" + "p_", "://", "://a:", "://a:b@", "Bearer ", "bearer \t \n", "authorization:", "Authorization: Digest ", "Basic ", "digest ", "cookie:", "Cookie: a=b; ", "Set-Cookie: session=", "response=", "PuTTY-User-Key-File-", "Private-Lines:", "---- BEGIN ",
		"LS0tLS1CRUdJTi", "hooks.slack.com/services/", "https://hooks.slack.com/services/", "_live_", "a_live_", "a-us1", "0123456789abcdef-", "12345678:", "1/1234567890:", "[REDACTED:", "[REDACTED:jwt]", "=", ";a=", "\"", "\\", "\\n", "login ", "login: a:b", "creds ", "echo ", "echo a | ", "-u ", "-u a:b", "mysql ", "mysql -p",
		"sshpass -p ", "identified by '", "set password for ", "auth=('a',", "pin:", "net user ", ":5432:", "密码", "密码是", "пароль ", "variable \"password\" {\n", "password: |\n", "a.b.c.", "A3-", "Q~", ".atlasv1.", "AZDO", "JQQJ99", "+ASt", "0.", "sig=", "\"d\":\"", "/bot", "api key ", "value:", "<password>", "password (x): ", "export A=", "aB3", "convertto-securestring ",
	}
	const size = 1 << 16
	for _, p := range parts {
		for _, text := range []string{strings.Repeat(p, size/len(p)), strings.Repeat(p+filler(30), size/(len(p)+30)), strings.Repeat(p, size/2/len(p)) + strings.Repeat("a", size/2)} {
			small, large := workFor(t, text[:size/8]), workFor(t, text)
			if large > 800 || large > 64 && large > 2*small {
				t.Errorf("%q...: %.0f characters a byte, of an eighth %.0f", text[:min(40, len(text))], large, small)
			}
		}
	}
}
