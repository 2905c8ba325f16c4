//go:build !noasm

package simd

// This file decides how operations on rows run on amd64.

func useRowsAVX2(*Kernels) {}

func useRowsAVX512(*Kernels) {}
