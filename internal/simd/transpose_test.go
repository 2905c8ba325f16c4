package simd

// Transposition by every kernel.

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestTranspose(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernels) {
		r := rand.New(rand.NewPCG(41, 1))
		for count := range PanelWidth + 1 {
			for _, width := range []int{0, 1, 2, 3, 4, 5, 7, 8, 12, 31, 32, 33, 64} {
				checkTranspose(t, k, r, count, width, width)
				checkTranspose(t, k, r, count, width, width+1+r.IntN(9))
			}
		}
	})
}

func checkTranspose(t *testing.T, k *Kernels, r *rand.Rand, count, width, stride int) {
	t.Helper()
	bits := valueKinds[len(valueKinds)-1].draw
	data := newRandomRow(r, max(0, (count-1)*stride+width), bits)
	panel := newRandomRow(r, width*PanelWidth, bits)
	want := append([]float32(nil), panel.Slice...)
	for row := range count {
		for i := range width {
			want[i*PanelWidth+row] = data.Slice[row*stride+i]
		}
	}
	k.Transpose(panel.Slice, Rows{Data: data.Slice, Count: count, Width: width, Stride: stride})
	if i := firstDifference(panel.Slice, want); i >= 0 {
		t.Fatalf("%d rows of %d: column %d of row %d is %g, want %g", count, width, i/PanelWidth, i%PanelWidth, panel.Slice[i], want[i])
	}
	if !panel.intact() || !data.intact() {
		t.Fatalf("%d rows of %d: written beyond the panel", count, width)
	}
}

func TestTransposePanicsOnWrongShapes(t *testing.T) {
	data, panel := make([]float32, 33*4), make([]float32, 4*PanelWidth)
	for name, a := range map[string]Rows{
		"33 rows":      {Data: data, Count: 33, Width: 4, Stride: 4},
		"short stride": {Data: data, Count: 3, Width: 4, Stride: 3},
		"short panel":  {Data: data, Count: 8, Width: 5, Stride: 8},
		"short data":   {Data: data[:60:60], Count: 16, Width: 4, Stride: 4},
	} {
		eachKernel(t, func(t *testing.T, k *Kernels) {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			k.Transpose(panel, a)
		})
	}
}

// The keys of a head, as they lie between queries and values.
func BenchmarkTranspose(b *testing.B) {
	const width, stride = 32, 3 * 384
	panel, data := make([]float32, width*PanelWidth), benchRow(PanelWidth*stride)
	for _, count := range []int{8, 32} {
		a := Rows{Data: data, Count: count, Width: width, Stride: stride}
		benchRows(b, fmt.Sprintf("%dx%d", count, width), count*width, func(k *Kernels) { k.Transpose(panel, a) })
	}
}
