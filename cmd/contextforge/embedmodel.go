package main

// This file decides which model a command works with, and says why if there is
// none.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"github.com/contextforge-go/contextforge/minilm"
	"github.com/contextforge-go/contextforge/minilm/allminilm"
	"github.com/contextforge-go/contextforge/minilm/gguf"
)

// leastTokens is the smallest --max-tokens: [CLS], [SEP] and room for a few words.
// A prefix comes on top of it.
const leastTokens = 10

// embedderFlags are the flags that choose a model and its limit.
type embedderFlags struct {
	model     string
	maxTokens int
	limited   func() bool // whether maxTokens was given
}

func (f *embedderFlags) add(fs *pflag.FlagSet) {
	f.addModel(fs)
	fs.IntVar(&f.maxTokens, "max-tokens", 0, fmt.Sprintf("cut texts to so many `tokens`, [CLS] and [SEP] included, %d at least (default the model's limit)", leastTokens))
	f.limited = func() bool { return fs.Changed("max-tokens") }
}

func (f *embedderFlags) addModel(fs *pflag.FlagSet) {
	fs.StringVar(&f.model, "model", "", "GGUF `file` of the model ("+usualModel+")")
	f.limited = func() bool { return false }
}

// load returns the model; prefixes nil are its own.
func (f *embedderFlags) load(prefixes *minilm.Prefixes) (m *minilm.Model, err error) {
	if f.limited() && f.maxTokens < leastTokens {
		return nil, usagef("--max-tokens is %d, the least is %d: [CLS], [SEP] and 8 tokens, and the prefix on top", f.maxTokens, leastTokens)
	}
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
	switch {
	case errors.Is(err, minilm.ErrConfig):
		return nil, inFlags(err)
	case isUnusable(err):
		return nil, &usageError{err}
	}
	return m, err
}

// isUnusable reports whether an error is about what a file holds, as opposed to
// how it can be read.
func isUnusable(err error) bool {
	for _, unusable := range []error{
		minilm.ErrModel, gguf.ErrNotGGUF, gguf.ErrVersion, gguf.ErrTruncated, gguf.ErrCorrupt, gguf.ErrUnsupportedType,
	} {
		if errors.Is(err, unusable) {
			return true
		}
	}
	return false
}

// inFlags says of a setting that doesn't fit the model which flag it is.
func inFlags(err error) error {
	for at := []error{err}; len(at) > 0; at = causes(at[0]) {
		said, ok := strings.CutPrefix(at[0].Error(), minilm.ErrConfig.Error()+": ")
		if !ok {
			continue
		}
		if rest, ok := strings.CutPrefix(said, "MaxTokens "); ok {
			said = "--max-tokens " + rest
		}
		return usagef("%s", said)
	}
	return &usageError{err}
}

func loadFile(path string, cfg minilm.Config) (*minilm.Model, error) {
	if err := checkModelFile(path); err != nil {
		return nil, err
	}
	return minilm.Load(path, cfg)
}

// checkModelFile refuses what can't be read at any place. To open a pipe would wait
// for whoever writes into it. What is missing is left to whoever opens it.
func checkModelFile(path string) error {
	if path == "-" {
		return usagef("a model can't come from stdin: it is read at any place, so name a file (./- is one called -)")
	}
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	switch {
	case err != nil:
		return err
	case info.Mode().IsRegular():
		return nil
	case info.IsDir():
		return usagef("%s is a folder, not a model's file", path)
	}
	return usagef("%s isn't a regular file: a model is read at any place, which a pipe or device doesn't allow", path)
}

// loadBare returns the model without prefixes.
func (f *embedderFlags) loadBare() (*minilm.Model, error) { return f.load(&minilm.Prefixes{}) }
