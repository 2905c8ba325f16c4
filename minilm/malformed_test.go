package minilm_test

// Files that aren't models: what is wrong is an error which says so.

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/internal/simd"
	"github.com/contextforge-go/contextforge/minilm"
	"github.com/contextforge-go/contextforge/minilm/gguf"
	"github.com/contextforge-go/contextforge/minilm/internal/ggufwrite"
)

// refused checks that no way to load data works, that the error is one of kinds
// and names things, and that it took no more memory than the file's size allows.
func refused(t *testing.T, data []byte, cfg minilm.Config, kind error, names ...string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bad.gguf")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := minilm.FromBytes(data, cfg)
	_, loadErr := minilm.Load(path, cfg)
	_, readErr := minilm.Read(bytes.NewReader(data), int64(len(data)), cfg)
	runtime.ReadMemStats(&after)
	if err == nil || loadErr == nil || readErr == nil {
		t.Fatalf("it is loaded: %v, %v, %v", err, loadErr, readErr)
	}
	for _, e := range []error{err, loadErr, readErr} {
		if !errors.Is(e, kind) {
			t.Errorf("%v: not the error %v", e, kind)
		}
		for _, name := range names {
			if !strings.Contains(e.Error(), name) {
				t.Errorf("%v: doesn't say %s", e, name)
			}
		}
		if strings.Contains(e.Error(), "%!") {
			t.Errorf("a bad format: %v", e)
		}
	}
	if !strings.Contains(loadErr.Error(), path) {
		t.Errorf("%v: doesn't name the file", loadErr)
	}
	if taken, most := after.TotalAlloc-before.TotalAlloc, uint64(30*len(data)+16<<20); taken > most {
		t.Errorf("%d bytes were taken for a file of %d", taken, len(data))
	}
}

// tiny is the model that is spoilt.
func tiny() shape {
	return shape{width: 32, heads: 4, inner: 64, layers: 2, positions: 16, kind: gguf.Q8_0, table: gguf.F16}
}

func TestWrongKeys(t *testing.T) {
	words, types := vocabulary()
	short := types[1:]
	for _, tt := range []struct {
		key  string
		v    any // nil: no such key
		says string
	}{
		{"general.architecture", nil, ""},
		{"general.architecture", "nomic-bert", "nomic-bert"},
		{"general.architecture", "", ""},
		{"general.architecture", uint32(7), ""},
		{"general.name", uint32(7), ""},
		{"bert.block_count", nil, ""},
		{"bert.block_count", uint32(0), ""},
		{"bert.block_count", uint32(4097), "4097"},
		{"bert.block_count", uint64(math.MaxUint64), ""},
		{"bert.block_count", int32(-1), "-1"},
		{"bert.block_count", "2", ""},
		{"bert.context_length", nil, ""},
		{"bert.context_length", uint32(0), ""},
		{"bert.context_length", uint32(math.MaxUint32), ""},
		{"bert.embedding_length", nil, ""},
		{"bert.embedding_length", uint32(0), ""},
		{"bert.embedding_length", uint64(1 << 40), ""},
		{"bert.feed_forward_length", nil, ""},
		{"bert.feed_forward_length", uint32(0), ""},
		{"bert.feed_forward_length", uint32(1<<16 + 1), ""},
		{"bert.attention.head_count", nil, ""},
		{"bert.attention.head_count", uint32(0), ""},
		{"bert.attention.head_count", uint64(math.MaxInt64), ""},
		{"bert.attention.head_count", float32(4), ""},
		{"bert.attention.layer_norm_epsilon", nil, ""},
		{"bert.attention.layer_norm_epsilon", float32(math.NaN()), "NaN"},
		{"bert.attention.layer_norm_epsilon", float32(-1e-12), "-9.99"},
		{"bert.attention.layer_norm_epsilon", float32(math.Inf(1)), "Inf"},
		{"bert.attention.layer_norm_epsilon", float64(2), "2"},
		{"bert.attention.layer_norm_epsilon", uint32(0), ""},
		{"bert.attention.causal", true, "true"},
		{"bert.attention.causal", uint32(0), ""},
		{"bert.pooling_type", nil, "Config.Pooling"},
		{"bert.pooling_type", uint32(0), "0"},
		{"bert.pooling_type", uint32(3), "3"},
		{"bert.pooling_type", uint64(math.MaxUint64), ""},
		{"bert.pooling_type", "mean", ""},
		{"tokenizer.ggml.model", nil, ""},
		{"tokenizer.ggml.model", "gpt2", "gpt2"},
		{"tokenizer.ggml.model", uint32(0), ""},
		{"tokenizer.ggml.tokens", nil, ""},
		{"tokenizer.ggml.tokens", []string{}, ""},
		{"tokenizer.ggml.tokens", []uint32{1, 2}, ""},
		{"tokenizer.ggml.tokens", append(slices.Clone(words[:len(words)-1]), "\xff"), ""},
		{"tokenizer.ggml.token_type", nil, ""},
		{"tokenizer.ggml.token_type", short, "types for"},
		{"tokenizer.ggml.token_type", []float32{1}, ""},
		{"tokenizer.ggml.token_type", "types", ""},
		{"tokenizer.ggml.unknown_token_id", nil, ""},
		{"tokenizer.ggml.bos_token_id", nil, ""},
		{"tokenizer.ggml.bos_token_id", "2", ""},
		{"tokenizer.ggml.normalizer.lowercase", uint32(1), ""},
	} {
		t.Run(fmt.Sprintf("%s=%.15s", tt.key, fmt.Sprint(tt.v)), func(t *testing.T) {
			f := tiny().file(t)
			if drop(f, tt.key); tt.v != nil {
				set(f, tt.key, tt.v)
			}
			refused(t, encode(t, f), minilm.Config{}, minilm.ErrModel, tt.key, tt.says)
		})
	}
}

// Numbers that are possible, but contradict each other or the tensors.
func TestContradictions(t *testing.T) {
	for _, tt := range []struct {
		key  string
		v    any
		kind error
		says string
	}{
		{"bert.attention.head_count", uint32(5), minilm.ErrModel, "5 heads"},
		{"bert.attention.head_count", uint32(64), minilm.ErrModel, "64 heads"},
		{"bert.block_count", uint32(3), minilm.ErrModel, "blk.2.attn_q.weight"},
		{"bert.block_count", uint32(4096), minilm.ErrModel, "blk.2.attn_q.weight"},
		{"bert.embedding_length", uint32(64), minilm.ErrModel, "token_embd.weight"},
		{"bert.embedding_length", uint32(1 << 16), minilm.ErrModel, "token_embd.weight"},
		{"bert.feed_forward_length", uint32(32), minilm.ErrModel, "blk.0.ffn_up.weight"},
		{"bert.feed_forward_length", uint32(1 << 16), minilm.ErrModel, "blk.0.ffn_up.weight"},
		{"bert.context_length", uint32(17), minilm.ErrModel, "position_embd.weight"},
		{"bert.context_length", uint32(1 << 16), minilm.ErrModel, "position_embd.weight"},
		{"bert.context_length", uint32(9), minilm.ErrConfig, "the least is 10"},
		{"tokenizer.ggml.token_type_count", uint32(0), minilm.ErrModel, "token_types.weight"},
		{"tokenizer.ggml.token_type_count", uint32(3), minilm.ErrModel, "token_types.weight"},
		{"tokenizer.ggml.unknown_token_id", uint32(1000), minilm.ErrModel, "Unknown"},
		{"tokenizer.ggml.bos_token_id", uint64(math.MaxUint64), minilm.ErrModel, "Begin"},
		{"tokenizer.ggml.seperator_token_id", uint32(math.MaxUint32), minilm.ErrModel, "End"},
		{"tokenizer.ggml.padding_token_id", uint32(1 << 31), minilm.ErrModel, "Pad"},
		{"tokenizer.ggml.mask_token_id", int32(-2), minilm.ErrModel, "mask_token_id"},
		{"tokenizer.ggml.mask_token_id", uint32(88), minilm.ErrModel, "Mask"},
	} {
		t.Run(fmt.Sprintf("%s=%v", tt.key, tt.v), func(t *testing.T) {
			f := tiny().file(t)
			set(f, tt.key, tt.v)
			refused(t, encode(t, f), minilm.Config{}, tt.kind, tt.says)
		})
	}
}

// Activations of a file of 1 MB that would take 16 GB.
func TestHugeActivations(t *testing.T) {
	s := shape{width: 1, heads: 1, inner: 1 << 16, layers: 1, positions: 1 << 16}
	f := s.file(t)
	refused(t, encode(t, f), minilm.Config{}, minilm.ErrModel, "65536 numbers", "MaxTokens")
	if m := fromFile(t, f, minilm.Config{MaxTokens: 64}); len(embed(t, m, "the boat")[0]) != 1 {
		t.Error("no vector with a smaller MaxTokens")
	}
}

func TestWrongTensors(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for i, tensor := range tiny().file(t).Tensors {
		quoted := fmt.Sprintf("%q", tensor.Name)
		// spoil checks a file in which the tensor is replaced.
		spoil := func(name string, with ...ggufwrite.Tensor) {
			t.Run(tensor.Name+"/"+name, func(t *testing.T) {
				f := tiny().file(t)
				f.Tensors = slices.Replace(f.Tensors, i, i+1, with...)
				refused(t, encode(t, f), minilm.Config{}, minilm.ErrModel, quoted)
			})
		}
		spoil("missing")
		dims := make([]int, len(tensor.Dims))
		for j, n := range tensor.Dims {
			dims[j] = int(n)
		}
		for j, n := range dims {
			longer := slices.Clone(dims)
			longer[j] = n + 32
			spoil(fmt.Sprintf("dimension %d", j), random(t, r, tensor.Name, tensor.Type, 0, 1, longer...))
		}
		spoil("rank", random(t, r, tensor.Name, tensor.Type, 0, 1, append(slices.Clone(dims), 1)...))
		if len(dims) == 2 && dims[0] != dims[1] && dims[1]%32 == 0 {
			spoil("turned", random(t, r, tensor.Name, tensor.Type, 0, 1, dims[1], dims[0]))
		}
		elements := 1
		for _, n := range dims {
			elements *= n
		}
		spoil("I8", ggufwrite.Tensor{Name: tensor.Name, Dims: tensor.Dims, Type: 24, Data: make([]byte, elements)})
		if dims[0]%32 == 0 {
			spoil("IQ4_NL", ggufwrite.Tensor{Name: tensor.Name, Dims: tensor.Dims, Type: 20, Data: make([]byte, elements/32*18)})
		}
	}
}

// TestNumbersThatArentFinite puts them in the scales and numbers of every tensor
// but the vocabulary's vectors.
func TestNumbersThatArentFinite(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for i, tensor := range tiny().file(t).Tensors[1:] {
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			t.Run(fmt.Sprintf("%s/%v", tensor.Name, bad), func(t *testing.T) {
				f := tiny().file(t)
				data := f.Tensors[i+1].Data
				if tensor.Type == gguf.Q8_0 {
					half := map[bool]uint16{true: 0x7e00, false: 0x7c00}[math.IsNaN(bad)]
					binary.LittleEndian.PutUint16(data[34*r.IntN(len(data)/34):], half)
				} else {
					binary.LittleEndian.PutUint32(data[4*r.IntN(len(data)/4):], math.Float32bits(float32(bad)))
				}
				refused(t, encode(t, f), minilm.Config{}, minilm.ErrModel, fmt.Sprintf("%q", tensor.Name))
			})
		}
	}
}

// A type that the format doesn't know is package gguf's error.
func TestUnknownQuantisation(t *testing.T) {
	data := encode(t, tiny().file(t))
	name := "blk.1.ffn_up.weight"
	at := bytes.Index(data, []byte(name)) + len(name) + 4 + 2*8
	binary.LittleEndian.PutUint32(data[at:], 99)
	refused(t, data, minilm.Config{}, gguf.ErrUnsupportedType, name, "99")
}

func TestFilesThatArentGGUF(t *testing.T) {
	for name, tt := range map[string]struct {
		data []byte
		kind error
	}{
		"empty":     {nil, gguf.ErrNotGGUF},
		"text":      {[]byte("{\"hidden_size\": 384, \"layers\": 6}"), gguf.ErrNotGGUF},
		"zeros":     {make([]byte, 1<<16), gguf.ErrNotGGUF},
		"no tensor": {encode(t, &ggufwrite.File{}), minilm.ErrModel},
	} {
		t.Run(name, func(t *testing.T) { refused(t, tt.data, minilm.Config{}, tt.kind) })
	}
	dir := t.TempDir()
	for _, path := range []string{dir, filepath.Join(dir, "missing.gguf")} {
		if _, err := minilm.Load(path, minilm.Config{}); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := minilm.Load(filepath.Join(dir, "missing.gguf"), minilm.Config{}); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func TestTruncated(t *testing.T) {
	data, err := os.ReadFile(weightsFile)
	if err != nil {
		t.Fatal(err)
	}
	start := int(readWeights(t).DataStart)
	var ends []int
	step := 64 << 10
	if testing.Short() {
		step *= 16
	}
	for n := 0; n < len(data); n += step {
		ends = append(ends, n)
	}
	r := rand.New(rand.NewPCG(8, 8))
	for range 100 {
		ends = append(ends, r.IntN(start))
	}
	ends = append(ends, 1, 4, 8, 16, 24, start-1, start, len(data)-1)
	for _, n := range ends {
		_, err := minilm.FromBytes(data[:n], minilm.Config{})
		_, readErr := minilm.Read(bytes.NewReader(data[:n]), int64(n), minilm.Config{})
		want := gguf.ErrTruncated
		if n < len("GGUF") {
			want = gguf.ErrNotGGUF
		}
		if !errors.Is(err, want) || !errors.Is(readErr, want) {
			t.Errorf("the first %d bytes: %v; %v", n, err, readErr)
		}
	}
	// A file that shrinks after its size was asked for.
	for _, n := range []int{start / 2, start + 5, len(data) / 2} {
		if _, err := minilm.Read(bytes.NewReader(data[:n]), int64(len(data)), minilm.Config{}); !errors.Is(err, gguf.ErrTruncated) {
			t.Errorf("%d bytes instead of %d: %v", n, len(data), err)
		}
	}
}

// failingReader fails when it is asked for the left-th time.
type failingReader struct {
	*bytes.Reader
	left int
}

var errDisk = errors.New("the disk is gone")

func (r *failingReader) ReadAt(p []byte, at int64) (int, error) {
	if r.left--; r.left == 0 {
		return 0, errDisk
	}
	return r.Reader.ReadAt(p, at)
}

func TestReaderThatFails(t *testing.T) {
	data := encode(t, tiny().file(t))
	reads := 1
	for ; ; reads++ {
		r := &failingReader{bytes.NewReader(data), reads}
		_, err := minilm.Read(r, int64(len(data)), minilm.Config{})
		if r.left > 0 {
			if err != nil {
				t.Error(err)
			}
			break
		}
		if !errors.Is(err, errDisk) {
			t.Errorf("read %d fails: %v", reads, err)
		}
	}
	if reads < len(tiny().file(t).Tensors) {
		t.Errorf("only %d reads", reads)
	}
}

func TestWrongConfigs(t *testing.T) {
	data := encode(t, tiny().file(t))
	for name, tt := range map[string]struct {
		cfg  minilm.Config
		kind error
		says string
	}{
		"MaxTokens negative":      {minilm.Config{MaxTokens: -1}, minilm.ErrConfig, "-1"},
		"MaxTokens small":         {minilm.Config{MaxTokens: 9}, minilm.ErrConfig, "MaxTokens is 9, the least is 10"},
		"MaxTokens large":         {minilm.Config{MaxTokens: 17}, minilm.ErrConfig, "17"},
		"MaxTokens with a prefix": {minilm.Config{MaxTokens: 11, Prefixes: &minilm.Prefixes{Query: "query: "}}, minilm.ErrConfig, "the least is 12"},
		"Kernels":                 {minilm.Config{Kernels: "mmx"}, minilm.ErrConfig, "mmx"},
		"Kernels, its own error":  {minilm.Config{Kernels: "mmx"}, simd.ErrUnavailable, "generic"},
		"Parallelism":             {minilm.Config{Parallelism: -2}, minilm.ErrConfig, "-2"},
		"Pooling":                 {minilm.Config{Pooling: 7}, minilm.ErrConfig, "7"},
		"Pooling negative":        {minilm.Config{Pooling: -1}, minilm.ErrConfig, "-1"},
		"query prefix":            {minilm.Config{Prefixes: &minilm.Prefixes{Query: "query"}}, minilm.ErrConfig, `"query"`},
		"document prefix":         {minilm.Config{Prefixes: &minilm.Prefixes{Document: "boat: th"}}, minilm.ErrConfig, `"boat: th"`},
		"prefix with broken end":  {minilm.Config{Prefixes: &minilm.Prefixes{Document: "a: \xc3"}}, minilm.ErrConfig, "UTF-8"},
		"prefix with half [MASK]": {minilm.Config{Prefixes: &minilm.Prefixes{Document: "a: [MA"}}, minilm.ErrConfig, "[MA"},
	} {
		t.Run(name, func(t *testing.T) { refused(t, data, tt.cfg, tt.kind, tt.says) })
	}
}

// FuzzLoad overwrites bytes of a small model and cuts its end off: it is an error or
// a model that gives vectors.
func FuzzLoad(f *testing.F) {
	s := shape{width: 32, heads: 2, inner: 8, layers: 1, positions: 12, kind: gguf.F32, table: gguf.Q8_0}
	valid := encode(f, s.file(f))
	f.Add(uint16(0), []byte(nil), uint16(0))
	f.Add(uint16(8), []byte{255, 255}, uint16(0))
	f.Add(uint16(100), []byte{0}, uint16(100))
	for _, key := range []string{"bert.block_count", "bert.context_length", "bert.embedding_length", "bert.feed_forward_length", "bert.attention.head_count", "tokenizer.ggml.token_type", "tokenizer.ggml.tokens", "blk.0.ffn_up.weight", "token_embd.weight"} {
		at := bytes.Index(valid, []byte(key)) + len(key)
		f.Add(uint16(at), []byte{4, 0, 0, 0, 1, 0, 0, 0}, uint16(0))
		f.Add(uint16(at+4), []byte{255, 255, 255, 127}, uint16(0))
	}
	f.Fuzz(func(t *testing.T, at uint16, with []byte, cut uint16) {
		data := slices.Clone(valid)
		copy(data[min(int(at), len(data)):], with)
		data = data[:len(data)-min(int(cut), len(data))]
		m, err := minilm.FromBytes(data, minilm.Config{Parallelism: 1})
		if err != nil {
			checkKind(t, err)
			return
		}
		vectors, err := m.Embed(t.Context(), []string{"", "the quiet boat [MASK] é", strings.Repeat("a一", 30)})
		if err != nil && !errors.Is(err, minilm.ErrNoDirection) {
			t.Error(err)
		}
		for _, v := range vectors {
			if n := float64(minilm.Similarity(v, v)); n != 0 && math.Abs(n-1) > 1e-5 {
				t.Errorf("the length's square is %g", n)
			}
		}
	})
}

// checkKind fails unless an error of loading is one that a caller can tell.
func checkKind(t *testing.T, err error) {
	t.Helper()
	for _, kind := range []error{minilm.ErrModel, minilm.ErrConfig, gguf.ErrNotGGUF, gguf.ErrVersion, gguf.ErrTruncated, gguf.ErrCorrupt, gguf.ErrUnsupportedType} {
		if errors.Is(err, kind) {
			return
		}
	}
	t.Errorf("an error of no kind: %v", err)
}
