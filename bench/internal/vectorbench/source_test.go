//go:build !js && !wasip1 && !illumos && !solaris && !aix && !plan9

package vectorbench

// These tests decide that the vectors repeat, are of length 1, and lie as far apart
// as the package says.

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestSourceRepeats(t *testing.T) {
	a, b, other := NewSource(7, 500, 32, 10), NewSource(7, 500, 32, 10), NewSource(8, 500, 32, 10)
	for _, i := range []int{499, 0, 250, 500, 900} {
		v := a.Vector(i)
		if !slices.Equal(v, b.Vector(i)) || slices.Equal(v, other.Vector(i)) || slices.Equal(v, a.Vector(i+1)) {
			t.Errorf("vector %d: %v", i, v)
		}
		if length := cosine(wide(v), wide(v)); math.Abs(length-1) > 1e-6 {
			t.Errorf("vector %d: cosine to itself %v", i, length)
		}
		sum := 0.0
		for _, x := range v {
			sum += float64(x) * float64(x)
		}
		if math.Abs(sum-1) > 1e-5 {
			t.Errorf("vector %d has the squared length %v", i, sum)
		}
	}
	if !slices.Equal(a.Query(3), a.Vector(503)) {
		t.Error("questions aren't further vectors")
	}
}

func TestSourceCosines(t *testing.T) {
	for _, n := range []int{2000, 6000} {
		s := NewSource(seed, n, 384, 100)
		var size Size
		size.cosines(nearest(s, []int{0, 1, 2, 3, 4, 5, 6, 7}, "", 50))
		if c := size.Cosines; c[0] < 0.6 || c[0] > 0.95 || c[2] < 0.45 || c[2] > 0.85 || c[1] > c[0] || c[2] > c[1] {
			t.Errorf("%d vectors: %v", n, c)
		}
		far := cosine(wide(s.Query(0)), wide(s.Query(1)))
		if far > 0.6 || far < -0.2 {
			t.Errorf("%d vectors: two questions have the cosine %v", n, far)
		}
	}
}

func TestSourceScopes(t *testing.T) {
	s := NewSource(seed, 100, 8, 10)
	counts := map[string]int{}
	for i := range 100 {
		counts[s.Scope(i)]++
	}
	if len(counts) != 10 || counts["scope 3"] != 10 {
		t.Errorf("%v", counts)
	}
}

func TestSourceWrite(t *testing.T) {
	s := NewSource(seed, 20, 8, 1)
	name := filepath.Join(t.TempDir(), "v")
	if err := s.write(name, 5, 3); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(name)
	if err != nil || len(text) != 3*8*4 {
		t.Fatalf("%d bytes, %v", len(text), err)
	}
	for k, x := range s.Vector(7) {
		if got := math.Float32frombits(binary.LittleEndian.Uint32(text[(2*8+k)*4:])); got != x {
			t.Errorf("number %d of the last is %v, want %v", k, got, x)
		}
	}
	if err := s.write(filepath.Join(name, "below a file"), 0, 1); err == nil {
		t.Error("a file in a file")
	}
}

func BenchmarkFill(b *testing.B) {
	s := NewSource(seed, 10_000, 384, 100)
	v := make([]float32, 384)
	b.Run("384", func(b *testing.B) {
		b.ReportAllocs()
		i := 0
		for b.Loop() {
			s.Fill(v, i)
			i++
		}
	})
}
