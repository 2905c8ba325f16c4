package ggufwrite

// This file tests that encoders round as they should: against numbers from
// elsewhere, against a definition in float64, and at the edges.

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/minilm/gguf"
)

func types() []gguf.Type {
	return []gguf.Type{gguf.F32, gguf.F16, gguf.BF16, gguf.Q4_0, gguf.Q4_1, gguf.Q5_0, gguf.Q5_1, gguf.Q8_0}
}

func floats(t *testing.T, text string) []float32 {
	t.Helper()
	raw, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float32, len(raw)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return out
}

// TestQuantizeElsewhere: the bytes that ggml's own package makes of the same
// numbers.
func TestQuantizeElsewhere(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "gguf", "testdata", "quants.golden"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		for _, kind := range types() {
			if kind.String() != fields[0] {
				continue
			}
			n++
			got, err := Quantize(kind, floats(t, fields[1]))
			if err != nil || hex.EncodeToString(got) != fields[2] {
				t.Errorf("%s: %x, %v, want %s", kind, got, err, fields[2])
			}
		}
	}
	if n != 28 {
		t.Errorf("%d lines", n)
	}
}

// TestHalf: every finite binary16 is kept, and what lies between two goes to the
// nearer one, halfway to the even one.
func TestHalf(t *testing.T) {
	bits := func(x float32) uint16 {
		b, err := appendHalf(nil, x)
		if err != nil {
			t.Fatal(x, err)
		}
		return binary.LittleEndian.Uint16(b)
	}
	for h := range uint16(0x7C00) {
		x := gguf.Float16(h)
		if bits(x) != h || bits(-x) != h|0x8000 {
			t.Fatalf("%04x became %04x", h, bits(x))
		}
		if h == 0x7BFF {
			break
		}
		next := gguf.Float16(h + 1)
		middle := (x + next) / 2
		if got := bits(middle); got != h+h&1 {
			t.Fatalf("%v became %04x, between %04x and the next", middle, got, h)
		}
		if below, above := bits(math.Nextafter32(middle, 0)), bits(math.Nextafter32(middle, next)); below != h || above != h+1 {
			t.Fatalf("around %v: %04x, %04x", middle, below, above)
		}
	}
	if got := bits(math.Nextafter32(65520, 0)); got != 0x7BFF {
		t.Errorf("%04x", got)
	}
	for _, x := range []float32{65520, 1e10, math.MaxFloat32, float32(math.Inf(1)), float32(math.NaN())} {
		if _, err := appendHalf(nil, -x); err == nil {
			t.Errorf("%v has a binary16", x)
		}
	}
}

func TestBF16(t *testing.T) {
	for _, c := range []struct{ from, to uint32 }{
		{0x3F800000, 0x3F80}, {0x3F808000, 0x3F80}, {0x3F808001, 0x3F81}, {0x3F818000, 0x3F82}, {0x80000000, 0x8000},
		{0x7F7FFFFF, 0x7F80}, {0x7F800000, 0x7F80}, {0x7F800001, 0x7FC0}, {0xFFC12345, 0xFFC1}, {0x00000001, 0},
	} {
		got, err := Quantize(gguf.BF16, []float32{math.Float32frombits(c.from)})
		if err != nil || uint32(binary.LittleEndian.Uint16(got)) != c.to {
			t.Errorf("%08x became %x, %v", c.from, got, err)
		}
	}
}

// worst is by how many scales a number may be off after a round trip: half a
// quant, a whole one at the end where the highest quant is missing, and what the
// scale's own rounding adds.
func worst(kind gguf.Type) (quants float64, scale func(least, greatest float64) float64) {
	extreme := func(least, greatest float64) float64 { return max(-least, greatest) }
	spread := func(least, greatest float64) float64 { return greatest - least }
	switch kind {
	case gguf.Q4_0:
		return 1.01, func(a, b float64) float64 { return extreme(a, b) / 8 }
	case gguf.Q5_0:
		return 1.02, func(a, b float64) float64 { return extreme(a, b) / 16 }
	case gguf.Q4_1:
		return 0.54, func(a, b float64) float64 { return spread(a, b) / 15 }
	case gguf.Q5_1:
		return 0.57, func(a, b float64) float64 { return spread(a, b) / 31 }
	case gguf.Q8_0:
		return 0.57, func(a, b float64) float64 { return extreme(a, b) / 127 }
	}
	return 0, nil
}

// TestError: a number comes back within half a quant.
func TestError(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 8))
	for _, kind := range types() {
		quants, scale := worst(kind)
		if scale == nil {
			continue
		}
		for range 2000 {
			src := make([]float32, 32)
			size := math.Ldexp(1, rng.IntN(12)-6)
			for i := range src {
				src[i] = float32(size * rng.NormFloat64())
			}
			data, err := Quantize(kind, src)
			if err != nil {
				t.Fatal(err)
			}
			got := make([]float32, 32)
			if err := gguf.Dequantize(got, kind, data); err != nil {
				t.Fatal(err)
			}
			_, least, greatest := extremes(src)
			d := scale(float64(least), float64(greatest))
			for i, x := range src {
				off := math.Abs(float64(got[i]) - float64(x))
				if off > quants*d+max(math.Abs(float64(least)), math.Abs(float64(greatest)))/2048 {
					t.Fatalf("%s: %v came back as %v, %.3f scales off", kind, x, got[i], off/d)
				}
			}
		}
	}
}

// TestFixedPoint: what was dequantised is encoded with the same meaning, for the
// types whose scale comes back exactly.
func TestFixedPoint(t *testing.T) {
	src := make([]float32, 64)
	for i := range src {
		src[i] = float32(i%16 - 8) // every quant of Q4_0
	}
	for _, kind := range types() {
		data, err := Quantize(kind, src)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]float32, len(src))
		if err := gguf.Dequantize(got, kind, data); err != nil {
			t.Fatal(err)
		}
		again, err := Quantize(kind, got)
		if err != nil || !bytes.Equal(data, again) {
			t.Errorf("%s: % x became % x, %v", kind, data, again, err)
		}
	}
}

func TestFlatBlocks(t *testing.T) {
	for _, x := range []float32{0, 1, -1, 1e-45, -1e-45, 1e-39, 1e-7, 60000} {
		src := make([]float32, 32)
		for i := range src {
			src[i] = x
		}
		for _, kind := range types() {
			data, err := Quantize(kind, src)
			if err != nil {
				t.Fatal(err)
			}
			got := make([]float32, 32)
			if err := gguf.Dequantize(got, kind, data); err != nil {
				t.Fatal(err)
			}
			for _, y := range got {
				if off := math.Abs(float64(y) - float64(x)); off > math.Abs(float64(x))/100+0x1p-19 {
					t.Errorf("%s: %v came back as %v", kind, x, y)
					break
				}
			}
		}
	}
}

func TestQuantizeFails(t *testing.T) {
	block := func(x float32) []float32 { return append(make([]float32, 31), x) }
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	for _, kind := range types() {
		elements, _ := kind.Block()
		if elements == 1 {
			continue
		}
		for _, src := range [][]float32{block(nan), block(inf), make([]float32, 33), make([]float32, 1), block(math.MaxFloat32), {3, nan}} {
			if _, err := Quantize(kind, src); err == nil {
				t.Errorf("%s took %v", kind, src)
			}
		}
	}
	for _, x := range []float32{nan, inf, 1e6} {
		if _, err := Quantize(gguf.F16, []float32{0, x}); err == nil || !strings.Contains(err.Error(), "F16, number 1") {
			t.Errorf("%v: %v", x, err)
		}
	}
	if _, err := Quantize(gguf.Q4_1, append(make([]float32, 31), -1e5)); err == nil {
		t.Error("a minimum that is too large was taken")
	}
	if _, err := Quantize(12, make([]float32, 256)); !errors.Is(err, gguf.ErrUnsupportedType) || !strings.Contains(err.Error(), "Q4_K") {
		t.Error(err)
	}
	if got, err := Quantize(gguf.F32, []float32{inf}); err != nil || len(got) != 4 {
		t.Error(got, err)
	}
}

func BenchmarkQuantize(b *testing.B) {
	src := make([]float32, 384*1536)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range src {
		src[i] = float32(rng.NormFloat64())
	}
	for _, kind := range types() {
		b.Run(fmt.Sprintf("%s/%d", kind, len(src)), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(4 * len(src)))
			for b.Loop() {
				if _, err := Quantize(kind, src); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
