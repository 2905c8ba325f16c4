package scrubbench

// This file holds the judgement against a set whose outcome is known.

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/scrub"
)

func write(t *testing.T, folder, name string, values ...any) {
	t.Helper()
	file, err := os.Create(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	z := gzip.NewWriter(file)
	for _, v := range values {
		if err := json.NewEncoder(z).Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
}

func positive(label, before, secret, behind string) Positive {
	return Positive{label, before + secret + behind, secret, len(before), len(before) + len(secret)}
}

func TestJudge(t *testing.T) {
	token := "gh" + "p_" + strings.Repeat("aB3dE5gH7jK9", 3)
	folder := t.TempDir()
	write(t, folder, "positives.jsonl.gz",
		positive("github", "a ", token, " b"), positive("github", "a ", token[:30], " b"),
		positive("bearer", "Bearer ", strings.Repeat("q7Rt9xW2", 4), " b"), positive("short", "it is ", "xyzzy", "."))
	write(t, folder, "negatives.jsonl.gz", Negative{"prose", "nothing"}, Negative{"prose", "but " + token})
	set, err := Read(folder)
	if err != nil {
		t.Fatal(err)
	}
	j := Judge(new(scrub.Scrubber), set)
	want := []Format{{Label: "bearer", Total: 1, Caught: 1, Scheme: 1}, {Label: "github", Total: 2, Caught: 1, Exact: 1}, {Label: "short", Total: 1}}
	for i, w := range want {
		f := j.Formats[i]
		if f.Label != w.Label || f.Total != w.Total || f.Caught != w.Caught || f.Exact != w.Exact || f.Scheme != w.Scheme {
			t.Errorf("%+v, want %+v", f, w)
		}
	}
	if len(j.Categories) != 1 || j.Categories[0] != (Category{"prose", 2, 1}) || j.Changed != 0 {
		t.Errorf("%+v, %d changed", j.Categories, j.Changed)
	}
	r := Report{Machine: "some machine", Rules: 7, Judgement: j, Speeds: Speeds(new(scrub.Scrubber), 1000, 1)}
	text := r.Text()
	for _, part := range []string{"7 rules", "some machine", "caught        2 of 4 (50.0 %)", "false alarms  1 of 2", "github-token 1", "prose"} {
		if !strings.Contains(text, part) {
			t.Errorf("the report lacks %q:\n%s", part, text)
		}
	}
	if strings.Contains(text, token[:12]) {
		t.Error("the report holds a secret")
	}
}

func TestSpeedTextsAreClean(t *testing.T) {
	for _, k := range kinds() {
		if got, found := scrub.Scrub(k.text); got != k.text {
			t.Errorf("%s: %v", k.name, found)
		}
	}
}

func TestReadErrors(t *testing.T) {
	folder := t.TempDir()
	if _, err := Read(folder); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no files: %v", err)
	}
	write(t, folder, "positives.jsonl.gz", Positive{"x", "abc", "b", 2, 1})
	if _, err := Read(folder); !errors.Is(err, ErrSet) {
		t.Errorf("bad places: %v", err)
	}
	write(t, folder, "positives.jsonl.gz", []int{1})
	if _, err := Read(folder); !errors.Is(err, ErrSet) {
		t.Errorf("no object: %v", err)
	}
	if err := os.WriteFile(filepath.Join(folder, "positives.jsonl.gz"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(folder); !errors.Is(err, ErrSet) {
		t.Errorf("not packed: %v", err)
	}
}
