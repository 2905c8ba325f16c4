package minilm_test

// The bits of vectors: recorded ones, which every machine must make, and the same
// ones however a call is put together.

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/contextforge-go/contextforge/internal/simd"
	"github.com/contextforge-go/contextforge/minilm"
	"github.com/contextforge-go/contextforge/minilm/gguf"
)

var (
	update = flag.Bool("update", false, "write the golden files anew")
	slow   = flag.Bool("slow", false, "embed all recorded texts under the kernels in pure Go, too")
)

// bits returns the hash of vectors, as little-endian float32.
func bits(vectors ...[]float32) string {
	h := sha256.New()
	for _, v := range vectors {
		for _, x := range v {
			h.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(x)))
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// recorded returns the lines of a golden file, after writing it anew if asked to.
func recorded(t *testing.T, name string, lines []string, anew bool) []string {
	t.Helper()
	path := "testdata/" + name + ".golden"
	if anew {
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(want), "\n"), "\n")
}

// shortTexts have 16 tokens at most.
func shortTexts() []string {
	return []string{
		"", "a", "hello world", "The kettle is on.", "¿Dónde está la biblioteca?", "naïve café",
		"if err != nil { return err }", "東京タワー", "привет, мир", "[MASK] is 42", "e\u0301\u0301\x80?!",
		"seventeen old boats came back to the quiet harbour at night",
	}
}

// Every one of the twelve on its own, so that a difference can be found, of the
// built-in model and of two with random weights, in float32 and pooled by [CLS].
func TestGoldenShort(t *testing.T) {
	models := []struct {
		name string
		make func(cfg minilm.Config) *minilm.Model
	}{
		{"all-MiniLM-L6-v2", func(cfg minilm.Config) *minilm.Model { return builtIn(t, cfg) }},
		{"float32", func(cfg minilm.Config) *minilm.Model {
			return shape{width: 40, heads: 2, inner: 90, layers: 2, positions: 20, seed: 5}.model(t, cfg)
		}},
		{"cls", func(cfg minilm.Config) *minilm.Model {
			return shape{width: 64, heads: 8, inner: 96, layers: 2, positions: 40, pooling: minilm.PoolingCLS, kind: gguf.Q8_0, table: gguf.F16, seed: 6}.model(t, cfg)
		}},
	}
	eachKernel(t, func(t *testing.T, kernels string) {
		var lines []string
		for _, m := range models {
			for i, v := range embed(t, m.make(minilm.Config{Kernels: kernels}), shortTexts()...) {
				lines = append(lines, fmt.Sprintf("%s %d %s", m.name, i, bits(v)))
			}
		}
		want := recorded(t, "short", lines, *update)
		if len(lines) != len(want) {
			t.Fatalf("%d vectors, %d are recorded", len(lines), len(want))
		}
		for i, line := range lines {
			if line != want[i] {
				t.Errorf("%s, recorded %s", line, want[i])
			}
		}
	})
}

// twoHundred returns the reference texts and others made of them.
func twoHundred(t testing.TB) []string {
	all := texts(readReferences(t, "embeddings.jsonl.gz"))
	r := rand.New(rand.NewPCG(200, 0))
	for len(all) < 200 {
		a, b := strings.Fields(all[r.IntN(123)]), strings.Fields(all[r.IntN(123)])
		mixed := slices.Concat(a[:min(len(a), 1+r.IntN(20))], b[:min(len(b), r.IntN(20))])
		if r.IntN(3) == 0 {
			slices.Reverse(mixed)
		}
		all = append(all, strings.Join(mixed, " "))
	}
	return all
}

// TestTwoHundred compares with the recorded vectors of all texts, or under the
// kernels in pure Go some of the shorter ones and a long one: they take 50 times as
// long. Emulated machines have TestGoldenShort.
func TestTwoHundred(t *testing.T) {
	all := twoHundred(t)
	kernels := simd.Available()
	if testing.Short() {
		kernels = kernels[len(kernels)-1:]
	}
	slices.Reverse(kernels)
	for _, name := range kernels {
		t.Run(name, func(t *testing.T) {
			m := builtIn(t, minilm.Config{Kernels: name})
			var chosen []int
			for i, text := range all {
				n := len(m.Tokenize(text))
				if name != "generic" || *slow || i%2 == 0 && n <= 24 || i == 110 {
					chosen = append(chosen, i)
				}
			}
			compareRecorded(t, m, all, chosen)
		})
	}
}

func compareRecorded(t *testing.T, m *minilm.Model, all []string, chosen []int) {
	t.Helper()
	var list, lines []string
	for _, i := range chosen {
		list = append(list, all[i])
	}
	for _, v := range embed(t, m, list...) {
		lines = append(lines, bits(v))
	}
	want := recorded(t, "vectors", lines, *update && len(chosen) == len(all))
	if len(want) != len(all) {
		t.Fatalf("%d texts, %d vectors are recorded", len(all), len(want))
	}
	for k, i := range chosen {
		if lines[k] != want[i] {
			t.Errorf("text %d, %q: other bits", i, all[i])
		}
	}
}

// TestDeterminismOfBatches: alone, in any batch, in any order and with any number
// of goroutines.
func TestDeterminismOfBatches(t *testing.T) {
	s := shape{width: 64, heads: 4, inner: 96, layers: 2, positions: 64, kind: gguf.Q8_0}
	data := encode(t, s.file(t))
	all := slices.Concat(lengths(64), shortTexts(), lengths(40))
	if testing.Short() {
		all = slices.Concat(lengths(33), shortTexts())
	}
	alone := map[string]string{}
	for _, parallelism := range []int{1, 2, 3, 16} {
		m, err := minilm.FromBytes(data, minilm.Config{Parallelism: parallelism})
		if err != nil {
			t.Fatal(err)
		}
		if parallelism == 1 {
			for _, text := range all {
				alone[text] = bits(embed(t, m, text)[0])
			}
		}
		r := rand.New(rand.NewPCG(uint64(parallelism), 0))
		for size := 1; size <= len(all); size += 1 + size/2 {
			r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			for i, v := range embed(t, m, all[:size]...) {
				if bits(v) != alone[all[i]] {
					t.Fatalf("%q differs as text %d of %d, by %d goroutines", all[i], i, size, parallelism)
				}
			}
		}
	}
}

// The same for the built-in model, with texts on both sides of where a pass is full.
func TestVectorsInAnyPass(t *testing.T) {
	sizes := []int{2, 31, 32, 33, 64, 95, 126, 127, 128, 129, 160, 255, 256}
	if testing.Short() || len(simd.Available()) == 1 { // slow
		sizes = []int{2, 33, 95, 129}
	}
	var all []string
	for _, n := range sizes {
		all = append(all, ofTokens(n))
	}
	m := builtIn(t, minilm.Config{Parallelism: 2})
	var alone []string
	for _, text := range all {
		alone = append(alone, bits(embed(t, m, text)[0]))
	}
	for first := range all {
		turned := slices.Concat(all[first:], all[:first])
		for i, v := range embed(t, m, turned...) {
			if at := (first + i) % len(all); bits(v) != alone[at] {
				t.Errorf("text %d differs when text %d is first", at, first)
			}
		}
	}
}

// A model that was read from bytes, a string, a reader and a file is the same,
// and so is one whose file is laid out in another way.
func TestDeterminismOfSources(t *testing.T) {
	s := shape{width: 32, heads: 2, inner: 40, layers: 1, positions: 16}
	f := s.file(t)
	data := encode(t, f)
	hash := fmt.Sprintf("sha256:%x", sha256.Sum256(data))
	path := t.TempDir() + "/model.gguf"
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	slices.Reverse(f.Tensors)
	slices.Reverse(f.Pairs)
	f.Version = 2
	turned := encode(t, f)
	want, wantID := "", ""
	for i, load := range []func() (*minilm.Model, error){
		func() (*minilm.Model, error) { return minilm.FromBytes(data, minilm.Config{}) },
		func() (*minilm.Model, error) { return minilm.FromString(string(data), minilm.Config{}) },
		func() (*minilm.Model, error) {
			return minilm.Read(bytes.NewReader(data), int64(len(data)), minilm.Config{})
		},
		func() (*minilm.Model, error) { return minilm.Load(path, minilm.Config{}) },
		func() (*minilm.Model, error) { return minilm.FromBytes(turned, minilm.Config{ID: hash}) },
	} {
		m, err := load()
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			want, wantID = bits(embed(t, m, shortTexts()...)...), m.ID()
			if wantID != hash+"/mean/16" {
				t.Errorf("the ID is %s", wantID)
			}
		}
		if got := bits(embed(t, m, shortTexts()...)...); got != want || m.ID() != wantID {
			t.Errorf("source %d: other vectors, or ID %s", i, m.ID())
		}
	}
}

// A query's vector is that of the same text without prefix in a batch of one.
func TestDeterminismOfQueries(t *testing.T) {
	s := shape{width: 32, heads: 2, inner: 40, layers: 1, positions: 16}
	m := s.model(t, minilm.Config{})
	for _, text := range shortTexts() {
		q, err := m.EmbedQuery(context.Background(), text)
		if err != nil {
			t.Fatal(err)
		}
		if bits(q) != bits(embed(t, m, text)[0]) {
			t.Errorf("%q: the query differs", text)
		}
	}
}
