package simd

// Row operations of every kernel against the definition, on any bits.

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"
)

// decodeFloats makes floats of bytes: 4 of each, any bits.
func decodeFloats(data []byte) []float32 {
	x := make([]float32, len(data)/4)
	for i := range x {
		x[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return x
}

// fencedCopy copies x between canaries, somewhere.
func fencedCopy(r *rand.Rand, x []float32) *fenced[float32] {
	f := newFenced[float32](r, len(x))
	copy(f.Slice, x)
	return f
}

func fuzzRand(data []byte) *rand.Rand { return rand.New(rand.NewPCG(uint64(len(data)), 31)) }

func FuzzGELU(f *testing.F) {
	f.Add([]byte("\x00\x00\x80\x3f"))
	f.Fuzz(func(t *testing.T, data []byte) {
		in := decodeFloats(data)
		want := append([]float32(nil), in...)
		geluGeneric(want)
		for _, k := range all() {
			x := fencedCopy(fuzzRand(data), in)
			k.GELU(x.Slice)
			if i := firstDifference(x.Slice, want); i >= 0 || !x.intact() {
				t.Fatalf("%s: %v became %v, want %v", k.name, in, x.Slice, want)
			}
		}
	})
}

func FuzzSoftmax(f *testing.F) {
	f.Add(make([]byte, 64), float32(1))
	f.Fuzz(func(t *testing.T, data []byte, scale float32) {
		in := decodeFloats(data)
		in = in[:len(in)&^(Lanes-1)]
		if len(in) == 0 {
			return
		}
		for _, k := range all() {
			checkSoftmax(t, &k, fencedCopy(fuzzRand(data), in), scale, k.name)
		}
	})
}

// One row in four parts: the two that are added, then the weights.
func FuzzLayerNorm(f *testing.F) {
	f.Add(make([]byte, 256), uint8(3), float32(1e-12))
	f.Fuzz(func(t *testing.T, data []byte, rows uint8, epsilon float32) {
		in := decodeFloats(data)
		count := int(rows%5) + 1
		n := len(in) / (2*count + 2)
		if n == 0 {
			return
		}
		gamma, beta, residual := in[:n], in[n:2*n], in[2*n:][:count*n]
		want := append([]float32(nil), in[(2+count)*n:][:count*n]...)
		x := make([]*fenced[float32], 0, 4)
		for range all() {
			x = append(x, fencedCopy(fuzzRand(data), want))
		}
		layerNormGeneric(want, residual, gamma, beta, epsilon)
		for i, k := range all() {
			k.LayerNorm(x[i].Slice, residual, gamma, beta, epsilon)
			if at := firstDifference(x[i].Slice, want); at >= 0 || !x[i].intact() {
				t.Fatalf("%s, %d rows of %d: %v, want %v", k.name, count, n, x[i].Slice, want)
			}
		}
	})
}

func FuzzQuantize(f *testing.F) {
	f.Add(make([]byte, 4*BlockSize), uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, width uint8) {
		in := decodeFloats(data)
		w := (int(width%12) + 1) * BlockSize
		rows := len(in) / w
		for _, k := range all() {
			checkQuantize(t, &k, fuzzRand(data), in[:rows*w], rows, w, k.name)
		}
	})
}
