//go:build unix && !contextforge_noweights

package main

// This file tests embed as a process: pipes that stay open, and signals.

import (
	"bufio"
	"os"
	"strings"
	"testing"
)

// TestProcessEmbedInterrupt interrupts an embed that waits for its next line,
// after it has answered the first.
func TestProcessEmbedInterrupt(t *testing.T) {
	for _, args := range [][]string{{"embed", "--json"}, {"tokenize", "--json"}} {
		cmd, errs := newRig(t).process(args...)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := in.Write([]byte("hello world\nand a half")); err != nil {
			t.Fatal(err)
		}
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil || !strings.HasPrefix(line, `{"`) {
			t.Fatalf("%q: %.40q, %v, %s", args, line, err, errs)
		}
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // the exit code says it
		if code := cmd.ProcessState.ExitCode(); code != exitInterrupted || errs.String() != "contextforge: interrupted\n" {
			t.Errorf("%q: exit %d: %s", args, code, errs)
		}
	}
}

// TestProcessEmbedPipe closes a pipe behind the first answer, as head -1 does.
func TestProcessEmbedPipe(t *testing.T) {
	for _, args := range [][]string{{"embed"}, {"tokenize"}} {
		cmd, errs := newRig(t).process(args...)
		cmd.Stdin = strings.NewReader(strings.Repeat("hello world\n", 20_000))
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := bufio.NewReaderSize(out, 16).ReadByte(); err != nil {
			t.Fatal(err)
		}
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // also tells of the stdin that nobody reads any more
		if code := cmd.ProcessState.ExitCode(); code != exitOK || errs.Len() > 0 {
			t.Errorf("%q: exit %d: %s", args, code, errs)
		}
	}
}
