// The course of one distillation: attempts, retries, and what is made of the
// reply.

package openai

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/contextforge-go/contextforge/distill"
)

// Client asks a model to distill. It is made by [New], may be used concurrently,
// and is printed without its API key.
type Client struct {
	o     Options // prepared, without key, URL and transport
	shown shown
	veil  veil

	// In closures, as the veil's key is: these can hold passwords, too.
	endpoint  func() *url.URL
	transport func() http.RoundTripper
}

// New returns a client. It connects to nothing. Its errors match [ErrOptions].
func New(o Options) (*Client, error) {
	target, err := endpoint(o.BaseURL)
	if err != nil {
		return nil, err
	}
	c := &Client{shown: o.shown(), endpoint: func() *url.URL { return target }}
	if c.o, err = o.prepared(); err != nil {
		return nil, err
	}
	transport := c.o.Transport
	c.transport = func() http.RoundTripper { return transport }
	c.veil = newVeil(c.o.APIKey)
	c.o.APIKey, c.o.BaseURL, c.o.Transport, c.o.TLS = "", "", nil, nil
	return c, nil
}

// CloseIdleConnections closes the connections that wait for another request, and
// ends their goroutines. The client stays usable.
func (c *Client) CloseIdleConnections() {
	if closer, ok := c.transport().(interface{ CloseIdleConnections() }); ok {
		closer.CloseIdleConnections()
	}
}

// Distill has the model distill a transcript and returns what of its reply passes
// [distill.Check]. For a transcript of blanks it returns nothing without asking.
//
// Errors match one or more of [ErrTransport], [ErrTooLarge], [ErrNoFacts] (and
// [*ReplyError]), [*StatusError], and the context's error. If two attempts failed,
// both causes match.
func (c *Client) Distill(ctx context.Context, transcript string) (distill.DistilledMemory, error) {
	var report Report
	memory, err := c.distill(ctx, transcript, &report)
	report.Err = err
	c.tell(ctx, report)
	if c.o.OnReport != nil {
		c.o.OnReport(report)
	}
	return memory, err
}

// tell logs what a caller should know of a distillation.
func (c *Client) tell(ctx context.Context, report Report) {
	if report.SentChars < report.TranscriptChars {
		c.o.Logger.WarnContext(ctx, "the beginning of the transcript was left out; distill it in chunks",
			"chars", report.TranscriptChars, "sent", report.SentChars)
	}
	if report.Truncated {
		c.o.Logger.WarnContext(ctx, "the model's reply broke off; some facts are lost")
	}
	for _, dropped := range report.Dropped {
		c.o.Logger.WarnContext(ctx, "left out of the model's reply", "index", dropped.Index, "reason", string(dropped.Reason))
	}
}

func (c *Client) distill(ctx context.Context, transcript string, report *Report) (distill.DistilledMemory, error) {
	if err := ctx.Err(); err != nil || strings.TrimSpace(transcript) == "" {
		return distill.DistilledMemory{}, err
	}
	sent, total := keepEnd(transcript, c.o.MaxTranscriptChars)
	report.TranscriptChars, report.SentChars = total, total
	if len(sent) < len(transcript) {
		report.SentChars = c.o.MaxTranscriptChars
	}
	r, err := c.attempt(ctx, sent, false, report)
	if err != nil && ctx.Err() == nil && reformable(err) {
		report.SecondAttempt = true
		c.o.Logger.WarnContext(ctx, "the answer is unusable; asking without response_format", "error", err)
		var second error
		if r, second = c.attempt(ctx, sent, true, report); second != nil {
			err = fmt.Errorf("%w; without response_format: %w", err, second)
		} else {
			err = nil
		}
	}
	if err != nil {
		return distill.DistilledMemory{}, err
	}
	report.Recovered, report.Truncated = r.recovered, r.truncated
	return c.checked(r, sent, report)
}

// attempt asks once, sending the request again while it may help and the budget
// of retries lasts, and reads the reply.
func (c *Client) attempt(ctx context.Context, sent string, second bool, report *Report) (reply, error) {
	body, err := c.o.body(sent, second)
	if err != nil {
		return reply{}, err
	}
	answer, err := c.post(ctx, body)
	for err != nil && ctx.Err() == nil && report.Retries < c.o.Retries && passing(err) {
		if stop := c.pause(ctx, report.Retries, err); stop != nil {
			return reply{}, stop
		}
		report.Retries++
		answer, err = c.post(ctx, body)
	}
	if err != nil {
		return reply{}, err
	}
	r, usage, flaw := readAnswer(answer)
	report.Usage = report.Usage.Add(usage)
	if c.o.OnUsage != nil {
		c.o.OnUsage(usage)
	}
	if flaw != nil {
		return reply{}, &ReplyError{Problem: flaw.problem, Start: c.veil.quote(flaw.text), kind: flaw.kind}
	}
	return c.hidden(r), nil
}

// pause waits before retry n, counted from 0. It returns why there is to be no
// retry: the server wants a longer pause than is allowed, or ctx ends before.
func (c *Client) pause(ctx context.Context, n int, failure error) error {
	wait := c.backoff(n)
	var status *StatusError
	if errors.As(failure, &status) && status.RetryAfter > 0 {
		if status.RetryAfter > c.o.BackoffMax {
			return failure
		}
		wait = max(wait, status.RetryAfter)
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= wait {
		return fmt.Errorf("%w; the next try would be too late: %w", failure, context.DeadlineExceeded)
	}
	c.o.Logger.DebugContext(ctx, "retrying", "after", wait, "error", failure)
	if err := c.o.Sleep(ctx, wait); err != nil {
		return fmt.Errorf("%w; waiting to retry: %w", failure, err)
	}
	return nil
}

// backoff doubles the base n times, up to the maximum, and leaves out a random
// part of up to a half, so that clients that failed together don't come back
// together.
func (c *Client) backoff(n int) time.Duration {
	wait := min(c.o.BackoffBase, c.o.BackoffMax)
	for range n {
		if wait > c.o.BackoffMax/2 {
			wait = c.o.BackoffMax
			break
		}
		wait *= 2
	}
	return wait - time.Duration(c.o.Rand()*float64(wait/2))
}

// hidden hides the key in a reply.
func (c *Client) hidden(r reply) reply {
	r.memory.Summary = c.veil.hideInMemory(r.memory.Summary)
	for i := range r.memory.Facts {
		r.memory.Facts[i].Text = c.veil.hideInMemory(r.memory.Facts[i].Text)
	}
	for i := range r.dropped {
		r.dropped[i].Fact.Text = c.veil.hideInMemory(r.dropped[i].Fact.Text)
		r.dropped[i].Fact.Kind = distill.Kind(c.veil.hideInMemory(string(r.dropped[i].Fact.Kind)))
		r.dropped[i].Detail = c.veil.hideInMemory(r.dropped[i].Detail)
	}
	return r
}

// checked returns what of a reply the transcript supports.
func (c *Client) checked(r reply, sent string, report *Report) (distill.DistilledMemory, error) {
	kept, dropped := distill.Check(r.memory, sent, c.o.Check)
	places := r.places()
	for i := range dropped {
		if at := dropped[i].Index; at >= 0 {
			dropped[i].Index = places[at]
		}
	}
	report.Dropped = append(slices.Clone(r.dropped), dropped...)
	slices.SortStableFunc(report.Dropped, func(a, b distill.Dropped) int { return a.Index - b.Index })
	if len(report.Dropped) > 0 && empty(kept) {
		return distill.DistilledMemory{}, &ReplyError{
			Problem: fmt.Sprintf("nothing in it can be used, the first for this reason: %s", report.Dropped[0].Reason),
			Start:   c.veil.quote(r.text),
		}
	}
	return kept, nil
}

// empty reports whether there is nothing in a memory.
func empty(m distill.DistilledMemory) bool {
	return strings.TrimSpace(m.Summary) == "" && len(m.Facts) == 0
}
