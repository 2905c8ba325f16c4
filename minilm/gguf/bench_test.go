package gguf_test

// This file measures reading a model of the usual size, and dequantising.

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/contextforge-go/contextforge/minilm/gguf"
	"github.com/contextforge-go/contextforge/minilm/internal/ggufwrite"
)

// vocabulary is a file with n tokens, 101 tensors and 5 MB of data.
func vocabulary(b *testing.B, n int) []byte {
	tokens := make([]string, n)
	for i := range tokens {
		tokens[i] = fmt.Sprintf("\u2581token%d", i)
	}
	f := bert(b)
	f.Pairs = append(f.Pairs[:12:12], ggufwrite.Pair{Key: "tokenizer.ggml.tokens", Value: tokens},
		ggufwrite.Pair{Key: "tokenizer.ggml.token_type", Value: make([]int32, n)})
	f.Tensors = nil
	for i := range 101 {
		f.Tensors = append(f.Tensors, tensor(b, fmt.Sprintf("blk.%d.weight", i), gguf.Q8_0, 384, 128))
	}
	return encode(b, f)
}

func BenchmarkParse(b *testing.B) {
	for _, n := range []int{1000, 30_522} {
		data := vocabulary(b, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				parse(b, data)
			}
		})
	}
}

func BenchmarkRead(b *testing.B) {
	for _, n := range []int{1000, 30_522} {
		data := vocabulary(b, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := gguf.Read(bytes.NewReader(data), int64(len(data))); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDequantize(b *testing.B) {
	const n = 384 * 1536
	for _, kind := range writable() {
		data, err := ggufwrite.Quantize(kind, ramp(n))
		if err != nil {
			b.Fatal(err)
		}
		dst := make([]float32, n)
		b.Run(fmt.Sprintf("%s/%d", kind, n), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(4 * n)
			for b.Loop() {
				if err := gguf.Dequantize(dst, kind, data); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
