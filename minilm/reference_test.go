package minilm_test

// The vectors beside those of other engines.

import (
	"math"
	"testing"

	"github.com/contextforge-go/contextforge/minilm"
)

func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	return ab / math.Sqrt(aa*bb)
}

// TestAccuracy compares with the unrounded weights in float32.
func TestAccuracy(t *testing.T) {
	want := readReferences(t, "embeddings.jsonl.gz")
	vectors := embed(t, builtIn(t, minilm.Config{}), texts(want)...)
	sum, least := 0.0, 1.0
	for i, w := range want {
		c := cosine(vectors[i], w.Embedding)
		if c < 0.997 {
			t.Errorf("text %d (%s): cosine %.5f", w.ID, w.Category, c)
		}
		sum, least = sum+c, min(least, c)
	}
	mean := sum / float64(len(want))
	if mean < 0.99945 {
		t.Errorf("mean cosine %.5f", mean)
	}
	t.Logf("cosine: mean %.6f, least %.6f", mean, least)
}

func TestTokenCounts(t *testing.T) {
	m := builtIn(t, minilm.Config{})
	for _, r := range readReferences(t, "embeddings.jsonl.gz") {
		if got := len(m.Tokenize(r.Text)); got != r.Tokens {
			t.Errorf("text %d has %d tokens, not %d", r.ID, got, r.Tokens)
		}
	}
}
