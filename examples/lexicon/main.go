// Command lexicon shows what a lexicon does: five notes answer a question equally
// well, and the words of a persona decide which of them is worth its tokens.
//
//	go run ./examples/lexicon
//
// It needs no arguments, no model and no network, and leaves nothing behind. With
// -file the lexicon that it adds to is that file.
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/lexicon"
)

//go:embed persona.toml
var persona string

// notes are alike in what they have to do with the question. The last is the
// newest, and of equal ones the newest comes first.
var notes = [...]string{
	"The pump on floor two had a code red on Monday.",
	"The pump on floor two has its seal kit signed off.",
	"The pump on floor two wants a seal kit next week.",
	"The pump on floor two was a false alarm on Tuesday.",
	"The pump on floor two got a coat of blue paint.",
}

const question = "What about the pump?"

func main() {
	file := flag.String("file", "", "add to this lexicon `file` instead of a temporary one")
	flag.Parse()
	if err := run(context.Background(), os.Stdout, *file); err != nil {
		fmt.Fprintln(os.Stderr, "lexicon:", err)
		os.Exit(1)
	}
}

// run asks the question without a lexicon, with one, and with what it has learnt.
func run(ctx context.Context, w io.Writer, file string) (err error) {
	if file == "" {
		dir, mkErr := os.MkdirTemp("", "contextforge-lexicon-")
		if mkErr != nil {
			return mkErr
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
		file = filepath.Join(dir, "persona.toml")
		if err := os.WriteFile(file, []byte(persona), 0o644); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "? %s\n", question)
	if err := ask(ctx, w, "Without a lexicon, the newest note comes first:", lexicon.None); err != nil {
		return err
	}
	scorer, err := lexicon.Load(file)
	if err != nil {
		return err
	}
	if err := ask(ctx, w, "With the lexicon of the technicians:", scorer); err != nil {
		return err
	}
	if err := learn(ctx, w, file); err != nil {
		return err
	}
	if scorer, err = lexicon.Load(file); err != nil {
		return err
	}
	if err := ask(ctx, w, "With what was learnt:", scorer); err != nil {
		return err
	}
	return refuse(ctx, w, file)
}

// ask fills a memory that has a lexicon and prints what it finds, and why.
func ask(ctx context.Context, w io.Writer, title string, scorer lexicon.Scorer) (err error) {
	day := time.Date(2026, time.March, 2, 8, 0, 0, 0, time.UTC)
	mem, err := contextforge.Open(ctx, contextforge.Config{Lexicon: scorer, Clock: func() time.Time { return day }})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, mem.Close()) }()
	for i, note := range notes {
		at := day.Add(time.Duration(i-len(notes)) * time.Minute)
		if _, err := mem.Save(ctx, note, contextforge.KindSnapshot, contextforge.SaveOptions{Timestamp: at}); err != nil {
			return err
		}
	}
	hits, err := mem.Query(ctx, question, contextforge.QueryOptions{})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%s\n", title)
	for i, h := range hits {
		fmt.Fprintf(w, "%d. %s\n", i+1, h.Content)
		if h.Explain.Boost != 0 {
			fmt.Fprintf(w, "     x %.4f for %s\n", h.Explain.Multiplier, reasons(h.Explain.Matches))
		}
	}
	return nil
}

// reasons lists what made the boost of a hit.
func reasons(matches []lexicon.Match) string {
	parts := make([]string, len(matches))
	for i, m := range matches {
		parts[i] = fmt.Sprintf("%+.1f %s %q", m.Amount, m.Sort, m.Pattern)
	}
	return strings.Join(parts, ", ")
}

// learn adds to the file what a person, or a program that reads the notes, found
// worth it. Everything else in the file stays as it is.
func learn(ctx context.Context, w io.Writer, file string) error {
	changed, err := lexicon.NewAppender(file).Append(ctx,
		lexicon.Proposal{Sort: lexicon.Term, Pattern: "seal kit", Weight: 0.8, Rationale: "orders take a week", SourceIDs: []string{"note-2", "note-3"}},
		lexicon.Proposal{Sort: lexicon.Negation, Pattern: "blue paint"},
	)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(file)
	fmt.Fprintf(w, "\nThe file after learning (changed: %v):\n", changed)
	for line := range strings.Lines(string(text)) {
		fmt.Fprint(w, strings.TrimRight("     "+line, " \n")+"\n")
	}
	return err
}

// refuse shows that nothing gets into the file that it could not be loaded with.
func refuse(ctx context.Context, w io.Writer, file string) error {
	_, err := lexicon.NewAppender(file).AppendTerm(ctx, "urgent", 99, "shout")
	if !errors.Is(err, lexicon.ErrProposal) {
		return fmt.Errorf("a weight of 99 was taken: %w", err)
	}
	fmt.Fprintf(w, "\n%v\n", err)
	return nil
}
