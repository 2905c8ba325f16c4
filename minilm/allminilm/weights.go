//go:build !contextforge_noweights

package allminilm

// This file decides that the weights are in the program.

import _ "embed"

// weights is the content of the model's file.
//
//go:embed all-MiniLM-L6-v2-Q8_0.gguf
var weights string
