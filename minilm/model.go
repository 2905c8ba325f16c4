package minilm

// This file decides what a model is made of.

import (
	"fmt"
	"math"

	"github.com/contextforge-go/contextforge/internal/simd"
	"github.com/contextforge-go/contextforge/minilm/gguf"
	"github.com/contextforge-go/contextforge/minilm/wordpiece"
)

// Model is a sentence embedding model, ready for use. It is safe for concurrent
// use.
type Model struct {
	name, id  string
	kernels   *simd.Kernels
	tokenizer *wordpiece.Tokenizer

	width, heads, headWidth, inner int
	positions, maxTokens           int
	pooling                        Pooling
	quantised                      bool // a matrix is
	parallelism                    int
	epsilon, attentionScale        float32

	table     table     // [vocabulary][width]
	places    []float32 // [positions][width], the first token type's vector added
	inputNorm norm
	layers    []layer

	query, document prefix
	workspaces      slots
	batches         pile[*batch]
}

// layer is one block of the encoder.
type layer struct {
	attention     linear // [3·width][width]: queries, keys, values
	projection    linear // [width][width]
	attentionNorm norm
	up            linear // [inner][width]
	down          linear // [width][inner]
	outputNorm    norm
}

// linear is x·Wᵀ + bias, with the matrix in one of two forms.
type linear struct {
	inputs, outputs int
	q8              *simd.MatrixQ8
	f32             *simd.MatrixF32
	bias            []float32
}

// norm is a layer normalisation's.
type norm struct{ gamma, beta []float32 }

// table is the vectors of the vocabulary as they are in the file.
type table struct {
	kind     gguf.Type
	data     []byte
	rowBytes int
}

// Name returns the model's name.
func (m *Model) Name() string { return m.name }

// ID tells the model from others: its weights, and the settings that a vector
// depends on, which are pooling, limit and prefixes. Vectors of models with
// different IDs can't be compared.
func (m *Model) ID() string { return m.id }

// settings is the part of the ID behind that of the weights.
func (m *Model) settings() string {
	s := fmt.Sprintf("/%v/%d", m.pooling, m.maxTokens)
	if p := m.Prefixes(); p != (Prefixes{}) {
		s += fmt.Sprintf("/%q/%q", p.Query, p.Document)
	}
	return s
}

// Dimension returns the length of the vectors.
func (m *Model) Dimension() int { return m.width }

// MaxTokens returns the most tokens of a text, [CLS] and [SEP] included.
func (m *Model) MaxTokens() int { return m.maxTokens }

// Layers returns the number of the encoder's layers.
func (m *Model) Layers() int { return len(m.layers) }

// Pooling returns how vectors of tokens become that of a text.
func (m *Model) Pooling() Pooling { return m.pooling }

// Prefixes returns what is put before queries and documents.
func (m *Model) Prefixes() Prefixes {
	return Prefixes{Query: m.query.text, Document: m.document.text}
}

// Kernels returns the name of the implementation that runs; see Config.Kernels.
func (m *Model) Kernels() string { return m.kernels.Name() }

// embedTokens sets every row of x to the sum of its token's and its place's
// vectors, normalised. It uses y.
func (m *Model) embedTokens(x, y []float32, ids []int32, texts []span) {
	for _, t := range texts {
		for i, id := range ids[t.from:t.to] {
			at := (t.from + i) * m.width
			m.table.row(x[at:at+m.width], id)
			copy(y[at:at+m.width], m.places[i*m.width:])
		}
	}
	m.kernels.LayerNorm(x, y, m.inputNorm.gamma, m.inputNorm.beta, m.epsilon)
}

// row decodes one vector.
func (t *table) row(dst []float32, id int32) {
	// The type was checked when the model was loaded.
	_ = gguf.Dequantize(dst, t.kind, t.data[int(id)*t.rowBytes:][:t.rowBytes])
}

// Similarity returns the cosine of two vectors of length 1, −1 to 1; it is their
// dot product. Vectors of different dimensions can't be compared: NaN.
func Similarity(a, b []float32) float32 {
	if len(a) != len(b) {
		return float32(math.NaN())
	}
	return max(-1, min(1, simd.Dot(a, b)))
}
