package main

// This file tests what failures and logs look like to a person.

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge"
)

func TestMessage(t *testing.T) {
	cause := errors.New("kv: busy")
	for _, c := range []struct {
		err  error
		want string
	}{
		{cause, "busy"},
		{fmt.Errorf("contextforge: open s5: %w", fmt.Errorf("pebblekv: open s5: %w", cause)), "open s5: busy"},
		{fmt.Errorf("contextforge: copy: %w", fmt.Errorf("pebblekv: copy to x: %w", cause)), "copy to x: busy"},
		{fmt.Errorf("contextforge: get: no entry: %q", "pebblekv: kv: x"), `get: no entry: "pebblekv: kv: x"`},
		{fmt.Errorf("store: commit: %w (%w)", cause, errors.New("bm25: odd")), "commit: busy (odd)"},
		{errors.Join(fmt.Errorf("contextforge: save: %w", cause), fmt.Errorf("contextforge: save: %w", cause)), "save: busy"},
		{errors.Join(fmt.Errorf("contextforge: save: %w", cause), errors.New("contextforge: close")), "save: busy\nclose"},
		{fmt.Errorf("contextforge: open a: %w", &fs.PathError{Op: "open", Path: "/x", Err: fs.ErrPermission}), "open a: open /x: permission denied"},
	} {
		if got := message(&runError{c.err}); got != c.want {
			t.Errorf("%q became %q, want %q", c.err, got, c.want)
		}
	}
}

// TestOneLineFailures: the path once, the cause once, what to do.
func TestOneLineFailures(t *testing.T) {
	full := fmt.Errorf("pebblekv: /s: %w; close the store (%w)", contextforge.ErrStoreFailed,
		fmt.Errorf("sync 000004.log: %w", &fs.PathError{Op: "sync", Path: "/s/000004.log", Err: errors.New("no space left on device")}))
	for _, c := range []struct {
		err  error
		want string
	}{
		{fmt.Errorf("contextforge: open /s: pebblekv: open /s: %w (/s is in use)", contextforge.ErrLocked),
			"the store in /s is in use by another process; --wait 10s waits for it, --store names another one"},
		{errors.Join(fmt.Errorf("contextforge: save: %w", full), full),
			"the disk refuses to write to the store in /s: no space left on device; what was saved before is safe: make room, or repair the disk, and try again"},
	} {
		var out bytes.Buffer
		a := &app{stderr: &out, path: "/s"}
		a.conclude(t.Context(), "contextforge", &runError{c.err})
		if got := out.String(); got != "contextforge: "+c.want+"\n" {
			t.Errorf("said %s", got)
		}
	}
	if got := refused("/s", contextforge.ErrStoreFailed); !strings.Contains(got, "writes are refused") {
		t.Errorf("without a cause: %s", got)
	}
}

// traced is an error that prints a stack, as some do.
type traced struct{}

func (traced) Error() string                 { return "disk gone" }
func (traced) Format(f fmt.State, verb rune) { fmt.Fprint(f, "disk gone\n(1) attached stack trace\n") }

func TestLog(t *testing.T) {
	for _, c := range []struct {
		verbose bool
		want    string
	}{
		{false, "contextforge: commits are missing (missing 3, last 17)\ncontextforge: starting again\n"},
		{true, "level=INFO msg=opened\nlevel=WARN msg=\"pebble: flush failed\"\nlevel=ERROR msg=\"store failed\" error=\"disk gone\"\n" +
			"level=WARN msg=background error=\"disk gone\"\nlevel=WARN msg=background error=\"as text\"\n" +
			"level=WARN msg=background cause=\"disk gone\"\nlevel=WARN msg=\"commits are missing\" folder=/s missing=3 last=17\n" +
			"level=WARN msg=\"contextforge: starting again\"\n"},
	} {
		var out bytes.Buffer
		a := &app{stderr: &out}
		a.global.verbose = c.verbose
		log := a.logger()
		log.Info("opened")
		log.Warn("pebble: flush failed")
		log.Error("store failed", "error", traced{})
		log.Warn("background", "error", traced{})
		log.Warn("background", "error", "as text")
		log.Warn("background", "cause", traced{})
		log.Warn("commits are missing", "folder", "/s", "missing", 3, "last", 17)
		log.With(slog.Int("x", 1)).WithGroup("")
		log.Warn("contextforge: starting again")
		if out.String() != c.want {
			t.Errorf("verbose %v:\n%s", c.verbose, out.String())
		}
	}
}
