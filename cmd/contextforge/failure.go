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
	exitSecrets     = 7
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

// conclude prints why the run of a command failed, if it did, and returns the
// exit code.
func (a *app) conclude(ctx context.Context, command string, err error) int {
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
		a.note("%s (see %s --help)", oneLine(err.Error()), command)
		return exitUsage
	}
	f := failureOf(err)
	text := message(err)
	if f.text != nil {
		text = f.text(a.path, err)
	}
	a.note("%s", oneLine(text+f.hint))
	return f.code
}

// failure is a cause that the person at the keyboard can do something about.
type failure struct {
	cause error
	code  int
	text  func(path string, err error) string // nil for the error's own
	hint  string
}

func failureOf(err error) failure {
	if errors.Is(err, contextforge.ErrInvalidConfig) && isPathError(err) {
		return failure{code: exitError} // a file that it names can't be read
	}
	for _, f := range []failure{
		{contextforge.ErrLocked, exitLocked, inUse, "; --wait 10s waits for it, --store names another one"},
		{contextforge.ErrForeign, exitError, nil, "; choose another folder"},
		{contextforge.ErrNewer, exitError, nil, "; update contextforge"},
		{contextforge.ErrStoreFailed, exitError, refused, "; what was saved before is safe: make room, or repair the disk, and try again"},
		{contextforge.ErrCorrupt, exitDamaged, nil, "; contextforge verify lists the damage, rebuild repairs the index, recover saves what is readable"},
		{contextforge.ErrNotFound, exitNotFound, nil, ""},
		{contextforge.ErrNoEmbedder, exitError, noVector, "; contextforge backfill makes vectors"},
		{contextforge.ErrInvalidEntry, exitUsage, nil, ""},
		{contextforge.ErrInvalidFilter, exitUsage, nil, ""},
		{contextforge.ErrInvalidConfig, exitUsage, nil, ""},
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

// noVector leaves out what is right of a program, but not of a store.
func noVector(_ string, err error) string {
	return strings.Replace(message(err), contextforge.ErrNoEmbedder.Error()+": ", "", 1)
}

func inUse(path string, _ error) string {
	return fmt.Sprintf("the store in %s is in use by another process", path)
}

// refused says why the disk wrote nothing: the innermost cause.
func refused(path string, err error) string {
	cause := err
	for inner := causes(cause); len(inner) > 0; inner = causes(cause) {
		cause = inner[len(inner)-1]
	}
	if cause == contextforge.ErrStoreFailed {
		return message(err)
	}
	return fmt.Sprintf("the disk refuses to write to the store in %s: %s", path, cause.Error())
}

// message returns what err says without the names of packages, and nothing of
// it twice.
func message(err error) string {
	var lines []string
	for line := range strings.SplitSeq(plain(err), "\n") {
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// plain takes out of an error's text the name of the package that every wrapped
// error begins with, and "open x: " or "open: " where the error inside says it again. What
// is quoted in the text stays as it is.
func plain(err error) string {
	text := err.Error()
	for _, inner := range causes(err) {
		full := inner.Error()
		i := strings.LastIndex(text, full)
		if i < 0 {
			continue
		}
		said := plain(inner)
		before := text[:i]
		if head, _, ok := strings.Cut(said, ": "); ok {
			before = strings.TrimSuffix(before, head+": ")
			if verb, _, ok := strings.Cut(head, " "); ok && (before == verb+": " || strings.HasSuffix(before, ": "+verb+": ")) {
				before = strings.TrimSuffix(before, verb+": ")
			}
		}
		text = before + said + text[i+len(full):]
	}
	return withoutPackage(text)
}

// causes returns the errors that err wraps.
func causes(err error) []error {
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			return []error{inner}
		}
	case interface{ Unwrap() []error }:
		return e.Unwrap()
	}
	return nil
}

func withoutPackage(text string) string {
	name, rest, ok := strings.Cut(text, ": ")
	if ok && slices.Contains([]string{"contextforge", "store", "bm25", "kv", "pebblekv", "memkv", "minilm", "gguf", "simd", "vecindex", "lexicon", "tomledit", "distill", "openai", "scrub"}, name) {
		return rest
	}
	return text
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
		a.note("%s left the store, oldest first, because of its capacity", entries(a.evicted))
	}
	if a.failed > 0 {
		a.note("%s got no vectors and can be found by words alone until contextforge backfill makes them: %s", entries(a.failed), oneLine(message(a.failure)))
	}
}
