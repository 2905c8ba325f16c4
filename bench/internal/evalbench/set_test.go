package evalbench

// These tests decide what is read as a set.

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge"
)

const sets = "testdata/sets"

func load(t *testing.T, name string) *Set {
	t.Helper()
	s, err := Load(filepath.Join(sets, name), "")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestLoad(t *testing.T) {
	s := load(t, "diary")
	if s.Name != "diary" || len(s.Documents) != 12 || len(s.Queries) != 8 || s.BySession {
		t.Fatalf("%+v", s)
	}
	d := s.Documents[3]
	if d.ID != "garden-3" || d.Scope != "garden" || d.Session != "garden/2" || d.Kind != contextforge.KindSnapshot ||
		!d.Time.Equal(time.Date(2024, 4, 11, 18, 30, 0, 0, time.UTC)) || len(d.Metadata) != 2 || string(d.Metadata["turn"]) != "0" {
		t.Errorf("%+v", d)
	}
	q := s.Queries[0]
	if q.ID != "g1" || q.Scope != "garden" || q.Category != "1" || !q.Time.IsZero() || !slices.Equal(q.Relevant, []string{"garden-2", "garden-3"}) {
		t.Errorf("%+v", q)
	}
	if q := s.Queries[7]; q.Relevant != nil {
		t.Errorf("grade 0 is relevant: %+v", q)
	}
}

func TestLoadSessions(t *testing.T) {
	s := load(t, "sessions")
	if !s.BySession || !slices.Equal(s.Queries[1].Relevant, []string{"garden 1", "garden 2"}) || s.Queries[0].Time.IsZero() || !s.Queries[1].Time.IsZero() || s.Queries[2].Category != "late" {
		t.Errorf("%+v", s)
	}
}

func TestFind(t *testing.T) {
	for dir, want := range map[string][]string{
		sets:                         {"diary", "sessions"},
		filepath.Join(sets, "diary"): {"diary"},
	} {
		found, err := Find(dir, "")
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, s := range found {
			names = append(names, s.Name)
		}
		if !slices.Equal(names, want) {
			t.Errorf("%s: %v, want %v", dir, names, want)
		}
	}
	found, err := Find(filepath.Join(sets, "diary"), filepath.Join(sets, "diary", corpusFile))
	if err != nil || len(found) != 1 || len(found[0].Documents) != 12 {
		t.Errorf("another corpus: %v, %v", found, err)
	}
	other := write(t, `{"id":"d","text":"a"}`, `{"id":"q","text":"a"}`, "q\td\t1")
	if err := os.Rename(filepath.Join(other, corpusFile), filepath.Join(other, "short.jsonl")); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{other, filepath.Dir(other)} {
		found, err := Find(dir, "short.jsonl")
		if err != nil || len(found) != 1 || found[0].Name != filepath.Base(other) {
			t.Errorf("a corpus by its name, %s: %v, %v", dir, found, err)
		}
	}
	for _, dir := range []string{t.TempDir(), filepath.Join(t.TempDir(), "none")} {
		if _, err := Find(dir, ""); !errors.Is(err, ErrData) {
			t.Errorf("%s: %v", dir, err)
		}
	}
}

// write makes a set of three texts.
func write(t testing.TB, corpus, queries, qrels string) string {
	dir := t.TempDir()
	for name, text := range map[string]string{corpusFile: corpus, queriesFile: queries, qrelsFile: qrels} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestLoadForms(t *testing.T) {
	s, err := Load(write(t,
		"\n"+`{"id":7,"text":"a","timestamp":1700000000,"session":3,"kind":"fact","scope":null}`+"\r\n\n",
		`{"id":1,"text":"a","category":"x","type":"y","timestamp":"2024-01-01T00:00:00Z"}`,
		"1\t7\t2\r\n\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	d, q := s.Documents[0], s.Queries[0]
	if d.ID != "7" || d.Time.Unix() != 1700000000 || d.Session != "3" || d.Kind != "fact" || d.Metadata != nil {
		t.Errorf("%+v", d)
	}
	if q.ID != "1" || q.Category != "x" || q.Time.Year() != 2024 || !slices.Equal(q.Relevant, []string{"7"}) {
		t.Errorf("%+v", q)
	}
}

// What other collections have otherwise is read all the same.
func TestLoadLenient(t *testing.T) {
	s, err := Load(write(t,
		`{"_id":"d","content":"a","date":"2024-05-03","session_id":"s","deep":{"er":[1]}}`+"\n"+
			`{"id":"e","text":" ","time":"2024-05-03 10:30"}`+"\n"+`{"id":"f","text":"b","time":7,"date":"soon"}`,
		`{"_id":"q","query":"a","time":"2024-05-04T10:30","session":["x"]}`+"\n"+`{"id":"r","text":"b","type":"t","date":"2024/05/04 (Sat) 11:00"}`+"\n"+`{"id":"s","text":"b","date":""}`,
		"query-id\tcorpus-id\tscore\nq\t0\td\t1.0\nq e 2\nr\tx\t1\nz\td\t1\nr\tf\t0\nr\td\t1"), "")
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Documents) != 2 || s.Textless != 1 || s.Strays != 2 || s.BySession {
		t.Errorf("%+v", s)
	}
	d, f := s.Documents[0], s.Documents[1]
	if d.ID != "d" || d.Text != "a" || d.Time.Day() != 3 || d.Session != "s" || len(d.Metadata) != 1 || !f.Time.IsZero() || len(f.Metadata) != 2 {
		t.Errorf("%+v", s.Documents)
	}
	q, r := s.Queries[0], s.Queries[1]
	if !slices.Equal(q.Relevant, []string{"d", "e"}) || q.Time.Hour() != 10 || !slices.Equal(r.Relevant, []string{"x", "d"}) || r.Time.Hour() != 11 || !s.Queries[2].Time.IsZero() {
		t.Errorf("%+v", s.Queries)
	}
}

// What most judgements name is what was judged.
func TestLoadMixed(t *testing.T) {
	const corpus, queries = `{"id":"d","text":"a","session":"s"}`, `{"id":"q","text":"a"}`
	for qrels, bySession := range map[string]bool{"q\ts\t1\nq\td\t1": false, "q\td\t1\nq\ts\t1\nq\ts\t2": true, "q\tx\t1\nq\ts\t1": true} {
		s, err := Load(write(t, corpus, queries, qrels), "")
		if err != nil || s.BySession != bySession || s.Strays != 1 {
			t.Errorf("%q: %+v, %v", qrels, s, err)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	const corpus, queries, qrels = `{"id":"d","text":"a","session":"s"}`, `{"id":"q","text":"a"}`, "q\td\t1"
	for _, tt := range []struct{ name, corpus, queries, qrels, want string }{
		{"no JSON", "text", queries, qrels, corpusFile + ", line 1"},
		{"a list as text", `{"id":"d","text":["a"]}`, queries, qrels, "neither a string nor a number"},
		{"no id", `{"text":"a"}`, queries, qrels, "no id"},
		{"an id twice", corpus + "\n" + corpus, queries, qrels, "line 2"},
		{"a wrong time", `{"id":"d","text":"a","timestamp":"yesterday"}`, queries, qrels, "yesterday"},
		{"a question twice", corpus, queries + "\n" + queries, qrels, queriesFile + ", line 2"},
		{"a wrong time of a question", corpus, `{"id":"q","text":"a","timestamp":"soon"}`, qrels, "soon"},
		{"two columns", corpus, queries, "q\td", "2 columns"},
		{"no grade", corpus, queries, qrels + "\nq\td\tmuch", "grade"},
		{"five columns", corpus, queries, "q\t0\td\t1\tx", "5 columns"},
		{"unknown questions alone", corpus, queries, "x\td\t1", "no judgement"},
		{"unknown documents alone", corpus, queries, "q\tx\t1", "no judgement"},
	} {
		if _, err := Load(write(t, tt.corpus, tt.queries, tt.qrels), ""); !errors.Is(err, ErrData) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// Whatever the lines are, what a set refers to is there, or was counted.
func FuzzReader(f *testing.F) {
	f.Add(`{"id":"d","text":"a","session":"s","timestamp":1}`, `{"id":"q","text":"a","type":3}`, "q\td\t1")
	f.Add(`{"id":"d","text":"a","session":"s","scope":"x"}`, `{"id":"q","text":"a","scope":"x"}`, "q\ts\t1")
	f.Fuzz(func(t *testing.T, corpus, queries, qrels string) {
		s, err := Load(write(t, corpus, queries, qrels), "")
		if err != nil {
			if !errors.Is(err, ErrData) {
				t.Fatal(err)
			}
			return
		}
		there := map[string]bool{}
		for _, d := range s.Documents {
			if d.Text == "" {
				t.Fatal("a document without text")
			}
			if s.BySession {
				there[d.Session] = true
			} else {
				there[d.ID] = true
			}
		}
		missing := 0
		for _, q := range s.Queries {
			for _, r := range q.Relevant {
				if !there[r] {
					missing++
				}
			}
		}
		if missing > 0 && s.Strays == 0 && s.Textless == 0 {
			t.Fatalf("%d judgements name what isn't there", missing)
		}
	})
}
