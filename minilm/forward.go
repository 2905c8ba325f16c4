package minilm

// This file decides what the network computes: the encoder of BERT (Devlin et
// al. 2018, section 3; layer normalisation behind each residual connection, as
// in Vaswani et al. 2017), over the rows of several texts at once.

import (
	"context"
	"math"
	"runtime"

	"github.com/contextforge-go/contextforge/internal/simd"
)

// span is the rows [from, to) of one text.
type span struct{ from, to int }

// scoreRows is the number of queries whose attention scores are held at once,
// so that they stay in the first cache levels.
const scoreRows = 32

// workspace has the buffers of one forward pass, made once. T is the number of
// rows that fit, W the model's width, F the width inside the feed-forward part,
// L the longest text rounded up to 32.
type workspace struct {
	x    []float32 // [T][W] the state
	y    []float32 // [T][W] what attention and feed-forward add to it
	wide []float32 // [T][max(3W, F)] queries, keys and values; the output projection; the inside of feed-forward

	keys   []float32 // [L/32][headWidth][32] the keys of one head and text, transposed
	scores []float32 // [scoreRows][L] attention of some queries to all keys
	sums   []float32 // [scoreRows] what a row of scores adds up to

	quantised simd.Quantized // [T][W or F] the input of a product

	texts []span // the rows of each text of a pass
}

// newWorkspace makes the buffers for rows tokens, of which longest may be of one
// text.
func newWorkspace(m *Model, rows, longest int) *workspace {
	longest = roundUp(longest, simd.PanelWidth)
	w := &workspace{
		x:    make([]float32, rows*m.width),
		y:    make([]float32, rows*m.width),
		wide: make([]float32, rows*max(3*m.width, m.inner)+simd.PanelWidth), // values are read in panels of 32
		keys: make([]float32, longest*m.headWidth),

		scores: make([]float32, scoreRows*longest),
		sums:   make([]float32, scoreRows),
	}
	if m.quantised {
		w.quantised.Resize(rows, max(m.width, m.inner))
	}
	return w
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// forward turns the ids of some texts, one behind the other, into the states of
// the last layer, in w.x.
func (w *workspace) forward(ctx context.Context, m *Model, ids []int32, texts []span) error {
	rows := len(ids)
	x, y := w.x[:rows*m.width], w.y[:rows*m.width]
	m.embedTokens(x, y, ids, texts)
	for i := range m.layers {
		runtime.Gosched() // where there is one thread, as in wasm, timers run meanwhile
		if err := ctx.Err(); err != nil {
			return err
		}
		l := &m.layers[i]

		qkv := w.wide[:rows*3*m.width]
		w.product(m, qkv, x, &l.attention)
		w.attend(m, y, qkv, texts)
		projected := w.wide[:rows*m.width]
		w.product(m, projected, y, &l.projection)
		m.kernels.LayerNorm(x, projected, l.attentionNorm.gamma, l.attentionNorm.beta, m.epsilon)

		inner := w.wide[:rows*m.inner]
		w.product(m, inner, x, &l.up)
		m.kernels.GELU(inner)
		w.product(m, y, inner, &l.down)
		m.kernels.LayerNorm(x, y, l.outputNorm.gamma, l.outputNorm.beta, m.epsilon)
	}
	return nil
}

// product sets dst to x·Wᵀ + bias.
func (w *workspace) product(m *Model, dst, x []float32, l *linear) {
	rows := len(x) / l.inputs
	if l.q8 != nil {
		w.quantised.Resize(rows, l.inputs)
		m.kernels.Quantize(&w.quantised, x)
		m.kernels.MulQ8(dst, l.outputs, &w.quantised, l.q8, l.bias)
		return
	}
	a := simd.Rows{Data: x, Count: rows, Width: l.inputs, Stride: l.inputs}
	m.kernels.MulF32(dst, l.outputs, a, l.f32.Panels(), l.bias)
}

// attend sets y to the values, weighted by how much each token's query attends
// to the keys of its own text: softmax(q·kᵀ/√headWidth)·v for every head.
func (w *workspace) attend(m *Model, y, qkv []float32, texts []span) {
	for _, t := range texts {
		for head := range m.heads {
			w.attendHead(m, y, qkv, t, head*m.headWidth)
		}
	}
}

// attendHead does one head of one text; the head begins at column at.
func (w *workspace) attendHead(m *Model, y, qkv []float32, t span, at int) {
	n, stride := t.to-t.from, 3*m.width
	padded := roundUp(n, simd.PanelWidth)
	keys := w.transposeKeys(m, qkv, t, m.width+at)
	values := simd.Panels{
		Data: w.wide[t.from*stride+2*m.width+at:], Outputs: m.headWidth, Width: n, Panel: simd.PanelWidth, Row: stride,
	}
	for first := t.from; first < t.to; first += scoreRows {
		count := min(scoreRows, t.to-first)
		queries := simd.Rows{Data: qkv[first*stride+at:], Count: count, Width: m.headWidth, Stride: stride}
		m.kernels.MulF32(w.scores, padded, queries, keys, nil)
		for r := range count {
			row := w.scores[r*padded:][:roundUp(n, simd.Lanes)]
			for i := n; i < len(row); i++ {
				row[i] = float32(math.Inf(-1))
			}
			w.sums[r] = m.kernels.Softmax(row, m.attentionScale)
		}
		weights := simd.Rows{Data: w.scores, Count: count, Width: n, Stride: padded}
		m.kernels.MulF32(y[first*m.width+at:], m.width, weights, values, nil)
		for r := range count {
			out, inverse := y[(first+r)*m.width+at:][:m.headWidth], 1/w.sums[r]
			for i := range out {
				out[i] *= inverse
			}
		}
	}
}

// transposeKeys returns the keys of a head, which begin at column at, as the
// right side of a product. It is filled up to whole lanes with what happens to be
// there, which is faster than a product of fewer outputs; attendHead writes over
// the scores that this gives.
func (w *workspace) transposeKeys(m *Model, qkv []float32, t span, at int) simd.Panels {
	n, stride, panel := t.to-t.from, 3*m.width, simd.PanelWidth*m.headWidth
	for p := 0; p*simd.PanelWidth < n; p++ {
		first := t.from + p*simd.PanelWidth
		rows := simd.Rows{
			Data: qkv[first*stride+at:], Count: min(simd.PanelWidth, t.to-first), Width: m.headWidth, Stride: stride,
		}
		m.kernels.Transpose(w.keys[p*panel:], rows)
	}
	return simd.Panels{Data: w.keys, Outputs: roundUp(n, simd.Lanes), Width: m.headWidth, Panel: panel, Row: simd.PanelWidth}
}

// pool sets vector to the text's: pooled and scaled to length 1.
func (m *Model) pool(vector, x []float32) error {
	copy(vector, x)
	if m.pooling == PoolingMean {
		n := len(x) / m.width
		for i := 1; i < n; i++ {
			m.kernels.Add(vector, x[i*m.width:][:m.width])
		}
		for i := range vector {
			vector[i] /= float32(n)
		}
	}
	square := simd.SumSquares(vector)
	for range 3 { // until the squares of what is tiny are ordinary numbers
		if square >= 0x1p-64 {
			break
		}
		for i := range vector {
			vector[i] *= 0x1p60
		}
		square = simd.SumSquares(vector)
	}
	if !(square > 0 && square < math.MaxFloat32) {
		return ErrNoDirection
	}
	inverse := 1 / float32(math.Sqrt(float64(square)))
	for i := range vector {
		vector[i] *= inverse
	}
	return nil
}
