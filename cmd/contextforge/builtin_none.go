//go:build contextforge_noweights

package main

// This file decides what help texts say of a program that was built without a
// model.

const (
	hasBuiltIn  = false
	usualModel  = "required: this program has none built in"
	limitOfHelp = "often 512 tokens"
)
