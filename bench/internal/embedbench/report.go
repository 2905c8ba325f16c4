package embedbench

// This file decides how a run's figures are summed up and printed.

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/contextforge-go/contextforge/bench/internal/measure"
)

// Report is the outcome of a run.
type Report struct {
	Title      string          `json:"title"`
	Machine    measure.Machine `json:"machine"`
	Clock      string          `json:"clock"`
	Model      string          `json:"model"` // file name
	Rounds     int             `json:"rounds"`
	LeftOut    float64         `json:"left_out_beyond_s"` // seconds of a call
	Versions   []Named         `json:"versions,omitempty"`
	Missing    []Named         `json:"missing,omitempty"` // engines that aren't here, with the reason
	Loading    []Loading       `json:"loading"`
	Memory     *Memory         `json:"memory,omitempty"`
	Tokenizing Tokenizing      `json:"tokenizing"`
	Accuracy   []Accuracy      `json:"accuracy,omitempty"`
	Speed      []Speed         `json:"speed"`
}

// Named is a text about an engine.
type Named struct {
	Engine string `json:"engine"`
	Text   string `json:"text"`
}

// Loading is the time to make the model, ms.
type Loading struct {
	Kernels string  `json:"kernels"`
	CPU     float64 `json:"cpu_ms"`
	Wall    float64 `json:"wall_ms"`
}

// Tokenizing is the speed of the tokenizer in one thread.
type Tokenizing struct {
	Texts       int     `json:"texts"`
	Bytes       int     `json:"bytes"`
	Tokens      int     `json:"tokens"`
	MBPerSecond float64 `json:"mb_per_s"` // of processor time
}

// Accuracy is how near an engine's vectors are to those of the unrounded weights.
type Accuracy struct {
	Engine string `json:"engine"`
	Agreement
}

// Speed is one engine in one cell. Times are ms of one text.
type Speed struct {
	Engine  string  `json:"engine"`
	Threads int     `json:"threads"`
	Batch   int     `json:"batch"` // texts in a call
	Tokens  int     `json:"tokens"`
	LeftOut bool    `json:"left_out,omitempty"` // too slow; no figures
	CPU     float64 `json:"cpu_ms"`             // of one thread, or of all
	Ids     float64 `json:"cpu_ms_from_ids"`    // the same without tokenising
	Wall    float64 `json:"wall_ms"`
	Rate    float64 `json:"tokens_per_s"` // by wall time
	Ratios  []Ratio `json:"ratios,omitempty"`
}

// Ratio compares our time from ids with that of another engine: processor time
// with one thread, wall time with more.
type Ratio struct {
	To    string  `json:"to"`
	Value float64 `json:"value"`
}

// missing says once why an engine isn't measured.
func (r *Report) missing(engine string, err error) {
	r.Missing = appendOnce(r.Missing, engine, err.Error())
}

func (r *Report) version(engine, text string) { r.Versions = appendOnce(r.Versions, engine, text) }

func appendOnce(list []Named, engine, text string) []Named {
	if slices.ContainsFunc(list, func(n Named) bool { return n.Engine == engine }) {
		return list
	}
	return append(list, Named{engine, strings.ReplaceAll(text, "\n", " ")})
}

// add takes over the times of a cell; the last contender is the tokenizer.
func (r *Report) add(threads, batch, tokens int, list []*contender) {
	words := list[len(list)-1]
	for _, c := range list[:len(list)-1] {
		s := Speed{Engine: c.name, Threads: threads, Batch: batch, Tokens: tokens, LeftOut: c.out}
		if !c.out {
			n := float64(batch)
			s.CPU, s.Wall = ms(c.cpu.At(50))/n, ms(c.wall.At(50))/n
			s.Ids = s.CPU
			if c.own {
				s.Ids = max(0, s.CPU-ms(words.cpu.At(50))/n)
				s.Ratios = ratios(c, list, threads)
			}
			s.Rate = float64(tokens) / s.Wall * 1000
		}
		r.Speed = append(r.Speed, s)
	}
}

// ratios compares one of our contenders with every peer.
func ratios(c *contender, list []*contender, threads int) (out []Ratio) {
	series := func(c *contender) measure.Series {
		if threads > 1 {
			return c.wall
		}
		return c.cpu
	}
	words := series(list[len(list)-1])
	for _, p := range list[:len(list)-1] {
		if p.own || p.out {
			continue
		}
		var all []float64
		for round, theirs := range series(p) {
			ours := series(c)[round].At(50) - words[round].At(50)
			all = append(all, max(0, ms(ours))/ms(theirs.At(50)))
		}
		out = append(out, Ratio{p.name, measure.Median(all)})
	}
	return out
}

// Text renders the report.
func (r *Report) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s\n%s\n%s\n", r.Title, r.Model, r.Machine, r.Clock)
	fmt.Fprintf(&b, "median of %d rounds, each the median of its calls; every engine has its turn in every round\n", r.Rounds)
	fmt.Fprint(&b, "other engines are given token ids; \"from ids\" is our time less that of tokenising the same texts, and ratios are of it:\n"+
		"of processor time with one thread, of wall time with more\n")
	for _, n := range r.Versions {
		fmt.Fprintf(&b, "%s: %s\n", n.Engine, n.Text)
	}
	for _, n := range r.Missing {
		fmt.Fprintf(&b, "%s: %s\n", n.Engine, n.Text)
	}
	r.once(&b)
	for from := 0; from < len(r.Speed); {
		to := from + 1
		for to < len(r.Speed) && r.Speed[to].Threads == r.Speed[from].Threads && r.Speed[to].Batch == r.Speed[from].Batch {
			to++
		}
		speedTable(&b, r.Speed[from:to], r.LeftOut)
		from = to
	}
	return b.String()
}

// once prints what isn't measured by cells.
func (r *Report) once(b *strings.Builder) {
	b.WriteString("\n")
	for _, l := range r.Loading {
		fmt.Fprintf(b, "load with %s: %.1f ms CPU, %.1f ms wall\n", l.Kernels, l.CPU, l.Wall)
	}
	if m := r.Memory; m != nil {
		fmt.Fprintf(b, "heap of a process (%s): %.1f MB after loading, %.1f MB after %d embeddings\n", m.Kernels, mb(m.HeapLoaded), mb(m.HeapUsed), m.EmbeddingsOfText)
		fmt.Fprintf(b, "resident memory of it: %.1f MB before loading, %.1f MB after, %.1f MB after embedding, of it %.1f MB not of files\n",
			mb(m.ResidentBefore), mb(m.ResidentLoaded), mb(m.ResidentUsed), mb(m.ResidentOwn))
	}
	t := r.Tokenizing
	fmt.Fprintf(b, "tokenizer: %.1f MB/s of processor time (%d texts, %d bytes, %d tokens)\n", t.MBPerSecond, t.Texts, t.Bytes, t.Tokens)
	for _, a := range r.Accuracy {
		fmt.Fprintf(b, "cosine to the unrounded model, %s: mean %.6f, min %.6f (%d texts)\n", a.Engine, a.Mean, a.Min, a.Texts)
	}
}

func mb[N int64 | uint64](n N) float64 { return float64(n) / 1e6 }

// speedTable prints the cells of one number of threads and texts.
func speedTable(b *strings.Builder, cells []Speed, leftOut float64) {
	fmt.Fprintf(b, "\n%d thread(s), %d text(s) in a call: ms per text\n", cells[0].Threads, cells[0].Batch)
	var peers []string
	for _, s := range cells {
		for _, q := range s.Ratios {
			if !slices.Contains(peers, q.To) {
				peers = append(peers, q.To)
			}
		}
	}
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "tokens\tengine\tCPU\tfrom ids\twall\ttokens/s\t")
	for _, p := range peers {
		fmt.Fprintf(w, "to %s\t", p)
	}
	fmt.Fprintln(w)
	for i, s := range cells {
		if i > 0 && s.Tokens != cells[i-1].Tokens {
			fmt.Fprintln(w, strings.Repeat("\t", 6+len(peers))) // of as many columns, or the alignment starts anew
		}
		fmt.Fprintf(w, "%d\t%s\t", s.Tokens, s.Engine)
		if s.LeftOut {
			fmt.Fprintf(w, "over %.3g s%s\n", leftOut, strings.Repeat("\t", 4+len(peers)))
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%.0f\t", measure.Digits(s.CPU), measure.Digits(s.Ids), measure.Digits(s.Wall), s.Rate)
		for _, p := range peers {
			fmt.Fprintf(w, "%s\t", ratioTo(s.Ratios, p))
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
