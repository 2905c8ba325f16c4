// This file decides what becomes of Pebble's log lines and of its wish to end
// the process.

//go:build !js && !wasip1 && !solaris && !aix && !plan9

package pebblekv

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
)

// pebbleLogger passes Pebble's lines on. Fatalf must not return by Pebble's
// contract, but the callers that remain reachable behind a guard cope with it
// returning, and a process that lives with a failed store beats one that ends.
type pebbleLogger struct {
	log  *slog.Logger
	fail func(error) // marks the store failed; nil where there is none
}

func (l pebbleLogger) Infof(format string, args ...any) { l.log.Debug(pebbleLine(format, args)) }

func (l pebbleLogger) Errorf(format string, args ...any) { l.log.Warn(pebbleLine(format, args)) }

func (l pebbleLogger) Fatalf(format string, args ...any) {
	err := errors.New(pebbleLine(format, args))
	if l.fail != nil {
		l.fail(err)
	}
}

// pebbleLine formats a line of Pebble's. Its errors print the stack they come
// from under %+v; what they say is enough.
func pebbleLine(format string, args []any) string {
	plain := make([]any, len(args))
	for i, arg := range args {
		if err, ok := arg.(error); ok {
			arg = err.Error()
		}
		plain[i] = arg
	}
	return "pebble: " + oneLine(fmt.Sprintf(format, plain...))
}

// oneLine joins the lines of a text.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
