//go:build !contextforge_noweights

package main

// This file tests prefixes that are given, and those that aren't known.

import (
	"strings"
	"testing"
)

// TestPrefixFlags: a given prefix is as if it stood in the texts.
func TestPrefixFlags(t *testing.T) {
	r := newRig(t)
	want := r.must("", "embed", "query: otters", "query: boats")
	for _, args := range [][]string{{"--as", "query", "--query-prefix", "query: "}, {"--as", "document", "--document-prefix", "query: "}} {
		if got := r.must("otters\nboats\n", append(args, "embed")...); got != want {
			t.Errorf("%q: printed %.40q", args, got)
		}
	}
	r.fails(exitUsage, `the prefix "que" must end in a space or a sign`, "", "embed", "x", "--as", "query", "--query-prefix", "que")
	r.fails(exitUsage, "--query-prefix needs --as query", "", "embed", "x", "--query-prefix", "q: ")
	r.fails(exitUsage, "--query-prefix needs --as query", "", "embed", "x", "--as", "document", "--query-prefix", "q: ")
	r.fails(exitUsage, "--document-prefix needs --as document", "", "embed", "x", "--as", "query", "--document-prefix", "d: ")
	r.fails(exitUsage, "exclude each other", "", "embed", "x", "--as", "query", "--document-prefix", "d: ", "--query-prefix", "q: ")
}

// TestPrefixNotes: stderr says that nothing is put before texts where that may
// surprise.
func TestPrefixNotes(t *testing.T) {
	r := newRig(t)
	for name, notes := range map[string]map[string]bool{
		"intfloa/e5-small":    {"query": false, "document": false},
		"all-MiniLM-L6-v2":    {"query": false, "document": false},
		"someone/ours\x1b123": {"query": true, "document": true, "text": false},
	} {
		path := r.renamed(name)
		for as, noted := range notes {
			o := r.run("", "embed", "x", "--as", as, "--model", path)
			if o.code != exitOK || (o.err != "") != noted || noted && (!strings.Contains(o.err, "--"+as+"-prefix TEXT gives one") || strings.Contains(o.err, "\x1b")) {
				t.Errorf("%q as %s: exit %d, %q", name, as, o.code, o.err)
			}
		}
		if o := r.run("", "embed", "x", "--as", "query", "--query-prefix", "find: ", "--model", path); o.code != exitOK || o.err != "" {
			t.Errorf("%q: exit %d, %q", name, o.code, o.err)
		}
	}
	if o := r.run("", "embed", "x", "--as", "query"); o.err != "" {
		t.Errorf("the built-in model: %q", o.err)
	}
}
