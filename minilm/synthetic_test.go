package minilm_test

// Small models with random weights, whose files tests can spoil.

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/minilm"
	"github.com/contextforge-go/contextforge/minilm/gguf"
	"github.com/contextforge-go/contextforge/minilm/internal/ggufwrite"
)

// shape is what a synthetic model looks like.
type shape struct {
	width, heads, inner, layers, positions int

	pooling minilm.Pooling // 0: the mean
	kind    gguf.Type      // of the matrices
	table   gguf.Type      // of the vocabulary's vectors
	seed    uint64
}

func (s shape) String() string {
	return fmt.Sprintf("%dx%d_heads%d_inner%d_layers%d_%v_%s", s.width, s.positions, s.heads, s.inner, s.layers, s.pooling, s.kind)
}

// vocabulary returns tokens in the notation of GGUF, and their types.
func vocabulary() (words []string, types []int32) {
	words = []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}
	types = []int32{3, 3, 3, 3, 3}
	for c := 'a'; c <= 'z'; c++ {
		words = append(words, "▁"+string(c), string(c))
	}
	words = append(words, strings.Fields("▁the ▁boat ▁harbour ▁quiet ing ed ▁query ▁passage ▁: ▁. ▁, ▁! ▁[ ▁] ▁一 ▁二 ▁é ▁0 ▁1 0 1")...)
	for len(types) < len(words) {
		types = append(types, 1)
	}
	return words, types
}

// file returns the model's file, not yet encoded.
func (s shape) file(t testing.TB) *ggufwrite.File {
	t.Helper()
	words, types := vocabulary()
	f := &ggufwrite.File{Pairs: []ggufwrite.Pair{
		{Key: "general.architecture", Value: "bert"},
		{Key: "general.name", Value: "tiny"},
		{Key: "bert.block_count", Value: uint32(s.layers)},
		{Key: "bert.context_length", Value: uint32(s.positions)},
		{Key: "bert.embedding_length", Value: uint32(s.width)},
		{Key: "bert.feed_forward_length", Value: uint32(s.inner)},
		{Key: "bert.attention.head_count", Value: uint32(s.heads)},
		{Key: "bert.attention.layer_norm_epsilon", Value: float32(1e-12)},
		{Key: "bert.attention.causal", Value: false},
		{Key: "bert.pooling_type", Value: uint32(max(s.pooling, minilm.PoolingMean))},
		{Key: "tokenizer.ggml.model", Value: "bert"},
		{Key: "tokenizer.ggml.token_type_count", Value: uint32(2)},
		{Key: "tokenizer.ggml.tokens", Value: words},
		{Key: "tokenizer.ggml.token_type", Value: types},
		{Key: "tokenizer.ggml.padding_token_id", Value: uint32(0)},
		{Key: "tokenizer.ggml.unknown_token_id", Value: uint32(1)},
		{Key: "tokenizer.ggml.bos_token_id", Value: uint32(2)},
		{Key: "tokenizer.ggml.seperator_token_id", Value: uint32(3)},
		{Key: "tokenizer.ggml.mask_token_id", Value: uint32(4)},
		{Key: "tokenizer.ggml.normalizer.lowercase", Value: true},
	}}
	r := rand.New(rand.NewPCG(s.seed, 1))
	add := func(name string, kind gguf.Type, middle, spread float32, dims ...int) {
		f.Tensors = append(f.Tensors, random(t, r, name, kind, middle, spread, dims...))
	}
	norm := func(name string) {
		add(name+".weight", gguf.F32, 1, 0.3, s.width)
		add(name+".bias", gguf.F32, 0, 0.2, s.width)
	}
	linear := func(name string, inputs, outputs int) {
		add(name+".weight", s.kind, 0, 0.25, inputs, outputs)
		add(name+".bias", gguf.F32, 0, 0.1, outputs)
	}
	add("token_embd.weight", s.table, 0, 1, s.width, len(words))
	add("position_embd.weight", gguf.F32, 0, 0.3, s.width, s.positions)
	add("token_types.weight", gguf.F32, 0, 0.3, s.width, 2)
	norm("token_embd_norm")
	for i := range s.layers {
		layer := fmt.Sprintf("blk.%d.", i)
		linear(layer+"attn_q", s.width, s.width)
		linear(layer+"attn_k", s.width, s.width)
		linear(layer+"attn_v", s.width, s.width)
		linear(layer+"attn_output", s.width, s.width)
		norm(layer + "attn_output_norm")
		linear(layer+"ffn_up", s.width, s.inner)
		linear(layer+"ffn_down", s.inner, s.width)
		norm(layer + "layer_output_norm")
	}
	return f
}

// random returns a tensor of numbers from middle-spread to middle+spread.
func random(t testing.TB, r *rand.Rand, name string, kind gguf.Type, middle, spread float32, dims ...int) ggufwrite.Tensor {
	t.Helper()
	count, stored := 1, make([]uint64, len(dims))
	for i, n := range dims {
		count *= n
		stored[i] = uint64(n)
	}
	numbers := make([]float32, count)
	for i := range numbers {
		part := float32(r.IntN(1<<16)-1<<15) / (1 << 15)
		numbers[i] = middle + float32(part*spread)
	}
	tensor, err := ggufwrite.NewTensor(name, kind, numbers, stored...)
	if err != nil {
		t.Fatal(err)
	}
	return tensor
}

func encode(t testing.TB, f *ggufwrite.File) []byte {
	t.Helper()
	data, err := f.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// set replaces the value of a key, or adds the key.
func set(f *ggufwrite.File, key string, value any) {
	for i := range f.Pairs {
		if f.Pairs[i].Key == key {
			f.Pairs[i].Value = value
			return
		}
	}
	f.Pairs = append(f.Pairs, ggufwrite.Pair{Key: key, Value: value})
}

// drop removes a key.
func drop(f *ggufwrite.File, key string) {
	f.Pairs = slices.DeleteFunc(f.Pairs, func(p ggufwrite.Pair) bool { return p.Key == key })
}

// model returns the synthetic model.
func (s shape) model(t testing.TB, cfg minilm.Config) *minilm.Model {
	t.Helper()
	return fromFile(t, s.file(t), cfg)
}

func fromFile(t testing.TB, f *ggufwrite.File, cfg minilm.Config) *minilm.Model {
	t.Helper()
	m, err := minilm.FromBytes(encode(t, f), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// lengths returns texts that a synthetic model has 2, 3 and up to most tokens of.
func lengths(most int) (all []string) {
	r := rand.New(rand.NewPCG(uint64(most), 2))
	for n := range most - 1 {
		letters := make([]string, n)
		for i := range letters {
			letters[i] = string(rune('a' + r.IntN(26)))
		}
		all = append(all, strings.Join(letters, " "))
	}
	return all
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }
