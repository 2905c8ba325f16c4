// Package requantize writes a model's file again with its quantised matrices in
// another type: in float32 to see what the rounding of a smaller type costs, or
// smaller to save disk. (In memory minilm keeps Q8_0 as it is and everything else
// as float32, so Q8_0 is both the smallest and the fastest there.)
//
// [To] is all of it.
//
// # Guarantees
//
// Same input, same bytes, on every platform. To is a pure function and may be
// called concurrently.
//
// # Caveats
//
// Everything is in memory, several times over. Tensors that weren't quantised
// stay as they are. Numbers that were rounded once stay rounded: from Q8_0 to
// F32 nothing comes back.
package requantize

// This file decides what of the writer of model files is open to others.

import (
	"fmt"

	"github.com/contextforge-go/contextforge/minilm/gguf"
	"github.com/contextforge-go/contextforge/minilm/internal/ggufwrite"
)

// To returns the GGUF file model with every quantised tensor in the type t: F32,
// F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1 or Q8_0. The errors are those of gguf.Parse,
// and gguf.ErrUnsupportedType for another type.
func To(model []byte, t gguf.Type) ([]byte, error) {
	f, err := gguf.Parse(model)
	if err != nil {
		return nil, fmt.Errorf("requantize: %w", err)
	}
	out, err := ggufwrite.Reencode(f, t)
	if err != nil {
		return nil, fmt.Errorf("requantize: %w", err)
	}
	return out, nil
}
