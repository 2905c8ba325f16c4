package main

// This file tests that scrub passes everything else through, and that the command
// itself shows and leaves no secret.

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

// secretOf returns a token that looks like none of anybody's.
func secretOf(seed uint64) string {
	const set = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789"
	rng := rand.New(rand.NewPCG(seed, 5))
	b := make([]byte, 36)
	for i := range b {
		b[i] = set[rng.IntN(len(set))]
	}
	return "ghp_" + string(b)
}

func TestScrubPassesEverythingElse(t *testing.T) {
	r := newRig(t)
	rng := rand.New(rand.NewPCG(1, 1))
	noise := make([]byte, 1<<20)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	for name, text := range map[string]string{
		"nothing": "", "a NUL": "a\x00b", "invalid": "\xff\xfe\x80 x \xc3", "no line break": "x", "carriage returns": "a\r\n\r\nb\r",
		"noise": string(noise), "long": strings.Repeat("word ", 1<<17), "marks": "\ufeffx\u202e",
	} {
		if o := r.run(text, "scrub"); o.out != text || o.err != "" || o.code != exitOK {
			t.Errorf("%s: exit %d, %d of %d bytes, %q", name, o.code, len(o.out), len(text), o.err)
		}
		with := text + "\n" + secretOf(1) + "\n" + text
		if o := r.run(with, "scrub"); o.out != text+"\n[REDACTED:github-token]\n"+text || o.err != "contextforge: secrets were redacted: github-token (1)\n" {
			t.Errorf("%s with a secret: %d bytes, %q", name, len(o.out), o.err)
		}
		file := r.path("file")
		if err := os.WriteFile(file, []byte(with), 0o600); err != nil {
			t.Fatal(err)
		}
		if o := r.run("", "scrub", "--check", file); o.code != exitSecrets || !strings.HasPrefix(o.out, "bytes ") {
			t.Errorf("%s: exit %d, %q", name, o.code, o.out)
		}
	}
	// Stdin arrives bit by bit.
	var out, errs bytes.Buffer
	in := iotest.OneByteReader(strings.NewReader("x " + secretOf(2) + " y"))
	if code := r.app(in, &out, &errs).run(t.Context(), []string{"scrub", "-"}); code != exitOK || out.String() != "x [REDACTED:github-token] y" {
		t.Errorf("bit by bit: exit %d, %q", code, out.String())
	}
}

func TestScrubLists(t *testing.T) {
	r := newRig(t)
	rules := r.path("rules.toml")
	if err := os.WriteFile(rules, []byte("[[rule]]\nname = \"badge\"\npattern = 'BDG-[0-9]{6}'\nliterals = [\"BDG-\"]\ndescription = \"a badge\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	list := r.must("", "scrub", "--list", "--rules", rules, "--off", "slack-token", "--json")
	for _, want := range []string{`{"name":"badge","label":"badge","description":"a badge"}`, `"label":"github-token"`} {
		if !strings.Contains(list, want+"\n") && !strings.Contains(list, want+",") {
			t.Errorf("%s is not in the list", want)
		}
	}
	if strings.Contains(list, "slack-token") {
		t.Error("what is off is in the list")
	}
	if plain := r.must("", "scrub", "--list"); strings.Count(plain, "\n") < 100 || !strings.HasPrefix(plain, "private-key  ") {
		t.Errorf("the list begins %.200s", plain)
	}
	r.fails(exitUsage, "--no-scrub leaves nothing to do", "", "scrub", "--no-scrub")
}

func TestScrubStops(t *testing.T) {
	r := newRig(t)
	var out, errs bytes.Buffer
	in, _ := io.Pipe()
	if code := r.app(in, &out, &errs).run(cancelled(), []string{"scrub"}); code != exitInterrupted {
		t.Errorf("exit %d, %s", code, errs.String())
	}
	broken := iotest.ErrReader(os.ErrDeadlineExceeded)
	if code := r.app(broken, &out, &errs).run(t.Context(), []string{"scrub"}); code != exitError {
		t.Errorf("a broken source: exit %d", code)
	}
}

// TestStderrShowsNoSecret: errors quote what was typed and read.
func TestStderrShowsNoSecret(t *testing.T) {
	r := newRig(t)
	r.must("", "save", "x", "--id", "a")
	secret := secretOf(3)
	aws := "AKIA" + strings.ToUpper(secretOf(4)[4:20])
	for _, run := range []struct {
		stdin string
		args  []string
	}{
		{"", []string{secret}}, {"", []string{"get", secret}}, {"", []string{"list", "--since", secret}}, {"", []string{"save", "x", "--metadata", secret}},
		{"", []string{"list", "--metadata", secret}}, {"", []string{"count", secret}}, {"", []string{"save", "x", "--scope", secret}},
		{"", []string{"save", "x", "--config", "/none/" + secret}}, {"", []string{"query", "x", "--limit", secret}}, {"", []string{"--" + secret}},
		{"", []string{"delete", secret, "-v"}}, {"", []string{"query", "no " + secret, "-v"}}, {"", []string{"export", "/none/" + secret}},
		{aws + "\n" + secret + "\n{\"" + secret + "\n{\"content\":1,\"" + secret + "\":2}\n{\"content\":\"x\",\"timestamp\":\"" + secret + "\"}\n[\"" + secret + "\"]", []string{"import", "-v"}},
		{`{"content":"x","id":"` + secret + `"}` + "\n" + `{"content":"y","kind":"` + secret + `","timestamp":"2026-13-01T00:00:00 ` + secret + `"}`, []string{"import"}},
		{"User: " + secret, []string{"distill", "--dry-run"}}, {"", []string{"analyze", "--scope", secret}}, {"", []string{"get", "a", "--no-scrub", secret}},
		{"", []string{"lexicon", "explain", "--lexicon", "/none/" + secret}}, {"", []string{"embed", "--embedder", secret, "x"}},
	} {
		o := r.run(run.stdin, run.args...)
		for _, s := range []string{secret, secret[4:20], aws} {
			if strings.Contains(o.err, s) || strings.Contains(o.out, s) && run.args[0] != "delete" {
				t.Errorf("%q: exit %d, %s%s", run.args, o.code, o.out, o.err)
			}
		}
	}
}

// What an import takes aside while it waits can't be read from its file.
func TestSpoolIsEnciphered(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	text := strings.Repeat(`{"content":"`+secretOf(6)+`"}`+"\n", 5000)
	spooled, err := spool(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(temp, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%q, %v", files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil || len(data) != len(text) || bytes.Contains(data, []byte("content")) || bytes.Contains(data, []byte(secretOf(6))) {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	if back, err := io.ReadAll(spooled); err != nil || string(back) != text {
		t.Errorf("%d bytes came back, %v", len(back), err)
	}
	if err := spooled.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(files[0]); !os.IsNotExist(err) {
		t.Errorf("it is still there: %v", err)
	}
}

// Metadata that was redacted is the same when it comes again, however it is escaped.
func TestImportAgainOfRedactedMetadata(t *testing.T) {
	r := newRig(t)
	token, err := json.Marshal(secretOf(7))
	if err != nil {
		t.Fatal(err)
	}
	in := `{"content":"x","timestamp":5,"metadata":{"k":` + string(token) + `,"e":"\u00e9"}}`
	if got := r.must(in, "import", "--json"); !strings.Contains(got, `"imported":1,`) || !strings.Contains(got, `"redacted":{"github-token":1}`) {
		t.Error(got)
	}
	if got := r.must(in, "import"); got != "imported 0, unchanged 1, skipped 0\n" {
		t.Error(got)
	}
}
