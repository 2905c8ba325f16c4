// What holds of any text: scrubbing twice changes nothing, UTF-8 stays valid,
// findings and output agree, streams and documents agree with whole texts.

package scrub

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// pieces are what hostile and ordinary texts are made of; tests and the corpora
// join them.
func pieces() []string {
	return []string{
		" ", "\n", "\r\n", "\t", "\"", "'", "`", "\\n", "\\\"", ":", "=", ": ", " = ", ".", ",", ";", "-", "--", "-----", "_", "/", "@", "://", "://bob:", "|", "(", ")", "[", "]", "<", ">", "{", "}", "%3D", "é", "密码", "пароль", "是", "\xff", "\u00a0",
		"password", "Password", "secret", "token", "api_key", "pw", "pass", "key", "auth", "Authorization: ", "Bearer ", "bearer ", "Basic ", "Digest ", "Cookie: ", "session=", "login ", "creds", "pin:", " is ", "value:", "-p ", "-u ", "echo ", "IDENTIFIED BY ", "set password for ", "default = ",
		"[REDACTED:", "[REDACTED:jwt]", "[REDACTED:password]", "]", "ey" + "J", "sk-", "sk-" + "ant-", "gh" + "p_", "AK" + "IA", "xo" + "xb-", "M", "-----" + "BEGIN ", "-----" + "END ", "PRIVATE KEY-----", "RSA ", "---- BEGIN ", "PuTTY-User-Key-File-2: ", "Private-Lines: 2\n", "_live_", "LS0tLS1CRUdJTi", "T3Blbk" + "FJ", "hooks.slack.com/services/", "https://",
		filler(5), filler(12), filler(20), filler(36), filler(64), "hunter2Xy!", "0123456789abcdef", "deadbeefcafe1234deadbeefcafe5678", "dXNlcjpwYXNzd29yZA==", "4821", "12345678", "your", "xxxx", "example", "${VAR}", "word", "the", "acme-", "zz9",
	}
}

func randomText(rng *rand.Rand, all []string, n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(all[rng.IntN(len(all))])
	}
	return b.String()
}

func mustNew(t testing.TB, o Options) *Scrubber {
	t.Helper()
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// scrubbers returns the settings that the properties are held against.
func scrubbers(t testing.TB) map[string]*Scrubber {
	return map[string]*Scrubber{
		"standard": mustNew(t, Options{}),
		"some off": mustNew(t, Options{Off: []string{"password", "private-key", "jwt"}}),
		"allowed":  mustNew(t, Options{Allow: []string{filler(20), "hunter2Xy!"}, AllowFunc: func(rule, secret string) bool { return strings.HasSuffix(secret, "J7k") }}),
		"custom": mustNew(t, Options{Custom: []Rule{
			{Name: "acme", Pattern: `acme-[a-z]+\w*`, Literals: []string{"acme-"}},
			{Name: "nines", Pattern: `zz(\d+)`, Group: 1},
		}}),
	}
}

// checkScrub holds a text against the properties.
func checkScrub(t *testing.T, name string, s *Scrubber, text string) {
	t.Helper()
	got, found := s.Scrub(text)
	var b strings.Builder
	pos := 0
	for _, f := range found {
		if f.Start < pos || f.End <= f.Start || f.End > len(text) {
			t.Fatalf("%s: %q: finding %+v behind %d", name, text, f, pos)
		}
		b.WriteString(text[pos:f.Start] + "[REDACTED:" + f.Label + "]")
		pos = f.End
	}
	if b.WriteString(text[pos:]); b.String() != got {
		t.Fatalf("%s: %q: findings lead to %q, the output is %q", name, text, b.String(), got)
	}
	if again, more := s.Scrub(got); again != got || len(more) > 0 {
		t.Fatalf("%s: %q became %q, and then %q", name, text, got, again)
	}
	if s.Has(text) != (len(found) > 0) || s.Has(got) {
		t.Fatalf("%s: %q: Has disagrees with Scrub", name, text)
	}
	if utf8.ValidString(text) && !utf8.ValidString(got) {
		t.Fatalf("%s: %q became invalid: %q", name, text, got)
	}
}

// TestP20Idempotence is the property for random texts of token pieces and
// placeholders.
func TestP20Idempotence(t *testing.T) {
	rng := rand.New(rand.NewPCG(20, 1))
	n, all := 60_000, pieces()
	if testing.Short() {
		n = 5_000
	}
	settings := scrubbers(t)
	for range n {
		text := randomText(rng, all, 1+rng.IntN(14))
		for name, s := range settings {
			checkScrub(t, name, s, text)
		}
	}
}

func TestGeneratedTwice(t *testing.T) {
	s := mustNew(t, Options{})
	for _, e := range generated(2) {
		checkScrub(t, e.id, s, e.text)
	}
}

func FuzzScrub(f *testing.F) {
	seed(f, func(text string) { f.Add(text) })
	settings := scrubbers(f)
	f.Fuzz(func(t *testing.T, text string) {
		for name, s := range settings {
			checkScrub(t, name, s, text)
		}
	})
}

// seed adds texts of pieces to the corpus that is in testdata.
func seed(f *testing.F, add func(text string)) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range 40 {
		add(randomText(rng, pieces(), 8))
	}
}

// checkStream holds a stream, cut at random, against the whole text.
func checkStream(t *testing.T, s *Scrubber, text string, reach int, sizes func() int) {
	t.Helper()
	want, found := s.Scrub(text)
	var b strings.Builder
	var reported []Finding
	w := s.NewWriter(&b)
	w.stream.reach = reach
	w.Report = func(f Finding) { reported = append(reported, f) }
	for rest := text; rest != ""; {
		n := min(len(rest), sizes())
		if _, err := w.Write([]byte(rest[:n])); err != nil {
			t.Fatal(err)
		}
		rest = rest[n:]
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if b.String() != want {
		t.Fatalf("%q: the stream gives %q, the whole %q", text, b.String(), want)
	}
	if len(reported) != len(found) {
		t.Fatalf("%q: the stream finds %v, the whole %v", text, reported, found)
	}
	for i := range found {
		if reported[i] != found[i] {
			t.Fatalf("%q: finding %d: %v, want %v", text, i, reported[i], found[i])
		}
	}
}

func FuzzStream(f *testing.F) {
	seed(f, func(text string) { f.Add(text, uint16(300), uint16(11)) })
	s := mustNew(f, Options{})
	f.Fuzz(func(t *testing.T, text string, repeat, size uint16) {
		if len(text) == 0 || len(text) > 1000 {
			return
		}
		// Lines of less than the reach, repeated beyond what a stream holds.
		line := strings.ReplaceAll(text, "-----", "--") + "\n"
		checkStream(t, s, strings.Repeat(line, min(int(repeat), 400_000/len(line))), MaxSecret, func() int { return int(size) + 1 })
	})
}

func FuzzJSON(f *testing.F) {
	rng := rand.New(rand.NewPCG(9, 9))
	for range 40 {
		f.Add([]byte(randomDocument(rng, pieces(), 3)))
	}
	settings := scrubbers(f)
	f.Fuzz(func(t *testing.T, raw []byte) {
		for name, s := range settings {
			checkJSON(t, name, s, raw)
		}
	})
}

func checkJSON(t *testing.T, name string, s *Scrubber, raw []byte) {
	t.Helper()
	got, found, err := s.JSON(raw)
	if valid := json.Valid(raw); valid != (err == nil) || err != nil && !errors.Is(err, ErrJSON) {
		t.Fatalf("%s: %q: valid %v, error %v", name, raw, valid, err)
	}
	if err != nil {
		return
	}
	if !json.Valid(got) {
		t.Fatalf("%s: %q became %q, which isn't JSON", name, raw, got)
	}
	for _, x := range found {
		if x.Start < 0 || x.End <= x.Start || x.End > len(raw) {
			t.Fatalf("%s: %q: finding %+v", name, raw, x)
		}
	}
	again, more, err := s.JSON(got)
	if err != nil || string(again) != string(got) || len(more) > 0 {
		t.Fatalf("%s: %q became %q, and then %q (%v)", name, raw, got, again, err)
	}
}

// randomDocument returns JSON made of pieces.
func randomDocument(rng *rand.Rand, all []string, depth int) string {
	text := func() string {
		b, err := json.Marshal(randomText(rng, all, 1+rng.IntN(4)))
		if err != nil {
			panic(err)
		}
		return string(b)
	}
	var b strings.Builder
	switch kind := rng.IntN(4); {
	case depth == 0 || kind == 0:
		return []string{text(), text(), text(), "1.50", "null", "true", "-0e5"}[rng.IntN(7)]
	case kind == 1:
		b.WriteString("[")
		for i := range rng.IntN(4) {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(randomDocument(rng, all, depth-1))
		}
		b.WriteString("]")
	default:
		b.WriteString("{")
		for i := range rng.IntN(4) {
			if i > 0 {
				b.WriteString(",")
			}
			key := []string{`"password"`, `"token"`, `"name"`, `"value"`, `"id"`, text()}[rng.IntN(6)]
			b.WriteString(key + ":" + randomDocument(rng, all, depth-1))
		}
		b.WriteString("}")
	}
	return b.String()
}

func TestRandomDocuments(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	settings, n := scrubbers(t), 20_000
	if testing.Short() {
		n = 2_000
	}
	for range n {
		raw := randomDocument(rng, pieces(), 3)
		for name, s := range settings {
			checkJSON(t, name, s, []byte(raw))
		}
	}
}
