package main

// This file tests imports and exports: what gets in, what is reported, and that
// nothing is lost on the way out and back.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/contextforge-go/contextforge"
)

// contents returns what list finds, oldest first.
func (r *rig) contents() (out []string) {
	r.t.Helper()
	for line := range strings.Lines(r.must("", "export")) {
		var e contextforge.Entry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			r.t.Fatal(err)
		}
		out = append(out, e.Content)
	}
	return out
}

func TestImport(t *testing.T) {
	line := func(n int) string { return fmt.Sprintf(`{"content":"c%d","timestamp":%d}`, n, n) }
	for _, c := range []struct {
		name, in  string
		contents  string
		out, errs string
	}{
		{"P28 lines", line(1) + "\n" + line(2) + "\n", "c1 c2", "imported 2, unchanged 0, skipped 0", ""},
		{"P28 array", "[" + line(1) + "," + line(2) + "]", "c1 c2", "imported 2, unchanged 0, skipped 0", ""},
		{"P28 no last newline", line(1) + "\n" + line(2), "c1 c2", "imported 2, unchanged 0, skipped 0", ""},
		{"P28 two on a line", line(1) + line(2) + "\n" + line(3), "c1 c2 c3", "imported 3, unchanged 0, skipped 0", ""},
		{"P28 truncated line", line(1) + "\n{\"content\":\"c\n" + line(2), "c1 c2", "imported 2, unchanged 0, skipped 1",
			"line 2: a string isn't closed on its line"},
		{"P28 byte-order mark", "\uFEFF" + line(1), "c1", "imported 1, unchanged 0, skipped 0", ""},
		{"P28 CRLF", line(1) + "\r\n" + line(2) + "\r\n", "c1 c2", "imported 2, unchanged 0, skipped 0", ""},
		{"P28 everything at once", "\uFEFF" + line(1) + line(2) + "\r\n\r\n{\"content\":\r\nrubbish\r\n[" + line(3) + "]\n" + line(4)[:9], "c1 c2 c3",
			"imported 3, unchanged 0, skipped 3",
			"line 3: the object isn't closed\nline 4: \"rubbish\" is not JSON\nline 6: the text ends before the value does"},
		{"nothing", "", "", "imported 0, unchanged 0, skipped 0", ""},
		{"the same twice", line(1) + "\n" + line(1), "c1", "imported 1, unchanged 1, skipped 0", ""},
		{"no content", "{}\n{\"content\":\"\"}\n{\"content\":null}\n" + line(1), "c1", "imported 1, unchanged 0, skipped 3",
			"line 1: no content\nline 2: no content\nline 3: no content"},
		{"wrong types", "{\"content\":1}\n{\"content\":\"x\",\"kind\":[]}\n{\"content\":\"x\",\"timestamp\":\"soon\"}\n{\"content\":\"x\",\"token_count\":1.5}", "",
			"imported 0, unchanged 0, skipped 4",
			"line 1: content has the wrong type, number\nline 2: kind has the wrong type, array\n" +
				"line 3: timestamp: time \"soon\" is neither Unix seconds nor RFC 3339\nline 4: token_count has the wrong type, number 1.5"},
		{"unknown fields", `{"content":"c1","role":"user","nested":{"x":[1]}}`, "c1", "imported 1, unchanged 0, skipped 0", ""},
		{"not objects", "7\n" + line(1) + "\n\"s\"", "c1", "imported 1, unchanged 0, skipped 2",
			"line 1: a number where an object is expected\nline 3: a string where an object is expected"},
		{"one out of its limits", line(1) + "\n{\"content\":\"x\",\"kind\":\"" + strings.Repeat("k", 40_000) + "\"}\n" + line(2), "c1 c2",
			"imported 2, unchanged 0, skipped 1", "line 2: kind is 40000 bytes, the limit is 32768"},
		{"not UTF-8", "{\"content\":\"caf\xe9\"}\n" + line(1), "c1", "imported 1, unchanged 0, skipped 1", "line 1: not valid UTF-8"},
		{"hostile reason", "{\"content\":\"x\",\"timestamp\":\"\\u001b[2J\"}", "", "imported 0, unchanged 0, skipped 1",
			`line 1: timestamp: time "\x1b[2J" is neither Unix seconds nor RFC 3339`},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := newRig(t)
			o := r.run(c.in, "import")
			errs := strings.TrimSpace(strings.ReplaceAll(o.err, "contextforge: ", ""))
			wantCode := exitOK
			if c.errs != "" {
				wantCode = exitPartial
			}
			if strings.TrimSpace(o.out) != c.out || errs != c.errs || o.code != wantCode {
				t.Errorf("exit %d, printed %s%s", o.code, o.out, errs)
			}
			if got := strings.Join(r.contents(), " "); got != c.contents {
				t.Errorf("holds %q, want %q", got, c.contents)
			}
			n := len(r.contents())
			var imported, unchanged int
			if _, err := fmt.Sscanf(o.out, "imported %d, unchanged %d", &imported, &unchanged); err != nil {
				t.Fatal(err)
			}
			again := r.run(c.in, "import")
			if want := fmt.Sprintf("imported 0, unchanged %d, ", imported+unchanged); !strings.HasPrefix(again.out, want) {
				t.Errorf("a second import printed %q, want %q", again.out, want)
			}
			if len(r.contents()) != n {
				t.Error("a second import added entries")
			}
		})
	}
}

func TestImportDefaults(t *testing.T) {
	r := newRig(t)
	in := `{"content":"bare"}
{"content":"full","kind":"","scope":"own","session_id":"own","id":"own","timestamp":"2026-01-02T03:04:05.5+01:00","metadata":{"a": 1}}`
	want := `{"imported":2,"unchanged":0,"skipped":0,"repeated":0}` + "\n"
	if got := r.must(in, "import", "-", "--kind", "snapshot", "--scope", "chat", "--session", "s", "--json"); got != want {
		t.Errorf("printed %s", got)
	}
	want = `{"id":"own","content":"full","timestamp":1767319445.5,"kind":"","scope":"own","session_id":"own","token_count":1,"metadata":{"a":1},"created_at":1767319445.5}
{"id":"ID","content":"bare","timestamp":1772366460,"kind":"snapshot","scope":"chat","session_id":"s","token_count":1,"metadata":null,"created_at":1772366460}
`
	got := r.must("", "export")
	if id := derivedIDIn(t, got); strings.ReplaceAll(got, id, "ID") != want {
		t.Errorf("holds\n%s", got)
	}
	// Another scope makes another entry, the same one none.
	if got := r.must(in, "import", "--kind", "snapshot", "--scope", "chat", "--session", "s"); got != "imported 0, unchanged 2, skipped 0\n" {
		t.Error(got)
	}
	if got := r.must(in, "import", "--scope", "elsewhere"); got != "imported 1, unchanged 1, skipped 0\n" {
		t.Error(got)
	}
}

// derivedIDIn returns the id in the text that is a UUID of version 8.
func derivedIDIn(t *testing.T, text string) string {
	t.Helper()
	for _, word := range strings.Split(text, `"`) {
		if len(word) == 36 && word[14] == '8' && strings.ContainsRune("89ab", rune(word[19])) {
			return word
		}
	}
	t.Fatalf("no derived id in %s", text)
	return ""
}

// TestDerivedID pins the derivation: another one would add everything that was
// ever imported once more.
func TestDerivedID(t *testing.T) {
	for _, c := range []struct{ in, id string }{
		{`{"content":"x"}`, "fee67f02-9af9-8484-83ef-cbaee16d7f53"},
		{`{"content":"x","timestamp":1.25,"kind":"k","scope":"s","session_id":"t"}`, "eabaeb48-f56d-8199-9a5d-47159108ce6b"},
	} {
		r := newRig(t)
		r.must(c.in, "import")
		if got := derivedIDIn(t, r.must("", "export")); got != c.id {
			t.Errorf("%s became %s, want %s", c.in, got, c.id)
		}
	}
}

func TestImportKeepsWhatItKnows(t *testing.T) {
	r := newRig(t)
	r.must("", "save", "text", "--id", "known", "--timestamp", "2026-01-01")
	if got := r.must(`{"id":"known","content":"text"}`, "import"); got != "imported 0, unchanged 1, skipped 0\n" {
		t.Errorf("without a timestamp: %s", got)
	}
	if got := r.must(`{"id":"known","content":"new text"}`, "import"); got != "imported 1, unchanged 0, skipped 0\n" {
		t.Errorf("with another content: %s", got)
	}
	if got := r.must("", "get", "known"); !strings.Contains(got, "2026-01-01T00:00:00Z") || !strings.Contains(got, "new text") {
		t.Errorf("holds %s", got)
	}
}

func TestImportManyFaults(t *testing.T) {
	r := newRig(t)
	in := strings.Repeat("rubbish\n", 150)
	o := r.run(in, "import")
	if lines := strings.Count(o.err, "\n"); lines != shownFaults+1 || o.code != exitPartial {
		t.Errorf("%d lines, exit %d", lines, o.code)
	}
	if o := r.run(in, "import", "-v"); strings.Count(o.err, `"rubbish" is not JSON`) != 150 {
		t.Errorf("-v: %s", o.err)
	}
}

// TestImportBatches imports more than one batch, by number and by size, and a
// refused entry in the middle of one.
func TestImportBatches(t *testing.T) {
	r := newRig(t)
	var in strings.Builder
	for i := range 2*batchEntries + 5 {
		kind := "k"
		if i == batchEntries+7 {
			kind = strings.Repeat("k", 40_000)
		}
		fmt.Fprintf(&in, `{"id":"%d","content":"word%d","timestamp":%d,"kind":%q}`+"\n", i, i, i, kind)
	}
	o := r.run(in.String(), "import")
	if o.out != "imported 4004, unchanged 0, skipped 1\n" || o.code != exitPartial || !strings.Contains(o.err, "line 2008: kind is 40000") {
		t.Errorf("exit %d: %s%s", o.code, o.out, o.err)
	}
	if got := r.must("", "count"); got != "4004\n" {
		t.Error(got)
	}
}

func TestImportHugeLine(t *testing.T) {
	size := 8 << 20
	if testing.Short() {
		size = 1 << 20
	}
	r := newRig(t)
	in := io.MultiReader(strings.NewReader(`{"id":"huge","content":"`), io.LimitReader(letters{}, int64(size)), strings.NewReader("\"}\n{\"id\":\"small\",\"content\":\"x\"}"))
	var out, errs bytes.Buffer
	if code := r.app(in, &out, &errs).run(t.Context(), []string{"import"}); code != exitOK {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	var e contextforge.Entry
	if err := json.Unmarshal([]byte(r.must("", "get", "huge", "--json")), &e); err != nil || len(e.Content) != size {
		t.Errorf("%d bytes, %v", len(e.Content), err)
	}
}

// letters yields words without end.
type letters struct{}

func (letters) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = "words and "[i%10]
	}
	return len(b), nil
}

// TestRoundTrip exports everything that an entry can hold, imports it into
// another store and exports that.
func TestRoundTrip(t *testing.T) {
	r := newRig(t)
	broken := "caf\xe9 \xff"
	cfg := contextforge.Config{Path: r.store(), Clock: r.clock()}
	m, err := contextforge.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range []contextforge.SaveOptions{
		{},
		{ID: broken, Scope: broken, SessionID: broken},
		{Scope: "s", Metadata: map[string]any{"html": "<b>&</b>", "n": json.Number("1e400"), "deep": []any{nil, true, map[string]any{}}}},
		{Timestamp: cfg.Clock().Add(-123456789), TokenCount: 77, ExpiresAt: cfg.Clock().AddDate(5, 0, 0)},
		{ID: "line\nbreak \x1b[31m \u202e \U000E0041"},
	} {
		text := fmt.Sprintf("text %d %s \u2028 \u0085 \u200d 👩\u200d🚀 \x00 \\ \"", i, broken)
		if _, err := m.Save(t.Context(), text, broken[:i], o); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := m.Update(t.Context(), broken, contextforge.Change{Content: &broken}); err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	first := r.must("", "export")
	if strings.Count(first, "\n") != 5 || strings.ContainsAny(first, "\x1b\u202e\u0085\U000E0041") {
		t.Errorf("exported %q", first)
	}
	if got := r.must(first, "import"); got != "imported 0, unchanged 5, skipped 0\n" {
		t.Errorf("into the same store: %s", got)
	}
	if got := r.must(first, "import", "--store", r.path("other")); got != "imported 5, unchanged 0, skipped 0\n" {
		t.Errorf("into another store: %s", got)
	}
	if second := r.must("", "export", "--store", r.path("other")); second != first {
		t.Errorf("came back as\n%s\nfrom\n%s", second, first)
	}
}

func TestRoundTripOfTheConversation(t *testing.T) {
	r := newRig(t)
	turns := filepath.Join("..", "..", "testdata", "conversation", "turns.jsonl")
	r.must("", "import", turns)
	r.must("", "export", r.path("a.jsonl"))
	r.must("", "import", r.path("a.jsonl"), "--store", r.path("other"))
	r.must("", "export", r.path("b.jsonl"), "--store", r.path("other"))
	a, errA := os.ReadFile(r.path("a.jsonl"))
	b, errB := os.ReadFile(r.path("b.jsonl"))
	if errA != nil || errB != nil || !bytes.Equal(a, b) || bytes.Count(a, []byte("\n")) != 442 {
		t.Errorf("%d and %d bytes, %v, %v", len(a), len(b), errA, errB)
	}
	for _, file := range []string{"a.jsonl", "b.jsonl"} {
		if info, err := os.Stat(r.path(file)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", file, info.Mode(), err)
		}
	}
	// Both stores answer alike, however the data got there.
	question := []string{"query", "what time does the backup run", "--scope", "chat:maren", "--as-of", "2026-10-01", "--json"}
	if one, other := r.must("", question...), r.must("", append(question, "--store", r.path("other"))...); one != other {
		t.Error("the stores answer differently")
	}
}

func TestExportFile(t *testing.T) {
	r := newRig(t)
	r.must("", "save", "new", "--id", "x")
	if err := os.WriteFile(r.path("out.jsonl"), []byte("old\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r.must("", "export", r.path("out.jsonl"))
	if got, err := os.ReadFile(r.path("out.jsonl")); err != nil || !strings.HasPrefix(string(got), `{"id":"x","content":"new"`) {
		t.Errorf("%s, %v", got, err)
	}
	if left, _ := filepath.Glob(r.path(".*tmp")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if _, err := os.Stat(os.DevNull); err == nil {
		r.must("", "export", os.DevNull)
		if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
			t.Errorf("%s was replaced: %v", os.DevNull, err)
		}
	}
}

// TestImportRedacts: neither the entry nor its derived id tells of a secret.
func TestImportRedacts(t *testing.T) {
	secret := "AKIA" + strings.Repeat("QZ7X", 4)
	r := newRig(t)
	in := `{"content":"the key is ` + secret + ` for now","timestamp":1}`
	o := r.run(in+"\n{\"content\":\"x\",\"kind\":\""+strings.Repeat("k", 40_000)+"\"}", "import")
	if !strings.Contains(o.err, "secrets were redacted: aws-key (1)\n") {
		t.Errorf("said %s", o.err)
	}
	clean := `{"content":"the key is [REDACTED:aws-key] for now","timestamp":1}`
	if got := r.must(clean, "import"); got != "imported 0, unchanged 1, skipped 0\n" {
		t.Errorf("the redacted text is another entry: %s", got)
	}
	if got := r.must(in, "import", "--no-scrub"); got != "imported 1, unchanged 0, skipped 0\n" || !strings.Contains(r.must("", "list"), secret) {
		t.Errorf("--no-scrub: %s", got)
	}
	if o := r.run("", "save", "again "+secret); !strings.Contains(o.err, "aws-key (1)") {
		t.Errorf("save said %q", o.err)
	}
}

// TestImportStops: what was read before the input became unreadable is kept.
func TestImportStops(t *testing.T) {
	r := newRig(t)
	o := r.run("\xff\xfe{\x00}\x00", "import")
	if o.code != exitError || !strings.Contains(o.err, "UTF-16") {
		t.Errorf("UTF-16: exit %d: %s", o.code, o.err)
	}
	var out, errs bytes.Buffer
	in := io.MultiReader(strings.NewReader(manyLines(3)), iotest.ErrReader(errors.New("cable pulled")))
	code := r.app(in, &out, &errs).run(t.Context(), []string{"import"})
	want := "contextforge: the import stopped: imported 3, unchanged 0, skipped 0\ncontextforge: cable pulled\n"
	if code != exitError || errs.String() != want {
		t.Errorf("exit %d: %s", code, errs.String())
	}
	if got := r.must("", "count"); got != "3\n" {
		t.Error(got)
	}
}

// TestImportRepeatedIDs: of several records with one id the last good one wins,
// however often the file is imported.
func TestImportRepeatedIDs(t *testing.T) {
	tooLong := `{"id":"x","content":"three","kind":"` + strings.Repeat("k", 40_000) + `"}` + "\n"
	lines := `{"id":"x","content":"one","timestamp":5}
{"id":"y","content":"other","timestamp":5}
{"id":"x","content":"two"}
{"id":"y","content":"other","timestamp":5}
`
	for _, c := range []struct {
		name, in, first, again string
		code                   int
	}{
		{"all good", lines, "imported 2, unchanged 1, skipped 0, repeated 1\n", "imported 0, unchanged 3, skipped 0, repeated 1\n", exitOK},
		{"the last one bad", lines + tooLong, "imported 2, unchanged 1, skipped 1, repeated 1\n", "imported 0, unchanged 3, skipped 1, repeated 1\n", exitPartial},
	} {
		r := newRig(t)
		if o := r.run(c.in, "import"); o.out != c.first || o.code != c.code {
			t.Errorf("%s: exit %d, %s%s", c.name, o.code, o.out, o.err)
		}
		for range 2 {
			if o := r.run(c.in, "import"); o.out != c.again || o.code != c.code {
				t.Errorf("%s, again: exit %d, %s%s", c.name, o.code, o.out, o.err)
			}
		}
		if got := strings.Join(r.contents(), " "); got != "two other" && got != "other two" {
			t.Errorf("%s: holds %s", c.name, got)
		}
		if got := r.must("", "get", "x"); !strings.Contains(got, "1970-01-01T00:00:05Z") {
			t.Errorf("%s: without a time it lost the one it had: %s", c.name, got)
		}
	}
}

func TestImportTimes(t *testing.T) {
	r := newRig(t)
	in := `{"id":"d","content":"dated","timestamp":"2026-01-05","expires_at":"2031-02-03","metadata":{"a":"<\u00e9>","n":1e400}}
{"content":"ms","timestamp":1767636734000}
{"content":"ms","timestamp":"1767636734000.5"}
{"content":"no day","timestamp":"2026-01-32"}
`
	o := r.run(in, "import")
	if o.out != "imported 1, unchanged 0, skipped 3\n" || strings.Count(o.err, "; is it in milliseconds?\n") != 2 {
		t.Errorf("printed %s%s", o.out, o.err)
	}
	got := r.must("", "get", "d", "--json")
	if !strings.Contains(got, `"timestamp":1767571200,`) || !strings.Contains(got, `"expires_at":1927843200`) || !strings.Contains(got, `1e400`) {
		t.Errorf("holds %s", got)
	}
}
