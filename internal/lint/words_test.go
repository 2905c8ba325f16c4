// The rule on words: paths of a machine, unfinished work, silenced checks and
// the like don't belong in the sources. It reads every text file of the module,
// of all platforms, but for test data.

package lint

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// source is one text file of the module. syntax is nil unless it is Go.
type source struct {
	name   string // path from the module's root, with slashes
	text   string
	fset   *token.FileSet
	syntax *ast.File
}

// sources returns the text files of this module; modules nested in it, hidden
// folders and test data are left out.
func sources(t *testing.T) (out []source) {
	t.Helper()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if path != root && skipped(path, entry.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		if !slices.Contains([]string{".go", ".s", ".md", ".sh", ".mod", ".toml", ".txt"}, filepath.Ext(path)) {
			return nil
		}
		s, err := readSource(root, path)
		out = append(out, s)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func skipped(path, name string) bool {
	if name == "testdata" || strings.HasPrefix(name, ".") || name == "node_modules" || name == "dist" {
		return true
	}
	_, err := os.Stat(filepath.Join(path, "go.mod"))
	return err == nil
}

func readSource(root, path string) (source, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return source{}, err
	}
	name, err := filepath.Rel(root, path)
	s := source{name: filepath.ToSlash(name), text: string(text)}
	if err == nil && filepath.Ext(path) == ".go" {
		s.fset = token.NewFileSet()
		s.syntax, err = parser.ParseFile(s.fset, path, text, parser.ParseComments|parser.SkipObjectResolution)
	}
	return s, err
}

// unwanted is a pattern that no file may contain, but for those below except.
// The patterns are written so that they don't match their own text.
var unwanted = []struct {
	pattern *regexp.Regexp
	why     string
	except  []string
}{
	{regexp.MustCompile(`\bTO[D]O\b|\bFIXM[E]\b|\bXX[X]\b`), "unfinished work", nil},
	{regexp.MustCompile(`/wor[k]/|/far[m]/|bash_job[s]|/hom[e]/[a-z]|/roo[t]/`), "a path of a machine", nil},
	{regexp.MustCompile(`\.\./share[d]`), "data outside the module", []string{"bench", "scripts"}},
	{regexp.MustCompile(`proxy\.golan[g]|registry\.npmj[s]|pypi\.or[g]|crates\.i[o]\b`), "a package registry", nil},
	{regexp.MustCompile(`(?i)\bissue[s]? #?\d|\bissue[s]? no\. ?\d`), "a numbered work item", nil},
	{regexp.MustCompile(`//nolin[t]|//lint:ignor[e]`), "a silenced check", nil},
	{regexp.MustCompile(`\b[tb]\.Ski[p](f|Now)?\(`), "a skipped test", nil},
	{regexp.MustCompile(`(?i)co-authored-b[y]|generated wit[h] (an? )?(ai|llm|claud[e]|chatgp[t])`), "a note on how the code was made", nil},
	{regexp.MustCompile(`pani[c]\("(unimplemented|not implemented)`), "unfinished work", nil},
}

func wordFindings(s source) (findings []string) {
	for i, line := range strings.Split(s.text, "\n") {
		for _, u := range unwanted {
			if !under(s.name, u.except...) && u.pattern.MatchString(line) {
				findings = append(findings, fmt.Sprintf("%s:%d: %s: %s", s.name, i+1, u.why, strings.TrimSpace(line)))
			}
		}
	}
	return findings
}

func TestWords(t *testing.T) {
	var findings []string
	for _, s := range sources(t) {
		findings = append(findings, wordFindings(s)...)
	}
	report(t, "words", findings)
}

func TestWordsRule(t *testing.T) {
	join := strings.Join
	for text, bad := range map[string]bool{
		join([]string{"// TO", "DO: later"}, ""):             true,
		join([]string{"x := \"/wo", "rk/data\""}, ""):        true,
		join([]string{"t.Sk", "ip(\"slow\")"}, ""):           true,
		join([]string{"see iss", "ue 12"}, ""):               true,
		join([]string{"// no", "lint:all"}, ""):              false,
		join([]string{"//no", "lint:all"}, ""):               true,
		join([]string{"flag.String(\"../sha", "red\")"}, ""): true,
		"a network of issues, 12 of them; skip the rest":     false,
	} {
		if got := wordFindings(source{name: "fusion/x.go", text: text}); (len(got) > 0) != bad {
			t.Errorf("%q: %v", text, got)
		}
	}
	outside := join([]string{"../sha", "red/data"}, "")
	if got := wordFindings(source{name: "bench/main.go", text: outside}); len(got) > 0 {
		t.Errorf("bench may read beside the module: %v", got)
	}
}
