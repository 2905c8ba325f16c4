//go:build !contextforge_noweights

package main

// This file measures embed and tokenize from stdin to stdout, the loading of the
// model included.

import (
	"fmt"
	"testing"
)

func BenchmarkEmbed(b *testing.B) { benchmarkLines(b, []int{1, 64, 1000}, "embed", "--json") }

func BenchmarkTokenize(b *testing.B) {
	benchmarkLines(b, []int{1, 1000, 100_000}, "tokenize", "--json")
}

func BenchmarkSimilarity(b *testing.B) {
	r := benchRig(b)
	b.ReportAllocs()
	for b.Loop() {
		r.mustRun(b, "", "similarity", "The kettle is on.", "Water is boiling for tea.")
	}
}

func benchmarkLines(b *testing.B, sizes []int, args ...string) {
	for _, n := range sizes {
		in := manyLines(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r := benchRig(b)
			b.ReportAllocs()
			b.SetBytes(int64(len(in)))
			for b.Loop() {
				r.mustRun(b, in, args...)
			}
		})
	}
}
