//go:build !contextforge_noweights

package main

// Vectors of longest sentences, which a configuration file asks for.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSentencesByConfiguration(t *testing.T) {
	r := newModelRig(t)
	config := filepath.Join(t.TempDir(), "config.json")
	if err := os.WriteFile(config, []byte(`{"sentence_vectors": true}`), 0o600); err != nil {
		t.Fatal(err)
	}
	r.must("", "save", "Hello. We met in the garden behind the house.")
	if s := r.stats(); s.Embedded != 1 || s.Sentences != 0 {
		t.Errorf("%+v", s)
	}
	if got := r.must("", "backfill", "--config", config); !strings.HasPrefix(got, "embedded 1 entry") {
		t.Error(got)
	}
	if s := r.stats(); s.Embedded != 1 || s.Vectors != 1 || s.Sentences != 1 || len(s.OtherModels) != 0 {
		t.Errorf("%+v", s)
	}
	if got := r.must("", "stats"); !strings.Contains(got, "sentences         1\n") || !strings.Contains(got, "other models      (none)\n") {
		t.Error(got)
	}
	r.must("", "backfill")
	if s := r.stats(); s.Embedded != 1 || s.Sentences != 0 {
		t.Errorf("%+v", s)
	}
}
