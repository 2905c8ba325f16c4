package main

// This file decides what the command is given by the system it runs on.

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/term"
)

func main() {
	os.Exit(runOnSystem())
}

func runOnSystem() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	reportBrokenPipes()
	a := app{
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		env: os.Getenv, clock: time.Now, goos: runtime.GOOS,
		stdinTerminal: isTerminal(os.Stdin), stderrTerminal: isTerminal(os.Stderr),
	}
	return a.run(ctx, os.Args[1:])
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// interruptible returns stdin as a reader that ends when ctx does: a read that
// waits for a person can't be cancelled otherwise.
func (a *app) interruptible(ctx context.Context) io.Reader {
	r, w := io.Pipe()
	go func() {
		_, err := io.Copy(w, a.stdin)
		w.CloseWithError(err)
	}()
	context.AfterFunc(ctx, func() { r.CloseWithError(context.Cause(ctx)) })
	return r
}
