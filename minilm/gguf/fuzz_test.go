package gguf_test

// This file tests anything for a file, and anything for blocks.

import (
	"testing"

	"github.com/contextforge-go/contextforge/minilm/gguf"
	"github.com/contextforge-go/contextforge/minilm/internal/ggufwrite"
)

// FuzzParse: Parse and Read agree, take memory in proportion to the file, and
// what they accept can be written again with the same content.
func FuzzParse(f *testing.F) {
	f.Add(encode(f, odd(f)))
	f.Add(encode(f, bert(f)))
	f.Add(encode(f, ggufwrite.File{}))
	f.Fuzz(func(t *testing.T, data []byte) {
		if got := allocated(func() { _, _ = gguf.Parse(data) }); got > uint64(64*len(data)+1<<18) {
			t.Errorf("%d bytes for %d", got, len(data))
		}
		file := agree(t, data)
		if file == nil {
			return
		}
		w := ggufwrite.File{Version: file.Version, Alignment: file.Alignment}
		for _, p := range file.Pairs {
			w.Pairs = append(w.Pairs, ggufwrite.Pair{Key: p.Key, Value: p.Value})
		}
		for i := range file.Tensors {
			tensor := &file.Tensors[i]
			data, err := file.Data(tensor)
			if err != nil {
				t.Fatal(err)
			}
			w.Tensors = append(w.Tensors, ggufwrite.Tensor{Name: tensor.Name, Dims: tensor.Dims, Type: tensor.Type, Data: data})
		}
		again := parse(t, encode(t, w))
		again.Size, again.DataStart = file.Size, file.DataStart
		for i := range again.Tensors {
			again.Tensors[i].Offset = file.Tensors[i].Offset // without the gaps and in file order
		}
		sameHead(t, again, file)
	})
}

// FuzzDequantize: every type's blocks stand for what the definition says.
func FuzzDequantize(f *testing.F) {
	for i, kind := range writable() {
		_, bytes := kind.Block()
		block := make([]byte, 2*bytes)
		for j := range block {
			block[j] = byte(j*37 + i)
		}
		f.Add(uint32(kind), block)
	}
	f.Fuzz(func(t *testing.T, number uint32, src []byte) {
		kind := gguf.Type(number)
		for _, known := range writable() {
			if kind == known {
				_, bytes := kind.Block()
				checkBlocks(t, kind, src[:len(src)/bytes*bytes])
				return
			}
		}
		if err := gguf.Dequantize(make([]float32, len(src)), kind, src); err == nil {
			t.Errorf("%s was dequantised", kind)
		}
	})
}
