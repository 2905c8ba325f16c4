// Reading and joining of lexicon files, and what is refused, with which place.

package lexicon

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestParseForms(t *testing.T) {
	for _, row := range []struct {
		name, text, content string
		want                float64
	}{
		{"integer weight", "[terms]\ndeploy = 1", "deploy", 1},
		{"dotted key", "terms.deploy = 0.5", "deploy", 0.5},
		{"inline table", "terms = { deploy = 0.5, ship = 1 }", "ship, deploy", 1.5},
		{"quoted key", "[terms]\n'c++' = 0.5", "in C++", 0.5},
		{"unknown keys", "title = 'x'\n[terms]\ndeploy = 0.5\n[other]\nx = [1, 2]\n[affirmations]\nnote = 1\n[[list]]\n", "deploy", 0.5},
		{"tables in other case are unknown", "[Terms]\ndeploy = 0.5", "deploy", 0},
		{"byte-order mark and CRLF", "\uFEFF[terms]\r\ndeploy = 0.5\r\n", "deploy", 0.5},
		{"multi-line list", "[affirmations]\npatterns = [ # yes\n  'ship it', # and\n  \"\"\"go\nahead\"\"\",\n]", "ship it and go ahead", 1},
		{"equal patterns count once", "[affirmations]\npatterns = ['ship it', 'Ship  it', \"Ship\\nit\"]", "ship it", 0.5},
		{"a pattern of several sorts", "[terms]\nyes = 0.25\n[affirmations]\npatterns = ['yes']\n[negations]\npatterns = ['YES']", "yes", 0.45},
		{"spellings of a term: the later line", "[terms]\nDeploy = 0.5\ndeploy = 0.75\n", "deploy", 0.75},
		{"spellings of a term: the later line, the other way round", "[terms]\ndeploy = 0.75\nDeploy = 0.5\n", "deploy", 0.5},
		{"overlapping patterns add up", "[negations]\npatterns = ['never mind', 'never mind that']", "never mind that", -0.6},
		{"symbols", "[terms]\n'👍' = 0.5\n'->' = 1", "👍 a->b", 1.5},
		{"empty lists", "[affirmations]\npatterns = []\n[terms]", "x", 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := score(parsed(t, row.text), row.content); got != row.want {
				t.Errorf("%v, want %v", got, row.want)
			}
		})
	}
}

func TestRefusedFiles(t *testing.T) {
	for _, row := range []struct{ name, text, message string }{
		{"syntax", "[terms]\na = 1\nb = \n", "p.toml:3:"},
		{"duplicate key", "[terms]\na = 1\na = 2\n", "p.toml:3:"},
		{"not UTF-8", "[terms]\na = 1\n# \xff\n", "p.toml:3:"},
		{"terms is no table", "x = 1\nterms = 3\n", "p.toml:2: terms is not a table"},
		{"affirmations is an array of tables", "\n[[affirmations]]\npatterns = []\n", "p.toml:2: affirmations is not a table"},
		{"a weight is text", "[terms]\na = 1\nb = '1'\n", `p.toml:3: the weight of term "b" is not a number`},
		{"a weight is a table", "[terms]\na.b = 1\n", `p.toml:2: the weight of term "a" is not a number`},
		{"a weight is true", "[terms]\na = true\n", `p.toml:2: the weight of term "a" is not a number`},
		{"patterns is text", "[negations]\n\npatterns = 'x'\n", "p.toml:3: patterns of negations is not a list of strings"},
		{"patterns holds a number", "[affirmations]\npatterns = [\n'x',\n3]\n", "p.toml:4: patterns of affirmations holds something else than strings"},
		{"the first failure of a file counts", "[negations]\npatterns=['']\n[terms]\na = 7\n", `p.toml:2: negation "" is blank`},
		{"the first term counts", "[terms]\nz = 7\na = 8\n", `p.toml:2: the weight of term "z" is 7; it must lie in (0, 1.5]`},
		{"long pattern", "[terms]\n" + strings.Repeat("a", MaxPatternBytes+1) + " = 1\n", "is longer than 512 bytes"},
		{"long key", "[terms]\n" + strings.Repeat("a.", 1<<16) + "b = 1\n", "p.toml"},
		{"deep nesting", "a = " + strings.Repeat("[", 1<<20), "p.toml"},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := LoadFS(fstest.MapFS{"dir/p.toml": {Data: []byte(row.text)}}, "dir/p.toml")
			if !errors.Is(err, ErrLexicon) {
				t.Fatalf("error %v", err)
			}
			if !strings.Contains(err.Error(), row.message) || len(err.Error()) > 300 {
				t.Errorf("%q lacks %q", err, row.message)
			}
		})
	}
}

func TestErrorsWithoutPlace(t *testing.T) {
	for err, want := range map[error]string{
		checkWeight("a", 2):                          `the weight of term "a" is 2; it must lie in (0, 1.5]`,
		&WeightError{File: "f", Term: "a", Value: 2}: `f: the weight of term "a" is 2; it must lie in (0, 1.5]`,
		&PatternError{Line: 3, Sort: Negation, Pattern: strings.Repeat("ä", 99), Reason: "is long"}: "line 3: negation \"" + strings.Repeat("ä", 39) + "…\" is long",
	} {
		if err.Error() != want {
			t.Errorf("%q, want %q", err, want)
		}
	}
	if _, err := Parse("", "="); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("a text without a name: %v", err)
	}
}

func TestJoin(t *testing.T) {
	files := fstest.MapFS{
		"a/persona.toml": {Data: []byte("[terms]\ndeploy = 0.5\nrollback = 1\n[affirmations]\npatterns = ['Ship it', 'go']\n")},
		"short.toml":     {Data: []byte("[terms]\nDeploy = 1.25\nlgtm = 0.75\n[affirmations]\npatterns = ['ship it', 'ack']\n[negations]\npatterns = ['nvm']\n")},
	}
	s, err := LoadFS(files, "a/persona.toml", "short.toml")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"Deploy": 1.25, "rollback": 1, "lgtm": 0.75}
	if got := maps.Collect(s.Terms()); !maps.Equal(got, want) {
		t.Errorf("terms %v", got)
	}
	if got := s.Affirmations(); !slices.Equal(got, []string{"Ship it", "ack", "go"}) {
		t.Errorf("affirmations %q", got)
	}
	if s.Name() != "persona+short" || s.Len() != 7 {
		t.Errorf("%s with %d patterns", s.Name(), s.Len())
	}
	var from []string
	for _, m := range s.Explain(Item{Content: "deploy, rollback, ship it, nvm"}, "") {
		from = append(from, m.Lexicon+": "+m.Pattern)
	}
	if want := []string{"short: Deploy", "persona: rollback", "persona: Ship it", "short: nvm"}; !slices.Equal(from, want) {
		t.Errorf("matches %q", from)
	}
	_, err = LoadFS(files, "short.toml", "none.toml")
	if !errors.Is(err, ErrLexicon) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "mine.toml")
	if err := os.WriteFile(file, []byte(persona), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := Load(file)
	if err != nil || s.Name() != "mine" || score(s, "deploy") != 0.8 {
		t.Errorf("%v, %v", s, err)
	}
	if s, err := Load(); err != nil || s.Len() != 0 || score(s, "deploy") != 0 || s.Explain(Item{Content: "x"}, "") != nil {
		t.Errorf("no files: %v, %v", s, err)
	}
	if _, err := Load(filepath.Join(dir, "none.toml")); !errors.Is(err, ErrLexicon) || !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "none.toml") {
		t.Errorf("missing file: %v", err)
	}
	if _, err := Load(dir); !errors.Is(err, ErrLexicon) {
		t.Errorf("a folder: %v", err)
	}
	bad := filepath.Join(dir, "bad.toml")
	if err := os.WriteFile(bad, []byte("[terms]\na = 3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var we *WeightError
	if _, err := Load(file, bad); !errors.As(err, &we) || we.File != bad || we.Line != 2 {
		t.Errorf("bad weight: %v", err)
	}
}

// spaces is a file that holds nothing but spaces.
type spaces struct{ fs.File }

func (spaces) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}

func (spaces) Close() error { return nil }

type endless struct{}

func (endless) Open(string) (fs.File, error) { return spaces{}, nil }

func TestLargeFile(t *testing.T) {
	if _, err := LoadFS(endless{}, "x.toml"); !errors.Is(err, ErrLexicon) || !strings.Contains(err.Error(), "larger than 16777216 bytes") {
		t.Errorf("an endless file: %v", err)
	}
	if _, err := Parse("x", strings.Repeat("#", MaxFileBytes)); err != nil {
		t.Errorf("a file of the largest size: %v", err)
	}
	j := joiner{bytes: MaxFileBytes - 8}
	if err := j.add("x.toml", "x", "terms.abcdefgh = 1"); err != nil {
		t.Errorf("patterns of the largest size: %v", err)
	}
	if err := j.add("y.toml", "y", "terms.a = 1"); !errors.Is(err, ErrLexicon) || !strings.Contains(err.Error(), "y.toml") {
		t.Errorf("patterns beyond it: %v", err)
	}
}

// The order of a file's terms doesn't reach the score: sums are in the order of
// the bytes.
func TestOrderOfSums(t *testing.T) {
	weights := map[string]float64{"a": 0.1, "b": 0.2, "c": 0.3, "d": 0.7, "e": 0.9}
	want := 0.0
	for _, term := range slices.Sorted(maps.Keys(weights)) {
		want += weights[term]
	}
	for _, order := range []string{"abcde", "edcba", "cabed"} {
		text := "[terms]\n"
		for _, term := range strings.Split(order, "") {
			text += fmt.Sprintf("%s = %v\n", term, weights[term])
		}
		for _, content := range []string{"a b c d e", "e d c b a", "b d e a c a b"} {
			if got := score(parsed(t, text), content); got != want {
				t.Errorf("%s, %q: %v, want %v", order, content, got, want)
			}
		}
	}
}
