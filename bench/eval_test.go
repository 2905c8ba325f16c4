//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package main

// These tests decide what the command line of eval accepts and writes.

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/bench/internal/evalbench"
	"github.com/contextforge-go/contextforge/render"
)

var diary = filepath.Join("internal", "evalbench", "testdata", "sets", "diary")

func TestEvalFlags(t *testing.T) {
	ranking := filepath.Join(t.TempDir(), "half.json")
	if err := os.WriteFile(ranking, []byte(`{"lexical_share": 0.5}`), 0o600); err != nil {
		t.Fatal(err)
	}
	var f evalFlags
	if err := f.parse([]string{
		"--data", filepath.Dir(diary), "--pipeline", "text,plain", "--embedder", "none", "--scopes=false", "--main", "a,b",
		"--ranking", ranking, "--ranking", `{"max_overlap": 0}`, "--ranking", ` third={"decay_floor": 1}`, "--cache", "c", "--resamples", "7",
	}); err != nil {
		t.Fatal(err)
	}
	o := f.options
	var names []string
	for _, p := range o.Pipelines {
		names = append(names, p.Name)
	}
	if want := []string{"text", "plain", "half", "ranking 2", "third"}; !slices.Equal(names, want) {
		t.Errorf("pipelines %q, want %q", names, want)
	}
	if len(o.Sets) != 2 || o.Embedder != nil || !o.OneScope || !slices.Equal(o.Main, []string{"a", "b"}) || o.Vectors != "c" || o.Resamples != 7 {
		t.Errorf("%+v", o)
	}
	f = evalFlags{}
	if err := f.parse([]string{"--data", diary}); err != nil {
		t.Fatal(err)
	}
	o = f.options
	if len(o.Sets) != 1 || len(o.Pipelines) != 1 || o.Pipelines[0].Name != evalbench.DefaultPipeline || o.Embedder == nil || o.OneScope || o.Vectors == "" || len(o.Main) != 4 {
		t.Errorf("%+v", o)
	}
}

func TestOmitted(t *testing.T) {
	all := render.FieldTime | render.FieldKind | render.FieldScope | render.FieldSession | render.FieldID | render.FieldSuspicious
	for list, want := range map[string]render.Fields{
		"all": 0, "none": all, "time": all &^ render.FieldTime, "session, id": all &^ (render.FieldSession | render.FieldID),
		"kind,scope,suspicious": all &^ (render.FieldKind | render.FieldScope | render.FieldSuspicious),
	} {
		if omit, err := omitted(list); err != nil || omit != want {
			t.Errorf("%s: %b, %v; want %b", list, omit, err, want)
		}
	}
	if _, err := omitted("colour"); err == nil || !strings.Contains(err.Error(), "session") {
		t.Errorf("%v", err)
	}
}

// The built-in model's file, given by its name, is the built-in model.
func TestEvalModel(t *testing.T) {
	var ids []string
	for _, name := range []string{"builtin", filepath.Join("..", "minilm", "allminilm", "all-MiniLM-L6-v2-Q8_0.gguf")} {
		f := evalFlags{embedder: name}
		e, err := f.model()
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, e.(interface {
			contextforge.Embedder
			ID() string
		}).ID())
	}
	if ids[0] != ids[1] {
		t.Errorf("%q", ids)
	}
}

func TestEvalRefuses(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none")
	for _, args := range [][]string{
		nil,
		{"--data", none},
		{"--data", diary, "--corpus", none},
		{"--data", diary, "--pipeline", "unheardof"},
		{"--data", diary, "--ranking", none},
		{"--data", diary, "--ranking", `{"unheardof": 1}`},
		{"--data", diary, "--ranking", `{"decay_floor": 3}`, "--embedder", "none"},
		{"--data", diary, "--embedder", none},
		{"--data", diary, "--resamples", "0"},
		{"--data", diary, "--label", "all,none"},
		{"--data", diary, "surplus"},
		{"--data", diary, "--embedder", "none", "--resamples", "1", "--doc", "nothing"},
		{"--data", diary, "--embedder", "none", "--resamples", "1", "--doc", "x=" + none},
		{"--unheardof"},
	} {
		if err := run(t.Context(), append([]string{"eval"}, args...)); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}

func TestEval(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "eval.out")
	args := []string{"eval", "--data", diary, "--pipeline", "default,text", "--resamples", "20", "--cache", dir, "--out", out}
	if err := run(t.Context(), args); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil || !strings.Contains(string(text), "# diary: 12 documents, 7 questions (and 1 without an answer)") || strings.Contains(string(text), dir) {
		t.Errorf("%v\n%s", err, text)
	}
	if err := run(t.Context(), append(args, "--json")); err != nil {
		t.Fatal(err)
	}
	text, err = os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var r evalbench.Report
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Sets) != 1 || r.Model != "all-MiniLM-L6-v2" || r.Sets[0].Pipelines[0].Main["ndcg10"] < 0.5 || r.Sets[0].Pipelines[1].Name != "text" {
		t.Errorf("%s", text)
	}
	if err := run(t.Context(), []string{"eval", "--data", diary, "--embedder", "none", "--resamples", "5"}); err != nil {
		t.Error(err)
	}
}

func TestEvalDoc(t *testing.T) {
	doc := filepath.Join(t.TempDir(), "doc.md")
	if err := os.WriteFile(doc, []byte("<!-- eval small | diary/main/ndcg10 -->\n<!-- eval end -->\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), []string{"eval", "--data", diary, "--embedder", "none", "--resamples", "1", "--doc", "small=" + doc, "--out", doc + ".txt"}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(doc)
	if err != nil || !strings.Contains(string(text), "| default | 0.") {
		t.Errorf("%v\n%s", err, text)
	}
}

// Every table of the document can be filled.
func TestRetrievalDoc(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "retrieval.md"))
	if err != nil {
		t.Fatal(err)
	}
	same, err := new(evalbench.Report).Fill(string(text), "no run")
	if err != nil || same != string(text) {
		t.Errorf("%v", err)
	}
	script, err := os.ReadFile("eval-results.sh")
	if err != nil {
		t.Fatal(err)
	}
	for part := range strings.SplitSeq(string(text), "<!-- eval ") {
		runs, columns, ok := strings.Cut(part, " | ")
		for _, name := range strings.Split(runs, "+") {
			if ok && strings.HasPrefix(columns, "locomo") && !strings.Contains(string(script), name) {
				t.Errorf("nothing measures the run %q", name)
			}
		}
	}
	for line := range strings.Lines(string(script)) {
		if fields := strings.Fields(line); len(fields) > 3 && fields[0] == "measure" && fields[1] != `"$model"` {
			if _, err := evalbench.Named(fields[3]); err != nil {
				t.Errorf("%s: %v", fields[1], err)
			}
		}
	}
}
