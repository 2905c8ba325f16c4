package main

// This file decides how the tests run the command: in-process, on a store of
// their own, with a clock and randomness that repeat.

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// rig runs commands one after another on one store, without a model unless the
// test is about one. Every run is a minute later than the one before.
type rig struct {
	t        *testing.T
	dir      string // for files; the store is in it
	env      map[string]string
	now      time.Time
	random   io.Reader
	terminal bool // stdin and stderr are one
}

func newRig(t *testing.T) *rig {
	t.Helper()
	dir := t.TempDir()
	return &rig{
		t: t, dir: dir, env: map[string]string{storeEnv: filepath.Join(dir, "store"), embedderEnv: noEmbedder},
		now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), random: rand.NewChaCha8([32]byte{28}),
	}
}

// newModelRig returns a rig with the embedder that a user has by default.
func newModelRig(t *testing.T) *rig {
	r := newRig(t)
	delete(r.env, embedderEnv)
	return r
}

func (r *rig) store() string { return r.env[storeEnv] }

func (r *rig) path(name string) string { return filepath.Join(r.dir, name) }

// outcome is what a run left behind.
type outcome struct {
	out, err string
	code     int
}

func (r *rig) run(stdin string, args ...string) outcome {
	r.t.Helper()
	var out, err bytes.Buffer
	code := r.app(strings.NewReader(stdin), &out, &err).run(r.t.Context(), args)
	return outcome{out.String(), err.String(), code}
}

func (r *rig) app(stdin io.Reader, out, err io.Writer) *app {
	r.now = r.now.Add(time.Minute)
	now := r.now
	return &app{
		stdin: stdin, stdout: out, stderr: err,
		env:   func(name string) string { return r.env[name] },
		clock: func() time.Time { return now }, random: r.random, goos: "linux",
		stdinTerminal: r.terminal, stderrTerminal: r.terminal,
	}
}

// must runs a command that has to succeed and returns its output.
func (r *rig) must(stdin string, args ...string) string {
	r.t.Helper()
	o := r.run(stdin, args...)
	if o.code != exitOK {
		r.t.Fatalf("%q: exit %d: %s", args, o.code, o.err)
	}
	return o.out
}

// fails runs a command that has to end with a code and say something.
func (r *rig) fails(code int, say string, stdin string, args ...string) {
	r.t.Helper()
	o := r.run(stdin, args...)
	if o.code != code || !strings.Contains(o.err, say) || strings.Count(o.err, "\n") != 1 {
		r.t.Errorf("%q: exit %d, want %d, saying %q, want one line with %q", args, o.code, code, o.err, say)
	}
}

func cancelled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// clock returns a clock that stands still.
func (r *rig) clock() func() time.Time {
	now := r.now
	return func() time.Time { return now }
}

// manyLines returns n different entries as JSON Lines.
func manyLines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"id":"m%d","content":"number %d of the lines about sails, boats and databases","timestamp":%d,"scope":"s%d"}`+"\n", i, i, 1700000000+i, i%7)
	}
	return b.String()
}
