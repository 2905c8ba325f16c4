package ownsets

// These tests decide that the committed sets are those of the sources, and hold what
// they are said to hold.

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/bench/internal/evalbench"
)

var update = flag.Bool("update", false, "write the sets anew")

// committed is where the sets are.
var committed = filepath.Join("..", "..", "..", "testdata")

func made(t *testing.T) []*Set {
	t.Helper()
	all, err := Sets()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestCommitted(t *testing.T) {
	for _, s := range made(t) {
		if *update {
			if err := s.Write(committed); err != nil {
				t.Fatal(err)
			}
		}
		files, err := s.Files()
		if err != nil {
			t.Fatal(err)
		}
		for name, want := range files {
			got, err := os.ReadFile(filepath.Join(committed, s.Name, name))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("%s/%s isn't that of the source; write it with -update", s.Name, name)
			}
		}
	}
}

func TestSizes(t *testing.T) {
	least := map[string][2]int{"current": {300, 60}, "persona": {400, 60}, "when": {200, 60}}
	all := made(t)
	if len(all) != len(least) {
		t.Fatalf("%d sets", len(all))
	}
	for _, s := range all {
		if len(s.Documents) < least[s.Name][0] || len(s.Queries) < least[s.Name][1] {
			t.Errorf("%s: %d documents, %d questions", s.Name, len(s.Documents), len(s.Queries))
		}
		texts, questions, sessions := map[string]bool{}, map[string]bool{}, map[string]int{}
		for i, d := range s.Documents {
			if texts[d.Text] {
				t.Errorf("%s: %q twice", s.Name, d.Text)
			}
			texts[d.Text] = true
			sessions[d.Session]++
			if i > 0 && s.Documents[i-1].Timestamp.Equal(d.Timestamp) || d.Timestamp.After(s.Queries[0].Timestamp) {
				t.Errorf("%s: the time of %s", s.Name, d.ID)
			}
		}
		for _, q := range s.Queries {
			if questions[q.Text] {
				t.Errorf("%s: %q twice", s.Name, q.Text)
			}
			questions[q.Text] = true
		}
		if alone := sessions[""]; alone*6 < len(s.Documents) || alone*6 > 5*len(s.Documents) {
			t.Errorf("%s: %d of %d documents have no session", s.Name, alone, len(s.Documents))
		}
	}
}

// In the set current as many questions ask for what was as for what is, the answers of
// the latter being the newest of their story, and those of the former not.
func TestCurrent(t *testing.T) {
	text, err := sources.ReadFile("sources/current.txt")
	if err != nil {
		t.Fatal(err)
	}
	s, err := parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	newest, others := 0, 0
	for _, told := range s.stories {
		last := ""
		for _, l := range told.lines {
			if l.label != "" {
				last = l.label
			}
		}
		for _, q := range told.questions {
			switch q.kind {
			case "now", "present":
				newest++
				if !slices.Equal(q.answers, []string{last}) {
					t.Errorf("%s: %q is answered by the newest entry", told.name, q.text)
				}
			case "before", "dated":
				others++
				if slices.Contains(q.answers, last) {
					t.Errorf("%s: %q is answered by an older entry", told.name, q.text)
				}
			case "old":
				others++
				if told.lines[0].label != q.answers[0] {
					t.Errorf("%s: %q is answered by the oldest entry", told.name, q.text)
				}
			}
		}
	}
	if newest < 30 || others < newest {
		t.Errorf("%d questions ask for what is, %d for what was", newest, others)
	}
}

// What is written can be read as a set, with its categories and times.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	categories := map[string]string{
		"current": "before dated now old present", "persona": "confirm correct decide prefer promise remember",
		"when": "absolute date de es event fr it relative",
	}
	for _, s := range made(t) {
		if err := s.Write(dir); err != nil {
			t.Fatal(err)
		}
		got, err := evalbench.Load(filepath.Join(dir, s.Name), "")
		if err != nil {
			t.Fatal(err)
		}
		kinds := map[string]bool{}
		for i, q := range got.Queries {
			kinds[q.Category] = true
			if len(q.Relevant) == 0 || q.Time != s.Queries[i].Timestamp {
				t.Errorf("%s: %+v", s.Name, q)
			}
		}
		if names := strings.Join(slices.Sorted(maps.Keys(kinds)), " "); names != categories[s.Name] || len(got.Documents) != len(s.Documents) || got.Strays != 0 {
			t.Errorf("%s: %s, %d documents", s.Name, names, len(got.Documents))
		}
	}
	if err := made(t)[0].Write(filepath.Join(dir, "when", "corpus.jsonl")); err == nil {
		t.Error("a file is taken for a folder")
	}
}

func TestParseRefuses(t *testing.T) {
	const head = "! asked 2024-01-01T00:00:00Z\n"
	for _, tt := range []struct{ name, text, want string }{
		{"no time", "# a note", "no time"},
		{"a wrong time", "! asked soon", "line 1"},
		{"a line before any story", head + "Ann: hello", "no story"},
		{"neither chat nor notes", head + "# a poem", "neither"},
		{"a chat without a circle", head + "# a chat", "neither"},
		{"nobody speaks", head + "# a chat x\nhello", "by nobody"},
		{"an unknown label", head + "# a note\n[a] x\n? k b | what", `"b"`},
		{"no answer", head + "# a note\n[a] x\n? k | what", "what answers"},
		{"a circle without dates", head + "@ x", "want a circle"},
		{"a circle with a wrong date", head + "@ x soon 3", "soon"},
		{"a circle with wrong days", head + "@ x 2024-01-01 few", "few"},
	} {
		if _, err := parse(tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
	if _, err := parseChatter("lost\n"); err == nil {
		t.Error("chatter in no part is accepted")
	}
}

func BenchmarkSets(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Sets(); err != nil {
			b.Fatal(err)
		}
	}
}
