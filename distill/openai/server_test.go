// A server that speaks the protocol, or misbehaves as told, and what it saw.

package openai

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge/distill"
)

const (
	testKey    = "local-key/4+7AbCdEfGh"
	transcript = "Ana: I moved to Berlin in May.\nBo: Noted. We decided to use Postgres because of its backups.\n" +
		"Ana: I prefer short answers.\n"
	document = `{"summary":"Ana moved to Berlin; they decided to use Postgres.","facts":[` +
		`{"kind":"state","text":"Ana moved to Berlin in May."},` +
		`{"kind":"decision","text":"They decided to use Postgres because of its backups."},` +
		`{"kind":"preference","text":"Ana prefers short answers."}]}`
)

func wanted() distill.DistilledMemory {
	m, err := distill.Decode([]byte(document))
	if err != nil {
		panic(err)
	}
	return m
}

// seen is one request.
type seen struct {
	path, query string
	header      http.Header
	body        map[string]any
	raw         string
}

// fake answers request n by step n, and those after the last by the last.
type fake struct {
	*httptest.Server
	connections atomic.Int64

	mu    sync.Mutex
	seen  []seen
	steps []http.HandlerFunc
}

func newFake(t testing.TB, steps ...http.HandlerFunc) *fake {
	f := &fake{steps: steps}
	f.Server = httptest.NewUnstartedServer(f)
	f.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			f.connections.Add(1)
		}
	}
	f.Config.ErrorLog = discardLog()
	f.Start()
	t.Cleanup(f.Close)
	return f
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, _ := io.ReadAll(r.Body)
	s := seen{path: r.URL.Path, query: r.URL.RawQuery, header: r.Header.Clone(), raw: string(raw)}
	_ = json.Unmarshal(raw, &s.body)
	f.mu.Lock()
	step := f.steps[min(len(f.seen), len(f.steps)-1)]
	f.seen = append(f.seen, s)
	f.mu.Unlock()
	step(w, r)
}

func (f *fake) requests() []seen {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]seen(nil), f.seen...)
}

// options are those of a client of the server without retries, which does not
// wait.
func (f *fake) options() Options {
	return Options{
		BaseURL: f.URL + "/v1", Model: "test-model", Retries: -1,
		Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
		Rand:  func() float64 { return 0.5 },
	}
}

func client(t testing.TB, o Options) *Client {
	t.Helper()
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.CloseIdleConnections)
	return c
}

// envelopeOf wraps a reply's text as a server does.
func envelopeOf(content, finish string) string {
	text, _ := json.Marshal(content)
	end, _ := json.Marshal(finish)
	return `{"id":"x","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":` + string(text) +
		`},"finish_reason":` + string(end) + `}],"usage":{"prompt_tokens":120,"completion_tokens":30,"total_tokens":150}}`
}

func replies(content string) http.HandlerFunc { return sends(200, envelopeOf(content, "stop")) }

func sends(status int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// quiet fails the test unless the number of goroutines comes back to what it was.
func quiet(t *testing.T, before int) {
	t.Helper()
	for range 2000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	t.Errorf("goroutines: %d before, %d after\n%s", before, runtime.NumGoroutine(), stacks)
}

// userText is what the request's user message says.
func (s seen) userText() string {
	messages := s.body["messages"].([]any)
	return messages[1].(map[string]any)["content"].(string)
}

func (s seen) hasFormat() bool { return s.body["response_format"] != nil }

// hasSchemaInPrompt reports whether the request is a second attempt's.
func (s seen) hasSchemaInPrompt() bool { return strings.Contains(s.userText(), schemaText) }
