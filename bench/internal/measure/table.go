package measure

// This file decides how results are printed: one Markdown table per size, and
// the same as JSON.

import (
	"fmt"
	"math"
	"strings"
)

// Report is the outcome of one run.
type Report struct {
	Title   string    `json:"title"`
	Machine Machine   `json:"machine"`
	Notes   []string  `json:"notes"` // how it was measured
	Tables  []*Table  `json:"tables"`
	Curves  []Compare `json:"curves,omitempty"`
}

// Table holds the figures of one size.
type Table struct {
	Title   string `json:"title"`
	Entries int    `json:"entries"`
	Rows    []Row  `json:"rows"`
}

// Row is one figure, maybe with what stands beside it.
type Row struct {
	Key    string  `json:"key"` // the same in every table
	What   string  `json:"what"`
	Unit   string  `json:"unit"`
	P50    float64 `json:"p50"`              // the figure itself where there is but one
	P99    float64 `json:"p99,omitempty"`    // 0 where there is none
	CPU    float64 `json:"cpu_ms,omitempty"` // processor time of the process per operation, ms, mean
	Beside string  `json:"beside,omitempty"`
	B50    float64 `json:"beside_p50,omitempty"`
	B99    float64 `json:"beside_p99,omitempty"`
	Ratio  float64 `json:"ratio,omitempty"` // P50 to B50, median of the rounds
	Target string  `json:"target,omitempty"`
}

// Compare is the ratio of one operation between two sizes.
type Compare struct {
	Key     string  `json:"key"`
	What    string  `json:"what"`
	From    int     `json:"from_entries"`
	To      int     `json:"to_entries"`
	P50From float64 `json:"p50_from"` // ms
	P50To   float64 `json:"p50_to"`
	Ratio   float64 `json:"ratio"` // median of the rounds
	Target  string  `json:"target,omitempty"`
}

// Timed makes a row in milliseconds from the rounds of an operation and,
// unless floor is nil, of what it is compared with.
func Timed(key, what string, ours Series, beside string, floor Series, target string) Row {
	row := Row{Key: key, What: what, Unit: "ms", P50: milliseconds(ours, 50), P99: milliseconds(ours, 99), Target: target}
	if floor != nil {
		row.Beside, row.B50, row.B99 = beside, milliseconds(floor, 50), milliseconds(floor, 99)
		row.Ratio = ours.Ratio(floor, 50)
	}
	if len(ours[0]) < 20 { // too few for a 99th percentile
		row.P99, row.B99 = 0, 0
	}
	return row
}

func milliseconds(s Series, p float64) float64 { return float64(s.At(p).Nanoseconds()) / 1e6 }

// Add appends a row.
func (t *Table) Add(r Row) { t.Rows = append(t.Rows, r) }

// Find returns the row of a key.
func (t *Table) Find(key string) (Row, bool) {
	for _, r := range t.Rows {
		if r.Key == key {
			return r, true
		}
	}
	return Row{}, false
}

// Grow adds the ratio of an operation at a larger size to the same at a smaller
// one, measured in turn.
func (r *Report) Grow(key, what string, from, to int, small, large Series, target string) {
	r.Curves = append(r.Curves, Compare{
		Key: key, What: what, From: from, To: to, P50From: milliseconds(small, 50), P50To: milliseconds(large, 50),
		Ratio: large.Ratio(small, 50), Target: target,
	})
}

// Markdown renders the report.
func (r *Report) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n\n", r.Title, r.Machine)
	for _, n := range r.Notes {
		fmt.Fprintf(&b, "- %s\n", n)
	}
	for _, t := range r.Tables {
		t.markdown(&b)
	}
	if len(r.Curves) > 0 {
		b.WriteString("\n## Growth\n\nThe same operation at two sizes, in turn.\n\n| what | entries | p50 ms | entries | p50 ms | ratio | target |\n|---|---:|---:|---:|---:|---:|---|\n")
		for _, c := range r.Curves {
			fmt.Fprintf(&b, "| %s | %d | %s | %d | %s | %s | %s |\n", c.What, c.From, Digits(c.P50From), c.To, Digits(c.P50To), Digits(c.Ratio), c.Target)
		}
	}
	return b.String()
}

func (t *Table) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "\n## %s\n\n", t.Title)
	b.WriteString("| what | unit | p50 | p99 | CPU ms | beside | its p50 | its p99 | ratio | target |\n|---|---|---:|---:|---:|---|---:|---:|---:|---|\n")
	for _, r := range t.Rows {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", r.What, r.Unit,
			Digits(r.P50), Digits(r.P99), Digits(r.CPU), r.Beside, Digits(r.B50), Digits(r.B99), Digits(r.Ratio), r.Target)
	}
}

// Digits prints a number with three significant digits, nothing for 0.
func Digits(x float64) string {
	switch a := math.Abs(x); {
	case a == 0:
		return ""
	case a >= 100:
		return fmt.Sprintf("%.0f", x)
	case a >= 10:
		return fmt.Sprintf("%.1f", x)
	case a >= 1:
		return fmt.Sprintf("%.2f", x)
	default:
		return fmt.Sprintf("%.3g", x)
	}
}
