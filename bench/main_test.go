//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package main

// These tests decide what the command lines accept and write.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/bench/internal/measure"
)

func TestNumbers(t *testing.T) {
	got, err := numbers("1000, 20,3")
	if err != nil || !slices.Equal(got, []int{1000, 20, 3}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"", "0", "-5", "1,x", "1,,2"} {
		if _, err := numbers(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{nil, {"unheardof"}} {
		if err := run(t.Context(), args); !errors.Is(err, flag.ErrHelp) {
			t.Errorf("%v: %v", args, err)
		}
	}
	for _, args := range [][]string{{"store", "--rounds", "0"}, {"store", "--entries", "many"}, {"store", "--only", "nothing"}} {
		if err := run(t.Context(), args); err == nil {
			t.Errorf("%v is accepted", args)
		}
	}
}

func TestStore(t *testing.T) {
	dir := t.TempDir()
	jsonFile, mdFile := filepath.Join(dir, "r.json"), filepath.Join(dir, "r.md")
	err := run(t.Context(), []string{"store", "--entries", "30", "--rounds", "1", "--only", "list", "--dir", dir, "--json", jsonFile, "--md", mdFile})
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(jsonFile)
	if err != nil {
		t.Fatal(err)
	}
	var r measure.Report
	if err := json.Unmarshal(text, &r); err != nil || len(r.Tables) != 1 {
		t.Errorf("%v: %s", err, text)
	}
	md, err := os.ReadFile(mdFile)
	if err != nil || string(md) != r.Markdown() {
		t.Errorf("the two forms differ: %v\n%s", err, md)
	}
	if strings.Contains(string(md), dir) {
		t.Errorf("the result names a folder:\n%s", md)
	}
}

func TestData(t *testing.T) {
	dir := t.TempDir()
	out, asked := filepath.Join(dir, "e.jsonl"), filepath.Join(dir, "q.jsonl")
	if err := run(t.Context(), []string{"data", "--entries", "25", "--queries", "10", "--out", out, "--queries-out", asked}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{out: 25, asked: 30} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); n++ {
			var line map[string]any
			if err := json.Unmarshal(lines.Bytes(), &line); err != nil || line["scope"] == "" {
				t.Fatalf("%s: %v: %s", name, err, lines.Bytes())
			}
		}
		if n != want {
			t.Errorf("%s has %d lines, want %d", name, n, want)
		}
	}
}
