//go:build unix

package main

// This file tests what only a process of its own has: the exit code, a real
// pipe, signals.

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// asCommand makes the test binary be the command.
const asCommand = "CONTEXTFORGE_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		os.Exit(runOnSystem())
	}
	os.Exit(m.Run())
}

// process returns the command, ready to start, with its stderr.
func (r *rig) process(args ...string) (*exec.Cmd, *strings.Builder) {
	var errs strings.Builder
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), asCommand+"=1", storeEnv+"="+r.store(), embedderEnv+"="+r.env[embedderEnv])
	cmd.Stderr = &errs
	return cmd, &errs
}

func TestProcessExitCodes(t *testing.T) {
	r := newRig(t)
	for _, c := range []struct {
		args []string
		code int
	}{{[]string{"--version"}, exitOK}, {[]string{"--nosuch"}, exitUsage}, {[]string{"list"}, exitError}} {
		cmd, errs := r.process(c.args...)
		if _ = cmd.Run(); cmd.ProcessState.ExitCode() != c.code {
			t.Errorf("%q: exit %d: %s", c.args, cmd.ProcessState.ExitCode(), errs)
		}
	}
}

// TestProcessPipe closes a pipe behind its first line, as head -1 does.
func TestProcessPipe(t *testing.T) {
	r := newRig(t)
	r.must("{\"content\":\""+strings.Repeat("words ", 2000)+"\"}\n"+manyLines(3000), "import")
	cmd, errs := r.process("list", "--jsonl")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReaderSize(out, 16).ReadSlice('"'); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil || errs.Len() > 0 {
		t.Errorf("%v: %s", err, errs)
	}
	if got := r.must("", "verify"); got != "sound: 3001 entries\n" {
		t.Error(got)
	}
}

// TestProcessInterrupt sends SIGINT to a command that waits for stdin.
func TestProcessInterrupt(t *testing.T) {
	r := newRig(t)
	r.must("", "save", "before")
	cmd, errs := r.process("import", "-v")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := in.Write([]byte(manyLines(2500))); err != nil { // returns once it is read
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	for waiting := true; waiting; {
		if err := cmd.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		select {
		case <-done:
			waiting = false
		case <-time.After(20 * time.Millisecond):
		}
	}
	// The first signal that comes too early for the handler kills, as it should.
	if code := cmd.ProcessState.ExitCode(); code != exitInterrupted && code != -1 {
		t.Errorf("exit %d: %s", code, errs)
	}
	if got := r.must("", "verify"); !strings.HasPrefix(got, "sound: ") {
		t.Error(got)
	}
}

// TestProcessFullDisk limits how large a file may get, which the store finds
// out as it would a full disk.
func TestProcessFullDisk(t *testing.T) {
	r := newRig(t)
	r.must("", "save", "before")
	if err := os.WriteFile(r.path("in.jsonl"), []byte(manyLines(20_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd, errs := r.process("import", r.path("in.jsonl"))
	cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh", "-c", `ulimit -f 300; exec "$0" "$@"`}, cmd.Args...)
	_ = cmd.Run() // the exit code says it
	want := ", unchanged 0, skipped 0\n" +
		"contextforge: the disk refuses to write to the store in " + r.store() + ": file too large; what was saved before is safe: make room, or repair the disk, and try again\n"
	if code := cmd.ProcessState.ExitCode(); code != exitError || !strings.HasSuffix(errs.String(), want) || strings.Count(errs.String(), "\n") != 2 {
		t.Errorf("exit %d: %s", code, errs)
	}
	if got := r.must("", "list"); !strings.HasSuffix(got, "    before\n") {
		t.Errorf("holds %s", got)
	}
}
