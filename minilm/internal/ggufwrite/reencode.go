package ggufwrite

// This file decides what changes when a model is written in another quantisation.

import (
	"fmt"
	"slices"

	"github.com/contextforge-go/contextforge/minilm/gguf"
)

// fileTypeKey says which type most matrices of a model have.
const fileTypeKey = "general.file_type"

// fileTypeOf returns the value of general.file_type for a type (enum llama_ftype).
func fileTypeOf(t gguf.Type) (uint32, bool) {
	n, ok := map[gguf.Type]uint32{
		gguf.F32: 0, gguf.F16: 1, gguf.Q4_0: 2, gguf.Q4_1: 3, gguf.Q8_0: 7, gguf.Q5_0: 8, gguf.Q5_1: 9, gguf.BF16: 32,
	}[t]
	return n, ok
}

// Reencode returns a file that differs from f in that every quantised tensor has
// the type t. All keys are kept with their values, but general.file_type, if it is
// there, which says the new type.
func Reencode(f *gguf.File, t gguf.Type) ([]byte, error) {
	fileType, ok := fileTypeOf(t)
	if !ok {
		return nil, fmt.Errorf("ggufwrite: %w: %s can't be written", gguf.ErrUnsupportedType, t)
	}
	out := File{Version: f.Version, Alignment: f.Alignment}
	for _, p := range f.Pairs {
		var value any = p.Value
		if p.Key == fileTypeKey {
			value = fileType
		}
		out.Pairs = append(out.Pairs, Pair{p.Key, value})
	}
	for i := range f.Tensors {
		tensor, err := reencoded(f, &f.Tensors[i], t)
		if err != nil {
			return nil, err
		}
		out.Tensors = append(out.Tensors, tensor)
	}
	return out.Encode()
}

// reencoded returns a tensor of f, in the type t if it is quantised.
func reencoded(f *gguf.File, tensor *gguf.Tensor, t gguf.Type) (Tensor, error) {
	data, err := f.Data(tensor)
	if err != nil {
		return Tensor{}, err
	}
	if elements, _ := tensor.Type.Block(); elements == 1 {
		return Tensor{tensor.Name, slices.Clone(tensor.Dims), tensor.Type, data}, nil
	}
	numbers := make([]float32, tensor.Elements())
	if err := gguf.Dequantize(numbers, tensor.Type, data); err != nil {
		return Tensor{}, fmt.Errorf("tensor %q: %w", tensor.Name, err)
	}
	out, err := NewTensor(tensor.Name, t, numbers, slices.Clone(tensor.Dims)...)
	if err != nil {
		return Tensor{}, fmt.Errorf("tensor %q: %w", tensor.Name, err)
	}
	return out, nil
}
