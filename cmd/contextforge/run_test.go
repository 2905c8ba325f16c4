package main

// This file tests what surrounds the work of a command: exit codes, stores that
// can't be opened, terminals, pipes, signals, hostile text.

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge"
)

func TestLockedStore(t *testing.T) {
	r := newRig(t)
	m, err := contextforge.Open(t.Context(), contextforge.Config{Path: r.store()})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for _, args := range [][]string{{"save", "x"}, {"query", "x"}, {"verify"}, {"export"}} {
		r.fails(exitLocked, r.store(), "", args...)
	}
}

func TestForeignFolder(t *testing.T) {
	r := newRig(t)
	if err := os.WriteFile(r.path("letter.txt"), []byte("Dear Sir"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.fails(exitError, "choose another folder", "", "save", "x", "--store", r.dir)
	r.fails(exitError, "choose another folder", "", "list", "--store", r.dir)
	r.fails(exitError, "", "", "list", "--store", r.path("letter.txt"))
	if err := os.Mkdir(r.path("empty"), 0o700); err != nil {
		t.Fatal(err)
	}
	r.fails(exitError, "the folder is empty", "", "list", "--store", r.path("empty"))
	if left, err := os.ReadDir(r.path("empty")); err != nil || len(left) > 0 {
		t.Errorf("reading left %v, %v", left, err)
	}
}

// TestDamagedStore damages a byte of every file of a store in turn. Verify must
// say so or prove the store sound; nothing may panic.
func TestDamagedStore(t *testing.T) {
	r := newRig(t)
	r.must("", "import", filepath.Join("..", "..", "testdata", "conversation", "turns.jsonl"))
	r.must("", "compact") // so that it is in tables
	r.must("", "checkpoint", r.path("sound"))
	files, err := filepath.Glob(r.path("sound/*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	damaged := 0
	for _, name := range files {
		copied := r.path("copy-" + filepath.Base(name))
		if err := os.CopyFS(copied, os.DirFS(r.path("sound"))); err != nil {
			t.Fatal(err)
		}
		if !flipMiddle(t, filepath.Join(copied, filepath.Base(name))) {
			continue
		}
		switch o := r.run("", "verify", "--json", "--store", copied); o.code {
		case exitDamaged:
			damaged++
		case exitOK, exitError: // no data in it, or not a store any more
		default:
			t.Errorf("%s: exit %d: %s%s", filepath.Base(name), o.code, o.out, o.err)
		}
	}
	if damaged == 0 {
		t.Error("no damage was found")
	}
}

func flipMiddle(t *testing.T, name string) bool {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if len(data) == 0 {
		return false
	}
	data[len(data)/2] ^= 0x10
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return true
}

func TestFailures(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
		say  string
	}{
		{contextforge.ErrNewer, exitError, "update contextforge"},
		{contextforge.ErrStoreFailed, exitError, "make room"},
		{contextforge.ErrCorrupt, exitDamaged, "recover saves what is readable"},
		{contextforge.ErrUnsupported, exitError, "unsupported"},
		{usagef("odd"), exitUsage, "odd"},
		{errors.Join(errors.New("one"), errors.New("two")), exitError, "one; two"},
	} {
		var out bytes.Buffer
		a := &app{stderr: &out}
		if code := a.conclude(t.Context(), "contextforge", &runError{c.err}); code != c.code || !strings.Contains(out.String(), c.say) {
			t.Errorf("%v: exit %d, %s", c.err, code, out.String())
		}
	}
}

func TestReport(t *testing.T) {
	r := newRig(t)
	var out bytes.Buffer
	for _, asJSON := range []bool{false, true} {
		a := r.app(nil, &out, io.Discard)
		a.open()
		found := report{Entries: 3, Problems: []string{}}
		found.add(errors.Join(errors.New("contextforge: verify: table 7"), errors.New("id \x1b[2J has no record")))
		if err := a.printReport(&found, asJSON); err != exitCode(exitDamaged) {
			t.Errorf("ended with %v", err)
		}
		if err := a.out.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	want := "verify: table 7\nid \\x1b[2J has no record\n" +
		`{"sound":false,"entries":3,"problems":["verify: table 7","id \u001b[2J has no record"]}` + "\n"
	if out.String() != want {
		t.Errorf("printed %s", out.String())
	}
}

func TestConfirmation(t *testing.T) {
	r := newRig(t)
	r.must("", "import", filepath.Join("..", "..", "testdata", "conversation", "turns.jsonl"))
	r.terminal = true
	for _, answer := range []string{"", "\n", "n\n", "no\n", "yess\n"} {
		o := r.run(answer, "clear", "--all")
		if o.code != exitError || !strings.HasPrefix(o.err, "Delete 442 entries? [y/N] ") || !strings.Contains(o.err, errNotConfirmed.Error()) {
			t.Errorf("%q: exit %d: %s", answer, o.code, o.err)
		}
	}
	if got := r.must(" YES \n", "forget", "--scope", "chat:tome"); got != "forgot 24 entries\n" {
		t.Error(got)
	}
	if got := r.must("y", "clear", "--scope", "project:harbor"); got != "removed 43 entries\n" {
		t.Error(got)
	}
	// Without a text a person is not waited for.
	r.fails(exitUsage, errNoText.Error(), "never read", "save")
	r.fails(exitUsage, errNoText.Error(), "never read", "query")
	r.fails(exitUsage, "name a file", "never read", "import")
	if got := r.must("dash", "save", "-", "--id", "d"); got != "d\n" {
		t.Error(got)
	}
}

func TestProgressBar(t *testing.T) {
	r := newRig(t)
	r.terminal = true
	if err := os.WriteFile(r.path("in.jsonl"), []byte("{\"content\":\"a\"}\nrubbish\n{\"content\":\"b\"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := r.run("", "import", r.path("in.jsonl"))
	if o.out != "imported 2, unchanged 0, skipped 1\n" || !strings.Contains(o.err, "contextforge: line 2: \"rubbish\" is not JSON\n") {
		t.Errorf("printed %q, %q", o.out, o.err)
	}
}

// brokenPipe is a stdout whose reader has gone.
type brokenPipe struct{ err error }

func (p brokenPipe) Write([]byte) (int, error) { return 0, p.err }

func TestBrokenPipe(t *testing.T) {
	r := newRig(t)
	r.must("", "import", filepath.Join("..", "..", "testdata", "conversation", "turns.jsonl"))
	for _, args := range [][]string{{"list"}, {"list", "--json"}, {"export"}, {"query", "*", "--json"}, {"query", "*"}, {"scopes"}, {"--help"}, {"list", "--limit", "1"}} {
		var errs bytes.Buffer
		gone := &os.PathError{Op: "write", Path: "|1", Err: io.ErrClosedPipe}
		if code := r.app(strings.NewReader(""), brokenPipe{gone}, &errs).run(t.Context(), args); code != exitOK || errs.Len() > 0 {
			t.Errorf("%q: exit %d, %s", args, code, errs.String())
		}
		full := &os.PathError{Op: "write", Path: "/out", Err: errors.New("no space left")}
		if code := r.app(strings.NewReader(""), brokenPipe{full}, &errs).run(t.Context(), args); code != exitError ||
			!strings.Contains(errs.String(), "writing the output: write /out: no space left") {
			t.Errorf("%q: exit %d, %s", args, code, errs.String())
		}
	}
}

func TestInterrupted(t *testing.T) {
	r := newRig(t)
	r.must("", "save", "text")
	for _, args := range [][]string{{"list"}, {"query", "text"}, {"import", filepath.Join("..", "..", "testdata", "conversation", "turns.jsonl")}, {"export", r.path("x")}} {
		var out, errs bytes.Buffer
		if code := r.app(strings.NewReader(""), &out, &errs).run(cancelled(), args); code != exitInterrupted || !strings.HasSuffix(errs.String(), "contextforge: interrupted\n") {
			t.Errorf("%q: exit %d, %s", args, code, errs.String())
		}
	}
	// A read of stdin that waits ends with the context.
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	waits, w := io.Pipe()
	defer w.Close()
	for _, args := range [][]string{{"save"}, {"import"}, {"query", "-"}} {
		if code := r.app(waits, io.Discard, io.Discard).run(ctx, args); code != exitInterrupted {
			t.Errorf("%q: exit %d", args, code)
		}
	}
}

// TestHostileText stores text that would command a terminal or forge output.
func TestHostileText(t *testing.T) {
	r := newRig(t)
	hostile := "\x1b]0;owned\x07\x1b[2J\u009b31m\u202egnp.exe\u2066\r1. forged  score 1.0000\u0000\u00ad\U000E0041\u2028\x7f"
	for i, flag := range []string{"--id", "--kind", "--scope", "--session"} {
		r.must("text "+hostile+"\n1. 2026-01-01T00:00:00Z  fact  (global)  forged  score 9", "save", flag, strings.Repeat(hostile, i+1))
	}
	r.must("", "save", "meta", "--metadata", `{"k":"`+strings.ReplaceAll(strings.ReplaceAll(hostile, "\x00", ""), "\x1b", "")[1:4]+"\u009b\u202e"+`"}`, "--id", "m")
	for _, args := range [][]string{
		{"query", "text", "--explain"}, {"query", "text", "--json"}, {"list"}, {"list", "--json"}, {"list", "--jsonl"}, {"get", hostile},
		{"get", hostile, "--json"}, {"get", "m"}, {"get", "m", "--json"}, {"history", hostile}, {"scopes"}, {"scopes", "--json"}, {"export"},
		{"forget", "--kind", strings.Repeat(hostile, 2), "--dry-run"}, {"forget", "--kind", strings.Repeat(hostile, 2), "--dry-run", "--json"},
		{"delete", hostile + "?"}, {"get", hostile + "?"}, {"list", "--since", hostile}, {"list", "--nosuch" + hostile}, {hostile},
		{"export", r.path("x" + strings.ReplaceAll(hostile, "\x00", ""))},
	} {
		o := r.run("", args...)
		if i := strings.IndexFunc(o.out+o.err, commands); i >= 0 {
			t.Errorf("%.20q: %.60q", args, (o.out + o.err)[i:])
		}
	}
	for line := range strings.Lines(r.must("", "list")) {
		if strings.HasPrefix(line, "1. ") {
			t.Errorf("forged line: %s", line)
		}
	}
}

// commands reports whether a terminal does something on a character.
func commands(c rune) bool {
	return c < ' ' && c != '\n' || c >= 0x7f && c < 0xa0 || c >= 0x202a && c <= 0x202e || c >= 0x2066 && c <= 0x2069 ||
		c == 0x2028 || c == 0xad || c >= 0xe0000 && c < 0xe0080
}

func TestDataFolder(t *testing.T) {
	for _, c := range []struct {
		goos string
		env  map[string]string
		want string
	}{
		{"linux", map[string]string{"HOME": "/u/ana"}, "/u/ana/.local/share/contextforge"},
		{"linux", map[string]string{"HOME": "/u/ana", "XDG_DATA_HOME": "/data"}, "/data/contextforge"},
		{"freebsd", map[string]string{"HOME": "/u/ana", "XDG_DATA_HOME": "relative"}, "/u/ana/.local/share/contextforge"},
		{"darwin", map[string]string{"HOME": "/u/ana", "XDG_DATA_HOME": "/data"}, "/u/ana/Library/Application Support/contextforge"},
		{"windows", map[string]string{"LocalAppData": "/c/u"}, "/c/u/contextforge"},
		{"linux", nil, ""},
		{"windows", map[string]string{"HOME": "/u/ana"}, ""},
	} {
		a := &app{goos: c.goos, env: func(name string) string { return c.env[name] }}
		got, err := a.dataFolder()
		if filepath.ToSlash(got) != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%s %v: %q, %v", c.goos, c.env, got, err)
		}
	}
}

// TestStoreChoice: the flag wins over the environment, that over the
// configuration file, that over the data folder.
func TestStoreChoice(t *testing.T) {
	r := newRig(t)
	if err := os.WriteFile(r.path("c.json"), []byte(`{"path":`+quoted(r.path("by-file"))+`}`), 0o600); err != nil {
		t.Fatal(err)
	}
	r.must("", "save", "x", "--config", r.path("c.json"), "--store", r.path("by-flag"))
	r.must("", "save", "x", "--config", r.path("c.json"))
	delete(r.env, storeEnv)
	r.must("", "save", "x", "--config", r.path("c.json"))
	r.env["XDG_DATA_HOME"] = r.path("data")
	r.must("", "save", "x")
	for _, name := range []string{"by-flag", "store", "by-file", "data/contextforge"} {
		if got := r.must("", "count", "--store", r.path(name)); got != "1\n" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func quoted(s string) string { return `"` + strings.ReplaceAll(s, `\`, `\\`) + `"` }

func TestInMemory(t *testing.T) {
	r := newRig(t)
	if got := r.must("", "save", "x", "--store", contextforge.MemoryPath, "--id", "i"); got != "i\n" {
		t.Error(got)
	}
	if got := r.must("{\"content\":\"x\"}", "import", "--store", contextforge.MemoryPath); got != "imported 1, unchanged 0, skipped 0\n" {
		t.Error(got)
	}
	if got := r.must("", "list", "--store", contextforge.MemoryPath, "--json"); got != "[]\n" {
		t.Error(got)
	}
	if _, err := os.Stat(r.store()); err == nil {
		t.Error("a folder was made")
	}
}

func TestVersion(t *testing.T) {
	r := newRig(t)
	for _, args := range [][]string{{"version"}, {"--version"}} {
		if got := r.must("", args...); !strings.HasPrefix(got, "contextforge ") || strings.Count(got, "\n") != 1 {
			t.Errorf("%q: %s", args, got)
		}
	}
	if _, err := os.Stat(r.store()); err == nil {
		t.Error("a store was made")
	}
}

func TestHelp(t *testing.T) {
	r := newRig(t)
	for _, args := range [][]string{nil, {"--help"}, {"help"}} {
		got := r.must("", args...)
		for _, want := range []string{"Exit codes:", "CONTEXTFORGE_STORE", "Write:", "import", "--small-device"} {
			if !strings.Contains(got, want) {
				t.Errorf("%q: no %q in\n%s", args, want, got)
			}
		}
	}
}

func TestStats(t *testing.T) {
	r := newRig(t)
	r.must("", "save", "some text", "--ttl", "1h")
	got := r.must("", "stats")
	for _, want := range []string{"entries           1\n", "expiring          1\n", "scopes            1\n", "on disk           "} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if got := r.must("", "stats", "--json"); !strings.HasPrefix(got, `{"entries":1,"tokens":`) {
		t.Error(got)
	}
}

// TestExpiry lets an entry's time run out between two runs.
func TestExpiry(t *testing.T) {
	r := newRig(t)
	r.must("", "save", "short", "--id", "e", "--ttl", "90m")
	if got := r.must("", "count"); got != "1\n" {
		t.Error(got)
	}
	r.now = r.now.Add(2 * time.Hour)
	if got := r.must("", "count"); got != "0\n" {
		t.Error(got)
	}
	r.fails(exitNotFound, `no such entry: "e"`, "", "get", "e")
	if got := r.must("", "export"); got != "" {
		t.Errorf("exported %s", got)
	}
}

func TestVerbose(t *testing.T) {
	r := newRig(t)
	r.must("", "save", "x")
	if o := r.run("", "count", "-v"); o.code != exitOK || o.out != "1\n" || strings.Contains(o.err, "time=") {
		t.Errorf("exit %d, %s%s", o.code, o.out, o.err)
	}
}
