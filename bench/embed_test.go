//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package main

// These tests decide what the command line of embed accepts.

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/contextforge-go/contextforge/bench/internal/embedbench"
)

func TestEmbedFlags(t *testing.T) {
	var f embedFlags
	if err := f.parse([]string{"--kernels", "generic", "--tokens", "32,8", "--batch", "4", "--threads", "1", "--peers", "--onnx", "m.onnx", "--rounds", "2"}); err != nil {
		t.Fatal(err)
	}
	o := f.options
	if !slices.Equal(o.Kernels, []string{"generic"}) || !slices.Equal(o.Tokens, []int{8, 32}) || !slices.Equal(o.Batches, []int{4}) || o.Rounds != 2 {
		t.Errorf("%+v", o)
	}
	if len(o.Peers) != 3 || o.Peers[0].File != "m.onnx" || o.Peers[1].File != "" || filepath.Base(o.Peers[2].File) != "all-MiniLM-L6-v2-Q8_0.gguf" {
		t.Errorf("%+v", o.Peers)
	}
	if _, err := os.Stat(o.Peers[2].File); err != nil {
		t.Error(err)
	}
	f = embedFlags{}
	if err := f.parse(nil); err != nil || !slices.Equal(f.options.Kernels, embedbench.Kernels()) || f.options.Peers != nil {
		t.Errorf("%+v, %v", f.options, err)
	}
}

func TestEmbedRefuses(t *testing.T) {
	for _, args := range [][]string{
		{"--rounds", "0"},
		{"--tokens", "many"},
		{"--tokens", "600"},
		{"--batch", "0"},
		{"--threads", ""},
		{"--check", "--model", "m.gguf"},
		{"--check", "--reference", filepath.Join(t.TempDir(), "r.jsonl")},
		{"--sts", filepath.Join(t.TempDir(), "p.jsonl")},
		{"--memory", "--kernels", "abacus"},
		{"--kernels", "abacus"},
		{"surplus"},
		{"--unheardof"},
	} {
		if err := run(t.Context(), append([]string{"embed"}, args...)); err == nil {
			t.Errorf("%q is accepted", args)
		}
	}
}

func TestModuleRoot(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "bench", "embed.go")); err != nil {
		t.Error(err)
	}
	t.Chdir(t.TempDir())
	if root, err := moduleRoot(); err == nil {
		t.Errorf("outside the module it is %s", root)
	}
}

func TestEmbedModes(t *testing.T) {
	pairs := filepath.Join(t.TempDir(), "p.jsonl")
	if err := os.WriteFile(pairs, []byte(`{"a":"a boat","b":"a ship","score":4}`+"\n"+`{"a":"a boat","b":"bread","score":1}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--sts", pairs}, {"--sts", pairs, "--json"}, {"--memory"}} {
		if err := run(t.Context(), append([]string{"embed"}, args...)); err != nil {
			t.Errorf("%q: %v", args, err)
		}
	}
}
