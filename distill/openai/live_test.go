//go:build live

// Row 142: a real endpoint. Built only with the tag "live", and told by the
// environment where the endpoint is:
//
//	CONTEXTFORGE_DISTILL_URL=http://localhost:11434/v1 CONTEXTFORGE_DISTILL_MODEL=qwen3:8b \
//	  go test -tags live -run Live -v ./distill/openai
//
// CONTEXTFORGE_DISTILL_KEY is its key, if it needs one.

package openai

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/distill"
)

func liveOptions(t *testing.T) Options {
	t.Helper()
	o := Options{
		BaseURL:  os.Getenv("CONTEXTFORGE_DISTILL_URL"),
		Model:    os.Getenv("CONTEXTFORGE_DISTILL_MODEL"),
		APIKey:   os.Getenv("CONTEXTFORGE_DISTILL_KEY"),
		OnReport: func(r Report) { t.Logf("%+v", r) },
	}
	if o.BaseURL == "" || o.Model == "" {
		t.Fatal("CONTEXTFORGE_DISTILL_URL and CONTEXTFORGE_DISTILL_MODEL must be set")
	}
	return o
}

const conversation = `Ana: I moved from Hamburg to Berlin in May, please use my new address.
Assistant: Noted. Should the invoices go there, too?
Ana: Yes. And we decided to use Postgres instead of MySQL because of its backups.
Assistant: I'll change the plan. The port will be 5433.
Ana: No, the port is 5434. And keep your answers short, I prefer that.
`

func TestLive(t *testing.T) {
	got, err := client(t, liveOptions(t)).Distill(context.Background(), conversation)
	if err != nil || strings.TrimSpace(got.Summary) == "" {
		t.Fatalf("row 142: %+v, %v", got, err)
	}
	t.Logf("%+v", got)
}

func TestLiveChunked(t *testing.T) {
	const size = 4000
	long := strings.Repeat(conversation, 25)
	chunks := 0
	distiller := distill.Chunking(client(t, liveOptions(t)), size, distill.ChunkOptions{Progress: func(_, total int) { chunks = total }})
	got, err := distiller.Distill(context.Background(), long)
	if err != nil || strings.TrimSpace(got.Summary) == "" || chunks < 2 {
		t.Fatalf("row 142, chunked: %+v, %v, %d chunks", got, err, chunks)
	}
	t.Logf("%+v", got)
}
