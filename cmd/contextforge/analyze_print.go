package main

// This file decides how what matters is shown as text, in 80 columns.

import (
	"fmt"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/contextforge-go/contextforge/analysis"
)

const (
	columns    = 80
	tableTerms = 10
)

// noCategory stands for the passages without one.
const noCategory = "(none)"

func (a *app) printPassages(segments []analysis.Segment) error {
	for i := range segments {
		s := &segments[i]
		err := a.printf("%d. importance %.4f  %s  in %s\n   %s  %s\n", i+1, s.Importance, categoryNames(s.Categories),
			count(s.SessionFrequency, "session", "sessions"), shownTime(s.Timestamp), visible(s.EntryID))
		if err != nil {
			return err
		}
		if err := a.printContent(wrapped(s.Text, columns-4)); err != nil { // what it is indented by
			return err
		}
	}
	return nil
}

func categoryNames(categories []analysis.Category) string {
	names := make([]string, len(categories))
	for i, c := range categories {
		names[i] = string(c)
	}
	return shown(strings.Join(names, ", "), noCategory)
}

// wrapped breaks lines at blanks where they would be wider than so many columns.
// A longer word stays whole.
func wrapped(text string, width int) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if uniseg.StringWidth(line) > width {
			lines[i] = wrappedLine(line, width)
		}
	}
	return strings.Join(lines, "\n")
}

func wrappedLine(line string, width int) string {
	var b strings.Builder
	used := 0
	for word := range strings.FieldsSeq(line) {
		n := uniseg.StringWidth(word)
		switch {
		case used == 0:
		case used+1+n <= width:
			b.WriteByte(' ')
			used++
		default:
			b.WriteByte('\n')
			used = 0
		}
		b.WriteString(word)
		used += n
	}
	return b.String()
}

func (a *app) printSummary(r *analysis.Report) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", headline(r))
	fmt.Fprintf(&b, "%-12s  %8s  %10s\n", "category", "passages", "importance")
	for _, c := range r.Categories {
		fmt.Fprintf(&b, "%-12s  %8d  %10.4f\n", shown(string(c.Category), noCategory), c.Segments, c.Importance)
	}
	b.WriteString("\nsessions  passages  term\n")
	for _, t := range r.Terms[:min(tableTerms, len(r.Terms))] {
		fmt.Fprintf(&b, "%8d  %8d  %s\n", t.Sessions, t.Segments, visible(t.Text))
	}
	return a.printf("%s", b.String())
}

// headline returns what a report is about, in a sentence.
func headline(r *analysis.Report) string {
	return fmt.Sprintf("%s from %s in %s, %d tokens",
		passages(r.Segments), entries(r.Entries), count(r.Sessions, "session", "sessions"), r.Tokens)
}
