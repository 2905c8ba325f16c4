package main

// This file decides which model the texts of a store get their vectors from.

import (
	"errors"

	"github.com/contextforge-go/contextforge"
	"github.com/contextforge-go/contextforge/minilm"
	"github.com/contextforge-go/contextforge/minilm/allminilm"
)

// embedderEnv names the model of a store's texts when --embedder doesn't.
const embedderEnv = "CONTEXTFORGE_EMBEDDER"

// The values of --embedder that are no file.
const (
	builtinEmbedder = "builtin"
	noEmbedder      = "none"
)

// storeModel is what gives the texts of a store their vectors.
type storeModel struct {
	choice string // builtin, none or a file; "" means builtin where there is one
}

// load returns the model, nil for none.
func (s storeModel) load(a *app) (*minilm.Model, error) {
	switch s.choice {
	case noEmbedder:
		return nil, nil
	case "", builtinEmbedder:
		m, err := loadModel("", minilm.Config{})
		if !errors.Is(err, allminilm.ErrNoWeights) {
			return m, err
		}
		if s.choice == "" {
			a.note("no model is built into this program, so that texts get no vectors and are found by their words alone; name one with --embedder FILE")
			return nil, nil
		}
		return nil, usagef("no model is built into this program: name the file of one with --embedder")
	}
	return loadModel(s.choice, minilm.Config{})
}

// identity returns the ID and the name of the model, "" for none. Only that of a
// file has to be loaded for it.
func (s storeModel) identity(a *app) (id, name string, err error) {
	if s.choice == "" || s.choice == builtinEmbedder {
		return allminilm.ID, allminilm.Name, nil
	}
	m, err := s.load(a)
	if err != nil || m == nil {
		return "", "", err
	}
	return m.ID(), m.Name(), nil
}

// embedWith gives a configuration the model of the store's texts.
func (a *app) embedWith(cfg *contextforge.Config) error {
	m, err := a.model.load(a)
	if m != nil {
		cfg.Embedder = m
	}
	return err
}

// needModel is embedWith for what can't do without a model.
func (a *app) needModel(cfg *contextforge.Config, what string) error {
	if a.model.choice == noEmbedder {
		return usagef("%s needs a model: leave out --embedder none", what)
	}
	if a.model.choice == "" {
		a.model.choice = builtinEmbedder
	}
	return a.embedWith(cfg)
}
