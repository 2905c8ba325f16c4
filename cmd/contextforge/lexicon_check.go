package main

// This file decides what is worth knowing about a lexicon file that loads.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/contextforge-go/contextforge/internal/tomledit"
	"github.com/contextforge-go/contextforge/lexicon"
)

func (a *app) lexiconCheckCommand() *cobra.Command {
	var asJSON bool
	return jsonFlag(&cobra.Command{
		Use:   "check FILE...",
		Short: "Check lexicon files",
		Long: `Check lexicon files: whether they load, and what in them may count otherwise than
meant. Findings are

  duplicate  the same term or pattern twice, of which one counts
  override   a term that a file named before has with another weight
  collision  the same words as a term and a pattern, or as two patterns: both count
  contains   a pattern with another one in it: both count
  english    a pattern that the built-in English lexicon has too: both count

A file that doesn't load makes the exit code 2, one that can't be read 1; findings
don't change it.`,
		Args: operands("FILE", 1, -1),
		RunE: runs(func(_ context.Context, args []string) error { return a.checkLexicons(args, asJSON) }),
	}, &asJSON)
}

// lexiconReport is what there is to say of a file.
type lexiconReport struct {
	File         string           `json:"file"`
	Terms        int              `json:"terms"`
	Affirmations int              `json:"affirmations"`
	Negations    int              `json:"negations"`
	Findings     []lexiconFinding `json:"findings"`
	Error        string           `json:"error,omitempty"`
}

// lexiconFinding is a term or pattern that may count otherwise than meant.
type lexiconFinding struct {
	Line    int          `json:"line"`
	Kind    string       `json:"kind"`
	Sort    lexicon.Sort `json:"sort"`
	Pattern string       `json:"pattern"`
	Amount  float64      `json:"amount"`
	// The other one that it has to do with, and where that is.
	OtherFile    string       `json:"other_file"`
	OtherSort    lexicon.Sort `json:"other_sort"`
	OtherPattern string       `json:"other_pattern"`
	OtherAmount  float64      `json:"other_amount"`
}

// words says what a finding is about.
func (f *lexiconFinding) words() string {
	own := fmt.Sprintf("%s %q (%s)", f.Sort, f.Pattern, signed(f.Amount))
	other := fmt.Sprintf("%s %q (%s)", f.OtherSort, f.OtherPattern, signed(f.OtherAmount))
	switch f.Kind {
	case "duplicate":
		return own + " is one with " + other + ", which counts"
	case "override":
		return own + " replaces " + other + " of " + f.OtherFile
	case "collision":
		return own + " is also " + other + ": both count"
	case "english":
		return own + " is also built in as " + other + ": both count"
	}
	return own + " contains " + other + ": both count"
}

func (a *app) checkLexicons(files []string, asJSON bool) error {
	var before []*lexiconSource
	var reports []lexiconReport
	code := exitOK
	for _, file := range files {
		report := lexiconReport{File: file, Findings: []lexiconFinding{}}
		s, err := readLexicon(file)
		if err != nil {
			report.Error = message(err)
			a.note("%s", oneLine(report.Error))
			code = max(code, checkCode(err))
		} else {
			report.Terms, report.Affirmations, report.Negations = s.counts()
			report.Findings = append(report.Findings, s.findings(before)...)
			before = append(before, s)
		}
		reports = append(reports, report)
	}
	if err := a.printLexiconReports(reports, asJSON); err != nil || code == exitOK {
		return err
	}
	return exitCode(code)
}

// checkCode returns the exit code for a file that can't be loaded.
func checkCode(err error) int {
	if isPathError(err) {
		return exitError
	}
	return exitUsage
}

// isPathError reports whether the disk is to blame.
func isPathError(err error) bool {
	var path *fs.PathError
	return errors.As(err, &path)
}

func (a *app) printLexiconReports(reports []lexiconReport, asJSON bool) error {
	if asJSON {
		return printArray(a, each(reports))
	}
	for _, r := range reports {
		if r.Error != "" {
			continue
		}
		err := a.printf("%s: %s, %s, %s\n", visible(r.File), count(r.Terms, "term", "terms"),
			count(r.Affirmations, "affirmation", "affirmations"), count(r.Negations, "negation", "negations"))
		for i := range r.Findings {
			if err == nil {
				err = a.printf("  line %d: %s: %s\n", r.Findings[i].Line, r.Findings[i].Kind, visible(r.Findings[i].words()))
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// lexiconSource is a file with what it was compiled to.
type lexiconSource struct {
	file   string
	scorer *lexicon.ConfigScorer
	pieces []lexiconPiece // in the order of the file
}

// lexiconPiece is a term or pattern as it stands in a file.
type lexiconPiece struct {
	line   int
	sort   lexicon.Sort
	text   string
	amount float64
}

func readLexicon(file string) (*lexiconSource, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, lexicon.MaxFileBytes+1))
	if err != nil {
		return nil, err
	}
	s := &lexiconSource{file: file}
	if s.scorer, err = lexicon.Parse(file, string(text)); err != nil {
		return nil, err
	}
	doc, err := tomledit.Parse(text)
	if err != nil {
		return nil, err
	}
	s.addTerms(doc)
	s.addPatterns(doc, "affirmations", lexicon.Affirmation, lexicon.AffirmationAmount)
	s.addPatterns(doc, "negations", lexicon.Negation, lexicon.NegationAmount)
	slices.SortStableFunc(s.pieces, func(x, y lexiconPiece) int { return cmp.Compare(x.line, y.line) })
	return s, nil
}

func (s *lexiconSource) addTerms(doc *tomledit.Document) {
	terms, _ := doc.Tree()["terms"].(map[string]any)
	for _, text := range slices.Sorted(maps.Keys(terms)) {
		v := terms[text]
		weight, ok := v.(float64)
		if n, whole := v.(int64); whole {
			weight, ok = float64(n), true
		}
		if ok {
			s.pieces = append(s.pieces, lexiconPiece{doc.Line("terms", text), lexicon.Term, text, weight})
		}
	}
}

func (s *lexiconSource) addPatterns(doc *tomledit.Document, table string, sort lexicon.Sort, amount float64) {
	inner, _ := doc.Tree()[table].(map[string]any)
	list, _ := inner["patterns"].([]any)
	for i, v := range list {
		if text, ok := v.(string); ok {
			s.pieces = append(s.pieces, lexiconPiece{doc.ElementLine(table, "patterns", i), sort, text, amount})
		}
	}
}

func (s *lexiconSource) counts() (terms, affirmations, negations int) {
	for range s.scorer.Terms() {
		terms++
	}
	return terms, len(s.scorer.Affirmations()), len(s.scorer.Negations())
}

// sameWords reports whether a match covers all of a text.
func sameWords(m lexicon.Match, text string) bool {
	return strings.TrimSpace(text[:m.Start]+text[m.End:]) == ""
}

// findings returns what may count otherwise than meant, also beside files that are
// loaded before.
func (s *lexiconSource) findings(before []*lexiconSource) (list []lexiconFinding) {
	kept := s.kept()
	for i, p := range s.pieces {
		add := func(kind, file string, m lexicon.Match) {
			list = append(list, lexiconFinding{p.line, kind, p.sort, p.text, p.amount, file, m.Sort, m.Pattern, m.Amount})
		}
		item := lexicon.Item{Content: p.text}
		matches := s.scorer.Explain(item, "")
		if kept[sortedText{p.sort, p.text}] != i+1 {
			for _, m := range matches {
				if m.Sort == p.sort && sameWords(m, p.text) {
					add("duplicate", s.file, m)
				}
			}
			continue
		}
		for _, m := range matches {
			switch same := sameWords(m, p.text); {
			case m.Sort == p.sort && (same || m.Pattern == p.text): // itself
			case same && m.Sort > p.sort:
			case same:
				add("collision", s.file, m)
			default:
				add("contains", s.file, m)
			}
		}
		for _, m := range lexicon.English().Explain(item, "") {
			if sameWords(m, p.text) {
				add("english", "", m)
			}
		}
		for _, other := range before {
			for _, m := range other.scorer.Explain(item, "") {
				if p.sort == lexicon.Term && m.Sort == lexicon.Term && m.Amount != p.amount && sameWords(m, p.text) {
					add("override", other.file, m)
				}
			}
		}
	}
	return list
}

type sortedText struct {
	sort lexicon.Sort
	text string
}

// kept returns the spellings that the scorer has, each with the number of the piece
// that counts, from 1: of a pattern the first, of a term the only one.
func (s *lexiconSource) kept() map[sortedText]int {
	counts := map[sortedText]bool{}
	for term := range s.scorer.Terms() {
		counts[sortedText{lexicon.Term, term}] = true
	}
	for sort, list := range map[lexicon.Sort][]string{lexicon.Affirmation: s.scorer.Affirmations(), lexicon.Negation: s.scorer.Negations()} {
		for _, text := range list {
			counts[sortedText{sort, text}] = true
		}
	}
	numbers := map[sortedText]int{}
	for i, p := range s.pieces {
		if at := (sortedText{p.sort, p.text}); counts[at] && numbers[at] == 0 {
			numbers[at] = i + 1
		}
	}
	return numbers
}
