package minilm_test

// What is known of models by their names, and what stands in front of texts.

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/minilm"
	"github.com/contextforge-go/contextforge/minilm/gguf"
	"github.com/contextforge-go/contextforge/minilm/wordpiece"
)

func TestKnownModels(t *testing.T) {
	const sentence = "Represent this sentence for searching relevant passages: "
	e5 := minilm.Prefixes{Query: "query: ", Document: "passage: "}
	bge := minilm.Prefixes{Query: sentence}
	// The whole of BERT's vocabulary, since a prefix must be few tokens.
	file := builtInFile(t)
	for _, tt := range []struct {
		name     string
		tokens   int
		prefixes minilm.Prefixes
	}{
		{"all-MiniLM-L6-v2", 256, minilm.Prefixes{}},
		{"sentence-transformers/all-MiniLM-L6-v2", 256, minilm.Prefixes{}},
		{"ALL-MINILM-L12-V2", 128, minilm.Prefixes{}},
		{"paraphrase-MiniLM-L3-v2", 128, minilm.Prefixes{}},
		{"paraphrase-MiniLM-L6-v2", 128, minilm.Prefixes{}},
		{"multi-qa-MiniLM-L6-cos-v1", 512, minilm.Prefixes{}},
		{"e5-small", 512, e5}, {"e5-small-v2", 512, e5}, {"intfloat/e5-base-v2", 512, e5}, {"e5-base", 512, e5}, {"E5-Large", 512, e5}, {"e5-large-v2", 512, e5},
		{"bge-small-en-v1.5", 512, bge}, {"BAAI/bge-base-en-v1.5", 512, bge}, {"a/b/bge-large-en-v1.5", 512, bge},
		{"gte-small", 512, minilm.Prefixes{}}, {"thenlper/gte-base", 512, minilm.Prefixes{}}, {"gte-large", 512, minilm.Prefixes{}},
		{"snowflake-arctic-embed-xs", 512, bge}, {"Snowflake/snowflake-arctic-embed-s", 512, bge}, {"Snowflake/snowflake-arctic-embed-m", 512, bge},
		{"E5 Small v2", 512, e5}, {"e5_small_v2", 512, e5}, {"e5-small-v2-Q8_0", 512, e5}, {"e5-small-v2.Q4_K_M.gguf", 512, e5}, {"All MiniLM L6 v2", 256, minilm.Prefixes{}},
		{"Bge Small En v1.5", 512, bge}, {"all-MiniLM-L6-v2-f16.gguf", 256, minilm.Prefixes{}}, {"f16", 512, minilm.Prefixes{}}, {" - ", 512, minilm.Prefixes{}},
		{"e5-small-v3", 512, minilm.Prefixes{}}, {"bge-small-en-v1.5-v2", 512, minilm.Prefixes{}}, {"my-e5-small", 512, minilm.Prefixes{}},
		{"multilingual-e5-small", 512, minilm.Prefixes{}}, {"all-MiniLM-L6-v2/", 512, minilm.Prefixes{}}, {"x", 512, minilm.Prefixes{}},
	} {
		m, err := minilm.FromBytes(file, minilm.Config{Name: tt.name})
		if err != nil {
			t.Fatal(err)
		}
		if m.Name() != tt.name || m.MaxTokens() != tt.tokens || m.Prefixes() != tt.prefixes {
			t.Errorf("%s: %d tokens, %+v", m.Name(), m.MaxTokens(), m.Prefixes())
		}
	}
}

// builtInFile returns a small model with the built-in one's vocabulary.
func builtInFile(t testing.TB) []byte {
	t.Helper()
	weights := readWeights(t)
	words, err := weights.Strings("tokenizer.ggml.tokens")
	if err != nil {
		t.Fatal(err)
	}
	types, err := weights.Ints("tokenizer.ggml.token_type")
	if err != nil {
		t.Fatal(err)
	}
	s := shape{width: 8, heads: 2, inner: 8, layers: 1, positions: 512}
	f := s.file(t)
	set(f, "tokenizer.ggml.tokens", words)
	set(f, "tokenizer.ggml.token_type", types)
	for key, id := range map[string]uint32{"bos": 101, "seperator": 102, "unknown": 100, "mask": 103} {
		set(f, "tokenizer.ggml."+key+"_token_id", id)
	}
	f.Tensors[0] = random(t, newRand(1), "token_embd.weight", gguf.F16, 0, 1, 8, len(words))
	return encode(t, f)
}

// A known limit beyond a model's positions is not the model's.
func TestKnownLimitOfSmallModel(t *testing.T) {
	m := tiny().model(t, minilm.Config{Name: "all-MiniLM-L6-v2"})
	if m.MaxTokens() != tiny().positions {
		t.Errorf("%d tokens", m.MaxTokens())
	}
}

// Config.Prefixes replaces what is known, and the name in the file is what a
// Config without one takes.
func TestPrefixesOfConfig(t *testing.T) {
	f := shape{width: 8, heads: 2, inner: 8, layers: 1, positions: 64}.file(t)
	set(f, "general.name", "intfloat/e5-small-v2")
	m := fromFile(t, f, minilm.Config{})
	if got := (minilm.Prefixes{Query: "query: ", Document: "passage: "}); m.Prefixes() != got || m.Name() != "intfloat/e5-small-v2" {
		t.Errorf("%+v of %s", m.Prefixes(), m.Name())
	}
	for _, p := range []minilm.Prefixes{{}, {Query: "boat: "}, {Document: "a. "}, {Query: "q:", Document: "[MASK]"}, {Query: " ", Document: "\n"}} {
		if m := fromFile(t, f, minilm.Config{Prefixes: &p}); m.Prefixes() != p {
			t.Errorf("%+v instead of %+v", m.Prefixes(), p)
		}
	}
	drop(f, "general.name")
	if m := fromFile(t, f, minilm.Config{}); m.Name() != "" || m.Prefixes() != (minilm.Prefixes{}) {
		t.Errorf("%q has %+v", m.Name(), m.Prefixes())
	}
}

// The vector of a text with a prefix is that of both together, without one, and
// of no more tokens than the limit.
func TestPrefixAndText(t *testing.T) {
	s := shape{width: 32, heads: 4, inner: 64, layers: 1, positions: 40}
	data := encode(t, s.file(t))
	for _, p := range []string{"query: ", "the quiet boat: ", "[MASK]", "a.", "- ", "\x20", "é\u0301 ", "一"} {
		for _, limit := range []int{0, 24, 17} {
			plain, err := minilm.FromBytes(data, minilm.Config{MaxTokens: limit})
			if err != nil {
				t.Fatal(err)
			}
			with, err := minilm.FromBytes(data, minilm.Config{MaxTokens: limit, Prefixes: &minilm.Prefixes{Query: p, Document: p}})
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range slices.Concat(shortTexts(), lengths(60), []string{"ing", "\u0301a", "\x80", ": ", " boat", strings.Repeat("z", 120)}) {
				want := bits(embed(t, plain, p+text)[0])
				if got := bits(embed(t, with, text)[0]); got != want {
					t.Errorf("%q, document %q, at most %d tokens: other bits", p, text, limit)
				}
				q, err := with.EmbedQuery(t.Context(), text)
				if err != nil {
					t.Fatal(err)
				}
				if bits(q) != want {
					t.Errorf("%q, query %q, at most %d tokens: other bits", p, text, limit)
				}
				if !slices.Equal(with.Tokenize(text), plain.Tokenize(text)) {
					t.Errorf("%q: Tokenize has a prefix", text)
				}
			}
		}
	}
}

// The least limit is room for a few tokens behind the longer prefix.
func TestLimitWithPrefixes(t *testing.T) {
	data := encode(t, shape{width: 8, heads: 2, inner: 8, layers: 1, positions: 64}.file(t))
	for n := range 20 {
		p := strings.Repeat("a ", n)
		for _, prefixes := range []minilm.Prefixes{{Query: p}, {Document: p}, {Query: p, Document: strings.Repeat("a ", min(1, n))}} {
			least := n + 10
			if _, err := minilm.FromBytes(data, minilm.Config{MaxTokens: least - 1, Prefixes: &prefixes}); !errors.Is(err, minilm.ErrConfig) {
				t.Errorf("%d tokens for prefixes of %d: %v", least-1, n, err)
			}
			m, err := minilm.FromBytes(data, minilm.Config{MaxTokens: least, Prefixes: &prefixes})
			if err != nil {
				t.Fatal(err)
			}
			embed(t, m, strings.Repeat("boat ", 99))
		}
	}
}

// Settings that a file has in other forms, or not at all.
func TestOtherKeys(t *testing.T) {
	plain := tiny().model(t, minilm.Config{})
	want := bits(embed(t, plain, shortTexts()...)...)
	for name, change := range map[string]func(drop func(string), set func(string, any)){
		"cls and separator": func(drop func(string), set func(string, any)) {
			drop("tokenizer.ggml.bos_token_id")
			drop("tokenizer.ggml.seperator_token_id")
			set("tokenizer.ggml.cls_token_id", uint32(2))
			set("tokenizer.ggml.separator_token_id", int64(3))
		},
		"eos": func(drop func(string), set func(string, any)) {
			drop("tokenizer.ggml.seperator_token_id")
			set("tokenizer.ggml.eos_token_id", uint8(3))
		},
		"no pad, no mask": func(drop func(string), _ func(string, any)) { // they are literals by their types
			drop("tokenizer.ggml.padding_token_id")
			drop("tokenizer.ggml.mask_token_id")
		},
		"defaults": func(drop func(string), _ func(string, any)) {
			drop("tokenizer.ggml.normalizer.lowercase")
			drop("bert.attention.causal")
			drop("tokenizer.ggml.token_type_count")
		},
		"other widths": func(_ func(string), set func(string, any)) {
			set("bert.block_count", uint64(2))
			set("bert.embedding_length", int16(32))
			set("bert.attention.layer_norm_epsilon", float64(1e-12))
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := tiny().file(t)
			change(func(key string) { drop(f, key) }, func(key string, v any) { set(f, key, v) })
			if bits(embed(t, fromFile(t, f, minilm.Config{}), shortTexts()...)...) != want {
				t.Error("other vectors")
			}
		})
	}
}

// A cased model tells case, an uncased one doesn't.
func TestCased(t *testing.T) {
	f := tiny().file(t)
	lower := fromFile(t, f, minilm.Config{})
	set(f, "tokenizer.ggml.normalizer.lowercase", false)
	cased := fromFile(t, f, minilm.Config{})
	if !slices.Equal(lower.Tokenize("The É"), lower.Tokenize("the e")) || slices.Equal(cased.Tokenize("The"), cased.Tokenize("the")) {
		t.Errorf("uncased %v, cased %v", lower.Tokenize("The É"), cased.Tokenize("The"))
	}
	if got := cased.Tokenize("é"); !slices.Equal(got, []int32{2, int32(slices.Index(first(vocabulary()), "▁é")), 3}) {
		t.Errorf("é is %v", got)
	}
}

func first(words []string, _ []int32) []string { return words }

// TestPooling: the setting replaces the file's, and the two differ.
func TestPooling(t *testing.T) {
	f := tiny().file(t)
	mean := fromFile(t, f, minilm.Config{})
	cls := fromFile(t, f, minilm.Config{Pooling: minilm.PoolingCLS})
	drop(f, "bert.pooling_type")
	if m := fromFile(t, f, minilm.Config{Pooling: minilm.PoolingMean}); bits(embed(t, m, "the boat")...) != bits(embed(t, mean, "the boat")...) {
		t.Error("a pooling that the file doesn't say gives another vector")
	}
	if mean.Pooling() != minilm.PoolingMean || cls.Pooling() != minilm.PoolingCLS || bits(embed(t, mean, "the boat")...) == bits(embed(t, cls, "the boat")...) {
		t.Errorf("%v and %v", mean.Pooling(), cls.Pooling())
	}
	for p, want := range map[minilm.Pooling]string{0: "of file", 1: "mean", 2: "cls", 3: "pooling type 3", -1: "pooling type -1"} {
		if got := fmt.Sprint(p); got != want {
			t.Errorf("%d is %q", int(p), got)
		}
	}
}

// What a model says of itself, and what its tokenizer makes of the same
// vocabulary.
func TestModelDescription(t *testing.T) {
	s := tiny()
	m := s.model(t, minilm.Config{ID: "mine", Kernels: "generic"})
	if m.ID() != "mine/mean/16" || m.Name() != "tiny" || m.Dimension() != s.width || m.Layers() != s.layers || m.MaxTokens() != s.positions || m.Kernels() != "generic" {
		t.Errorf("%s, %s, %d wide, %d layers, %d tokens, %s", m.ID(), m.Name(), m.Dimension(), m.Layers(), m.MaxTokens(), m.Kernels())
	}
	words, types := vocabulary()
	tokenizer, err := wordpiece.NewPhantom(words, types, wordpiece.Special{Unknown: 1, Begin: 2, End: 3, Pad: 0, Mask: 4}, wordpiece.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range append(shortTexts(), lengths(40)...) {
		if got, want := m.Tokenize(text), tokenizer.Encode(text, s.positions); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// Without texts there is nothing, and without words [CLS] and [SEP].
func TestNothing(t *testing.T) {
	m := tiny().model(t, minilm.Config{})
	if v := embed(t, m); len(v) != 0 {
		t.Errorf("%v", v)
	}
	v := embed(t, m, "", " \n", "\u200b", "\xff")
	for _, w := range v[1:] {
		if bits(w) != bits(v[0]) {
			t.Error("texts without words have several vectors")
		}
	}
	if n := minilm.Similarity(v[0], v[1]); n < 0.999999 || n > 1.000001 {
		t.Errorf("similarity %g", n)
	}
}

// What a vector depends on is in the ID.
func TestSettingsInID(t *testing.T) {
	s := tiny()
	for want, cfg := range map[string]minilm.Config{
		"w/mean/16":          {},
		"w/cls/16":           {Pooling: minilm.PoolingCLS},
		"w/mean/12":          {MaxTokens: 12},
		`w/mean/16/"a: "/""`: {Prefixes: &minilm.Prefixes{Query: "a: "}},
		`w/mean/16/""/"b: "`: {Prefixes: &minilm.Prefixes{Document: "b: "}},
	} {
		cfg.ID = "w"
		if m := s.model(t, cfg); m.ID() != want {
			t.Errorf("%+v: %s, not %s", cfg, m.ID(), want)
		}
	}
}

func TestSimilarityOfOtherDimensions(t *testing.T) {
	for _, pair := range [][2][]float32{{{1, 2}, {1}}, {{1}, {1, 2}}, {nil, {1}}} {
		if s := minilm.Similarity(pair[0], pair[1]); s == s {
			t.Errorf("%v and %v: %v", pair[0], pair[1], s)
		}
	}
	if s := minilm.Similarity([]float32{1.01}, []float32{1}); s != 1 {
		t.Errorf("beyond 1: %v", s)
	}
}
