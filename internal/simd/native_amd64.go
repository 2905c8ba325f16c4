//go:build !noasm

package simd

// This file decides which kernels run on amd64.

import "golang.org/x/sys/cpu"

// native returns what the processor can run besides pure Go, the slowest first.
func native() (found []Kernels) {
	if cpu.X86.HasAVX2 {
		k := generic()
		k.name = "avx2"
		useProductsAVX2(&k)
		useRowsAVX2(&k)
		useScanAVX2(&k)
		found = append(found, k)
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasAVXVNNI {
		k := generic()
		k.name = "avxvnni"
		useProductsAVXVNNI(&k)
		useRowsAVX2(&k)
		useScanAVX2(&k)
		found = append(found, k)
	}
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512VNNI {
		k := generic()
		k.name = "avx512"
		useProductsAVX512(&k)
		useRowsAVX512(&k)
		useScanAVX512(&k)
		found = append(found, k)
	}
	return found
}
