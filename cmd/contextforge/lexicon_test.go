package main

// This file tests what the lexicon commands leave in files, and that what explain
// says is what a query does.

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/lexicon"
)

func (r *rig) file(name string) string {
	r.t.Helper()
	text, err := os.ReadFile(r.path(name))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(text)
}

func (r *rig) put(name, text string) {
	r.t.Helper()
	if err := os.WriteFile(r.path(name), []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func TestLexiconEdits(t *testing.T) {
	r := newRig(t)
	const before = "# Ours.\n[terms]\npager = 0.5 # old\n\n[other]\nx = 1\n"
	r.put("a.toml", before)
	edit := func(args ...string) {
		r.must("", append([]string{"lexicon"}, append(args, "--file", r.path("a.toml"))...)...)
	}
	edit("add", "--term", "PAGER", "--weight", "0.75", "--rationale", "new\nreason", "--source", "e1", "--source", "e,2")
	want := strings.Replace(before, "0.5 # old", "0.75 # new reason (from e1, e,2)", 1)
	if got := r.file("a.toml"); got != want {
		t.Errorf("the file holds\n%s", got)
	}
	edit("add", "--negation", "that broke")
	edit("remove", "--negation", "That  Broke")
	if got := r.file("a.toml"); got != want+"\n[negations]\npatterns = [\n]\n" {
		t.Errorf("the file holds\n%s", got)
	}
	if _, err := os.Stat(r.store()); err == nil {
		t.Error("a store was made")
	}
}

// What explain says is what a query does, to the bit.
func TestLexiconExplainAsQuery(t *testing.T) {
	r := newRig(t)
	r.put("a.toml", "[terms]\npager = 0.9\nrota = 0.05\n[affirmations]\npatterns = ['ship it', 'done deal', 'all green']\n[negations]\npatterns = ['that broke', 'no go']\n")
	scorer, err := loadLexicons([]string{r.path("a.toml")}, false)
	if err != nil {
		t.Fatal(err)
	}
	persona, err := lexicon.Load(r.path("a.toml"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := contextforge.Open(t.Context(), contextforge.Config{Lexicon: persona})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	for _, text := range []string{
		"The weather.", "The pager.", "The rota.", "Pager and rota, ship it: all green, done deal, good point!", "That broke; no go, never mind.", "Not the pager.",
	} {
		id, err := m.Save(t.Context(), text, "", contextforge.SaveOptions{})
		if err != nil {
			t.Fatal(err)
		}
		hits, err := m.Query(t.Context(), text, contextforge.QueryOptions{})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(hits, func(h contextforge.Hit) bool { return h.ID == id })
		if i < 0 {
			t.Fatalf("%q isn't found", text)
		}
		got, want := explainText(scorer, text), hits[i].Explain
		if got.Sum != want.Boost || got.Factor != want.Multiplier || !slices.Equal(got.Matches, want.Matches) {
			t.Errorf("%q: %+v, a query has boost %v, multiplier %v, %v", text, got, want.Boost, want.Multiplier, want.Matches)
		}
	}
}

func TestLexiconBootstrapRoundTrip(t *testing.T) {
	r := newRig(t)
	prompt := r.must("", "lexicon", "bootstrap")
	if prompt != lexicon.BootstrapPrompt("") || !strings.Contains(prompt, lexicon.PersonaPlaceholder) {
		t.Errorf("printed\n%s", prompt)
	}
	if got := r.must("", "lexicon", "bootstrap", "--persona", "a\x1b[2J\nb"); !strings.Contains(got, "\n~~~\na\\x1b[2J\nb\n~~~\n") {
		t.Errorf("printed\n%s", got)
	}
	r.fails(exitUsage, "no terms and no patterns", prompt, "lexicon", "bootstrap", "--parse")
	answer := strings.Replace(prompt, "# \"term or phrase\"", "\"term or phrase\"", 1)
	r.put("a.toml", r.must(answer, "lexicon", "bootstrap", "--parse"))
	if got := r.must("", "lexicon", "check", r.path("a.toml")); !strings.HasSuffix(got, "a.toml: 1 term, 0 affirmations, 0 negations\n") {
		t.Errorf("printed %s", got)
	}
}

// A person at a terminal is told what is waited for.
func TestLexiconParseAtTerminal(t *testing.T) {
	r := newRig(t)
	r.terminal = true
	o := r.run("```toml\n[terms]\nx = 1\n```\n", "lexicon", "bootstrap", "--parse")
	if o.code != exitOK || o.out != "[terms]\nx = 1\n" || !strings.Contains(o.err, "paste the answer") {
		t.Errorf("%+v", o)
	}
}

// Nothing in a file, a text or an answer gets to the terminal as it is.
func TestLexiconHostile(t *testing.T) {
	r := newRig(t)
	const evil = "\x1b]0;evil\a\u009b2J\u202e"
	r.put("a.toml", `"x" = 1
[terms]
"red \u001b]0;evil\u0007\u009b2J\u202e herring" = 1
"red  \u001b]0;evil\u0007\u009b2J\u202e  herring" = 0.5
`)
	for _, args := range [][]string{
		{"check", r.path("a.toml")}, {"check", r.path("a.toml"), "--json"}, {"check", r.path(evil)},
		{"explain", "--lexicon", r.path("a.toml"), "A red " + evil + " herring."}, {"explain", "--json", "never " + evil + " mind, good point " + evil},
		{"add", "--file", r.path("b.toml"), "--term", "x " + evil, "--weight", "1"}, {"add", "--file", r.path("b.toml"), "--term", "x " + evil, "--weight", "2"},
		{"remove", "--file", r.path("b.toml"), "--term", "x " + evil}, {"bootstrap", "--persona", evil},
	} {
		o := r.run("", append([]string{"lexicon"}, args...)...)
		for _, text := range []string{o.out, o.err} {
			if strings.ContainsAny(text, "\x1b\a\u009b\u202e") {
				t.Errorf("%q printed %q", args, text)
			}
		}
	}
	for _, answer := range []string{"no " + evil, "```toml\n[terms]\nx = 1 # \u009b\n```", "```toml\n[terms]\nx = 1 # \x1b\n```"} {
		o := r.run(answer, "lexicon", "bootstrap", "--parse")
		if o.code != exitUsage || strings.ContainsAny(o.out+o.err, "\x1b\a\u009b\u202e") {
			t.Errorf("%q: %+v", answer, o)
		}
	}
}

func TestLexiconEmptyFlags(t *testing.T) {
	r := newRig(t)
	for _, args := range [][]string{
		{"add", "--file"}, {"add", "--term"}, {"add", "--affirmation"}, {"add", "--negation"}, {"add", "--rationale"}, {"add", "--source"},
		{"remove", "--file"}, {"remove", "--term"}, {"explain", "--lexicon"}, {"bootstrap", "--persona"},
	} {
		r.fails(exitUsage, args[1]+" is empty; ", "", append(append([]string{"lexicon"}, args...), "")...)
	}
	r.fails(exitUsage, "FILE is empty", "", "lexicon", "check", "")
}

// A file in a form that can't be edited is wrong input, as one that doesn't load.
func TestLexiconForm(t *testing.T) {
	r := newRig(t)
	for name, text := range map[string]string{"a.toml": "[[terms]]\nx = 1\n", "b.toml": "[terms.pager]\nx = 1\n", "c.toml": "[terms]\nx =\n"} {
		r.put(name, text)
		r.fails(exitUsage, name, "", "lexicon", "add", "--file", r.path(name), "--term", "pager", "--weight", "1")
	}
}

func TestSigned(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 0.5: "+0.5", -0.3: "-0.3", 0.1 + 0.2: "+0.3", 1: "+1", 10: "+10", -1.25: "-1.25"} {
		if got := signed(x); got != want {
			t.Errorf("%v: %s, want %s", x, got, want)
		}
	}
}

func BenchmarkLexiconCheck(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var text strings.Builder
			text.WriteString("[terms]\n")
			for i := range n {
				fmt.Fprintf(&text, "\"term %d\" = 0.5\n", i)
			}
			name := b.TempDir() + "/a.toml"
			if err := os.WriteFile(name, []byte(text.String()), 0o644); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				s, err := readLexicon(name)
				if err != nil || len(s.findings(nil)) > 0 {
					b.Fatal(err)
				}
			}
		})
	}
}
