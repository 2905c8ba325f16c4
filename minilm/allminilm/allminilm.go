package allminilm

// This file decides how the built-in model is made.

import (
	"errors"

	"github.com/contextforge-go/contextforge/minilm"
)

// ErrNoWeights is returned by a program that was built without the weights.
var ErrNoWeights = errors.New("allminilm: this program was built without the weights (tag contextforge_noweights): load a model's file with minilm.Load")

const (
	// Name is the model's name.
	Name = "all-MiniLM-L6-v2"

	// SHA256 is the hash of the weights, the file all-MiniLM-L6-v2-Q8_0.gguf.
	SHA256 = "d14b7db77b254ec6bd7e55cf2c0ad68e2e48e0b43230fe1edce2d866028ce884"
)

// ID is what Model.ID of the built-in model is with the zero Config.
const ID = "sha256:" + SHA256 + "/mean/256"

// New returns the built-in model. What cfg leaves at zero is the model's own. The
// errors are ErrNoWeights and those of minilm.FromString for a wrong cfg.
func New(cfg minilm.Config) (*minilm.Model, error) {
	if weights == "" {
		return nil, ErrNoWeights
	}
	if cfg.ID == "" {
		cfg.ID = "sha256:" + SHA256
	}
	return minilm.FromString(weights, cfg)
}
