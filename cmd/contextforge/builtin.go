//go:build !contextforge_noweights

package main

// This file decides what help texts say of the model of a program that has one.

import "github.com/contextforge-go/contextforge/minilm/allminilm"

const (
	hasBuiltIn  = true
	usualModel  = "default the built-in " + allminilm.Name
	limitOfHelp = "256 tokens of the built-in model"
)
