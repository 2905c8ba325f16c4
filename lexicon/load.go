// This file decides how lexicon files are read and joined into one scorer.

package lexicon

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/contextforge-go/contextforge/internal/tomledit"
)

// Parse compiles the text of a lexicon file. name is what matches and errors call
// it. Errors match ErrLexicon; a weight that is out of range is a *WeightError, a
// pattern that can't be matched a *PatternError.
func Parse(name, text string) (*ConfigScorer, error) {
	var j joiner
	if err := j.add(name, name, text); err != nil {
		return nil, err
	}
	return j.compile(), nil
}

// Load reads lexicon files and joins them into one scorer: the union of what they
// hold. The same term in a later file wins; equal patterns count once. A file is
// named after its base name without ".toml". Errors are those of Parse, and those
// of reading, which match ErrLexicon and what package os gives. Without paths the
// scorer is empty.
func Load(paths ...string) (*ConfigScorer, error) {
	return load(paths, filepath.Base, func(name string) (io.ReadCloser, error) { return os.Open(name) })
}

// LoadFS is Load for files of a file system.
func LoadFS(fsys fs.FS, names ...string) (*ConfigScorer, error) {
	return load(names, path.Base, func(name string) (io.ReadCloser, error) { return fsys.Open(name) })
}

func load(paths []string, base func(string) string, open func(string) (io.ReadCloser, error)) (*ConfigScorer, error) {
	var j joiner
	for _, p := range paths {
		text, err := read(p, open)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrLexicon, err)
		}
		if err := j.add(p, strings.TrimSuffix(base(p), ".toml"), text); err != nil {
			return nil, err
		}
	}
	return j.compile(), nil
}

// read returns a file of at most MaxFileBytes and a byte.
func read(name string, open func(string) (io.ReadCloser, error)) (string, error) {
	file, err := open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, MaxFileBytes+1))
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return string(text), nil
}

// joiner gathers what lexicon files hold.
type joiner struct {
	names    []string
	patterns []pattern
	index    map[sortedKey]int // where a pattern is in patterns
	bytes    int               // of the keys
}

type sortedKey struct {
	sort Sort
	key  string
}

func (j *joiner) compile() *ConfigScorer { return compile(strings.Join(j.names, "+"), j.patterns) }

// add takes over a file. file is its name in errors, name that of the lexicon.
func (j *joiner) add(file, name, text string) error {
	j.names = append(j.names, name)
	if err := j.addText(file, name, text); err != nil {
		return fmt.Errorf("%w: %w", ErrLexicon, err)
	}
	return nil
}

func (j *joiner) addText(file, name, text string) error {
	if len(text) > MaxFileBytes {
		return fmt.Errorf("%sthe file is larger than %d bytes", place(file, 0), MaxFileBytes)
	}
	doc, err := tomledit.Parse([]byte(text))
	if err != nil {
		return syntaxFailure(file, err)
	}
	t := tables{file: file, name: name, doc: doc}
	patterns := t.terms()
	patterns = append(patterns, t.list("affirmations", Affirmation, AffirmationAmount)...)
	patterns = append(patterns, t.list("negations", Negation, NegationAmount)...)
	if t.err != nil {
		return t.err
	}
	for _, p := range patterns {
		if j.put(p); j.bytes > MaxFileBytes {
			return fmt.Errorf("%sthe patterns are larger than %d bytes", place(file, 0), MaxFileBytes)
		}
	}
	return nil
}

// put adds a pattern. Of the same term the later weight and spelling count, of
// other patterns the first spelling.
func (j *joiner) put(p pattern) {
	if j.index == nil {
		j.index = map[sortedKey]int{}
	}
	at, known := j.index[sortedKey{p.sort, p.key}]
	switch {
	case !known:
		j.index[sortedKey{p.sort, p.key}] = len(j.patterns)
		j.patterns = append(j.patterns, p)
		j.bytes += len(p.key)
	case p.sort == Term:
		j.patterns[at] = p
	}
}

// syntaxFailure writes the error of a parser the way compilers do.
func syntaxFailure(file string, err error) error {
	var syntax *tomledit.SyntaxError
	if !errors.As(err, &syntax) {
		return fmt.Errorf("%s%w", place(file, 0), err)
	}
	if file == "" {
		return syntax
	}
	return fmt.Errorf("%s:%d:%d: %s", file, syntax.Line, syntax.Column, syntax.Reason)
}

// tables reads the tables of one file. err is the failure that stands first in
// the file.
type tables struct {
	file, name string
	doc        *tomledit.Document
	err        error
	line       int // of err
}

// fail notes a failure at a line.
func (t *tables) fail(line int, err error) {
	if t.err != nil && t.line <= line {
		return
	}
	var weight *WeightError
	var unmatchable *PatternError
	switch {
	case errors.As(err, &weight):
		weight.File, weight.Line = t.file, line
	case errors.As(err, &unmatchable):
		unmatchable.File, unmatchable.Line = t.file, line
	default:
		err = fmt.Errorf("%s%w", place(t.file, line), err)
	}
	t.err, t.line = err, line
}

// table returns a table of the top level; a missing one is empty.
func (t *tables) table(name string) map[string]any {
	value, ok := t.doc.Tree()[name]
	if !ok {
		return nil
	}
	table, ok := value.(map[string]any)
	if !ok {
		t.fail(t.doc.Line("", name), fmt.Errorf("%s is not a table", name))
	}
	return table
}

// terms returns the terms in the order of the file.
func (t *tables) terms() []pattern {
	table := t.table("terms")
	lines := make(map[string]int, len(table))
	for term := range table {
		lines[term] = t.doc.Line("terms", term)
	}
	order := slices.SortedFunc(maps.Keys(table), func(a, b string) int {
		return cmp.Or(cmp.Compare(lines[a], lines[b]), strings.Compare(a, b))
	})
	patterns := make([]pattern, 0, len(order))
	for _, term := range order {
		weight, ok := numeric(table[term])
		if !ok {
			t.fail(lines[term], fmt.Errorf("the weight of term %q is not a number", shortened(term)))
			continue
		}
		key, err := checkPattern(Term, term)
		if err == nil {
			err = checkWeight(term, weight)
		}
		if err != nil {
			t.fail(lines[term], err)
			continue
		}
		patterns = append(patterns, pattern{text: term, key: key, lexicon: t.name, sort: Term, amount: weight})
	}
	return patterns
}

// numeric returns the value of a TOML number.
func numeric(value any) (float64, bool) {
	switch x := value.(type) {
	case float64:
		return x, true
	case int64:
		return float64(x), true
	}
	return 0, false
}

// list returns the list "patterns" of a table.
func (t *tables) list(name string, sort Sort, amount float64) []pattern {
	value, ok := t.table(name)["patterns"]
	if !ok {
		return nil
	}
	elements, ok := value.([]any)
	if !ok {
		t.fail(t.doc.Line(name, "patterns"), fmt.Errorf("patterns of %s is not a list of strings", name))
		return nil
	}
	patterns := make([]pattern, 0, len(elements))
	for i, element := range elements {
		text, ok := element.(string)
		if !ok {
			t.fail(t.doc.ElementLine(name, "patterns", i), fmt.Errorf("patterns of %s holds something else than strings", name))
			continue
		}
		key, err := checkPattern(sort, text)
		if err != nil {
			t.fail(t.doc.ElementLine(name, "patterns", i), err)
			continue
		}
		patterns = append(patterns, pattern{text: text, key: key, lexicon: t.name, sort: sort, amount: amount})
	}
	return patterns
}
