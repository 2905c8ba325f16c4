package minilm

// This file decides which files are models, and how their tensors are held.

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"unsafe"

	"github.com/contextforge-go/contextforge/internal/simd"
	"github.com/contextforge-go/contextforge/minilm/gguf"
	"github.com/contextforge-go/contextforge/minilm/wordpiece"
)

const (
	architecture = "bert"

	// leastTokens is the smallest MaxTokens that is allowed besides the prefix: room
	// for a few words.
	leastTokens = 8

	// mostWidth and mostLayers bound what a file can claim; real models are far
	// below.
	mostWidth  = 1 << 16
	mostLayers = 1 << 12

	// mostActivations bounds the numbers that one pass has inside a layer: 1 GB.
	mostActivations = 1 << 28
)

// Load reads a model from a file, which may be removed afterwards. The errors
// are ErrModel, ErrConfig, those of package gguf and those of the file system; the
// message names the file. An environment variable CONTEXTFORGE_SIMD that names no
// kernels of this machine is ErrConfig too.
func Load(path string, cfg Config) (*Model, error) {
	info, err := os.Stat(path) // opening a pipe would wait for its writer
	if err != nil {
		return nil, fmt.Errorf("minilm: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("minilm: load %s: %w: it isn't a file", path, ErrModel)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("minilm: %w", err)
	}
	defer f.Close()
	m, err := Read(f, info.Size(), cfg)
	if err != nil {
		return nil, fmt.Errorf("minilm: load %s: %w", path, err)
	}
	return m, nil
}

// Read reads a model from r, which has size bytes; see Load.
func Read(r io.ReaderAt, size int64, cfg Config) (*Model, error) {
	f, err := gguf.Read(r, size)
	if err != nil {
		return nil, err
	}
	return load(f, io.NewSectionReader(r, 0, size), cfg)
}

// FromBytes makes a model of a file's content. What can be used in place stays
// where it is, so the bytes must not change as long as the model is used.
func FromBytes(data []byte, cfg Config) (*Model, error) {
	f, err := gguf.Parse(data)
	if err != nil {
		return nil, err
	}
	return load(f, bytes.NewReader(data), cfg)
}

// FromString is FromBytes for a file's content in a string, such as an embedded
// one.
func FromString(content string, cfg Config) (*Model, error) {
	return FromBytes(unsafe.Slice(unsafe.StringData(content), len(content)), cfg) // never written to
}

func load(f *gguf.File, content io.Reader, cfg Config) (*Model, error) {
	m := &Model{id: cfg.ID}
	l := loader{file: f, model: m}
	if err := l.settings(cfg); err != nil {
		return nil, err
	}
	if err := l.vocabulary(cfg); err != nil {
		return nil, err
	}
	if err := l.tensors(); err != nil {
		return nil, err
	}
	if m.id == "" {
		hash := sha256.New()
		if _, err := io.Copy(hash, content); err != nil {
			return nil, err
		}
		m.id = fmt.Sprintf("sha256:%x", hash.Sum(nil))
	}
	m.id += m.settings()
	m.workspaces = newSlots(m.parallelism)
	m.batches = pile[*batch]{most: m.parallelism, make: func() *batch { return new(batch) }}
	return m, nil
}

// loader fills a model from a file.
type loader struct {
	file  *gguf.File
	model *Model
}

// settings reads the numbers that describe the network.
func (l *loader) settings(cfg Config) (err error) {
	m := l.model
	if name, err := l.file.String("general.architecture"); err != nil {
		return fmt.Errorf("%w: %w", ErrModel, err)
	} else if name != architecture {
		return fmt.Errorf("%w: general.architecture is %q, not %q", ErrModel, name, architecture)
	}
	if m.kernels, err = simd.Select(cfg.Kernels); err != nil {
		return fmt.Errorf("%w: %w", ErrConfig, err)
	}
	if m.parallelism, err = parallelism(cfg); err != nil {
		return err
	}
	if m.name = cfg.Name; m.name == "" {
		if m.name, err = l.file.String("general.name"); err != nil && !errors.Is(err, gguf.ErrMissing) {
			return fmt.Errorf("%w: %w", ErrModel, err)
		}
	}
	var blocks int
	for _, number := range []struct {
		key  string
		to   *int
		most int
	}{
		{"bert.block_count", &blocks, mostLayers},
		{"bert.embedding_length", &m.width, mostWidth},
		{"bert.feed_forward_length", &m.inner, mostWidth},
		{"bert.attention.head_count", &m.heads, mostWidth},
		{"bert.context_length", &m.positions, mostWidth},
	} {
		n, err := l.file.Uint(number.key)
		if err != nil {
			return fmt.Errorf("%w: %w", ErrModel, err)
		}
		if n < 1 || n > uint64(number.most) {
			return fmt.Errorf("%w: %s is %d, not 1 to %d", ErrModel, number.key, n, number.most)
		}
		*number.to = int(n)
	}
	if m.width%m.heads != 0 {
		return fmt.Errorf("%w: %d columns can't be divided among %d heads", ErrModel, m.width, m.heads)
	}
	m.headWidth = m.width / m.heads
	m.attentionScale = float32(1 / math.Sqrt(float64(m.headWidth)))
	m.layers = make([]layer, blocks)
	return l.options(cfg)
}

// options reads what has a default or can be set by the caller.
func (l *loader) options(cfg Config) error {
	m := l.model
	epsilon, err := l.file.Float("bert.attention.layer_norm_epsilon")
	if err != nil || !(epsilon >= 0) || epsilon > 1 {
		return fmt.Errorf("%w: bert.attention.layer_norm_epsilon is %v (%w)", ErrModel, epsilon, orInvalid(err))
	}
	m.epsilon = float32(epsilon)
	if causal, err := l.file.Bool("bert.attention.causal"); causal || err != nil && !errors.Is(err, gguf.ErrMissing) {
		return fmt.Errorf("%w: bert.attention.causal is %v (%w)", ErrModel, causal, orInvalid(err))
	}
	if err := l.pooling(cfg); err != nil {
		return err
	}
	limit := knownModel(m.name).maxTokens
	if limit == 0 || limit > m.positions {
		limit = m.positions
	}
	if cfg.MaxTokens != 0 {
		limit = cfg.MaxTokens
	}
	if limit < 0 || limit > m.positions {
		return fmt.Errorf("%w: MaxTokens is %d, the model %q has %d positions", ErrConfig, limit, m.name, m.positions)
	}
	m.maxTokens = limit
	if rows, width := max(passRows, limit), max(3*m.width, m.inner); uint64(rows)*uint64(width) > mostActivations {
		return fmt.Errorf("%w: a text of %d tokens is %d numbers in each; set a smaller Config.MaxTokens", ErrModel, limit, width)
	}
	return nil
}

// errInvalid stands for a value that was read but can't be right.
var errInvalid = errors.New("not a value that this kind of model can have")

func orInvalid(err error) error {
	if err != nil {
		return err
	}
	return errInvalid
}

func (l *loader) pooling(cfg Config) error {
	m := l.model
	if m.pooling = cfg.Pooling; m.pooling == PoolingOfFile {
		n, err := l.file.Uint("bert.pooling_type")
		if err != nil {
			return fmt.Errorf("%w: %w; set Config.Pooling", ErrModel, err)
		}
		m.pooling = Pooling(min(n, math.MaxInt32))
		if m.pooling != PoolingMean && m.pooling != PoolingCLS {
			return fmt.Errorf("%w: bert.pooling_type is %d, not 1 (mean) or 2 (cls)", ErrModel, n)
		}
	}
	if m.pooling != PoolingMean && m.pooling != PoolingCLS {
		return fmt.Errorf("%w: Pooling is %v", ErrConfig, m.pooling)
	}
	return nil
}

// vocabulary makes the tokenizer and the prefixes.
func (l *loader) vocabulary(cfg Config) error {
	m := l.model
	if kind, err := l.file.String("tokenizer.ggml.model"); err != nil || kind != architecture {
		return fmt.Errorf("%w: tokenizer.ggml.model is %q, not %q (%w)", ErrModel, kind, architecture, orInvalid(err))
	}
	words, err := l.file.Strings("tokenizer.ggml.tokens")
	if err != nil {
		return fmt.Errorf("%w: %w", ErrModel, err)
	}
	special, err := l.special()
	if err != nil {
		return err
	}
	lower, err := l.file.Bool("tokenizer.ggml.normalizer.lowercase")
	if err != nil {
		if !errors.Is(err, gguf.ErrMissing) {
			return fmt.Errorf("%w: %w", ErrModel, err)
		}
		lower = true
	}
	opts := wordpiece.Options{Cased: !lower}
	types, err := l.file.Ints("tokenizer.ggml.token_type")
	if err != nil {
		return fmt.Errorf("%w: %w", ErrModel, err)
	}
	kinds := make([]int32, len(types))
	for i, t := range types {
		kinds[i] = int32(t)
	}
	if m.tokenizer, err = wordpiece.NewPhantom(words, kinds, special, opts); err != nil {
		return fmt.Errorf("%w: tokenizer.ggml.tokens, tokenizer.ggml.token_type: %w", ErrModel, err)
	}
	prefixes := knownModel(m.name).prefixes
	if cfg.Prefixes != nil {
		prefixes = *cfg.Prefixes
	}
	if m.query, err = m.newPrefix(prefixes.Query); err != nil {
		return err
	}
	if m.document, err = m.newPrefix(prefixes.Document); err != nil {
		return err
	}
	if need := max(m.query.tokens(), m.document.tokens()) + leastTokens; m.maxTokens < need {
		return fmt.Errorf("%w: MaxTokens is %d, the least is %d: [CLS], [SEP], the longer prefix and %d tokens", ErrConfig, m.maxTokens, need, leastTokens)
	}
	return nil
}

// special reads the ids of the special tokens.
func (l *loader) special() (s wordpiece.Special, err error) {
	for _, id := range []struct {
		to       *int32
		optional bool
		keys     []string
	}{
		{&s.Unknown, false, []string{"tokenizer.ggml.unknown_token_id"}},
		{&s.Begin, false, []string{"tokenizer.ggml.bos_token_id", "tokenizer.ggml.cls_token_id"}},
		// The first is how llama.cpp spelled it.
		{&s.End, false, []string{"tokenizer.ggml.seperator_token_id", "tokenizer.ggml.separator_token_id", "tokenizer.ggml.eos_token_id"}},
		{&s.Pad, true, []string{"tokenizer.ggml.padding_token_id"}},
		{&s.Mask, true, []string{"tokenizer.ggml.mask_token_id"}},
	} {
		*id.to = wordpiece.None
		var missing error
		for _, key := range id.keys {
			n, err := l.file.Uint(key)
			if err == nil {
				*id.to, missing = int32(min(n, math.MaxInt32)), nil
				break
			}
			if !errors.Is(err, gguf.ErrMissing) {
				return s, fmt.Errorf("%w: %w", ErrModel, err)
			}
			if missing == nil {
				missing = err
			}
		}
		if missing != nil && !id.optional {
			return s, fmt.Errorf("%w: %w", ErrModel, missing)
		}
	}
	return s, nil
}
