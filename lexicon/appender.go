// This file decides what can be done to a lexicon file, and when there is nothing
// to do.

package lexicon

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/contextforge-go/contextforge/internal/tomledit"
)

// Appender adds terms and patterns to one lexicon file and removes them. It
// changes the lines in question and nothing else: comments, order, unknown
// tables, line ends stay as they are.
//
// Every method is one step: it takes a lock that other Appenders respect, in this
// process and in others; reads the file; and puts a whole new one in its place,
// synced to disk. Whoever reads the file meanwhile, or after a crash at any point,
// finds the old text or the new one. The new file has the mode of the old one,
// and where the system allows it the owner; a symbolic link stays, and its target
// is replaced. A file that is made has mode 0666 less the umask, as an editor
// would make it: a lexicon holds no secrets, and the programs of other users may
// have to read it. The folder must be there.
//
// A method that has nothing to do returns false and doesn't touch the file, or
// make one. A missing file is an empty lexicon. A file that isn't TOML fails with
// ErrLexicon, and one whose form can't be edited, such as terms in an array of
// tables, with ErrForm; neither is changed. Weights that stand in the file already
// aren't checked.
//
// All methods may be called concurrently. They wait for the lock until ctx ends.
// Where the system has no locks (js, wasip1, plan9), only the calls of one
// Appender wait for each other. An editor that doesn't know the lock is noticed if
// it writes while a method works, but for the moment of the renaming itself. A
// crash can leave a file .lexicon-….tmp, and its lock, in the folder; neither
// disturbs anything.
type Appender struct {
	path string
	fs   fileSystem
	turn chan struct{} // holds a value while a goroutine works
}

// NewAppender returns an Appender of the file at path, which need not exist.
func NewAppender(path string) *Appender { return newAppender(path, osFiles{}) }

func newAppender(path string, fs fileSystem) *Appender {
	return &Appender{path: path, fs: fs, turn: make(chan struct{}, 1)}
}

// ErrContended says that another program kept changing the file while it was
// being edited.
var ErrContended = errors.New("lexicon: the file keeps changing")

// Append takes over proposals, all of them or, on an error, none, in one step.
// It reports whether the file changed.
//
// Terms and patterns are equal if matching takes them for the same: case,
// apostrophes, accents written in two ways make no difference. A term that is
// there keeps its spelling and gets the new weight, and the new rationale, if
// there is one, in place of the comment behind it. A pattern that is there stays
// as it is. What is new goes behind the others of its sort.
//
// Rationale and source ids are written as a comment on the same line.
func (a *Appender) Append(ctx context.Context, proposals ...Proposal) (changed bool, err error) {
	keys := make([]string, len(proposals))
	for i, p := range proposals {
		if keys[i], err = p.check(); err != nil {
			return false, err
		}
	}
	return a.edit(ctx, func(l *lexiconFile) error {
		for i, p := range proposals {
			if err := l.append(p, keys[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// AppendTerm is Append with one term.
func (a *Appender) AppendTerm(ctx context.Context, term string, weight float64, rationale string, sourceIDs ...string) (changed bool, err error) {
	return a.Append(ctx, Proposal{Sort: Term, Pattern: term, Weight: weight, Rationale: rationale, SourceIDs: sourceIDs})
}

// AppendAffirmation is Append with one affirmation.
func (a *Appender) AppendAffirmation(ctx context.Context, pattern string) (changed bool, err error) {
	return a.Append(ctx, Proposal{Sort: Affirmation, Pattern: pattern})
}

// AppendNegation is Append with one negation.
func (a *Appender) AppendNegation(ctx context.Context, pattern string) (changed bool, err error) {
	return a.Append(ctx, Proposal{Sort: Negation, Pattern: pattern})
}

// RemoveTerm removes every spelling of a term, with the comments behind them. It
// reports whether there was one.
func (a *Appender) RemoveTerm(ctx context.Context, term string) (changed bool, err error) {
	key := foldKey(term)
	return a.edit(ctx, func(l *lexiconFile) error { return l.removeTerm(key) })
}

// RemoveAffirmation removes every spelling of an affirmation, with the comments
// on lines that only they stand on. It reports whether there was one.
func (a *Appender) RemoveAffirmation(ctx context.Context, pattern string) (changed bool, err error) {
	key := foldKey(pattern)
	return a.edit(ctx, func(l *lexiconFile) error { return l.removePattern(Affirmation, key) })
}

// RemoveNegation does for a negation what RemoveAffirmation does.
func (a *Appender) RemoveNegation(ctx context.Context, pattern string) (changed bool, err error) {
	key := foldKey(pattern)
	return a.edit(ctx, func(l *lexiconFile) error { return l.removePattern(Negation, key) })
}

// lexiconFile is the text of a lexicon file during an edit.
type lexiconFile struct {
	doc     *tomledit.Document
	changed bool
}

// The names of tables and keys in a lexicon file.
const (
	termsTable  = "terms"
	patternsKey = "patterns"
)

// patternsTable names the table that the patterns of a sort are in.
func patternsTable(s Sort) string {
	if s == Negation {
		return "negations"
	}
	return "affirmations"
}

func (l *lexiconFile) append(p Proposal, key string) error {
	if p.Sort == Term {
		return l.appendTerm(p, key)
	}
	table := patternsTable(p.Sort)
	for _, text := range l.patterns(table) {
		if foldKey(text) == key {
			return nil
		}
	}
	l.changed = true
	return l.doc.Append(table, patternsKey, p.spelling(), p.comment())
}

func (l *lexiconFile) appendTerm(p Proposal, key string) error {
	name := p.spelling()
	if spellings := l.spellings(key); len(spellings) > 0 {
		name = spellings[len(spellings)-1]
	}
	changed, err := l.doc.Set(termsTable, name, p.Weight, p.comment())
	l.changed = l.changed || changed
	return err
}

func (l *lexiconFile) removeTerm(key string) error {
	for _, name := range l.spellings(key) {
		changed, err := l.doc.Remove(termsTable, name)
		if l.changed = l.changed || changed; err != nil {
			return err
		}
	}
	return nil
}

func (l *lexiconFile) removePattern(s Sort, key string) error {
	n, err := l.doc.RemoveElements(patternsTable(s), patternsKey, func(text string) bool { return foldKey(text) == key })
	l.changed = l.changed || n > 0
	return err
}

// patterns returns the strings of a table's list of patterns.
func (l *lexiconFile) patterns(table string) (texts []string) {
	inner, _ := l.doc.Tree()[table].(map[string]any)
	list, _ := inner[patternsKey].([]any)
	for _, v := range list {
		if text, ok := v.(string); ok {
			texts = append(texts, text)
		}
	}
	return texts
}

// spellings returns the terms of the file with a folded form, the one that counts
// when the file is loaded last.
func (l *lexiconFile) spellings(key string) (names []string) {
	table, _ := l.doc.Tree()[termsTable].(map[string]any)
	for name := range table {
		if foldKey(name) == key {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(l.doc.Line(termsTable, a), l.doc.Line(termsTable, b)), strings.Compare(a, b))
	})
	return names
}

// failure says which file an error is about.
func (a *Appender) failure(err error) error { return fmt.Errorf("lexicon: %s: %w", a.path, err) }
