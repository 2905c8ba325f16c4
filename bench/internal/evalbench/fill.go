package evalbench

// This file decides how figures get into a text, so that it and the results have one
// source.

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

const (
	fillBegin = "<!-- eval "
	fillEnd   = "<!-- eval end -->"
)

// Fill returns a Markdown text with its tables of a run replaced by the figures of this
// report. A table stands between two comments, on lines of their own:
//
//	<!-- eval RUN | COLUMNS | PIPELINES -->
//	<!-- eval end -->
//
// A column is SET/GROUP/FIGURE, the group being main, overall, or a category, the figure a key
// of Figures, such a key with -diff for the difference to the first pipeline and its interval, or
// query_p50_ms, query_p99_ms and save_ms. Without PIPELINES the table has all of them. RUN
// may be several names joined by +: the table has rows for each, this run's are
// replaced and the others stay.
func (r *Report) Fill(text, run string) (string, error) {
	var out strings.Builder
	rest := text
	for {
		before, after, found := strings.Cut(rest, fillBegin)
		out.WriteString(before)
		if !found {
			return out.String(), nil
		}
		head, after, headed := strings.Cut(after, " -->\n")
		old, after, ended := strings.Cut(after, fillEnd)
		if !headed || !ended || strings.Contains(old, fillBegin) {
			return "", errors.New("a table of figures has no end")
		}
		made, err := r.fillTable(head, old, run)
		if err != nil {
			return "", fmt.Errorf("table %q: %w", head, err)
		}
		out.WriteString(fillBegin + head + " -->\n" + made + fillEnd)
		rest = after
	}
}

// fillTable returns a table, which is the old one when it isn't of the run.
func (r *Report) fillTable(head, old, run string) (string, error) {
	parts := strings.Split(head, "|")
	if len(parts) < 2 {
		return "", errors.New("want a run and columns")
	}
	runs := strings.Split(strings.TrimSpace(parts[0]), "+")
	if !slices.Contains(runs, run) {
		return old, nil
	}
	columns, titles, err := r.columns(strings.Fields(parts[1]))
	if err != nil {
		return "", err
	}
	var names []string
	if len(parts) > 2 {
		names = strings.Fields(parts[2])
	}
	rows, err := r.fillRows(columns, names)
	if err != nil {
		return "", err
	}
	lead := []string{"pipeline"}
	if len(runs) > 1 {
		lead = []string{"run", "pipeline"}
		rows = joinRows(runs, run, rows, old)
	}
	lines := append([]string{row(append(lead, titles...)), "|" + strings.Repeat("---|", len(lead)+len(titles))}, rows...)
	return strings.Join(lines, "\n") + "\n", nil
}

func row(cells []string) string { return "| " + strings.Join(cells, " | ") + " |" }

// joinRows puts the rows of a run where those of the others in an old table leave room.
func joinRows(runs []string, run string, rows []string, old string) (all []string) {
	for _, name := range runs {
		if name == run {
			for _, r := range rows {
				all = append(all, "| "+name+" "+r)
			}
			continue
		}
		for _, line := range strings.Split(old, "\n") {
			if strings.HasPrefix(line, "| "+name+" |") {
				all = append(all, line)
			}
		}
	}
	return all
}

// shown takes one cell out of the figures of a pipeline.
type shown struct {
	set  *SetReport
	cell func(p *PipelineReport) string
}

// columns finds what is to be shown. What all columns have in common isn't in their
// titles.
func (r *Report) columns(wanted []string) (columns []shown, titles []string, err error) {
	var paths [][]string
	for _, text := range wanted {
		path := strings.Split(text, "/")
		if len(path) != 3 {
			return nil, nil, fmt.Errorf("column %q: want set/group/figure", text)
		}
		at := slices.IndexFunc(r.Sets, func(s *SetReport) bool { return s.Name == path[0] })
		if at < 0 {
			return nil, nil, fmt.Errorf("column %q: the run has no such set", text)
		}
		title, cell := r.Sets[at].cell(path[1], path[2])
		columns = append(columns, shown{r.Sets[at], cell})
		paths = append(paths, []string{path[0], path[1], title})
	}
	for _, path := range paths {
		var title []string
		for i, part := range path {
			alike := !slices.ContainsFunc(paths, func(other []string) bool { return other[i] != part })
			if (i == 2 || !alike) && part != "overall" && part != "main" {
				title = append(title, part)
			}
		}
		titles = append(titles, strings.Join(title, " "))
	}
	return columns, titles, nil
}

// cell returns the title of a figure and how it is shown, with a dash for what isn't
// there.
func (s *SetReport) cell(group, key string) (title string, cell func(p *PipelineReport) string) {
	switch key {
	case "query_p50_ms":
		return "ms, median", func(p *PipelineReport) string { return fmt.Sprintf("%.2f", p.Times.Query50) }
	case "query_p99_ms":
		return "ms, 99 %", func(p *PipelineReport) string { return fmt.Sprintf("%.2f", p.Times.Query99) }
	case "save_ms":
		return "ms a save", func(p *PipelineReport) string { return fmt.Sprintf("%.3f", p.Times.Save) }
	}
	key, difference := strings.CutSuffix(key, "-diff")
	title = key
	for _, f := range s.figures {
		if f.Name == key {
			title = f.What
		}
	}
	if difference {
		return "Δ " + title, func(p *PipelineReport) string {
			if d, ok := p.Differences[key]; ok {
				return fmt.Sprintf("%+.4f [%+.4f %+.4f]", d.Mean, d.Low, d.High)
			}
			return "–"
		}
	}
	return title, func(p *PipelineReport) string {
		figures := p.Categories[group]
		switch group {
		case "main":
			figures = p.Main
		case "overall":
			figures = p.Overall
		}
		return strings.Replace(digits(figures, key), "-", "–", 1)
	}
}

// fillRows returns a row for each of the named pipelines, or for every one.
func (r *Report) fillRows(columns []shown, names []string) (rows []string, err error) {
	if len(names) == 0 {
		for _, p := range r.Pipelines {
			names = append(names, p.Name)
		}
	}
	for _, name := range names {
		cells := []string{name}
		for _, c := range columns {
			at := slices.IndexFunc(c.set.Pipelines, func(p *PipelineReport) bool { return p.Name == name })
			if at < 0 {
				return nil, fmt.Errorf("the run has no pipeline %q", name)
			}
			cells = append(cells, c.cell(c.set.Pipelines[at]))
		}
		rows = append(rows, row(cells))
	}
	return rows, nil
}
