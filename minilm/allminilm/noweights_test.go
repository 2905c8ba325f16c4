//go:build contextforge_noweights

package allminilm_test

// What a program without weights says. TestWithoutWeights of the other form builds
// and runs this one.

import (
	"errors"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/minilm"
	"github.com/contextforge-go/contextforge/minilm/allminilm"
)

func TestNoWeights(t *testing.T) {
	m, err := allminilm.New(minilm.Config{})
	if m != nil || !errors.Is(err, allminilm.ErrNoWeights) || !strings.Contains(err.Error(), "minilm.Load") {
		t.Errorf("%v, %v", m, err)
	}
}

// The file beside the program is loaded instead.
func TestLoadInstead(t *testing.T) {
	m, err := minilm.Load("all-MiniLM-L6-v2-Q8_0.gguf", minilm.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if m.ID() != "sha256:"+allminilm.SHA256 || m.Name() != allminilm.Name {
		t.Errorf("%s, %s", m.ID(), m.Name())
	}
}
