//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package main

// This file holds the command against a run of it.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRunScrub(t *testing.T) {
	out := filepath.Join(t.TempDir(), "result.txt")
	if err := runScrub(t.Context(), []string{"--data", "../scrub/testdata", "--rounds", "1", "--size", "1000", "--out", out}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil || !strings.Contains(string(text), "false alarms") || !strings.Contains(string(text), "MB/s") {
		t.Errorf("%s, %v", text, err)
	}
	for _, args := range [][]string{{"--data", t.TempDir()}, {"--no-such-flag"}} {
		if err := runScrub(t.Context(), args); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}
