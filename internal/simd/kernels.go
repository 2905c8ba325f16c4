package simd

// This file decides which implementation runs.

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// ErrUnavailable is returned for an implementation that is unknown, not built
// in, or that the processor can't run.
var ErrUnavailable = errors.New("simd: not available")

// Variable is the environment variable that forces an implementation.
const Variable = "CONTEXTFORGE_SIMD"

// Kernels is one implementation of the loops. All of them give the same bits.
type Kernels struct {
	name string

	packQ8    func(m *MatrixQ8)
	mulQ8     func(dst []float32, stride int, x *Quantized, m *MatrixQ8, bias []float32)
	mulF32    func(dst []float32, stride int, a Rows, p Panels, bias []float32)
	quantize  func(q *Quantized, x []float32)
	softmax   func(x []float32, scale float32) float32
	layerNorm func(x, residual, gamma, beta []float32, epsilon float32)
	gelu      func(x []float32)
	add       func(dst, x []float32)
	transpose func(panel []float32, a Rows)
	scan      scanKernels
}

// generic is pure Go, and the definition of the results.
func generic() Kernels {
	return Kernels{
		name:      "generic",
		packQ8:    func(*MatrixQ8) {},
		mulQ8:     mulQ8Generic,
		mulF32:    mulF32Generic,
		quantize:  quantizeGeneric,
		softmax:   softmaxGeneric,
		layerNorm: layerNormGeneric,
		gelu:      geluGeneric,
		add:       addGeneric,
		transpose: Transpose,
		scan:      scanGeneric(),
	}
}

// all returns what this machine can run, the slowest first.
func all() []Kernels { return append([]Kernels{generic()}, native()...) }

// Available names what this machine can run, the slowest first.
func Available() []string {
	kernels := all()
	names := make([]string, len(kernels))
	for i, k := range kernels {
		names[i] = k.name
	}
	return names
}

// Select returns the named implementation: "generic", "avx2", "avxvnni",
// "avx512" or "neon". An empty name is the value of the environment variable
// CONTEXTFORGE_SIMD, and if that is empty too, the fastest one. The error is
// ErrUnavailable.
func Select(name string) (*Kernels, error) {
	from := ""
	if name == "" {
		if name = strings.ToLower(strings.TrimSpace(os.Getenv(Variable))); name != "" {
			from = Variable + "="
		}
	}
	kernels := all()
	if name == "" {
		return &kernels[len(kernels)-1], nil
	}
	for i := range kernels {
		if kernels[i].name == name {
			return &kernels[i], nil
		}
	}
	return nil, fmt.Errorf("%w: %s%q; this machine has %s", ErrUnavailable, from, name, strings.Join(Available(), ", "))
}

// Name returns the name for Select.
func (k *Kernels) Name() string { return k.name }
