//go:build contextforge_noweights

package allminilm

// This file decides that the weights are not in the program.

const weights = ""
