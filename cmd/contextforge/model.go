package main

// This file decides what can be done with a model file, and what of one is worth
// telling.

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/contextforge-go/contextforge/minilm/gguf"
)

func (a *app) modelCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "model",
		Short: "Look at models for embedding",
		Args:  onlyCommands,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },

		SuggestionsMinimumDistance: 2,
	}
	cmd.AddCommand(a.modelInspectCommand())
	return cmd
}

func (a *app) modelInspectCommand() *cobra.Command {
	var asJSON, all bool
	cmd := jsonFlag(&cobra.Command{
		Use:   "inspect FILE",
		Short: "Show what a model file in the format GGUF holds",
		Long: `Show what a model file in the format GGUF holds: the model's dimensions, what
embed makes of it or why it can't, every key with its value, and the tensors.
Arrays are cut to their first elements, and long strings to their beginning,
unless --all is given. Any architecture will do; only a model that embed can use
is read as a whole.`,
		Args: operands("FILE", 1, 1),
		RunE: runs(func(_ context.Context, args []string) error {
			m, err := inspect(args[0], all)
			switch {
			case err != nil:
				return err
			case asJSON:
				return a.printJSON(m)
			}
			return a.printModel(m)
		}),
	}, &asJSON)
	cmd.Flags().BoolVar(&all, "all", false, "show values in full length")
	return cmd
}

// shownElements is how many elements of an array are shown, and shownBytes about
// how much of a string.
const (
	shownElements = 8
	shownBytes    = 100
)

// modelReport is what there is to say of a model file.
type modelReport struct {
	File      string `json:"file"`
	Version   uint32 `json:"version"`
	Bytes     uint64 `json:"bytes"`
	Alignment uint64 `json:"alignment"`
	DataStart uint64 `json:"data_start"`
	modelSummary
	Use     modelUse      `json:"embedding"`
	Keys    []modelKey    `json:"keys"`
	Tensors []modelTensor `json:"tensors"`
	Totals  []modelTotal  `json:"totals"`
}

// modelSummary is what the keys with known names say; zero if there are none.
type modelSummary struct {
	Architecture string `json:"architecture,omitempty"`
	Name         string `json:"name,omitempty"`
	Dimension    uint64 `json:"dimension,omitempty"`
	Layers       uint64 `json:"layers,omitempty"`
	Heads        uint64 `json:"heads,omitempty"`
	Positions    uint64 `json:"positions,omitempty"`
	Pooling      string `json:"pooling,omitempty"`
	Vocabulary   uint64 `json:"vocabulary,omitempty"`
}

// modelKey is a key with its value. Of an array Count elements long, Value has as
// many as are to be shown.
type modelKey struct {
	Key      string `json:"key"`
	Type     string `json:"type"`
	Elements string `json:"elements,omitempty"` // their type
	Count    *int   `json:"count,omitempty"`
	Value    any    `json:"value"`

	text string // the same for a person
}

type modelTensor struct {
	Name   string   `json:"name"`
	Shape  []uint64 `json:"shape"`
	Type   string   `json:"type"`
	Bytes  uint64   `json:"bytes"`
	Offset uint64   `json:"offset"`
}

// modelTotal sums up the tensors of one type.
type modelTotal struct {
	Type     string `json:"type"`
	Tensors  int    `json:"tensors"`
	Elements uint64 `json:"elements"`
	Bytes    uint64 `json:"bytes"`
}

// inspect reads the head of a file, and all of one that can be used. What is wrong
// with the file is wrong input.
func inspect(path string, all bool) (*modelReport, error) {
	if err := checkModelFile(path); err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	f, err := gguf.Read(file, info.Size())
	if err != nil {
		return nil, modelError(path, err)
	}
	use, err := useOf(file, f)
	if err != nil {
		return nil, modelError(path, err)
	}
	m := &modelReport{
		File: path, Version: f.Version, Bytes: f.Size, Alignment: f.Alignment, DataStart: f.DataStart,
		modelSummary: summarise(f), Use: use, Keys: []modelKey{}, Tensors: []modelTensor{}, Totals: totals(f.Tensors),
	}
	for _, p := range f.Pairs {
		m.Keys = append(m.Keys, describeKey(p, all))
	}
	for _, t := range f.Tensors {
		m.Tensors = append(m.Tensors, modelTensor{t.Name, t.Dims, t.Type.String(), t.Size, t.Offset})
	}
	return m, nil
}

// modelError tells a bad file from one that can't be read.
func modelError(path string, err error) error {
	bad := isUnusable(err)
	if err = fmt.Errorf("%s: %w", path, err); bad {
		return &usageError{err}
	}
	return err
}

// summarise looks for the keys that embedding models have. One that is missing or
// has another type than usual is left out: the list of all keys shows it.
func summarise(f *gguf.File) (s modelSummary) {
	text := func(key string) string { v, _ := f.String(key); return v }
	s.Architecture, s.Name = text("general.architecture"), text("general.name")
	number := func(key string) uint64 { v, _ := f.Uint(s.Architecture + key); return v }
	s.Dimension, s.Layers, s.Heads = number(".embedding_length"), number(".block_count"), number(".attention.head_count")
	s.Positions, s.Vocabulary = number(".context_length"), number(".vocab_size")
	if pooling, err := f.Uint(s.Architecture + ".pooling_type"); err == nil {
		s.Pooling = poolingName(pooling)
	}
	if tokens, err := f.Strings("tokenizer.ggml.tokens"); err == nil {
		s.Vocabulary = uint64(len(tokens))
	}
	return s
}

// poolingName names how token vectors become one (llama.cpp's enum
// llama_pooling_type).
func poolingName(n uint64) string {
	names := []string{"none", "mean", "cls", "last", "rank"}
	if n < uint64(len(names)) {
		return names[n]
	}
	return fmt.Sprint(n)
}

// totals sums up the tensors by type, in the order of the types' numbers.
func totals(tensors []gguf.Tensor) []modelTotal {
	sums := map[gguf.Type]modelTotal{}
	var types []gguf.Type
	for i := range tensors {
		t := &tensors[i]
		sum, ok := sums[t.Type]
		if !ok {
			types = append(types, t.Type)
		}
		sums[t.Type] = modelTotal{t.Type.String(), sum.Tensors + 1, sum.Elements + t.Elements(), sum.Bytes + t.Size}
	}
	slices.SortFunc(types, cmp.Compare[gguf.Type])
	out := []modelTotal{}
	for _, t := range types {
		out = append(out, sums[t])
	}
	return out
}

func describeKey(p gguf.Pair, all bool) modelKey {
	k := modelKey{Key: p.Key, Type: p.Value.Type.String(), Value: jsonValue(p.Value, all), text: valueText(p.Value, all)}
	if p.Value.Type == gguf.Array {
		n := p.Value.Len()
		k.Elements, k.Count = p.Value.Elem.String(), &n
	}
	return k
}

// shownCount returns how many elements of an array are shown.
func shownCount(v gguf.Value, all bool) int {
	if all {
		return v.Len()
	}
	return min(v.Len(), shownElements)
}

// jsonValue returns a value as it is encoded in JSON, which has neither
// infinities nor NaN: those become strings.
func jsonValue(v gguf.Value, all bool) any {
	if v.Type == gguf.Array {
		list := []any{}
		for i := range shownCount(v, all) {
			list = append(list, jsonValue(v.At(i), all))
		}
		return list
	}
	if text, ok := v.Text(); ok {
		return text
	}
	x, ok := v.Float()
	switch {
	case ok && (math.IsNaN(x) || math.IsInf(x, 0)):
		return fmt.Sprint(x)
	case v.Type == gguf.Float32:
		return float32(x)
	case ok:
		return x
	}
	if b, ok := v.Bool(); ok {
		return b
	}
	if n, ok := v.Uint(); ok {
		return n
	}
	n, _ := v.Int()
	return n
}
