// The client at work, against a server that answers like a local model.

package openai_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"

	"github.com/contextforge-go/contextforge/distill"
	"github.com/contextforge-go/contextforge/distill/openai"
)

// model answers every request with one reply.
func model(reply string) *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, fmt.Sprintf(`{"choices":[{"message":{"content":%q}}],"usage":{"prompt_tokens":90,"completion_tokens":20}}`, reply))
	}))
}

func ExampleClient_Distill() {
	server := model("Here you are:\n```json\n" + `{"summary": "Ana moved.", "facts": [{"kind": "state", "text": "Ana moved to Berlin."}]}` + "\n```")
	defer server.Close()

	var meter distill.Meter
	client, err := openai.New(openai.Options{BaseURL: server.URL + "/v1", Model: "qwen3:8b", OnUsage: meter.Record})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.CloseIdleConnections()

	memory, err := client.Distill(context.Background(), "Ana: I moved to Berlin!\nBo: Congratulations.")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(memory.Summary)
	for _, fact := range memory.Facts {
		fmt.Printf("%s: %s\n", fact.Kind, fact.Text)
	}
	fmt.Printf("%+v\n", meter.Usage())
	// Output:
	// Ana moved.
	// state: Ana moved to Berlin.
	// {PromptTokens:90 CompletionTokens:20 Calls:1}
}

// A reply without facts is an error that says how it begins.
func ExampleReplyError() {
	server := model("Sorry, I can't help with that.")
	defer server.Close()
	client, err := openai.New(openai.Options{BaseURL: server.URL, Model: "m"})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.CloseIdleConnections()

	_, err = client.Distill(context.Background(), "Ana: I moved to Berlin!")
	var reply *openai.ReplyError
	if errors.As(err, &reply) {
		fmt.Println(errors.Is(err, openai.ErrNoFacts), reply.Start)
	}
	// Output: true Sorry, I can't help with that.
}

func ExampleNew() {
	_, err := openai.New(openai.Options{BaseURL: "https://eve:secret@example.org/v1", Model: "m"})
	fmt.Println(err)

	client, err := openai.New(openai.Options{BaseURL: "https://example.org/v1", Model: "m", APIKey: "not-to-be-shown"})
	fmt.Printf("%+v %v\n", client, err)
	// Output:
	// openai: invalid options: the base URL must not hold a user or password; set APIKey
	// openai.Client{BaseURL: "https://example.org/v1", Model: "m", APIKey: "[REDACTED:api_key]"} <nil>
}

func ExampleClient_CloseIdleConnections() {
	server := model(`{"summary": "Ana moved.", "facts": []}`)
	defer server.Close()
	client, err := openai.New(openai.Options{BaseURL: server.URL, Model: "m"})
	if err != nil {
		fmt.Println(err)
		return
	}
	// One client for all conversations: chunks of one, and the next one, share
	// connections.
	defer client.CloseIdleConnections()
	long := distill.Chunking(client, 60, distill.ChunkOptions{Concurrency: 2})
	memory, err := long.Distill(context.Background(), "Ana: I moved to Berlin!\n\nBo: Ana moved to Berlin, then.\n\nAna: Yes, I moved.\n")
	fmt.Println(memory.Summary, err)
	// Output:
	// Ana moved.
	//
	// Ana moved. <nil>
}
