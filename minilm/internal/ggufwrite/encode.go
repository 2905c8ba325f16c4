package ggufwrite

// This file decides how a file is laid out and how Go values become values of
// keys.

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/contextforge-go/contextforge/minilm/gguf"
)

// File is a model file to be written.
type File struct {
	Version   uint32 // 0 for 3
	Alignment uint64 // of the tensors' data; 0 for 32. The key general.alignment is the caller's to add
	Pairs     []Pair
	Tensors   []Tensor
}

// Pair is a key with its value: a gguf.Value, a string, a bool, an integer or
// floating-point number of a stated width, a slice of any of those, or a []any of slices,
// which are written as arrays in an array.
type Pair struct {
	Key   string
	Value any
}

// Tensor is a tensor with its data as stored in the file.
type Tensor struct {
	Name string
	Dims []uint64 // {in, out} for a matrix
	Type gguf.Type
	Data []byte
}

// NewTensor returns a tensor whose elements are numbers encoded by Quantize.
func NewTensor(name string, t gguf.Type, numbers []float32, dims ...uint64) (Tensor, error) {
	data, err := Quantize(t, numbers)
	return Tensor{Name: name, Dims: dims, Type: t, Data: data}, err
}

// Encode returns the bytes of the file. It is an error when a value has a Go type
// that no value of a key has, or when the data of a tensor doesn't have the length that its
// type and dimensions ask for. Names are written as they are, right or wrong.
func (f *File) Encode() ([]byte, error) {
	version, alignment := f.Version, f.Alignment
	if version == 0 {
		version = 3
	}
	if alignment == 0 {
		alignment = 32
	}
	out := binary.LittleEndian.AppendUint32([]byte("GGUF"), version)
	out = appendLength(appendLength(out, len(f.Tensors)), len(f.Pairs))
	var err error
	for _, p := range f.Pairs {
		if out, err = appendTyped(appendString(out, p.Key), p.Value); err != nil {
			return nil, fmt.Errorf("ggufwrite: key %q: %w", p.Key, err)
		}
	}
	offset := uint64(0)
	for _, t := range f.Tensors {
		size, err := t.Type.Size(t.Dims)
		if err != nil {
			return nil, fmt.Errorf("ggufwrite: tensor %q: %w", t.Name, err)
		}
		if size != uint64(len(t.Data)) {
			return nil, fmt.Errorf("ggufwrite: tensor %q has %d bytes, want %d", t.Name, len(t.Data), size)
		}
		out = appendHeading(out, t, offset)
		offset = align(offset+uint64(len(t.Data)), alignment)
	}
	for _, t := range f.Tensors {
		out = append(padded(out, alignment), t.Data...)
	}
	return padded(out, alignment), nil
}

func align(n, alignment uint64) uint64 { return (n + alignment - 1) / alignment * alignment }

func padded(out []byte, alignment uint64) []byte {
	return append(out, make([]byte, align(uint64(len(out)), alignment)-uint64(len(out)))...)
}

// appendHeading appends the description of a tensor.
func appendHeading(out []byte, t Tensor, offset uint64) []byte {
	out = binary.LittleEndian.AppendUint32(appendString(out, t.Name), uint32(len(t.Dims)))
	for _, n := range t.Dims {
		out = binary.LittleEndian.AppendUint64(out, n)
	}
	out = binary.LittleEndian.AppendUint32(out, uint32(t.Type))
	return binary.LittleEndian.AppendUint64(out, offset)
}

func appendLength(out []byte, n int) []byte { return binary.LittleEndian.AppendUint64(out, uint64(n)) }

func appendString(out []byte, s string) []byte { return append(appendLength(out, len(s)), s...) }

func appendType(out []byte, t gguf.ValueType) []byte {
	return binary.LittleEndian.AppendUint32(out, uint32(t))
}

// appendTyped appends the type of a value and the value.
func appendTyped(out []byte, value any) ([]byte, error) {
	t := typeOf(value)
	if t == unknown {
		return nil, fmt.Errorf("no value of a key has the type %T", value)
	}
	return appendValue(appendType(out, t), value)
}

// unknown is the type of what can't be written.
const unknown = gguf.ValueType(math.MaxUint32)

func typeOf(value any) gguf.ValueType {
	switch v := value.(type) {
	case gguf.Value:
		return v.Type
	case uint8:
		return gguf.Uint8
	case int8:
		return gguf.Int8
	case uint16:
		return gguf.Uint16
	case int16:
		return gguf.Int16
	case uint32:
		return gguf.Uint32
	case int32:
		return gguf.Int32
	case uint64:
		return gguf.Uint64
	case int64:
		return gguf.Int64
	case float32:
		return gguf.Float32
	case float64:
		return gguf.Float64
	case bool:
		return gguf.Bool
	case string:
		return gguf.String
	case []uint8, []int8, []uint16, []int16, []uint32, []int32, []uint64, []int64, []float32, []float64, []bool, []string, []any:
		return gguf.Array
	}
	return unknown
}

// appendValue appends a value without its type.
func appendValue(out []byte, value any) ([]byte, error) {
	switch v := value.(type) {
	case string:
		return appendString(out, v), nil
	case []string:
		return appendArray(out, gguf.String, v)
	case []uint8:
		return appendArray(out, gguf.Uint8, v)
	case []int8:
		return appendArray(out, gguf.Int8, v)
	case []uint16:
		return appendArray(out, gguf.Uint16, v)
	case []int16:
		return appendArray(out, gguf.Int16, v)
	case []uint32:
		return appendArray(out, gguf.Uint32, v)
	case []int32:
		return appendArray(out, gguf.Int32, v)
	case []uint64:
		return appendArray(out, gguf.Uint64, v)
	case []int64:
		return appendArray(out, gguf.Int64, v)
	case []float32:
		return appendArray(out, gguf.Float32, v)
	case []float64:
		return appendArray(out, gguf.Float64, v)
	case []bool:
		return appendArray(out, gguf.Bool, v)
	case []any:
		return appendArray(out, gguf.Array, v)
	case gguf.Value:
		return appendRead(out, v)
	}
	return binary.Append(out, binary.LittleEndian, value)
}

func appendArray[T any](out []byte, elem gguf.ValueType, list []T) ([]byte, error) {
	out = appendLength(appendType(out, elem), len(list))
	for _, element := range list {
		if got := typeOf(element); got != elem {
			return nil, fmt.Errorf("%T in an array of %s", element, elem)
		}
		var err error
		if out, err = appendValue(out, element); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// appendRead appends a value that was read from a file.
func appendRead(out []byte, v gguf.Value) ([]byte, error) {
	if v.Type == gguf.Array {
		out = appendLength(appendType(out, v.Elem), v.Len())
		for i := range v.Len() {
			var err error
			if out, err = appendRead(out, v.At(i)); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	if s, ok := v.Text(); ok {
		return appendString(out, s), nil
	}
	return append(out, v.Bytes()...), nil
}
