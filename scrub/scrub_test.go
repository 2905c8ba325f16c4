// The reference's observable behaviours (rows 92 to 105), its overlap examples,
// and the field cases P17, P19 and P20. Test secrets are put together at run
// time, so that this file holds none.

package scrub

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

func awsKey(n int) string       { return "AK" + "IA" + strings.ToUpper(filler(n)) }
func anthropicKey(n int) string { return "sk-" + "ant-" + filler(n) }
func projectKey(n int) string   { return "sk-" + "proj-" + filler(n) }
func slackToken(n int) string   { return "xo" + "xb-" + filler(n) }
func webToken() string          { return webTokenPart() + "." + filler(30) + "." + filler(20) }
func webTokenPart() string      { return "ey" + "J" + filler(20) }
func legacyKey(marker string) string {
	return "sk" + "-" + filler(20) + marker + filler(20)
}
func discordToken(first string) string {
	return first + filler(23) + "." + filler(6) + "." + filler(27)
}
func pem(kind, newline string) string {
	return pemHead(kind) + newline + filler(64) + newline + filler(40) + "==" + newline + "-----" + "END " + kind + "PRIVATE KEY-----"
}
func pemHead(kind string) string { return "-----" + "BEGIN " + kind + "PRIVATE KEY-----" }

const marker = "T3Blbk" + "FJ"

// redacted returns what stands in the place of a secret.
func redacted(label string) string { return "[REDACTED:" + label + "]" }

func TestFormats(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"94 aws key of 16", "key=" + awsKey(16) + " end", "key=" + redacted("aws-key") + " end"},
		{"94 aws key of 15", "key=" + awsKey(15) + " end", ""},
		{"94 aws key of 17", "key=" + awsKey(17) + " end", ""},
		{"94 aws key inside a word", "X" + awsKey(16), ""},
		{"95 github token of 36", githubToken(36), redacted("github-token")},
		{"95 github token of 35", githubToken(35), ""},
		{"95 github token of 255", githubToken(255), redacted("github-token")},
		{"95 github token of 256", githubToken(256), ""},
		{"96 anthropic key of 20", "use " + anthropicKey(20) + ".", "use " + redacted("anthropic-key") + "."},
		{"96 anthropic key of 19", "use " + anthropicKey(19) + ".", ""},
		{"97 openai legacy key", legacyKey(marker), redacted("openai-key")},
		{"97 openai legacy key, other marker", legacyKey("T3Blbk" + "FX"), ""},
		{"98 openai project key of 20", projectKey(20), redacted("openai-key")},
		{"98 openai project key of 19", projectKey(19), ""},
		{"99 slack token of 10", slackToken(10), redacted("slack-token")},
		{"99 slack token of 9", slackToken(9), ""},
		{"100 discord token", discordToken("M"), redacted("discord-token")},
		{"100 discord token, other first letter", discordToken("K"), ""},
		{"101 private key", "a\n" + pem("RSA ", "\n") + "\nb", "a\n" + redacted("private-key") + "\nb"},
		{"101 private key without END", "a\n" + pemHead("RSA ") + "\n" + filler(60), "a\n" + redacted("private-key")},
		{"101 begin and end of two types", pemHead("EC ") + "\n" + filler(9) + pem("", "\n"), redacted("private-key")},
		{"102 jwt", webToken(), redacted("jwt")},
		{"102 jwt of two segments", webTokenPart() + "." + filler(30), ""},
		{"103 bearer token of 25", "Bearer " + filler(25), redacted("generic-bearer")},
		{"103 bearer token of 10", "Bearer " + filler(10), ""},
		{"104 two secrets", awsKey(16) + " and " + githubToken(36), redacted("aws-key") + " and " + redacted("github-token")},
		{"every github kind", "gh" + "o_" + filler(36) + " gh" + "u_" + filler(36) + " gh" + "x_" + filler(36),
			redacted("github-token") + " " + redacted("github-token") + " gh" + "x_" + filler(36)},
		{"trailing hyphens stay", anthropicKey(20) + "---", redacted("anthropic-key") + "---"},
		{"hyphens inside", slackToken(5) + "-" + filler(5) + "-", redacted("slack-token") + "-"},
		{"padding is taken", "bearer " + filler(20) + "== x", redacted("generic-bearer") + " x"},
		{"keyword in any case", "BEARER\t" + filler(20), redacted("generic-bearer")},
		{"keyword and newline", "authorization:\n" + filler(20), redacted("generic-bearer")},
		{"authorization and bearer", "Authorization: Bearer " + filler(25), "Authorization: " + redacted("generic-bearer")},
		{"specific rule first", "Bearer " + webToken(), "Bearer " + redacted("jwt")},
		{"bearer and equal sign", "bearer=" + filler(25), ""},
		{"two private keys", pem("RSA ", "\n") + "\n" + pem("", "\n"), redacted("private-key") + "\n" + redacted("private-key")},
		{"a key in a private key", pemHead("") + "\n" + awsKey(16) + "\n" + "-----" + "END PRIVATE KEY-----", redacted("private-key")},
		{"a key beside a private key", awsKey(16) + pem("", "\n"), redacted("aws-key") + redacted("private-key")},
		{"a token in a token", anthropicKey(20) + "-" + githubToken(36), redacted("anthropic-key")},
		{"an end marker in a token", pemHead("") + "\n" + filler(64) + " " + slackToken(10) + "-----" + "END PRIVATE KEY----- rest", redacted("private-key") + " rest"},
		{"public key", "-----" + "BEGIN PUBLIC KEY-----\n" + filler(64) + "\n-----" + "END PUBLIC KEY-----", ""},
		{"border of another script", "é" + awsKey(16) + " " + awsKey(16) + "é", ""},
		{"beside ideographs", "密钥" + awsKey(16) + "，好", "密钥" + redacted("aws-key") + "，好"},
		{"full-width stop", "密钥:" + awsKey(16) + "。", "密钥:" + redacted("aws-key") + "。"},
		{"accent after a hyphen", slackToken(10) + "-é", redacted("slack-token") + "é"},
		{"digits of another script", "M" + filler(22) + "٣." + filler(6) + "." + filler(27), redacted("discord-token")},
		{"letters of another script", "M" + filler(23) + ".αβγδεζ." + filler(27), redacted("discord-token")},
		{"invalid byte is a border", "\xff" + awsKey(16) + "\xff", "\xff" + redacted("aws-key") + "\xff"},
		{"start and end of text", awsKey(16), redacted("aws-key")},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		want := tt.want
		if want == "" {
			want = tt.text
		}
		got, findings := Scrub(tt.text)
		if got != want {
			t.Errorf("%s: got %q, want %q", tt.name, got, want)
		}
		if n := strings.Count(want, "[REDACTED:"); n != len(findings) {
			t.Errorf("%s: %d findings, want %d", tt.name, len(findings), n)
		}
		if again, more := Scrub(got); again != got || more != nil {
			t.Errorf("%s: scrubbed twice %q, findings %v", tt.name, again, more) // 105
		}
	}
}

// TestRules is row 92: every rule is well formed.
func TestRules(t *testing.T) {
	names := make(map[string]bool)
	for _, r := range builtinRules() {
		if names[r.Name] {
			t.Errorf("two rules are called %s", r.Name)
		}
		names[r.Name] = true
		if !validLabel(r.Name) || !validLabel(r.Label) || r.Description == "" || len(r.anchors) == 0 || r.matcher == nil {
			t.Errorf("%s is incomplete", r.Name)
		}
		for _, a := range r.anchors {
			if r.fold && a != strings.ToLower(a) {
				t.Errorf("%s: folded anchor %q isn't in lower case", r.Name, a)
			}
		}
		m, ok := r.matcher.(*token)
		if !ok {
			continue
		}
		for i, e := range m.rest {
			if (e.set == nil) == (e.literal == "") {
				t.Errorf("%s: element %d is neither a literal nor a run", r.Name, i)
			}
			if e.set != nil && e.max == 0 && i+1 < len(m.rest) && begins(m.rest[i+1], e.set) {
				t.Errorf("%s: run %d may swallow what follows it", r.Name, i)
			}
		}
	}
	for _, label := range strings.Fields("aws-key github-token anthropic-key openai-key slack-token discord-token private-key jwt generic-bearer") {
		if !slices.ContainsFunc(builtinRules(), func(r rule) bool { return r.Label == label }) {
			t.Errorf("no rule has the label %s", label)
		}
	}
}

// begins reports whether e can begin with a character of s (ASCII is enough,
// the sets beyond it are the same or empty).
func begins(e element, s *set) bool {
	for c := range byte(0x80) {
		if s.next(string(rune(c))) == 0 {
			continue
		}
		if e.set != nil && e.set.next(string(rune(c))) > 0 || e.literal != "" && e.literal[0] == c {
			return true
		}
	}
	return false
}

// TestUnchanged is row 93: disabled, or no match, returns the input itself.
func TestUnchanged(t *testing.T) {
	secret := "key " + awsKey(16)
	off, err := New(Options{Disabled: true})
	if err != nil {
		t.Fatal(err)
	}
	if got, found := off.Scrub(secret); !same(got, secret) || found != nil {
		t.Errorf("disabled: %q, %v", got, found)
	}
	clean := strings.Clone("nothing to hide, not even " + awsKey(15))
	if got, found := Scrub(clean); !same(got, clean) || found != nil {
		t.Errorf("no match: %q, %v", got, found)
	}
}

func same(a, b string) bool {
	return len(a) == len(b) && unsafe.StringData(a) == unsafe.StringData(b)
}

func TestFindings(t *testing.T) {
	text := "é " + githubToken(40) + " then Bearer " + filler(30) + " and " + awsKey(16)
	got, findings := Scrub(text)
	want := []struct{ label, rule, secret string }{
		{"github-token", "github-token", githubToken(40)},
		{"generic-bearer", "bearer-token", "Bearer " + filler(30)},
		{"aws-key", "aws-access-key-id", awsKey(16)},
	}
	if len(findings) != len(want) {
		t.Fatalf("%d findings, want %d", len(findings), len(want))
	}
	rebuilt, pos := "", 0
	for i, f := range findings {
		if f.Label != want[i].label || f.Rule != want[i].rule || text[f.Start:f.End] != want[i].secret {
			t.Errorf("finding %d: %+v is %q, want %+v", i, f, text[f.Start:f.End], want[i])
		}
		rebuilt += text[pos:f.Start] + redacted(f.Label)
		pos = f.End
	}
	if rebuilt += text[pos:]; rebuilt != got {
		t.Errorf("the findings lead to %q, the text is %q", rebuilt, got)
	}
}

func TestP17PrivateKeyForms(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"lines", "k: " + pem("RSA ", "\n") + "\nend", "k: " + redacted("private-key") + "\nend"},
		{"carriage returns", pem("EC ", "\r\n") + "\r\nend", redacted("private-key") + "\r\nend"},
		{"JSON", `{"key":"` + pem("", `\n`) + `\n","x":1}`, `{"key":"` + redacted("private-key") + `\n","x":1}`},
		{"blanks", "k: " + pem("OPENSSH ", " ") + " end", "k: " + redacted("private-key") + " end"},
		{"truncated", "k: " + pemHead("RSA ") + "\n" + filler(300), "k: " + redacted("private-key")},
		{"truncated, escaped", `"` + pemHead("RSA ") + `\n" + "` + filler(30), `"` + redacted("private-key")},
		{"truncated, encrypted", pemHead("RSA ") + "\nProc-Type: 4,ENCRYPTED\nDEK-Info: x", redacted("private-key")},
		{"indented", "k: |\n  " + pem("RSA ", "\n  ") + "\nend", "k: |\n  " + redacted("private-key") + "\nend"},
		{"quoted", "> " + pem("EC ", "\n> ") + "\n> end", "> " + redacted("private-key") + "\n> end"},
		{"added", "+" + pem("EC ", "\n+") + "\n+end", "+" + redacted("private-key") + "\n+end"},
		{"escaped twice", pem("", `\\n`) + `\\n`, redacted("private-key") + `\\n`},
		{"escaped carriage returns", pem("", `\r\n`), redacted("private-key")},
		{"one line of base64", pemHead("") + filler(200) + "-----" + "END PRIVATE KEY-----", redacted("private-key")},
		{"in an address", strings.ReplaceAll(pem("", "%0A"), " ", "%20") + "&x=1", redacted("private-key") + "&x=1"},
		{"joined strings", `"` + pem("RSA ", `\n" +`+"\n  \"") + `";`, `"` + redacted("private-key") + `";`},
		{"truncated and quoted", "> " + pemHead("RSA ") + "\n> " + filler(64) + "\n> " + filler(64) + "\n\nThanks for looking", "> " + redacted("private-key") + "\n\nThanks for looking"},
		{"truncated before prose", pemHead("") + "\n" + filler(64) + "\n" + filler(64) + "\nand so on, you get it", redacted("private-key") + "\nand so on, you get it"},
		{"truncated in the end marker", pemHead("") + "\n" + filler(64) + "\n-----EN", redacted("private-key")},
	}
	for _, tt := range tests {
		if got, _ := Scrub(tt.text); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestP19FalseAlarms(t *testing.T) {
	for _, text := range []string{
		"Enter the username/password combination.",
		"apiGroup: rbac.authorization.k8s.io",
		"commit 9c2f1d84e07b5a6633d1f0c4be2a97d85e61f3ab",
		"id 6f1c8a52-3b9d-4e07-a1c4-52d8e9f0b7a3",
		"Bearer of bad news arrived yesterday evening",
		"NASA.gov and Monday.com, e.g. U.S.A. and Mr. Nobody",
		"the task-antenna sk-ip sk-8 boots, xoxo-hugs",
		"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
		"Authorization: required",
		"The file begins with " + pemHead("RSA ") + " and you must never share what follows.",
	} {
		if got, found := Scrub(text); got != text || found != nil {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestP20PlaceholdersAreNoSecrets(t *testing.T) {
	var b strings.Builder
	for _, r := range builtinRules() {
		for _, form := range []string{"%s", "bearer %s", "authorization: %s", "key=%s", "%[1]s%[1]s"} {
			fmt.Fprintf(&b, form+"\n", redacted(r.Label))
		}
	}
	if got, found := Scrub(b.String()); found != nil {
		t.Errorf("placeholders became %q", got)
	}
}

// TestNearMisses are tokens a character short or of a prefix that doesn't exist.
func TestNearMisses(t *testing.T) {
	for _, text := range []string{
		"lin" + "_api_" + filler(20), "sk-" + "or-v1-" + strings.Repeat("48233bc7cd", 5), "npm" + "_" + filler(35), "hf" + "_" + filler(25), "gsk" + "_" + filler(30),
		"dop" + "_v1_" + strings.Repeat("48233bc7c", 7), "shpat" + "_" + strings.Repeat("48233bc7cd", 3), "xo" + "xz-" + filler(20), "SK" + strings.Repeat("48233bc7cd", 3), "gh" + "a_" + filler(36), "eyJ" + filler(20) + "." + filler(20),
	} {
		for _, form := range []string{"%", "ref % end", "see %."} {
			if got, found := Scrub(strings.Replace(form, "%", text, 1)); found != nil {
				t.Errorf("%s became %s", text, got)
			}
		}
	}
}

// TestPlainTokens are tokens of the reference's formats whose characters count up
// or are all the same: its rows redact them.
func TestPlainTokens(t *testing.T) {
	for _, run := range []string{strings.Repeat("a", 60), "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", strings.Repeat("0123456789", 6), strings.Repeat("aB1", 20)} {
		for _, text := range []string{
			"AK" + "IA" + strings.ToUpper(run[:16]), "gh" + "p_" + run[:36], "sk-" + "ant-" + run[:20], "sk-" + run[:20] + marker + run[:20], "sk-" + "proj-" + run[:20], "xo" + "xb-" + run[:10],
			"M" + run[:23] + "." + run[:6] + "." + run[:27], "ey" + "J" + run[:10] + "." + run[:10] + "." + run[:10], "Bearer " + run[:25], "authorization: " + run[:25],
		} {
			if got, found := Scrub("a " + text + " b"); len(found) != 1 || left(got, text) {
				t.Errorf("%q became %q", text, got)
			}
		}
	}
}
