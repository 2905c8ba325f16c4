package embedbench

// This file decides where models and recorded vectors come from.

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/contextforge-go/contextforge/minilm"
	"github.com/contextforge-go/contextforge/minilm/allminilm"
	"github.com/contextforge-go/contextforge/minilm/gguf"
	"github.com/contextforge-go/contextforge/minilm/requantize"
)

// Source is a model: a file, or the built-in one.
type Source struct {
	File string // "" for the built-in model
	Root string // the module's folder, which has the built-in model's file and its reference vectors
}

// Name returns the file's name without its folders.
func (s Source) Name() string { return filepath.Base(s.Path()) }

// Path returns the file of the model.
func (s Source) Path() string {
	if s.File != "" {
		return s.File
	}
	return filepath.Join(s.Root, "minilm", "allminilm", "all-MiniLM-L6-v2-Q8_0.gguf")
}

// reference returns the recorded vectors of the built-in model, "" for another.
func (s Source) reference() string {
	if s.File != "" {
		return ""
	}
	return filepath.Join(s.Root, "minilm", "testdata", "embeddings.jsonl.gz")
}

// load makes the model without the prefixes that it may want: texts are embedded as
// they are.
func (s Source) load(kernels string, threads int) (*minilm.Model, error) {
	cfg := minilm.Config{Kernels: kernels, Parallelism: threads, Prefixes: &minilm.Prefixes{}}
	if s.File == "" {
		return allminilm.New(cfg)
	}
	return minilm.Load(s.File, cfg)
}

// widened makes the model with the same numbers in float32, so that no
// activation is quantised.
func (s Source) widened(kernels string, threads int) (*minilm.Model, error) {
	data, err := os.ReadFile(s.Path())
	if err != nil {
		return nil, err
	}
	if data, err = requantize.To(data, gguf.F32); err != nil {
		return nil, err
	}
	return minilm.FromBytes(data, minilm.Config{Kernels: kernels, Parallelism: threads, Prefixes: &minilm.Prefixes{}})
}

// recorded is a text with the vectors that it should have.
type recorded struct {
	Text      string    `json:"text"`
	Embedding []float32 `json:"embedding"`      // of the unrounded model
	OfQ8      []float32 `json:"embedding_q8_0"` // of the rounded weights in float32 arithmetic; may be missing
}

// readRecorded reads recorded vectors of so many components from JSON lines.
func readRecorded(path string, width int) (list []recorded, err error) {
	err = eachLine(path, func(line []byte) error {
		var r recorded
		if err := json.Unmarshal(line, &r); err != nil {
			return err
		}
		if len(r.Embedding) != width || len(r.OfQ8) != 0 && len(r.OfQ8) != width {
			return fmt.Errorf("vectors of %d and %d components, not %d", len(r.Embedding), len(r.OfQ8), width)
		}
		list = append(list, r)
		return nil
	})
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%s has no vectors", path)
	}
	return list, err
}

// eachLine reads a file of lines, which is compressed if its name ends in .gz.
func eachLine(path string, do func(line []byte) error) (err error) {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<24)
	for n := 1; lines.Scan(); n++ {
		if len(lines.Bytes()) == 0 {
			continue
		}
		if err := do(lines.Bytes()); err != nil {
			return fmt.Errorf("%s, line %d: %w", path, n, err)
		}
	}
	return lines.Err()
}

// pick returns one part of every item.
func pick[T, P any](list []T, part func(T) P) []P {
	out := make([]P, len(list))
	for i, item := range list {
		out[i] = part(item)
	}
	return out
}

// embedAll embeds texts in calls that can be interrupted between them.
func embedAll(ctx context.Context, m *minilm.Model, texts []string) ([][]float32, error) {
	const atOnce = 64
	var out [][]float32
	for from := 0; from < len(texts); from += atOnce {
		vectors, err := m.Embed(ctx, texts[from:min(from+atOnce, len(texts))])
		if err != nil {
			return nil, err
		}
		out = append(out, vectors...)
	}
	return out, nil
}
