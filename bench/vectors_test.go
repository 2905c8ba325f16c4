//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package main

// These tests decide what the command line of vectors accepts.

import (
	"slices"
	"testing"

	"github.com/contextforge-go/contextforge/bench/internal/vectorbench"
)

func TestVectorFlags(t *testing.T) {
	var f vectorFlags
	if err := f.parse([]string{"--n", "30,20", "--threads", "2", "--peers", "--dim", "8", "--rounds", "1"}); err != nil {
		t.Fatal(err)
	}
	o := f.options
	if !slices.Equal(o.Sizes, []int{30, 20}) || !slices.Equal(o.Threads, []int{2}) || !slices.Equal(o.Peers, vectorbench.Peers()) || o.Dim != 8 || o.Rounds != 1 || o.Top != 50 {
		t.Errorf("%+v", o)
	}
	f = vectorFlags{}
	if err := f.parse(nil); err != nil || !slices.Equal(f.options.Sizes, []int{10_000, 100_000}) || f.options.Peers != nil {
		t.Errorf("%+v, %v", f.options, err)
	}
}

func TestVectorsRefuses(t *testing.T) {
	for _, args := range [][]string{
		{"--n", "many"}, {"--n", "0"}, {"--threads", ""}, {"--dim", "0"}, {"--dim", "20000"}, {"--scopes", "0"}, {"--top", "-1"}, {"--rounds", "0"},
		{"surplus"}, {"--unheardof"},
	} {
		if err := run(t.Context(), append([]string{"vectors"}, args...)); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}

func TestVectors(t *testing.T) {
	for _, form := range [][]string{nil, {"--json"}} {
		args := append([]string{"vectors", "--n", "50", "--dim", "8", "--rounds", "1", "--slot", "1ms", "--threads", "1", "--dir", t.TempDir()}, form...)
		if err := run(t.Context(), args); err != nil {
			t.Error(err)
		}
	}
}
