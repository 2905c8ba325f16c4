//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package vectorbench

// This file decides how a run's figures are summed up and printed.

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/contextforge-go/contextforge/bench/internal/measure"
)

// ownName is package vecindex in a report.
const ownName = "vecindex"

// The kinds of search.
const (
	WhatAll        = "all vectors"
	WhatAgain      = "the same question again"
	WhatScan       = "the scan alone"
	WhatScope      = "one scope"
	WhatScopeAgain = "one scope, the same again"
	WhatStream     = "nothing held in memory"
)

// explained says what the kinds are.
const explained = WhatAll + ": a new question each time; the vectors that can be among the best are read from the store\n" +
	WhatAgain + ": they are in memory already\n" +
	WhatScan + ": a question with a least score that nothing reaches\n" +
	WhatStream + ": the codes are read from the store by every search\n"

// Report is the outcome of a run.
type Report struct {
	Title   string          `json:"title"`
	Machine measure.Machine `json:"machine"`
	Clock   string          `json:"clock"`
	Kernels string          `json:"kernels"`
	Dim     int             `json:"dimension"`
	Top     int             `json:"top"`
	Scopes  int             `json:"scopes"`
	Rounds  int             `json:"rounds"`
	Engines []Named         `json:"engines,omitempty"` // others, with their versions or why they are missing
	Sizes   []Size          `json:"sizes"`
}

// Named is a text about an engine.
type Named struct {
	Engine string `json:"engine"`
	Text   string `json:"text"`
}

// Size is what was measured with one number of vectors.
type Size struct {
	Vectors    int         `json:"vectors"`
	Added      float64     `json:"added_per_s"` // with their commits
	Disk       int64       `json:"disk_bytes"`
	Resident   int64       `json:"resident_bytes"` // codes in memory
	First      []First     `json:"first"`
	Cosines    [3]float64  `json:"cosines"` // mean of the best hit, the middle one and the last
	Checked    int         `json:"checked"` // questions whose answers were compared, all right
	Agreements []Agreement `json:"agreements,omitempty"`
	Timings    []Timing    `json:"timings"`
}

// First is the first search after opening, ms.
type First struct {
	Threads int     `json:"threads"`
	Open    float64 `json:"open_ms"`   // the key-value store
	Search  float64 `json:"search_ms"` // opening the index, reading the codes, searching
}

// Agreement is how many of the right vectors another engine finds.
type Agreement struct {
	Engine string `json:"engine"`
	Found  int    `json:"found"`
	Of     int    `json:"of"`
}

// Timing is one kind of search by one engine, ms.
type Timing struct {
	What    string  `json:"what"`
	Engine  string  `json:"engine"`
	Threads int     `json:"threads"`
	CPU     float64 `json:"cpu_ms"` // of one thread, or of all
	P50     float64 `json:"p50_ms"` // wall
	P99     float64 `json:"p99_ms"`
	Ratios  []Ratio `json:"ratios,omitempty"`
}

// Ratio compares our time with another engine's: processor time with one thread,
// wall time with more.
type Ratio struct {
	To    string  `json:"to"`
	Value float64 `json:"value"`
}

// about says something of another engine, once.
func (r *Report) about(engine, text string) {
	if !slices.ContainsFunc(r.Engines, func(n Named) bool { return n.Engine == engine }) {
		r.Engines = append(r.Engines, Named{engine, strings.ReplaceAll(text, "\n", " ")})
	}
}

// cosines takes over the answers that were checked.
func (s *Size) cosines(exact [][]scored) {
	s.Checked = len(exact)
	for _, best := range exact {
		if len(best) == 0 {
			continue
		}
		for i, at := range [3]int{0, len(best) / 2, len(best) - 1} {
			s.Cosines[i] += best[at].cosine / float64(len(exact))
		}
	}
}

// Text renders the report.
func (r *Report) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, the best %d of vectors of %d numbers, %d scopes, kernels %s\n%s\n%s\n", r.Title, r.Top, r.Dim, r.Scopes, r.Kernels, r.Machine, r.Clock)
	fmt.Fprintf(&b, "median of %d rounds, each the median or 99th percentile of its calls; every search has its turn in every round\n", r.Rounds)
	b.WriteString("ratios are of processor time with one thread, of wall time with more\n" + explained)
	for _, n := range r.Engines {
		fmt.Fprintf(&b, "%s: %s\n", n.Engine, n.Text)
	}
	for i := range r.Sizes {
		r.Sizes[i].text(&b)
	}
	return b.String()
}

func (s *Size) text(b *strings.Builder) {
	n := float64(s.Vectors)
	fmt.Fprintf(b, "\n%d vectors\n", s.Vectors)
	fmt.Fprintf(b, "added: %.0f a second; on disk: %.0f bytes each; in memory: %.0f bytes each\n", s.Added, float64(s.Disk)/n, float64(s.Resident)/n)
	for _, f := range s.First {
		fmt.Fprintf(b, "first search after opening, %d thread(s): %s ms, opening the store before: %s ms\n", f.Threads, measure.Digits(f.Search), measure.Digits(f.Open))
	}
	fmt.Fprintf(b, "answers: those of a scan in float64 (%d questions, of all and of one scope); cosines of the best, the middle and the last: %.2f %.2f %.2f\n",
		s.Checked, s.Cosines[0], s.Cosines[1], s.Cosines[2])
	for _, a := range s.Agreements {
		fmt.Fprintf(b, "%s finds %d of %d of these\n", a.Engine, a.Found, a.Of)
	}
	s.table(b)
}

// table prints the searches, ms.
func (s *Size) table(b *strings.Builder) {
	var peers []string
	for _, t := range s.Timings {
		for _, q := range t.Ratios {
			if !slices.Contains(peers, q.To) {
				peers = append(peers, q.To)
			}
		}
	}
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "ms\tengine\tthreads\tCPU\tp50\tp99\t")
	for _, p := range peers {
		fmt.Fprintf(w, "to %s\t", p)
	}
	fmt.Fprintln(w)
	for _, t := range s.Timings {
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\t", t.What, t.Engine, t.Threads, measure.Digits(t.CPU), measure.Digits(t.P50), measure.Digits(t.P99))
		for _, p := range peers {
			fmt.Fprintf(w, "%s\t", ratioTo(t.Ratios, p))
		}
		fmt.Fprintln(w)
	}
	_ = w.Flush() // to a Builder, which has no errors
	for line := range strings.Lines(table.String()) {
		fmt.Fprintln(b, strings.TrimRight(line, " \n"))
	}
}

func ratioTo(list []Ratio, peer string) string {
	for _, q := range list {
		if q.To == peer {
			return measure.Digits(q.Value)
		}
	}
	return ""
}
