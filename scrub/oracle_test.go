// The scrubber against a direct reading of its definition: ten regular
// expressions, each applied to the output of the one before. Go's regular
// expressions know only ASCII word borders, so the comparison is for ASCII.

package scrub

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

var oracleRules = []struct {
	label   string
	pattern *regexp.Regexp
}{
	{"aws-key", regexp.MustCompile(`\bAKIA[0-9A-Z]{16}\b`)},
	{"github-token", regexp.MustCompile(`\bgh[pousr]_[A-Za-z0-9]{36,255}\b`)},
	{"anthropic-key", regexp.MustCompile(`\bsk-ant-[A-Za-z0-9_-]{20,}\b`)},
	{"openai-key", regexp.MustCompile(`\bsk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}\b`)},
	{"openai-key", regexp.MustCompile(`\bsk-proj-[A-Za-z0-9_-]{20,}\b`)},
	{"slack-token", regexp.MustCompile(`\bxox[baprs]-[A-Za-z0-9-]{10,}\b`)},
	{"discord-token", regexp.MustCompile(`\b[MN][A-Za-z\d]{23,}\.[\w-]{6}\.[\w-]{27,}\b`)},
	{"private-key", regexp.MustCompile(`(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----(?:.*?-----END [A-Z ]*PRIVATE KEY-----|(?:[^A-Za-z0-9\\]|\\.)*(?:[A-Za-z0-9][A-Za-z0-9+/=]{15}|Proc-Type:|DEK-Info:).*)`)},
	{"jwt", regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\b`)},
	{"generic-bearer", regexp.MustCompile(`(?i)\b(?:bearer|authorization:)[ \t\n\v\f\r]+[A-Za-z0-9._~+/-]{20,}=*`)},
}

func oracle(text string) string {
	for _, r := range oracleRules {
		text = r.pattern.ReplaceAllString(text, redacted(r.label))
	}
	return text
}

// pieces are parts of secrets, of borders and of placeholders.
func pieces() []string {
	return []string{
		awsKey(16), awsKey(15), githubToken(36), githubToken(35), anthropicKey(20), anthropicKey(4), legacyKey(marker),
		projectKey(20), slackToken(10), slackToken(3), discordToken("N"), "M" + filler(23) + ".", filler(6) + ".", filler(27),
		pemHead(""), pemHead("RSA "), "-----" + "END PRIVATE KEY-----", pem("EC ", "\n"), "-----" + "BEGIN ", "-----" + "END ", "PRIVATE KEY-----",
		webToken(), webTokenPart(), "." + filler(10), "." + filler(10) + ".", "Bearer ", "authorization: ", "bearer", "=", "==",
		" ", " ", "-", "-", "_", ".", "\n", "x", "N", "Z", "[", "]", ":", "/", redacted("jwt"), redacted("generic-bearer"), "sk-", "gh" + "p_", "AK", "IA",
	}
}

// randomText joins up to n pieces.
func randomText(rng *rand.Rand, n int) string {
	all := pieces()
	var b strings.Builder
	for range 1 + rng.IntN(n) {
		b.WriteString(all[rng.IntN(len(all))])
	}
	return b.String()
}

func checkScrub(t *testing.T, text string) {
	t.Helper()
	got, findings := Scrub(text)
	if again, more := Scrub(got); again != got || len(more) > 0 {
		t.Errorf("not idempotent: %q -> %q -> %q", text, got, again)
	}
	if utf8.ValidString(text) && !utf8.ValidString(got) {
		t.Errorf("%q became invalid UTF-8: %q", text, got)
	}
	pos := 0
	for _, f := range findings {
		if f.Start < pos || f.End <= f.Start || f.End > len(text) || f.Label == "" || f.Rule == "" {
			t.Errorf("bad finding %+v after %d in %q", f, pos, text)
		}
		pos = f.End
	}
	if !isASCII(text) {
		return
	}
	if want := oracle(text); got != want {
		t.Errorf("%q\n got %q\nwant %q", text, got, want)
	}
}

func isASCII(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

func TestOracle(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	rounds := 20_000
	if testing.Short() {
		rounds = 2000
	}
	for range rounds {
		checkScrub(t, randomText(rng, 12))
		if t.Failed() {
			return
		}
	}
}

// TestUnicodeNeighbours puts pieces beside characters of other scripts.
func TestUnicodeNeighbours(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	around := []string{"é", "中", "。", "٣", "\u0301", "\u200d", "\u00a0", "🎉", "\xff", "‿", "ſ", "K"}
	for range 5000 {
		var b strings.Builder
		for range 1 + rng.IntN(6) {
			b.WriteString(around[rng.IntN(len(around))])
			b.WriteString(randomText(rng, 3))
		}
		checkScrub(t, b.String())
		if t.Failed() {
			return
		}
	}
}

func FuzzScrub(f *testing.F) {
	for _, p := range pieces() {
		f.Add(p)
	}
	f.Add("Bearer " + webToken() + "\n" + pem("RSA ", "\n") + awsKey(16) + "é")
	f.Fuzz(checkScrub)
}

// TestManySecrets checks sizes at which quadratic work would take minutes.
func TestManySecrets(t *testing.T) {
	const n = 20_000
	tests := []struct {
		name, piece string
		findings    int
	}{
		{"aws keys", awsKey(16) + " ", n},
		{"two kinds", awsKey(16) + " " + slackToken(10) + " ", 2 * n},
		{"anchors in one run", "ey" + "J-", 0},
		{"anchors in one run, second part", "a.ey" + "J-", 0},
		{"tokens in one run", slackToken(10) + "-", 1},
		{"heads without an end", pemHead("") + "\n", 0},
		{"heads and keys without an end", pemHead("") + "\n" + filler(64) + "\n", 1},
		{"heads before words", pemHead("") + " and " + strings.Repeat(" ", 40), 0},
		{"heads cut short", "-----" + "BEGIN A", 0},
		{"ends", "-----" + "END A", 0},
		{"capitals", "M", 0},
		{"capital words", "N M ", 0},
		{"keywords", "bearer ", 0},
		{"dashes", "-", 0},
		{"placeholders", redacted("generic-bearer"), 0},
	}
	for _, tt := range tests {
		_, found := Scrub(strings.Repeat(tt.piece, n))
		if len(found) != tt.findings {
			t.Errorf("%s: %d findings, want %d", tt.name, len(found), tt.findings)
		}
	}
	// The run before the last part is scanned from every anchor in it.
	text := strings.Repeat("-ey"+"J", n) + filler(10) + "." + strings.Repeat("a", 4*n) + " "
	if _, found := Scrub(text); len(found) != 0 {
		t.Errorf("a token of two parts has %d findings", len(found))
	}
}
