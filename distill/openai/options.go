// What a client can be told, and what it makes of it.

package openai

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/contextforge-go/contextforge/distill"
)

// Schema is the way in which response_format tells the server what to answer.
type Schema int

const (
	// SchemaOpenAI is type json_schema with a named schema inside; OpenAI, Ollama,
	// vLLM and LM Studio know it.
	SchemaOpenAI Schema = iota
	// SchemaLlamaServer is type json_object with the schema beside it.
	SchemaLlamaServer
)

// Defaults of [Options].
const (
	DefaultTimeout            = 300 * time.Second
	DefaultMaxTranscriptChars = 100_000
	DefaultRetries            = 3
	DefaultBackoffBase        = 500 * time.Millisecond
	DefaultBackoffMax         = 60 * time.Second
	DefaultMaxResponseBytes   = 4 << 20
)

// Options are the settings of a [Client]. BaseURL and Model are needed; zero is
// a default everywhere else.
type Options struct {
	// BaseURL is the endpoint up to "/chat/completions", such as
	// "http://localhost:11434/v1". Slashes at the end don't matter; a query stays
	// behind the path.
	BaseURL string
	// Model is the model's name as the server knows it.
	Model string
	// APIKey, unless empty, is sent as a bearer token. Blanks around it are cut off.
	APIKey string
	// Timeout bounds each request until its answer is read; 0 is DefaultTimeout,
	// negative no bound but the context's.
	Timeout time.Duration
	// MaxTranscriptChars is how many chars (code points) of a transcript are sent. Of
	// a longer one the end is, and the loss is logged and reported; use
	// [distill.Chunking] instead. 0 is DefaultMaxTranscriptChars, negative no bound.
	MaxTranscriptChars int
	// Schema is the shape of response_format.
	Schema Schema
	// Retries is how often one Distill may send a request again after a failure that
	// may pass; 0 is DefaultRetries, negative never.
	Retries int
	// BackoffBase is the pause before the first retry; each next one is twice as
	// long, and a random half of it at most is left out. 0 is DefaultBackoffBase.
	BackoffBase time.Duration
	// BackoffMax is the longest pause. A server that asks for a longer one by
	// Retry-After isn't asked again. 0 is DefaultBackoffMax.
	BackoffMax time.Duration
	// MaxResponseBytes bounds an answer, decompressed; 0 is DefaultMaxResponseBytes.
	MaxResponseBytes int
	// Proxy chooses a proxy for a request as in [http.Transport]; nil is none. Set
	// [http.ProxyFromEnvironment] to follow HTTPS_PROXY and the like.
	Proxy func(*http.Request) (*url.URL, error)
	// TLS configures encrypted connections; nil is Go's default. It is copied.
	TLS *tls.Config
	// Transport makes the requests instead of a transport of the client's own. Proxy
	// and TLS must then be nil.
	Transport http.RoundTripper
	// Temperature, unless nil, is sent.
	Temperature *float64
	// MaxTokens, unless 0, is sent as max_tokens: the longest reply in tokens.
	MaxTokens int
	// Check says how replies are compared with the transcript.
	Check distill.CheckOptions
	// Logger is told of retries (debug), and of losses and second attempts (warn),
	// without any text of transcripts or replies; nil is none.
	Logger *slog.Logger
	// OnUsage, unless nil, is called after each request that was answered with
	// success, with Calls 1 and the tokens as far as the server counts them. Like
	// OnReport it may be called concurrently, and Distill waits for it.
	// [distill.Meter.Record] fits.
	OnUsage func(distill.Usage)
	// OnReport, unless nil, is called once at the end of each Distill.
	OnReport func(Report)
	// Sleep waits before a retry, or until ctx is done and returns its error; nil
	// waits in real time.
	Sleep func(ctx context.Context, d time.Duration) error
	// Rand returns a number in [0, 1) for the jitter of pauses, concurrently; nil is
	// package math/rand/v2.
	Rand func() float64
}

// Report is what one Distill did besides its result.
type Report struct {
	Usage           distill.Usage // of all its requests
	TranscriptChars int           // code points in the transcript
	SentChars       int           // of these from the end
	Retries         int           // requests sent again
	SecondAttempt   bool          // the first one's answer couldn't be used
	Recovered       bool          // the JSON had to be looked for or mended
	Truncated       bool          // the JSON broke off, and the rest is lost
	// Dropped is what was left out of the reply, by its place there. It quotes the
	// reply: untrusted text.
	Dropped []distill.Dropped
	Err     error // what Distill returns
}

// ErrOptions is matched by the errors of [New].
var ErrOptions = errors.New("openai: invalid options")

func refuse(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrOptions, fmt.Sprintf(format, args...))
}

// prepared returns the options with defaults filled in.
func (o Options) prepared() (Options, error) {
	o.APIKey = strings.TrimSpace(o.APIKey)
	if err := o.validate(); err != nil {
		return o, err
	}
	o.Timeout = orDefault(o.Timeout, DefaultTimeout)
	o.MaxTranscriptChars = orDefault(o.MaxTranscriptChars, DefaultMaxTranscriptChars)
	o.Retries = max(0, orDefault(o.Retries, DefaultRetries))
	o.BackoffBase = orDefault(o.BackoffBase, DefaultBackoffBase)
	o.BackoffMax = orDefault(o.BackoffMax, DefaultBackoffMax)
	o.MaxResponseBytes = orDefault(o.MaxResponseBytes, DefaultMaxResponseBytes)
	o.Check.Prompts = append([]string{schemaText, secondAttemptNote}, o.Check.Prompts...)
	if o.Temperature != nil {
		temperature := *o.Temperature
		o.Temperature = &temperature
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Rand == nil {
		o.Rand = rand.Float64
	}
	if o.Transport == nil {
		o.Transport = newTransport(o)
	}
	return o, nil
}

func orDefault[T int | time.Duration](value, standard T) T {
	if value == 0 {
		return standard
	}
	return value
}

func (o Options) validate() error {
	switch {
	case strings.TrimSpace(o.Model) == "":
		return refuse("no model")
	case o.Schema != SchemaOpenAI && o.Schema != SchemaLlamaServer:
		return refuse("unknown schema %d", int(o.Schema))
	case o.BackoffBase < 0 || o.BackoffMax < 0:
		return refuse("a negative pause")
	case o.MaxResponseBytes < 0:
		return refuse("a negative size of responses")
	case o.MaxTokens < 0:
		return refuse("a negative number of tokens")
	case o.Temperature != nil && !(*o.Temperature >= 0 && *o.Temperature <= math.MaxFloat32):
		return refuse("temperature %v", *o.Temperature)
	case o.Transport != nil && (o.Proxy != nil || o.TLS != nil):
		return refuse("Transport excludes Proxy and TLS")
	case strings.ContainsFunc(o.APIKey, func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		return refuse("the API key holds characters that a header can't")
	}
	return nil
}

// newTransport makes a transport. It has no dialer of its own, since in a browser
// that would keep it from using the Fetch API; the context bounds dialing.
func newTransport(o Options) *http.Transport {
	return &http.Transport{
		Proxy:                  o.Proxy,
		TLSClientConfig:        o.TLS.Clone(),
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    8,
		IdleConnTimeout:        90 * time.Second,
		TLSHandshakeTimeout:    30 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
	}
}

// endpoint returns where requests go. Its errors don't quote the URL, which may
// hold a password.
func endpoint(base string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(base))
	switch {
	case err != nil:
		return nil, refuse("the base URL can't be read")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, refuse("the base URL must begin with http:// or https://")
	case u.Hostname() == "":
		return nil, refuse("the base URL has no host")
	case u.User != nil:
		return nil, refuse("the base URL must not hold a user or password; set APIKey")
	case u.Fragment != "":
		return nil, refuse("the base URL must not have a fragment")
	}
	u.RawPath = strings.TrimRight(u.EscapedPath(), "/") + "/chat/completions"
	if u.Path, err = url.PathUnescape(u.RawPath); err != nil {
		return nil, refuse("the base URL's path can't be read")
	}
	return u, nil
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
