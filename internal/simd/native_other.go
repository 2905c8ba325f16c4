//go:build noasm || (!amd64 && !arm64)

package simd

// This file decides what runs where there is no assembly.

// native returns what the processor can run besides pure Go, the slowest first.
func native() []Kernels { return nil }
