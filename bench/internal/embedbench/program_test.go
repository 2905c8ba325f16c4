package embedbench

// These tests decide what the Python program sends, with modules of a few lines in
// place of the engines'. Without a Python on the machine, an engine is missing.

import (
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// standInModules are as much of numpy, onnxruntime and llama_cpp as the program
// uses. The vector of a token is (token, 3).
var standInModules = map[string]string{
	"numpy.py": `
int64, float64 = "int64", "float64"
class Ids(list):
    pass
def array(texts, dtype):
    if len({len(t) for t in texts}) != 1:
        raise ValueError("ragged")
    return Ids(texts)
def ones_like(ids):
    return [[1] * len(t) for t in ids]
def zeros_like(ids):
    return [[0] * len(t) for t in ids]
class Hidden:
    def __init__(self, ids):
        self.ids = ids
    def astype(self, kind):
        return self
    def mean(self, axis):
        self.out = [[sum(t) / len(t), 3] for t in self.ids]
        return self
    def tolist(self):
        return self.out
`,
	"onnxruntime.py": `
from numpy import Hidden
__version__ = "9.8"
print("engines may print what they like")
class SessionOptions:
    pass
class Output:
    name = "hidden"
class InferenceSession:
    def __init__(self, path, options, providers):
        if path == "absent":
            raise FileNotFoundError(path)
        assert (options.intra_op_num_threads, options.inter_op_num_threads) in ((1, 1), (2, 1))
    def get_outputs(self):
        return [Output]
    def run(self, names, feed):
        assert names == ["hidden"] and sorted(feed) == ["attention_mask", "input_ids", "token_type_ids"]
        return [Hidden(feed["input_ids"])]
`,
	"llama_cpp.py": `
__version__ = "7.6"
class Batch:
    def __init__(self, n):
        self.token, self.pos, self.n_seq_id, self.logits = [0] * n, [0] * n, [0] * n, [0] * n
        self.seq_id = [[None] for _ in range(n)]
class Parameters:
    pass
def llama_log_callback(f):
    return f
def llama_log_set(f, data):
    pass
def llama_model_default_params():
    return Parameters()
def llama_context_default_params():
    return Parameters()
def llama_model_load_from_file(path, parameters):
    return None if path == b"absent" else "model"
def llama_init_from_model(model, parameters):
    return parameters
def llama_model_n_embd(model):
    return 2
def llama_batch_init(n, embd, most):
    return Batch(n)
def llama_batch_free(batch):
    pass
def llama_encode(context, batch):
    if batch.n_tokens > context.n_ubatch:
        return 1
    context.vectors = {}
    for i in range(batch.n_tokens):
        assert batch.logits[i] == batch.n_seq_id[i] == 1
        context.vectors.setdefault(batch.seq_id[i][0], []).append((batch.pos[i], batch.token[i]))
    return 0
def llama_get_embeddings_seq(context, sequence):
    places, tokens = zip(*context.vectors[sequence])
    assert list(places) == list(range(len(places)))
    return [sum(tokens) / len(tokens), 3, 99]
`,
}

// python returns a Python that finds the modules above, "" without one.
func python(t *testing.T) string {
	t.Helper()
	program, err := exec.LookPath("python3")
	if err != nil {
		return ""
	}
	dir := t.TempDir()
	for name, text := range standInModules {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PYTHONPATH", dir)
	t.Setenv("PYTHONDONTWRITEBYTECODE", "1")
	return program
}

// started runs the program with an engine; nil where there is no Python.
func started(t *testing.T, engine, file string, threads int) (*process, error) {
	t.Helper()
	program := python(t)
	c, err := startPeer(t.Context(), program, Peer{Name: "peer", Engine: engine, File: file}, threads)
	if program == "" {
		if !errors.Is(err, errMissing) {
			t.Errorf("without Python: %v", err)
		}
		return nil, nil
	}
	return c, err
}

func TestProgram(t *testing.T) {
	for engine, version := range map[string]string{OnnxRuntime: "9.8", LlamaCpp: "7.6"} {
		for threads := 1; threads <= 2; threads++ {
			c, err := started(t, engine, "model", threads)
			if err != nil {
				t.Fatalf("%s: %v", engine, err)
			}
			if c == nil {
				continue
			}
			if c.version != version {
				t.Errorf("%s: version %q", engine, c.version)
			}
			calls(t, c)
			vectors(t, c)
			if err := c.close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// calls checks how often a sample is embedded.
func calls(t *testing.T, c *process) {
	t.Helper()
	s := sample{ids: make([][]int32, 70)}
	for i := range s.ids {
		s.ids[i] = []int32{101, int32(i), 102, 5, 6, 7, 8, 9}
	}
	for _, tt := range []struct {
		limit      time.Duration
		most, want int
	}{{0, 9, 1}, {time.Hour, 1, 1}, {time.Hour, 4, 4}} {
		got, err := c.time(t.Context(), s, tt.limit, tt.most)
		if err != nil || len(got.wall) != tt.want || len(got.cpu) != tt.want {
			t.Errorf("%+v: %v, %v", tt, got, err)
			continue
		}
		for i := range got.wall {
			if got.wall[i] <= 0 || got.cpu[i] < 0 {
				t.Errorf("%+v: %v", tt, got)
			}
		}
	}
}

// vectors checks that they are those of their texts, of length 1.
func vectors(t *testing.T, c *process) {
	t.Helper()
	var s sample
	for i := range 100 {
		s.ids = append(s.ids, make([]int32, 1+i%7))
		for k := range s.ids[i] {
			s.ids[i][k] = int32(i % 50)
		}
	}
	got, err := c.embed(t.Context(), s)
	if err != nil || len(got) != len(s.ids) {
		t.Fatalf("%d vectors, %v", len(got), err)
	}
	for i, v := range got {
		x := float64(i % 50)
		length := math.Sqrt(x*x + 9)
		if len(v) != 2 || math.Abs(float64(v[0])-x/length) > 1e-6 || math.Abs(float64(v[1])-3/length) > 1e-6 {
			t.Errorf("text %d: %v", i, v)
		}
	}
}

// TestProgramBatch checks that vectors stand in the order of the texts when these
// need several passes.
func TestProgramBatch(t *testing.T) {
	c, err := started(t, LlamaCpp, "model", 1)
	if err != nil {
		t.Fatal(err)
	}
	if c == nil {
		return
	}
	q := request{Most: 1, Vectors: true}
	for i := range 150 {
		q.IDs = append(q.IDs, []int32{int32(i), int32(i), int32(i)})
	}
	r, err := c.ask(q)
	if err != nil || len(r.Vectors) != 150 {
		t.Fatalf("%d vectors, %v", len(r.Vectors), err)
	}
	for i, v := range r.Vectors {
		if want := float64(i) / 3; math.Abs(float64(v[0])/float64(v[1])-want) > 1e-4 {
			t.Errorf("text %d: %v", i, v)
		}
	}
	// A text that is too long is refused, and what comes after it is not.
	if _, err := c.time(t.Context(), sample{ids: [][]int32{make([]int32, 600)}}, 0, 1); err == nil || !strings.Contains(err.Error(), "refused a batch") {
		t.Errorf("too long: %v", err)
	}
	if _, err := c.time(t.Context(), sample{ids: [][]int32{{1}}}, 0, 1); err != nil {
		t.Error(err)
	}
	if err := c.close(); err != nil {
		t.Error(err)
	}
}

func TestProgramRefuses(t *testing.T) {
	for engine, message := range map[string]string{OnnxRuntime: "FileNotFoundError", LlamaCpp: "the model can't be loaded"} {
		c, err := started(t, engine, "absent", 1)
		if c != nil || err != nil && (!errors.Is(err, errMissing) || !strings.Contains(err.Error(), message)) {
			t.Errorf("%s: %v, %v", engine, c, err)
		}
	}
	c, err := started(t, OnnxRuntime, "model", 1)
	if err != nil {
		t.Fatal(err)
	}
	if c == nil {
		return
	}
	if _, err := c.time(t.Context(), sample{ids: [][]int32{{1}, {1, 2}}}, 0, 1); err == nil || !strings.Contains(err.Error(), "ragged") {
		t.Errorf("texts of two lengths: %v", err)
	}
	if err := c.close(); err != nil {
		t.Error(err)
	}
}
