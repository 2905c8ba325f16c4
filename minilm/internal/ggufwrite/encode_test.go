package ggufwrite

// This file tests what can be written, and what a model is after it was written
// in another quantisation.

import (
	"bytes"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/minilm/gguf"
)

// wave returns n numbers.
func wave(n int) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32((i*37)%101-50) / 64
	}
	return out
}

func written(t *testing.T, f *File) *gguf.File {
	t.Helper()
	data, err := f.Encode()
	if err != nil {
		t.Fatal(err)
	}
	out, err := gguf.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func made(t *testing.T, name string, kind gguf.Type, dims ...uint64) Tensor {
	t.Helper()
	n := uint64(1)
	for _, d := range dims {
		n *= d
	}
	out, err := NewTensor(name, kind, wave(int(n)), dims...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// model is a file with quantised and other tensors.
func model(t *testing.T) *File {
	return &File{Alignment: 128, Pairs: []Pair{
		{"general.alignment", uint32(128)},
		{"general.file_type", uint32(7)},
		{"names", []string{"a", ""}},
		{"nested", []any{[]int16{1, -2}, []any{[]string{"x"}}}},
		{"eps", float32(1e-12)},
		{"flags", []bool{true, false}},
	}, Tensors: []Tensor{
		made(t, "a.weight", gguf.Q8_0, 64, 5),
		made(t, "a.bias", gguf.F32, 5),
		made(t, "b.weight", gguf.Q5_1, 32, 2, 2),
		made(t, "c.weight", gguf.F16, 3, 3),
	}}
}

// TestLayout: the bytes of a small file, one by one.
func TestLayout(t *testing.T) {
	f := &File{Version: 2, Alignment: 8, Pairs: []Pair{{"k", int16(-2)}, {"l", []uint8{7}}},
		Tensors: []Tensor{{"t", []uint64{2, 1}, gguf.F16, []byte{1, 2, 3, 4}}, {"u", []uint64{1}, gguf.Type(24), []byte{9}}}}
	got, err := f.Encode()
	want := "GGUF" + "\x02\x00\x00\x00" + "\x02\x00\x00\x00\x00\x00\x00\x00" + "\x02\x00\x00\x00\x00\x00\x00\x00" +
		"\x01\x00\x00\x00\x00\x00\x00\x00k" + "\x03\x00\x00\x00" + "\xfe\xff" +
		"\x01\x00\x00\x00\x00\x00\x00\x00l" + "\x09\x00\x00\x00" + "\x00\x00\x00\x00" + "\x01\x00\x00\x00\x00\x00\x00\x00" + "\x07" +
		"\x01\x00\x00\x00\x00\x00\x00\x00t" + "\x02\x00\x00\x00" + "\x02\x00\x00\x00\x00\x00\x00\x00" + "\x01\x00\x00\x00\x00\x00\x00\x00" + "\x01\x00\x00\x00" + "\x00\x00\x00\x00\x00\x00\x00\x00" +
		"\x01\x00\x00\x00\x00\x00\x00\x00u" + "\x01\x00\x00\x00" + "\x01\x00\x00\x00\x00\x00\x00\x00" + "\x18\x00\x00\x00" + "\x08\x00\x00\x00\x00\x00\x00\x00"
	want += strings.Repeat("\x00", (8-len(want)%8)%8) + "\x01\x02\x03\x04\x00\x00\x00\x00" + "\x09\x00\x00\x00\x00\x00\x00\x00"
	if err != nil || string(got) != want {
		t.Errorf("%v\n% x\n% x", err, got, want)
	}
}

func TestEncodeFails(t *testing.T) {
	for _, c := range []struct {
		file File
		say  string
	}{
		{File{Pairs: []Pair{{"k", 5}}}, `key "k": no value of a key has the type int`},
		{File{Pairs: []Pair{{"k", nil}}}, `key "k": no value of a key has the type <nil>`},
		{File{Pairs: []Pair{{"k", map[string]int{}}}}, `no value of a key`},
		{File{Pairs: []Pair{{"k", []any{[]int8{1}, "x"}}}}, `string in an array of array`},
		{File{Pairs: []Pair{{"k", []any{[]any{3}}}}}, `int in an array of array`},
		{File{Tensors: []Tensor{{"t", []uint64{2}, gguf.F32, make([]byte, 7)}}}, `tensor "t" has 7 bytes, want 8`},
		{File{Tensors: []Tensor{{"t", []uint64{0}, gguf.F32, nil}}}, `a dimension is 0`},
		{File{Tensors: []Tensor{{"t", []uint64{2}, 77, nil}}}, `type 77`},
	} {
		if _, err := c.file.Encode(); err == nil || !strings.Contains(err.Error(), c.say) || !strings.HasPrefix(err.Error(), "ggufwrite: ") {
			t.Errorf("%v, want %s", err, c.say)
		}
	}
}

// TestValuesAgain: a value that was read is written as it was.
func TestValuesAgain(t *testing.T) {
	first := written(t, model(t))
	copied := &File{Alignment: 128}
	for _, p := range first.Pairs {
		copied.Pairs = append(copied.Pairs, Pair{p.Key, p.Value})
	}
	if again := written(t, copied); !reflect.DeepEqual(first.Pairs, again.Pairs) {
		t.Errorf("%v became %v", first.Pairs, again.Pairs)
	}
}

func TestReencode(t *testing.T) {
	f := written(t, model(t))
	for _, kind := range types() {
		data, err := Reencode(f, kind)
		if err != nil {
			t.Fatal(err)
		}
		got, err := gguf.Parse(data)
		if err != nil {
			t.Fatal(err)
		}
		if fileType, err := got.Uint("general.file_type"); err != nil || fileType != map[gguf.Type]uint64{1: 1, 2: 2, 3: 3, 6: 8, 7: 9, 8: 7, 30: 32}[kind] {
			t.Errorf("%s: file type %d, %v", kind, fileType, err)
		}
		for i, p := range f.Pairs {
			if p.Key != "general.file_type" && !reflect.DeepEqual(p, got.Pairs[i]) {
				t.Errorf("%s: key %q became %v", kind, p.Key, got.Pairs[i])
			}
		}
		for i := range f.Tensors {
			compareTensor(t, f, got, i, kind)
		}
	}
}

// compareTensor checks that tensor i of b is that of a in another type, with
// about the same numbers, or the very same if it isn't quantised.
func compareTensor(t *testing.T, a, b *gguf.File, i int, kind gguf.Type) {
	t.Helper()
	before, after := a.Tensors[i], b.Tensors[i]
	dataBefore, errA := a.Data(&before)
	dataAfter, errB := b.Data(&after)
	if err := errors.Join(errA, errB); err != nil {
		t.Fatal(err)
	}
	if elements, _ := before.Type.Block(); elements == 1 {
		if after.Type != before.Type || !bytes.Equal(dataBefore, dataAfter) {
			t.Errorf("%s: %s was changed", kind, before.Name)
		}
		return
	}
	if after.Type != kind || after.Name != before.Name || !slices.Equal(before.Dims, after.Dims) {
		t.Errorf("%s: %+v became %+v", kind, before, after)
	}
	x, y := make([]float32, before.Elements()), make([]float32, after.Elements())
	if err := errors.Join(gguf.Dequantize(x, before.Type, dataBefore), gguf.Dequantize(y, after.Type, dataAfter)); err != nil {
		t.Fatal(err)
	}
	for j := range x {
		if math.Abs(float64(x[j])-float64(y[j])) > 0.11 {
			t.Errorf("%s: %s: %v became %v", kind, before.Name, x[j], y[j])
			return
		}
	}
	if before.Type == gguf.Q8_0 && after.Type == gguf.Q8_0 && !bytes.Equal(dataBefore, dataAfter) {
		t.Errorf("%s: %s isn't what it was", kind, before.Name)
	}
}

func TestReencodeFails(t *testing.T) {
	f := written(t, model(t))
	if _, err := Reencode(f, 12); !errors.Is(err, gguf.ErrUnsupportedType) || !strings.Contains(err.Error(), "Q4_K") {
		t.Error(err)
	}
	unknown := written(t, &File{Tensors: []Tensor{{"k.weight", []uint64{256}, 12, make([]byte, 144)}}})
	if _, err := Reencode(unknown, gguf.Q8_0); !errors.Is(err, gguf.ErrUnsupportedType) || !strings.Contains(err.Error(), `tensor "k.weight"`) {
		t.Error(err)
	}
	huge := made(t, "huge", gguf.Q8_0, 32)
	huge.Data[0], huge.Data[1] = 0xFF, 0x7B // a scale of 65504
	huge.Data[2] = 100
	if _, err := Reencode(written(t, &File{Tensors: []Tensor{huge}}), gguf.F16); err == nil || !strings.Contains(err.Error(), `tensor "huge"`) {
		t.Error(err)
	}
	broken := &gguf.File{Tensors: []gguf.Tensor{{Name: "x", Size: 5}}}
	if _, err := Reencode(broken, gguf.Q8_0); !errors.Is(err, gguf.ErrTruncated) {
		t.Error(err)
	}
}

func BenchmarkReencode(b *testing.B) {
	tensor, err := NewTensor("t", gguf.Q8_0, wave(384*1536), 384, 1536)
	if err != nil {
		b.Fatal(err)
	}
	data, err := (&File{Tensors: []Tensor{tensor}}).Encode()
	if err != nil {
		b.Fatal(err)
	}
	f, err := gguf.Parse(data)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("Q4_0/589824", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Reencode(f, gguf.Q4_0); err != nil {
				b.Fatal(err)
			}
		}
	})
}
