package main

// This file tests what distill sends to an endpoint, what it makes of the answers,
// and that a failure leaves no trace.

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// endpoint is a server that answers like a model: with a summary and a fact that
// repeats the last line of what it was given.
type endpoint struct {
	*httptest.Server
	mu     sync.Mutex
	asked  []string // user messages
	header []string // Authorization
	schema []string // types of response_format
	refuse func(n int, text string) (status int, answer string)
}

func newEndpoint(t *testing.T) *endpoint {
	e := &endpoint{}
	e.Server = httptest.NewServer(e)
	t.Cleanup(e.Close)
	return e
}

// ServeHTTP implements http.Handler.
func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Messages []struct{ Role, Content string }
		Format   struct{ Type string } `json:"response_format"`
	}
	raw, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(raw, &body)
	}
	if err != nil || r.URL.Path != "/v1/chat/completions" {
		http.Error(w, fmt.Sprint(r.URL.Path, err), http.StatusTeapot)
		return
	}
	text := body.Messages[len(body.Messages)-1].Content
	e.mu.Lock()
	e.asked, e.header, e.schema = append(e.asked, text), append(e.header, r.Header.Get("Authorization")), append(e.schema, body.Format.Type)
	n := len(e.asked)
	e.mu.Unlock()
	answer := e.answer(text)
	if e.refuse != nil {
		if status, other := e.refuse(n, text); status != 0 {
			w.WriteHeader(status)
			answer = other
		}
	}
	reply, err := json.Marshal(map[string]any{"choices": []any{map[string]any{"message": map[string]string{"role": "assistant", "content": answer}}}})
	if err == nil {
		_, err = w.Write(reply)
	}
	if err != nil {
		panic(http.ErrAbortHandler)
	}
}

func (e *endpoint) answer(text string) string {
	last := ""
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); strings.Contains(line, ": ") {
			last = line
		}
	}
	facts := []map[string]string{{"kind": "state", "text": last}, {"kind": "state", "text": "The treasure lies 4711 miles from Samarkand."}}
	out, err := json.Marshal(map[string]any{"summary": last, "facts": facts})
	if err != nil {
		return ""
	}
	return string(out)
}

const march = "Ana: The API port is now 80.\nBob: The deploy day is now Friday.\nAna: The review day is now Monday.\n"

func TestDistillByEndpoint(t *testing.T) {
	e := newEndpoint(t)
	r := newRig(t)
	key := "sk-" + strings.Repeat("x1Y2", 8)
	r.env[apiKeyEnv] = key
	o := r.run(march, "distill", "--url", e.URL+"/v1/", "--model", "m", "--json")
	if o.code != exitOK || len(e.asked) != 1 || e.header[0] != "Bearer "+key || e.schema[0] != "json_schema" || !strings.Contains(e.asked[0], march) {
		t.Fatalf("exit %d, %s; asked %q with %q, %q", o.code, o.err, e.asked, e.header, e.schema)
	}
	var got distilled
	if err := json.Unmarshal([]byte(o.out), &got); err != nil || len(got.IDs) != 2 || got.Facts[0].Text != "Ana: The review day is now Monday." || got.Unsupported != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	if strings.Contains(o.out+o.err, "treasure") || !strings.Contains(o.err, "1 part of the model's replies is left out") {
		t.Errorf("%s%s", o.out, o.err)
	}
	r.env["MY_KEY"] = "another"
	o = r.run(march, "distill", "--url", e.URL+"/v1", "--model", "m", "--api-key-env", "MY_KEY", "--schema", "llama-server", "-v", "--dry-run")
	if o.code != exitOK || e.header[1] != "Bearer another" || e.schema[1] != "json_object" || !strings.Contains(o.err, "left out (number): The treasure lies 4711") {
		t.Errorf("exit %d, %s; asked with %q, %q", o.code, o.err, e.header, e.schema)
	}
	if strings.Contains(o.out+o.err, "another") || strings.Contains(o.out+o.err, key) {
		t.Errorf("the key is printed: %s%s", o.out, o.err)
	}
	if !strings.Contains(o.out, "would save 0 entries, skipped 2, superseded 0") {
		t.Errorf("the second time: %s", o.out)
	}
	delete(r.env, apiKeyEnv)
	if r.must(march, "distill", "--url", e.URL+"/v1", "--model", "m"); e.header[2] != "" {
		t.Errorf("without a key: %q", e.header[2])
	}
}

func TestDistillChunks(t *testing.T) {
	e := newEndpoint(t)
	r := newRig(t)
	args := []string{"distill", "--url", e.URL + "/v1", "--model", "m", "--chunk", "40"}
	o := r.run(march, args...)
	if want := "contextforge: distilled 1 of 3 chunks\ncontextforge: distilled 2 of 3 chunks\n"; o.code != exitOK || !strings.HasPrefix(o.err, want) || len(e.asked) != 3 {
		t.Errorf("exit %d, %d requests: %s", o.code, len(e.asked), o.err)
	}
	if !strings.Contains(o.out, "saved 4 entries, skipped 0, superseded 0") {
		t.Error(o.out)
	}

	e.refuse = func(_ int, text string) (int, string) {
		if strings.Contains(text, "Bob") {
			return http.StatusNotFound, "no"
		}
		return 0, ""
	}
	april := strings.NewReplacer("80", "81", "Friday", "Sunday", "Monday", "Tuesday").Replace(march)
	before := r.must("", "list", "--jsonl")
	o = r.run(april, args...)
	if o.code != exitError || o.out != "" || !strings.Contains(o.err, "404") || r.must("", "list", "--jsonl") != before {
		t.Errorf("exit %d: %s%s", o.code, o.out, o.err)
	}
	o = r.run(april, append(args, "--keep-going", "--concurrency", "3", "--json")...)
	var got distilled
	if err := json.Unmarshal([]byte(o.out), &got); err != nil || o.code != exitPartial || got.Failed != 1 || len(got.Facts) != 2 || len(got.Superseded) != 2 ||
		!strings.Contains(o.err, "chunk 2 of 3 is left out: ") {
		t.Errorf("exit %d: %s%s, %v", o.code, o.out, o.err, err)
	}
	e.refuse = func(int, string) (int, string) { return http.StatusNotFound, "no" }
	before = r.must("", "list", "--jsonl")
	if o = r.run(march, append(args, "--keep-going")...); o.code != exitError || r.must("", "list", "--jsonl") != before {
		t.Errorf("exit %d: %s", o.code, o.err)
	}
	r.terminal = true
	e.refuse = nil
	if o = r.run(march, append(args, "-")...); o.code != exitOK || !strings.Contains(o.err, "distilling") {
		t.Errorf("for a person: exit %d: %q", o.code, o.err)
	}
	r.fails(exitUsage, "name a file, or give the transcript on stdin", "", "distill")
}

// A failure makes no store, and holds none that others use.
func TestDistillFailures(t *testing.T) {
	e := newEndpoint(t)
	r := newRig(t)
	args := []string{"distill", "--url", e.URL + "/v1", "--model", "m"}
	e.refuse = func(int, string) (int, string) { return http.StatusUnauthorized, "no" }
	r.fails(exitError, "401", march, args...)
	asked := len(e.asked)
	r.fails(exitUsage, "must be a JSON object", march, append(args, "--metadata", "[]")...)
	if len(e.asked) != asked {
		t.Error("the model was asked with metadata that can't be saved")
	}
	e.refuse = func(int, string) (int, string) { return http.StatusOK, "I'd rather not." }
	r.fails(exitError, "", march, args...)
	r.fails(exitError, "request failed", march, "distill", "--url", "http://127.0.0.1:1/v1", "--model", "m", "--timeout", "1s")
	if _, err := os.Stat(r.store()); !os.IsNotExist(err) {
		t.Errorf("a store is left: %v", err)
	}

	// While the model thinks, the store is free.
	e.refuse = func(int, string) (int, string) {
		r.must("meanwhile", "save", "--scope", "x", "-")
		return 0, ""
	}
	r.must("", "save", "first")
	r.must(march, args...)
	if out := r.must("", "count"); out != "4\n" {
		t.Errorf("%s entries", out)
	}

	// One that can't be used is refused before the model is asked.
	asked = len(e.asked)
	other := filepath.Join(r.dir, "other")
	if err := os.MkdirAll(other, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(other, "file"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.fails(exitError, "choose another folder", march, append(args, "--store", other)...)
	if len(e.asked) != asked {
		t.Error("the model was asked for nothing")
	}
}

func TestDistillInterrupted(t *testing.T) {
	e := newEndpoint(t)
	r := newRig(t)
	var out, err strings.Builder
	code := r.app(strings.NewReader(march), &out, &err).run(cancelled(), []string{"distill", "--url", e.URL + "/v1", "--model", "m"})
	if code != exitInterrupted || out.Len() > 0 {
		t.Errorf("exit %d: %s%s", code, out.String(), err.String())
	}
	if _, err := os.Stat(r.store()); !os.IsNotExist(err) {
		t.Errorf("a store is left: %v", err)
	}
}

// Whatever query printed for a prompt isn't distilled again.
func TestDistillLeavesRecalledMemoryOut(t *testing.T) {
	r := newRig(t)
	r.must("", "save", "We decided to keep seven cats because mice are many.")
	for _, style := range []string{"markdown", "xml", "json"} {
		block := r.must("", "query", "cats", "--block", style)
		if out := r.must("User: hello\n"+block+"\nUser: The dog's name is now Rex.\n", "distill", "--dry-run"); strings.Contains(out, "cats") || !strings.Contains(out, "Rex") {
			t.Errorf("%s: %s", style, out)
		}
	}
}

func TestDistillOfABrokenReply(t *testing.T) {
	e := newEndpoint(t)
	r := newRig(t)
	e.refuse = func(int, string) (int, string) {
		return http.StatusOK, `{"summary": "Ports.", "facts": [{"kind": "state", "text": "Ana: The API port is now 80."}, {"kind": "st`
	}
	o := r.run(march, "distill", "--url", e.URL+"/v1", "--model", "m")
	if o.code != exitOK || !strings.Contains(o.out, "saved 2 entries") || !strings.Contains(o.err, "1 reply broke off") {
		t.Errorf("exit %d: %s%s", o.code, o.out, o.err)
	}
}
