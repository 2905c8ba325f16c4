package main

// This file decides how the vectors of texts are asked for and printed.

import (
	"context"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/contextforge-go/contextforge/minilm"
)

type embedFlags struct {
	embedderFlags
	sourceFlags
	as                          string
	queryPrefix, documentPrefix string
	windows, json               bool
}

func (a *app) embedCommand() *cobra.Command {
	var f embedFlags
	cmd := &cobra.Command{
		Use:   "embed [TEXT...]",
		Short: "Turn texts into vectors",
		Long: `Turn every line of stdin into a vector and print it on a line, as soon as the
line is there: an empty line has one too. With arguments, each of them is a text
instead; "-" alone means stdin. The vectors have length 1, so that their dot
product is the cosine, and are the same bits on every machine. With --whole all
of stdin is one text; with --null texts end with a NUL byte and may have several
lines. Stdin is UTF-8.

What is beyond the model's limit (` + limitOfHelp + `) is cut off.
With --windows a longer text has several lines, each with the bytes of the text
that it is about: from start up to, not including, end. Windows overlap; the
first of a text starts at 0.

Some models were trained with a prefix before every text, which --as puts there:
query before what is searched for, document before what is searched in.` + builtInPrefixes() + `
That of a model whose name says nothing is given by --query-prefix and
--document-prefix.`,
		RunE: runs(func(ctx context.Context, args []string) error { return a.embed(ctx, args, &f) }),
	}
	fs := cmd.Flags()
	f.embedderFlags.add(fs)
	f.sourceFlags.add(fs)
	fs.StringVar(&f.as, "as", "text", "`kind` of the texts, whose prefix they get: query, document, or text (no prefix)")
	fs.StringVar(&f.queryPrefix, "query-prefix", "", "the prefix of queries, with --as query, in the place of the model's: `text` that ends in a space or a sign")
	fs.StringVar(&f.documentPrefix, "document-prefix", "", "the same of documents, with --as document")
	fs.BoolVar(&f.windows, "windows", false, "a line per window of a text that is beyond the limit, with its start and end")
	fs.BoolVar(&f.json, "json", false, `print {"embedding":[…]} a line, instead of numbers between tabs`)
	return cmd
}

func (a *app) embed(ctx context.Context, args []string, f *embedFlags) error {
	load, err := f.loader(a)
	if err != nil {
		return err
	}
	from := source{args: args, flags: f.sourceFlags, uncut: f.windows}
	return a.eachBatch(ctx, from, load, func(m *minilm.Model, texts []string) error {
		return a.embedBatch(ctx, m, texts, f)
	})
}

// embedBatch prints the vectors of some texts in their order. A text with many
// windows is several batches by itself.
func (a *app) embedBatch(ctx context.Context, m *minilm.Model, texts []string, f *embedFlags) error {
	var windows []minilm.Window
	var parts []string
	for _, text := range texts {
		of := []minilm.Window{{Start: 0, End: len(text)}}
		if f.windows {
			of = m.Windows(text)
		}
		for _, w := range of {
			windows = append(windows, w)
			parts = append(parts, text[w.Start:w.End])
		}
	}
	for some := range slices.Chunk(windows, mostTexts) {
		vectors, err := m.Embed(ctx, parts[:len(some)])
		if err != nil {
			return err
		}
		parts = parts[len(some):]
		for i, w := range some {
			w.Vector = vectors[i]
			if err := a.printVector(&w, f); err != nil {
				return err
			}
		}
		if err := a.out.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// vectorJSON is how a vector is printed with --json, windowJSON with --windows
// as well. Both write the shortest number that is read back as the same float32.
type vectorJSON struct {
	Embedding []float32 `json:"embedding"`
}

type windowJSON struct {
	Start int `json:"start"`
	End   int `json:"end"`
	vectorJSON
}

func (a *app) printVector(w *minilm.Window, f *embedFlags) error {
	switch {
	case f.json && f.windows:
		return a.printJSON(windowJSON{w.Start, w.End, vectorJSON{w.Vector}})
	case f.json:
		return a.printJSON(vectorJSON{w.Vector})
	}
	var row []byte
	if f.windows {
		row = strconv.AppendInt(row, int64(w.Start), 10)
		row = append(row, '\t')
		row = strconv.AppendInt(row, int64(w.End), 10)
		row = append(row, '\t')
	}
	for i, x := range w.Vector {
		if i > 0 {
			row = append(row, '\t')
		}
		row = strconv.AppendFloat(row, float64(x), 'g', -1, 32)
	}
	_, err := a.out.Write(append(row, '\n'))
	return err
}
