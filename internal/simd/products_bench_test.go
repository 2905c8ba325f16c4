package simd

// This file measures the matrix products in the shapes of a small BERT.

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

var benchmarkQ8 = []struct{ rows, inputs, outputs int }{
	{4, 384, 1152}, {8, 384, 384}, {8, 384, 1152}, {8, 384, 1536}, {8, 1536, 384},
	{32, 384, 384}, {32, 384, 1152}, {32, 384, 1536}, {32, 1536, 384},
	{128, 384, 384}, {128, 384, 1152}, {128, 384, 1536}, {128, 1536, 384},
	{256, 384, 1152}, {256, 1536, 384}, {1024, 384, 1536}, {1024, 1536, 384},
}

// ordinary is a batch without subnormal or infinite scales, which some processors
// are slow with.
func ordinary(r *rand.Rand, rows, width int) *Quantized {
	x := randomQuantized(r, rows, width)
	for i := range x.Scale {
		x.Scale[i] = 0.01
	}
	return x
}

func BenchmarkMulQ8(b *testing.B) {
	for _, k := range all() {
		for _, s := range benchmarkQ8 {
			b.Run(fmt.Sprintf("%s/%dx%dx%d", k.Name(), s.rows, s.inputs, s.outputs), func(b *testing.B) {
				r := rand.New(rand.NewPCG(4, 1))
				d, x := randomQ8(r, s.inputs, s.outputs), ordinary(r, s.rows, s.inputs)
				m, err := k.PackQ8(s.inputs, d.file)
				if err != nil {
					b.Fatal(err)
				}
				dst, bias := make([]float32, s.rows*s.outputs), make([]float32, s.outputs)
				b.ReportAllocs()
				for b.Loop() {
					k.MulQ8(dst, s.outputs, x, m, bias)
				}
				b.ReportMetric(2*float64(s.rows*s.inputs*s.outputs)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GOP/s")
			})
		}
	}
}

// All matrices of a model with six layers of 384, one after the other: 10.6 MB,
// which no second-level cache holds.
func BenchmarkMulQ8Model(b *testing.B) {
	shapes := []struct{ inputs, outputs int }{{384, 1152}, {384, 384}, {384, 1536}, {1536, 384}}
	for _, k := range all() {
		for _, rows := range []int{4, 8, 32, 128} {
			b.Run(fmt.Sprintf("%s/%d", k.Name(), rows), func(b *testing.B) {
				r := rand.New(rand.NewPCG(4, 4))
				x := map[int]*Quantized{384: ordinary(r, rows, 384), 1536: ordinary(r, rows, 1536)}
				var matrices []*MatrixQ8
				work := 0.0
				for range 6 {
					for _, s := range shapes {
						m, err := k.PackQ8(s.inputs, randomQ8(r, s.inputs, s.outputs).file)
						if err != nil {
							b.Fatal(err)
						}
						matrices = append(matrices, m)
						work += 2 * float64(rows*s.inputs*s.outputs)
					}
				}
				dst, bias := make([]float32, rows*1536), make([]float32, 1536)
				b.ReportAllocs()
				for b.Loop() {
					for _, m := range matrices {
						k.MulQ8(dst, m.Outputs, x[m.Inputs], m, bias[:m.Outputs])
					}
				}
				b.ReportMetric(work*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GOP/s")
			})
		}
	}
}

// The shapes of attention: scores of n tokens, and their weighted values in place.
func BenchmarkMulF32(b *testing.B) {
	for _, k := range all() {
		for _, n := range []int{8, 32, 128, 256} {
			for _, s := range []struct {
				name           string
				width, outputs int
				row            int
			}{{"scores", 32, n, PanelWidth}, {"values", n, 32, 1152}} {
				b.Run(fmt.Sprintf("%s/%s%d", k.Name(), s.name, n), func(b *testing.B) {
					r := rand.New(rand.NewPCG(4, 2))
					a := Rows{Data: randomFloats(r, n*s.width), Count: n, Width: s.width, Stride: s.width}
					p := Panels{Outputs: s.outputs, Width: s.width, Row: s.row, Panel: s.row * s.width}
					p.Data = randomFloats(r, (s.outputs+PanelWidth-1)/PanelWidth*p.Panel)
					dst := make([]float32, n*s.outputs)
					b.ReportAllocs()
					for b.Loop() {
						k.MulF32(dst, s.outputs, a, p, nil)
					}
					b.ReportMetric(2*float64(n*s.width*s.outputs)*float64(b.N)/float64(b.Elapsed().Nanoseconds()), "GOP/s")
				})
			}
		}
	}
}

// The matrices of a model with six layers of 384.
func BenchmarkPackQ8(b *testing.B) {
	for _, k := range all() {
		b.Run(k.Name()+"/model", func(b *testing.B) {
			r := rand.New(rand.NewPCG(4, 3))
			square, wide := randomQ8(r, 384, 384).file, randomQ8(r, 384, 1536).file
			b.ReportAllocs()
			for b.Loop() {
				for range 6 {
					for _, parts := range [][][]byte{{square, square, square}, {square}, {wide}} {
						if _, err := k.PackQ8(384, parts...); err != nil {
							b.Fatal(err)
						}
					}
					if _, err := k.PackQ8(1536, wide); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/model")
		})
	}
}
