package requantize_test

// These tests decide that a model in another type is the same model.

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"testing"

	"github.com/contextforge-go/contextforge/minilm/gguf"
	"github.com/contextforge-go/contextforge/minilm/requantize"
)

func content(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile("../allminilm/all-MiniLM-L6-v2-Q8_0.gguf")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestTo checks every number of every tensor after the way to F32.
func TestTo(t *testing.T) {
	data := content(t)
	wide, err := requantize.To(data, gguf.F32)
	if err != nil {
		t.Fatal(err)
	}
	before, after := parsed(t, data), parsed(t, wide)
	if len(before.Tensors) != len(after.Tensors) || len(before.Pairs) != len(after.Pairs) {
		t.Fatalf("%d tensors and %d pairs of %d and %d", len(after.Tensors), len(after.Pairs), len(before.Tensors), len(before.Pairs))
	}
	for i := range before.Tensors {
		if b, a := &before.Tensors[i], &after.Tensors[i]; a.Name != b.Name || a.Type != gguf.F32 {
			t.Errorf("%s has the type %v, behind it is %s with %v", b.Name, b.Type, a.Name, a.Type)
		} else if !bytes.Equal(decoded(t, before, b), decoded(t, after, a)) {
			t.Errorf("%s has other numbers", b.Name)
		}
	}
}

func parsed(t *testing.T, data []byte) *gguf.File {
	t.Helper()
	f, err := gguf.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// decoded returns the numbers of a tensor as their bytes in float32.
func decoded(t *testing.T, f *gguf.File, tensor *gguf.Tensor) []byte {
	t.Helper()
	data, err := f.Data(tensor)
	if err != nil {
		t.Fatal(err)
	}
	numbers := make([]float32, tensor.Elements())
	if err := gguf.Dequantize(numbers, tensor.Type, data); err != nil {
		t.Fatal(err)
	}
	out := make([]byte, 0, 4*len(numbers))
	for _, x := range numbers {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
	}
	return out
}

func TestToRefuses(t *testing.T) {
	if _, err := requantize.To([]byte("no model"), gguf.F32); !errors.Is(err, gguf.ErrNotGGUF) {
		t.Errorf("no file: %v", err)
	}
	if _, err := requantize.To(content(t), gguf.Type(9999)); !errors.Is(err, gguf.ErrUnsupportedType) {
		t.Errorf("no type: %v", err)
	}
}
