package gguf_test

// This file decides how the tests write bytes that no writer would.

import (
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/minilm/gguf"
	"github.com/contextforge-go/contextforge/minilm/internal/ggufwrite"
)

var update = flag.Bool("update", false, "write the files in testdata anew")

// name is a string with its length before it.
type name string

// join concatenates numbers in their own width, raw strings and names.
func join(parts ...any) (out []byte) {
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			out = append(out, p...)
		case []byte:
			out = append(out, p...)
		case name:
			out = binary.LittleEndian.AppendUint64(out, uint64(len(p)))
			out = append(out, p...)
		case int:
			out = binary.LittleEndian.AppendUint32(out, uint32(p))
		case uint64:
			out = binary.LittleEndian.AppendUint64(out, p)
		default:
			panic(fmt.Sprintf("%T in a file", p))
		}
	}
	return out
}

// head is a whole prologue followed by parts.
func head(tensors, pairs uint64, parts ...any) []byte {
	return join("GGUF", 3, tensors, pairs, join(parts...))
}

// pad appends zeros up to a multiple of 32, and n more.
func pad(file []byte, n int) []byte {
	return append(file, make([]byte, (32-len(file)%32)%32+n)...)
}

// info describes a tensor.
func info(label string, t gguf.Type, offset uint64, dims ...uint64) []byte {
	out := join(name(label), len(dims))
	for _, d := range dims {
		out = join(out, d)
	}
	return join(out, int(t), offset)
}

func encode(t testing.TB, f ggufwrite.File) []byte {
	t.Helper()
	data, err := f.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func parse(t testing.TB, data []byte) *gguf.File {
	t.Helper()
	f, err := gguf.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// ramp returns n numbers that rise and fall.
func ramp(n int) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(i*7%31-15) / 8
	}
	return out
}

// tensor makes a tensor of a ramp.
func tensor(t testing.TB, label string, kind gguf.Type, dims ...uint64) ggufwrite.Tensor {
	t.Helper()
	n := uint64(1)
	for _, d := range dims {
		n *= d
	}
	out, err := ggufwrite.NewTensor(label, kind, ramp(int(n)), dims...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// odd is a file with a key of every type and a tensor of every type that can be
// written; some names and strings would act on a terminal.
func odd(t testing.TB) ggufwrite.File {
	f := ggufwrite.File{Version: 2, Alignment: 64, Pairs: []ggufwrite.Pair{
		{Key: "general.alignment", Value: uint32(64)},
		{Key: "general.architecture", Value: "odd"},
		{Key: "odd.uint8", Value: uint8(200)},
		{Key: "odd.int8", Value: int8(-100)},
		{Key: "odd.uint16", Value: uint16(60000)},
		{Key: "odd.int16", Value: int16(-30000)},
		{Key: "odd.uint32", Value: uint32(4000000000)},
		{Key: "odd.int32", Value: int32(-2000000000)},
		{Key: "odd.uint64", Value: uint64(1<<64 - 1)},
		{Key: "odd.int64", Value: int64(-1 << 63)},
		{Key: "odd.float32", Value: float32(1e-12)},
		{Key: "odd.float64", Value: 0.1},
		{Key: "odd.true", Value: true},
		{Key: "odd.false", Value: false},
		{Key: "odd.empty", Value: ""},
		{Key: "odd.string", Value: "clear \x1b[2J and \u202eturn\nback \xff"},
		{Key: "odd.\x1b]0;title\x07", Value: "a key with an escape"},
		{Key: "odd.long", Value: "0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789"},
		{Key: "odd.strings", Value: []string{"one", "", "three\x07"}},
		{Key: "odd.no_strings", Value: []string{}},
		{Key: "odd.bytes", Value: []uint8{0, 1, 255}},
		{Key: "odd.shorts", Value: []int16{-1, 0, 1}},
		{Key: "odd.ints", Value: []int32{5, -4, 3, -2, 1, 0, 1, -2, 3, -4, 5, -6}},
		{Key: "odd.longs", Value: []uint64{1, 1 << 63}},
		{Key: "odd.floats", Value: []float32{0.5, -0.25}},
		{Key: "odd.doubles", Value: []float64{0.1, 1e300}},
		{Key: "odd.bools", Value: []bool{true, false, true}},
		{Key: "odd.nothing", Value: []uint32{}},
		{Key: "odd.nested", Value: []any{[]int8{1, -2}, []string{"x"}, []any{[]bool{true}}, []any{}}},
	}}
	for i, kind := range writable() {
		f.Tensors = append(f.Tensors, tensor(t, fmt.Sprintf("%s.weight", kind), kind, 64, uint64(i%3+1)))
	}
	f.Tensors = append(f.Tensors, tensor(t, "four\x1b[1m", gguf.F32, 2, 1, 3, 2))
	return f
}

// writable are the types that can be written and dequantised.
func writable() []gguf.Type {
	return []gguf.Type{gguf.F32, gguf.F16, gguf.BF16, gguf.Q4_0, gguf.Q4_1, gguf.Q5_0, gguf.Q5_1, gguf.Q8_0}
}

// bert is a small file of the shape that an embedding model has.
func bert(t testing.TB) ggufwrite.File {
	words := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}
	for i := range 27 {
		words = append(words, "\u2581"+string(rune('a'+i%26)))
	}
	f := ggufwrite.File{Pairs: []ggufwrite.Pair{
		{Key: "general.architecture", Value: "bert"},
		{Key: "general.name", Value: "small"},
		{Key: "general.file_type", Value: uint32(7)},
		{Key: "bert.block_count", Value: uint32(1)},
		{Key: "bert.context_length", Value: uint32(16)},
		{Key: "bert.embedding_length", Value: uint32(32)},
		{Key: "bert.feed_forward_length", Value: uint32(64)},
		{Key: "bert.attention.head_count", Value: uint32(2)},
		{Key: "bert.attention.layer_norm_epsilon", Value: float32(1e-12)},
		{Key: "bert.attention.causal", Value: false},
		{Key: "bert.pooling_type", Value: uint32(1)},
		{Key: "tokenizer.ggml.model", Value: "bert"},
		{Key: "tokenizer.ggml.tokens", Value: words},
		{Key: "tokenizer.ggml.token_type", Value: make([]int32, len(words))},
	}}
	f.Tensors = []ggufwrite.Tensor{
		tensor(t, "token_embd.weight", gguf.Q8_0, 32, uint64(len(words))),
		tensor(t, "position_embd.weight", gguf.F32, 32, 16),
		tensor(t, "token_embd_norm.bias", gguf.F32, 32),
		tensor(t, "blk.0.ffn_up.weight", gguf.Q8_0, 32, 64),
		tensor(t, "blk.0.ffn_down.weight", gguf.Q8_0, 64, 32),
	}
	return f
}

// golden compares a file in testdata with what it should be, or writes it.
func golden(t *testing.T, path string, want []byte) {
	t.Helper()
	path = filepath.Join("testdata", filepath.FromSlash(path))
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s isn't what the test makes; run with -update", path)
	}
}

// TestFiles: the files in testdata, which tests of other packages read too.
func TestFiles(t *testing.T) {
	golden(t, "odd.gguf", encode(t, odd(t)))
	small := encode(t, bert(t))
	golden(t, "bert.gguf", small)
	golden(t, "cut.gguf", small[:len(small)-1000])
	for _, m := range malformed() {
		if m.file != "" {
			golden(t, m.file, m.data)
		}
	}
	for _, kind := range writable() {
		_, bytes := kind.Block()
		for label, scale := range map[string]string{"infinite": "\x00\x7c", "nan": "\x01\xfe", "subnormal": "\x01\x80", "largest": "\xff\x7b"} {
			block := scale + scale + "\xfe\xdc\xba\x98" + strings.Repeat("\x0f\x80\x7f\xf0", 8)
			golden(t, fmt.Sprintf("fuzz/FuzzDequantize/%s_%s", kind, label), fmt.Appendf(nil, "go test fuzz v1\nuint32(%d)\n[]byte(%q)\n", uint32(kind), block[:bytes]))
		}
	}
}
