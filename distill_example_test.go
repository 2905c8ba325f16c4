package contextforge_test

// The example of DistillAndSave.

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/distill"
)

func ExampleMemory_DistillAndSave() {
	ctx := context.Background()
	mem, err := contextforge.Open(ctx, contextforge.Config{})
	if err != nil {
		log.Fatal(err)
	}
	d := distill.NewExtractive(distill.ExtractiveOptions{SummaryWords: -1}) // or a model: distill/openai
	for day, transcript := range []string{
		"Ana: The API port is now 80.\nBob: I prefer short answers.",
		"Bob: I prefer short answers.\nAna: The API port is now 81.",
	} {
		res, err := mem.DistillAndSave(ctx, transcript, d, contextforge.DistillOptions{
			Scope: "project:demo", Until: time.Date(2026, 3, 1+day, 12, 0, 0, 0, time.UTC),
		})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("saved", len(res.IDs), "skipped", len(res.Skipped))
		for _, s := range res.Superseded {
			fmt.Println(s.Content, "→", s.ByContent)
		}
	}
	hits, err := mem.Query(ctx, "which port has the API?", contextforge.QueryOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, h := range hits {
		fmt.Println(h.Content)
	}
	if err := mem.Close(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// saved 2 skipped 0
	// saved 1 skipped 1
	// Ana: The API port is now 80. → Ana: The API port is now 81.
	// Ana: The API port is now 81.
}
