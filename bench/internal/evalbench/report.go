package evalbench

// This file decides what a report holds and how it is printed.

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/contextforge-go/contextforge/bench/internal/measure"
)

// Report is the outcome of a run.
type Report struct {
	Title     string          `json:"title"`
	Machine   measure.Machine `json:"machine"`
	Model     string          `json:"model"` // "" for none
	OneScope  bool            `json:"one_scope"`
	Label     string          `json:"label,omitempty"` // what stands beside the text in a rendered entry
	Resamples int             `json:"resamples"`       // that the intervals come from
	Pipelines []Description   `json:"pipelines"`
	Sets      []*SetReport    `json:"sets"`
}

// Description says what a name stands for.
type Description struct {
	Name string `json:"name"`
	What string `json:"what"`
}

// SetReport has the figures of a set.
type SetReport struct {
	Name           string            `json:"name"`
	Documents      int               `json:"documents"`
	Queries        int               `json:"queries"`                    // with something relevant
	Unanswerable   int               `json:"unanswerable"`               // the others, which count nowhere
	Textless       int               `json:"textless,omitempty"`         // documents without text, which are left out
	Strays         int               `json:"strays,omitempty"`           // judgements of what the set doesn't have
	Embedding      float64           `json:"embedding_p50_ms,omitempty"` // median time of the model for a question
	MainCategories []string          `json:"main_categories,omitempty"`  // those of Main
	Pipelines      []*PipelineReport `json:"pipelines"`

	figures []Description
}

// PipelineReport has the figures of a pipeline on a set. Keys are ndcg10, recall1,
// recall5, recall10, recall50, mrr, budget512 to budget4096 and rendered_budget512 to
// rendered_budget4096 for documents, and session_recall1 to session_recall10 and
// session_ndcg10 where a set has sessions.
type PipelineReport struct {
	Name       string             `json:"name"`
	Overall    Figures            `json:"overall"`
	Main       Figures            `json:"main,omitempty"` // of the main categories, where there are others
	Categories map[string]Figures `json:"categories,omitempty"`
	// Differences are to the first pipeline, over the main categories where there
	// are others.
	Differences map[string]Difference `json:"differences,omitempty"`
	Times       Times                 `json:"times"`
}

// Times are wall times in milliseconds, with vectors at hand.
type Times struct {
	Query50 float64 `json:"query_p50_ms"` // median of the queries with a limit of 50
	Query99 float64 `json:"query_p99_ms"`
	Save    float64 `json:"save_ms"` // of a document, in batches of a thousand
}

// Text renders the report.
func (r *Report) Text() string {
	var b strings.Builder
	model := r.Model
	if model == "" {
		model = "no embedder"
	}
	fmt.Fprintf(&b, "%s, %s\n%s\n", r.Title, model, r.Machine)
	if r.OneScope {
		b.WriteString("everything in one scope\n")
	}
	if r.Label != "" && r.Label != "all" {
		fmt.Fprintf(&b, "rendered entries are labelled with: %s\n", r.Label)
	}
	fmt.Fprintf(&b, "R@k recall, B evidence within so many tokens, rB in a rendered block of so many, s… by sessions; [low high] the 95 %% interval of a difference (%d resamples)\n\n", r.Resamples)
	table(&b, func(row func(cells ...string)) {
		for _, p := range r.Pipelines {
			row(p.Name, p.What)
		}
	})
	for _, s := range r.Sets {
		s.text(&b)
	}
	return b.String()
}

func (s *SetReport) text(b *strings.Builder) {
	fmt.Fprintf(b, "\n# %s: %d documents, %d questions", s.Name, s.Documents, s.Queries)
	if s.Unanswerable > 0 {
		fmt.Fprintf(b, " (and %d without an answer)", s.Unanswerable)
	}
	if s.Textless > 0 {
		fmt.Fprintf(b, ", %d documents without text left out", s.Textless)
	}
	if s.Strays > 0 {
		fmt.Fprintf(b, ", %d judgements of what isn't there", s.Strays)
	}
	b.WriteString("\n")
	if len(s.Pipelines) == 0 {
		return
	}
	if s.Pipelines[0].Main != nil {
		s.figuresText(b, "categories "+strings.Join(s.MainCategories, ", "), func(p *PipelineReport) Figures { return p.Main })
	}
	s.figuresText(b, "all questions", func(p *PipelineReport) Figures { return p.Overall })
	for _, name := range slices.Sorted(maps.Keys(s.Pipelines[0].Categories)) {
		title := "category " + name
		if name == "" {
			title = "without a category"
		}
		s.figuresText(b, title, func(p *PipelineReport) Figures { return p.Categories[name] })
	}
	s.differencesText(b)
	s.timesText(b)
}

// figuresText prints a table of means.
func (s *SetReport) figuresText(b *strings.Builder, title string, of func(*PipelineReport) Figures) {
	fmt.Fprintf(b, "\n%s (%.0f)\n", title, of(s.Pipelines[0])["queries"])
	table(b, func(row func(cells ...string)) {
		head := []string{"pipeline"}
		for _, f := range s.figures {
			head = append(head, f.What)
		}
		row(head...)
		for _, p := range s.Pipelines {
			cells := []string{p.Name}
			for _, f := range s.figures {
				cells = append(cells, digits(of(p), f.Name))
			}
			row(cells...)
		}
	})
}

func digits(f Figures, key string) string {
	if v, ok := f[key]; ok {
		return fmt.Sprintf("%.4f", v)
	}
	return "-"
}

// differencesText prints how the pipelines differ from the first.
func (s *SetReport) differencesText(b *strings.Builder) {
	if len(s.Pipelines) < 2 {
		return
	}
	over := "all questions"
	if s.Pipelines[0].Main != nil {
		over = "categories " + strings.Join(s.MainCategories, ", ")
	}
	fmt.Fprintf(b, "\ndifference to %s, %s\n", s.Pipelines[0].Name, over)
	chosen := s.compared()
	table(b, func(row func(cells ...string)) {
		head := []string{"pipeline"}
		for _, f := range chosen {
			head = append(head, f.What)
		}
		row(head...)
		for _, p := range s.Pipelines[1:] {
			cells := []string{p.Name}
			for _, f := range chosen {
				d := p.Differences[f.Name]
				cells = append(cells, fmt.Sprintf("%+.4f [%+.4f %+.4f]", d.Mean, d.Low, d.High))
			}
			row(cells...)
		}
	})
}

// compared returns the figures whose differences are printed.
func (s *SetReport) compared() (out []Description) {
	for _, f := range s.figures {
		if slices.Contains([]string{"ndcg10", "recall10", "budget1024", "budget4096", "rendered_budget1024", "session_recall5", "session_ndcg10"}, f.Name) {
			out = append(out, f)
		}
	}
	return out
}

func (s *SetReport) timesText(b *strings.Builder) {
	b.WriteString("\nms, vectors at hand")
	if s.Embedding > 0 {
		fmt.Fprintf(b, "; the model takes %s for a question", measure.Digits(s.Embedding))
	}
	b.WriteString("\n")
	table(b, func(row func(cells ...string)) {
		row("pipeline", "query p50", "p99", "save")
		for _, p := range s.Pipelines {
			row(p.Name, measure.Digits(p.Times.Query50), measure.Digits(p.Times.Query99), measure.Digits(p.Times.Save))
		}
	})
}

// table aligns rows of cells.
func table(b *strings.Builder, fill func(row func(cells ...string))) {
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	fill(func(cells ...string) { fmt.Fprintln(w, strings.Join(cells, "\t")) })
	_ = w.Flush() // a strings.Builder takes everything
}
