// One request and its answer over HTTP, within bounds of time and size.

package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// maxRetryAfter is what longer wishes of servers are taken for.
const maxRetryAfter = 365 * 24 * time.Hour

// post sends one request and returns the body of an answer with status 2xx.
func (c *Client) post(ctx context.Context, body []byte) ([]byte, error) {
	if c.o.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.o.Timeout)
		defer cancel()
	}
	request, err := c.request(ctx, body)
	if err != nil {
		return nil, c.failed(ctx, err)
	}
	response, err := c.transport().RoundTrip(request)
	if err != nil {
		return nil, c.failed(ctx, err)
	}
	defer response.Body.Close()
	// One byte more than may come, so that a whole answer is read to its end, which
	// frees the connection for the next request.
	text, err := io.ReadAll(io.LimitReader(response.Body, int64(c.o.MaxResponseBytes)+1))
	over := len(text) > c.o.MaxResponseBytes
	switch {
	case response.StatusCode/100 != 2:
		if over { // half a key at the end couldn't be recognised
			text = text[:max(0, len(text)-len(c.veil.key()))]
		}
		return nil, c.statusError(response, text)
	case over:
		return nil, fmt.Errorf("%w: over %d bytes", ErrTooLarge, c.o.MaxResponseBytes)
	case err != nil:
		return nil, c.failed(ctx, fmt.Errorf("reading the answer: %w", err))
	}
	return text, nil
}

func (c *Client) request(ctx context.Context, body []byte) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint().String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "contextforge")
	if key := c.veil.key(); key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	forbidRedirects(request.Header)
	return request, nil
}

// failed makes a transport error of err. ctx is the request's own.
func (c *Client) failed(ctx context.Context, err error) error {
	var outer *url.Error // names the URL, whose query may hold a secret
	if errors.As(err, &outer) {
		err = outer.Err
	}
	if done := ctx.Err(); done != nil && !errors.Is(err, done) {
		err = fmt.Errorf("%w: %w", done, err)
	}
	return &transportError{text: fmt.Sprintf("%v: %s", ErrTransport, c.veil.quote(err.Error())), cause: err}
}

func (c *Client) statusError(response *http.Response, body []byte) *StatusError {
	e := &StatusError{Code: response.StatusCode, RetryAfter: retryAfter(response.Header, time.Now())}
	message, code := errorIn(body)
	if e.redirect() && response.Header.Get("Location") != "" {
		message = "to " + response.Header.Get("Location")
	}
	e.Message = c.veil.quote(message)
	e.exhausted = code == "insufficient_quota"
	return e
}

// errorIn returns what a server says in the body of an answer without success:
// the message of a JSON error object, or else the text itself.
func errorIn(body []byte) (message, code string) {
	var envelope struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(body, &envelope) != nil || len(envelope.Error) == 0 {
		return string(body), ""
	}
	var object struct {
		Message string `json:"message"`
		Code    any    `json:"code"`
	}
	if json.Unmarshal(envelope.Error, &object) == nil && object.Message != "" {
		code, _ = object.Code.(string)
		return object.Message, code
	}
	var text string
	if json.Unmarshal(envelope.Error, &text) == nil && text != "" {
		return text, ""
	}
	return string(body), ""
}

// retryAfter reads the header of that name (RFC 9110, 10.2.3): seconds, or a date,
// which is compared with the server's own clock where it tells the time.
func retryAfter(header http.Header, now time.Time) time.Duration {
	value := strings.TrimSpace(header.Get("Retry-After"))
	if value != "" && strings.Trim(value, "0123456789") == "" {
		seconds, err := strconv.ParseInt(value, 10, 64)
		if err != nil || seconds > int64(maxRetryAfter/time.Second) {
			return maxRetryAfter
		}
		return time.Duration(seconds) * time.Second
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	if date, err := http.ParseTime(header.Get("Date")); err == nil {
		now = date
	}
	return min(max(0, at.Sub(now)), maxRetryAfter)
}
