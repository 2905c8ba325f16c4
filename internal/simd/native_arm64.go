//go:build !noasm

package simd

// This file decides which kernels run on arm64.

// native returns what the processor can run besides pure Go, the slowest first.
func native() []Kernels { return nil }
