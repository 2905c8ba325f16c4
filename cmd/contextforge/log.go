package main

// This file decides which lines of the store's log a person sees.

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"sync"

	"github.com/contextforge-go/contextforge/scrub"
)

// logger returns where the store logs to: everything with -v, otherwise the
// warnings that a person must hear of.
func (a *app) logger() *slog.Logger {
	if a.global.verbose {
		return slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: shortAttr}))
	}
	return slog.New(warnings{a})
}

// shortAttr leaves out the time, and of an error all but its message: some print
// the stack they come from.
func shortAttr(groups []string, attr slog.Attr) slog.Attr {
	if len(groups) == 0 && attr.Key == slog.TimeKey {
		return slog.Attr{}
	}
	if err, ok := attr.Value.Any().(error); ok {
		attr.Value = slog.StringValue(err.Error())
	}
	return attr
}

// wordsAlone begins the warning that a query went on after an error.
const wordsAlone = "contextforge: the query is answered by words alone"

// reasonIn returns the error of a record, after a colon.
func reasonIn(r slog.Record) (text string) {
	r.Attrs(func(attr slog.Attr) bool {
		if err, ok := attr.Value.Any().(error); ok {
			text = ": " + message(err)
		}
		return true
	})
	return text
}

// warnings is a slog.Handler that turns a warning into a note of one line. What
// tells of an error is left out, for the operation that fails returns it.
type warnings struct{ app *app }

// Enabled implements slog.Handler.
func (w warnings) Enabled(_ context.Context, level slog.Level) bool { return level == slog.LevelWarn }

// Handle implements slog.Handler.
func (w warnings) Handle(_ context.Context, r slog.Record) error {
	if strings.HasPrefix(r.Message, wordsAlone) {
		w.app.note("%s", oneLine(withoutPackage(r.Message)+reasonIn(r)))
		return nil
	}
	failed := strings.HasPrefix(r.Message, "pebble: ")
	var details []string
	r.Attrs(func(attr slog.Attr) bool {
		_, isError := attr.Value.Any().(error)
		failed = failed || isError || attr.Key == "error"
		if attr.Key != "folder" {
			details = append(details, attr.Key+" "+attr.Value.String())
		}
		return true
	})
	if failed {
		return nil
	}
	text := withoutPackage(r.Message)
	if len(details) > 0 {
		text += " (" + strings.Join(details, ", ") + ")"
	}
	w.app.note("%s", oneLine(text))
	return nil
}

// WithAttrs implements slog.Handler; the store adds none.
func (w warnings) WithAttrs([]slog.Attr) slog.Handler { return w }

// WithGroup implements slog.Handler; the store opens none.
func (w warnings) WithGroup(string) slog.Handler { return w }

// notes is stderr. It lets the background work of a store write beside the command,
// and shows no secret, as errors quote what they are about: input, names, the
// command line. Every message is one write.
type notes struct {
	mu      sync.Mutex
	w       io.Writer
	secrets *scrub.Scrubber
}

// Write implements io.Writer.
func (n *notes) Write(b []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	clean, _ := n.secrets.Scrub(string(b))
	if _, err := n.w.Write([]byte(clean)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// scrubBy sets the rules, once they are known.
func (n *notes) scrubBy(s *scrub.Scrubber) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.secrets = s
}
