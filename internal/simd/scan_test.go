package simd

// The products of a vector search: every kernel against the definition.

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// scanWidths has whole steps of all kernels, and everything around them.
var scanWidths = []int{1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 32, 33, 47, 48, 63, 64, 65, 96, 100, 127, 128, 383, 384, 385, 768, 1023, 1024}

// queryKinds draw the values of queries.
var queryKinds = []struct {
	name string
	draw func(r *rand.Rand) int16
}{
	{"any", func(r *rand.Rand) int16 { return int16(r.Uint32()) }},
	{"largest", func(r *rand.Rand) int16 { return int16(r.IntN(2)*65535 - 32768) }},
	{"small", func(r *rand.Rand) int16 { return int16(r.IntN(3) - 1) }},
}

// randomCodes returns fenced codes, -128 among them.
func randomCodes(r *rand.Rand, n int) *fenced[int8] {
	f := newFenced[int8](r, n)
	for i := range f.Slice {
		if f.Slice[i] = int8(r.Uint32()); r.IntN(8) == 0 {
			f.Slice[i] = -128
		}
	}
	return f
}

// offset returns values at an address that is a multiple of nothing bigger.
func offset[T any](r *rand.Rand, n int, draw func(r *rand.Rand) T) []T {
	start := r.IntN(9)
	s := make([]T, start+n)[start:]
	for i := range s {
		s[i] = draw(r)
	}
	return s
}

func TestDotCodes(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernels) {
		for _, kind := range queryKinds {
			r := rand.New(rand.NewPCG(1, 2))
			for _, width := range scanWidths {
				for _, rows := range []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 21, 40} {
					codes, query := randomCodes(r, rows*width), offset(r, width, kind.draw)
					dst, want := newFenced[int32](r, rows), make([]int32, rows)
					dotCodesSlowly(want, codes.Slice, nil, query)
					k.DotCodes(dst.Slice, codes.Slice, query)
					if !slices.Equal(dst.Slice, want) || !dst.intact() {
						t.Fatalf("%s, %d rows of %d: %v, want %v", kind.name, rows, width, dst.Slice, want)
					}
				}
			}
		}
	})
}

func TestDotGather(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernels) {
		r := rand.New(rand.NewPCG(3, 4))
		for _, width := range scanWidths {
			for _, count := range []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 33} {
				all := 1 + r.IntN(50)
				codes, query := randomCodes(r, all*width), offset(r, width, queryKinds[0].draw)
				rows := offset(r, count, func(r *rand.Rand) uint32 { return uint32(r.IntN(all)) })
				dst, want := newFenced[int32](r, count), make([]int32, count)
				dotCodesSlowly(want, codes.Slice, rows, query)
				k.DotGather(dst.Slice, codes.Slice, rows, query)
				if !slices.Equal(dst.Slice, want) || !dst.intact() {
					t.Fatalf("%d of %d rows of %d: %v, want %v", count, all, width, dst.Slice, want)
				}
			}
		}
	})
}

// dotCodesSlowly is the plainest form, for all rows if none are listed.
func dotCodesSlowly(dst []int32, codes []int8, rows []uint32, query []int16) {
	for i := range dst {
		row := i
		if rows != nil {
			row = int(rows[i])
		}
		sum := int32(0)
		for j, q := range query {
			sum += int32(codes[row*len(query)+j]) * int32(q)
		}
		dst[i] = sum
	}
}

func TestDotGatherRefusesRowsBeyondTheCodes(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernels) {
		defer func() {
			if recover() == nil {
				t.Error("row 2 of 2 was accepted")
			}
		}()
		k.DotGather(make([]int32, 2), make([]int8, 64), []uint32{1, 2}, make([]int16, 32))
	})
}

func TestProductsOfNothing(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernels) {
		dst := []int32{1, 2}
		k.DotCodes(dst, nil, nil)
		if !slices.Equal(dst, []int32{0, 0}) {
			t.Errorf("rows of no codes: %v", dst)
		}
		dst = []int32{1, 2}
		k.DotGather(dst, nil, []uint32{0, 7}, nil)
		if !slices.Equal(dst, []int32{0, 0}) {
			t.Errorf("listed rows of no codes: %v", dst)
		}
		if got := k.Dot(nil, nil); got != 0 {
			t.Errorf("the product of no values is %v", got)
		}
	})
}

func TestDot(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernels) {
		for _, kind := range valueKinds {
			r := rand.New(rand.NewPCG(5, 6))
			for _, width := range append([]int{0, 400, 1040}, scanWidths...) {
				a, b := newRandomRow(r, width, kind.draw), newRandomRow(r, width, kind.draw)
				if got, want := k.Dot(a.Slice, b.Slice), Dot(a.Slice, b.Slice); !sameFloat(got, want) {
					t.Fatalf("%s, %d values: %v, want %v", kind.name, width, got, want)
				}
			}
		}
	})
}

func TestEveryKernelScans(t *testing.T) {
	for _, k := range all() {
		if s := k.scan; s.dotCodes == nil || s.dotGather == nil || s.dot == nil || s.reach == nil {
			t.Errorf("%s lacks an operation", k.name)
		}
	}
}

func TestReach(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernels) {
		for _, kind := range valueKinds {
			r := rand.New(rand.NewPCG(7, 8))
			for _, n := range []int{0, 1, 7, 8, 9, 16, 31, 40, 1024} {
				checkReach(t, k, r, n, kind.draw)
			}
		}
	})
}

// checkReach compares with the plainest form, at a threshold that some row has.
func checkReach(t *testing.T, k *Kernels, r *rand.Rand, n int, draw func(r *rand.Rand) float32) {
	t.Helper()
	products := offset(r, n, func(r *rand.Rand) int32 { return int32(r.Uint32()) >> r.IntN(32) })
	scale, residual := newRandomRow(r, n, draw), newRandomRow(r, n, draw)
	u := Upper{draw(r), draw(r), draw(r), draw(r)}
	if n > 0 {
		at := r.IntN(n)
		u.Threshold = u.Of(products[at], scale.Slice[at], residual.Slice[at])
	}
	var want []uint32
	for i, p := range products {
		if u.Of(p, scale.Slice[i], residual.Slice[i]) >= u.Threshold {
			want = append(want, uint32(i))
		}
	}
	dst := make([]uint32, n+8)
	dst[n] = 12345
	got := k.Reach(dst, products, scale.Slice, residual.Slice, u)
	if !slices.Equal(dst[:got], want) || dst[n] != 12345 {
		t.Fatalf("%d rows: %v, want %v", n, dst[:got], want)
	}
}

func BenchmarkReach(b *testing.B) {
	products, scale, residual, dst := make([]int32, 1024), make([]float32, 1024), make([]float32, 1024), make([]uint32, 1024)
	for _, k := range all() {
		b.Run(k.name+"/1024", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				k.Reach(dst, products, scale, residual, Upper{1, 1, 1, 2})
			}
		})
	}
}

func TestScanDoesntAllocate(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernels) {
		dst, codes, query, x := make([]int32, 9), make([]int8, 9*100), make([]int16, 100), make([]float32, 100)
		rows := []uint32{1, 2, 3, 4, 5, 6, 7, 8, 0}
		if n := testing.AllocsPerRun(10, func() {
			k.DotCodes(dst, codes, query)
			k.DotGather(dst, codes, rows, query)
			k.Reach(rows, dst, x[:9], x[:9], Upper{})
			dst[0] = int32(k.Dot(x, x))
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

func FuzzScan(f *testing.F) {
	f.Add(uint64(1), uint16(5), uint16(384))
	f.Add(uint64(2), uint16(1), uint16(17))
	f.Fuzz(func(t *testing.T, seed uint64, count, width uint16) {
		r := rand.New(rand.NewPCG(seed, 0))
		n, w := int(count%70), int(width%700)
		codes, query := randomCodes(r, n*w), offset(r, w, queryKinds[0].draw)
		rows := offset(r, n, func(r *rand.Rand) uint32 { return uint32(r.IntN(n)) })
		a, b := newRandomRow(r, w, valueKinds[1].draw), newRandomRow(r, w, valueKinds[1].draw)
		all, listed := make([]int32, n), make([]int32, n)
		dotCodesSlowly(all, codes.Slice, nil, query)
		if w > 0 {
			dotCodesSlowly(listed, codes.Slice, rows, query)
		}
		dst := newFenced[int32](r, n)
		eachKernel(t, func(t *testing.T, k *Kernels) {
			if k.DotCodes(dst.Slice, codes.Slice, query); !slices.Equal(dst.Slice, all) || !dst.intact() {
				t.Error("DotCodes differs")
			}
			if k.DotGather(dst.Slice, codes.Slice, rows, query); !slices.Equal(dst.Slice, listed) || !dst.intact() {
				t.Error("DotGather differs")
			}
			if !sameFloat(k.Dot(a.Slice, b.Slice), Dot(a.Slice, b.Slice)) {
				t.Error("Dot differs")
			}
		})
	})
}

// scanRows are in the second-level cache, in the third-level one, and in memory.
var scanRows = []int{1_000, 10_000, 100_000}

func BenchmarkDotCodes(b *testing.B) {
	for _, rows := range scanRows {
		for _, k := range all() {
			codes, query, dst := make([]int8, rows*384), make([]int16, 384), make([]int32, 1024)
			for i := range codes {
				codes[i] = int8(i)
			}
			b.Run(fmt.Sprintf("%s/%dx384", k.name, rows), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					for first := 0; first < rows; first += len(dst) {
						n := min(len(dst), rows-first)
						k.DotCodes(dst[:n], codes[first*384:(first+n)*384], query)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
			})
		}
	}
}

func BenchmarkDotGather(b *testing.B) {
	const total = 100_000
	codes, query := make([]int8, total*384), make([]int16, 384)
	for i := range codes {
		codes[i] = int8(i)
	}
	for _, every := range []int{1, 10, 100} {
		var rows []uint32
		for i := 0; i < total; i += every {
			rows = append(rows, uint32(i))
		}
		dst := make([]int32, len(rows))
		for _, k := range all() {
			b.Run(fmt.Sprintf("%s/%dof%dx384", k.name, len(rows), total), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					k.DotGather(dst, codes, rows, query)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(rows)), "ns/row")
			})
		}
	}
}

func BenchmarkDot(b *testing.B) {
	x, y := make([]float32, 384), make([]float32, 384)
	for _, k := range all() {
		b.Run(k.name+"/384", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				x[0] = k.Dot(x, y)
			}
		})
	}
}
