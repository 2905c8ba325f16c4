package main

// This file decides which model a command works with, and says why if there is
// none.

import (
	"errors"
	"os"

	"github.com/spf13/pflag"

	"github.com/contextforge-go/contextforge/minilm"
	"github.com/contextforge-go/contextforge/minilm/allminilm"
	"github.com/contextforge-go/contextforge/minilm/gguf"
)

// embedderFlags are the flags that choose a model and its limit.
type embedderFlags struct {
	model     string
	maxTokens int
}

func (f *embedderFlags) add(fs *pflag.FlagSet) {
	f.addModel(fs)
	fs.IntVar(&f.maxTokens, "max-tokens", 0, "cut texts to so many `tokens`, [CLS] and [SEP] included (default the model's limit)")
}

func (f *embedderFlags) addModel(fs *pflag.FlagSet) {
	fs.StringVar(&f.model, "model", "", "GGUF `file` of the model (default the built-in "+allminilm.Name+")")
}

// load returns the model; prefixes nil are its own.
func (f *embedderFlags) load(prefixes *minilm.Prefixes) (m *minilm.Model, err error) {
	cfg := minilm.Config{MaxTokens: f.maxTokens, Prefixes: prefixes}
	cfg.ID = f.model // which nobody sees: it saves hashing the file
	m, err = loadModel(f.model, cfg)
	if errors.Is(err, allminilm.ErrNoWeights) {
		return nil, usagef("no model is built into this program: name the file of one with --model")
	}
	return m, err
}

// loadModel returns the model of a file, "" meaning the built-in one.
func loadModel(file string, cfg minilm.Config) (m *minilm.Model, err error) {
	if file == "" {
		m, err = allminilm.New(cfg)
	} else {
		m, err = loadFile(file, cfg)
	}
	for _, unusable := range []error{
		minilm.ErrConfig, minilm.ErrModel,
		gguf.ErrNotGGUF, gguf.ErrVersion, gguf.ErrTruncated, gguf.ErrCorrupt, gguf.ErrUnsupportedType,
	} {
		if errors.Is(err, unusable) {
			return nil, &usageError{err}
		}
	}
	return m, err
}

func loadFile(path string, cfg minilm.Config) (*minilm.Model, error) {
	// To open a pipe would wait for whoever writes into it.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, usagef("%s isn't a file", path)
	}
	return minilm.Load(path, cfg)
}

// loadBare returns the model without prefixes.
func (f *embedderFlags) loadBare() (*minilm.Model, error) { return f.load(&minilm.Prefixes{}) }
