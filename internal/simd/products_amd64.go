//go:build !noasm

package simd

// This file decides how matrix products run on amd64.

func useProductsAVX2(*Kernels) {}

func useProductsAVX512(*Kernels) {}
