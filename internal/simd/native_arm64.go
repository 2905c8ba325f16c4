//go:build !noasm

package simd

// This file decides which kernels run on arm64.

import "golang.org/x/sys/cpu"

//go:generate go run ./_gen/neon

// native returns what the processor can run besides pure Go, the slowest first.
// All arm64 processors have NEON; whether they have dot products is asked of the
// system (Linux, Android, macOS, Windows, the BSDs). Where it can't be told, the
// other form runs, with the same results.
func native() []Kernels { return []Kernels{neon(cpu.ARM64.HasASIMDDP)} }

// neon returns the kernels with or without dot products.
func neon(dot bool) Kernels {
	k := generic()
	k.name = "neon"
	useProducts(&k, dot)
	useRows(&k)
	useScan(&k)
	return k
}
