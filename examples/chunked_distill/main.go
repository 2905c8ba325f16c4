// Command chunked_distill shows how long transcripts become memory: two
// conversations, three months apart, are cut into chunks, distilled to a summary
// and facts, and saved; what is known already isn't saved again, and what has
// changed takes the place of what was.
//
//	go run ./examples/chunked_distill
//
// It needs no arguments, no model and no network: sentences are picked by rules.
// With -url and -model a language model does it, behind an endpoint that speaks
// the protocol of OpenAI, such as http://localhost:11434/v1.
package main

import (
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/distill"
	"github.com/contextforge-go/contextforge/distill/openai"
	"github.com/contextforge-go/contextforge/render"
)

var (
	//go:embed march.txt
	march string
	//go:embed june.txt
	june string
)

const (
	scope     = "team:imports"
	chunkSize = 400 // chars; a model takes thousands
)

func main() {
	url := flag.String("url", "", "base `URL` of an endpoint, instead of rules")
	model := flag.String("model", "", "`name` of the model there")
	flag.Parse()
	d, err := distiller(*url, *model)
	if err == nil {
		err = run(context.Background(), os.Stdout, d)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "chunked_distill:", err)
		os.Exit(1)
	}
}

// distiller returns what distills one chunk.
func distiller(url, model string) (distill.Distiller, error) {
	if url == "" {
		return distill.NewExtractive(distill.ExtractiveOptions{SummaryWords: 30}), nil
	}
	return openai.New(openai.Options{BaseURL: url, Model: model, APIKey: os.Getenv("CONTEXTFORGE_API_KEY")})
}

// run distills both conversations, the first one twice.
func run(ctx context.Context, w io.Writer, inner distill.Distiller) (err error) {
	mem, err := contextforge.Open(ctx, contextforge.Config{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, mem.Close()) }()
	fmt.Fprintf(w, "In March the team talks for %d lines.\n", strings.Count(march, "\n"))
	// Whoever reads this file finds no token in it: it is put together here.
	first := strings.Replace(march, "{{TOKEN}}", "ghp_"+strings.Repeat("x7Qm", 9), 1)
	spring := time.Date(2026, time.March, 12, 10, 0, 0, 0, time.UTC)
	if err := save(ctx, w, mem, inner, first, spring); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nThe same transcript comes once more.")
	if err := save(ctx, w, mem, inner, first, spring); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nIn June they ask the memory, and then correct it. What it answered is left out of what is distilled.")
	block, _, err := mem.QueryBlock(ctx, "which database", contextforge.QueryOptions{Filter: contextforge.Filter{Kinds: []string{contextforge.KindFact}}}, render.Options{})
	if err != nil {
		return err
	}
	second := strings.Replace(june, "{{MEMORY}}", block, 1)
	if err := save(ctx, w, mem, inner, second, spring.AddDate(0, 3, 0)); err != nil {
		return err
	}
	for _, question := range []string{"When is the release day?", "MySQL or Postgres?"} {
		if err := ask(ctx, w, mem, question); err != nil {
			return err
		}
	}
	return nil
}

// save distills a transcript in chunks into the memory and says what came of it.
func save(ctx context.Context, w io.Writer, mem *contextforge.Memory, inner distill.Distiller, transcript string, at time.Time) error {
	chunks := 1
	d := distill.Chunking(inner, chunkSize, distill.ChunkOptions{
		Concurrency: 2,
		Progress:    func(_, total int) { chunks = total },
	})
	res, err := mem.DistillAndSave(ctx, transcript, d, contextforge.DistillOptions{
		Scope: scope, SessionID: at.Format("2006-01"), Since: at, Until: at.Add(time.Hour),
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%d chunks; saved %d entries, %d facts were known\n", chunks, len(res.IDs), len(res.Skipped))
	if res.StoredSummary == "" {
		for line := range strings.Lines(res.Summary) {
			if line = strings.TrimSpace(line); line != "" {
				fmt.Fprintf(w, "  summary     %s\n", line)
			}
		}
	}
	for _, f := range res.Facts {
		fmt.Fprintf(w, "  %-10s  %s\n", f.Kind, f.Text)
	}
	for _, s := range res.Superseded {
		fmt.Fprintf(w, "  superseded  %s\n           →  %s\n", s.Content, s.ByContent)
	}
	return nil
}

// ask prints the best fact, and what it has taken the place of.
func ask(ctx context.Context, w io.Writer, mem *contextforge.Memory, question string) error {
	fmt.Fprintf(w, "\n? %s\n", question)
	for _, superseded := range []bool{false, true} {
		o := contextforge.QueryOptions{Filter: contextforge.Filter{Scope: scope, Kinds: []string{contextforge.KindFact}}, Limit: 1}
		what := "holds"
		if superseded {
			o.Kinds, what = []string{contextforge.KindSuperseded}, "held before"
		}
		hits, err := mem.Query(ctx, question, o)
		if err != nil {
			return err
		}
		for _, h := range hits {
			fmt.Fprintf(w, "  %-11s  %s (%s)\n", what, h.Content, h.Timestamp.Format("January"))
		}
	}
	return nil
}
