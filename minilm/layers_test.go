package minilm

// The states inside the network beside those of another engine.

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/contextforge-go/contextforge/minilm/gguf"
	"github.com/contextforge-go/contextforge/minilm/internal/ggufwrite"
)

// layerStates is "hello world" behind the first normalisation and every layer, by
// the unrounded weights: [7][4][384].
type layerStates struct {
	Text   string        `json:"text"`
	IDs    []int32       `json:"ids"`
	Hidden [][][]float32 `json:"hidden"`
}

// states returns the rows of the first layers layers.
func states(t *testing.T, m *Model, ids []int32, layers int) []float32 {
	t.Helper()
	all := m.layers
	defer func() { m.layers = all }()
	m.layers = all[:layers]
	w := newWorkspace(m, len(ids), len(ids))
	if err := w.forward(context.Background(), m, ids, []span{{0, len(ids)}}); err != nil {
		t.Fatal(err)
	}
	return w.x[:len(ids)*m.width]
}

// distance returns the largest difference of a component, and the length of the
// difference in parts of want's.
func distance(got []float32, want [][]float32) (largest, relative float64) {
	var square, total float64
	for i, row := range want {
		for j, w := range row {
			d := float64(got[i*len(row)+j]) - float64(w)
			largest = max(largest, math.Abs(d))
			square += d * d
			total += float64(w) * float64(w)
		}
	}
	return largest, math.Sqrt(square / total)
}

// TestLayers: the weights are rounded to 8 bits, which on the float path is all
// that differs; quantised activations add as much again. The errors add up from
// layer to layer, to 0.053 in a component and 0.021 of the length (float), or 0.075
// and 0.035; the bounds are that and nearly a half.
func TestLayers(t *testing.T) {
	var want layerStates
	text, err := os.ReadFile("testdata/layers_hello_world.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("allminilm/all-MiniLM-L6-v2-Q8_0.gguf")
	if err != nil {
		t.Fatal(err)
	}
	f, err := gguf.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	floats, err := ggufwrite.Reencode(f, gguf.F32)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name              string
		data              []byte
		largest, relative float64
	}{{"float", floats, 0.08, 0.03}, {"Q8_0", data, 0.11, 0.05}} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := FromBytes(tt.data, Config{})
			if err != nil {
				t.Fatal(err)
			}
			for layer, rows := range want.Hidden {
				largest, relative := distance(states(t, m, want.IDs, layer), rows)
				if !(largest < tt.largest && relative < tt.relative) {
					t.Errorf("layer %d: a component differs by %g, all by %g", layer, largest, relative)
				}
				t.Logf("layer %d: %.5f, %.5f", layer, largest, relative)
			}
		})
	}
}
