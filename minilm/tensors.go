package minilm

// This file decides which tensors a model has and which shapes they must have.

import (
	"fmt"
	"math"
	"slices"

	"github.com/contextforge-go/contextforge/minilm/gguf"
)

// tensors reads all of them.
func (l *loader) tensors() (err error) {
	m := l.model
	if err := l.table(); err != nil {
		return err
	}
	if err := l.places(); err != nil {
		return err
	}
	if m.inputNorm, err = l.norm("token_embd_norm"); err != nil {
		return err
	}
	for i := range m.layers {
		if err := l.layer(&m.layers[i], fmt.Sprintf("blk.%d.", i)); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) layer(to *layer, name string) (err error) {
	m := l.model
	for _, part := range []struct {
		to              *linear
		inputs, outputs int
		names           []string
	}{
		{&to.attention, m.width, m.width, []string{"attn_q", "attn_k", "attn_v"}},
		{&to.projection, m.width, m.width, []string{"attn_output"}},
		{&to.up, m.width, m.inner, []string{"ffn_up"}},
		{&to.down, m.inner, m.width, []string{"ffn_down"}},
	} {
		names := make([]string, len(part.names))
		for i := range names {
			names[i] = name + part.names[i]
		}
		if *part.to, err = l.linear(part.inputs, part.outputs, names); err != nil {
			return err
		}
		m.quantised = m.quantised || part.to.q8 != nil
	}
	if to.attentionNorm, err = l.norm(name + "attn_output_norm"); err != nil {
		return err
	}
	to.outputNorm, err = l.norm(name + "layer_output_norm")
	return err
}

// find returns a tensor of a shape, given as it is stored.
func (l *loader) find(name string, dims ...uint64) (*gguf.Tensor, error) {
	t, ok := l.file.Tensor(name)
	if !ok {
		return nil, fmt.Errorf("%w: tensor %q is missing", ErrModel, name)
	}
	if !slices.Equal(t.Dims, dims) {
		return nil, fmt.Errorf("%w: tensor %q has the shape %v, not %v", ErrModel, name, t.Dims, dims)
	}
	return t, nil
}

// floats returns a tensor as float32.
func (l *loader) floats(name string, dims ...uint64) ([]float32, error) {
	t, err := l.find(name, dims...)
	if err != nil {
		return nil, err
	}
	data, err := l.file.Data(t)
	if err != nil {
		return nil, err
	}
	values := make([]float32, t.Elements())
	if err := gguf.Dequantize(values, t.Type, data); err != nil {
		return nil, fmt.Errorf("%w: tensor %q: %w", ErrModel, name, err)
	}
	for i, v := range values {
		if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
			return nil, fmt.Errorf("%w: tensor %q: element %d is %v", ErrModel, name, i, v)
		}
	}
	return values, nil
}

// table reads the vectors of the vocabulary, which stay as they are stored.
func (l *loader) table() error {
	const name = "token_embd.weight"
	m := l.model
	t, err := l.find(name, uint64(m.width), uint64(m.tokenizer.VocabularySize()))
	if err != nil {
		return err
	}
	data, err := l.file.Data(t)
	if err != nil {
		return err
	}
	m.table = table{kind: t.Type, data: data, rowBytes: len(data) / m.tokenizer.VocabularySize()}
	// One row shows whether the type is one that can be decoded.
	if err := gguf.Dequantize(make([]float32, m.width), t.Type, data[:m.table.rowBytes]); err != nil {
		return fmt.Errorf("%w: tensor %q: %w", ErrModel, name, err)
	}
	return nil
}

// places reads the vectors of the positions and adds that of token type 0, the
// only one that sentence embeddings use.
func (l *loader) places() (err error) {
	m := l.model
	if m.places, err = l.floats("position_embd.weight", uint64(m.width), uint64(m.positions)); err != nil {
		return err
	}
	types := uint64(2)
	if n, err := l.file.Uint("tokenizer.ggml.token_type_count"); err == nil {
		types = n
	}
	kinds, err := l.floats("token_types.weight", uint64(m.width), types)
	if err != nil {
		return err
	}
	m.places = m.places[:m.maxTokens*m.width]
	for i := range m.places {
		m.places[i] += kinds[i%m.width]
	}
	return nil
}

func (l *loader) norm(name string) (n norm, err error) {
	width := uint64(l.model.width)
	if n.gamma, err = l.floats(name+".weight", width); err != nil {
		return n, err
	}
	n.beta, err = l.floats(name+".bias", width)
	return n, err
}

// linear reads matrices with the same input and puts them on top of each other.
// If all are Q8_0 they stay quantised.
func (l *loader) linear(inputs, outputs int, names []string) (linear, error) {
	to := linear{inputs: inputs, outputs: outputs * len(names)}
	parts := make([][]byte, len(names))
	quantised := true
	for i, name := range names {
		t, err := l.find(name+".weight", uint64(inputs), uint64(outputs))
		if err != nil {
			return to, err
		}
		if parts[i], err = l.file.Data(t); err != nil {
			return to, err
		}
		quantised = quantised && t.Type == gguf.Q8_0
		bias, err := l.floats(name+".bias", uint64(outputs))
		if err != nil {
			return to, err
		}
		to.bias = append(to.bias, bias...)
	}
	if quantised {
		var err error
		if to.q8, err = l.model.kernels.PackQ8(inputs, parts...); err != nil {
			return to, l.unfit(inputs, names, parts, err)
		}
		return to, nil
	}
	var rows []float32
	for _, name := range names {
		part, err := l.floats(name+".weight", uint64(inputs), uint64(outputs))
		if err != nil {
			return to, err
		}
		rows = append(rows, part...)
	}
	to.f32 = l.model.kernels.PackF32(inputs, rows)
	return to, nil
}

// unfit says which of the parts of a matrix can't be packed because of err.
func (l *loader) unfit(inputs int, names []string, parts [][]byte, err error) error {
	bad := names[0]
	for i, part := range parts {
		if _, alone := l.model.kernels.PackQ8(inputs, part); alone != nil {
			bad, err = names[i], alone
			break
		}
	}
	return fmt.Errorf("%w: tensor %q: %w", ErrModel, bad+".weight", err)
}
