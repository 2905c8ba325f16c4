package minilm_test

// How fast texts become vectors.

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/internal/simd"
	"github.com/contextforge-go/contextforge/minilm"
	"github.com/contextforge-go/contextforge/minilm/allminilm"
)

// ofTokens returns a text of n tokens, [CLS] and [SEP] included.
func ofTokens(n int) string {
	words := strings.Fields("the old harbour was quiet and a small boat came in from the north with salt on its deck")
	var b strings.Builder
	for i := range n - 2 {
		b.WriteString(words[i%len(words)])
		b.WriteByte(' ')
	}
	return b.String()
}

func BenchmarkEmbed(b *testing.B) {
	for _, kernels := range simd.Available() {
		m := builtIn(b, minilm.Config{Kernels: kernels, Parallelism: 1})
		for _, tokens := range []int{8, 32, 128, 256} {
			b.Run(fmt.Sprintf("%s/%d", kernels, tokens), func(b *testing.B) {
				text := []string{ofTokens(tokens)}
				if n := len(m.Tokenize(text[0])); n != tokens {
					b.Fatalf("%d tokens", n)
				}
				b.ReportAllocs()
				for b.Loop() {
					if _, err := m.Embed(context.Background(), text); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	for _, kernels := range simd.Available() {
		b.Run(kernels, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := allminilm.New(minilm.Config{Kernels: kernels}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkEmbedBatch takes texts of 32 tokens, by all processors.
func BenchmarkEmbedBatch(b *testing.B) {
	m := builtIn(b, minilm.Config{})
	for _, count := range []int{1, 16, 128} {
		b.Run(fmt.Sprint(count), func(b *testing.B) {
			texts := make([]string, count)
			for i := range texts {
				texts[i] = ofTokens(32)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := m.Embed(context.Background(), texts); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(count*b.N)/b.Elapsed().Seconds(), "texts/s")
		})
	}
}

// BenchmarkWindows cuts texts of n bytes, without vectors.
func BenchmarkWindows(b *testing.B) {
	m := builtIn(b, minilm.Config{})
	for _, size := range []int{1 << 10, 1 << 14, 1 << 18} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			text := ofTokens(size / 2)[:size]
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				m.Windows(text)
			}
		})
	}
}
