package minilm

// This file decides what a caller can set, and what is known of published
// models that their files don't say.

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
)

// Errors, for errors.Is.
var (
	// ErrModel is the error for a file that is no usable model: another
	// architecture, missing tensors, wrong shapes, unknown quantisation. What the
	// file format itself refuses are the errors of package gguf.
	ErrModel = errors.New("minilm: not a usable model")

	// ErrConfig is the error for a Config that doesn't fit the model.
	ErrConfig = errors.New("minilm: invalid config")

	// ErrNoDirection is the error for a text whose vector came out as zero, or with
	// an infinity or a NaN, which only unusual weights can cause.
	ErrNoDirection = errors.New("minilm: the vector is zero or not finite")
)

// Pooling says how the vectors of the tokens become that of the text.
type Pooling int

// The ways of pooling. The numbers from 1 on are GGUF's.
const (
	PoolingOfFile Pooling = 0 // what the file says
	PoolingMean   Pooling = 1 // the mean over all tokens, [CLS] and [SEP] included
	PoolingCLS    Pooling = 2 // the first token's
)

// String returns "mean" or "cls", and for what no model has a description.
func (p Pooling) String() string {
	switch p {
	case PoolingOfFile:
		return "of file"
	case PoolingMean:
		return "mean"
	case PoolingCLS:
		return "cls"
	}
	return fmt.Sprintf("pooling type %d", int(p))
}

// Prefixes stand in front of every text, as some models were trained. A prefix is
// UTF-8, ends in a space or a sign, so that no word of a text joins it, and counts
// towards MaxTokens.
type Prefixes struct {
	Query    string // before what is searched for
	Document string // before what is searched in
}

// Config has a model's settings. The zero value takes all from the file and from
// what is known of the model by its name.
type Config struct {
	// Name is the model's name; by default the file's general.name. Limits and
	// prefixes of known models are found by it, however it is spelled: in any case,
	// with any separators, behind a publisher, before a type ("E5 Small v2",
	// "intfloat/e5-small-v2", "e5-small-v2-Q8_0.gguf").
	Name string

	// ID tells the weights from others; it is the beginning of Model.ID. By
	// default it is "sha256:" and the file's hash.
	ID string

	// MaxTokens is the most tokens of a text, [CLS] and [SEP] included: at least
	// 10 without prefixes, at most the model's positions. By default it is the
	// known model's, or all of the positions.
	MaxTokens int

	// Prefixes replaces those of the known model.
	Prefixes *Prefixes

	// Pooling replaces the file's.
	Pooling Pooling

	// Parallelism is the most goroutines that embed at a time, of one call or of
	// several; others wait. Each has a workspace, of 2 MB for all-MiniLM-L6-v2, that
	// is kept. By default it is GOMAXPROCS at the time of loading. One text is
	// embedded by one goroutine.
	Parallelism int

	// Kernels is one of the implementations of the loops that this machine can
	// run: "generic", "avx2", "avxvnni", "avx512", "neon". The vectors are the same bits. By
	// default it is the environment variable CONTEXTFORGE_SIMD, or else the
	// fastest.
	Kernels string
}

// known is what a published model's card says and its file doesn't.
type known struct {
	name      string
	maxTokens int // 0: all positions
	prefixes  Prefixes
}

// instruction is the query prefix of the BGE 1.5 and Arctic Embed families
// (model cards of BAAI/bge-small-en-v1.5 and
// Snowflake/snowflake-arctic-embed-xs).
const instruction = "Represent this sentence for searching relevant passages: "

// knownModel returns the entry of a name; the zero value for others.
func knownModel(name string) known {
	name = plainName(name)
	for _, k := range []known{
		{name: "all-minilm-l6-v2", maxTokens: 256},
		{name: "all-minilm-l12-v2", maxTokens: 128},
		{name: "multi-qa-minilm-l6-cos-v1"},
		{name: "paraphrase-minilm-l3-v2", maxTokens: 128},
		{name: "paraphrase-minilm-l6-v2", maxTokens: 128},
		{name: "e5-small", prefixes: Prefixes{Query: "query: ", Document: "passage: "}},
		{name: "e5-base", prefixes: Prefixes{Query: "query: ", Document: "passage: "}},
		{name: "e5-large", prefixes: Prefixes{Query: "query: ", Document: "passage: "}},
		{name: "bge-small-en-v1-5", prefixes: Prefixes{Query: instruction}},
		{name: "bge-base-en-v1-5", prefixes: Prefixes{Query: instruction}},
		{name: "bge-large-en-v1-5", prefixes: Prefixes{Query: instruction}},
		{name: "gte-small"},
		{name: "gte-base"},
		{name: "gte-large"},
		{name: "snowflake-arctic-embed-xs", prefixes: Prefixes{Query: instruction}},
		{name: "snowflake-arctic-embed-s", prefixes: Prefixes{Query: instruction}},
		{name: "snowflake-arctic-embed-m", prefixes: Prefixes{Query: instruction}},
	} {
		if name == k.name || strings.HasPrefix(k.name, "e5-") && name == k.name+"-v2" {
			return k
		}
	}
	return known{}
}

// plainName takes everything from a model's name in which files of it differ:
// publisher, case, separators, the type at its end.
func plainName(name string) string {
	name = strings.ToLower(name[strings.LastIndexByte(name, '/')+1:])
	name = strings.TrimSuffix(name, ".gguf")
	parts := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(" -_.", r) })
	for i := 1; i < len(parts); i++ {
		if endsWithType(parts[i:]) {
			parts = parts[:i]
		}
	}
	return strings.Join(parts, "-")
}

// endsWithType reports whether the last parts of a name are a type: F16, BF16, Q8
// 0, Q4 K M and such.
func endsWithType(parts []string) bool {
	switch parts[0] {
	case "f32", "f16", "bf16", "fp32", "fp16":
		return len(parts) == 1
	case "q8", "q6", "q5", "q4", "q3", "q2":
		return !slices.ContainsFunc(parts[1:], func(p string) bool { return !slices.Contains([]string{"0", "1", "k", "m", "s", "l"}, p) })
	}
	return false
}

func parallelism(cfg Config) (int, error) {
	if cfg.Parallelism < 0 {
		return 0, fmt.Errorf("%w: Parallelism is %d", ErrConfig, cfg.Parallelism)
	}
	if cfg.Parallelism == 0 {
		return runtime.GOMAXPROCS(0), nil
	}
	return cfg.Parallelism, nil
}
