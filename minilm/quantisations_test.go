package minilm_test

// The built-in model in other quantisations.

import (
	"os"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/minilm"
	"github.com/contextforge-go/contextforge/minilm/gguf"
	"github.com/contextforge-go/contextforge/minilm/internal/ggufwrite"
)

const weightsFile = "allminilm/all-MiniLM-L6-v2-Q8_0.gguf"

func readWeights(t testing.TB) *gguf.File {
	t.Helper()
	data, err := os.ReadFile(weightsFile)
	if err != nil {
		t.Fatal(err)
	}
	f, err := gguf.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// reencoded returns the built-in model with its matrices in another type.
func reencoded(t testing.TB, kind gguf.Type) *minilm.Model {
	t.Helper()
	data, err := ggufwrite.Reencode(readWeights(t), kind)
	if err != nil {
		t.Fatal(err)
	}
	m, err := minilm.FromBytes(data, minilm.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if m.Name() != "all-MiniLM-L6-v2" || m.MaxTokens() != 256 || m.Layers() != 6 || m.Dimension() != 384 {
		t.Fatalf("%s, %d tokens, %d layers, %d wide", m.Name(), m.MaxTokens(), m.Layers(), m.Dimension())
	}
	return m
}

// some returns one reference of every so many.
func some(list []reference, every int) (chosen []reference) {
	for i := 0; i < len(list); i += every {
		chosen = append(chosen, list[i])
	}
	return chosen
}

// exactVectors returns the texts with the vectors of the Q8_0 weights in exact
// arithmetic, or a part of them.
func exactVectors(t testing.TB, every int) []reference {
	t.Helper()
	list := readReferences(t, "embeddings.jsonl.gz")
	for i, w := range readReferences(t, "embeddings_q8_0_dequant.jsonl.gz") {
		if w.ID != list[i].ID {
			t.Fatalf("line %d is text %d in one file and %d in the other", i, list[i].ID, w.ID)
		}
		list[i].Embedding = w.Embedding
	}
	return some(list, every)
}

// The numbers of Q8_0 are float32 without rounding, so only arithmetic is
// between the two.
func TestFloatPathEqualsReference(t *testing.T) {
	every := 1
	if testing.Short() {
		every = 10
	}
	want := exactVectors(t, every)
	largest := 0.0
	for i, v := range embed(t, reencoded(t, gguf.F32), texts(want)...) {
		d := difference(v, want[i].Embedding)
		if !(d < 1e-5) {
			t.Errorf("text %d (%s): a component differs by %g", want[i].ID, want[i].Category, d)
		}
		largest = max(largest, d)
	}
	t.Logf("%d texts, largest difference %g", len(want), largest)
}

// TestOtherTypes measures the cosine to Q8_0 weights in float32 arithmetic, the
// more rounding the further. Beside the bounds are the least cosines measured over
// all texts, those of few bits of text 64, a lone "?". The weights are rounded twice
// here, first to Q8_0.
func TestOtherTypes(t *testing.T) {
	every := 10
	if testing.Short() {
		every = 41
	}
	want := exactVectors(t, every)
	for _, tt := range []struct {
		kind  gguf.Type
		least float64
	}{
		{gguf.F16, 0.999999}, // 0.9999995
		{gguf.BF16, 0.9999},  // 0.99997
		{gguf.Q8_0, 0.997},   // 0.99823, of quantised activations
		{gguf.Q5_1, 0.97},    // 0.9779
		{gguf.Q5_0, 0.96},    // 0.9687
		{gguf.Q4_1, 0.88},    // 0.8961
		{gguf.Q4_0, 0.87},    // 0.8870
	} {
		if testing.Short() && tt.kind != gguf.F16 && tt.kind != gguf.Q4_1 {
			continue
		}
		t.Run(tt.kind.String(), func(t *testing.T) {
			checkCosines(t, reencoded(t, tt.kind), want, tt.least)
		})
	}
}

func checkCosines(t *testing.T, m *minilm.Model, want []reference, bound float64) {
	t.Helper()
	least := 1.0
	for i, v := range embed(t, m, texts(want)...) {
		c := cosine(v, want[i].Embedding)
		if !(c >= bound) {
			t.Errorf("text %d (%s): cosine %.7f", want[i].ID, want[i].Category, c)
		}
		least = min(least, c)
	}
	t.Logf("least cosine %.7f", least)
}

// Matrices side by side in different types: the three that attention takes
// together become float32 if one of them isn't Q8_0.
func TestMixedTypes(t *testing.T) {
	kinds := map[string]gguf.Type{"attn_q": gguf.Q8_0, "attn_k": gguf.F16, "attn_v": gguf.BF16, "attn_output": gguf.F32, "ffn_up": gguf.Q8_0, "ffn_down": gguf.Q5_1}
	f := readWeights(t)
	var mixed ggufwrite.File
	for _, p := range f.Pairs {
		mixed.Pairs = append(mixed.Pairs, ggufwrite.Pair{Key: p.Key, Value: p.Value})
	}
	for i := range f.Tensors {
		tensor := &f.Tensors[i]
		data, err := f.Data(tensor)
		if err != nil {
			t.Fatal(err)
		}
		out := ggufwrite.Tensor{Name: tensor.Name, Dims: tensor.Dims, Type: tensor.Type, Data: data}
		for part, kind := range kinds {
			if strings.HasSuffix(tensor.Name, part+".weight") {
				out = requantised(t, tensor, data, kind)
			}
		}
		mixed.Tensors = append(mixed.Tensors, out)
	}
	m := fromFile(t, &mixed, minilm.Config{})
	checkCosines(t, m, exactVectors(t, 13), 0.994)
}

func requantised(t testing.TB, tensor *gguf.Tensor, data []byte, kind gguf.Type) ggufwrite.Tensor {
	t.Helper()
	numbers := make([]float32, tensor.Elements())
	if err := gguf.Dequantize(numbers, tensor.Type, data); err != nil {
		t.Fatal(err)
	}
	out, err := ggufwrite.NewTensor(tensor.Name, kind, numbers, tensor.Dims...)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
