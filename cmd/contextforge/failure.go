package main

// This file decides what a failure says and which code the command exits with.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/contextforge-go/contextforge"
)

// The codes of exit.
const (
	exitOK          = 0
	exitError       = 1
	exitUsage       = 2
	exitNotFound    = 3
	exitLocked      = 4
	exitDamaged     = 5
	exitPartial     = 6
	exitInterrupted = 130 // as shells count SIGINT
)

// runError is an error of a command's work, as opposed to its command line.
type runError struct{ error }

func (e *runError) Unwrap() error { return e.error }

// usageError is a value on the command line that can't be used.
type usageError struct{ error }

func (e *usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// exitCode ends a run whose outcome has been printed already.
type exitCode int

// Error implements error.
func (c exitCode) Error() string { return fmt.Sprintf("exit code %d", int(c)) }

// conclude prints why the run failed, if it did, and returns the exit code.
func (a *app) conclude(ctx context.Context, err error) int {
	var code exitCode
	var work *runError
	switch {
	case err == nil:
		return exitOK
	case errors.Is(a.outErr, io.ErrClosedPipe), isBrokenPipe(a.outErr):
		return exitOK // whoever read the output had enough
	case errors.As(err, &code):
		return int(code)
	case ctx.Err() != nil:
		a.note("interrupted")
		return exitInterrupted
	case !errors.As(err, &work):
		a.note("%s (see contextforge --help)", oneLine(err.Error()))
		return exitUsage
	}
	f := failureOf(err)
	a.note("%s", oneLine(message(err)+f.hint))
	return f.code
}

// failure is a cause that the person at the keyboard can do something about.
type failure struct {
	cause error
	code  int
	hint  string
}

func failureOf(err error) failure {
	for _, f := range []failure{
		{contextforge.ErrLocked, exitLocked, "; wait until the other process is done, or choose another folder with --store"},
		{contextforge.ErrForeign, exitError, "; choose another folder with --store"},
		{contextforge.ErrNewer, exitError, "; update contextforge"},
		{contextforge.ErrStoreFailed, exitError, "; what was saved before is safe: make room and try again"},
		{contextforge.ErrCorrupt, exitDamaged, "; contextforge verify lists the damage, rebuild repairs the index, recover saves what is readable"},
		{contextforge.ErrNotFound, exitNotFound, ""},
		{contextforge.ErrInvalidEntry, exitUsage, ""},
		{contextforge.ErrInvalidFilter, exitUsage, ""},
		{contextforge.ErrInvalidConfig, exitUsage, ""},
	} {
		if errors.Is(err, f.cause) {
			return f
		}
	}
	var usage *usageError
	if errors.As(err, &usage) {
		return failure{code: exitUsage}
	}
	return failure{code: exitError}
}

// message returns what err says without the names of packages.
func message(err error) string {
	return strings.NewReplacer("contextforge: ", "", "kv: ", "").Replace(err.Error())
}

// oneLine brings a message, which may quote stored text, to one safe line.
func oneLine(s string) string {
	return visible(strings.ReplaceAll(strings.TrimSpace(s), "\n", "; "))
}

// reportSideEffects says what happened besides what was asked for.
func (a *app) reportSideEffects() {
	if len(a.redacted) > 0 {
		var parts []string
		for _, label := range slices.Sorted(maps.Keys(a.redacted)) {
			parts = append(parts, fmt.Sprintf("%s (%d)", label, a.redacted[label]))
		}
		a.note("secrets were redacted: %s", strings.Join(parts, ", "))
	}
	if a.evicted > 0 {
		a.note("the store is full: its oldest %s left", entries(a.evicted))
	}
}
