package gguf_test

// This file tests what is known of the types, and what their bytes stand for:
// against a slow definition in exact arithmetic, and against numbers from
// elsewhere.

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/minilm/gguf"
)

func TestTypes(t *testing.T) {
	for kind, want := range map[gguf.Type]struct {
		name            string
		elements, bytes int
	}{
		gguf.F32: {"F32", 1, 4}, gguf.F16: {"F16", 1, 2}, gguf.BF16: {"BF16", 1, 2}, gguf.Q4_0: {"Q4_0", 32, 18}, gguf.Q4_1: {"Q4_1", 32, 20},
		gguf.Q5_0: {"Q5_0", 32, 22}, gguf.Q5_1: {"Q5_1", 32, 24}, gguf.Q8_0: {"Q8_0", 32, 34},
		9: {"Q8_1", 32, 36}, 10: {"Q2_K", 256, 84}, 12: {"Q4_K", 256, 144}, 14: {"Q6_K", 256, 210}, 16: {"IQ2_XXS", 256, 66},
		24: {"I8", 1, 1}, 27: {"I64", 1, 8}, 28: {"F64", 1, 8}, 35: {"TQ2_0", 256, 66}, 39: {"MXFP4", 32, 17}, 41: {"Q1_0", 128, 18},
		4: {"type 4", 0, 0}, 5: {"type 5", 0, 0}, 31: {"type 31", 0, 0}, 42: {"type 42", 0, 0}, math.MaxUint32: {"type 4294967295", 0, 0},
	} {
		if elements, bytes := kind.Block(); kind.String() != want.name || elements != want.elements || bytes != want.bytes {
			t.Errorf("%d is %s, %d elements in %d bytes", uint32(kind), kind, elements, bytes)
		}
	}
	known := 0
	for kind := range gguf.Type(64) {
		if elements, bytes := kind.Block(); elements > 0 {
			if known++; bytes == 0 || strings.HasPrefix(kind.String(), "type") {
				t.Errorf("%s: %d elements in %d bytes", kind, elements, bytes)
			}
		}
	}
	if known != 34 {
		t.Errorf("%d types are known", known)
	}
}

func TestSize(t *testing.T) {
	for _, c := range []struct {
		kind gguf.Type
		dims []uint64
		want uint64
		err  error
	}{
		{gguf.F32, []uint64{7}, 28, nil},
		{gguf.F32, []uint64{7, 2, 3, 5}, 840, nil},
		{gguf.Q8_0, []uint64{384, 30522}, 12452976, nil},
		{14, []uint64{256, 3}, 630, nil},
		{gguf.Q8_0, []uint64{1 << 40, 1 << 20}, 34 << 55, nil},
		{gguf.Q8_0, []uint64{1 << 40, 1 << 25}, 0, gguf.ErrCorrupt},
		{gguf.F32, nil, 0, gguf.ErrCorrupt},
		{gguf.F32, []uint64{1, 1, 1, 1, 1}, 0, gguf.ErrCorrupt},
		{gguf.F32, []uint64{1, 0}, 0, gguf.ErrCorrupt},
		{gguf.Q4_0, []uint64{48}, 0, gguf.ErrCorrupt},
		{33, []uint64{32}, 0, gguf.ErrUnsupportedType},
	} {
		if got, err := c.kind.Size(c.dims); !errors.Is(err, c.err) || (err == nil && got != c.want) {
			t.Errorf("%s %v: %d, %v", c.kind, c.dims, got, err)
		}
	}
}

// half16 is the value of a binary16 by its definition.
func half16(bits uint16) float64 {
	exponent, fraction := int(bits>>10&31), float64(bits&1023)
	x := math.Ldexp(1024+fraction, exponent-25)
	switch {
	case exponent == 0:
		x = math.Ldexp(fraction, -24)
	case exponent == 31 && fraction == 0:
		x = math.Inf(1)
	case exponent == 31:
		x = math.NaN()
	}
	if bits>>15 == 1 {
		return -x
	}
	return x
}

func TestFloat16(t *testing.T) {
	for bits := range 1 << 16 {
		got, want := gguf.Float16(uint16(bits)), half16(uint16(bits))
		if float64(got) != want && got == got || math.Signbit(float64(got)) != (bits>>15 == 1) || (got != got) != (want != want) {
			t.Errorf("%04x is %v, want %v", bits, got, want)
		}
	}
	if got := math.Float32bits(gguf.Float16(0xFD55)); got != 0xFFAAA000 {
		t.Errorf("NaN became %08x", got)
	}
}

// element is the value of element i of a block, by the formats' definitions. In
// float64 every product and sum here is exact, so its conversion is the one rounding
// that there may be.
func element(kind gguf.Type, b []byte, i int) float32 {
	u16 := func(at int) float64 { return half16(binary.LittleEndian.Uint16(b[at:])) }
	nibble := func(at int) int { return int(b[at+i%16]) >> (i / 16 * 4) & 15 }
	fifth := func(at int) int { return int(b[at+i/8]) >> (i % 8) & 1 << 4 }
	switch kind {
	case gguf.F32:
		return math.Float32frombits(binary.LittleEndian.Uint32(b))
	case gguf.F16:
		return float32(u16(0))
	case gguf.BF16:
		return math.Float32frombits(uint32(b[0])<<16 | uint32(b[1])<<24)
	case gguf.Q4_0:
		return float32(u16(0) * float64(nibble(2)-8))
	case gguf.Q4_1:
		return float32(float64(u16(0)*float64(nibble(4))) + u16(2))
	case gguf.Q5_0:
		return float32(u16(0) * float64(nibble(6)+fifth(2)-16))
	case gguf.Q5_1:
		return float32(float64(u16(0)*float64(nibble(8)+fifth(4))) + u16(2))
	}
	return float32(u16(0) * float64(int8(b[2+i])))
}

// checkBlocks dequantises and compares every bit with the definition, except
// those of a NaN.
func checkBlocks(t testing.TB, kind gguf.Type, src []byte) {
	t.Helper()
	elements, bytes := kind.Block()
	dst := make([]float32, len(src)/bytes*elements)
	if err := gguf.Dequantize(dst, kind, src); err != nil {
		t.Fatal(err)
	}
	for i, got := range dst {
		want := element(kind, src[i/elements*bytes:], i%elements)
		if math.Float32bits(got) != math.Float32bits(want) && !(got != got && want != want) {
			t.Fatalf("%s: element %d of % x is %v, want %v", kind, i, src, got, want)
		}
	}
}

func TestDequantize(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 16))
	for _, kind := range writable() {
		_, bytes := kind.Block()
		for range 3000 {
			src := make([]byte, bytes*(1+rng.IntN(3)))
			for i := range src {
				src[i] = byte(rng.Uint32())
			}
			checkBlocks(t, kind, src)
		}
	}
}

// TestDequantizeElsewhere: the numbers that ggml's own package has for the same
// bytes.
func TestDequantizeElsewhere(t *testing.T) {
	text, err := os.ReadFile("testdata/quants.golden")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if fields[0] == "#" {
			continue
		}
		for _, kind := range writable() {
			if kind.String() != fields[0] {
				continue
			}
			n++
			src, errSrc := hex.DecodeString(fields[2])
			want, errWant := hex.DecodeString(fields[3])
			got := make([]float32, 32)
			if err := errors.Join(errSrc, errWant, gguf.Dequantize(got, kind, src)); err != nil {
				t.Fatal(err)
			}
			for i, x := range got {
				if math.Float32bits(x) != binary.LittleEndian.Uint32(want[4*i:]) {
					t.Errorf("%s: element %d of %s is %v", kind, i, fields[2], x)
				}
			}
		}
	}
	if n != 28 {
		t.Errorf("%d lines", n)
	}
}

func TestDequantizeFails(t *testing.T) {
	for _, c := range []struct {
		dst  int
		kind gguf.Type
		src  int
		want error
	}{
		{32, gguf.Q8_0, 33, gguf.ErrLength},
		{31, gguf.Q8_0, 34, gguf.ErrLength},
		{64, gguf.Q8_0, 34, gguf.ErrLength},
		{32, gguf.Q8_0, 68, gguf.ErrLength},
		{3, gguf.F32, 13, gguf.ErrLength},
		{256, 12, 144, gguf.ErrUnsupportedType},
		{0, 31, 0, gguf.ErrUnsupportedType},
		{0, gguf.Q4_1, 0, nil},
	} {
		dst := make([]float32, c.dst)
		for i := range dst {
			dst[i] = 5
		}
		err := gguf.Dequantize(dst, c.kind, make([]byte, c.src))
		if !errors.Is(err, c.want) || err != nil && !strings.Contains(err.Error(), c.kind.String()) {
			t.Errorf("%d elements of %s in %d bytes: %v", c.dst, c.kind, c.src, err)
		}
		for _, x := range dst {
			if x != 5 {
				t.Error("a failure wrote to the output")
				break
			}
		}
	}
}
