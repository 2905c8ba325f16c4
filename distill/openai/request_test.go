// Options, URLs, and what is sent: rows 131, 132, 139, 140.

package openai

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/contextforge-go/contextforge/distill"
)

func TestEndpoint(t *testing.T) {
	tests := []struct{ base, want string }{
		{"http://localhost:11434/v1", "http://localhost:11434/v1/chat/completions"},
		{"http://localhost:11434/v1/", "http://localhost:11434/v1/chat/completions"},
		{" https://example.org/v1///\n", "https://example.org/v1/chat/completions"},
		{"https://example.org", "https://example.org/chat/completions"},
		{"HTTPS://Example.org/", "https://Example.org/chat/completions"},
		{"http://[::1]:8080/v1", "http://[::1]:8080/v1/chat/completions"},
		{"https://example.org/a%2Fb/v1", "https://example.org/a%2Fb/v1/chat/completions"},
		{"https://example.org/deployments/d?api-version=1", "https://example.org/deployments/d/chat/completions?api-version=1"},
	}
	for _, tt := range tests {
		if got, err := endpoint(tt.base); err != nil || got.String() != tt.want {
			t.Errorf("%q: %v, %v", tt.base, got, err)
		}
	}
	const password = "hunter22"
	for _, base := range []string{
		"", "localhost:11434", "/v1", "ftp://h/v1", "http://", "http:///v1", "http://:80/", "http://h/#f", "http://eve:" + password + "@h/v1",
		"https://" + password + "@h", "eve:" + password + "@h", "http://eve:" + password + "%zz@h", "http://h\x7f/" + password, "http://h:" + password + "/",
	} {
		_, err := New(Options{BaseURL: base, Model: "m"})
		if !errors.Is(err, ErrOptions) || strings.Contains(err.Error(), password) {
			t.Errorf("%q: %v", base, err)
		}
	}
}

func FuzzEndpoint(f *testing.F) {
	for _, base := range []string{"http://h/v1/", "https://u:p@h", "http://h/%2F?x=y#z", "a:b@c", "http://h//a/%zz"} {
		f.Add(base)
	}
	f.Fuzz(func(t *testing.T, base string) {
		u, err := endpoint(base)
		if err != nil {
			if !errors.Is(err, ErrOptions) {
				t.Error(err)
			}
			return
		}
		again, err := url.Parse(u.String())
		if err != nil || !strings.HasSuffix(again.Path, "/chat/completions") || again.User != nil || again.Host != u.Host {
			t.Errorf("%q: %v, %v", base, u, err)
		}
		if o := (Options{BaseURL: base}); strings.Contains(o.String(), "@") && !strings.Contains(u.Host+u.Path, "@") {
			t.Errorf("%q: %s", base, o)
		}
	})
}

func TestOptions(t *testing.T) {
	good := Options{BaseURL: "http://h", Model: "m"}
	for name, change := range map[string]func(*Options){
		"no model":             func(o *Options) { o.Model = " " },
		"schema":               func(o *Options) { o.Schema = 7 },
		"pause":                func(o *Options) { o.BackoffBase = -1 },
		"longest pause":        func(o *Options) { o.BackoffMax = -1 },
		"size":                 func(o *Options) { o.MaxResponseBytes = -1 },
		"tokens":               func(o *Options) { o.MaxTokens = -1 },
		"temperature":          func(o *Options) { x := -0.1; o.Temperature = &x },
		"temperature NaN":      func(o *Options) { x := math.NaN(); o.Temperature = &x },
		"temperature infinite": func(o *Options) { x := math.Inf(1); o.Temperature = &x },
		"two transports":       func(o *Options) { o.Transport, o.Proxy = http.DefaultTransport, http.ProxyFromEnvironment },
		"line in the key":      func(o *Options) { o.APIKey = "secret1\r\nHost: x" },
		"blank in the key":     func(o *Options) { o.APIKey = "secret1 2" },
		"key isn't ASCII":      func(o *Options) { o.APIKey = "secret1ä" },
	} {
		o := good
		change(&o)
		if _, err := New(o); !errors.Is(err, ErrOptions) || strings.Contains(err.Error(), "secret1") {
			t.Errorf("%s: %v", name, err)
		}
	}
	c := client(t, good)
	if c.o.Timeout != 300*time.Second || c.o.MaxTranscriptChars != 100_000 || c.o.Retries != 3 || c.o.MaxResponseBytes != 4<<20 ||
		c.o.BackoffBase != 500*time.Millisecond || c.o.BackoffMax != time.Minute {
		t.Errorf("defaults: %v %v %v %v", c.o.Timeout, c.o.MaxTranscriptChars, c.o.Retries, c.o.MaxResponseBytes)
	}
	if r := c.o.Rand(); !(r >= 0 && r < 1) {
		t.Errorf("Rand: %v", r)
	}
	// A longest pause that is shorter than the first one bounds it.
	o := good
	o.BackoffBase, o.BackoffMax, o.Rand = time.Hour, time.Second, func() float64 { return 0 }
	if got := client(t, o).backoff(5); got != time.Second {
		t.Errorf("backoff: %v", got)
	}
}

// The caller's values may change afterwards.
func TestOptionsAreCopied(t *testing.T) {
	f := newFake(t, replies(document))
	o := f.options()
	temperature := 0.25
	o.Temperature = &temperature
	c := client(t, o)
	temperature = 2
	if _, err := c.Distill(context.Background(), transcript); err != nil || f.requests()[0].body["temperature"] != 0.25 {
		t.Errorf("%v, %v", err, f.requests()[0].body["temperature"])
	}
}

// shape decodes a body to compare it.
func shape(t *testing.T, body []byte) map[string]any {
	t.Helper()
	var out map[string]any
	if err := json.Unmarshal(body, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// Row 131: both schema styles have the right shape and required fields.
func TestResponseFormats(t *testing.T) {
	var schema map[string]any
	if err := json.Unmarshal([]byte(schemaText), &schema); err != nil {
		t.Fatal(err)
	}
	kinds := []any{}
	for _, kind := range distill.Kinds() {
		kinds = append(kinds, string(kind))
	}
	item := map[string]any{
		"type": "object", "additionalProperties": false, "required": []any{"kind", "text"},
		"properties": map[string]any{"kind": map[string]any{"type": "string", "enum": kinds}, "text": map[string]any{"type": "string"}},
	}
	want := map[string]any{
		"type": "object", "additionalProperties": false, "required": []any{"summary", "facts"},
		"properties": map[string]any{"summary": map[string]any{"type": "string"}, "facts": map[string]any{"type": "array", "items": item}},
	}
	if !reflect.DeepEqual(schema, want) {
		t.Errorf("schema: %v", schema)
	}
	var standard Options
	for _, tt := range []struct {
		name   string
		schema Schema
		want   map[string]any
	}{
		{"row 131: default", standard.Schema, map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": "distilled_memory", "strict": true, "schema": want}}},
		{"row 131: llama-server", SchemaLlamaServer, map[string]any{"type": "json_object", "schema": want}},
	} {
		body, err := (&Options{Model: "m", Schema: tt.schema}).body(transcript, false)
		if got := shape(t, body)["response_format"]; err != nil || !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %v, %v", tt.name, got, err)
		}
	}
}

// Row 132: the end is kept, on char borders; a short text stays.
func TestKeepEnd(t *testing.T) {
	tests := []struct {
		name, text string
		n          int
		want       string
		total      int
	}{
		{"row 132: short enough", "abc", 3, "abc", 3},
		{"row 132: the end", "abcdef", 2, "ef", 6},
		{"row 132: wide chars", "aäöü😀", 2, "ü😀", 5},
		{"row 132: invalid bytes", "ab\xff\xfe", 3, "b\xff\xfe", 4},
		{"none", "abc", 0, "", 3},
		{"no bound", "abc", -1, "abc", 3},
		{"empty", "", 5, "", 0},
	}
	for _, tt := range tests {
		if got, total := keepEnd(tt.text, tt.n); got != tt.want || total != tt.total {
			t.Errorf("%s: %q, %d", tt.name, got, total)
		}
	}
}

func FuzzKeepEnd(f *testing.F) {
	f.Add("aäöü😀", 2)
	f.Add("\xff\xe4\xb8", 1)
	f.Fuzz(func(t *testing.T, text string, n int) {
		got, total := keepEnd(text, n)
		if !strings.HasSuffix(text, got) || total != utf8.RuneCountInString(text) {
			t.Fatalf("%q, %d: %q, %d", text, n, got, total)
		}
		if want := total; n >= 0 && utf8.RuneCountInString(got) != min(want, n) {
			t.Errorf("%q, %d: %d chars", text, n, utf8.RuneCountInString(got))
		}
	})
}

// portable fails unless a body has keys of the standard only, at any depth.
func portable(t *testing.T, name string, body map[string]any) {
	t.Helper()
	for key := range body {
		if !slices.Contains([]string{"model", "messages", "response_format", "temperature", "max_tokens"}, key) {
			t.Errorf("%s: key %q", name, key)
		}
	}
	vendor := []string{"options", "num_ctx", "num_batch", "keep_alive", "num_predict", "mirostat", "repeat_penalty", "tfs_z", "num_gpu", "main_gpu"}
	var walk func(value any)
	walk = func(value any) {
		switch value := value.(type) {
		case map[string]any:
			for key, inner := range value {
				if slices.Contains(vendor, key) {
					t.Errorf("%s: vendor's key %q", name, key)
				}
				walk(inner)
			}
		case []any:
			for _, inner := range value {
				walk(inner)
			}
		}
	}
	walk(body)
	if format, ok := body["response_format"].(map[string]any); ok && format["type"] == "json_schema" && format["schema"] != nil {
		t.Errorf("%s: a bare schema beside the named one", name)
	}
}

func TestPortableBodies(t *testing.T) {
	zero := 0.0
	for _, tt := range []struct {
		name   string
		o      Options
		second bool
		keys   int
	}{
		{"row 139: OpenAI", Options{Model: "m"}, false, 3},
		{"row 139: llama-server", Options{Model: "m", Schema: SchemaLlamaServer}, false, 3},
		{"row 139: second attempt", Options{Model: "m"}, true, 2},
		{"temperature and tokens", Options{Model: "m", Temperature: &zero, MaxTokens: 900}, true, 4},
	} {
		body, err := tt.o.body(transcript, tt.second)
		if err != nil {
			t.Fatal(err)
		}
		got := shape(t, body)
		if portable(t, tt.name, got); len(got) != tt.keys {
			t.Errorf("%s: %d keys in %s", tt.name, len(got), body)
		}
	}
	f := newFake(t, replies("no"), replies(document))
	for _, schema := range []Schema{SchemaOpenAI, SchemaLlamaServer} {
		o := f.options()
		o.Schema = schema
		if _, err := client(t, o).Distill(context.Background(), transcript); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range f.requests() {
		portable(t, "row 140: on the wire", r.body)
	}
}

func TestBodyIsDeterministic(t *testing.T) {
	const want = `{"model":"m","messages":[{"role":"system","content":`
	o := &Options{Model: "m"}
	first, _ := o.body("<a & b>", false)
	for range 3 {
		if again, _ := o.body("<a & b>", false); string(again) != string(first) {
			t.Error("bodies differ")
		}
	}
	if !strings.HasPrefix(string(first), want) || !strings.Contains(string(first), "<a & b>") {
		t.Errorf("%s", first)
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	date := func(d time.Duration) string { return now.Add(d).Format(http.TimeFormat) }
	tests := []struct {
		value, date string
		want        time.Duration
	}{
		{"", "", 0},
		{"5", "", 5 * time.Second},
		{" 5 ", "", 5 * time.Second},
		{"-5", "", 0},
		{"+5", "", 0},
		{"1.5", "", 0},
		{"soon", "", 0},
		{"99999999999", "", maxRetryAfter},
		{"99999999999999999999999", "", maxRetryAfter},
		{date(time.Minute), "", time.Minute},
		{date(-time.Minute), "", 0},
		{date(time.Minute), date(30 * time.Second), 30 * time.Second},
		{date(time.Minute), "nonsense", time.Minute},
		{"Thu, 31 Dec 9999 23:59:59 GMT", "", maxRetryAfter},
		{"Thursday, 01-Jan-26 00:00:07 GMT", "", 7 * time.Second},
	}
	for _, tt := range tests {
		header := http.Header{"Retry-After": {tt.value}, "Date": {tt.date}}
		if got := retryAfter(header, now); got != tt.want {
			t.Errorf("%q at %q: %v, want %v", tt.value, tt.date, got, tt.want)
		}
	}
}
