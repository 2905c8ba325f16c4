// The API key and other secrets appear nowhere.

package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/contextforge-go/contextforge/distill"
)

// holds reports whether a text has the key in it, in one of the forms in which a
// text may have it.
func holds(text, key string) bool {
	return strings.Contains(text, key) || strings.Contains(text, url.QueryEscape(key)) || strings.Contains(text, strings.ReplaceAll(key, "/", `\/`))
}

// W27: no way of printing shows the key.
func TestKeyIsNotPrinted(t *testing.T) {
	o := Options{BaseURL: "https://example.org/v1?token=" + url.QueryEscape(testKey), Model: "m", APIKey: testKey}
	c := client(t, o)
	o.Model += testKey
	type nested struct{ C *Client }
	type hidden struct{ c *Client }
	values := []any{o, &o, c, *c, nested{c}, hidden{c}, &hidden{c}, []*Client{c}, map[string]any{"c": c, "o": o}, []Options{o}, struct{ O Options }{o}}
	for i, value := range values {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x", "%X", "%t"} {
			if text := fmt.Sprintf(verb, value); holds(text, testKey) || strings.Contains(text, fmt.Sprintf("%x", testKey)) {
				t.Errorf("value %d, %s: %s", i, verb, text)
			}
		}
		if text := fmt.Sprintln(value); holds(text, testKey) {
			t.Errorf("value %d: %s", i, text)
		}
	}
	for _, text := range []string{o.String(), o.GoString(), c.String(), c.GoString()} {
		if holds(text, testKey) || !strings.Contains(text, "https://example.org/v1?…") || !strings.Contains(text, redactedKey) {
			t.Error(text)
		}
	}
	for _, value := range []any{o, &o, c, nested{c}} {
		if text, err := json.Marshal(value); err != nil || holds(string(text), testKey) {
			t.Errorf("%s, %v", text, err)
		}
	}
	var log bytes.Buffer
	for _, handler := range []slog.Handler{slog.NewTextHandler(&log, nil), slog.NewJSONHandler(&log, nil)} {
		slog.New(handler).Info("x", "client", c, "options", o, "pointer", &o)
	}
	if holds(log.String(), testKey) || !strings.Contains(log.String(), redactedKey) {
		t.Error(log.String())
	}
}

func TestShownOptions(t *testing.T) {
	tests := []struct {
		o    Options
		want string
	}{
		{Options{}, `openai.Options{BaseURL: "", Model: "", APIKey: ""}`},
		{Options{BaseURL: "http://u:pass@h:1/v1/?k=v#f", Model: "m"}, `openai.Options{BaseURL: "http://h:1/v1/?…", Model: "m", APIKey: ""}`},
		{Options{BaseURL: "u:pass@h", Model: "m"}, `openai.Options{BaseURL: "[unreadable]", Model: "m", APIKey: ""}`},
		{Options{BaseURL: "http://u:pa%zz@h", Model: "m"}, `openai.Options{BaseURL: "[unreadable]", Model: "m", APIKey: ""}`},
		{Options{Model: "m", APIKey: "k"}, `openai.Options{BaseURL: "", Model: "m", APIKey: "[REDACTED:api_key]"}`},
	}
	for _, tt := range tests {
		if got := fmt.Sprint(tt.o); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
}

// W27: errors, logs and reports don't have the key, even if the server sends it
// back.
func TestKeyEcho(t *testing.T) {
	quoted, _ := json.Marshal(testKey)
	echo := []struct {
		name string
		step http.HandlerFunc
	}{
		{"error object", sends(401, `{"error":{"message":"bad key `+testKey+`"}}`)},
		{"error object, escaped", sends(401, `{"error":{"message":"bad key `+strings.ReplaceAll(testKey, "/", `\/`)+`"}}`)},
		{"error text", sends(400, `{"detail":"`+strings.ReplaceAll(testKey, "/", `\/`)+`"}`)},
		{"URL", sends(403, "GET /?key="+url.QueryEscape(testKey))},
		{"half of it at the end", sends(403, strings.Repeat(" ", 991)+testKey)},
		{"redirect", sends(302, "", "Location", "https://evil.example/?k="+url.QueryEscape(testKey))},
		{"reply", replies("Your key is " + testKey)},
		{"envelope", sends(200, "key: "+testKey)},
		{"error with success", sends(200, `{"error":`+string(quoted)+`}`)},
		{"refusal", sends(200, `{"choices":[{"message":{"refusal":"not with `+testKey+`"}}]}`)},
		{"kind", replies(`{"summary":"","facts":[{"kind":"` + testKey + `","text":"x"}]}`)},
		{"not HTTP", func(w http.ResponseWriter, _ *http.Request) {
			connection, _, _ := w.(http.Hijacker).Hijack()
			_, _ = connection.Write([]byte("HTTP/1.1 " + testKey + "\r\n\r\n"))
			connection.Close()
		}},
	}
	for _, tt := range echo {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t, tt.step)
			o := f.options()
			o.APIKey, o.Retries, o.MaxResponseBytes = testKey, 1, 1000
			var log bytes.Buffer
			o.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
			var report Report
			o.OnReport = func(r Report) { report = r }
			_, err := client(t, o).Distill(context.Background(), transcript)
			if err == nil {
				t.Fatal("no error")
			}
			var status *StatusError
			var reply *ReplyError
			_ = errors.As(err, &status)
			_ = errors.As(err, &reply)
			for _, text := range []string{
				err.Error(), fmt.Sprintf("%+v %#v", err, err), fmt.Sprintf("%+v %#v", status, reply), log.String(), fmt.Sprintf("%+v", report),
			} {
				if holds(text, testKey) || holds(text, testKey[:len(testKey)-8]) {
					t.Errorf("the key is in %s", text)
				}
			}
		})
	}
}

// A key in a good reply doesn't get into the memory, unless it looks like a word.
func TestKeyInMemory(t *testing.T) {
	f := newFake(t, replies(`{"summary":"`+testKey+`","facts":[{"kind":"state","text":"Ana moved to Berlin `+testKey+`"},{"kind":"`+testKey+`","text":"`+testKey+`"}]}`))
	o := f.options()
	o.APIKey, o.Check = testKey, distill.CheckOptions{Off: true}
	var report Report
	o.OnReport = func(r Report) { report = r }
	got, err := client(t, o).Distill(context.Background(), transcript)
	if err != nil || holds(fmt.Sprint(got, report), testKey) || got.Facts[0].Text != "Ana moved to Berlin "+redactedKey {
		t.Errorf("%+v, %v, %+v", got, err, report)
	}
	f = newFake(t, replies(`{"summary":"Ana runs ollama.","facts":[]}`))
	o = f.options()
	o.APIKey, o.Check = "ollama", distill.CheckOptions{Off: true}
	if got, err := client(t, o).Distill(context.Background(), transcript); err != nil || got.Summary != "Ana runs ollama." {
		t.Errorf("%+v, %v", got, err)
	}
}

// The URL's query, which may hold a secret, isn't in errors of transports.
func TestQueryIsNotInErrors(t *testing.T) {
	failing := roundTripper(func(r *http.Request) (*http.Response, error) {
		return nil, &url.Error{Op: "Post", URL: r.URL.String(), Err: errors.New("no route")}
	})
	o := Options{BaseURL: "https://model.invalid/v1?sig=s3cr3tvalue", Model: "m", Transport: failing, Retries: -1}
	_, err := client(t, o).Distill(context.Background(), transcript)
	if err == nil || strings.Contains(err.Error(), "s3cr3t") || !strings.HasSuffix(err.Error(), "no route") {
		t.Errorf("%v", err)
	}
}

func TestQuote(t *testing.T) {
	v := newVeil(testKey)
	tests := []struct{ name, in, want string }{
		{"plain", ` He said "no" `, `He said "no"`},
		{"controls", "a\x1b[31mb\x00\r\nc\u202ed\ufeff", `a\x1b[31mb\x00\r\nc\u202ed\ufeff`},
		{"backslashes", `a\"b\`, `a\\"b\\`},
		{"invalid UTF-8", "a\xffb", `a\xffb`},
		{"long", strings.Repeat("ä", 300), strings.Repeat("ä", maxQuoted) + "…"},
		{"key", "x " + testKey + " y", "x " + redactedKey + " y"},
		{"key at the cut", strings.Repeat("a", maxQuoted-5) + testKey, strings.Repeat("a", maxQuoted-5) + redactedKey[:5] + "…"},
		{"another secret", "token ghp_" + strings.Repeat("a1B2", 9), "token [REDACTED:github-token]"},
		{"user in a URL", "via http://eve:pw@proxy:1/x and ftp://a@b", "via http://[REDACTED:userinfo]@proxy:1/x and ftp://[REDACTED:userinfo]@b"},
		{"password with an at", "http://eve:p@w@h/", "http://[REDACTED:userinfo]@h/"},
		{"at in a path", "http://h/@eve", "http://h/@eve"},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		if got := v.quote(tt.in); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestErrorTexts(t *testing.T) {
	tests := []struct {
		err  error
		want string
	}{
		{&StatusError{Code: 503, RetryAfter: 2 * time.Second, Message: "busy"}, "openai: non-success status 503 Service Unavailable, retry after 2s: busy"},
		{&StatusError{Code: 302}, "openai: status 302, a redirect, which isn't followed"},
		{&ReplyError{Problem: "p"}, "openai: no facts in the reply: p"},
		{&ReplyError{Problem: "p", Start: "s"}, "openai: no facts in the reply: p; it begins: s"},
	}
	for _, tt := range tests {
		if tt.err.Error() != tt.want {
			t.Errorf("%q, want %q", tt.err, tt.want)
		}
	}
}
