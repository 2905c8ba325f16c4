// Command basic is the first thing to run: it fills a memory with a nine-month
// conversation, closes it, opens it again, asks it four questions, and counts how
// many of 61 it has an answer to, with the built-in model and without it.
//
//	go run ./examples/basic
//
// It needs no arguments and no network. With -store the memory stays
// in that folder; otherwise it is in a temporary one and removed at the end.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/minilm"
	"github.com/contextforge-go/contextforge/minilm/allminilm"
	"github.com/contextforge-go/contextforge/testdata/conversation"
)

// asked are the ids of the questions, out of questions.jsonl.
var asked = [...]string{"q-01", "q-43", "q-29", "q-44"}

const (
	tokenBudget = 120
	countBudget = 500
	lineWidth   = 96
)

func main() {
	store := flag.String("store", "", "keep the memory in this folder")
	flag.Parse()
	if err := run(context.Background(), os.Stdout, *store); err != nil {
		fmt.Fprintln(os.Stderr, "basic:", err)
		os.Exit(1)
	}
}

// run fills the memory in dir, or in a temporary folder, and questions it.
func run(ctx context.Context, w io.Writer, dir string) (err error) {
	if dir == "" {
		if dir, err = os.MkdirTemp("", "contextforge-basic-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	}
	model, err := allminilm.New(minilm.Config{})
	if err != nil {
		return err
	}
	if err := fill(ctx, w, dir, model); err != nil {
		return err
	}
	questions, err := read[Question]("questions.jsonl")
	if err != nil {
		return err
	}
	if err := question(ctx, w, dir, model, questions); err != nil {
		return err
	}
	return compare(ctx, w, dir, model, questions)
}

// fill saves the conversation into a memory and closes it.
func fill(ctx context.Context, w io.Writer, dir string, model *minilm.Model) (err error) {
	turns, err := read[contextforge.Entry]("turns.jsonl")
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "A person, Maren, has talked to her assistant for nine months: %d turns and notes.\n", len(turns))
	mem, err := contextforge.Open(ctx, contextforge.Config{Path: dir, Embedder: model})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, mem.Close()) }()
	start := time.Now()
	saved, err := mem.Restore(ctx, turns)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "Saved %d entries on disk, embedded, searchable and synced, in %s.\n", saved, since(start))
	return nil
}

// question opens the memory again, as another process would, and asks.
func question(ctx context.Context, w io.Writer, dir string, model *minilm.Model, questions []Question) (err error) {
	start := time.Now()
	mem, err := contextforge.Open(ctx, contextforge.Config{Path: dir, Embedder: model})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, mem.Close()) }()
	fmt.Fprintf(w, "Closed the memory and opened it again in %s. It holds:\n", since(start))
	scopes, err := mem.Scopes(ctx)
	if err != nil {
		return err
	}
	for _, s := range scopes {
		fmt.Fprintf(w, "  %3d entries in the scope %s\n", s.Entries, s.Scope)
	}
	fmt.Fprintf(w, "\nWhat a language model would be given for each question, in at most %d tokens:\n", tokenBudget)
	for _, id := range asked {
		for _, q := range questions {
			if q.ID == id {
				if err := ask(ctx, w, mem, q); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// compare says how many questions have an answer among the hits with the model
// and without one.
func compare(ctx context.Context, w io.Writer, dir string, model *minilm.Model, questions []Question) error {
	questions = slices.DeleteFunc(slices.Clone(questions), func(q Question) bool { return len(q.Evidence) == 0 })
	words, err := answered(ctx, contextforge.Config{Path: dir}, questions)
	if err != nil {
		return err
	}
	both, err := answered(ctx, contextforge.Config{Path: dir, Embedder: model}, questions)
	fmt.Fprintf(w, "\nOf %d questions, %d have an answer in %d tokens by words alone, and %d by words and meaning.\n",
		len(questions), words, countBudget, both)
	return err
}

// answered counts the questions that have an answer among the hits.
func answered(ctx context.Context, cfg contextforge.Config, questions []Question) (n int, err error) {
	mem, err := contextforge.Open(ctx, cfg)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, mem.Close()) }()
	for _, q := range questions {
		hits, err := mem.Query(ctx, q.Text, q.options(countBudget))
		if err != nil {
			return n, err
		}
		if slices.ContainsFunc(hits, func(h contextforge.Hit) bool { return slices.Contains(q.Evidence, h.ID) }) {
			n++
		}
	}
	return n, nil
}

// Question is a line of questions.jsonl, as far as it is needed here.
type Question struct {
	ID, Text, Scope, Answer string
	Evidence                []string // ids of turns that answer it
}

// options restricts a query to the scope and a budget. "Today" is fixed, so that
// scores repeat.
func (q Question) options(budget int) contextforge.QueryOptions {
	return contextforge.QueryOptions{
		Filter:      contextforge.Filter{Scope: q.Scope},
		TokenBudget: budget,
		AsOf:        time.Date(2026, time.September, 30, 0, 0, 0, 0, time.UTC),
	}
}

// ask prints what a language model would be given to answer the question with.
func ask(ctx context.Context, w io.Writer, mem *contextforge.Memory, q Question) error {
	hits, err := mem.Query(ctx, q.Text, q.options(tokenBudget))
	if err != nil {
		return err
	}
	tokens := 0
	for _, h := range hits {
		tokens += h.Explain.Tokens
	}
	fmt.Fprintf(w, "\n? %s\n  scope %s, %d tokens; right answer: %s\n", q.Text, q.Scope, tokens, q.Answer)
	for i, h := range hits {
		x := h.Explain
		place := ""
		if x.Reserved {
			place = ", in a place kept free for a " + h.Kind
		}
		fmt.Fprintf(w, "%d. %s of %s: score %.3f = match %.3f (BM25 %.2f, cosine %.3f) × age %.3f; %d tokens%s\n", i+1,
			h.Kind, h.Timestamp.Format("2 Jan"), h.Score, x.Fused, x.Lexical.Score, x.Semantic.Score, x.Decay, x.Tokens, place)
		fmt.Fprintln(w, indented(h.Content))
	}
	return nil
}

// read decodes a bundled file of JSON Lines.
func read[T any](name string) (list []T, err error) {
	f, err := conversation.FS.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	for d := json.NewDecoder(f); ; {
		var v T
		if err := d.Decode(&v); err == io.EOF {
			return list, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, v)
	}
}

// indented breaks a text into lines and moves them to the right.
func indented(text string) string {
	var b strings.Builder
	width := 0
	for _, word := range strings.Fields(text) {
		if width == 0 || width+1+len(word) > lineWidth {
			if width > 0 {
				b.WriteByte('\n')
			}
			b.WriteString("     ")
			width = 5
		} else {
			b.WriteByte(' ')
			width++
		}
		b.WriteString(word)
		width += len(word)
	}
	return b.String()
}

// since returns how long something took.
func since(start time.Time) string {
	return fmt.Sprintf("%.1f ms", float64(time.Since(start).Microseconds())/1000)
}
