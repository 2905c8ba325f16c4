// What can go wrong, in terms that callers can tell apart.

package openai

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"
)

var (
	// ErrTransport is matched when no whole answer came: no connection, a timeout, an
	// answer that broke off.
	ErrTransport = errors.New("openai: request failed")
	// ErrTooLarge is matched when an answer was over Options.MaxResponseBytes.
	ErrTooLarge = errors.New("openai: the answer is too large")
	// ErrNoFacts is matched by every [*ReplyError].
	ErrNoFacts = errors.New("openai: no facts in the reply")
	// ErrTruncated is matched by a [*ReplyError] if the reply was cut off by a limit
	// of tokens.
	ErrTruncated = errors.New("openai: the reply was cut off")
	// ErrRefused is matched by a [*ReplyError] if the model, or a filter behind it,
	// refused to answer.
	ErrRefused = errors.New("openai: the model refused")
)

// ReplyError says that an answer came but no memory could be read from it, so
// that nothing is to be saved. It matches [ErrNoFacts].
type ReplyError struct {
	// Problem says what is wrong.
	Problem string
	// Start is how the reply begins, without secrets, at most 200 chars, with control
	// characters escaped; untrusted text.
	Start string

	kind error // ErrTruncated, ErrRefused or nil
}

// Error says what is wrong and quotes the start of the reply.
func (e *ReplyError) Error() string {
	if e.Start == "" {
		return fmt.Sprintf("%v: %s", ErrNoFacts, e.Problem)
	}
	return fmt.Sprintf("%v: %s; it begins: %s", ErrNoFacts, e.Problem, e.Start)
}

// Unwrap returns ErrNoFacts and, where one applies, ErrTruncated or ErrRefused.
func (e *ReplyError) Unwrap() []error {
	if e.kind == nil {
		return []error{ErrNoFacts}
	}
	return []error{ErrNoFacts, e.kind}
}

// StatusError is an answer whose status isn't 2xx.
type StatusError struct {
	// Code is the HTTP status, 0 for a redirect that a browser withheld.
	Code int
	// Message is the server's explanation, made fit for messages like
	// ReplyError.Start; untrusted text.
	Message string
	// RetryAfter is how long the server asked to wait, 0 if it didn't say.
	RetryAfter time.Duration

	exhausted bool // of a quota, so that waiting is of no use
}

// Error tells the status and the server's message.
func (e *StatusError) Error() string {
	text := fmt.Sprintf("openai: non-success status %d %s", e.Code, http.StatusText(e.Code))
	if e.redirect() {
		text = fmt.Sprintf("openai: status %d, a redirect, which isn't followed", e.Code)
	}
	if e.RetryAfter > 0 {
		text += fmt.Sprintf(", retry after %v", e.RetryAfter)
	}
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

func (e *StatusError) redirect() bool { return e.Code == 0 || e.Code/100 == 3 }

// passing reports whether the same request may succeed later.
func (e *StatusError) passing() bool {
	switch e.Code {
	case http.StatusRequestTimeout, http.StatusTooEarly:
		return true
	case http.StatusTooManyRequests:
		return !e.exhausted
	}
	return e.Code >= 500 && e.Code != http.StatusNotImplemented
}

// hopeless reports whether the status has nothing to do with response_format, so
// that leaving it out can't help, or the server wants to be left alone.
func (e *StatusError) hopeless() bool {
	return e.RetryAfter > 0 || e.redirect() || slices.Contains([]int{
		http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed,
		http.StatusProxyAuthRequired, http.StatusGone, http.StatusRequestEntityTooLarge, http.StatusTooManyRequests,
	}, e.Code)
}

// transportError is a failure to get an answer. Its text has no secrets. The
// cause, which may quote the server, can be asked about but isn't unwrapped.
type transportError struct {
	text  string
	cause error
}

func (e *transportError) Error() string { return e.text }

// Is reports whether the error or its cause is target.
func (e *transportError) Is(target error) bool {
	return target == ErrTransport || errors.Is(e.cause, target)
}

// As finds target in the cause.
func (e *transportError) As(target any) bool { return errors.As(e.cause, target) }

// passing reports whether sending the request once more may help.
func passing(err error) bool {
	var status *StatusError
	if errors.As(err, &status) {
		return status.passing()
	}
	return errors.Is(err, ErrTransport)
}

// reformable reports whether an attempt without response_format may help.
func reformable(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return false
	}
	var status *StatusError
	if errors.As(err, &status) {
		return !status.hopeless()
	}
	return errors.Is(err, ErrNoFacts) && !errors.Is(err, ErrRefused)
}
